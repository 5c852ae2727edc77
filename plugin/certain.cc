/* SPDX-License-Identifier: GPL-3.0-or-later
   Iterations that are certain to meet the next one, whatever the numbers are that are known on entry only.

       for (i = 0; i < n; i++)		iteration 2 reads x[j], j = 1, which iteration 1 writes; iteration 3 reads
	 for (j = 0; j < i; j++)	x[j], j = 2, which iteration 2 writes
	   x[i] -= a[i][j] * x[j];

   Two such pairs are found, by addresses that are the same polynomial in what is known on entry: so that there is more
   to it than that all iterations use what the first one makes.  Of inner loops the first and the last turns are
   tried; such whose numbers of turns are not known take one at least, or there is little to run anyway.  */

#include "judge.h"
#include "polynomial.h"

/* The numbers of the iterations in all dimensions of a reference.  */
struct turns
{
  struct pg_polynomial of[PG_MAX_DIMS];
};

/* The first of the iterations that are looked at: in those before, inner loops may be empty that grow with them.  */
static const int first_iteration = 1;

/* References in more inner loops than this are not looked at.  */
static const unsigned max_inner = 3;

/* Set VALUE to what LINEAR is in TURNS.  False if that gets too large.  */
static bool
evaluate (const struct pg_plan *plan, const struct pg_plan_linear &linear, const struct turns &turns,
	  struct pg_polynomial *value)
{
  bool is_small = pg_expand (plan, linear.base, true, value);
  for (unsigned d = 0; d < plan->dims.length () && is_small; d++)
    {
      struct pg_polynomial coef;
      is_small = linear.coef[d] < 0
		 || (pg_expand (plan, linear.coef[d], true, &coef) && pg_add_product (value, coef, turns.of[d], 1));
    }
  return is_small;
}

/* Store the inner loops around REF in DIMS, outer before inner, and return how many there are; more than MAX_INNER:
   they are not looked at.  */
static unsigned
inner_dims (const struct pg_plan *plan, const struct pg_plan_ref *ref, int *dims)
{
  unsigned n = 0;
  for (int d = ref->dim; d > 0; d = plan->dims[d].parent)
    n += plan->dims[d].counter >= 0 ? max_inner + 1 : 1;
  unsigned at = n;
  for (int d = ref->dim; d > 0 && n <= max_inner; d = plan->dims[d].parent)
    dims[--at] = d;
  return n;
}

/* Set TURN to the first of dimension DIM, or if IS_LAST the last one, in the other TURNS.  False if there is none, or
   it gets too large.  */
static bool
choose_turn (const struct pg_plan *plan, int dim, bool is_last, const struct turns &turns, struct pg_polynomial *turn)
{
  HOST_WIDE_INT number;
  struct pg_polynomial last;
  if (!evaluate (plan, plan->dims[dim].last, turns, &last))
    return false;
  if (pg_number_p (last, &number) && number < 0)
    return false;
  turn->n_terms = 0;
  return !is_last || pg_add (turn, last, 1);
}

/* Set ADDRESS to where REF is in iteration ITERATION of the plan's loop, in the last turn of its inner loop N if bit N
   of LASTS is set and the first otherwise.  False if there is no such turn.  */
static bool
place (const struct pg_plan *plan, const struct pg_plan_ref *ref, int iteration, unsigned lasts,
       struct pg_polynomial *address)
{
  int dims[max_inner];
  unsigned n = inner_dims (plan, ref, dims);
  struct turns turns = {};
  bool exists = pg_add_number (&turns.of[0], iteration);
  for (unsigned i = 0; i < n && exists; i++)
    exists = choose_turn (plan, dims[i], lasts >> i & 1, turns, &turns.of[dims[i]]);
  return exists && evaluate (plan, ref->address, turns, address);
}

/* True if A in iteration I of the plan's loop is where B is in iteration J.  */
static bool
meet_p (const struct pg_plan *plan, const struct pg_plan_ref *a, int i, const struct pg_plan_ref *b, int j)
{
  int dims[max_inner];
  unsigned n_a = inner_dims (plan, a, dims), n_b = inner_dims (plan, b, dims);
  if (n_a > max_inner || n_b > max_inner)
    return false;
  struct pg_polynomial of_a, of_b;
  HOST_WIDE_INT distance;
  for (unsigned lasts_a = 0; lasts_a < 1u << n_a; lasts_a++)
    for (unsigned lasts_b = 0; lasts_b < 1u << n_b && place (plan, a, i, lasts_a, &of_a); lasts_b++)
      if (place (plan, b, j, lasts_b, &of_b) && pg_add (&of_a, of_b, -1) && pg_number_p (of_a, &distance)
	  && distance == 0)
	return true;
  return false;
}

/* True if numbers tell where PLAN's reference REF is, in all iterations but such as counters may exclude.  */
static bool
counted_p (const struct pg_plan_ref *ref)
{
  return ref->flags & PG_REF_AFFINE && (ref->flags & PG_REF_USUAL || !(ref->flags & PG_REF_CONDITIONAL));
}

bool
pg_certainly_carried_p (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b)
{
  if (!counted_p (a) || !counted_p (b))
    return false;
  for (int i = first_iteration; i < first_iteration + 2; i++)
    if (!meet_p (plan, a, i, b, i + 1) && !meet_p (plan, b, i, a, i + 1))
      return false;
  return true;
}
