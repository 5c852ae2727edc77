/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"fp-order".*"outlined":false
//! scan: remarks 1 "missed: paragon: loop not handed over: sequential \(fp-order: .*-fassociative-math"
/* A sum of doubles: another order, other bits.  The remedy is named.  */

double
sum (int n, const double *x)
{
  double s = 0;
  int i;

  for (i = 0; i < n; i++)
    s += x[i];
  return s;
}
