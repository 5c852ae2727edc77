/* SPDX-License-Identifier: MIT
   What the log is told of checks.  For a test that links with -Wl,--wrap=pg_log_write,
   and includes cmocka.h before.  */
#ifndef PARAGON_TEST_LOGGED_H
#define PARAGON_TEST_LOGGED_H

#include "log.h"

#include <stdio.h>

/* The last line.  */
static char logged[256];

__typeof__ (pg_log_write) __wrap_pg_log_write;

void
__wrap_pg_log_write (enum pg_log_category category, const char *format, ...)
{
  va_list more;
  va_start (more, format);
  vsnprintf (logged, sizeof logged, format, more);
  va_end (more);
  assert_int_equal (category, PG_LOG_CHECK);
}

#endif
