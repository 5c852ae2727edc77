/* SPDX-License-Identifier: MIT
   Loop program generator: loops that keep sums, minima and maxima at places in memory.

       *c = 3;					perhaps
       for (k = 0; k < n; k++)
	 for (j = 0; j < m; j++)		or one loop
	   {
	     *c += x[k][j];			an operation; perhaps under a condition; perhaps c lies in x
	     if (x[k][j] > *d)			or less, or not less, or the other way round
	       *d = x[k][j];
	     y[k][j] = x[k][j] * 3;
	   }
       last = *c;				perhaps

   Now and then, a place is used otherwise, too: read by another statement, set, compared with what it was before; or
   the program has what is there in a variable of its own.  */

#include "generate.h"

enum
{
  ROWS = 40,
  WIDTH = 33,
  ROOM = ROWS * WIDTH,
  MOST_PLACES = 8, /* in an array */
  MOST_STATEMENTS = 3
};

/* A kernel in the making.  */
struct places
{
  struct fz_kernel *k;
  bool is_float;
  const char *type;              /* of elements */
  const char *x, *y;             /* arrays */
  const char *at;                /* what an iteration goes to */
  const char *places;            /* an array, or NULL: each in another one */
  const char *latest;            /* array */
  const char *kept, *kept_place; /* a variable that has what is at the place; or NULL */
};

/* An array, if possible another one than those that there are.  */
static const char *
any_array (struct places *p, int room)
{
  const char *name = NULL;
  for (int i = 0; i < 9 && (name == NULL || name == p->x || name == p->y || name == p->latest); i++)
    name = fz_with_room (fz_typed_array (p->k, fz_program.palette[p->is_float ? 0 : 1]), room);
  p->latest = name;
  return name;
}

static const char *
any_place (struct places *p)
{
  return fz_text ("%s[%s]", p->places ? p->places : any_array (p, MOST_PLACES),
		  fz_chance (70) ? fz_text ("%d", fz_range (0, 2))
				 : fz_scalar (p->k, fz_fresh (p->k, "at"), "int", 0, MOST_PLACES - 1));
}

/* A number that an iteration makes.  */
static const char *
number (const struct places *p)
{
  const char *element = fz_text ("%s[%s]", p->x, p->at);
  if (fz_chance (60))
    return element;
  if (p->is_float)
    return fz_text ("(%s * 0.5f)", element);
  return fz_text ("(%s) ((unsigned long) %s * 3 + 1)", p->type, element);
}

/* Print a statement that combines PLACE with a number.  */
static void
combine (const struct places *p, const char *place)
{
  static const char *const operations[] = { "+", "+", "-", "*", "^", "|", "&" };
  const char *operation = operations[fz_pick (7)], *value = number (p);
  if (fz_chance (70))
    fz_line (p->k, "%s = (%s) ((unsigned long) %s %s (unsigned long) %s);", place, p->type, place, operation, value);
  else
    fz_line (p->k, "%s %s= %s;", place,
	     operation[0] == '+' || operation[0] == '-' || operation[0] == '*' ? "^" : operation, value);
}

/* Print a statement that replaces PLACE by a number if that is larger, or the like.  */
static void
compare (const struct places *p, const char *place)
{
  static const char *const tests[] = { ">", "<", ">", "<", ">=", "<=" };
  const char *test = tests[fz_pick (6)], *value = fz_fresh (p->k, "v");
  fz_line (p->k, "%s %s = %s;", p->type, value, number (p));
  if (fz_chance (75))
    fz_line (p->k, "if (%s %s %s)", value, test, place);
  else
    fz_line (p->k, "if (!(%s %s %s))", place, test, value);
  if (fz_chance (92))
    fz_line (p->k, "  %s = %s;", place, value);
  else
    fz_line (p->k, "  { %s = %s; %s[%s] = %s; }", place, value, p->y, p->at, value);
}

/* Print a statement that uses PLACE in a way that leaves the loop alone.  */
static void
use (const struct places *p, const char *place)
{
  const char *was = fz_fresh (p->k, "was");
  switch (fz_pick (5))
    {
    case 4:
      fz_line (p->k, "%s %s = %s;", p->type, was, place);
      fz_line (p->k, "%s[%s & 7] = %s;", p->y, p->at, number (p));
      fz_line (p->k, "if (%s[%s] > %s) %s = %s[%s];", p->x, p->at, was, place, p->x, p->at);
      break;
    case 0:
      fz_line (p->k, "%s[%s] = %s;", p->y, p->at, place);
      break;
    case 1:
      fz_line (p->k, "%s = 5;", place);
      break;
    case 2:
      fz_line (p->k, "%s %s = %s;", p->type, was, place);
      fz_line (p->k, "if (%s[%s] > %s) %s = %s[%s];", p->x, p->at, was, place, p->x, p->at);
      fz_line (p->k, "if (%s[%s] > %s) %s = %s[%s];", p->y, p->at, was, place, p->y, p->at);
      break;
    default:
      fz_line (p->k, "if (%s < 100) %s = %s;", place, place, number (p));
    }
}

/* Print a statement for what is also kept in a variable.  */
static void
keep (const struct places *p)
{
  if (p->is_float || fz_chance (50))
    compare (p, p->kept);
  else
    combine (p, p->kept);
  fz_line (p->k, "%s = %s;", p->kept_place, p->kept);
}

/* Print what an iteration does.  */
static void
print_iteration (struct places *p)
{
  int n = fz_chance (50) ? 1 : fz_range (2, MOST_STATEMENTS);
  if (p->kept)
    {
      fz_line (p->k, "{");
      keep (p);
      fz_line (p->k, "}");
      n = fz_chance (70) ? 0 : 1;
    }
  for (int s = 0; s < n; s++)
    {
      const char *place = any_place (p);
      bool is_guarded = fz_chance (20);
      if (is_guarded)
	fz_line (p->k, "if (%s[%s] > 1)", p->y, p->at);
      fz_line (p->k, "{");
      if (fz_chance (6))
	use (p, place);
      else if (p->is_float || fz_chance (50))
	compare (p, place);
      else
	combine (p, place);
      fz_line (p->k, "}");
    }
  if (fz_chance (40))
    fz_line (p->k, p->is_float ? "%s[%s] = %s[%s] * 0.5f;" : "%s[%s] = (unsigned char) %s[%s];", p->y, p->at, p->x,
	     p->at);
}

void
fz_places (struct fz_kernel *k)
{
  struct places p = { .k = k, .is_float = fz_chance (40) };
  const char *n = fz_scalar (k, "n", "int", -1, ROWS), *m = NULL;
  bool is_nest = fz_chance (50);

  p.type = fz_type_name[fz_program.palette[p.is_float ? 0 : 1]];
  p.x = any_array (&p, ROOM);
  p.y = fz_chance (80) ? any_array (&p, ROOM) : p.x;
  p.places = fz_chance (60) ? NULL : fz_chance (60) ? any_array (&p, MOST_PLACES) : p.x;
  p.at = is_nest ? fz_text ("k * %d + j", WIDTH) : fz_chance (80) ? "k" : fz_text ("k * %d", WIDTH);
  if (is_nest)
    m = fz_chance (50) ? fz_text ("%d", fz_range (1, WIDTH)) : fz_scalar (k, "m", "int", -1, WIDTH);
  if (fz_chance (30))
    fz_line (k, "%s = %d;", any_place (&p), fz_range (0, 9));
  if (fz_chance (25))
    {
      p.kept_place = any_place (&p);
      p.kept = fz_fresh (k, "kept");
      fz_line (k, "%s %s = %s;", p.type, p.kept, p.kept_place);
    }
  fz_line (k, "for (int k = 0; k < %s; k++)", n);
  if (is_nest)
    fz_line (k, "  for (int j = %d; j < %s; j++)", fz_chance (85) ? 0 : 1, fz_chance (85) ? m : "k");
  fz_line (k, "  {");
  k->indent += 4;
  print_iteration (&p);
  k->indent -= 4;
  fz_line (k, "  }");
  if (fz_chance (30))
    fz_line (k, "%s = %s;", any_place (&p), p.kept ? p.kept : any_place (&p));
}
