/* SPDX-License-Identifier: MIT
   Step L1 of the check ladder: what numbers alone say about pairs of references.

       for (i < n) a[i + k] = a[i]	k >= n: apart as a whole; k == 0: different iterations never meet;
					else a conflict for certain, but any k consecutive iterations are free

   A pair of references, at least one of which writes, is settled if their bytes are apart as a whole; if windows of
   different iterations are apart; or if the equation "same byte" has no solution (depend.c).  The monitor runs ahead of
   the loop's writes, so for a read that feeds addresses, where the judge did not exclude that the loop writes what it
   reads, different iterations are not enough: the same iteration must be apart as well before an inspection can leave
   the pair out.  L1's own answer needs no monitor and asks for different iterations only.

   The same equation, with another distance, says whether a pair meets within an iteration, or in different turns of an
   inner loop.  */
#include "footprint.h"
#include "work-arrays.h"

/* A and B meet iff the sum of TERMS lies in [LOW, HIGH].  */
struct meeting
{
  struct pg_term terms[PG_MAX_TERMS]; /* [0] is the distance, its range to be filled in */
  int n_terms;
  int64_t low, high;
  bool is_exact; /* each solution is a real pair of accesses, if unconditional */
};

/* Have affine references A and B no byte in common within [LO, HI), as far as their extents show?  */
static bool
extents_apart (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi)
{
  int64_t low_a, end_a, low_b, end_b;
  if (view->places[a].is_never || view->places[b].is_never)
    return true;
  pg_place_extent (view, a, lo, hi, &low_a, &end_a);
  pg_place_extent (view, b, lo, hi, &low_b, &end_b);
  return end_a <= low_b || end_b <= low_a;
}

_Static_assert(2 * PG_MAX_DEPTH <= PG_MAX_TERMS, "the distance, another of the region's loop, two of each other one");

/* Append COEF * [FROM, TO].  */
static void
add_term (struct meeting *meeting, int64_t coef, int64_t from, int64_t to)
{
  if (coef != 0)
    meeting->terms[meeting->n_terms++] = (struct pg_term) { coef, from, to };
}

/* Does DIM enclose INNER, inclusive?  */
static bool
encloses (const struct pg_region *region, int dim, int inner)
{
  while (inner > dim)
    inner = region->dims[inner].parent;
  return inner == dim;
}

/* Add what dimension D, around both A and B, contributes besides the distance between its two numbers, of which A's is
   in [FIRST, LAST].  */
static bool
add_distance (struct meeting *meeting, const struct pg_form *form_a, const struct pg_form *form_b, int d, int64_t first,
	      int64_t last)
{
  int64_t slope;
  if (__builtin_sub_overflow (form_a->coef[d], form_b->coef[d], &slope))
    return false;
  meeting->is_exact &= slope == 0;
  add_term (meeting, slope, first, last);
  return true;
}

/* State in MEETING what it takes that A at one iteration i of [LO, HI) and B at i - distance touch a common byte:
   A's address - B's address in (-len of A, len of B).  The numbers of a common inner dimension are independent
   of each other; with equal coefficients only their difference counts.  If APART is not 0, the distance is one of that
   dimension, which is around both, and directly in the region's loop: the iteration is the same.  False: not known.  */
static bool
state_meeting (const struct pg_view *view, uint32_t a, uint32_t b, int apart, int64_t lo, int64_t hi,
	       struct meeting *meeting)
{
  const struct pg_region *region = view->region;
  const struct pg_form *form_a = &view->places[a].address, *form_b = &view->places[b].address;
  int64_t delta;
  if (__builtin_sub_overflow (form_a->base, form_b->base, &delta) || !pg_in_line_limit (delta))
    return false;
  meeting->low = 1 - region->refs[a].len - delta;
  meeting->high = region->refs[b].len - 1 - delta;
  meeting->is_exact = true;
  meeting->terms[0] = (struct pg_term) { form_b->coef[apart], 0, 0 };
  meeting->n_terms = 1;
  if (!add_distance (meeting, form_a, form_b, 0, lo, hi - 1)
      || (apart > 0 && !add_distance (meeting, form_a, form_b, apart, 0, view->levels[apart].most)))
    return false;

  for (int d = 1; d < (int) region->n_dims; d++)
    {
      const struct pg_level *level = &view->levels[d];
      bool around_a = encloses (region, d, region->refs[a].dim), around_b = encloses (region, d, region->refs[b].dim);
      if ((!around_a && !around_b) || d == apart)
	continue;
      meeting->is_exact &= level->is_bounded && level->least == level->most; /* runs: its references are not never */
      if ((!around_a || form_a->coef[d] == 0) && (!around_b || form_b->coef[d] == 0))
	continue;
      if (!level->is_bounded || form_b->coef[d] == INT64_MIN)
	return false;
      if (around_a && around_b && form_a->coef[d] == form_b->coef[d])
	add_term (meeting, form_a->coef[d], -level->most, level->most);
      else
	{
	  add_term (meeting, around_a ? form_a->coef[d] : 0, 0, level->most);
	  add_term (meeting, around_b ? -form_b->coef[d] : 0, 0, level->most);
	}
    }
  return true;
}

static enum pg_answer
meets_at (struct meeting *meeting, int64_t from, int64_t to)
{
  meeting->terms[0].from = from;
  meeting->terms[0].to = to;
  return pg_sum_hits (meeting->terms, meeting->n_terms, meeting->low, meeting->high);
}

/* Can A and B, which move by different steps, touch a common byte in iterations of [LO, HI), A's being the later one,
   or the earlier?  Each of the two iterations has its range here, and nothing is asked of their distance.  MEETING is
   theirs.  */
static enum pg_answer
meets_within (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi, bool is_later,
	      const struct meeting *meeting)
{
  struct meeting within = *meeting;
  within.terms[0] = (struct pg_term) { -view->places[b].address.coef[0], lo + !is_later, hi - 1 - is_later };
  within.terms[1] = (struct pg_term) { view->places[a].address.coef[0], lo + is_later, hi - 1 - !is_later };
  return pg_sum_hits (within.terms, within.n_terms, within.low, within.high);
}

/* Can A and B touch a common byte in iterations of [LO, HI) that are 1 .. REACH apart, A's being the later one, or the
   earlier?  MEETING is theirs.  */
static enum pg_answer
meets_in_order (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi, int64_t reach,
		bool is_later, struct meeting *meeting)
{
  enum pg_answer answer = is_later ? meets_at (meeting, 1, reach) : meets_at (meeting, -reach, -1);
  int64_t step_a = view->places[a].address.coef[0], step_b = view->places[b].address.coef[0];
  if (answer == PG_ANSWER_NO || step_a == step_b || step_b == INT64_MIN)
    return answer;
  return meets_within (view, a, b, lo, hi, is_later, meeting) == PG_ANSWER_NO ? PG_ANSWER_NO : answer;
}

/* Do A and B, whose places are known, keep to what their iteration has for its own?  */
static bool
own_apart (const struct pg_region *region, uint32_t a, uint32_t b)
{
  return (region->refs[a].flags & region->refs[b].flags & PG_REF_OWN) && region->refs[a].group == region->refs[b].group;
}

/* Can A and B touch a common byte in iterations of [LO, HI) that are 1 .. REACH apart?  */
static enum pg_answer
pair_meets (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi, int64_t reach)
{
  const struct pg_place *place_a = &view->places[a], *place_b = &view->places[b];
  struct meeting meeting;
  if (reach > hi - lo - 1)
    reach = hi - lo - 1;
  if (reach < 1 || place_a->is_never || place_b->is_never)
    return PG_ANSWER_NO;
  if (!place_a->is_affine || !place_b->is_affine)
    return PG_ANSWER_UNKNOWN;
  if (own_apart (view->region, a, b) || extents_apart (view, a, b, lo, hi)
      || pg_windows_apart (&place_a->window, &place_b->window, lo, hi, reach))
    return PG_ANSWER_NO;
  if (!state_meeting (view, a, b, 0, lo, hi, &meeting))
    return PG_ANSWER_UNKNOWN;
  enum pg_answer later = meets_in_order (view, a, b, lo, hi, reach, true, &meeting);
  enum pg_answer earlier = a == b ? PG_ANSWER_NO : meets_in_order (view, a, b, lo, hi, reach, false, &meeting);
  if (later == PG_ANSWER_NO && earlier == PG_ANSWER_NO)
    return PG_ANSWER_NO;
  bool is_sure = meeting.is_exact && (later == PG_ANSWER_YES || earlier == PG_ANSWER_YES)
		 && !((view->region->refs[a].flags | view->region->refs[b].flags) & PG_REF_CONDITIONAL);
  return is_sure ? PG_ANSWER_YES : PG_ANSWER_UNKNOWN;
}

bool
pg_pair_apart_in_iteration (const struct pg_view *view, uint32_t a, uint32_t b)
{
  struct meeting meeting;
  if (view->places[a].is_never || view->places[b].is_never)
    return true;
  if (!view->places[a].is_affine || !view->places[b].is_affine)
    return false;
  return extents_apart (view, a, b, 0, view->n_iters)
	 || (state_meeting (view, a, b, 0, 0, view->n_iters, &meeting) && meets_at (&meeting, 0, 0) == PG_ANSWER_NO);
}

bool
pg_pair_apart_in_turns (const struct pg_view *view, uint32_t a, uint32_t b, int dim)
{
  struct meeting meeting;
  int64_t most = view->levels[dim].most;
  if (view->places[a].is_never || view->places[b].is_never)
    return true;
  if (!view->places[a].is_affine || !view->places[b].is_affine || !view->levels[dim].is_bounded)
    return false;
  return most < 1 || extents_apart (view, a, b, 0, view->n_iters)
	 || (state_meeting (view, a, b, dim, 0, view->n_iters, &meeting) && meets_at (&meeting, 1, most) == PG_ANSWER_NO
	     && meets_at (&meeting, -most, -1) == PG_ANSWER_NO);
}

/* Is one of A, B a value that the monitor reads, and the other a write that may come before?  */
static bool
may_be_stale (const struct pg_region *region, uint32_t a, uint32_t b)
{
  uint8_t flags_a = region->refs[a].flags, flags_b = region->refs[b].flags;
  return !(region->flags & PG_REGION_SLICE_STABLE)
	 && (((flags_a & PG_REF_FEEDS) && (flags_b & PG_REF_WRITE))
	     || ((flags_b & PG_REF_FEEDS) && (flags_a & PG_REF_WRITE)));
}

bool
pg_pair_matters (const struct pg_view *view, uint32_t a, uint32_t b)
{
  const struct pg_ref *refs = view->region->refs;
  return ((refs[a].flags | refs[b].flags) & PG_REF_WRITE) && (view->n_iters > 1 || may_be_stale (view->region, a, b))
	 && !(refs[a].group == refs[b].group && pg_is_work_group (view->region, refs[a].group));
}

bool
pg_pair_is_free (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi)
{
  return pair_meets (view, a, b, lo, hi, INT64_MAX) == PG_ANSWER_NO;
}

bool
pg_pair_in_doubt (const struct pg_view *view, uint32_t a, uint32_t b)
{
  size_t bit = a < b ? (size_t) a * view->region->n_refs + b : (size_t) b * view->region->n_refs + a;
  return !(view->settled[bit / 8] >> bit % 8 & 1) && pg_pair_matters (view, a, b);
}

bool
pg_pair_settled (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi)
{
  struct meeting meeting;
  if (view->places[a].is_never || view->places[b].is_never)
    return true;
  if (!view->places[a].is_affine || !view->places[b].is_affine)
    return false;
  if (extents_apart (view, a, b, lo, hi))
    return true;
  if (!may_be_stale (view->region, a, b))
    return pg_pair_is_free (view, a, b, lo, hi);
  return state_meeting (view, a, b, 0, lo, hi, &meeting)
	 && meets_at (&meeting, lo - hi + 1, hi - lo - 1) == PG_ANSWER_NO;
}

/* Does reference REF read from one place, for all that is known, and may the entry's numbers be computed from what it
   reads?  */
static bool
steers (const struct pg_view *view, uint32_t ref)
{
  const struct pg_form *address = &view->places[ref].address;
  bool moves = false;
  for (uint32_t d = 0; d < view->region->n_dims; d++)
    moves |= view->places[ref].is_affine && address->coef[d] != 0;
  return (view->region->refs[ref].flags & PG_REF_FEEDS) && (view->region->refs[ref].flags & PG_REF_AFFINE) && !moves;
}

bool
pg_numbers_may_change (const struct pg_view *view)
{
  const struct pg_region *region = view->region;
  for (uint32_t a = 0; a < region->n_refs && !(region->flags & PG_REGION_SLICE_STABLE); a++)
    for (uint32_t b = 0; b < region->n_refs; b++)
      if (steers (view, a) && (region->refs[b].flags & PG_REF_WRITE) && !pg_pair_settled (view, a, b, 0, view->n_iters))
	return true;
  return false;
}

/* May the no-alias F run: have references of different groups, one of which writes, no byte in common?  A store may
   change within its own iteration what the numbers are computed from, and how far others reach.  */
static bool
groups_apart (const struct pg_view *view)
{
  const struct pg_region *region = view->region;
  if (!(region->flags & PG_REGION_ALL_AFFINE) || pg_numbers_may_change (view))
    return false;
  for (uint32_t a = 0; a < region->n_refs; a++)
    if (!view->places[a].is_affine)
      return false;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a + 1; b < region->n_refs; b++)
      if (region->refs[a].group != region->refs[b].group
	  && ((region->refs[a].flags | region->refs[b].flags) & PG_REF_WRITE)
	  && !extents_apart (view, a, b, 0, view->n_iters))
	return false;
  return true;
}

/* Ask about each pair of VIEW's references.  */
static enum pg_l1
ask_pairs (struct pg_view *view)
{
  const struct pg_region *region = view->region;
  enum pg_answer worst = PG_ANSWER_NO;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	size_t bit = (size_t) a * region->n_refs + b;
	if (!pg_pair_matters (view, a, b))
	  continue;
	enum pg_answer answer = pair_meets (view, a, b, 0, view->n_iters, INT64_MAX);
	if (answer == PG_ANSWER_UNKNOWN && view->places[a].is_affine && view->places[b].is_affine && view->effort > 0
	    && pg_pair_never_meets (view, a, b, 0, view->n_iters, &view->effort))
	  answer = PG_ANSWER_NO;
	if (may_be_stale (region, a, b) ? pg_pair_settled (view, a, b, 0, view->n_iters) : answer == PG_ANSWER_NO)
	  view->settled[bit / 8] |= (uint8_t) (1 << bit % 8);
	if (answer == PG_ANSWER_YES || worst == PG_ANSWER_NO)
	  worst = answer;
      }
  if (region->klass != PG_CLASS_PARALLEL && worst != PG_ANSWER_NO)
    return worst == PG_ANSWER_YES || pg_neighbours_conflict (view) ? PG_L1_CONFLICT : PG_L1_UNSETTLED;
  return groups_apart (view) ? PG_L1_DISJOINT : PG_L1_CLEAN;
}

enum pg_l1
pg_l1_check (struct pg_view *view)
{
  struct pg_asked *asked = &view->asked;
  if (!asked->was_asked || (asked->left <= 0 && asked->effort < view->effort))
    {
      asked->effort = view->effort;
      asked->verdict = ask_pairs (view);
      asked->left = view->effort;
      asked->was_asked = true;
    }
  view->is_checked = true;
  return asked->verdict;
}

bool
pg_view_all_settled (const struct pg_view *view)
{
  uint32_t n = view->region->n_refs;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a; b < n; b++)
      {
	size_t bit = (size_t) a * n + b;
	if (pg_pair_matters (view, a, b) && !(view->settled[bit / 8] >> bit % 8 & 1))
	  return false;
      }
  return true;
}

bool
pg_view_own_known (const struct pg_view *view)
{
  bool is_known = true;
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    is_known &= !(view->region->refs[r].flags & PG_REF_OWN) || view->places[r].is_affine;
  return is_known;
}

int64_t
pg_l1_window (const struct pg_view *view)
{
  const struct pg_region *region = view->region;
  int64_t reach = view->n_iters - 1;
  bool is_proven = region->klass == PG_CLASS_PARALLEL;
  for (uint32_t a = 0; a < region->n_refs && !is_proven && reach > 0; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	if (!pg_pair_matters (view, a, b) || pair_meets (view, a, b, 0, view->n_iters, reach) == PG_ANSWER_NO)
	  continue;
	if (pair_meets (view, a, b, 0, view->n_iters, 1) != PG_ANSWER_NO)
	  return 0;
	int64_t good = 1, bad = reach;
	while (bad - good > 1)
	  {
	    int64_t middle = good + (bad - good) / 2;
	    if (pair_meets (view, a, b, 0, view->n_iters, middle) == PG_ANSWER_NO)
	      good = middle;
	    else
	      bad = middle;
	  }
	reach = good;
      }
  return reach < 1 ? 0 : reach + 1;
}
