/* SPDX-License-Identifier: GPL-3.0-or-later
   Cycles: ways of one associative operation from a value to what replaces it, through merges and inner loops.

       s = PHI <init, s'>;  ...  t = PHI <s, s + x>;  ...  s' = t + y;		from s to s'
       s = a[k];  ...  t = PHI <s, s + x>;  ...  a[k] = t;			from s to t  */
#ifndef PARAGON_CYCLE_H
#define PARAGON_CYCLE_H

#include "judge.h"

/* One walk over a candidate cycle.  */
struct pg_cycle
{
  const struct pg_plan *plan;
  bool seen_op;
  enum pg_reduction_op op;
  auto_vec<tree> names;          /* SSA names on the cycle, the one that it starts from first */
  auto_vec<gimple *> operations; /* integer statements that may overflow */
};

/* True if VALUE is the name that C starts from, or comes from it by C's operation on every path in the loop.  A failed
   attempt on one operand may leave names behind; then their uses are checked for nothing, which can only refuse.  */
extern bool pg_cycle_reaches (struct pg_cycle *c, tree value);

/* True if NAME, on C, is made of two of C's.  */
extern bool pg_cycle_doubles_p (const struct pg_cycle *c, tree name);

/* True if C's operation is minimum or maximum.  */
extern bool pg_cycle_orders_p (const struct pg_cycle *c);

/* True if C's operation is one of values of TYPE.  Minimum and maximum see the sign: no conversion between signed and
   unsigned may lie on C.  */
extern bool pg_cycle_suits_type_p (const struct pg_cycle *c, const_tree type);

#endif
