/* SPDX-License-Identifier: MIT
   Parts of array reductions.  See array-parts.h.  */
#include "array-parts.h"
#include "budget.h"
#include "cursors.h"
#include "reduce.h"
#include "work-arrays.h"

#include <string.h>

enum
{
  ALIGN = 64,        /* an array of a part: neighbours share no cache line */
  MOST_LEN = 1 << 26 /* bytes of all parts */
};

static const int64_t most_len = (int64_t) 1 << 40; /* of an array */

/* An array of a region in a part.  */
struct place
{
  const struct pg_array_reduction *array;
  int64_t low; /* the program's */
  size_t at;   /* in the part */
  size_t len;
};

/* Are all references of GROUP, an array reduction of elements of LEN bytes, elements of one array of them?  */
static bool
in_phase (const struct pg_view *view, int group, int64_t len)
{
  int64_t base = 0;
  bool is_first = true;
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      const struct pg_form *address = &view->places[r].address;
      if (view->region->refs[r].group != group || view->places[r].is_never)
	continue;
      base = is_first ? address->base : base;
      is_first = false;
      if ((address->base - base) % len != 0 || view->region->refs[r].len != len)
	return false;
      for (uint32_t d = 0; d < view->region->n_dims; d++)
	if (address->coef[d] % len != 0)
	  return false;
    }
  return true;
}

/* Does nothing else of VIEW's entry touch what references of GROUP may touch, not even in the same iteration?  What no
   numbers tell of is known to be elsewhere.  */
static bool
is_apart (const struct pg_view *view, int group, int64_t low, int64_t end)
{
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      int64_t first, behind;
      if (view->region->refs[r].group == group || view->places[r].is_never || !view->places[r].is_affine)
	continue;
      pg_place_extent (view, r, 0, view->n_iters, &first, &behind);
      if (first < end && low < behind)
	return false;
    }
  return true;
}

/* Go on to array A of VIEW's region, A's place being behind PLACE's, or the first.  False: nobody knows how long it
   is, or it cannot have parts.  */
static bool
next_place (const struct pg_view *view, uint32_t a, struct place *place)
{
  int64_t end;
  size_t behind = a == 0 ? 0 : (place->at + place->len + ALIGN - 1) / ALIGN * ALIGN;
  place->array = &view->region->array_reductions[a];
  if (!pg_work_extent (view, place->array->group, &place->low, &end) || end - place->low > most_len)
    return false;
  place->at = behind;
  place->len = (size_t) (end - place->low);
  int64_t len = (int64_t) pg_reduce_len (place->array->type);
  return (end - place->low) % len == 0 && in_phase (view, place->array->group, len)
	 && is_apart (view, place->array->group, place->low, end);
}

int64_t
pg_parts_len (const struct pg_view *view)
{
  struct place place = { 0 };
  for (uint32_t a = 0; a < view->region->n_array_reductions; a++)
    if (!next_place (view, a, &place))
      return -1;
  return (int64_t) ((place.at + place.len + ALIGN - 1) / ALIGN * ALIGN);
}

bool
pg_has_cursors (const struct pg_region *region)
{
  bool has_cursors = false;
  for (uint32_t a = 0; a < region->n_array_reductions; a++)
    has_cursors |= region->array_reductions[a].is_carried != 0;
  return has_cursors;
}

bool
pg_cursors_decide (const struct pg_region *region)
{
  bool decide = false;
  for (uint32_t a = 0; a < region->n_array_reductions; a++)
    decide |= region->array_reductions[a].decides != 0;
  return decide;
}

int64_t
pg_parts_most (const struct pg_view *view)
{
  int64_t len = pg_parts_len (view), n = len > 0 ? MOST_LEN / len : INT64_MAX;
  return n - (pg_has_cursors (view->region) ? PG_CURSOR_PARTS : 0);
}

bool
pg_parts_reserve (struct pg_parts *parts, const struct pg_view *view, int n)
{
  n += pg_has_cursors (view->region) ? PG_CURSOR_PARTS : 0;
  int64_t len = pg_parts_len (view);
  if (len < 0 || len > MOST_LEN / n)
    return false;
  parts->stride = (size_t) len;
  char *memory = pg_budget_grow (parts->memory, &parts->len, (size_t) n * parts->stride + 1);
  parts->memory = memory;
  return memory != NULL;
}

/* PLACE's elements in part PART.  */
static char *
elements (const struct pg_parts *parts, const struct place *place, int64_t part)
{
  return parts->memory + (size_t) part * parts->stride + place->at;
}

/* Make part PART new of those of VIEW's arrays that are CARRIED, or of the others, and let ARGS point there.  */
static void
start (const struct pg_parts *parts, const struct pg_view *view, bool carried, int64_t part, void *args)
{
  struct place place = { 0 };
  for (uint32_t a = 0; a < view->region->n_array_reductions; a++)
    {
      uintptr_t pointer;
      next_place (view, a, &place);
      if ((place.array->is_carried != 0) != carried)
	continue;
      char *values = elements (parts, &place, part);
      pg_reduce_fill (place.array, values, place.len / pg_reduce_len (place.array->type));
      memcpy (&pointer, (char *) args + place.array->offset, sizeof pointer);
      pointer += (uintptr_t) values - (uintptr_t) place.low;
      memcpy ((char *) args + place.array->offset, &pointer, sizeof pointer);
    }
}

/* Combine part PART of those of VIEW's arrays that are CARRIED, or of the others, into the program's.  */
static void
take (const struct pg_parts *parts, const struct pg_view *view, bool carried, int64_t part)
{
  struct place place = { 0 };
  for (uint32_t a = 0; a < view->region->n_array_reductions; a++)
    {
      next_place (view, a, &place);
      if ((place.array->is_carried != 0) == carried)
	pg_reduce_merge (place.array, (void *) (uintptr_t) place.low, elements (parts, &place, part),
			 place.len / pg_reduce_len (place.array->type));
    }
}

void
pg_parts_start (const struct pg_parts *parts, const struct pg_view *view, int64_t part, void *args)
{
  start (parts, view, false, part, args);
}

void
pg_parts_take (const struct pg_parts *parts, const struct pg_view *view, int64_t part)
{
  take (parts, view, false, part);
}

void
pg_parts_tally (const struct pg_parts *parts, const struct pg_view *view, int64_t part, void *args)
{
  start (parts, view, true, part, args);
}

/* Whether steps of cursors of ARRAY are so few, by the tally, that no sum of them leaves its type.  */
static bool
are_few (const struct pg_array_reduction *array, int n, const int64_t *bounds, const char *chunks, size_t stride)
{
  int64_t left = pg_reduce_len (array->type) == sizeof (int64_t) ? INT64_MAX : INT32_MAX;
  for (int c = 0; c < n && left >= 0; c++)
    {
      struct pg_cursors made;
      memcpy (&made, chunks + (size_t) c * stride + array->cursors, sizeof made);
      if (bounds[c] < bounds[c + 1])
	left = made.total >= 0 && made.total <= left ? left - made.total : -1;
    }
  return left >= 0;
}

bool
pg_parts_begin (const struct pg_parts *parts, const struct pg_view *view, int n, const int64_t *bounds,
		const char *chunks, size_t stride, void *args)
{
  struct place place = { 0 };
  for (uint32_t a = 0; a < view->region->n_array_reductions; a++)
    {
      next_place (view, a, &place);
      struct pg_cursor_parts of_array
	= { elements (parts, &place, 0), parts->stride, place.len / pg_reduce_len (place.array->type), n, bounds };
      struct pg_cursors passed;
      if (!place.array->is_carried)
	continue;
      if (!are_few (place.array, n, bounds, chunks, stride)
	  || !pg_cursors_begin (place.array, &of_array, (const void *) (uintptr_t) place.low, &passed))
	return false;
      memcpy ((char *) args + place.array->cursors, &passed, sizeof passed);
    }
  return true;
}

void
pg_parts_finish (const struct pg_parts *parts, const struct pg_view *view, int n)
{
  take (parts, view, true, n);
}
