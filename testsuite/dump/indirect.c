/* SPDX-License-Identifier: MIT */
//! scan: report 1 "reason":"indirect".*"outlined":true
/* The written address is loaded from memory: only an inspector can tell.  */

void
scatter (int n, const int *index, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[index[i]] = x[i];
}
