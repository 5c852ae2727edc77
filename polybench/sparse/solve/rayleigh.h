/* SPDX-License-Identifier: MIT
   Rayleigh quotient iteration's own loop.  */
#ifndef RAYLEIGH_H
#define RAYLEIGH_H

/* B[PLACE[k]] = A[PLACE[k]] - MU for N places k.  */
void shift (int n, const int *place, double mu, const double *a, double *b);

#endif
