/* SPDX-License-Identifier: MIT */
//! flags: -fnon-call-exceptions -fexceptions
//! scan: report 1 "class":"sequential","reason":"non-call-exceptions".*"outlined":false
/* Each load may throw.  */

void
add (int n, const int *x, int *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}
