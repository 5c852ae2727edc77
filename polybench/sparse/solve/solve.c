/* SPDX-License-Identifier: MIT
   Solve a sparse linear system: read or generate a matrix, factor it incompletely and iterate, conjugate gradients if
   it is symmetric, stabilised bi-conjugate gradients if not.  The right-hand side is the matrix times a vector of
   ones.

     solve [-t] [--tolerance T] [--iterations N] FILE.mtx
     solve [-t] [--tolerance T] [--iterations N] --laplacian M

   Exit status: 0 converged, 1 not, 2 bad input or usage.  */
#include "../../common.h"
#include "kernels.h"
#include "krylov.h"
#include "laplacian.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options
{
  const char *file;			/* NULL: the Laplacian */
  int laplacian_size;
  int max_iterations;
  double tolerance;
};

static int
int_option (const char *name, const char *text, int high)
{
  char *end;
  long number;

  errno = 0;
  number = strtol (text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || number < 1 || number > high)
    fail ("%s must be a number from 1 to %d, not '%s'", name, high, text);
  return (int) number;
}

static double
tolerance_option (const char *text)
{
  char *end;
  double number = strtod (text, &end);

  if (end == text || *end != '\0' || !(number > 0.0 && number < 1.0))
    fail ("--tolerance must be a number between 0 and 1, not '%s'", text);
  return number;
}

static void
read_options (int argc, char **argv, struct options *o)
{
  int i;

  set_program (argv[0]);
  for (i = 1; i < argc; i++)
    if (strcmp (argv[i], "-t") == 0)
      show_times ();
    else if (strcmp (argv[i], "--tolerance") == 0 && i + 1 < argc)
      o->tolerance = tolerance_option (argv[++i]);
    else if (strcmp (argv[i], "--iterations") == 0 && i + 1 < argc)
      o->max_iterations = int_option ("--iterations", argv[++i], INT_MAX);
    else if (strcmp (argv[i], "--laplacian") == 0 && i + 1 < argc)
      o->laplacian_size = int_option ("--laplacian", argv[++i], LAPLACIAN_MAX);
    else if (argv[i][0] != '-' && !o->file)
      o->file = argv[i];
    else
      break;
  if (i < argc || !o->file == !o->laplacian_size)
    fail ("usage: solve [-t] [--tolerance T] [--iterations N] FILE.mtx | --laplacian M");
}

int
main (int argc, char **argv)
{
  static const char *const words[] = { "converged", "not converged", "broke down" };
  struct options o = { NULL, 0, 1000, 1e-8 };
  struct csr a;
  struct ilu m;
  double *ones, *b, *x;
  enum outcome outcome;
  int i;

  read_options (argc, argv, &o);
  if (o.file)
    read_matrix (o.file, &a);
  else
    make_laplacian (o.laplacian_size, &a);
  ilu_factor (&a, &m);

  ones = allocate (a.n, sizeof *ones);
  b = allocate (a.n, sizeof *b);
  x = allocate (a.n, sizeof *x);
  for (i = 0; i < a.n; i++)
    {
      ones[i] = 1.0;
      x[i] = 0.0;
    }
  spmv (a.n, a.ptr, a.col, a.val, ones, b);

  printf ("%s: %d rows, %d entries, %d + %d levels\n", a.is_symmetric ? "cg" : "bicgstab", a.n, a.ptr[a.n],
	  m.lower.n_levels, m.upper.n_levels);
  if (a.is_symmetric)
    outcome = solve_cg (&a, &m, b, o.tolerance, o.max_iterations, x);
  else
    outcome = solve_bicgstab (&a, &m, b, o.tolerance, o.max_iterations, x);

  /* The residual as it really is, not as the recurrence has it.  */
  spmv (a.n, a.ptr, a.col, a.val, x, ones);
  axpy (a.n, -1.0, ones, b);
  printf ("%s, residual %.17g\n", words[outcome], sqrt (dot (a.n, b, b)));
  print_doubles ("x", x, a.n);
  finish ();
  return outcome == CONVERGED ? 0 : 1;
}
