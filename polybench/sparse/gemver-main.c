/* SPDX-License-Identifier: MIT
   Updates of a random sparse n x n matrix with per_row entries a row on average, and products with it.  A lap is two
   rank-one updates, a product with the transposed matrix, and one with the matrix.  */
#include "../common.h"
#include "gemver.h"
#include "generate.h"

static double *
random_vector (int n)
{
  double *v = allocate (n, sizeof *v);
  int i;

  for (i = 0; i < n; i++)
    v[i] = random_double () - 0.5;
  return v;
}

/* Find the columns of A from its rows: entries are counted, then sorted.  */
static void
find_columns (struct sparse *a)
{
  int n = a->n, n_entries = a->ptr[n];
  int *next = allocate (n, sizeof *next);
  int i, j, k;

  a->col_ptr = allocate ((size_t) n + 1, sizeof *a->col_ptr);
  a->row = allocate (n_entries, sizeof *a->row);
  a->at = allocate (n_entries, sizeof *a->at);
  for (j = 0; j <= n; j++)
    a->col_ptr[j] = 0;
  for (k = 0; k < n_entries; k++)
    a->col_ptr[a->col[k] + 1]++;
  for (j = 0; j < n; j++)
    {
      a->col_ptr[j + 1] += a->col_ptr[j];
      next[j] = a->col_ptr[j];
    }
  for (i = 0; i < n; i++)
    for (k = a->ptr[i]; k < a->ptr[i + 1]; k++)
      {
	int to = next[a->col[k]]++;

	a->row[to] = i;
	a->at[to] = k;
      }
}

int
main (int argc, char **argv)
{
  int n, per_row, reps, r;
  struct sparse a;
  double *u1, *v1, *u2, *v2, *x, *y, *z, *w;

  arguments (argc, argv, "n per_row reps", &n, &per_row, &reps);
  random_rows (n, per_row, 0, &a.ptr, &a.col, &a.val);
  a.n = n;
  find_columns (&a);
  u1 = random_vector (n);
  v1 = random_vector (n);
  u2 = random_vector (n);
  v2 = random_vector (n);
  x = random_vector (n);
  y = random_vector (n);
  z = random_vector (n);
  w = random_vector (n);

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      update (&a, u1, v1, u2, v2);
      add_transposed (&a, 0.5, y, z, x);
      multiply (&a, 0.25, x, w);
      lap_stop ();
    }

  print_doubles ("val", a.val, a.ptr[n]);
  print_doubles ("x", x, n);
  print_doubles ("w", w, n);
  finish ();
  return 0;
}
