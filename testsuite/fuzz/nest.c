/* SPDX-License-Identifier: MIT
   Loop program generator: nests over small matrices and vectors of file scope, two or three loops deep, that sum up
   products.  The compiler interchanges their loops, takes several turns of them together, fuses products with sums,
   and makes addresses in one array from counters in others; none of it may be different where a guard stands between
   two of them.  Elements are small, and a nest has few turns, so that sums stay finite.  */

#include "generate.h"

enum
{
  N_MATRICES = 3,
  N_VECTORS = 3
};

/* A nest being made.  */
struct nest
{
  struct fz_kernel *k;
  const char *matrices[N_MATRICES], *vectors[N_VECTORS];
  int depth; /* 2 or 3 loops */
  int rows;  /* of a matrix, its columns, and elements of a vector */
};

static const char *const ivs[] = { "i", "j", "k" };

/* Declare the arrays of NEST, have them filled before it and mixed into the results behind.  */
static void
declare (struct nest *nest)
{
  struct fz_kernel *k = nest->k;
  const char *type = fz_type_name[fz_program.palette[0]];

  for (int a = 0; a < N_MATRICES + N_VECTORS; a++)
    {
      bool is_matrix = a < N_MATRICES;
      const char *name = fz_text ("k%d_%s", k->number, fz_fresh (k, is_matrix ? "m" : "v"));
      *(is_matrix ? &nest->matrices[a] : &nest->vectors[a - N_MATRICES]) = name;
      const char *of_rows = is_matrix ? fz_text ("[%d]", nest->rows) : "";
      const char *at = is_matrix ? fz_text ("[x / %d][x %% %d]", nest->rows, nest->rows) : "[x]";
      fprintf (k->functions, "\nstatic %s %s%s[%d];\n", type, name, of_rows, nest->rows);
      fprintf (k->before, "  for (int x = 0; x < %d; x++)\n    %s%s = (x * %d %% 251 - 125) / (%s) 977;\n",
	       is_matrix ? nest->rows * nest->rows : nest->rows, name, at, 7 + 2 * (int) fz_pick (40), type);
      fprintf (k->after, "  mix (%s, sizeof %s);\n", name, name);
    }
}

/* An element that the first N variables of NEST choose.  */
static const char *
element (const struct nest *nest, int n)
{
  int first = (int) fz_pick ((unsigned) n);
  if (fz_chance (35))
    return fz_text ("%s[%s]", nest->vectors[fz_pick (N_VECTORS)], ivs[first]);
  int second = n == 1 ? first : (first + 1 + (int) fz_pick ((unsigned) n - 1)) % n;
  return fz_text ("%s[%s][%s]", nest->matrices[fz_pick (N_MATRICES)], ivs[first], ivs[second]);
}

static const char *
product (const struct nest *nest, int n)
{
  const char *two = fz_text ("%s * %s", element (nest, n), element (nest, n));
  return fz_chance (85) ? two : fz_text ("%s * %s", two, element (nest, n));
}

/* A product, or a sum or difference with one or two in it.  */
static const char *
term (const struct nest *nest, int n)
{
  const char *first = product (nest, n);
  return fz_chance (35) ? fz_text ("%s %c %s", first, "+-"[fz_pick (2)], product (nest, n)) : first;
}

/* Open loop D of NEST; its bound is the size, a parameter, or the counter of the loop around it.  */
static void
open_loop (const struct nest *nest, int d, const char *n)
{
  struct fz_kernel *k = nest->k;
  const char *bound = d > 0 && fz_chance (25) ? fz_text ("%s + 1", ivs[d - 1]) : fz_chance (70) ? n : NULL;

  fz_line (k, "for (int %s = %d; %s < %s; %s++)", ivs[d], fz_chance (25), ivs[d],
	   bound ? bound : fz_text ("%d", nest->rows), ivs[d]);
  k->indent++;
}

/* What the innermost loop of NEST does, and what stands before and behind it; N is the parameter.  */
static void
print_inner (const struct nest *nest, const char *n)
{
  struct fz_kernel *k = nest->k;
  int depth = nest->depth, outer = depth - 1;
  const char *to = element (nest, outer), *type = fz_type_name[fz_program.palette[0]];
  unsigned kind = fz_pick (4);

  fz_line (k, "{");
  if (kind == 1)
    fz_line (k, "%s sum = %s;", type, fz_chance (50) ? "0" : element (nest, outer));
  if (kind == 2)
    fz_line (k, "%s = 0;", to);
  open_loop (nest, depth - 1, n);
  switch (kind)
    {
    case 0:
      fz_line (k, "%s += %s;", fz_chance (70) ? to : element (nest, depth), term (nest, depth));
      break;
    case 1:
      fz_line (k, "sum += %s;", term (nest, depth));
      break;
    case 2:
      fz_line (k, "%s += %s;", to, term (nest, depth));
      break;
    default:
      fz_line (k, "{");
      fz_line (k, "  %s = %s + %s;", element (nest, depth), element (nest, depth), term (nest, depth));
      fz_line (k, "  %s %c= %s;", element (nest, depth), "+-"[fz_pick (2)], term (nest, depth));
      fz_line (k, "}");
    }
  k->indent--;
  if (kind == 1)
    fz_line (k, "%s = sum%s;", to, fz_chance (50) ? "" : fz_text (" + %s", product (nest, outer)));
  fz_line (k, "}");
}

void
fz_nest (struct fz_kernel *k)
{
  struct nest nest = { .k = k, .depth = fz_range (2, 3), .rows = 20 + 4 * (int) fz_pick (6) };
  const char *n = fz_scalar (k, "n", "int", -1, nest.rows - (int) fz_pick (3));

  declare (&nest);
  for (int d = 0; d < nest.depth - 1; d++)
    open_loop (&nest, d, n);
  print_inner (&nest, n);
  k->indent -= nest.depth - 1;
}
