/* SPDX-License-Identifier: MIT
   The pilot: do the first two iterations of an entry begin by writing the same memory?

       for (k = 0; k < n_steps; k++)		    k = 0 writes x[at[0]], x[at[1]], ...
	 for (i = 0; i < n; i++)		    k = 1 writes x[at[0]]: they meet
	   x[at[i]] = ...

   Such a loop is better left to the original loop, in which its inner loops are regions of their own; but only before
   its first iteration has run, as there is no way back after.  To find that out takes some microseconds.  */
#ifndef PG_PILOT_H
#define PG_PILOT_H

#include "footprint.h"
#include "inspect.h"

/* Whether iterations 0 and 1 of VIEW's entry, of INSPECTOR's region, are found to meet.  False: they may not, or no
   memory.  Requires: pg_inspect_possible, two iterations.  Threads: runs the monitor on the calling one.  */
bool pg_pilot_meets (struct pg_inspector *inspector, const struct pg_view *view);

#endif
