/* SPDX-License-Identifier: MIT
   Turns of an inner loop at one entry: may they run at once, and how many are there?  */
#ifndef PARAGON_TURNS_H
#define PARAGON_TURNS_H

#include "footprint.h"

struct pg_turns
{
  /* If an iteration accesses a place that it changes twice, then both times in one turn, both times behind the inner
     loop, or both times storing before it.  */
  bool are_free;
  int64_t most;  /* of an iteration; 0: not known */
  bool are_most; /* of what the iteration accesses; or it is not known */
};

/* Say of an entry with VIEW what *TURNS is for an inner loop, where STANDS says of each of the N_REFS references of the
   loop's kernel where its accesses stand (kir/nest.h).  */
void pg_turns_find (struct pg_turns *turns, const struct pg_view *view, const uint8_t *stands, uint32_t n_refs);

/* The same for the inner loops that can be spread (kir/spread.h), and what DEPTHS says of each reference
   (pg_kir_find_spread): they are free if a place that an iteration changes is accessed by turns of one and the same
   number only.  */
void pg_turns_find_spread (struct pg_turns *turns, const struct pg_view *view, const uint8_t *stands,
			   const uint8_t *depths, uint32_t n_refs);

#endif
