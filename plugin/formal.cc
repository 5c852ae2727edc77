/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether iterations are likely to meet: as it would be if what is known on entry only, the lengths of rows for one,
   could be any number.

       for (j = 0; j < n; j++)
	 for (k = i + 1; k < m; k++)
	   b[i * ld + j] += a[i * la + k] * b[k * ld + j];

   Iterations j and j' meet in b if j + ld i = j' + ld k for some k > i.  For all ld that is so only if it is so of what
   has the factor ld and of what has not: j = j', and i = k, which is never.  In truth they also meet if j - j' is a
   multiple of ld, but rows are as long as j counts.

   Addresses are polynomials in the leaves of the entry expressions, in which n - 1 that was computed before the loop is
   one number: as n and 1 it would be two that make up for different things.  Numbers of iterations are not below 0,
   and may make up for a factor that they may reach.  When in doubt, iterations meet.  */

#include "judge.h"
#include "polynomial.h"

/* An address as polynomials; ITS reference is executed in some of the dimensions only.  */
struct address
{
  struct pg_polynomial base, coef[PG_MAX_DIMS];
};

static bool
expand_address (const struct pg_plan *plan, const struct pg_plan_linear &from, struct address *to)
{
  bool is_small = pg_expand (plan, from.base, false, &to->base);
  for (int d = 0; d < PG_MAX_DIMS; d++)
    is_small = is_small && pg_expand (plan, from.coef[d], false, &to->coef[d]);
  return is_small;
}

/* Add node INDEX of PLAN to SUM.  False if that gets too large.  */
static bool
add_expanded (const struct pg_plan *plan, int index, struct pg_polynomial *sum)
{
  struct pg_polynomial node;
  return pg_expand (plan, index, false, &node) && pg_add (sum, node, 1);
}

/* What the addresses of two references are made of.  */
struct pair
{
  struct address a, b;
  struct pg_polynomial lasts; /* the terms in numbers of iterations of inner loops */
};

static bool
factor_p (const struct address &address, int leaf)
{
  for (const struct pg_polynomial &coef : address.coef)
    for (const struct pg_term &term : coef)
      for (int i = 0; i < term.n_leaves; i++)
	if (term.leaves[i] == leaf)
	  return true;
  return false;
}

/* True if the number of an iteration may be about as large as QUOTIENT: if inner loops count so far, or no row is
   that long.  */
static bool
in_reach_p (const struct pair &pair, const struct pg_term &quotient)
{
  for (const struct pg_term &term : pair.lasts)
    if (pg_same_leaves_p (term, quotient))
      return true;
  for (int i = 0; i < quotient.n_leaves; i++)
    if (factor_p (pair.a, quotient.leaves[i]) || factor_p (pair.b, quotient.leaves[i]))
      return false;
  return true;
}

/* Set QUOTIENT to TERM without the leaves of DIVISOR.  False if it does not have them.  */
static bool
divide (const struct pg_term &term, const struct pg_term &divisor, struct pg_term *quotient)
{
  int at = 0;
  quotient->n_leaves = 0;
  for (int i = 0; i < term.n_leaves; i++)
    if (at < divisor.n_leaves && divisor.leaves[at] == term.leaves[i])
      at++;
    else
      quotient->leaves[quotient->n_leaves++] = term.leaves[i];
  return at == divisor.n_leaves;
}

/* What iterations may add to a term.  */
struct sway
{
  bool up, down, has_inner;
};

/* Note in SWAY what the iterations of dimension DIM, each COEF times SIGN, may add to TERM.  */
static void
note_sway (const struct pair &pair, const struct pg_term &term, const struct pg_polynomial &coef, int dim, int sign,
	   struct sway *sway)
{
  struct pg_term quotient;
  for (const struct pg_term &part : coef)
    if (part.number != 0 && divide (term, part, &quotient) && in_reach_p (pair, quotient))
      {
	sway->up |= (part.number > 0) == (sign > 0);
	sway->down |= (part.number > 0) != (sign > 0);
	sway->has_inner |= dim > 0 || quotient.n_leaves > 0;
      }
}

/* True if the addresses are not the same but in one iteration of the outermost loop, by what they say about the leaves
   of TERM.  */
static bool
keeps_apart_p (const struct pair &pair, const struct pg_term &term)
{
  struct sway sway = {};
  for (int d = 0; d < PG_MAX_DIMS; d++)
    {
      note_sway (pair, term, pair.a.coef[d], d, 1, &sway);
      note_sway (pair, term, pair.b.coef[d], d, -1, &sway);
    }
  HOST_WIDE_INT of_a = pg_number_in (pair.a.base, term), of_b = pg_number_in (pair.b.base, term);
  if (of_a != of_b)
    return !(of_a > of_b ? sway.down : sway.up);
  HOST_WIDE_INT outer = pg_number_in (pair.a.coef[0], term);
  return !sway.has_inner && outer != 0 && outer == pg_number_in (pair.b.coef[0], term);
}

/* True if a term of SUM keeps the addresses of PAIR apart.  */
static bool
any_keeps_apart_p (const struct pair &pair, const struct pg_polynomial &sum)
{
  for (const struct pg_term &term : sum)
    if (keeps_apart_p (pair, term))
      return true;
  return false;
}

/* True if A and B, of different inner loops maybe, are in step in the plan's loop: each of its iterations begins with
   both at one place, and where they go from there differs as rows of one array do.  */
static bool
in_step_p (const struct pg_plan_linear &a, const struct pg_plan_linear &b)
{
  return a.base == b.base && a.coef[0] == b.coef[0];
}

bool
pg_likely_carried_p (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b)
{
  if (in_step_p (a->address, b->address))
    return false;
  struct pair pair;
  pair.lasts.n_terms = 0;
  bool is_small = a->flags & b->flags & PG_REF_AFFINE && expand_address (plan, a->address, &pair.a)
		  && expand_address (plan, b->address, &pair.b);
  for (unsigned d = 1; d < plan->dims.length (); d++)
    is_small = is_small && add_expanded (plan, plan->dims[d].last.base, &pair.lasts);
  return !is_small
	 || !(any_keeps_apart_p (pair, pair.a.base) || any_keeps_apart_p (pair, pair.b.base)
	      || any_keeps_apart_p (pair, pair.a.coef[0]) || any_keeps_apart_p (pair, pair.b.coef[0]));
}
