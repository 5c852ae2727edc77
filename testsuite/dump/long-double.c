/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"long-double".*"outlined":false
/* Registers of another width than the checks know.  */

void
add (int n, const long double *x, long double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}
