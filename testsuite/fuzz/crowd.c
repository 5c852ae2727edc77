/* SPDX-License-Identifier: MIT
   Loop program generator: a function with so many statements in nests that not each loop can have its copies.

   One program of FZ_CROWD_EVERY has it, by its seed alone: to compile it takes as long as several others.  */

#include "generate.h"

enum
{
  SIDE = 8,     /* of the arrays, but for the first dimension */
  PLANES = 80,  /* of that */
  N_NESTS = 3,  /* each */
  N_STEPS = 20, /* statements long, */
  DEPTH = 4     /* and so many loops deep */
};

static const char *const counters[DEPTH] = { "i", "j", "k", "l" };

/* Return an element of plane PLANE; each loop goes along one dimension, of a read in any order.  */
static const char *
element (int plane, bool is_written)
{
  const char *text = fz_text ("crowd[%d]", plane);
  for (int d = 0; d < DEPTH; d++)
    {
      const char *index = counters[is_written ? (unsigned) d : fz_pick (DEPTH)];
      text = fz_text (d == DEPTH - 2 && is_written ? "%s[crowd_at[%s][l]]" : "%s[%s]", text, index);
    }
  return text;
}

void
fz_print_crowd (FILE *out)
{
  fprintf (out, "\nstatic unsigned crowd[%d][%d][%d][%d][%d];\nstatic int crowd_at[%d][%d];\n", PLANES, SIDE, SIDE,
	   SIDE, SIDE, SIDE, SIDE);
  fputs ("\nstatic __attribute__ ((noinline)) void\nk_crowd (int n)\n{\n", out);
  for (int nest = 0; nest < N_NESTS; nest++)
    {
      for (int d = 0; d < DEPTH; d++)
	fprintf (out, "%*sfor (int %s = 0; %s < n; %s++)\n", 2 * d + 2, "", counters[d], counters[d], counters[d]);
      fprintf (out, "%*s{\n", 2 * DEPTH + 2, "");
      for (int s = 0; s < N_STEPS; s++)
	fprintf (out, "%*s%s = %s + %s * %s;\n", 2 * DEPTH + 4, "", element (s, true),
		 element (fz_range (20, 39), false), element (fz_range (40, 59), false),
		 element (fz_range (60, PLANES - 1), false));
      fprintf (out, "%*s}\n", 2 * DEPTH + 2, "");
    }
  fputs ("}\n", out);
}

void
fz_print_crowd_calls (FILE *out)
{
  fprintf (out, "\n  buffer (crowd, sizeof crowd, INTS);\n  fill_index (crowd_at, sizeof **crowd_at, %d, %d, %d, 1);\n",
	   SIDE * SIDE, SIDE - 1, fz_range (0, 2));
  for (int call = 0; call < 2; call++)
    fprintf (out, "  k_crowd (%d);\n  report (\"k_crowd\");\n", fz_range (SIDE / 2, SIDE));
}
