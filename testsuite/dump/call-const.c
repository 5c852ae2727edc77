/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"call".*"outlined":false
/* const says that a result depends on the arguments alone, and is not believed: pthread_self is const.  */

int said_to_be_const (int) __attribute__ ((const));

void
apply (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = said_to_be_const (a[i]);
}
