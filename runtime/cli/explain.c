/* SPDX-License-Identifier: MIT
   paragon explain: verdicts for a person.

       dot.c:7: dot: sequential, stays as it is
		   for (i = 0; i < n; i++)
	 why       fp-order: a floating-point reduction whose order fixes its bits: sum
	 where     dot.c:8
		   sum += x[i] * y[i];
	 to do     allow with -fassociative-math
	 said by   dot.o

   A loop that a program, a library and an object know of is the same one.  */
#include "command.h"
#include "place.h"
#include "source.h"
#include "verdicts.h"

#include "paragon_region.h"

#include <getopt.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LABEL_LEN = 10,
  TEXT_AT = 2 + LABEL_LEN
};

static const struct
{
  const char *name, *text;
} lift_reasons[] = {
#define PG_LIFT_REASON(id, name, text) { name, text },
#include "lift-reasons.def"
#undef PG_LIFT_REASON
};

/* Keep of VERDICTS those whose file has RANK for PLACE.  */
static void
keep_rank (struct pg_verdicts *verdicts, const struct pg_place *place, size_t rank)
{
  size_t n = 0;
  for (size_t v = 0; v < verdicts->n; v++)
    if (pg_place_rank (place, verdicts->all[v].file) == rank)
      verdicts->all[n++] = verdicts->all[v];
    else
      json_object_put (verdicts->all[v].members);
  verdicts->n = n;
}

/* Keep of VERDICTS those of PLACE's file.  False: there are none, or of several files, which was said.  */
static bool
keep_file (struct pg_verdicts *verdicts, const struct pg_place *place)
{
  size_t best = 0;
  for (size_t v = 0; v < verdicts->n; v++)
    {
      size_t rank = pg_place_rank (place, verdicts->all[v].file);
      best = rank > best ? rank : best;
    }
  if (best == 0)
    {
      pg_say ("%.*s: no loop of that file; there are some of %s", (int) place->file_len, place->file,
	      verdicts->all[0].file);
      return false;
    }
  keep_rank (verdicts, place, best);
  for (size_t v = 1; v < verdicts->n; v++)
    if (strcmp (verdicts->all[v].file, verdicts->all[0].file) != 0)
      {
	pg_say ("%.*s: may be %s or %s: say more of the path", (int) place->file_len, place->file,
		verdicts->all[0].file, verdicts->all[v].file);
	return false;
      }
  return true;
}

/* Does one of the loops of VERDICTS, which are of one file, begin at LINE?  */
static bool
has_line (const struct pg_verdicts *verdicts, int64_t line)
{
  for (size_t v = 0; v < verdicts->n; v++)
    if (verdicts->all[v].line == line)
      return true;
  return false;
}

/* Say that no loop begins at LINE, and which ones are next to it, in order.  */
static void
say_nearest (const struct pg_verdicts *verdicts, int64_t line)
{
  const struct pg_loop_verdict *before = NULL, *after = NULL;
  for (size_t v = 0; v < verdicts->n; v++)
    if (verdicts->all[v].line < line)
      before = &verdicts->all[v];
    else if (after == NULL)
      after = &verdicts->all[v];
  char next[2][256] = { "", "" };
  if (before != NULL)
    snprintf (next[0], sizeof next[0], "%lld (%s)", (long long) before->line, before->function);
  if (after != NULL)
    snprintf (next[1], sizeof next[1], "%lld (%s)", (long long) after->line, after->function);
  pg_say ("%s:%lld: no loop begins there; the nearest: line %s%s%s", verdicts->all[0].file, (long long) line, next[0],
	  before != NULL && after != NULL ? " and line " : "", next[1]);
}

static void
label (const char *text)
{
  printf ("  %-*s", LABEL_LEN, text);
}

/* Say what becomes of VERDICT's loop.  */
static void
show_fate (const struct pg_loop_verdict *verdict)
{
  int64_t threshold = pg_verdict_number (verdict, "threshold");
  bool is_possibly = strcmp (verdict->klass, "possibly parallel") == 0;
  printf ("%s:%lld: %s: %s, ", verdict->file, (long long) verdict->line, verdict->function, verdict->klass);
  if (threshold < 0)
    puts ("stays as it is");
  else
    printf ("handed over from %lld iterations on%s\n", (long long) threshold,
	    is_possibly ? ", and checked when it runs" : "");
}

/* Say why VERDICT is what it is, where, and what to do.  */
static void
show_reason (const struct pg_loop_verdict *verdict)
{
  const char *text = pg_verdict_text (verdict, "text"), *detail = pg_verdict_text (verdict, "detail");
  const char *remedy = pg_verdict_text (verdict, "remedy"), *inlined_from = pg_verdict_text (verdict, "detail_file");
  const char *file = inlined_from != NULL ? inlined_from : verdict->file;
  int64_t line = pg_verdict_number (verdict, "detail_line");
  label ("why");
  printf ("%s%s%s%s%s\n", verdict->reason, text != NULL ? ": " : "", text != NULL ? text : "",
	  detail != NULL ? ": " : "", detail != NULL ? detail : "");
  if (line > 0 && (line != verdict->line || inlined_from != NULL))
    {
      label ("where");
      printf ("%s:%lld\n", file, (long long) line);
      pg_source_show (file, line, verdict->last_change, TEXT_AT);
    }
  label ("to do");
  puts (remedy != NULL && *remedy != '\0' ? remedy : "nothing");
}

/* Say what VERDICT's loop is handed over without, if anything.  */
static void
show_without (const struct pg_loop_verdict *verdict)
{
  const char *without = pg_verdict_text (verdict, "without"), *file = pg_verdict_text (verdict, "switch_file");
  if (without == NULL)
    return;
  label ("unless");
  printf ("%s%s%lld asks for %s: then it runs as it was\n", file != NULL ? file : "line", file != NULL ? ":" : " ",
	  (long long) pg_verdict_number (verdict, "switch_line"), without);
}

/* Say which loops are in that of VERDICT, if any.  */
static void
show_nest (const struct pg_verdicts *verdicts, const struct pg_loop_verdict *verdict)
{
  struct json_object *nest = pg_verdict_list (verdict, "nest");
  size_t n = nest != NULL ? json_object_array_length (nest) : 0, n_shown = 0;
  for (size_t i = 1; i < n; i++)
    {
      int64_t line = json_object_get_int64 (json_object_array_get_idx (nest, i));
      if (!has_line (verdicts, line))
	continue;
      if (n_shown == 0)
	label ("nest");
      printf ("%s %lld", n_shown++ == 0 ? "with line" : ",", (long long) line);
    }
  if (n_shown > 0)
    putchar ('\n');
}

/* The text NAME of REFERENCE, or OTHERWISE.  */
static const char *
text_of (struct json_object *reference, const char *name, const char *otherwise)
{
  struct json_object *member = json_object_object_get (reference, name);
  return json_object_is_type (member, json_type_string) ? json_object_get_string (member) : otherwise;
}

/* What is to be said of where REFERENCE is.  */
static const char *
place_of (struct json_object *reference)
{
  const char *form = text_of (reference, "form", "");
  return strcmp (form, "opaque") == 0            ? ", where is known only when it runs"
	 : strcmp (form, "work-array") == 0      ? ", of which each thread has its own"
	 : strcmp (form, "array-reduction") == 0 ? ", of which each thread has its own, combined in the end"
						 : "";
}

/* A reference, to be put in order.  */
struct told
{
  const char *file; /* "": that of the loop */
  int64_t line;
  char text[512];
};

/* Order by file, line, text: for qsort.  */
static int
compare (const void *a, const void *b)
{
  const struct told *told_a = a, *told_b = b;
  int order = strcmp (told_a->file, told_b->file);
  if (order == 0)
    order = (told_a->line > told_b->line) - (told_a->line < told_b->line);
  return order != 0 ? order : strcmp (told_a->text, told_b->text);
}

/* What is to be said of REFERENCE.  */
static struct told
told_of (struct json_object *reference)
{
  struct told told = { .file = text_of (reference, "file", ""),
		       .line = json_object_get_int64 (json_object_object_get (reference, "line")) };
  long long len = json_object_get_int64 (json_object_object_get (reference, "len"));
  snprintf (told.text, sizeof told.text, "%s of %s, %lld byte%s%s", text_of (reference, "access", "access"),
	    text_of (reference, "base", "something without a name"), len, len == 1 ? "" : "s", place_of (reference));
  return told;
}

/* Say what VERDICT's loop reads and writes, as far as that is known, line by line: what looks the same, once.  */
static void
show_references (const struct pg_loop_verdict *verdict)
{
  struct json_object *references = pg_verdict_list (verdict, "references");
  size_t n = references != NULL ? json_object_array_length (references) : 0;
  struct told *all = calloc (n + 1, sizeof *all);
  for (size_t i = 0; all != NULL && i < n; i++)
    all[i] = told_of (json_object_array_get_idx (references, i));
  if (all != NULL && n > 0)
    qsort (all, n, sizeof *all, compare);
  for (size_t i = 0; all != NULL && i < n; i++)
    if (i == 0 || compare (&all[i - 1], &all[i]) != 0)
      {
	label (i == 0 ? "memory" : "");
	printf ("%s%s%lld: %s\n", *all[i].file != '\0' ? all[i].file : "line", *all[i].file != '\0' ? ":" : " ",
		(long long) all[i].line, all[i].text);
      }
  free (all);
}

/* Say why VERDICT's loop has no kernel, where one was asked for.  */
static void
show_kernel (const struct pg_loop_verdict *verdict)
{
  const char *kernel = pg_verdict_text (verdict, "kernel");
  for (size_t r = 0; kernel != NULL && r < sizeof lift_reasons / sizeof *lift_reasons; r++)
    if (strcmp (lift_reasons[r].name, kernel) == 0)
      {
	label ("kernel");
	printf ("%s%s\n", r == 0 ? "" : "none: ", lift_reasons[r].text);
      }
}

static void
show (const struct pg_verdicts *verdicts, const struct pg_loop_verdict *verdict)
{
  show_fate (verdict);
  pg_source_show (verdict->file, verdict->line, verdict->last_change, TEXT_AT);
  show_reason (verdict);
  show_without (verdict);
  show_nest (verdicts, verdict);
  show_references (verdict);
  show_kernel (verdict);
  label ("said by");
  puts (verdict->in);
}

/* Show those of VERDICTS that are at PLACE.  */
static int
show_place (struct pg_verdicts *verdicts, const struct pg_place *place)
{
  if (!keep_file (verdicts, place))
    return PG_EXIT_WRONG;
  pg_verdicts_sort (verdicts);
  if (place->line != 0 && !has_line (verdicts, place->line))
    {
      say_nearest (verdicts, place->line);
      return PG_EXIT_WRONG;
    }
  const char *between = "";
  for (size_t v = 0; v < verdicts->n; v++)
    if (place->line == 0 || verdicts->all[v].line == place->line)
      {
	fputs (between, stdout);
	show (verdicts, &verdicts->all[v]);
	between = "\n";
      }
  return PG_EXIT_OK;
}

int
pg_command_explain (int argc, char **argv)
{
  if (pg_command_next_option (PG_COMMAND_EXPLAIN, argc, argv) != PG_OPTIONS_END || optind == argc)
    return pg_command_wrong (PG_COMMAND_EXPLAIN, "no FILE");
  const struct pg_place place = pg_place_of (argv[optind++]);
  struct pg_verdicts verdicts = { 0 };
  bool is_read = optind < argc || pg_verdicts_read (&verdicts, ".");
  for (int a = optind; a < argc; a++)
    is_read &= pg_verdicts_read (&verdicts, argv[a]);
  int status = is_read ? show_place (&verdicts, &place) : PG_EXIT_WRONG;
  pg_verdicts_free (&verdicts);
  return status;
}
