/* SPDX-License-Identifier: MIT */
//! opts: -O2 -ffast-math, -Ofast
//! scan: report 1 "outlined":true
/* The same sum where the user has said that its order does not matter.  */

double
sum (int n, const double *x)
{
  double s = 0;
  int i;

  for (i = 0; i < n; i++)
    s += x[i];
  return s;
}
