/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"call".*"outlined":false
//! scan: remarks 1 "missed: .*\(call: .*unknown"
/* A function of which nothing is known may do anything.  */

int unknown (int);

void
apply (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = unknown (a[i]);
}
