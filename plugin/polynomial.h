/* SPDX-License-Identifier: GPL-3.0-or-later
   Polynomials in what a plan's entry expressions are made of: what can be said of addresses whatever is known on entry
   only, if nothing wraps around.  So they are good for what is likely, and, of nodes alone, for what the runtime
   computes, which takes nothing that wraps around.  They are small: functions return false, with nothing that is of
   use, where one gets too large.  */
#ifndef PARAGON_POLYNOMIAL_H
#define PARAGON_POLYNOMIAL_H

#include "plan.h"

enum
{
  PG_MOST_FACTORS = 4, /* of a term */
  PG_MOST_TERMS = 16   /* of a polynomial */
};

/* A number times leaves, in ascending order: SSA names by their versions, nodes that are something else behind.  */
struct pg_term
{
  HOST_WIDE_INT number;
  int n_leaves;
  int leaves[PG_MOST_FACTORS];
};

/* A sum of terms of which no two have the same leaves; their numbers may be 0.  */
struct pg_polynomial
{
  int n_terms;
  struct pg_term terms[PG_MOST_TERMS];

  const struct pg_term *begin () const
  {
    return terms;
  }
  const struct pg_term *end () const
  {
    return terms + n_terms;
  }
};

extern bool pg_same_leaves_p (const struct pg_term &a, const struct pg_term &b);

/* The number that TERM's leaves have in SUM.  */
extern HOST_WIDE_INT pg_number_in (const struct pg_polynomial &sum, const struct pg_term &term);

/* Add to SUM NUMBER, or SIGN times A, or SIGN times A times B.  */
extern bool pg_add_number (struct pg_polynomial *sum, HOST_WIDE_INT number);
extern bool pg_add (struct pg_polynomial *sum, const struct pg_polynomial &a, int sign);
extern bool pg_add_product (struct pg_polynomial *sum, const struct pg_polynomial &a, const struct pg_polynomial &b,
			    int sign);

/* Set SUM to node INDEX of PLAN, or 0 if there is none: it is below 0.  If ALL, also values from before the loop are
   what they are made of.  */
extern bool pg_expand (const struct pg_plan *plan, int index, bool all, struct pg_polynomial *sum);

/* True if SUM is a number whatever the leaves are: *NUMBER.  */
extern bool pg_number_p (const struct pg_polynomial &sum, HOST_WIDE_INT *number);

#endif
