/* SPDX-License-Identifier: MIT
   Rayleigh quotient iteration for the seven-point Laplacian of an m x m x m grid: a vector's quotient MU is where the
   nearest eigenvalue is thought to be, and the vector is replaced by an approximate solution of (A - MU) y = x, from a
   few steps of stabilised bi-conjugate gradients.  Once a vector is good enough, a random one takes its place.

   The list of places that are shifted is one longer than the diagonal: its last one is spare, behind all entries.  In
   every EVERY-th iteration, it is the diagonal's middle one again: two iterations of that loop write the same place,
   and the same value.  So results do not depend on EVERY, and times may be compared.  A lap is one iteration.  */
#include "../../common.h"
#include "rayleigh.h"
#include "kernels.h"
#include "laplacian.h"

#include <math.h>
#include <string.h>

#define GOOD_ENOUGH 1e-8		/* residual of a vector that is replaced */

static struct csr a;
static double *b;			/* the entries of A - MU, and a spare one; A has room behind its own */
static double *x, *y, *r, *r0, *p, *v, *s, *t;	/* of a.n each */

static double *
vector (void)
{
  double *w = allocate (a.n, sizeof *w);

  memset (w, 0, a.n * sizeof *w);
  return w;
}

/* X becomes W at the length of one, if W has a length.  */
static void
normalise (const double *w)
{
  double length = sqrt (dot (a.n, w, w));
  int i;

  if (length > 0.0 && isfinite (length))
    for (i = 0; i < a.n; i++)
      x[i] = w[i] / length;
}

static void
random_start (void)
{
  int i;

  for (i = 0; i < a.n; i++)
    x[i] = random_double () - 0.5;
  normalise (x);
}

/* The quotient of X, whose residual is stored through RESIDUAL.  */
static double
quotient (double *residual)
{
  double mu;

  spmv (a.n, a.ptr, a.col, a.val, x, v);
  mu = dot (a.n, x, v);
  axpy (a.n, -mu, x, v);
  *residual = sqrt (dot (a.n, v, v));
  return mu;
}

/* STEPS steps towards the solution Y of B Y = X, or fewer where one has no way on.  */
static void
solve (int steps)
{
  double rho = 1.0, alpha = 1.0, omega = 1.0;
  int k;

  memset (y, 0, a.n * sizeof *y);
  memset (p, 0, a.n * sizeof *p);
  memset (v, 0, a.n * sizeof *v);
  copy (a.n, x, r);
  copy (a.n, x, r0);
  for (k = 0; k < steps; k++)
    {
      double r0v, tt, rho_before = rho;

      rho = dot (a.n, r0, r);
      if (rho == 0.0)
	return;
      update_direction (a.n, rho / rho_before * (alpha / omega), omega, r, v, p);
      spmv (a.n, a.ptr, a.col, b, p, v);
      r0v = dot (a.n, r0, v);
      if (r0v == 0.0)
	return;
      alpha = rho / r0v;
      waxpy (a.n, -alpha, v, r, s);
      spmv (a.n, a.ptr, a.col, b, s, t);
      tt = dot (a.n, t, t);
      if (tt == 0.0)
	return;
      omega = dot (a.n, t, s) / tt;
      axpbypz (a.n, alpha, p, omega, s, y);
      if (omega == 0.0)
	return;
      waxpy (a.n, -omega, t, s, r);
    }
}

int
main (int argc, char **argv)
{
  int m, iterations, steps, every, i, k, n_entries;
  int *place;
  double *history;

  arguments (argc, argv, "m iterations steps every", &m, &iterations, &steps, &every);
  if (m > LAPLACIAN_MAX)
    fail ("m must not exceed %d", LAPLACIAN_MAX);
  make_laplacian (m, &a);
  n_entries = a.ptr[a.n];
  b = allocate ((size_t) n_entries + 1, sizeof *b);
  memcpy (b, a.val, n_entries * sizeof *b);
  place = allocate ((size_t) a.n + 1, sizeof *place);
  for (i = 0; i < a.n; i++)
    for (k = a.ptr[i]; k < a.ptr[i + 1]; k++)
      if (a.col[k] == i)
	place[i] = k;
  history = allocate (iterations, sizeof *history);
  x = vector ();
  y = vector ();
  r = vector ();
  r0 = vector ();
  p = vector ();
  v = vector ();
  s = vector ();
  t = vector ();
  random_start ();

  for (i = 0; i < iterations; i++)
    {
      double mu, residual;

      lap_start ();
      mu = quotient (&residual);
      if (residual < GOOD_ENOUGH)
	{
	  random_start ();
	  mu = quotient (&residual);
	}
      place[a.n] = (i + 1) % every == 0 ? place[a.n / 2] : n_entries;
      shift (a.n + 1, place, mu, a.val, b);
      solve (steps);
      normalise (y);
      lap_stop ();
      history[i] = mu;
    }

  print_doubles ("mu", history, iterations);
  print_doubles ("x", x, a.n);
  finish ();
  return 0;
}
