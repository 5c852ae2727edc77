/* SPDX-License-Identifier: MIT */
//! scan: report 1 "reason":"allocator".*"outlined":false
/* Who defines free may call this under its lock, which threads that are started wait for.  */

void
add (int n, const int *x, int *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}

void
free (void *block)
{
  (void) block;
}
