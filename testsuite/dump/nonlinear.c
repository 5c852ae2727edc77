/* SPDX-License-Identifier: MIT */
//! scan: report 1 "reason":"nonlinear".*"outlined":true
/* The written address is computed, but not linear in the iteration.  */

void
permute (unsigned n, unsigned key, const double *x, double *y)
{
  unsigned i;

  for (i = 0; i < n; i++)
    y[i ^ key] = x[i];
}
