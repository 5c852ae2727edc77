/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"carried-memory".*"outlined":false
/* Each iteration reads what the one before it wrote.  */

double x[10000];

void
accumulate (int n)
{
  int i;

  for (i = 1; i < n; i++)
    x[i] = x[i] / 2 + x[i - 1];
}
