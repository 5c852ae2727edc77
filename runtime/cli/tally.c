/* SPDX-License-Identifier: MIT
   What a build made.  See tally.h.

       paragon: 12 units, 80 loops: 9 parallel, 30 possibly parallel, 41 sequential; 37 of them are handed over
       paragon: why the others are not:
       paragon:   14 call: a call of a function that is not known to be safe
       paragon:    9 ...
       paragon: next: ...

   Verdicts are read from what was made, not from the compiler: so it does not matter whether a compiler cache had it,
   and what was linked in one step with -flto has its own.  */
#include "tally.h"
#include "command.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  N_REASONS = 64,
  N_SHOWN = 5
};

static const char *const class_names[] = { "parallel", "possibly parallel", "sequential" };

enum
{
  N_CLASSES = sizeof class_names / sizeof *class_names
};

/* Loops that stay as they are, for one reason.  */
struct counted
{
  const struct pg_loop_verdict *first;
  size_t n;
};

/* Put the file NAME, seen from FOLDER, into PATH.  Is it there?  */
static bool
find_file (const char *folder, const char *name, char (*path)[PATH_MAX])
{
  struct stat status;
  int len = snprintf (*path, sizeof *path, "%s%s%s", *name == '/' ? "" : folder, *name == '/' ? "" : "/", name);
  return len < (int) sizeof *path && stat (*path, &status) == 0 && S_ISREG (status.st_mode);
}

/* Add the name that the file PATH, which is there, really has to NAMES.  */
static bool
add_real (struct pg_names *names, const char *path)
{
  char *real = realpath (path, NULL);
  bool is_added = pg_names_add (names, real != NULL ? real : path);
  free (real);
  return is_added;
}

/* Add what NOTE says to TALLY.  */
static bool
add_note (struct pg_tally *tally, const struct pg_note *note)
{
  char source[PATH_MAX], output[PATH_MAX];
  bool has_source = *note->source != '\0' && strcmp (note->source, "-") != 0;
  if (has_source && !find_file (note->folder, note->source, &source))
    {
      tally->n_tests++;
      return true;
    }
  if (note->kind == PG_NOTE_OTHER)
    {
      tally->why_other = tally->others.n == 0 ? note->text : tally->why_other;
      return !has_source || add_real (&tally->others, source);
    }
  bool is_added = !has_source || add_real (&tally->units, source);
  if (has_source && note->kind == PG_NOTE_PLAIN)
    is_added &= add_real (&tally->plain, source);
  if (find_file (note->folder, note->output, &output))
    return is_added && add_real (&tally->outputs, output);
  tally->n_gone += note->kind == PG_NOTE_COMPILED;
  return is_added;
}

bool
pg_tally_make (struct pg_tally *tally, const struct pg_notes *notes)
{
  *tally = (struct pg_tally) { 0 };
  for (size_t n = 0; n < notes->n; n++)
    if (!add_note (tally, &notes->all[n]))
      return false;
  pg_names_sort (&tally->units);
  pg_names_sort (&tally->plain);
  pg_names_sort (&tally->others);
  pg_names_sort (&tally->outputs);
  for (size_t o = 0; o < tally->outputs.n; o++)
    pg_verdicts_search (&tally->verdicts, tally->outputs.all[o]);
  pg_verdicts_sort (&tally->verdicts);
  return true;
}

/* Is VERDICT's loop handed over?  */
static bool
is_handed_over (const struct pg_loop_verdict *verdict)
{
  return pg_verdict_number (verdict, "threshold") >= 0;
}

/* Most loops first.  */
static int
compare (const void *a, const void *b)
{
  const struct counted *counted_a = a, *counted_b = b;
  return (counted_a->n < counted_b->n) - (counted_a->n > counted_b->n);
}

/* Say why loops of VERDICTS stay as they are, if some do.  */
static void
show_reasons (const struct pg_verdicts *verdicts)
{
  struct counted reasons[N_REASONS] = { 0 };
  size_t n_reasons = 0;
  for (size_t v = 0; v < verdicts->n; v++)
    {
      size_t r = 0;
      if (is_handed_over (&verdicts->all[v]))
	continue;
      while (r < n_reasons && strcmp (reasons[r].first->reason, verdicts->all[v].reason) != 0)
	r++;
      if (r == N_REASONS)
	continue;
      n_reasons += r == n_reasons;
      reasons[r].first = reasons[r].n++ == 0 ? &verdicts->all[v] : reasons[r].first;
    }
  qsort (reasons, n_reasons, sizeof *reasons, compare);
  if (n_reasons > 0)
    pg_say ("why the others are not%s:", n_reasons > N_SHOWN ? ", most frequent first" : "");
  for (size_t r = 0; r < n_reasons && r < N_SHOWN; r++)
    {
      const char *text = pg_verdict_text (reasons[r].first, "text");
      pg_say ("%6zu %s%s%s", reasons[r].n, reasons[r].first->reason, text != NULL ? ": " : "",
	      text != NULL ? text : "");
    }
}

/* Say how many loops VERDICTS has of the N_UNITS units, of which class.  */
static void
show_classes (const struct pg_verdicts *verdicts, size_t n_units)
{
  size_t n_class[N_CLASSES] = { 0 }, n_handed_over = 0;
  for (size_t v = 0; v < verdicts->n; v++)
    {
      n_handed_over += is_handed_over (&verdicts->all[v]);
      for (size_t c = 0; c < N_CLASSES; c++)
	n_class[c] += strcmp (verdicts->all[v].klass, class_names[c]) == 0;
    }
  pg_say ("units: %zu, loops: %zu: %zu %s, %zu %s, %zu %s; handed over: %zu", n_units, verdicts->n, n_class[0],
	  class_names[0], n_class[1], class_names[1], n_class[2], class_names[2], n_handed_over);
}

/* Say why TALLY has no unit with the plugin.  */
static void
show_nothing (const struct pg_tally *tally)
{
  if (tally->n_tests > 0)
    pg_say ("nothing was compiled but tests, as of a configure step");
  else if (tally->others.n == 0)
    pg_say (
      "nothing was compiled by way of the plugin: there was nothing to do, or the compiler is another one, or called "
      "by its path: try CC=paragon-gcc behind make, or configure again under paragon build");
}

void
pg_tally_show (const struct pg_tally *tally)
{
  if (tally->others.n > 0)
    pg_say ("units: %zu without the plugin: %s", tally->others.n, tally->why_other);
  if (tally->units.n == 0 && tally->verdicts.n == 0)
    {
      show_nothing (tally);
      return;
    }
  show_classes (&tally->verdicts, tally->units.n);
  show_reasons (&tally->verdicts);
  if (tally->plain.n > 0)
    pg_say ("units without -O, where nothing is handed over: %zu, as %s", tally->plain.n, tally->plain.all[0]);
  if (tally->n_gone > 0)
    pg_say ("objects that are no longer there: %zu; their loops are counted where these were linked", tally->n_gone);
  if (tally->verdicts.n > 0)
    pg_say ("next: paragon report (a page of all loops), paragon explain FILE[:LINE] (why), paragon run PROGRAM");
}

bool
pg_tally_write (const struct pg_tally *tally, const char *path)
{
  FILE *out = fopen (path, "we");
  for (size_t v = 0; out != NULL && v < tally->verdicts.n; v++)
    fprintf (out, "%s\n",
	     json_object_to_json_string_ext (tally->verdicts.all[v].members,
					     JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
  bool has_failed = out == NULL || ferror (out) != 0;
  if ((out != NULL && fclose (out) != 0) || has_failed)
    {
      pg_say ("%s: %s", path, strerror (errno));
      return false;
    }
  return true;
}

void
pg_tally_free (struct pg_tally *tally)
{
  pg_names_free (&tally->units);
  pg_names_free (&tally->plain);
  pg_names_free (&tally->others);
  pg_names_free (&tally->outputs);
  pg_verdicts_free (&tally->verdicts);
}
