/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! flags: -mavx2 -fdump-tree-optimized
//! scan: report 1 "class":"possibly parallel".*"outlined":true
//! scan: optimized 5 "&paragon_args[^]]*\] =\{v\} "
//! scan-not: optimized "MEM <vector"
/* Four pointers beside each other in what the guard passes on.  As a vector they would be put together before the
   compare, in each call, and the loop behind it would run with a register's upper half in use.  */

void
spmv (int n, const int *ptr, const int *col, const double *val, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0.0;

      for (k = ptr[i]; k < ptr[i + 1]; k++)
	sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}
