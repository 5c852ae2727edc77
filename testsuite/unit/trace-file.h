/* SPDX-License-Identifier: MIT
   The trace, in a file of the test's own, and what that has.  For tests of one process.  */
#ifndef PARAGON_TEST_TRACE_FILE_H
#define PARAGON_TEST_TRACE_FILE_H

#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char trace_path[] = "/tmp/paragon-test-trace-XXXXXX";
static char trace_text[1 << 20];

/* Have a trace, which has nothing yet.  Nonzero: no file.  */
static inline int
start_trace (void)
{
  int file = mkstemp (trace_path);
  if (file < 0)
    return -1;
  close (file);
  pg_trace_forget ();
  pg_trace_start (trace_path);
  return 0;
}

/* What the trace has goes into trace_text.  */
static inline void
read_trace (void)
{
  pg_trace_write (trace_path);
  FILE *file = fopen (trace_path, "r");
  assert_non_null (file);
  size_t len = fread (trace_text, 1, sizeof trace_text - 1, file);
  trace_text[len] = '\0';
  fclose (file);
}

/* No trace any more.  */
static inline int
end_trace (void **state)
{
  (void) state;
  pg_trace_start (NULL);
  unlink (trace_path);
  strcpy (trace_path + strlen (trace_path) - 6, "XXXXXX");
  return 0;
}

#endif
