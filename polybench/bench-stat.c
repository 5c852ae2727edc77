/* SPDX-License-Identifier: MIT
   Make the table and the JSON of bench.sh from what it gathered.

     bench-stat FILE.json < gathered > table
     bench-stat --open < gathered > names	of programs that need more rounds, and of their limits that lie in an
						interval

   Input, fields separated by tabs:

     fact     NAME VALUE                                       machine, date, command, ...
     missing  VARIANT WHY                                      a column that this machine cannot have
     program  NAME GROUP LOOPS HANDED CLASS RUNG RAN CONFLICTS main loops: how many, how many handed over, ...
     sample   NAME VARIANT ROUND STATUS WALL CPU TOTAL FIRST LATER HASH       (bench-run.c); "-" for what was not
									       looked for

   Figures are medians over the rounds, ratios those of runs of the same round (ratio.h: the same input gives the same
   output).  A limit is kept if the whole interval keeps it ("ok"), not if all of it is beyond ("over"), else "open".
   Exit status 1: Paragon's answer differs from the sequential one, or a run of it failed.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/cli/ratio.h"

enum
{
  MAX_PROGRAMS = 64,
  MAX_ROUNDS = 256,
  MAX_FACTS = 32,
  N_FIELDS = 12
};

enum variant
{
  SEQUENTIAL,
  PARAGON,
  OPENMP,
  AUTOPAR,
  POLLY,
  N_VARIANTS
};
static const char *const variant_names[] = { "sequential", "paragon", "openmp", "autopar", "polly" };

enum measure
{
  TOTAL,
  FIRST,
  LATER,
  N_MEASURES
};

struct sample
{
  int is_there, is_ok;
  double seconds[N_MEASURES];
  char hash[17];
};

struct program
{
  char name[32], group[32], klass[32], rung[32], ran[32];
  long n_loops, n_handed, n_conflicts;
  struct sample samples[N_VARIANTS][MAX_ROUNDS];
};

struct ratio
{
  int n;				/* pairs; 0: nothing to compare */
  struct pg_ratio of;
};

/* What Paragon must keep to, as the issue of this milestone has it.  */
enum limit
{
  LIMIT_OPENMP,				/* against unsafe OpenMP */
  LIMIT_FIRST,				/* first entry of a possibly parallel loop against sequential */
  LIMIT_TOTAL,				/* everything against sequential */
  N_LIMITS
};
static const char *const limit_names[] = { "openmp", "first", "total" };

struct judged
{
  double limit;				/* 0: does not apply */
  struct ratio ratio;
};

static struct program programs[MAX_PROGRAMS];
static int n_programs;
static char facts[MAX_FACTS][2][512];
static int n_facts;
static char missing[N_VARIANTS][128];

static struct program *
find_program (const char *name)
{
  int i;

  for (i = 0; i < n_programs; i++)
    if (strcmp (programs[i].name, name) == 0)
      return &programs[i];
  if (n_programs == MAX_PROGRAMS)
    {
      fprintf (stderr, "bench-stat: more than %d programs\n", MAX_PROGRAMS);
      exit (2);
    }
  snprintf (programs[n_programs].name, sizeof programs->name, "%s", name);
  return &programs[n_programs++];
}

static int
find_variant (const char *name)
{
  int v;

  for (v = 0; v < N_VARIANTS; v++)
    if (strcmp (variant_names[v], name) == 0)
      break;
  return v;
}

static void
read_sample (char **field)
{
  int v = find_variant (field[2]), round = atoi (field[3]), m;
  struct sample *sample;

  if (v == N_VARIANTS || round < 0 || round >= MAX_ROUNDS)
    return;
  sample = &find_program (field[1])->samples[v][round];
  sample->is_there = 1;
  /* A solver that does not converge within its limit says so with 1; its answer is compared like any other.  */
  sample->is_ok = (strcmp (field[4], "ok") == 0 || strcmp (field[4], "exit-1") == 0) && field[8][0] != '-';
  for (m = 0; m < N_MEASURES; m++)
    sample->seconds[m] = field[7 + m][0] == '-' ? -1.0 : atof (field[7 + m]);
  snprintf (sample->hash, sizeof sample->hash, "%s", field[10]);
}

static void
read_program (char **field)
{
  struct program *p = find_program (field[1]);

  snprintf (p->group, sizeof p->group, "%s", field[2]);
  p->n_loops = atol (field[3]);
  p->n_handed = atol (field[4]);
  snprintf (p->klass, sizeof p->klass, "%s", field[5]);
  snprintf (p->rung, sizeof p->rung, "%s", field[6]);
  snprintf (p->ran, sizeof p->ran, "%s", field[7]);
  p->n_conflicts = atol (field[8]);
}

static void
read_input (void)
{
  char line[2048];

  while (fgets (line, sizeof line, stdin))
    {
      char *field[N_FIELDS], *rest = line;
      int n = 0;

      line[strcspn (line, "\n")] = '\0';
      while (n < N_FIELDS && rest)
	{
	  field[n++] = rest;
	  rest = strchr (rest, '\t');
	  if (rest)
	    *rest++ = '\0';
	}
      if (n == 3 && strcmp (field[0], "fact") == 0 && n_facts < MAX_FACTS)
	{
	  snprintf (facts[n_facts][0], sizeof facts[0][0], "%s", field[1]);
	  snprintf (facts[n_facts++][1], sizeof facts[0][1], "%s", field[2]);
	}
      else if (n == 3 && strcmp (field[0], "missing") == 0 && find_variant (field[1]) < N_VARIANTS)
	snprintf (missing[find_variant (field[1])], sizeof missing[0], "%s", field[2]);
      else if (n == 9 && strcmp (field[0], "program") == 0)
	read_program (field);
      else if (n == 11 && strcmp (field[0], "sample") == 0)
	read_sample (field);
      else
	{
	  fprintf (stderr, "bench-stat: cannot read the line that begins with '%s'\n", field[0]);
	  exit (2);
	}
    }
}

/* The median of what VARIANT took for MEASURE, or -1.  */
static double
seconds_of (const struct program *p, enum variant v, enum measure m)
{
  double values[MAX_ROUNDS];
  int i, n = 0;

  for (i = 0; i < MAX_ROUNDS; i++)
    if (p->samples[v][i].is_ok && p->samples[v][i].seconds[m] >= 0.0)
      values[n++] = p->samples[v][i].seconds[m];
  return n ? pg_median (values, (size_t) n) : -1.0;
}

/* MEASURE of variant A against that of B, round by round.  */
static struct ratio
compare (const struct program *p, enum variant a, enum variant b, enum measure m)
{
  double as[MAX_ROUNDS], bs[MAX_ROUNDS];
  struct ratio r = { 0, { 0.0, 0.0, 0.0 } };
  int i;

  for (i = 0; i < MAX_ROUNDS; i++)
    if (p->samples[a][i].is_ok && p->samples[b][i].is_ok && p->samples[a][i].seconds[m] >= 0.0
	&& p->samples[b][i].seconds[m] > 0.0)
      {
	as[r.n] = p->samples[a][i].seconds[m];
	bs[r.n++] = p->samples[b][i].seconds[m];
      }
  if (r.n > 0)
    r.of = pg_ratio_of (as, bs, (size_t) r.n);
  return r;
}

static void
judge (const struct program *p, struct judged *judged)
{
  int is_pointer = strcmp (p->group, "pointer") == 0;

  memset (judged, 0, N_LIMITS * sizeof *judged);
  judged[LIMIT_OPENMP].ratio = compare (p, PARAGON, OPENMP, is_pointer ? TOTAL : LATER);
  if (judged[LIMIT_OPENMP].ratio.n)
    judged[LIMIT_OPENMP].limit = is_pointer ? 1.10 : 1.25;
  judged[LIMIT_FIRST].ratio = compare (p, PARAGON, SEQUENTIAL, FIRST);
  if (judged[LIMIT_FIRST].ratio.n && strstr (p->klass, "possibly"))
    judged[LIMIT_FIRST].limit = 1.15;
  judged[LIMIT_TOTAL].ratio = compare (p, PARAGON, SEQUENTIAL, TOTAL);
  if (judged[LIMIT_TOTAL].ratio.n)
    judged[LIMIT_TOTAL].limit = 1.05;
}

/* Whether A and B may be hashes of one answer.  */
static int
agree (const char *a, const char *b)
{
  return strcmp (a, b) == 0 || strcmp (a, "-") == 0 || strcmp (b, "-") == 0;
}

/* What is wrong with the answers of variant V, if anything: "failed", "differs".  */
static const char *
wrong_answer (const struct program *p, enum variant v)
{
  const char *want = NULL;
  int i;

  for (i = 0; i < MAX_ROUNDS && !want; i++)
    if (p->samples[SEQUENTIAL][i].is_ok)
      want = p->samples[SEQUENTIAL][i].hash;
  for (i = 0; i < MAX_ROUNDS; i++)
    if (p->samples[v][i].is_there && !p->samples[v][i].is_ok)
      return "failed";
    else if (p->samples[v][i].is_there && want && !agree (want, p->samples[v][i].hash))
      return "differs";
  return NULL;
}

/* Print how many times faster than sequential variant V is.  */
static void
print_speedup (const struct program *p, enum variant v)
{
  struct ratio r = compare (p, SEQUENTIAL, v, TOTAL);

  if (r.n)
    printf (" %7.2f", r.of.median);
  else
    printf (" %7s", *missing[v] ? "none" : "-");
}

static enum pg_kept
kept (const struct judged *j)
{
  return j->limit > 0.0 ? pg_ratio_keeps (&j->ratio.of, j->limit) : PG_KEPT;
}

/* How well P keeps to the limit that it keeps to least.  What was not measured is open.  */
static enum pg_kept
keeps_all (const struct judged *judged)
{
  enum pg_kept least = judged[LIMIT_TOTAL].ratio.n ? PG_KEPT : PG_OPEN;
  int i;

  for (i = 0; i < N_LIMITS; i++)
    if (kept (&judged[i]) > least)
      least = kept (&judged[i]);
  return least;
}

static void
print_limit (const struct judged *j)
{
  static const char *const signs[] = { "<=", "~ ", "> " };

  if (j->limit > 0.0)
    printf ("  %5.2f (%4.2f) %s%-5.2f", j->ratio.of.median, j->ratio.of.high, signs[kept (j)], j->limit);
  else
    printf ("  %19s", "-");
}

/* Print P's row and count it in N_KEPT, or return 1: its answer is wrong.  */
static int
print_row (const struct program *p, int *n_kept)
{
  const char *wrong = wrong_answer (p, PARAGON);
  struct judged judged[N_LIMITS];
  enum pg_kept kept_all;
  char loops[32];
  int i;

  judge (p, judged);
  kept_all = keeps_all (judged);
  snprintf (loops, sizeof loops, "%ld/%ld", p->n_handed, p->n_loops);
  printf ("%-9s %-5s %-10s %-4s %-4s", p->name, loops, p->klass, p->rung, p->ran);
  if (seconds_of (p, SEQUENTIAL, TOTAL) >= 0.0)
    printf (" %7.3f", seconds_of (p, SEQUENTIAL, TOTAL));
  else
    printf (" %7s", "-");
  for (i = PARAGON; i < N_VARIANTS; i++)
    print_speedup (p, (enum variant) i);
  for (i = 0; i < N_LIMITS; i++)
    print_limit (&judged[i]);
  printf ("  %s\n", wrong ? wrong : pg_kept_names[kept_all]);
  if (!wrong)
    n_kept[kept_all]++;
  return wrong != NULL;
}

static int
print_table (void)
{
  int i, v, n_kept[] = { 0, 0, 0 }, n_wrong = 0;

  printf ("%38s  %-31s  %s\n", "", "times as fast as sequential",
	  "Paragon's time (upper end of its 95 % interval) against OpenMP and sequential");
  printf ("%-9s %-5s %-10s %-4s %-4s %7s %7s %7s %7s %7s  %-19s  %-19s  %-19s\n", "program", "loops", "class", "rung",
	  "ran", "seq. s", "Paragon", "OpenMP", "GCC", "Polly", "OpenMP", "seq. first", "seq. all");
  for (i = 0; i < n_programs; i++)
    n_wrong += print_row (&programs[i], n_kept);
  for (i = 0; i < n_programs; i++)
    for (v = OPENMP; v < N_VARIANTS; v++)
      if (wrong_answer (&programs[i], (enum variant) v))
	printf ("%s: %s %s\n", programs[i].name, variant_names[v], wrong_answer (&programs[i], (enum variant) v));
  for (v = 0; v < N_VARIANTS; v++)
    if (*missing[v])
      printf ("no %s: %s\n", variant_names[v], missing[v]);
  printf ("%d programs, %d within all limits, %d open, %d over, %d wrong\n", n_programs, n_kept[PG_KEPT],
	  n_kept[PG_OPEN], n_kept[PG_OVER], n_wrong);
  return n_wrong;
}

static void
print_open (void)
{
  struct judged judged[N_LIMITS];
  int i, l;

  for (i = 0; i < n_programs; i++)
    {
      judge (&programs[i], judged);
      if (keeps_all (judged) != PG_OPEN || wrong_answer (&programs[i], PARAGON))
	continue;
      fputs (programs[i].name, stdout);
      for (l = 0; l < N_LIMITS; l++)
	if (kept (&judged[l]) == PG_OPEN)
	  printf (" %s", limit_names[l]);
      putchar ('\n');
    }
}

static void
put_string (FILE *out, const char *text)
{
  putc ('"', out);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf (out, "\\%c", *text);
    else if ((unsigned char) *text >= ' ')
      putc (*text, out);
  putc ('"', out);
}

static void
put_ratio (FILE *out, const struct ratio *r)
{
  fprintf (out, "{\"median\": %.4f, \"low\": %.4f, \"high\": %.4f, \"rounds\": %d}", r->of.median, r->of.low,
	   r->of.high, r->n);
}

static void
put_variant (FILE *out, const struct program *p, enum variant v)
{
  const char *wrong = wrong_answer (p, v);
  struct ratio r = compare (p, SEQUENTIAL, v, TOTAL);

  fprintf (out, "\n      \"%s\": {\"total\": %.6f, \"first\": %.6f, \"later\": %.6f, \"answer\": \"%s\", \"speedup\": ",
	   variant_names[v], seconds_of (p, v, TOTAL), seconds_of (p, v, FIRST), seconds_of (p, v, LATER),
	   wrong ? wrong : "same");
  put_ratio (out, &r);
  putc ('}', out);
}

static void
put_program (FILE *out, const struct program *p)
{
  struct judged judged[N_LIMITS];
  const char *comma = "";
  int i;

  judge (p, judged);
  fprintf (out, "\n    {\"program\": \"%s\", \"group\": \"%s\", \"loops\": %ld, \"handed_over\": %ld,", p->name,
	   p->group, p->n_loops, p->n_handed);
  fprintf (out, " \"class\": \"%s\", \"rung\": \"%s\", \"ran\": \"%s\", \"conflicts\": %ld,", p->klass, p->rung, p->ran,
	   p->n_conflicts);
  fputs ("\n     \"times\": {", out);
  for (i = 0; i < N_VARIANTS; i++)
    if (seconds_of (p, (enum variant) i, TOTAL) >= 0.0)
      {
	fputs (comma, out);
	put_variant (out, p, (enum variant) i);
	comma = ",";
      }
  fprintf (out, "},\n     \"limits\": {");
  comma = "";
  for (i = 0; i < N_LIMITS; i++)
    if (judged[i].limit > 0.0)
      {
	fprintf (out, "%s\n      \"%s\": {\"limit\": %.2f, \"ratio\": ", comma, limit_names[i], judged[i].limit);
	put_ratio (out, &judged[i].ratio);
	putc ('}', out);
	comma = ",";
      }
  fprintf (out, "}}");
}

static void
write_json (const char *name)
{
  FILE *out = fopen (name, "w");
  int i, v;

  if (!out)
    {
      perror (name);
      exit (2);
    }
  putc ('{', out);
  for (i = 0; i < n_facts; i++)
    {
      fputs (i ? ",\n  " : "\n  ", out);
      put_string (out, facts[i][0]);
      fputs (": ", out);
      put_string (out, facts[i][1]);
    }
  for (v = 0; v < N_VARIANTS; v++)
    if (*missing[v])
      {
	fprintf (out, ",\n  \"no %s\": ", variant_names[v]);
	put_string (out, missing[v]);
      }
  fputs (",\n  \"programs\": [", out);
  for (i = 0; i < n_programs; i++)
    {
      fputs (i ? "," : "", out);
      put_program (out, &programs[i]);
    }
  fputs ("\n  ]\n}\n", out);
  if (fclose (out) != 0)
    {
      perror (name);
      exit (2);
    }
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-stat FILE.json|--open < gathered\n");
      return 2;
    }
  read_input ();
  if (strcmp (argv[1], "--open") == 0)
    {
      print_open ();
      return 0;
    }
  write_json (argv[1]);
  return print_table () ? 1 : 0;
}
