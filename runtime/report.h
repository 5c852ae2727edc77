/* SPDX-License-Identifier: MIT
   Files that are written when the process ends (PARAGON_STATS, PARAGON_TRACE).  Whatever goes wrong is said in one line
   on stderr, and is not the program's problem.  */
#ifndef PARAGON_REPORT_H
#define PARAGON_REPORT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct pg_report
{
  FILE *out;
  const char *what; /* it is, for the user */
  char path[PATH_MAX];
};

/* Begin REPORT, of WHAT, where WHERE says: "1" for stderr, else a file, %p in its name being the process id.  False: it
   cannot be opened.  Keeps a pointer to WHAT.  */
bool pg_report_begin (struct pg_report *report, const char *what, const char *where);

void pg_report_end (struct pg_report *report);

/* Write TEXT to OUT as a JSON string.  A byte that is not part of a character in UTF-8 counts as the character of that
   number.  */
void pg_report_string (FILE *out, const char *text);

#endif
