/* SPDX-License-Identifier: MIT
   Permuted copies among global vectors, of which N elements are used: gather Z from X, scatter X to W.  */
#ifndef IPVEC_H
#define IPVEC_H

#define IPVEC_MAX 1000000

extern double x[IPVEC_MAX], z[IPVEC_MAX], w[IPVEC_MAX];
extern int perm[IPVEC_MAX];

void gather (int n);
void scatter (int n);

#endif
