/* SPDX-License-Identifier: MIT
   The verdict cache (step L2 of the check ladder): a macro-chunk once found clean stays clean as long as the numbers
   and the contents of memory that its addresses were computed from are the same.  */
#ifndef PG_VERDICT_H
#define PG_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "gate.h"
#include "inspect.h"

enum pg_known
{
  PG_KNOWN_NOT,
  PG_KNOWN_GATED,         /* clean, if a gate says that nothing was touched */
  PG_KNOWN_CHANGED,       /* what it was computed from is not the same any more */
  PG_KNOWN_CHANGED_AGAIN, /* nor was it the last time */
  PG_KNOWN_CLEAN
};

/* If there is a verdict about a macro-chunk from LO on, and the index arrays are watched, make GATE to ask whether they
   were touched, before chunks run, and set *HI to the macro-chunk's end.  False: that cannot be.  Call it when all
   iterations below LO have been executed.  */
bool pg_verdict_gate (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t *hi,
		      struct pg_gate *gate);

/* What is known at this entry about a macro-chunk from LO on, if there is no gate.  Sets *HI to its end, if there is a
   verdict.  Reads the index arrays once, in parallel on the pool, unless they are watched.  Call it likewise.  */
enum pg_known pg_verdict_find (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t *hi);

/* Remember that [LO, HI) is clean.  Requires: the last call of pg_inspect on INSPECTOR was with these arguments and
   returned HI, and none of [LO, HI) has been executed since.  Or the same of pg_inspect_bounds, which returned true:
   then the bounds are remembered.  An inspector is for one or the other.  */
void pg_verdict_keep (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi);

/* How often the verdict that the last search did not find was searched for before, at most 255.  */
int pg_verdict_n_before (const struct pg_inspector *inspector);

/* The iterations about which verdicts were searched for more than once, and never kept.  */
int64_t pg_verdict_wanted (const struct pg_inspector *inspector);

/* So many iterations that what is hashed for them fits in the threads' caches, and is there when they run, by the last
   verdict kept; 0: unknown.  */
int64_t pg_verdict_good_len (const struct pg_inspector *inspector);

#endif
