/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"too-small".*"outlined":false
/* A handful of cheap iterations never pays.  */

double x[6], y[6];

void
few (void)
{
  int i;

  for (i = 0; i < 6; i++)
    y[i] = x[i] / 3;
}
