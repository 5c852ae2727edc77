/* SPDX-License-Identifier: MIT
   The verdict cache (step L2 of the check ladder): a macro-chunk once found clean stays clean as long as the numbers
   and the contents of memory that its addresses were computed from are the same.  */
#ifndef PG_VERDICT_H
#define PG_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect.h"

/* Is a macro-chunk from LO on known to be clean at this entry?  Sets *HI to its end.  Reads the index arrays once, in
   parallel on the pool.  Call it when all iterations below LO have been executed.  */
bool pg_verdict_holds (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t *hi);

/* Remember that [LO, HI) is clean.  Requires: the last call of pg_inspect on INSPECTOR was with these arguments and
   returned HI, and none of [LO, HI) has been executed since.  */
void pg_verdict_keep (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi);

#endif
