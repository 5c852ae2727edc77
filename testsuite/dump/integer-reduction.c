/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"parallel","reason":"proven".*"outlined":true
/* A sum of ints is the same in any order, and wraps in the end where it wrapped on the way.  */

int
sum (int n, const int *x)
{
  int s = 0, i;

  for (i = 0; i < n; i++)
    s += x[i];
  return s;
}
