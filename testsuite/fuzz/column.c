/* SPDX-License-Identifier: MIT
   Loop program generator: loops that go along rows, with loops in them that go down columns.

       for (j = 0; j < n; j++)			what is carried from one inner loop to the next, or to what stands
	 {					between them, is left to chance, and so is what they store
	   sum = x[j];
	   for (k = 0; k < m; k++)
	     sum += a[k][j] * t;
	   for (k = 0; k < m; k++)
	     c[k][j] -= sum * b[k][p];
	   y[j] = sum;				or several values side by side
	 }

   The compiler may cut such a loop, and interchange it with those in it.  Each value stays below FZ_FP_TOP by being
   scaled behind each sum.  */

#include "generate.h"

enum
{
  ROWS = 19,
  COLUMNS = 310,
  MAX_PARTS = 3,
  MAX_SUMS = 3, /* that one inner loop adds up */
  MAX_MEMBERS = 4
};

/* A kernel in the making.  */
struct columns
{
  struct fz_kernel *k;
  bool is_float;
  const char *type;              /* of the elements */
  const char *own;               /* of the scalars */
  const char *a, *b, *c, *x, *y; /* arrays: matrices are read but for C, which is changed, and so is Y */
  const char *m, *width;         /* rows, and from one to the next */
  const char *row;               /* one that is the same in all iterations */
  const char *names[MAX_PARTS * MAX_SUMS + 1];
  int n_names;
};

static const char *
read_array (const struct columns *s, int len)
{
  struct fz_kernel *k = s->k;
  return fz_with_room (s->is_float ? fz_const_array (k) : fz_typed_array (k, fz_program.palette[1]), len);
}

static const char *
written_array (const struct columns *s, int len)
{
  return fz_with_room (fz_typed_array (s->k, fz_program.palette[s->is_float ? 0 : 1]), len);
}

/* An element of MATRIX.  */
static const char *
element (const struct columns *s, const char *matrix, const char *row, const char *column)
{
  return fz_text ("%s%s[%s * %s + %s]", s->is_float ? "" : "(unsigned long) ", matrix, row, s->width, column);
}

/* A name that has a value by now.  */
static const char *
some_name (const struct columns *s)
{
  return s->names[fz_pick ((unsigned) s->n_names)];
}

/* What is added up in turn k.  */
static const char *
term (const struct columns *s)
{
  const char *down = element (s, fz_chance (80) ? s->a : s->c, "k", "j");
  switch (fz_pick (5))
    {
    case 0:
      return down;
    case 1:
      return fz_text ("%s * %s", down, some_name (s));
    case 2:
      return fz_text ("%s * %s", down, element (s, s->b, "k", s->row));
    case 3:
      return fz_text ("(%s - %s) * %s", down, some_name (s), element (s, s->b, "k", "j"));
    default:
      return fz_text ("%s * %s", down, element (s, s->b, "k", "j"));
    }
}

/* Open an inner loop.  */
static void
open_inner (const struct columns *s)
{
  const char *bound = fz_chance (75) ? s->m : fz_text ("%d", fz_range (1, ROWS));

  if (fz_chance (15))
    fz_line (s->k, "if (%s > %d)", s->m, fz_range (0, 4));
  fz_line (s->k, "for (int k = %d; k < %s; k%s)", fz_chance (20), bound, fz_chance (85) ? "++" : " += 2");
  fz_line (s->k, "  {");
}

/* What adds up SUM in turn k.  */
static void
add_term (const struct columns *s, const char *sum)
{
  struct fz_kernel *k = s->k;

  fz_line (k, "    %s %s %s;", sum, fz_chance (80) ? "+=" : "-=", term (s));
  if (!s->is_float && fz_chance (30))
    fz_line (k, "    %s *= 31;", sum);
  if (fz_chance (15))
    fz_line (k, "    if (%s > %d)\n      %s += %s;", element (s, s->a, "k", "j"), fz_range (0, 9), sum,
	     fz_chance (50) ? "1" : term (s));
}

/* A loop that adds up, and what is behind it.  */
static void
add_up (struct columns *s)
{
  struct fz_kernel *k = s->k;
  int n_sums = fz_chance (65) ? 1 : fz_range (2, MAX_SUMS);
  const char *sums[MAX_SUMS];

  for (int i = 0; i < n_sums; i++)
    {
      sums[i] = fz_fresh (k, "s");
      fz_line (k, "%s %s = %s;", s->own, sums[i], fz_chance (40) ? "0" : some_name (s));
    }
  open_inner (s);
  for (int i = 0; i < n_sums; i++)
    add_term (s, sums[i]);
  fz_line (k, "  }");
  for (int i = 0; i < n_sums; i++)
    {
      if (s->is_float)
	fz_line (k, "%s *= 0x1p-26f;", sums[i]);
      if (fz_chance (30))
	fz_line (k, "%s = %s %s %s;", sums[i], sums[i], s->is_float ? "* 0.25f +" : "^", some_name (s));
      s->names[s->n_names++] = sums[i];
    }
}

/* A loop that changes a column.  */
static void
change (const struct columns *s)
{
  struct fz_kernel *k = s->k;
  const char *to = fz_text ("%s[k * %s + j]", s->c, s->width), *scale = s->is_float ? " * 0x1p-12f" : "";

  open_inner (s);
  if (fz_chance (70))
    fz_line (k, "    %s = (%s) (%s%s %c %s * %s%s);", to, s->type, element (s, s->c, "k", "j"),
	     s->is_float ? " * 0.25f" : "", "+-"[fz_pick (2)], element (s, s->b, "k", s->row), some_name (s), scale);
  else
    fz_line (k, "    %s = (%s) (%s);", to, s->type, some_name (s));
  fz_line (k, "  }");
}

/* Store several values side by side, products added to others most of them.  */
static void
store_members (const struct columns *s)
{
  int n = fz_range (2, MAX_MEMBERS);

  for (int i = 0; i < n; i++)
    {
      const char *at = fz_text ("[%d * j + %d]", n, i);
      const char *factor = fz_chance (60) ? fz_text ("%s%s", s->x, at) : some_name (s);
      const char *value = fz_chance (75) ? fz_text ("%s * %s", factor, some_name (s)) : factor;
      fz_line (s->k, "%s%s = (%s) ((%s %c %s) * 0x1p-26f);", s->y, at, s->type, value, "+-"[fz_pick (2)],
	       fz_chance (50) ? some_name (s) : fz_text ("%s[j]", s->x));
    }
}

/* What one iteration does.  */
static void
print_body (struct columns *s)
{
  struct fz_kernel *k = s->k;
  const char *first = fz_fresh (k, "t"), *value = s->is_float ? "* 0.5f" : "+ 7";
  int n_parts = fz_range (1, MAX_PARTS);

  fz_line (k, "%s %s = %s%s[j] %s;", s->own, first, s->is_float ? "" : "(unsigned long) ", s->x, value);
  s->names[s->n_names++] = first;
  for (int i = 0; i < n_parts; i++)
    if (fz_chance (70))
      add_up (s);
    else
      change (s);
  if (fz_chance (50))
    fz_line (k, "%s[%s * %s + j] = (%s) (%s);", s->c, s->row, s->width, s->type, some_name (s));
  if (s->is_float && fz_chance (35))
    store_members (s);
  else
    fz_line (k, "%s[j] = (%s) (%s);", s->y, s->type, some_name (s));
}

void
fz_columns (struct fz_kernel *k)
{
  struct columns s = { .k = k, .is_float = fz_chance (70) };
  const char *n = fz_scalar (k, "n", "int", -1, COLUMNS);

  s.type = fz_type_name[fz_program.palette[s.is_float ? 0 : 1]];
  s.own = s.is_float ? fz_chance (80) ? s.type : "double" : "unsigned long";
  s.m = fz_scalar (k, "m", "int", 0, ROWS);
  s.width = fz_chance (60) ? fz_text ("%d", COLUMNS) : fz_scalar (k, "w", "long", COLUMNS, COLUMNS);
  s.a = read_array (&s, ROWS * COLUMNS);
  s.b = read_array (&s, ROWS * COLUMNS);
  s.x = read_array (&s, ROWS * COLUMNS);
  s.c = written_array (&s, ROWS * COLUMNS);
  s.y = written_array (&s, ROWS * COLUMNS);
  s.row = fz_chance (40) ? "p" : "2";
  if (*s.row == 'p')
    {
      fz_line (k, "for (int p = 0; p < %d; p++)", fz_range (1, 3));
      k->indent++;
    }
  if (fz_chance (20))
    fz_line (k, "for (int j = %s - 1; j >= 0; j--)", n);
  else
    fz_line (k, "for (int j = %d; j < %s; j += %d)", fz_chance (20), n, fz_chance (80) ? 1 : fz_range (2, 3));
  fz_line (k, "  {");
  k->indent += 2;
  print_body (&s);
  k->indent -= 2;
  fz_line (k, "  }");
  if (*s.row == 'p')
    k->indent--;
}
