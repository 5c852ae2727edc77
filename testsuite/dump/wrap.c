/* SPDX-License-Identifier: MIT */
//! scan: report 1 "reason":"wrap".*"outlined":true
/* An unsigned subscript may wrap around on the way: linear only if no value leaves its type.  */

void
fill (unsigned n, unsigned start, double *x)
{
  unsigned i;

  for (i = 0; i < n; i++)
    x[start + i] = 1;
}
