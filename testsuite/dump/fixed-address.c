/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"fixed-address".*"outlined":false
/* Every iteration writes the same element, and no reduction explains it.  */

void
last (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    if (x[i] > 0)
      *y = x[i];
}
