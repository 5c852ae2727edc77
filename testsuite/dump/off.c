/* SPDX-License-Identifier: MIT */
//! flags: -fplugin-arg-paragon-off
//! scan-not: report "outlined"
//! scan-not: remarks ": paragon: "
/* Loaded, and silent: no report, no remark.  */

void
scale (int n, double a, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = a * x[i];
}
