/* SPDX-License-Identifier: MIT
   paragon report: a page that shows what became of each loop.  page/report.html is the page; here is what it shows:

       {"loops":[a verdict as the plugin wrote it, and
		   "in":"dot.o"		who said it
		   "run":{...}		what profiles count, summed: as runtime/stats.c names it
		   "stale":true		its source was changed since
		 ...],
	"sources":{"dot.c":{"text":"..."} or {"why":"No such file or directory"},...},
	"profiles":["a.json",...],"refused":0,
	"timelines":{...},		as timelines.h says
	"texts":{"refused":{"small":"too little work",...},...}}  */
#include "command.h"
#include "page.h"
#include "profiles.h"
#include "sarif.h"
#include "source.h"
#include "timelines.h"
#include "verdicts.h"

#include <getopt.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* What names mean, by the member of a loop, or of its counts, that has them.  */
static const struct
{
  const char *member, *name, *text;
} texts[] = {
#define PG_STATUS(id, name, text) { "refused", name, text },
#include "../status.def"
#define PG_DEVICE_PLAN(id, name, runs, text) { "device_plans", name, text },
#include "../status.def"
#define PG_OFFLOAD(id, name, text) { "offloaded", name, text },
#include "../status.def"
#define PG_MAPPED(id, name, text) { "mapped", name, text },
#include "../status.def"
#define PG_LIFT_REASON(id, name, text) { "kernel", name, text },
#include "lift-reasons.def"
#undef PG_LIFT_REASON
};

/* Sources that cannot be shown.  */
struct missing
{
  size_t n;
  const char *file; /* the first, */
  char why[64];     /* and why */
};

static struct json_object *
list_texts (void)
{
  struct json_object *all = json_object_new_object (), *of_member;
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
    {
      if (!json_object_object_get_ex (all, texts[t].member, &of_member))
	json_object_object_add (all, texts[t].member, of_member = json_object_new_object ());
      json_object_object_add (of_member, texts[t].name, json_object_new_string (texts[t].text));
    }
  return all;
}

static struct json_object *
list_loops (const struct pg_verdicts *verdicts)
{
  struct json_object *loops = json_object_new_array ();
  for (size_t v = 0; v < verdicts->n; v++)
    {
      json_object_object_add (verdicts->all[v].members, "in", json_object_new_string (verdicts->all[v].in));
      json_object_array_add (loops, json_object_get (verdicts->all[v].members));
    }
  return loops;
}

/* Mark those of the N loops at VERDICTS whose source was changed since, at CHANGE.  Were all?  */
static bool
mark_stale (const struct pg_loop_verdict *verdicts, size_t n, struct timespec change)
{
  size_t n_stale = 0;
  for (size_t v = 0; v < n; v++)
    if (!pg_source_is_old (change, verdicts[v].last_change))
      {
	json_object_object_add (verdicts[v].members, "stale", json_object_new_boolean (true));
	n_stale++;
      }
  return n_stale == n;
}

/* The source of the N loops at VERDICTS, which are of one file, for the page.  */
static struct json_object *
source_of (const struct pg_loop_verdict *verdicts, size_t n, struct missing *missing)
{
  struct json_object *object = json_object_new_object ();
  struct pg_source source;
  pg_source_read (verdicts->file, &source);
  if (source.text != NULL && mark_stale (verdicts, n, source.last_change))
    {
      free (source.text);
      source.text = NULL;
      strcpy (source.why, "it was changed since it was compiled");
    }
  if (source.text != NULL)
    json_object_object_add (object, "text", json_object_new_string_len (source.text, (int) source.len));
  else
    {
      json_object_object_add (object, "why", json_object_new_string (source.why));
      if (missing->n++ == 0)
	{
	  missing->file = verdicts->file;
	  strcpy (missing->why, source.why);
	}
    }
  free (source.text);
  return object;
}

/* The sources of VERDICTS, which are in order.  */
static struct json_object *
list_sources (const struct pg_verdicts *verdicts, struct missing *missing)
{
  struct json_object *sources = json_object_new_object ();
  for (size_t v = 0, n; v < verdicts->n; v += n)
    {
      const struct pg_loop_verdict *first = &verdicts->all[v];
      for (n = 1; v + n < verdicts->n && strcmp (first[n].file, first->file) == 0;)
	n++;
      json_object_object_add (sources, first->file, source_of (first, n, missing));
    }
  return sources;
}

/* Say what the page in the file PATH has.  */
static void
sum_up (const char *path, size_t n_loops, int n_files, size_t n_runs, size_t n_traces)
{
  printf ("%s: loops: %zu, files: %d, runs: %zu", path, n_loops, n_files, n_runs);
  if (n_traces > 0)
    printf (", traces: %zu", n_traces);
  putchar ('\n');
}

/* Write the page of VERDICTS, which have their counts, PROFILES and TIMELINES to the file PATH.  */
static int
write_page (const struct pg_verdicts *verdicts, const struct pg_profiles *profiles,
	    const struct pg_timelines *timelines, const char *path)
{
  struct json_object *data = json_object_new_object ();
  struct missing missing = { 0 };
  struct json_object *sources = list_sources (verdicts, &missing);
  json_object_object_add (data, "sources", sources);
  json_object_object_add (data, "loops", list_loops (verdicts));
  json_object_object_add (data, "profiles", json_object_get (profiles->names));
  json_object_object_add (data, "refused", json_object_new_int64 (profiles->n_refused));
  json_object_object_add (data, "timelines", json_object_get (timelines->data));
  json_object_object_add (data, "texts", list_texts ());
  bool is_written = pg_page_write (path, data, true);
  if (is_written && strcmp (path, "-") != 0)
    sum_up (path, verdicts->n, json_object_object_length (sources), json_object_array_length (profiles->names),
	    pg_timelines_count (timelines));
  if (is_written && missing.n == 1)
    pg_say ("%s: %s: its source is not shown", missing.file, missing.why);
  else if (is_written && missing.n > 1)
    pg_say ("%s: %s: its source is not shown, nor that of %zu more", missing.file, missing.why, missing.n - 1);
  json_object_put (data);
  return is_written ? PG_EXIT_OK : PG_EXIT_WRONG;
}

/* Write VERDICTS to the file PATH as SARIF.  */
static int
write_sarif (const struct pg_verdicts *verdicts, const char *path)
{
  struct json_object *log = pg_sarif_of (verdicts);
  bool is_written = pg_page_write (path, log, false);
  if (is_written)
    printf ("%s: loops: %zu\n", path, verdicts->n);
  json_object_put (log);
  return is_written ? PG_EXIT_OK : PG_EXIT_WRONG;
}

static bool
is_sarif (const char *path)
{
  const char *dot = strrchr (path, '.');
  return dot != NULL && strcmp (dot, ".sarif") == 0;
}

int
pg_command_report (int argc, char **argv)
{
  const char *path = "paragon-report.html";
  struct pg_verdicts verdicts = { 0 };
  struct pg_profiles profiles;
  struct pg_timelines timelines;
  size_t n_inputs = 0;
  bool is_read = true;
  pg_profiles_make (&profiles);
  pg_timelines_make (&timelines);
  do
    {
      enum pg_command_option option;
      while ((option = pg_command_next_option (PG_COMMAND_REPORT, argc, argv)) != PG_OPTIONS_END)
	if (option == PG_OPTION_REPORT_STATS)
	  is_read &= pg_profiles_read (&profiles, optarg);
	else if (option == PG_OPTION_REPORT_TRACE)
	  is_read &= pg_timelines_read (&timelines, optarg);
	else
	  path = optarg;
      if (optind < argc || n_inputs == 0)
	is_read &= pg_verdicts_read (&verdicts, optind < argc ? argv[optind++] : ".");
      n_inputs++;
    }
  while (optind < argc);
  int status = PG_EXIT_WRONG;
  if (is_read)
    {
      pg_verdicts_sort (&verdicts);
      pg_profiles_join (&profiles, &verdicts);
      pg_verdicts_sort (&verdicts);
      status = is_sarif (path) ? write_sarif (&verdicts, path) : write_page (&verdicts, &profiles, &timelines, path);
    }
  pg_timelines_free (&timelines);
  pg_profiles_free (&profiles);
  pg_verdicts_free (&verdicts);
  return status;
}
