/* SPDX-License-Identifier: MIT
   Which of N loops makes a test fail, by few runs of it.

   They stand in a row.  With none of them the test is said to pass, with all of them to fail: somewhere it turns, and
   halving what is left finds where.  The loop there is to blame; it is then tried alone, since it may take others.
   What was only said, and no run has shown yet, is tried, too, where a wrong answer would follow from it: the lists may
   not reach the test's programs.  N loops take log2 (N) runs, rounded up, and at most two more: one, if it is one loop
   that fails alone and N is not 1.  */
#ifndef PARAGON_CLI_BISECT_SEARCH_H
#define PARAGON_CLI_BISECT_SEARCH_H

#include <stddef.h>

enum pg_outcome
{
  PG_PASSES,
  PG_FAILS,
  PG_CANNOT_TELL /* whoever ran it has said why */
};

/* Run the test with loops FROM .. TO - 1 handed over, and no others.  */
typedef enum pg_outcome pg_bisect_test (void *data, size_t from, size_t to);

enum pg_blame
{
  PG_BLAME_ALONE,    /* it fails alone */
  PG_BLAME_TOGETHER, /* it fails with some of those before it */
  PG_BLAME_NONE,     /* it fails without any */
  PG_BLAME_UNSTEADY, /* it passes with all, or with those with which it failed */
  PG_BLAME_UNKNOWN   /* a run could not tell */
};

/* Find which of N loops, at least one, is to blame, *LOOP.  */
enum pg_blame pg_bisect_search (size_t n, pg_bisect_test *test, void *data, size_t *loop);

#endif
