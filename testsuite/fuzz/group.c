/* SPDX-License-Identifier: MIT
   Loop program generator: loops that store several values side by side in each iteration, sums of products most of
   them.

       for (i = 0; i < n; i++)			the compiler may have one vector of an iteration's values, or of
	 {					several iterations', and another way for what is left over
	   c[2 * i] = (a[i] * b[i] + x) * s;
	   c[2 * i + 1] = (a[i] * b[i + 1] - c[2 * i + 1] * 0.7) * s;
	 }

   Each value stays below FZ_FP_TOP by being scaled.  */

#include "generate.h"

enum
{
  ITERATIONS = 700,
  MAX_MEMBERS = 4
};

/* A kernel in the making.  */
struct group
{
  struct fz_kernel *k;
  const char *type;  /* of the elements */
  const char *own;   /* of the scalars */
  const char *a, *b; /* arrays that are read */
  const char *c;     /* one that is changed */
  const char *t, *u; /* scalars, of the iteration and of all */
  int n_members;
  bool is_alike; /* values are made by the same operations */
};

/* A value that the loop loads, or a scalar.  */
static const char *
factor (const struct group *s)
{
  switch (fz_pick (6))
    {
    case 0:
      return s->t;
    case 1:
      return s->u;
    case 2:
      return fz_text ("%s[%d * i + %d]", s->c, s->n_members, fz_range (0, s->n_members - 1));
    case 3:
      return fz_text ("%s[i + %d]", s->b, fz_range (0, 2));
    default:
      return fz_text ("%s[i]", fz_chance (60) ? s->a : s->b);
    }
}

static const char *
term (const struct group *s)
{
  const char *first = factor (s);
  if (fz_chance (25))
    return first;
  if (fz_chance (30))
    return fz_text ("%s * 0.%df", first, fz_range (1, 9));
  return fz_text (fz_chance (85) ? "%s * %s" : "-(%s * %s)", first, factor (s));
}

/* What is stored.  */
static const char *
value (const struct group *s)
{
  if (s->is_alike)
    return fz_text ("(%s) ((%s + %s * %s) * 0x1p-12f)", s->type, factor (s), fz_chance (50) ? s->t : s->u, factor (s));
  const char *sum = fz_text ("%s %c %s", term (s), "+-"[fz_pick (2)], term (s));
  if (fz_chance (40))
    sum = fz_text ("%s %c %s", sum, "+-"[fz_pick (2)], term (s));
  return fz_text ("(%s) ((%s) * 0x1p-26f)", s->type, sum);
}

void
fz_group (struct fz_kernel *k)
{
  struct group s = { .k = k, .n_members = fz_range (1, MAX_MEMBERS), .is_alike = fz_chance (40) };
  const char *n = fz_chance (60) ? fz_scalar (k, "n", "int", -1, ITERATIONS) : fz_text ("%d", fz_range (1, ITERATIONS));
  enum fz_type type = fz_program.palette[0];

  s.type = fz_type_name[type];
  s.own = fz_chance (85) ? s.type : "double";
  s.a = fz_with_room (fz_const_array (k), ITERATIONS + 2);
  s.b = fz_with_room (fz_chance (50) ? fz_const_array (k) : fz_typed_array (k, type), ITERATIONS + 2);
  s.c = fz_with_room (fz_typed_array (k, type), MAX_MEMBERS * ITERATIONS);
  s.t = fz_fresh (k, "t");
  s.u = fz_fresh (k, "u");
  fz_line (k, "%s %s = %s[0] * 0.3f;", s.own, s.u, s.a);
  fz_line (k, "for (int i = 0; i < %s; i++)", n);
  fz_line (k, "  {");
  k->indent += 2;
  fz_line (k, "%s %s = %s[i] * 0.7f;", s.own, s.t, s.b);
  for (int i = 0; i < s.n_members; i++)
    {
      if (fz_chance (12))
	fz_line (k, "if (%s[i] > %d)", s.a, fz_range (0, 9));
      fz_line (k, "  %s[%d * i + %d] = %s;", s.c, s.n_members, i, value (&s));
    }
  k->indent -= 2;
  fz_line (k, "  }");
}
