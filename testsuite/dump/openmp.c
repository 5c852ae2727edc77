/* SPDX-License-Identifier: MIT */
//! flags: -fopenmp
//! scan: report 0 "outlined":true
//! scan: report 1 "reason":"openmp"
/* What OpenMP has outlined is parallel already.  */

void
add (int n, const double *x, double *y)
{
  int i;

#pragma omp parallel for
  for (i = 0; i < n; i++)
    y[i] += x[i];
}
