/* SPDX-License-Identifier: MIT
   Parts of array reductions.  See array-parts.h.  */
#include "array-parts.h"
#include "budget.h"
#include "reduce.h"
#include "work-arrays.h"

#include <string.h>

enum
{
  ALIGN = 64 /* an array of a part: neighbours share no cache line */
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

/* Go on to array A of VIEW's region, A's place being behind PLACE's, or the first.  False: nobody knows how long it
   is.  */
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
  return place->len % pg_reduce_len (place->array->type) == 0;
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
pg_parts_reserve (struct pg_parts *parts, const struct pg_view *view, int n)
{
  int64_t len = pg_parts_len (view);
  if (len < 0)
    return false;
  parts->stride = (size_t) len;
  char *memory = pg_budget_grow (parts->memory, &parts->len, (size_t) n * parts->stride + 1);
  parts->memory = memory;
  return memory != NULL;
}

void
pg_parts_start (const struct pg_parts *parts, const struct pg_view *view, int64_t part, void *args)
{
  struct place place = { 0 };
  for (uint32_t a = 0; a < view->region->n_array_reductions; a++)
    {
      uintptr_t pointer;
      next_place (view, a, &place);
      char *values = parts->memory + (size_t) part * parts->stride + place.at;
      pg_reduce_fill (place.array, values, place.len / pg_reduce_len (place.array->type));
      memcpy (&pointer, (char *) args + place.array->offset, sizeof pointer);
      pointer += (uintptr_t) values - (uintptr_t) place.low;
      memcpy ((char *) args + place.array->offset, &pointer, sizeof pointer);
    }
}

void
pg_parts_take (const struct pg_parts *parts, const struct pg_view *view, int64_t part)
{
  struct place place = { 0 };
  for (uint32_t a = 0; a < view->region->n_array_reductions; a++)
    {
      next_place (view, a, &place);
      pg_reduce_merge (place.array, (void *) (uintptr_t) place.low,
		       parts->memory + (size_t) part * parts->stride + place.at,
		       place.len / pg_reduce_len (place.array->type));
    }
}
