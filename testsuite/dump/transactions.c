/* SPDX-License-Identifier: MIT */
//! flags: -fgnu-tm
//! scan: report 2 "class":"sequential","reason":"atomic".*"outlined":false
/* All that a transaction stores is seen at once, or nothing.  It is compiled twice, once with what keeps track.  */

void
add (int n, const int *x, int *y)
{
  int i;

  __transaction_atomic
  {
    for (i = 0; i < n; i++)
      y[i] += x[i];
  }
}
