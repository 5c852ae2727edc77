/* SPDX-License-Identifier: MIT */
//! opts: -O0, -Og
//! scan-not: report "outlined":true
//! scan: stderr 1 "paragon: .*(-O|optimi)"
/* Without optimization there is nothing to hand over, and one note says so.  */

void
scale (int n, double a, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = a * x[i];
}
