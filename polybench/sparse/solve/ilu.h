/* SPDX-License-Identifier: MIT
   Incomplete factorisation of a sparse matrix with no fill-in, as a preconditioner.  */
#ifndef ILU_H
#define ILU_H

#include "../mmio.h"

/* A triangle of the factorisation, its rows stored level after level.  */
struct levels
{
  int n_levels;
  int *start;				/* n_levels + 1: first row of each level, as stored */
  int *row;				/* number of each stored row in the matrix */
  int *ptr, *col;			/* off-diagonal entries of the stored rows */
  double *val;
  double *diag;				/* of each stored row */
};

struct ilu
{
  int n;
  struct levels lower, upper;
  double *middle;			/* result of the lower triangle */
};

/* Factor A, whose values are left as they are.  A pivot of zero ends the program with its place in A's file.  */
void ilu_factor (const struct csr *a, struct ilu *m);

/* Z = inverse of M times R.  */
void ilu_apply (const struct ilu *m, const double *r, double *z);

#endif
