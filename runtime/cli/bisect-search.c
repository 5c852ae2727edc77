/* SPDX-License-Identifier: MIT
   The search.  See bisect-search.h.  */
#include "bisect-search.h"

#include <stdbool.h>

/* What a run says that should have ended as EXPECTED, or else BLAME follows; PG_BLAME_ALONE: as expected.  */
static enum pg_blame
expect (enum pg_outcome outcome, enum pg_outcome expected, enum pg_blame blame)
{
  return outcome == PG_CANNOT_TELL ? PG_BLAME_UNKNOWN : outcome == expected ? PG_BLAME_ALONE : blame;
}

/* The loop LOOP is the first of all, and HAS_FAILED says whether a run has shown that it fails alone.  */
static enum pg_blame
confirm_first (pg_bisect_test *test, void *data, bool has_failed)
{
  enum pg_blame blame = expect (test (data, 0, 0), PG_PASSES, PG_BLAME_NONE);
  if (blame == PG_BLAME_ALONE && !has_failed)
    blame = expect (test (data, 0, 1), PG_FAILS, PG_BLAME_UNSTEADY);
  return blame;
}

/* It passes without the loop LOOP, with all before it, which a run has shown.  HAS_FAILED: one has shown that it fails
   with it and these.  */
static enum pg_blame
confirm (size_t loop, pg_bisect_test *test, void *data, bool has_failed)
{
  enum pg_outcome alone = test (data, loop, loop + 1);
  if (alone == PG_FAILS)
    return PG_BLAME_ALONE;
  enum pg_blame blame = alone == PG_CANNOT_TELL ? PG_BLAME_UNKNOWN : PG_BLAME_ALONE;
  if (blame == PG_BLAME_ALONE && !has_failed)
    blame = expect (test (data, 0, loop + 1), PG_FAILS, PG_BLAME_UNSTEADY);
  return blame == PG_BLAME_ALONE ? PG_BLAME_TOGETHER : blame;
}

enum pg_blame
pg_bisect_search (size_t n, pg_bisect_test *test, void *data, size_t *loop)
{
  size_t passes = 0, fails = n; /* with so many of the first */
  while (fails - passes > 1)
    {
      size_t middle = passes + (fails - passes) / 2;
      enum pg_outcome outcome = test (data, 0, middle);
      if (outcome == PG_CANNOT_TELL)
	return PG_BLAME_UNKNOWN;
      *(outcome == PG_PASSES ? &passes : &fails) = middle;
    }
  *loop = passes;
  return passes == 0 ? confirm_first (test, data, fails < n) : confirm (passes, test, data, fails < n);
}
