/* SPDX-License-Identifier: MIT */
//! scan: report 1 "reason":"distance".*"outlined":true
/* The distance between the write and the read is an argument: zero, past the array, or in the way.  */

void
shift (int n, long k, double *x)
{
  long i;

  for (i = 0; i < n; i++)
    x[i] = 2 * x[i + k];
}
