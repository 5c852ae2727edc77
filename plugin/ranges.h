/* SPDX-License-Identifier: GPL-3.0-or-later
   What the compiler knows about the integers that a loop computes, kept for F.  */
#ifndef PARAGON_RANGES_H
#define PARAGON_RANGES_H

#include "args.h"

/* STMT defines an integer that is, or for an anti-range, is not, in [LEAST, MOST], and has no bits but BITS.  Of
   live-ins it is known before STMT is there: they are in FIELD of the args.  */
struct pg_known_range
{
  gimple *stmt;
  unsigned field;
  enum value_range_kind kind;
  tree least, most;
  wide_int bits;
};

/* Note in KNOWN what is known of the integers of PLAN's loop that are the same in each iteration of F.  */
extern void pg_ranges_note (const struct pg_plan *plan, vec<struct pg_known_range> *known);

/* Note in KNOWN what is known of the live-ins of ARGS when PLAN's loop is entered.  This looks at the whole function,
   which must still be the user's: counts of iterations that are wrong for now would stay with the loops.  */
extern void pg_ranges_note_live_ins (const struct pg_plan *plan, const struct pg_args *args,
				     vec<struct pg_known_range> *known);

/* KNOWN is about live-ins: say where F has those of ARGS.  */
extern void pg_ranges_place_live_ins (const struct pg_args *args, vec<struct pg_known_range> *known);

/* Say so of the same statements, which are the current function's by now.  */
extern void pg_ranges_tell (const vec<struct pg_known_range> &known);

/* Forget all that is known of the integers of the current function: it may read what the program never would.  */
extern void pg_ranges_forget (void);

#endif
