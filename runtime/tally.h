/* SPDX-License-Identifier: MIT
   The tally of a run: what its chunks begin with, where the loop carries scalars that it uses.

       chunk	   0: [0, 40)	 1: [40, 80)	2: [80, 120)
       tally	   n += 13	 n += 9		n += 21		all at once, each from 0
       begins with n = 5	 n = 18		n = 27		in order; behind the run, n = 48
       F	   out[5 .. 17]	 out[18 .. 26]	out[27 .. 47]	all at once

   The scalars may be elements of an array (cursors.h).  That two chunks do not meet is known only now, where a place
   depends on such a scalar: numbers are asked again.  */
#ifndef PARAGON_TALLY_H
#define PARAGON_TALLY_H

#include "entry.h"

/* Run the tally on the chunks of ENTRY's next run, up to HI, for which there is room, and have each ready for F.
   False: it is not known that iterations are free; nothing was changed but chunks.  */
bool pg_tally_run (struct pg_entry *entry, int64_t hi);

/* Leave the program's memory as the run does, which has run on all of the chunks.  */
void pg_tally_finish (struct pg_entry *entry);

#endif
