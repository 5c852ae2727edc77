/* SPDX-License-Identifier: MIT */
//! scan: report 3 "class":"possibly parallel".*"outlined":true
/* Loops that would have no end if N were the largest number, or near it: the entry knows whether it is.  */

void
up_to (unsigned n, double *x, double *y)
{
  unsigned i;

  for (i = 1; i <= n; i++)
    y[i] = x[i] * 2;
}

void
in_steps (unsigned n, double *x, double *y)
{
  unsigned i;

  for (i = 0; i < n; i += 5)
    y[i] = x[i] * 2;
}

void
bytes (unsigned char n, double *x, double *y)
{
  unsigned char i;

  for (i = 1; i <= n; i++)
    y[i] = x[i] * 2;
}
