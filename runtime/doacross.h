/* SPDX-License-Identifier: MIT
   Doacross: iterations that need what earlier ones write run at the same time, one behind the other.

       for (i)  for (j)  a[i][j] = f (a[i-1][j+1], a[i][j-1]);

	 i	thread 0:  0 1 2 3 4 5 6 7		turns of j, in blocks
	 i + 1	thread 1:      0 1 2 3 4 5 6 7		each block waits for what it needs of the iterations before

   The region's doacross F says, before blocks of turns of the loops directly in the region's loop, what is done, and
   waits there until what the block needs is done, too.  What that is, follows from the numbers of the entry: a block
   touches bytes [L, E); an earlier iteration that is still under way touches with each reference bytes that are a
   linear function of the turn; the last turn that touches [L, E) has to be over.  References outside these loops, or
   not known better, count as the whole iteration.

   Protocol (testsuite/model/doacross.pml is a model of it).  Each thread has a slot: the iteration that it is at, and
   for each loop, how many turns of it are done.

     claim	done of all loops = 0; slot = claiming, a release; own = next++, both; slot = own, a release
     block	done of the loop = turn, a release; then for each other slot, until its iteration is not an
		earlier one, or has done what is needed: acquires; while it is claiming, that is not known
     iteration	the slot is claimed anew, a release: what was at it is over
     end	slot = none

   Who claims an iteration sees that the slots of all who claimed earlier ones are claiming, or what came after that: it
   may wait for nothing, for a moment, but never misses one.  What was done in an iteration that is over is read as
   less, never as more, as it is set to 0 before the slot moves on.  An iteration waits for earlier ones only, each of
   which is on a thread: the first of all that are under way waits for nobody.

   Source: Cytron, "Doacross: beyond vectorization for multiprocessors", ICPP 1986; what is needed is found when it
   runs, not by the compiler.  */
#ifndef PARAGON_DOACROSS_H
#define PARAGON_DOACROSS_H

#include "entry.h"

#include <stdbool.h>

/* Whether ENTRY, whose iterations conflict for all that L1 has found out, can run this way, and had better: not all of
   the loops in its own are free, as far as numbers tell.  Has what pg_doacross_run needs.  */
bool pg_doacross_prepare (struct pg_entry *entry);

/* Run iterations up to HI, on the pool as far as that is faster.  Requires: pg_doacross_prepare.  */
void pg_doacross_run (struct pg_entry *entry, int64_t hi);

#endif
