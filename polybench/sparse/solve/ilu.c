/* SPDX-License-Identifier: MIT
   ILU(0): L U where L has a diagonal of ones and both only have entries where A has.  Row by row, the entries left of
   the diagonal eliminate with the rows above; what falls on no entry is dropped.

   Applying it means two triangular systems.  The rows of each triangle are sorted by level once; the rows of one
   level then need only those of earlier ones, and stand together in memory.  */
#include "ilu.h"

#include "../../common.h"
#include "../levels.h"
#include "kernels.h"

#include <math.h>

/* Factor in place: VAL holds the values of A on entry, those of L and U on return.  DIAG receives the place of each
   diagonal entry.  */
static void
factor_rows (const struct csr *a, double *val, int *diag)
{
  int *place = allocate (a->n, sizeof *place);	/* of each column in the current row, or -1 */
  int i, j, k;

  for (i = 0; i < a->n; i++)
    place[i] = -1;
  for (i = 0; i < a->n; i++)
    {
      for (k = a->ptr[i]; k < a->ptr[i + 1]; k++)
	place[a->col[k]] = k;
      for (k = a->ptr[i]; a->col[k] < i; k++)
	{
	  int above = a->col[k];

	  val[k] /= val[diag[above]];
	  for (j = diag[above] + 1; j < a->ptr[above + 1]; j++)
	    if (place[a->col[j]] >= 0)
	      val[place[a->col[j]]] -= val[k] * val[j];
	}
      diag[i] = k;
      if (val[k] == 0.0 || !isfinite (val[k]))
	fail_at (a->file, a->line ? a->line[k] : 0, "%s pivot in row %d of the factorisation",
		 val[k] == 0.0 ? "zero" : "infinite", i + 1);
      for (k = a->ptr[i]; k < a->ptr[i + 1]; k++)
	place[a->col[k]] = -1;
    }
}

/* Store one TRIANGLE of the factored matrix, whose values are VAL, level after level.  */
static void
store_triangle (const struct csr *a, const double *val, const int *diag, enum triangle triangle, struct levels *t)
{
  int n_entries = 0, i, k;

  t->n_levels = level_sets (a->n, a->ptr, a->col, triangle, &t->start, &t->row);
  t->ptr = allocate ((size_t) a->n + 1, sizeof *t->ptr);
  t->col = allocate (a->ptr[a->n], sizeof *t->col);
  t->val = allocate (a->ptr[a->n], sizeof *t->val);
  t->diag = allocate (a->n, sizeof *t->diag);
  t->ptr[0] = 0;
  for (i = 0; i < a->n; i++)
    {
      int row = t->row[i];
      int from = triangle == LOWER ? a->ptr[row] : diag[row] + 1;
      int to = triangle == LOWER ? diag[row] : a->ptr[row + 1];

      for (k = from; k < to; k++)
	{
	  t->col[n_entries] = a->col[k];
	  t->val[n_entries] = val[k];
	  n_entries++;
	}
      t->ptr[i + 1] = n_entries;
      t->diag[i] = val[diag[row]];
    }
}

void
ilu_factor (const struct csr *a, struct ilu *m)
{
  double *val = allocate (a->ptr[a->n], sizeof *val);
  int *diag = allocate (a->n, sizeof *diag);

  copy (a->ptr[a->n], a->val, val);
  factor_rows (a, val, diag);
  m->n = a->n;
  m->middle = allocate (a->n, sizeof *m->middle);
  store_triangle (a, val, diag, LOWER, &m->lower);
  store_triangle (a, val, diag, UPPER, &m->upper);
}

void
ilu_apply (const struct ilu *m, const double *r, double *z)
{
  const struct levels *t = &m->lower;
  int l;

  for (l = 0; l < t->n_levels; l++)
    solve_lower_rows (t->start[l + 1] - t->start[l], t->row + t->start[l], t->ptr + t->start[l], t->col, t->val, r,
		      m->middle);
  t = &m->upper;
  for (l = 0; l < t->n_levels; l++)
    solve_upper_rows (t->start[l + 1] - t->start[l], t->row + t->start[l], t->ptr + t->start[l], t->col, t->val,
		      t->diag + t->start[l], m->middle, z);
}
