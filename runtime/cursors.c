/* SPDX-License-Identifier: MIT
   Cursors.  See cursors.h.

   They mostly lie in the order of what they pass, as where a sum over what each one gets made them; else that is
   sorted.  */
#include "cursors.h"
#include "budget.h"
#include "reduce.h"
#include "sort.h"

#include <string.h>

/* The two widths, without a sign: sums wrap.  */
#define SUMS(name, type)                                                         \
  static void add_##name (type *sum, const type *part, size_t length)            \
  {                                                                              \
    for (size_t i = 0; i < length; i++)                                          \
      sum[i] += part[i];                                                         \
  }                                                                              \
  /* Have PART, which adds something, begin with NOW, and NOW go on by that.  */ \
  static void begin_##name (type *now, type *part, size_t length)                \
  {                                                                              \
    for (size_t i = 0; i < length; i++)                                          \
      {                                                                          \
	type added = part[i];                                                    \
	part[i] = now[i];                                                        \
	now[i] += added;                                                         \
      }                                                                          \
  }

SUMS (narrow, uint32_t)
SUMS (wide, uint64_t)

/* What a cursor passes.  */
struct way
{
  int64_t low, end;
};

/* Element INDEX of VALUES, of TYPE.  */
static int64_t
value_at (int type, const void *values, size_t index)
{
  return type == PG_I32   ? ((const int32_t *) values)[index]
	 : type == PG_U32 ? (int64_t) ((const uint32_t *) values)[index]
			  : ((const int64_t *) values)[index];
}

/* Whether VALUE is one of TYPE, and of int64_t.  */
static bool
is_of (int type, int64_t value)
{
  switch (type)
    {
    case PG_I64:
      return true;
    case PG_U64:
      return value >= 0;
    case PG_U32:
      return value >= 0 && value <= UINT32_MAX;
    default:
      return value >= INT32_MIN && value <= INT32_MAX;
    }
}

/* Set WAY to what a cursor of TYPE passes that goes on from FIRST by ADDED.  False: it cannot be told.  */
static bool
find_way (int type, int64_t first, int64_t added, struct way *way)
{
  int64_t last;
  if (!is_of (type, first) || __builtin_add_overflow (first, added, &last) || !is_of (type, last))
    return false;
  *way = added > 0 ? (struct way) { first, last } : (struct way) { last, first };
  return true;
}

/* Whether way ONE begins before OTHER.  */
static bool
begins_before (const void *one, const void *other, const void *data)
{
  (void) data;
  return ((const struct way *) one)->low < ((const struct way *) other)->low;
}

/* Whether no two of N WAYS meet.  Sorts them.  */
static bool
are_apart (struct way *ways, size_t n)
{
  bool is_apart = true;
  pg_sort (ways, n, sizeof *ways, begins_before, NULL);
  for (size_t i = 1; i < n; i++)
    is_apart &= ways[i - 1].end <= ways[i].low;
  return is_apart;
}

/* Set NOW to the cursors of TYPE at VALUES that SUM, of LENGTH, moves, *ALL to what these pass, and if WAYS is no null
   pointer, that to each one's.  *IN_ORDER turns false if each does not pass what is behind those before it.  Return how
   many there are; or -1: it cannot be told.  */
static int64_t
find_ways (int type, const void *values, const void *sum, void *now, size_t length, struct way *all, struct way *ways,
	   bool *in_order)
{
  bool is_wide = pg_reduce_len (type) == sizeof (int64_t);
  int64_t n = 0;
  for (size_t i = 0; i < length; i++)
    {
      int64_t added = value_at (is_wide ? PG_I64 : PG_I32, sum, i), first = 0;
      struct way way;
      if (added != 0)
	{
	  first = value_at (type, values, i);
	  if (!find_way (type, first, added, &way))
	    return -1;
	  *in_order &= n == 0 || way.low >= all->end;
	  all->low = n == 0 || way.low < all->low ? way.low : all->low;
	  all->end = n == 0 || way.end > all->end ? way.end : all->end;
	  if (ways != NULL)
	    ways[n] = way;
	  n++;
	}
      if (is_wide)
	((int64_t *) now)[i] = first;
      else
	((uint32_t *) now)[i] = (uint32_t) first;
    }
  return n;
}

bool
pg_cursors_begin (const struct pg_array_reduction *array, const struct pg_cursor_parts *parts, const void *values,
		  struct pg_cursors *passed)
{
  bool is_wide = pg_reduce_len (array->type) == sizeof (int64_t), in_order = true;
  char *sum = parts->first + (size_t) parts->n * parts->stride, *now = sum + parts->stride;
  struct way all = { 0, 0 };
  memset (sum, 0, parts->length * pg_reduce_len (array->type));
  for (int p = 0; p < parts->n; p++)
    {
      char *part = parts->first + (size_t) p * parts->stride;
      if (parts->bounds[p] < parts->bounds[p + 1] && is_wide)
	add_wide ((uint64_t *) sum, (const uint64_t *) part, parts->length);
      else if (parts->bounds[p] < parts->bounds[p + 1])
	add_narrow ((uint32_t *) sum, (const uint32_t *) part, parts->length);
    }
  int64_t n = find_ways (array->type, values, sum, now, parts->length, &all, NULL, &in_order);
  if (n < 0 || __builtin_sub_overflow (all.end, all.low, &passed->total))
    return false;
  passed->low = all.low;
  if (!in_order)
    {
      struct way *ways = pg_budget_get ((size_t) n * sizeof *ways);
      bool is_apart = ways != NULL
		      && find_ways (array->type, values, sum, now, parts->length, &all, ways, &in_order) == n
		      && are_apart (ways, (size_t) n);
      pg_budget_put (ways, (size_t) n * sizeof *ways);
      if (!is_apart)
	return false;
    }
  for (int p = 0; p < parts->n; p++)
    {
      char *part = parts->first + (size_t) p * parts->stride;
      if (parts->bounds[p] < parts->bounds[p + 1] && is_wide)
	begin_wide ((uint64_t *) now, (uint64_t *) part, parts->length);
      else if (parts->bounds[p] < parts->bounds[p + 1])
	begin_narrow ((uint32_t *) now, (uint32_t *) part, parts->length);
    }
  return true;
}
