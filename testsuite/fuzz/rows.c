/* SPDX-License-Identifier: MIT
   Loop program generator: nests that add up the numbers of each row, and add what comes out to the same places.

       for (k = 0; k < n; k++)
	 {
	   s = 0;				one or more sums, in a variable or in memory
	   for (j = 0; j < m; j++)		or the other way round; up to k; under a condition
	     s += x[k][j] * z[j];
	   t[k] = s;
	   for (j = 0; j < m; j++)		the same loop, another one, no loop at all, or none of this
	     y[j] += x[k][j] * s;		perhaps y is x, z or t, or so close that they meet
	 }  */

#include "generate.h"

enum
{
  ROWS = 40,
  WIDTH = 33,
  ROOM = ROWS * WIDTH + ROWS,
  MOST_SUMS = 3
};

/* A kernel in the making.  */
struct rows
{
  struct fz_kernel *k;
  bool is_float;
  const char *type; /* of elements */
  const char *x, *y, *z, *t;
  const char *m, *row;
  int n_sums;
  const char *sums[MOST_SUMS]; /* variables, or elements of T */
};

/* An array, if possible another one than those that there are.  */
static const char *
any_array (struct rows *r)
{
  const char *name = NULL;
  for (int i = 0; i < 9 && (name == NULL || name == r->x || name == r->y || name == r->z); i++)
    name = fz_with_room (fz_typed_array (r->k, fz_program.palette[r->is_float ? 0 : 1]), ROOM);
  return name;
}

/* An element of the row for counter J, or what is as good.  */
static const char *
number (const struct rows *r)
{
  switch (fz_pick (5))
    {
    case 0:
      return fz_text ("%s[j]", r->z);
    case 1:
      return r->is_float ? fz_text ("%s[k * %s + j] * 0.5f", r->x, r->row)
			 : fz_text ("%s[k * %s + j] * 3ul", r->x, r->row);
    case 2:
      return r->is_float ? fz_text ("%s[k * %s + j] * 0.001f * %s[j]", r->x, r->row, r->z)
			 : fz_text ("(unsigned long) %s[k * %s + j] * %s[j]", r->x, r->row, r->z);
    default:
      return fz_text ("%s[k * %s + j]", r->x, r->row);
    }
}

/* Print a statement that adds to sum S.  */
static void
add (const struct rows *r, int s)
{
  const char *sum = r->sums[s];
  if (fz_chance (10))
    fz_line (r->k, "if (%s[k * %s + j] > 3)", r->x, r->row);
  if (r->is_float)
    fz_line (r->k, fz_chance (70) ? "%s = %s * 0.25f + %s;" : "%s = %s * 0.5f - (%s) * 0.25f;", sum, sum, number (r));
  else
    fz_line (r->k, "%s = (%s) ((unsigned long) %s * 5 + (unsigned long) (%s));", sum, r->type, sum, number (r));
}

/* Print a statement that adds to place AT of Y.  */
static void
update (const struct rows *r, const char *at)
{
  const char *sum = r->sums[fz_pick ((unsigned) r->n_sums)];
  const char *more = fz_chance (50) ? fz_text ("%s[k * %s + %s]", r->x, r->row, at) : fz_chance (50) ? "k" : "1";
  if (fz_chance (12))
    fz_line (r->k, "if (%s[k * %s] > 1)", r->x, r->row);
  if (r->is_float)
    fz_line (r->k, "%s[%s] = %s[%s] * 0.5f + %s * 0.125f - (%s) * 0.25f;", r->y, at, r->y, at, sum, more);
  else
    fz_line (r->k, "%s[%s] = (%s) ((unsigned long) %s[%s] * 7 + (unsigned long) %s + (unsigned long) (%s));", r->y, at,
	     r->type, r->y, at, sum, more);
}

/* Print the head of an inner loop.  */
static void
head (const struct rows *r)
{
  static const char *const types[] = { "int", "int", "int", "long", "unsigned", "short" };
  const char *end = fz_chance (85) ? r->m : "k", *type = types[fz_pick (6)];
  int first = fz_chance (85) ? 0 : 1;
  if (fz_chance (85))
    fz_line (r->k, "for (%s j = %d; (int) j < %s; j%s)", type, first, end, fz_chance (90) ? "++" : " += 2");
  else
    fz_line (r->k, "for (int j = %s - 1; j >= %d; j--)", end, first);
}

/* Print what an iteration does.  */
static void
print_row (struct rows *r)
{
  struct fz_kernel *k = r->k;
  bool is_one = fz_chance (30), has_update = fz_chance (80);

  r->n_sums = fz_range (1, MOST_SUMS);
  for (int s = 0; s < r->n_sums; s++)
    if (fz_chance (30) && s == 0)
      {
	r->sums[s] = fz_text ("%s[k]", r->t);
	fz_line (k, "%s = %d;", r->sums[s], fz_range (0, 2));
      }
    else
      {
	r->sums[s] = fz_fresh (k, "s");
	fz_line (k, "%s %s = %d;", r->type, r->sums[s], fz_range (0, 2));
      }
  for (int s = 0; s < r->n_sums; s++)
    {
      if (s == 0 || fz_chance (30))
	{
	  if (s > 0)
	    fz_line (k, "}");
	  head (r);
	  fz_line (k, "{");
	}
      add (r, s);
      if (is_one && has_update && s == r->n_sums - 1 && fz_chance (60))
	update (r, "j");
    }
  fz_line (k, "}");
  if (fz_chance (70))
    fz_line (k, "%s[%s] = %s;", r->t, fz_chance (85) ? "k" : "2 * k", r->sums[r->n_sums - 1]);
  if (has_update && !is_one)
    {
      bool is_loop = fz_chance (80);
      if (is_loop)
	head (r);
      fz_line (k, "{");
      update (r, is_loop ? "j" : "0");
      if (fz_chance (20))
	update (r, is_loop ? "j" : "1");
      fz_line (k, "}");
    }
  if (fz_chance (8))
    fz_statement (k);
}

void
fz_rows (struct fz_kernel *k)
{
  struct rows r = { .k = k, .is_float = fz_chance (70) };
  const char *n = fz_scalar (k, "n", "int", -1, ROWS),
	     *width = fz_scalar (k, "width", "int", fz_chance (80) ? WIDTH : 0, WIDTH);
  struct fz_scope outer;

  r.type = fz_type_name[fz_program.palette[r.is_float ? 0 : 1]];
  r.x = any_array (&r);
  r.z = fz_chance (70) ? any_array (&r) : r.x;
  r.y = fz_chance (85) ? any_array (&r) : fz_chance (50) ? r.z : r.x;
  r.t = fz_chance (85) ? any_array (&r) : r.y;
  r.m = fz_chance (50) ? fz_text ("%d", fz_range (1, WIDTH)) : fz_scalar (k, "m", "int", -1, WIDTH);
  r.row = width;
  fz_line (k, "for (int k = 0; k < %s; k++)", n);
  fz_line (k, "  {");
  k->indent += 4;
  outer = fz_enter (k, (struct fz_iv) { "k", 0, ROWS - 1, NULL, 0 });
  print_row (&r);
  fz_leave (k, outer);
  k->indent -= 4;
  fz_line (k, "  }");
}
