/* SPDX-License-Identifier: MIT */
//! flags: -frounding-math
//! scan: report 1 "class":"sequential","reason":"rounding-math".*"outlined":false
/* The program changes the rounding mode and says so.  */

void
add (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}
