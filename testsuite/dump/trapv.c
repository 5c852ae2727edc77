/* SPDX-License-Identifier: MIT */
//! flags: -ftrapv
//! scan: report 1 "class":"sequential","reason":"trapv".*"outlined":false
/* An overflow must stop the program at its place.  */

void
add (int n, const int *x, int *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}
