/* SPDX-License-Identifier: MIT
   Cooperative execution, the worker's side: an entry that the device runs, too, while the caller goes on with it.
   Paragon paper, s5.  The protocol is in testsuite/model/cooperate.pml.

     begin	ask the manager what the device would do
		-> when it knows: open a round
     take	before each piece of the loop: may the caller run it?  If the device was first, what it did is done
     end	nobody wants the device's result any more; what it takes may be wanted

   After a conflict, the caller goes on alone to the end of the chunk that has it, and opens another round there.  */
#ifndef PARAGON_COOPERATE_H
#define PARAGON_COOPERATE_H

#include <stdbool.h>
#include <stdint.h>

struct pg_entry;
struct pg_inspector;
struct pg_row;
struct pg_speculation;

enum pg_cooperates
{
  PG_COOPERATES_NOT,
  PG_COOPERATES_ASKED,  /* the manager is choosing */
  PG_COOPERATES_RACING, /* a round is open */
  PG_COOPERATES_APART   /* the caller is alone up to RESUME */
};

/* An entry's part in it.  */
struct pg_cooperation
{
  enum pg_cooperates phase;
  int64_t most_wait_ns;         /* for copies, all in all */
  int64_t learn_wait_ns;        /* and for the same at the end */
  struct pg_speculation **spec; /* the region's */
  uint64_t ticket;
  int64_t resume;
  int n_rounds;
  int64_t piece, looked; /* the length of the last piece, and when it was taken */
  struct pg_row *row;    /* the region's, in the statistics */
};

/* Begin for ENTRY, just opened.  *SPEC is the region's, NULL at first, *BOUNDS its inspector for bounds; in ROW each
   round is counted, and what keeps one from being opened.  Where the caller has to wait for copies, it does for
   MOST_WAIT_NS; and when its loop has ended, it waits for LEARN_WAIT_NS until all is copied, as kernels may then run,
   and tell what they take.  */
void pg_cooperate_begin (struct pg_entry *entry, struct pg_speculation **spec, struct pg_inspector **bounds,
			 struct pg_row *row, int64_t most_wait_ns, int64_t learn_wait_ns);

/* Where a piece of ENTRY that the caller runs alone ends, HI at most.  */
int64_t pg_cooperate_piece (struct pg_entry *entry, int64_t hi);

/* Before the iterations up to END are run: may they be?  If not, entry->done may have moved on, perhaps behind END.
   May wait.  */
bool pg_cooperate_take (struct pg_entry *entry, int64_t end);

/* ENTRY's loop has ended, or was left by a jump.  */
void pg_cooperate_end (struct pg_entry *entry);

#endif
