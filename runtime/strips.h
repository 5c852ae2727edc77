/* SPDX-License-Identifier: MIT
   Strips: iterations in whose order a part of them must run, and another part need not.

       for (i)  { for (j) t[i] += a[i][j] * x[j];  for (j) y[j] += a[i][j] * t[i]; }

	 thread 0:  free 0  ordered 0  free 2  ordered 2
	 thread 1:  free 1  .......... ordered 1  free 3

   Iterations are cut into strips.  Each is claimed by one thread, which runs the region's free part of it, waits until
   all strips before it are through, and runs its ordered part.  What is ordered is in memory that nothing else of the
   entry touches (L1 has seen that), so the free part of one strip may run beside the ordered part of any other.

   Protocol.

     claim	own = next++, relaxed: strips are claimed in order
     wait	until turn is own: an acquire
     pass	turn = own + 1, a release

   The strip whose turn it is has been claimed, by a thread that does not wait; so somebody always gets on.  What a
   strip's ordered part wrote is seen by the next one's, as that acquires what was released behind it, and so on.

   Source: OpenMP's ordered regions, for strips of iterations; the compiler takes loops apart (plugin/ordered.cc).  */
#ifndef PARAGON_STRIPS_H
#define PARAGON_STRIPS_H

#include "paragon_region.h"

#include <stdatomic.h>
#include <stdint.h>

struct pg_entry;

/* The strips of a run.  Zero: none has been.  */
struct pg_strips
{
  int64_t lo, hi, len;                  /* of the run; of a strip, in iterations */
  _Atomic int64_t joined_ns, joined_at; /* when a thread other than the caller began, with which iteration; or 0 */
  _Alignas(128) _Atomic int64_t next;   /* strip to be claimed */
  _Alignas(128) _Atomic int64_t turn;   /* strip whose ordered part is the next to run */
};

/* Run iterations of ENTRY from where it is up to HI, by N_JOBS jobs on the pool.  Requires: its region has an ordered
   part, its references are disjoint (PG_L1_DISJOINT), room for arguments of so many chunks.  Leaves it to its caller to
   say what is done.  What an iteration took, in picoseconds, once there was more than one thread: to wake another one
   takes long, but only at first.  */
int64_t pg_strips_run (struct pg_entry *entry, int64_t hi, int n_jobs);

#endif
