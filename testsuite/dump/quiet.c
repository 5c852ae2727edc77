/* SPDX-License-Identifier: MIT */
//! opts: -O0, -Og, -O2 -ffreestanding
//! flags: -fplugin-arg-paragon-quiet
//! scan-not: report "outlined":true
//! scan-not: stderr "paragon"
/* Who has many programs compiled, some of them tests that are to be without messages, does not want to read for each
   that nothing is handed over.  */

void
scale (int n, double a, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = a * x[i];
}
