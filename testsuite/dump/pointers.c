/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"possibly parallel","reason":"pointers".*"outlined":true
//! scan: remarks 1 "optimized: paragon: loop is possibly parallel \(pointers: "
/* Two pointers: an entry's numbers tell whether they overlap.  */

void
scale (int n, double a, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = a * x[i];
}
