/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"atomic".*"outlined":false
/* An atomic update talks to other threads.  */

void
count (int n, const int *x, int *counter)
{
  int i;

  for (i = 0; i < n; i++)
    __atomic_fetch_add (&counter[x[i]], 1, __ATOMIC_RELAXED);
}
