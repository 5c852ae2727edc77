/* SPDX-License-Identifier: MIT */
//! scan: report 1 "function":"inner[^"]*".*"reason":"static-chain"
/* A nested function reaches the variables of its parent through a chain.  */

void
outer (int n, int *x, int by)
{
  __attribute__ ((noinline)) void
  inner (int m)
  {
    int i;

    for (i = 0; i < m; i++)
      x[i] += by;
  }

  inner (n);
  inner (n / 2);
}
