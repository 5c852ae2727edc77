/* SPDX-License-Identifier: MIT
   Pairs of references that numbers and ranges leave open, and the areas of cells in which they are compared.

       y[idx[i]] += a * x[i]	    pairs (y, y), (y, x), (y, idx); ranges apart: (y, x) and (y, idx) are closed;
				    (y, y) stays: one area, cells of 8 bytes over y's range

   What an affine reference touches is known by its numbers, well enough for its range, so it is not traced.

   References form areas: if a may meet b and b may meet c, one area serves the three.  Its cells are as large as the
   common alignment of all touches of its references allows, so cells meet iff bytes do.  It spans what is written; a
   read outside meets nothing.  Areas are somewhat larger than needed, so that the next macro-chunk fits too.

   A layout may be guessed before anything is traced: where numbers tell nothing, ranges are expected to go on as they
   did, from one job of the last inspection to the next, and reads that were never seen to be aligned.  Whether the
   guess was right shows in the traces.  */
#include "layout.h"
#include "watch.h"

#include <string.h>

enum
{
  MAX_SHIFT = 12,    /* the largest cell: a multiple of it leaves the alignment of an area as it is */
  MOST_GROWTH = 4,   /* an area that grows is not larger than so many times what is touched */
  PAGE_LEN = 4096,   /* or about so */
  PAGES_AN_ITER = 8, /* to ask about */
  TRACE_ROLES = PG_ROLE_TRACE | PG_ROLE_FEED | PG_ROLE_RUNS | PG_ROLE_JUMPS
};

#define MAX_SLACK ((uintptr_t) 1 << 20)

static bool
get_bit (const uint8_t *bits, size_t at)
{
  return bits[at / 8] >> at % 8 & 1;
}

/* Is what REF reads known by its numbers to be exactly its extent, with no page in it that it does not touch?  */
static bool
is_known_run (const struct pg_view *view, uint32_t ref)
{
  const struct pg_ref *entry = &view->region->refs[ref];
  const struct pg_place *place = &view->places[ref];
  return place->is_affine && entry->dim == 0 && entry->level == 0 && !(entry->flags & PG_REF_CONDITIONAL)
	 && place->address.coef[0] <= PG_DENSE_STEP && place->address.coef[0] >= -PG_DENSE_STEP;
}

/* To ask about a page is less work than to read a run again, and much less than to trace it.  */
bool
pg_layout_watches_pages (const struct pg_inspector *inspector, uint32_t ref, int64_t n_iters)
{
  const struct pg_range *range = &inspector->totals[ref];
  return inspector->may_watch && n_iters > inspector->few_iters
	 && (int64_t) ((range->end - range->low) / PAGE_LEN / PAGES_AN_ITER) <= n_iters;
}

/* Say what is to be traced for the verdict cache.  */
static void
open_feed (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = view->region;
  inspector->may_watch = inspector->caution != PG_WATCH_NO_PAGES && pg_watch_is_allowed ();
  for (uint32_t a = 0; a < region->n_refs; a++)
    {
      uint8_t flags = region->refs[a].flags;
      bool is_unknown_feed = (flags & PG_REF_FEEDS) && !is_known_run (view, a);
      bool is_unknown_write = (flags & PG_REF_WRITE) && !view->places[a].is_affine;
      inspector->roles[a].what &= (uint8_t) ~(PG_ROLE_TRACE | PG_ROLE_FEED | PG_ROLE_RUNS);
      if (is_unknown_feed || is_unknown_write)
	inspector->roles[a].what |= PG_ROLE_TRACE;
      if (flags & PG_REF_FEEDS)
	inspector->roles[a].what |= PG_ROLE_FEED;
      if ((inspector->roles[a].what & PG_ROLE_JUMPS) && !pg_layout_watches_pages (inspector, a, hi - lo))
	inspector->roles[a].what |= PG_ROLE_RUNS;
    }
}

void
pg_layout_open_all (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  open_feed (inspector, view, lo, hi);
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    inspector->roles[r].what |= view->places[r].is_affine ? 0 : PG_ROLE_TRACE;
}

bool
pg_layout_open (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = view->region;
  bool any = false;
  memset (inspector->open, 0, ((size_t) region->n_refs * region->n_refs + 7) / 8);
  open_feed (inspector, view, lo, hi);
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	size_t bit = (size_t) a * region->n_refs + b;
	if (!pg_pair_matters (view, a, b)
	    || (view->is_checked && (get_bit (view->settled, bit) || pg_pair_settled (view, a, b, lo, hi))))
	  continue;
	inspector->open[bit / 8] |= (uint8_t) (1 << bit % 8);
	inspector->roles[a].what |= view->places[a].is_affine ? 0 : PG_ROLE_TRACE;
	inspector->roles[b].what |= view->places[b].is_affine ? 0 : PG_ROLE_TRACE;
	any = true;
      }
  return any;
}

/* Set RANGES of references of which only numbers tell to what these say about [LO, HI).  */
static void
fill_in (struct pg_inspector *inspector, const struct pg_view *view, struct pg_range *ranges, int64_t lo, int64_t hi)
{
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      const struct pg_place *place = &view->places[r];
      int64_t low, end;
      if ((inspector->roles[r].what & PG_ROLE_TRACE) || !place->is_affine || place->is_never)
	continue;
      pg_place_extent (view, r, lo, hi, &low, &end);
      uintptr_t bits = (uintptr_t) (place->address.base | view->region->refs[r].len);
      for (uint32_t d = 0; d < view->region->n_dims; d++)
	bits |= (uintptr_t) place->address.coef[d];
      ranges[r] = (struct pg_range) { .low = (uintptr_t) low, .end = (uintptr_t) end, .bits = bits };
    }
}

bool
pg_layout_close (struct pg_inspector *inspector, const struct pg_view *view)
{
  uint32_t n_refs = inspector->region->n_refs;
  bool any = false;
  fill_in (inspector, view, inspector->totals, inspector->lo, inspector->hi);
  for (uint32_t a = 0; a < n_refs; a++)
    for (uint32_t b = a; b < n_refs; b++)
      {
	size_t bit = (size_t) a * n_refs + b;
	const struct pg_range *ta = &inspector->totals[a], *tb = &inspector->totals[b];
	if (!get_bit (inspector->open, bit))
	  continue;
	if (ta->end == 0 || tb->end == 0 || ta->end <= tb->low || tb->end <= ta->low)
	  inspector->open[bit / 8] &= (uint8_t) ~(1 << bit % 8);
	else
	  any = true;
      }
  return any;
}

/* What reference REF has to do in an area, with PARTNER as the other one of an open pair.  */
static uint8_t
role_in_pair (const struct pg_region *region, uint32_t ref, uint32_t partner)
{
  uint8_t flags = region->refs[ref].flags;
  uint8_t what = (flags & PG_REF_WRITE) ? PG_ROLE_MARK : PG_ROLE_CHECK;
  if ((flags & PG_REF_FEEDS) && (region->refs[partner].flags & PG_REF_WRITE)
      && !(region->flags & PG_REGION_SLICE_STABLE))
    what |= PG_ROLE_CHECK | PG_ROLE_EARLY;
  return what;
}

/* Does REF's role serve it as NEEDED, given all that it touches, TOTAL?  */
static bool
role_fits (const struct pg_inspector *inspector, uint32_t ref, const struct pg_range *total, uint8_t needed)
{
  const struct pg_ref_role *role = &inspector->roles[ref];
  uintptr_t odd = total->bits & (((uintptr_t) 1 << role->shift) - 1);
  bool is_inside = total->end == 0 || (total->low >= role->low && total->end <= role->end);
  return (role->what & needed) == needed && odd == 0 && (is_inside || !(role->what & PG_ROLE_MARK));
}

/* Is REF in an open pair?  */
static bool
is_open (const struct pg_inspector *inspector, uint32_t ref)
{
  uint32_t n_refs = inspector->region->n_refs;
  for (uint32_t other = 0; other < n_refs; other++)
    if (get_bit (inspector->open, (size_t) (ref < other ? ref : other) * n_refs + (ref < other ? other : ref)))
      return true;
  return false;
}

/* Does the layout serve all PAIRS, given what references touch, TOTALS?  */
static bool
layout_fits (const struct pg_inspector *inspector, const uint8_t *pairs, const struct pg_range *totals)
{
  const struct pg_region *region = inspector->region;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      if (get_bit (pairs, (size_t) a * region->n_refs + b)
	  && (!role_fits (inspector, a, &totals[a], role_in_pair (region, a, b))
	      || !role_fits (inspector, b, &totals[b], role_in_pair (region, b, a))
	      || inspector->roles[a].area != inspector->roles[b].area))
	return false;
  return true;
}

bool
pg_layout_adopt (struct pg_inspector *inspector)
{
  if (!layout_fits (inspector, inspector->open, inspector->totals))
    return false;
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    if (!is_open (inspector, r))
      inspector->roles[r].what &= TRACE_ROLES;
  return true;
}

/* The area of REF: the smallest reference that open pairs lead to.  */
static uint32_t
find_area (uint32_t *areas, uint32_t ref)
{
  while (areas[ref] != ref)
    ref = areas[ref] = areas[areas[ref]];
  return ref;
}

/* Give references their roles and areas, according to PAIRS.  */
static void
make_areas (struct pg_inspector *inspector, const uint8_t *pairs)
{
  const struct pg_region *region = inspector->region;
  uint32_t n_refs = region->n_refs, *areas = inspector->areas;
  for (uint32_t r = 0; r < n_refs; r++)
    {
      areas[r] = r;
      inspector->roles[r].what &= TRACE_ROLES;
    }
  for (uint32_t a = 0; a < n_refs; a++)
    for (uint32_t b = a; b < n_refs; b++)
      if (get_bit (pairs, (size_t) a * n_refs + b))
	{
	  uint32_t area_a = find_area (areas, a), area_b = find_area (areas, b);
	  areas[area_a > area_b ? area_a : area_b] = area_a < area_b ? area_a : area_b;
	  inspector->roles[a].what |= role_in_pair (region, a, b);
	  inspector->roles[b].what |= role_in_pair (region, b, a);
	}
}

/* What an area for LEN bytes has beyond them at either end; and what it has of that if all is LEN bytes.  */
static uintptr_t
slack_of (uintptr_t len)
{
  uintptr_t slack = len / 4 < MAX_SLACK ? len / 4 : MAX_SLACK;
  return slack & ~(((uintptr_t) 1 << MAX_SHIFT) - 1);
}

static uintptr_t
slack_in (uintptr_t len)
{
  return slack_of (len < 6 * MAX_SLACK ? len / 6 * 4 : len);
}

/* Give AREA, the smallest of its references, which touch TOTALS, its bytes and its cells.  An area in which no write is
   known about has none.  */
static void
place_area (struct pg_inspector *inspector, uint32_t area, const struct pg_range *totals)
{
  uint32_t n_refs = inspector->region->n_refs;
  struct pg_ref_role *roles = inspector->roles;
  uintptr_t low = UINTPTR_MAX, end = 0, bits = (uintptr_t) 1 << MAX_SHIFT;
  for (uint32_t r = area; r < n_refs; r++)
    {
      const struct pg_range *total = &totals[r];
      if (!(roles[r].what & ~TRACE_ROLES) || find_area (inspector->areas, r) != area)
	continue;
      bits |= total->bits;
      if (!(roles[r].what & PG_ROLE_MARK) || total->end == 0)
	continue;
      low = total->low < low ? total->low : low;
      end = total->end > end ? total->end : end;
    }
  for (uint32_t r = area; end == 0 && r < n_refs; r++)
    if ((roles[r].what & ~TRACE_ROLES) && find_area (inspector->areas, r) == area)
      roles[r].what &= TRACE_ROLES;
  if (end == 0)
    return;
  uintptr_t slack = slack_of (end - low);
  low -= low > slack ? slack : 0;
  end += UINTPTR_MAX - end > slack ? slack : 0;
  uint8_t shift = (uint8_t) __builtin_ctzll (bits);
  for (uint32_t r = area; r < n_refs; r++)
    if ((roles[r].what & ~TRACE_ROLES) && find_area (inspector->areas, r) == area)
      roles[r] = (struct pg_ref_role) {
	.low = low, .end = end, .first = inspector->n_cells, .area = area, .shift = shift, .what = roles[r].what
      };
  inspector->n_cells += (end - low) >> shift;
}

/* Does REF write bytes of its own in each iteration, for certain, which numbers tell?  */
static bool
is_sure_writer (const struct pg_view *view, uint32_t ref)
{
  const struct pg_ref *entry = &view->region->refs[ref];
  const struct pg_place *place = &view->places[ref];
  int64_t step = place->address.coef[0];
  return (entry->flags & PG_REF_WRITE) && !(entry->flags & PG_REF_CONDITIONAL) && place->is_affine && !place->is_never
	 && entry->dim == 0 && (step >= entry->len || step <= -entry->len);
}

/* Tell the readers of each area what their own iteration writes: to read that conflicts with no other one, unless that
   writes it, too, and then the two writes are found.  */
static void
note_own (struct pg_inspector *inspector, const struct pg_view *view)
{
  uint32_t n_refs = inspector->region->n_refs;
  struct pg_ref_role *roles = inspector->roles;
  for (uint32_t r = 0; r < n_refs; r++)
    {
      roles[r].own_len = 0;
      if ((roles[r].what & (PG_ROLE_CHECK | PG_ROLE_EARLY)) != PG_ROLE_CHECK)
	continue;
      for (uint32_t w = 0; w < n_refs && roles[r].own_len == 0; w++)
	if ((roles[w].what & PG_ROLE_MARK) && roles[w].area == roles[r].area && is_sure_writer (view, w))
	  {
	    roles[r].own_base = (uintptr_t) view->places[w].address.base;
	    roles[r].own_step = (uintptr_t) view->places[w].address.coef[0];
	    roles[r].own_len = (uintptr_t) view->region->refs[w].len;
	  }
    }
}

/* Make a layout for PAIRS of references that touch TOTALS.  */
static void
make_layout (struct pg_inspector *inspector, const uint8_t *pairs, const struct pg_range *totals)
{
  inspector->n_cells = 0;
  make_areas (inspector, pairs);
  for (uint32_t area = 0; area < inspector->region->n_refs; area++)
    place_area (inspector, area, totals);
}

void
pg_layout_make (struct pg_inspector *inspector, const struct pg_view *view)
{
  make_layout (inspector, inspector->open, inspector->totals);
  note_own (inspector, view);
}

/* AMOUNT in N_ITERS iterations is how much in N?  */
static intptr_t
share (intptr_t amount, int64_t n, int64_t n_iters)
{
  return (intptr_t) ((__int128) amount * n / n_iters);
}

/* What REF touches by the guess, RANGE, or if it stays, and marks in an area that is not far from RANGE but too small,
   a range that holds both: where the ends of a range come and go, the area soon holds what there is.  */
static struct pg_range
stay (const struct pg_inspector *inspector, uint32_t ref, struct pg_range range)
{
  const struct pg_ref_role *role = &inspector->roles[ref];
  if (inspector->n_cells == 0 || range.end == 0 || !inspector->drifts[ref].stays
      || (role->what & (PG_ROLE_TRACE | PG_ROLE_MARK)) != (PG_ROLE_TRACE | PG_ROLE_MARK))
    return range;
  bool is_inside = role->low <= range.low && range.end <= role->end;
  uintptr_t slack = slack_in (role->end - role->low), low = role->low + slack, end = role->end - slack;
  low = range.low < low ? range.low : low;
  end = range.end > end ? range.end : end;
  if (is_inside || (end - low) / MOST_GROWTH > range.end - range.low)
    return range;
  return (struct pg_range) { .low = low, .end = end, .bits = range.bits };
}

/* Guess what REF, which is traced, touches in [LO, HI), from the last inspection.  */
static struct pg_range
go_on (const struct pg_inspector *inspector, uint32_t ref, int64_t lo, int64_t hi)
{
  struct pg_range range = inspector->totals[ref];
  const struct pg_drift *drift = &inspector->drifts[ref];
  if (range.end == 0 || drift->n_iters == 0)
    return range;
  int64_t by_low = drift->low < 0 ? hi - inspector->hi : lo - inspector->lo;
  int64_t by_end = drift->end < 0 ? lo - inspector->lo : hi - inspector->hi;
  uintptr_t low = range.low + (uintptr_t) share (drift->low, by_low, drift->n_iters);
  uintptr_t end = range.end + (uintptr_t) share (drift->end, by_end, drift->n_iters);
  if (low < end)
    {
      /* Whatever it is of the last range, the alignment stays.  */
      uintptr_t align = range.bits == 0 ? 1 : range.bits & -range.bits;
      range.low = low & -align;
      range.end = (end + align - 1) & -align;
    }
  return range;
}

/* Do areas of the layout, for references that touch RANGES, consist of gaps?  Such are those of writes far apart that a
   read brought together of which nothing is known.  */
static bool
is_wasteful (const struct pg_inspector *inspector, const struct pg_range *ranges)
{
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    {
      const struct pg_ref_role *role = &inspector->roles[r];
      uintptr_t sum = 0;
      if (!(role->what & PG_ROLE_MARK))
	continue;
      for (uint32_t w = 0; w < inspector->region->n_refs; w++)
	if ((inspector->roles[w].what & PG_ROLE_MARK) && inspector->roles[w].area == role->area)
	  sum += ranges[w].end - ranges[w].low;
      if ((role->end - role->low) / 4 > sum + MAX_SLACK)
	return true;
    }
  return false;
}

/* Is an area of the layout much larger than what its references wrote of it in the last inspection?  A range does not
   go on for ever as it did.  */
static bool
is_too_large (const struct pg_inspector *inspector)
{
  uint32_t n_refs = inspector->region->n_refs;
  for (uint32_t r = 0; r < n_refs && inspector->has_totals; r++)
    {
      const struct pg_ref_role *role = &inspector->roles[r];
      uintptr_t low = UINTPTR_MAX, end = 0;
      for (uint32_t w = 0; w < n_refs && (role->what & PG_ROLE_MARK); w++)
	if ((inspector->roles[w].what & PG_ROLE_MARK) && inspector->roles[w].area == role->area
	    && inspector->totals[w].end != 0)
	  {
	    low = inspector->totals[w].low < low ? inspector->totals[w].low : low;
	    end = inspector->totals[w].end > end ? inspector->totals[w].end : end;
	  }
      if (low < end && (role->end - role->low) / 2 > end - low + 2 * MAX_SLACK)
	return true;
    }
  return false;
}

/* Do references A and B touch bytes apart from each other, by the guess?  One that was not touched in the last
   inspection will not be.  Before the first one, what is traced may be anywhere.  */
static bool
are_apart (const struct pg_inspector *inspector, uint32_t a, uint32_t b)
{
  const struct pg_range *first = &inspector->guess[a], *second = &inspector->guess[b];
  if (first->end == 0 || second->end == 0)
    return inspector->has_totals;
  return first->end <= second->low || second->end <= first->low;
}

void
pg_layout_guess (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = inspector->region;
  struct pg_range *guess = inspector->guess;
  for (uint32_t r = 0; r < region->n_refs; r++)
    guess[r]
      = (inspector->roles[r].what & PG_ROLE_TRACE) ? go_on (inspector, r, lo, hi) : (struct pg_range) { .end = 0 };
  fill_in (inspector, view, guess, lo, hi);
  memset (inspector->likely, 0, ((size_t) region->n_refs * region->n_refs + 7) / 8);
  bool any = false;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	size_t bit = (size_t) a * region->n_refs + b;
	if (!get_bit (inspector->open, bit) || are_apart (inspector, a, b))
	  continue;
	inspector->likely[bit / 8] |= (uint8_t) (1 << bit % 8);
	any = true;
      }
  if (!any || is_too_large (inspector))
    inspector->n_cells = 0;
  if (any && (inspector->n_cells == 0 || !layout_fits (inspector, inspector->likely, guess)))
    {
      for (uint32_t r = 0; r < region->n_refs; r++)
	guess[r] = stay (inspector, r, guess[r]);
      make_layout (inspector, inspector->likely, guess);
      if (is_wasteful (inspector, guess))
	inspector->n_cells = 0;
    }
  note_own (inspector, view);
}

bool
pg_layout_has_checks (const struct pg_inspector *inspector)
{
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    if (inspector->roles[r].what & PG_ROLE_CHECK)
      return true;
  return false;
}
