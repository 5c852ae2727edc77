/* SPDX-License-Identifier: MIT */
//! opts: -O3 -fopenmp-simd -fno-math-errno, -O2 -fopenmp-simd -fno-math-errno
//! scan: report 1 "function":"waves".*"reason":"vector-math".*"outlined":false
//! scan: report 1 "function":"squares".*"outlined":true
/* A vector variant of a function gives other last bits: which iterations it computes would depend on the chunks.
   Fortran and -fopenmp declare such variants of the C library's functions.  */

#pragma omp declare simd notinbranch
double sin (double);

void
waves (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = sin (x[i]);
}

void
squares (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
