/* SPDX-License-Identifier: MIT */
//! flags: -mfpmath=387
//! scan: report 1 "class":"sequential","reason":"long-double".*"outlined":false
/* Values in x87 registers are wider than double: one that crossed into another function would be rounded there.  */

void
scale (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i] * 0.1;
}
