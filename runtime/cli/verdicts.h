/* SPDX-License-Identifier: MIT
   What the plugin said about loops: one verdict each, as plugin/report.cc wrote it.  */
#ifndef PARAGON_CLI_VERDICTS_H
#define PARAGON_CLI_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct json_object;

struct pg_loop_verdict
{
  struct json_object *members; /* with these, which were looked at: */
  const char *file, *function, *klass, *reason;
  int64_t line;

  const char *in;              /* which input said it */
  struct timespec last_change; /* of that */
};

struct pg_verdicts
{
  struct pg_loop_verdict *all;
  size_t n, room;

  char **names; /* of inputs; all[].in points to them */
  size_t n_names;
};

/* Add to VERDICTS what PATH has: an object, a library, a program, a report, or a folder with such (but for reports, and
   what cannot be read).  False: it has none or cannot be read, which was said.  */
bool pg_verdicts_read (struct pg_verdicts *verdicts, const char *path);

/* Add to VERDICTS what PATH has, if it is an object, a library or a program with verdicts.  */
void pg_verdicts_search (struct pg_verdicts *verdicts, const char *path);

/* Add to VERDICTS what OBJECT says, by IN, which was changed last at LAST_CHANGE.  False: it is no verdict.  Takes
   OBJECT, keeps a pointer to IN.  */
bool pg_verdicts_add (struct pg_verdicts *verdicts, struct json_object *object, const char *in,
		      struct timespec last_change);

/* Put VERDICTS in order of file, line, column, depth.  What is said more than once is left once.  */
void pg_verdicts_sort (struct pg_verdicts *verdicts);

/* The number, the text, the list called NAME of VERDICT; -1, NULL, NULL: it has none.  */
int64_t pg_verdict_number (const struct pg_loop_verdict *verdict, const char *name);
const char *pg_verdict_text (const struct pg_loop_verdict *verdict, const char *name);
struct json_object *pg_verdict_list (const struct pg_loop_verdict *verdict, const char *name);

void pg_verdicts_free (struct pg_verdicts *verdicts);

#endif
