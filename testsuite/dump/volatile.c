/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"volatile".*"outlined":false
/* Each access must happen, once, in order.  */

extern volatile int port;

void
send (int n, const int *x)
{
  int i;

  for (i = 0; i < n; i++)
    port = x[i];
}
