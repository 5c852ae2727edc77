/* SPDX-License-Identifier: MIT */
//! flags: -ffreestanding
//! scan-not: report "outlined":true
//! scan: stderr 1 "paragon: .*freestanding"
/* A freestanding unit, such as a kernel's, gets nothing and one note.  */

void
scale (int n, double a, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = a * x[i];
}
