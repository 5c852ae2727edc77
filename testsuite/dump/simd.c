/* SPDX-License-Identifier: MIT */
//! flags: -fopenmp-simd
//! scan: report 1 "class":"sequential","reason":"simd".*"outlined":false
/* The user has said how this loop runs.  */

void
add (int n, const double *x, double *y)
{
  int i;

#pragma omp simd
  for (i = 0; i < n; i++)
    y[i] += x[i];
}
