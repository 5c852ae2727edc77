/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"thread-local-write".*"outlined":false
/* Another thread has another variable.  */

extern _Thread_local int ring[64];

void
count (int n)
{
  int i;

  for (i = 0; i < n; i++)
    ring[i] = i;
}
