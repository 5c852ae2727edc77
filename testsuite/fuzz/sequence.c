/* SPDX-License-Identifier: MIT
   Loop program generator: loops in turn over small arrays of file scope, most of a constant count.

       for (i = 0; i < 1003; i++)
	 a[i] = b[i] * c[i] - d[i];
       e[1002] = 0.3;
       for (i = 0; i < 1003; i++)
	 d[i] = b[i] * c[i] + e[i];

   The iterations that vectors leave over stand in straight-line code, where they meet those of other loops and what is
   between: a product is made once for two of them, or by the compiler, where it knows what was stored.  None of this
   may be different where a guard stands between them.  Elements begin within -1 .. 1, and there are few loops, so that
   all stay finite.  */

#include "generate.h"

enum
{
  N_ARRAYS = 5,
  N_ROWS = 12,
  MAX_LOOPS = 4
};

/* A function in the making: N_ARRAYS vectors of LEN elements, a matrix of N_ROWS such, and what is passed.  */
struct sequence
{
  struct fz_kernel *k;
  const char *type;
  const char *arrays[N_ARRAYS + 1], *matrix; /* the last array is behind a pointer */
  const char *n;
  int len;
};

/* Declare the arrays of S, and a function that fills them.  */
static void
declare (struct sequence *s)
{
  struct fz_kernel *k = s->k;
  FILE *out = k->functions;

  for (int a = 0; a < N_ARRAYS; a++)
    {
      s->arrays[a] = fz_text ("k%d_%c", k->number, 'a' + a);
      fprintf (out, "\nstatic %s %s[%d];", s->type, s->arrays[a], s->len);
    }
  s->matrix = fz_text ("k%d_m", k->number);
  fprintf (out, "\nstatic %s %s[%d][%d];\n", s->type, s->matrix, N_ROWS, s->len);
  fprintf (out, "\nstatic __attribute__ ((noinline)) void\nfill_k%d (void)\n{\n", k->number);
  for (int a = 0; a < N_ARRAYS; a++)
    fprintf (out, "  for (int x = 0; x < %d; x++)\n    %s[x] = (x * %d %% 251 - 125) / (%s) 131;\n", s->len,
	     s->arrays[a], 7 + 2 * (int) fz_pick (40), s->type);
  fprintf (out, "  for (int x = 0; x < %d; x++)\n    %s[x / %d][x %% %d] = (x * 29 %% 241 - 120) / (%s) 127;\n}\n",
	   N_ROWS * s->len, s->matrix, s->len, s->len, s->type);
  fprintf (k->before, "  fill_k%d ();\n", k->number);
  for (int a = 0; a < N_ARRAYS; a++)
    fprintf (k->after, "  mix (%s, sizeof %s);\n", s->arrays[a], s->arrays[a]);
  fprintf (k->after, "  mix (%s, sizeof %s);\n", s->matrix, s->matrix);
}

/* Let a pointer be S's last array, of which the compiler knows little: the one before, or the matrix's second row.  */
static void
hide (struct sequence *s)
{
  const char *name = fz_fresh (s->k, "p");
  const char *array = fz_chance (80) ? s->arrays[N_ARRAYS - 1] : fz_text ("%s[1]", s->matrix);

  fprintf (s->k->before, "  %s *%s = %s;\n  __asm__ (\"\" : \"+r\" (%s));\n", s->type, name, array, name);
  s->arrays[N_ARRAYS] = name;
}

static const char *
constant (void)
{
  static const char *const some[] = { "0.1", "0.3", "0.7f", "-0.9", "1.0", "0.0", "0.5" };
  return some[fz_pick (sizeof some / sizeof *some)];
}

static const char *
some_array (const struct sequence *s)
{
  return s->arrays[fz_pick (N_ARRAYS + 1)];
}

/* What is multiplied in turn I.  */
static const char *
factor (const struct sequence *s, const char *i)
{
  switch (fz_pick (12))
    {
    case 0:
      return constant ();
    case 1:
      return fz_text ("(%s * (%s) 0.001)", i, s->type);
    case 2:
      return fz_text ("%s[%d]", some_array (s), fz_range (0, s->len - 1));
    case 3:
      return fz_text ("(%s - %s[%s])", constant (), some_array (s), i);
    default:
      return fz_text ("%s[%s]", some_array (s), i);
    }
}

static const char *
product (const struct sequence *s, const char *i)
{
  const char *text = fz_text ("%s * %s", factor (s, i), factor (s, i));
  return fz_chance (92) ? text : fz_text ("__builtin_assoc_barrier (%s)", text);
}

/* What turn I stores.  */
static const char *
value (const struct sequence *s, const char *i)
{
  const char *sign = fz_chance (50) ? "+" : "-";

  switch (fz_pick (12))
    {
    case 0:
      return constant ();
    case 1:
    case 2:
      return product (s, i);
    case 3:
    case 4:
      return fz_text ("%s - %s", factor (s, i), product (s, i));
    case 5:
      return fz_text ("%s %s %s", product (s, i), sign, product (s, i));
    case 6:
      return fz_text ("%s[%s] > %s ? %s : %s %s %s", some_array (s), i, constant (), product (s, i), product (s, i),
		      sign, factor (s, i));
    case 7:
      return fz_text ("%s - (%s[%s] < %s ? %s : %s)", factor (s, i), some_array (s), i, constant (), product (s, i),
		      factor (s, i));
    default:
      return fz_text ("%s %s %s", product (s, i), sign, factor (s, i));
    }
}

/* A loop over rows of the matrix.  */
static void
add_rows (const struct sequence *s)
{
  const char *at = fz_text ("%s[j][i]", s->matrix), *other = fz_chance (50) ? at : factor (s, "i");

  fz_line (s->k, "for (int j = 0; j < %d; j++)", fz_chance (70) ? N_ROWS : fz_range (2, N_ROWS));
  fz_line (s->k, "  for (int i = 0; i < %s; i++)", fz_chance (60) ? fz_text ("%d", s->len) : s->n);
  fz_line (s->k, "    %s = %s * %s %s %s;", at, other, factor (s, "i"), fz_chance (50) ? "+" : "-",
	   fz_chance (50) ? at : factor (s, "i"));
}

/* A loop along the vectors.  */
static void
add_along (const struct sequence *s)
{
  int first = fz_chance (75) ? 0 : fz_range (1, 2), last = fz_chance (70) ? s->len : s->len - fz_range (1, 3);
  const char *bound = fz_chance (75) ? fz_text ("%d", last) : s->n;
  const char *to = fz_text ("%s[i]", some_array (s));

  if (fz_chance (10))
    fz_line (s->k, "if (%s > 3)", s->n);
  if (fz_chance (12))
    fz_line (s->k, "for (int i = %d; i >= %d; i--)", last - 1, first);
  else
    fz_line (s->k, "for (int i = %d; i < %s; i%s)", first, bound, fz_chance (90) ? "++" : " += 2");
  if (fz_chance (12))
    fz_line (s->k, "  fp_out += %s;", value (s, "i"));
  else if (first && fz_chance (20))
    fz_line (s->k, "  %s = %s[i - 1] * 0.4 + %s;", to, some_array (s), product (s, "i"));
  else
    fz_line (s->k, "  %s = %s;", to, value (s, "i"));
}

/* What stands between loops.  */
static void
add_between (const struct sequence *s)
{
  const char *at = fz_text ("%d", s->len - fz_range (1, s->len < 4 ? s->len : 4)), *t = fz_fresh (s->k, "t");

  switch (fz_pick (4))
    {
    case 0:
      fz_line (s->k, "%s[%s] = %s;", some_array (s), at, constant ());
      break;
    case 1:
      fz_line (s->k, "%s %s = %s;", s->type, t, product (s, at));
      fz_line (s->k, "%s[%d] = %s;", some_array (s), fz_range (0, s->len - 1), t);
      fz_line (s->k, "fp_out += %s - %s[%s];", t, some_array (s), at);
      break;
    case 2:
      fz_line (s->k, "if (%s > %d)", s->n, fz_range (0, 9));
      fz_line (s->k, "  %s[%s] = %s;", some_array (s), at, value (s, at));
      break;
    default:
      fz_line (s->k, "%s[%s] = %s;", some_array (s), at, value (s, at));
    }
}

void
fz_sequence (struct fz_kernel *k)
{
  struct sequence s = { .k = k, .type = fz_type_name[fz_chance (75) ? FZ_F64 : FZ_F32] };
  int n_loops = fz_range (2, MAX_LOOPS);

  s.len = fz_chance (70) ? fz_range (500, 530) : fz_chance (50) ? fz_range (17, 64) : fz_range (2, 16);
  s.n = fz_scalar (k, "n", "int", -1, s.len);
  declare (&s);
  hide (&s);
  for (int l = 0; l < n_loops; l++)
    {
      if (fz_chance (30))
	add_between (&s);
      if (fz_chance (20))
	add_rows (&s);
      else
	add_along (&s);
    }
  if (fz_chance (30))
    add_between (&s);
}
