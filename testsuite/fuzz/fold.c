/* SPDX-License-Identifier: MIT
   Loop program generator: loops whose iterations are alike, in steps that grow, which no form describes.

       for (k = 0; k < n; k++)
	 {
	   for (i = 0; i < m; i++)		a row, or a column, of x; perhaps not all of it, or not each time
	     t[i] = x[k][i];
	   for (s = 1; s < m; s *= 2)		in the array, or in the row itself, or to and fro
	     for (i = 0; i + s < m; i += 2 * s)
	       t[i] += t[i + s];
	   for (i = 0; i < m; i++)
	     y[k][i] = t[i];			perhaps x, perhaps so close that iterations meet
	 }

   Now and then they are not alike: a condition, a bound or a place depends on data, or on the iteration.  */

#include "generate.h"

enum
{
  ROWS = 40,
  WIDTH = 33,
  FOLDED = 64, /* elements of an array: all that the bits of two numbers below WIDTH may say */
  ROOM = FOLDED * WIDTH + ROWS
};

/* A kernel in the making.  */
struct fold
{
  struct fz_kernel *k;
  bool is_float;
  const char *type;             /* of elements */
  const char *work, *x, *y;     /* arrays */
  const char *m, *row, *column; /* lengths: of a row, and from one to the next, and from one element to the next */
  const char *turn;             /* the number of the row */
};

/* An expression of COUNTER or of what is left to chance.  */
static const char *
place (const struct fold *f, const char *array, const char *at)
{
  return array == f->work ? fz_text ("%s[%s]", array, at)
			  : fz_text ("%s[%s * %s + (%s) * %s]", array, f->turn, f->row, at, f->column);
}

static const char *
counter_type (void)
{
  static const char *const types[] = { "int", "int", "int", "unsigned", "long", "short" };
  return types[fz_pick (6)];
}

/* Print `for (i = FIRST; i < END; i++) TO[i] = FROM[i]'.  */
static void
copy (const struct fold *f, const char *from, const char *to, int first, const char *end)
{
  const char *a = place (f, from, "i"), *b = place (f, to, "i");

  fz_line (f->k, "for (%s i = %d; (int) i < %s; i++)", counter_type (), first, end);
  if (fz_chance (6))
    fz_line (f->k, "  if (%s > 3)", place (f, f->x, "i"));
  fz_line (f->k, f->is_float ? "  %s = %s * 0.5f;" : "  %s = %s;", b, a);
}

/* Print loops that fold what is in FROM to TO.  */
static void
fold (const struct fold *f, const char *from, const char *to)
{
  static const char *const nexts[] = { "s *= 2", "s *= 3", "s += s + 1", "s <<= 1", "s += 3" };
  struct fz_kernel *k = f->k;
  const char *end = fz_chance (92) ? f->m : fz_text ("%s - %s", f->m, f->turn);

  fz_line (k, "for (%s s = 1; (int) s < %s; %s)", counter_type (), end, nexts[fz_pick (5)]);
  fz_line (k, "  for (%s i = %d; (int) (i + s) < %s; i += %s)", counter_type (), fz_chance (85) ? 0 : 1, end,
	   fz_chance (60)   ? "2 * s"
	   : fz_chance (50) ? "s"
			    : "1");
  if (fz_chance (8))
    fz_line (k, "    if (i & %d)", fz_range (1, 3));
  if (f->is_float)
    fz_line (k, "    %s = %s * 0.5f - %s * 0.25f;", place (f, to, "i"), place (f, from, "i"),
	     place (f, from, fz_chance (92) ? "i + s" : "i ^ s"));
  else
    fz_line (k, "    %s = (%s) ((unsigned long) %s * 3 + (unsigned long) %s);", place (f, to, "i"), f->type,
	     place (f, from, "i"), place (f, from, "i + s"));
}

/* Print what an iteration does.  */
static void
print_row (const struct fold *f)
{
  bool goes_back = fz_chance (60);

  copy (f, f->x, f->work, fz_chance (92) ? 0 : 1, fz_chance (92) ? f->m : fz_text ("%s - 1", f->m));
  fold (f, f->work, fz_chance (60) ? f->work : f->y);
  if (fz_chance (50))
    fold (f, fz_chance (50) ? f->work : f->y, fz_chance (50) ? f->work : f->y);
  if (fz_chance (15))
    fz_statement (f->k);
  if (goes_back)
    copy (f, f->work, f->y, 0, f->m);
}

void
fz_folds (struct fz_kernel *k)
{
  struct fold f = { .k = k, .is_float = fz_chance (50), .turn = "k" };
  const char *n = fz_scalar (k, "n", "int", -1, ROWS),
	     *width = fz_scalar (k, "width", "int", fz_chance (60) ? WIDTH : 0, WIDTH);
  bool by_rows = fz_chance (60);
  struct fz_scope outer;

  f.type = fz_type_name[fz_program.palette[f.is_float ? 0 : 1]];
  f.x = fz_with_room (fz_typed_array (k, fz_program.palette[f.is_float ? 0 : 1]), ROOM);
  f.y = fz_chance (60) ? f.x : fz_with_room (fz_typed_array (k, fz_program.palette[f.is_float ? 0 : 1]), ROOM);
  f.m = fz_chance (50) ? fz_text ("%d", fz_range (2, WIDTH)) : fz_scalar (k, "m", "int", -1, WIDTH);
  f.row = by_rows ? width : "1";
  f.column = by_rows ? "1" : width;
  if (fz_chance (15))
    f.turn = fz_text ("(%s - 1 - k)", n);
  if (fz_chance (60))
    {
      f.work = fz_fresh (k, "t");
      fprintf (k->own, "  static %s %s[%d];\n", f.type, f.work, FOLDED);
      fprintf (k->after, "  mix (%s, sizeof %s);\n", f.work, f.work);
    }
  else
    f.work = fz_with_room (fz_typed_array (k, fz_program.palette[f.is_float ? 0 : 1]), FOLDED);
  fz_line (k, "for (int k = 0; k < %s; k++)", n);
  fz_line (k, "  {");
  k->indent += 4;
  outer = fz_enter (k, (struct fz_iv) { "k", 0, ROWS - 1, NULL, 0 });
  print_row (&f);
  fz_leave (k, outer);
  k->indent -= 4;
  fz_line (k, "  }");
}
