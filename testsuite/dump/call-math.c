/* SPDX-License-Identifier: MIT */
//! scan: report 1 "reason":"pointers".*"outlined":true
/* A listed math function is no obstacle.  */

#include <math.h>

void
roots (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = sqrt (x[i]) + sin (x[i]);
}
