/* SPDX-License-Identifier: MIT */
//! scan: report 1 "function":"up".*"outlined":true
//! scan: report 1 "function":"down".*"outlined":true
//! scan: report 1 "function":"up_unsigned".*"reason":"uncountable".*"outlined":false
//! scan: report 1 "function":"up_until".*"reason":"uncountable".*"outlined":false
/* Steps whose length only the entry knows are counted there, unless the counter may wrap around or jump over its
   end.  */

void
up (int n, int step, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i += step)
    y[i] = x[i];
}

void
down (int n, int step, const double *x, double *y)
{
  int i;

  for (i = n; i >= 3; i -= step)
    y[i] = x[i];
}

void
up_unsigned (unsigned n, unsigned step, const double *x, double *y)
{
  unsigned i;

  for (i = 0; i < n; i += step)
    y[i] = x[i];
}

void
up_until (int n, int step, const double *x, double *y)
{
  int i;

  for (i = 0; i != n; i += step)
    y[i] = x[i];
}
