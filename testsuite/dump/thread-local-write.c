/* SPDX-License-Identifier: MIT */
//! scan: report 1 "function":"count".*"class":"sequential","reason":"thread-local-write".*"outlined":false
//! scan: report 1 "function":"tell".*"class":"sequential","reason":"thread-local-write".*"outlined":false
//! scan: report 1 "function":"see".*"class":"sequential","reason":"thread-local".*"outlined":false
/* Another thread has another variable.  Of errno the compiler only sees where it is.  */
#include <errno.h>

extern _Thread_local int ring[64];

void
count (int n)
{
  int i;

  for (i = 0; i < n; i++)
    ring[i] = i;
}

void
tell (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    {
      errno = i;
      a[2 * i] = a[i];
    }
}

void
see (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[2 * i] = errno;
}
