/* SPDX-License-Identifier: MIT
   Conjugate gradients for symmetric positive definite matrices, stabilised bi-conjugate gradients for others.  Both
   print the history of the residual with all its digits: two builds that agree there agree in every bit on the way.  */
#include "krylov.h"

#include "../../common.h"
#include "kernels.h"

#include <math.h>
#include <stdio.h>

static double *
zero_vector (int n)
{
  double *v = allocate (n, sizeof *v);
  int i;

  for (i = 0; i < n; i++)
    v[i] = 0.0;
  return v;
}

/* Report one iteration, which ends a lap.  Return whether to go on; if not, OUTCOME says why.  */
static int
go_on (int iteration, int max_iterations, double residual, double goal, enum outcome *outcome)
{
  lap_stop ();
  printf ("iteration %d residual %.17g\n", iteration, residual);
  if (!isfinite (residual))
    *outcome = BROKE_DOWN;
  else if (residual <= goal)
    *outcome = CONVERGED;
  else if (iteration < max_iterations)
    return 1;
  return 0;
}

enum outcome
solve_cg (const struct csr *a, const struct ilu *m, const double *b, double tolerance, int max_iterations, double *x)
{
  int n = a->n, iteration = 0;
  double *r = zero_vector (n), *z = zero_vector (n), *p = zero_vector (n), *q = zero_vector (n);
  double residual, rz, goal = tolerance * sqrt (dot (n, b, b));
  enum outcome outcome = STOPPED;

  copy (n, b, r);
  ilu_apply (m, r, z);
  copy (n, z, p);
  rz = dot (n, r, z);
  do
    {
      double pq, alpha, rz_before = rz;

      lap_start ();
      spmv (n, a->ptr, a->col, a->val, p, q);
      pq = dot (n, p, q);
      if (!(pq > 0.0))
	return BROKE_DOWN;
      alpha = rz / pq;
      axpy (n, alpha, p, x);
      axpy (n, -alpha, q, r);
      residual = sqrt (dot (n, r, r));
      ilu_apply (m, r, z);
      rz = dot (n, r, z);
      xpay (n, z, rz / rz_before, p);
    }
  while (go_on (++iteration, max_iterations, residual, goal, &outcome));
  return outcome;
}

enum outcome
solve_bicgstab (const struct csr *a, const struct ilu *m, const double *b, double tolerance, int max_iterations,
		double *x)
{
  int n = a->n, iteration = 0;
  double *r = zero_vector (n), *r0 = zero_vector (n), *p = zero_vector (n), *v = zero_vector (n);
  double *s = zero_vector (n), *t = zero_vector (n), *y = zero_vector (n), *z = zero_vector (n);
  double residual, rho = 1.0, alpha = 1.0, omega = 1.0, goal = tolerance * sqrt (dot (n, b, b));
  enum outcome outcome = STOPPED;

  copy (n, b, r);
  copy (n, b, r0);
  do
    {
      double r0v, tt, rho_before = rho;

      lap_start ();
      rho = dot (n, r0, r);
      if (rho == 0.0 || omega == 0.0)
	return BROKE_DOWN;
      update_direction (n, rho / rho_before * (alpha / omega), omega, r, v, p);
      ilu_apply (m, p, y);
      spmv (n, a->ptr, a->col, a->val, y, v);
      r0v = dot (n, r0, v);
      if (r0v == 0.0)
	return BROKE_DOWN;
      alpha = rho / r0v;
      waxpy (n, -alpha, v, r, s);
      ilu_apply (m, s, z);
      spmv (n, a->ptr, a->col, a->val, z, t);
      tt = dot (n, t, t);
      omega = tt > 0.0 ? dot (n, t, s) / tt : 0.0;
      axpbypz (n, alpha, y, omega, z, x);
      waxpy (n, -omega, t, s, r);
      residual = sqrt (dot (n, r, r));
    }
  while (go_on (++iteration, max_iterations, residual, goal, &outcome));
  return outcome;
}
