/* SPDX-License-Identifier: MIT
   Whether one command keeps to a limit against another, from what bench-run printed of both.

     bench-ratio A B FIELD LIMIT < runs		A's field number FIELD over B's, round by round

   Prints one line "MEDIAN LOW HIGH VERDICT": the median of the ratios, the 95 % interval of it, and "ok", "open" or
   "over" (ratio.h).  Exit status 1: a run failed, or there are no pairs.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/cli/ratio.h"

enum
{
  STATUS_FIELD = 3,
  N_FIELDS = 9
};

/* What a command took in each round; below 0: not run.  */
struct times
{
  const char *name;
  double seconds[PG_RATIO_MOST];
};

static int
read_runs (struct times *a, struct times *b, int field)
{
  char line[1024];

  while (fgets (line, sizeof line, stdin))
    {
      char *fields[N_FIELDS + 1] = { NULL };
      struct times *t;
      long round;
      int n;

      for (n = 1; n <= N_FIELDS; n++)
	fields[n] = strtok (n == 1 ? line : NULL, "\t\n");
      if (!fields[N_FIELDS])
	return -1;
      t = strcmp (fields[1], a->name) == 0 ? a : b;
      round = atol (fields[2]);
      if (strcmp (fields[1], t->name) != 0 || round < 0 || round >= PG_RATIO_MOST)
	continue;
      if (strcmp (fields[STATUS_FIELD], "ok") != 0 || !(atof (fields[field]) > 0.0))
	return -1;
      t->seconds[round] = atof (fields[field]);
    }
  return 0;
}

int
main (int argc, char **argv)
{
  static struct times a, b;
  struct pg_ratio ratio;
  size_t i, n = 0;
  double limit;
  int field;

  if (argc != 5 || (field = atoi (argv[3])) <= STATUS_FIELD || field > N_FIELDS || !((limit = atof (argv[4])) > 0.0))
    {
      fprintf (stderr, "usage: bench-ratio A B FIELD LIMIT < runs\n");
      return 2;
    }
  a.name = argv[1];
  b.name = argv[2];
  for (i = 0; i < PG_RATIO_MOST; i++)
    a.seconds[i] = b.seconds[i] = -1.0;
  if (read_runs (&a, &b, field) == 0)
    for (i = 0; i < PG_RATIO_MOST; i++)
      if (a.seconds[i] > 0.0 && b.seconds[i] > 0.0)
	{
	  a.seconds[n] = a.seconds[i];
	  b.seconds[n++] = b.seconds[i];
	}
  if (n == 0)
    return 1;
  ratio = pg_ratio_of (a.seconds, b.seconds, n);
  printf ("%.3f %.3f %.3f %s\n", ratio.median, ratio.low, ratio.high, pg_kept_names[pg_ratio_keeps (&ratio, limit)]);
  return 0;
}
