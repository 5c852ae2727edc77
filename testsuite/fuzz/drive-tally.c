/* SPDX-License-Identifier: MIT
   Loop fuzzer driver: what happened, summed up.

   Reads the plugin's report (one JSON object a loop) and the run time's statistics (an object with the array
   "regions").  Members are looked up at their own depth, unknown ones are ignored.  */

#include "drive.h"

#include <stdlib.h>
#include <string.h>

static const char *const class_names[DR_N_CLASSES] = { "parallel", "possibly parallel", "sequential" };
static const char *const rung_names[DR_N_RUNGS] = { "L0", "L1", "L2", "L3", "L5" };

#define PG_REASON(id, klass, name, text, remedy) name,
static const char *const reason_names[] = {
#include "reasons.def"
};

#define N_REASONS ((int) (sizeof reason_names / sizeof *reason_names))
_Static_assert(N_REASONS <= (int) DR_MAX_NAMES, "more reasons than the shared table has room for");

/* Return the end of the JSON string that begins at AT.  */
static const char *
skip_string (const char *at)
{
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1])
      at++;
  return *at ? at + 1 : at;
}

/* Return the value of member NAME of the object that begins at OBJECT, or NULL.  */
static const char *
member (const char *object, const char *name)
{
  size_t len = strlen (name);
  const char *at = object, *end;
  int depth = 0;

  while (*at)
    switch (*at)
      {
      case '{':
      case '[':
	depth++;
	at++;
	break;
      case '}':
      case ']':
	if (--depth == 0)
	  return NULL;
	at++;
	break;
      case '"':
	end = skip_string (at);
	if (depth == 1 && (size_t) (end - at) == len + 2 && !memcmp (at + 1, name, len))
	  {
	    end += strspn (end, " \t\n");
	    if (*end == ':')
	      return end + 1 + strspn (end + 1, " \t\n");
	  }
	at = end;
	break;
      default:
	at++;
	break;
      }
  return NULL;
}

static bool
member_is (const char *object, const char *name, const char *value)
{
  const char *at = member (object, name);
  size_t len = strlen (value);

  return at && *at == '"' && !strncmp (at + 1, value, len) && at[1 + len] == '"';
}

static long
member_number (const char *object, const char *name)
{
  const char *at = member (object, name);

  return at ? strtol (at, NULL, 10) : 0;
}

/* Return the end of the object or array that begins at AT.  */
static const char *
skip_value (const char *at)
{
  int depth = 0;

  while (*at)
    {
      if (*at == '"')
	{
	  at = skip_string (at);
	  continue;
	}
      depth += *at == '{' || *at == '[';
      depth -= *at == '}' || *at == ']';
      at++;
      if (depth == 0)
	break;
    }
  return at;
}

/* Count the loops of the plugin's report TEXT.  */
void
dr_tally_report (struct dr_tally *tally, const char *text)
{
  const char *outlined;

  for (const char *line = text; *line; line += strcspn (line, "\n"), line += *line == '\n')
    {
      bool known = false;

      if (*line != '{')
	continue;
      tally->n_loops++;
      outlined = member (line, "outlined");
      tally->n_outlined += outlined && !strncmp (outlined, "true", 4);
      for (int i = 0; i < DR_N_CLASSES; i++)
	tally->n_classes[i] += member_is (line, "class", class_names[i]);
      for (int i = 0; i < N_REASONS && !known; i++)
	if (member_is (line, "reason", reason_names[i]))
	  {
	    tally->n_reasons[i]++;
	    known = true;
	  }
      tally->n_unknown_reasons += !known;
    }
}

/* Count the regions of the statistics TEXT, and note in SEEN what concerns the program as a whole.  */
void
dr_tally_statistics (struct dr_tally *tally, const char *text, struct dr_seen *seen)
{
  const char *at = member (text, "regions"), *rungs;

  if (!at || *at != '[')
    return;
  for (at++; (at += strspn (at, " ,\n\t")), *at == '{'; at = skip_value (at))
    {
      tally->n_regions_run++;
      seen->on_pool |= member_number (at, "pool") > 0;
      seen->conflicts |= member_number (at, "conflicts") > 0;
      seen->n_differences += member_number (at, "differences");
      rungs = member (at, "rungs");
      for (int i = 0; i < DR_N_RUNGS && rungs; i++)
	tally->n_rungs[i] += member_number (rungs, rung_names[i]);
    }
}

void
dr_tally_program (struct dr_tally *tally, enum dr_verdict verdict, const struct dr_seen *seen)
{
  tally->n_verdicts[verdict]++;
  tally->n_on_pool += seen->on_pool;
  tally->n_with_conflicts += seen->conflicts;
}

static void
print_counts (const char *title, const char *const *names, const _Atomic long *counts, int n)
{
  printf ("%s:", title);
  for (int i = 0; i < n; i++)
    if (counts[i])
      printf (" %s %ld", names[i], counts[i]);
  printf ("\n%s never reached:", title);
  for (int i = 0; i < n; i++)
    if (!counts[i])
      printf (" %s", names[i]);
  putchar ('\n');
}

/* Print the summary; true if all is well.  */
bool
dr_tally_print (const struct dr_tally *tally)
{
  long n = 0;

  for (int i = 0; i <= DR_INVALID; i++)
    n += tally->n_verdicts[i];
  if (dr_options.plugin)
    {
      print_counts ("classes", class_names, tally->n_classes, DR_N_CLASSES);
      print_counts ("reasons", reason_names, tally->n_reasons, N_REASONS);
      print_counts ("rungs", rung_names, tally->n_rungs, DR_N_RUNGS);
      if (tally->n_unknown_reasons)
	printf ("reasons that are not in reasons.def: %ld\n", tally->n_unknown_reasons);
      printf ("loops: %ld, outlined %ld; programs with conflicts: %ld\n", tally->n_loops, tally->n_outlined,
	      tally->n_with_conflicts);
    }
  if (tally->n_verdicts[DR_PLAIN_WRONG])
    printf ("programs whose plain build is wrong: %ld\n", tally->n_verdicts[DR_PLAIN_WRONG]);
  if (tally->n_verdicts[DR_INVALID])
    printf ("programs that fail by themselves: %ld\n", tally->n_verdicts[DR_INVALID]);
  printf ("%ld programs: %ld differences, %ld crashes, %ld hangs; executed on the pool: %ld %%\n", n,
	  tally->n_verdicts[DR_DIFFERENCE], tally->n_verdicts[DR_CRASH], tally->n_verdicts[DR_HANG],
	  n ? 100 * tally->n_on_pool / n : 0);
  return tally->n_verdicts[DR_SAME] + tally->n_verdicts[DR_PLAIN_WRONG] == n && n == dr_options.n_programs;
}
