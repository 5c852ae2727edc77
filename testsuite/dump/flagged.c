/* SPDX-License-Identifier: MIT */
//! opts: -O3
//! scan: report 1 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* Nobody could tell whether a range of iterations has set this, but by a flag, and that would make slower what the
   compiler can vectorise.  */

double
last_below (int n, const double *a, double last)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] < 0)
      last = a[i];
  return last;
}
