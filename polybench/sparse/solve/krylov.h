/* SPDX-License-Identifier: MIT
   Iterative solvers.  */
#ifndef KRYLOV_H
#define KRYLOV_H

#include "ilu.h"

enum outcome { CONVERGED, STOPPED, BROKE_DOWN };

/* Solve A X = B with preconditioner M, starting from zero, until the residual is TOLERANCE times that of zero or
   MAX_ITERATIONS are done.  Print the residual after each iteration; each is a lap.  */
enum outcome solve_cg (const struct csr *a, const struct ilu *m, const double *b, double tolerance,
		       int max_iterations, double *x);
enum outcome solve_bicgstab (const struct csr *a, const struct ilu *m, const double *b, double tolerance,
			     int max_iterations, double *x);

#endif
