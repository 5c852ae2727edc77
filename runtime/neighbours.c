/* SPDX-License-Identifier: MIT
   Step L1 of the check ladder: iterations that conflict with the one before, whatever else is not known.

       for (i < n) for (j < n) for (k = i + 1; k < n; k++)	i and i + 1 meet in b[i + 1], for i + 1 < n: there is
	 b[i][j] += a[k][i] * b[k][j]				no run of free iterations

   Where trip counts differ, whether two references meet is known for no more than bounds of theirs.  But in one
   iteration of the region's loop, trip counts that depend on no other inner loop are known exactly, and of a loop that
   others' depend on, one turn can be looked at that gives them the most.  So a box of turns is found in which each is
   taken for certain, and the equation "same byte" has a solution in two boxes only if two real accesses meet; or would,
   where PG_REF_USUAL says no more than that they are likely.

   Iterations of affine references that conflict with the next one lie together, but for gaps of rounding: where they do
   a quarter, a half and three quarters of the way, there is nothing to be had.  */
#include "footprint.h"

/* Accesses of a reference: at BASE + any value of the sum of TERMS.  */
struct box
{
  int64_t base;
  int n_terms;
  struct pg_term terms[PG_MAX_DEPTH];
};

static bool
add_product (int64_t *sum, int64_t a, int64_t b)
{
  int64_t part;
  return !__builtin_mul_overflow (a, b, &part) && !__builtin_add_overflow (*sum, part, sum);
}

/* Set PIN[d], for the loops around DIM of VIEW's region, to +1 or -1 where only the last or first turn of D is to be
   looked at, because the trip counts of others depend on it.  */
static void
pin (const struct pg_view *view, int dim, int *pin)
{
  for (int d = dim; d > 0; d = view->region->dims[d].parent)
    for (int outer = 1; outer < d; outer++)
      if (pin[outer] == 0)
	pin[outer] = (view->levels[d].last.coef[outer] > 0) - (view->levels[d].last.coef[outer] < 0);
}

/* Set FROM and TO of the loops around DIM to turns that are taken in iteration ITER, all of them or those that PIN
   says.  False: there may be none.  */
static bool
find_turns (const struct pg_view *view, int dim, int64_t iter, const int *pin, int64_t *from, int64_t *to)
{
  if (dim == 0)
    {
      from[0] = to[0] = iter;
      return true;
    }
  const struct pg_form *form = &view->levels[dim].last;
  int64_t last = form->base;
  if (!form->known || view->levels[dim].is_loose
      || !find_turns (view, view->region->dims[dim].parent, iter, pin, from, to))
    return false;
  for (int outer = 0; outer < dim; outer++)
    if (!add_product (&last, form->coef[outer], from[outer]))
      return false;
  from[dim] = pin[dim] > 0 ? last : 0;
  to[dim] = pin[dim] < 0 ? 0 : last;
  return last >= 0;
}

/* Set *BOX to accesses that reference REF makes in iteration ITER.  False: there may be none.  */
static bool
find_box (const struct pg_view *view, uint32_t ref, int64_t iter, struct box *box)
{
  int pins[PG_MAX_DIMS] = { 0 }, dim = view->region->refs[ref].dim;
  int64_t from[PG_MAX_DIMS] = { 0 }, to[PG_MAX_DIMS] = { 0 };
  unsigned flags = view->region->refs[ref].flags;
  const struct pg_form *form = &view->places[ref].address;
  if (!view->places[ref].is_affine || (flags & (PG_REF_CONDITIONAL | PG_REF_USUAL)) == PG_REF_CONDITIONAL)
    return false;
  pin (view, dim, pins);
  if (!find_turns (view, dim, iter, pins, from, to))
    return false;
  *box = (struct box) { .base = form->base };
  for (int d = 0; d <= dim; d++)
    if (from[d] == to[d] ? !add_product (&box->base, form->coef[d], from[d]) : form->coef[d] == INT64_MIN)
      return false;
    else if (from[d] < to[d])
      box->terms[box->n_terms++] = (struct pg_term) { form->coef[d], from[d], to[d] };
  return true;
}

/* Is there a byte in both boxes, of references A and B?  */
static bool
boxes_meet (const struct pg_ref *a, const struct box *box_a, const struct pg_ref *b, const struct box *box_b)
{
  struct pg_term terms[2 * PG_MAX_DEPTH];
  int64_t delta = box_a->base - box_b->base; /* of two accesses: they lie within PG_LINE_LIMIT */
  int n = 0;
  for (int t = 0; t < box_a->n_terms; t++)
    terms[n++] = box_a->terms[t];
  for (int t = 0; t < box_b->n_terms; t++, n++)
    {
      terms[n] = box_b->terms[t];
      terms[n].coef = -terms[n].coef;
    }
  return pg_sum_hits (terms, n, 1 - a->len - delta, b->len - 1 - delta) == PG_ANSWER_YES;
}

/* Do iterations I and I + 1 conflict?  */
static bool
conflict_at (const struct pg_view *view, int64_t i)
{
  const struct pg_region *region = view->region;
  struct box box_a, box_b;
  for (uint32_t a = 0; a < region->n_refs; a++)
    if (find_box (view, a, i, &box_a))
      for (uint32_t b = 0; b < region->n_refs; b++)
	if (pg_pair_in_doubt (view, a, b) && find_box (view, b, i + 1, &box_b)
	    && boxes_meet (&region->refs[a], &box_a, &region->refs[b], &box_b))
	  return true;
  return false;
}

bool
pg_neighbours_conflict (const struct pg_view *view)
{
  for (int quarter = 1; quarter < 4; quarter++)
    if (view->n_iters < 2 || !conflict_at (view, (view->n_iters - 1) / 4 * quarter))
      return false;
  return true;
}
