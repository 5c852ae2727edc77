/* SPDX-License-Identifier: MIT
   Pairs of references that numbers and ranges leave open, and the areas of cells in which they are compared.

       y[idx[i]] += a * x[i]	    pairs (y, y), (y, x), (y, idx); ranges apart: (y, x) and (y, idx) are closed;
				    (y, y) stays: one area, cells of 8 bytes over y's range

   What an affine reference touches is known by its numbers, well enough for its range, so it is not traced.

   References form areas: if a may meet b and b may meet c, one area serves the three.  Its cells are as large as the
   common alignment of all touches of its references allows, so cells meet iff bytes do.  It spans what is written; a
   read outside meets nothing.  Areas are somewhat larger than needed, so that the next macro-chunk fits too.  */
#include "layout.h"

#include <string.h>

enum
{
  MAX_SHIFT = 12, /* the largest cell: a multiple of it leaves the alignment of an area as it is */
  TRACE_ROLES = PG_ROLE_TRACE | PG_ROLE_FEED | PG_ROLE_RUNS
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

bool
pg_layout_open (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = view->region;
  bool any = false;
  memset (inspector->open, 0, ((size_t) region->n_refs * region->n_refs + 7) / 8);
  for (uint32_t a = 0; a < region->n_refs; a++)
    {
      uint8_t flags = region->refs[a].flags;
      bool is_unknown_feed = (flags & PG_REF_FEEDS) && !is_known_run (view, a);
      bool is_unknown_write = (flags & PG_REF_WRITE) && !view->places[a].is_affine;
      inspector->roles[a].what &= (uint8_t) ~(PG_ROLE_TRACE | PG_ROLE_FEED);
      if (is_unknown_feed || is_unknown_write)
	inspector->roles[a].what |= PG_ROLE_TRACE;
      if (flags & PG_REF_FEEDS)
	inspector->roles[a].what |= PG_ROLE_FEED;
    }
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

/* Set the totals of references that are not traced to what numbers say.  */
static void
fill_in_totals (struct pg_inspector *inspector, const struct pg_view *view)
{
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      const struct pg_place *place = &view->places[r];
      int64_t low, end;
      if ((inspector->roles[r].what & PG_ROLE_TRACE) || !place->is_affine || place->is_never)
	continue;
      pg_place_extent (view, r, inspector->lo, inspector->hi, &low, &end);
      struct pg_trace *total = &inspector->totals[r];
      total->low = (uintptr_t) low;
      total->end = (uintptr_t) end;
      total->bits = (uintptr_t) (place->address.base | view->region->refs[r].len);
      for (int d = 0; d < PG_MAX_DIMS; d++)
	total->bits |= (uintptr_t) place->address.coef[d];
    }
}

bool
pg_layout_close (struct pg_inspector *inspector, const struct pg_view *view)
{
  uint32_t n_refs = inspector->region->n_refs;
  bool any = false;
  fill_in_totals (inspector, view);
  for (uint32_t a = 0; a < n_refs; a++)
    for (uint32_t b = a; b < n_refs; b++)
      {
	size_t bit = (size_t) a * n_refs + b;
	const struct pg_trace *ta = &inspector->totals[a], *tb = &inspector->totals[b];
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

/* Does REF's role serve it as NEEDED, given all that it touched?  */
static bool
role_fits (const struct pg_inspector *inspector, uint32_t ref, uint8_t needed)
{
  const struct pg_role *role = &inspector->roles[ref];
  const struct pg_trace *total = &inspector->totals[ref];
  uintptr_t odd = total->bits & (((uintptr_t) 1 << role->shift) - 1);
  bool is_inside = total->low >= role->low && total->end <= role->end;
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

bool
pg_layout_adopt (struct pg_inspector *inspector)
{
  const struct pg_region *region = inspector->region;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      if (get_bit (inspector->open, (size_t) a * region->n_refs + b)
	  && (!role_fits (inspector, a, role_in_pair (region, a, b))
	      || !role_fits (inspector, b, role_in_pair (region, b, a))
	      || inspector->roles[a].area != inspector->roles[b].area))
	return false;
  for (uint32_t r = 0; r < region->n_refs; r++)
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

/* Give references their roles and areas, according to the open pairs.  */
static void
make_areas (struct pg_inspector *inspector)
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
      if (get_bit (inspector->open, (size_t) a * n_refs + b))
	{
	  uint32_t area_a = find_area (areas, a), area_b = find_area (areas, b);
	  areas[area_a > area_b ? area_a : area_b] = area_a < area_b ? area_a : area_b;
	  inspector->roles[a].what |= role_in_pair (region, a, b);
	  inspector->roles[b].what |= role_in_pair (region, b, a);
	}
}

/* Give AREA, the smallest of its references, its bytes and its cells.  */
static void
place_area (struct pg_inspector *inspector, uint32_t area)
{
  uint32_t n_refs = inspector->region->n_refs;
  struct pg_role *roles = inspector->roles;
  uintptr_t low = UINTPTR_MAX, end = 0, bits = (uintptr_t) 1 << MAX_SHIFT;
  for (uint32_t r = area; r < n_refs; r++)
    {
      const struct pg_trace *total = &inspector->totals[r];
      if (!(roles[r].what & ~TRACE_ROLES) || find_area (inspector->areas, r) != area)
	continue;
      bits |= total->bits;
      if (!(roles[r].what & PG_ROLE_MARK))
	continue;
      low = total->low < low ? total->low : low;
      end = total->end > end ? total->end : end;
    }
  if (end == 0)
    return;
  uintptr_t slack = (end - low) / 4 < MAX_SLACK ? (end - low) / 4 : MAX_SLACK;
  slack &= ~(((uintptr_t) 1 << MAX_SHIFT) - 1);
  low -= low > slack ? slack : 0;
  end += UINTPTR_MAX - end > slack ? slack : 0;
  uint8_t shift = (uint8_t) __builtin_ctzll (bits);
  for (uint32_t r = area; r < n_refs; r++)
    if ((roles[r].what & ~TRACE_ROLES) && find_area (inspector->areas, r) == area)
      roles[r] = (struct pg_role) {
	.low = low, .end = end, .first = inspector->n_cells, .area = area, .shift = shift, .what = roles[r].what
      };
  inspector->n_cells += (end - low) >> shift;
}

void
pg_layout_make (struct pg_inspector *inspector)
{
  inspector->n_cells = 0;
  make_areas (inspector);
  for (uint32_t area = 0; area < inspector->region->n_refs; area++)
    place_area (inspector, area);
}

bool
pg_layout_has_checks (const struct pg_inspector *inspector)
{
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    if (inspector->roles[r].what & PG_ROLE_CHECK)
      return true;
  return false;
}
