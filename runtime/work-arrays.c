/* SPDX-License-Identifier: MIT
   Memory for work arrays.  See work-arrays.h.

   A copy of an array lies like the array itself within its page: the loop may count on an alignment.  */
#include "work-arrays.h"
#include "budget.h"
#include "pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum
{
  PAGE = 4096,
  MOST_BLOCKS = 64 /* bits of pg_work::free */
};

static const int64_t most_len = (int64_t) 1 << 40; /* of an array */

bool
pg_is_work_group (const struct pg_region *region, int group)
{
  for (uint32_t w = 0; w < region->n_work_arrays; w++)
    if (region->work_arrays[w].group == group)
      return true;
  for (uint32_t a = 0; a < region->n_array_reductions; a++)
    if (region->array_reductions[a].group == group)
      return true;
  return false;
}

bool
pg_work_extent (const struct pg_view *view, int group, int64_t *low, int64_t *end)
{
  *low = INT64_MAX;
  *end = INT64_MIN;
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      int64_t first, behind;
      if (view->region->refs[r].group != group || view->places[r].is_never)
	continue;
      if (view->places[r].is_affine)
	pg_place_extent (view, r, 0, view->n_iters, &first, &behind);
      else if (view->bounds == NULL)
	return false;
      else if (view->bounds[r].end == 0)
	continue;
      else
	{
	  first = (int64_t) view->bounds[r].low;
	  behind = (int64_t) view->bounds[r].end;
	}
      *low = first < *low ? first : *low;
      *end = behind > *end ? behind : *end;
    }
  if (*end <= *low)
    *low = *end = 0;
  return true;
}

/* Where the copy ends of an array at [LOW, END), if it begins in the page AT of a block.  */
static size_t
behind (size_t at, int64_t low, int64_t end)
{
  size_t len = (size_t) (low & (PAGE - 1)) + (size_t) (end - low);
  return at + (len + PAGE - 1) / PAGE * PAGE;
}

bool
pg_work_reserve (struct pg_work *work, const struct pg_view *view)
{
  int n = pg_pool_threads () < MOST_BLOCKS ? pg_pool_threads () : MOST_BLOCKS;
  size_t stride = PAGE;
  for (uint32_t w = 0; w < view->region->n_work_arrays; w++)
    {
      int64_t low, end;
      if (!pg_work_extent (view, view->region->work_arrays[w].group, &low, &end) || end - low > most_len)
	return false;
      stride = behind (stride, low, end);
    }
  char *blocks = pg_budget_grow (work->blocks, &work->len, (size_t) n * stride);
  work->blocks = blocks;
  work->stride = stride;
  atomic_store (&work->free, n == MOST_BLOCKS ? UINT64_MAX : ((uint64_t) 1 << n) - 1);
  return blocks != NULL;
}

int
pg_work_take (struct pg_work *work)
{
  uint64_t free = atomic_load_explicit (&work->free, memory_order_relaxed);
  for (;;)
    {
      if (free == 0)
	{
	  sched_yield ();
	  free = atomic_load_explicit (&work->free, memory_order_relaxed);
	}
      else if (atomic_compare_exchange_weak_explicit (&work->free, &free, free & (free - 1), memory_order_acquire,
						      memory_order_relaxed))
	return __builtin_ctzll (free);
    }
}

void
pg_work_give (struct pg_work *work, int block)
{
  atomic_fetch_or_explicit (&work->free, (uint64_t) 1 << block, memory_order_release);
}

void
pg_work_redirect (const struct pg_work *work, const struct pg_view *view, int block, void *args)
{
  size_t at = 0;
  for (uint32_t w = 0; w < view->region->n_work_arrays; w++)
    {
      const struct pg_work_array *array = &view->region->work_arrays[w];
      uintptr_t pointer;
      int64_t low, end;
      pg_work_extent (view, array->group, &low, &end);
      uintptr_t copy = (uintptr_t) work->blocks + (size_t) block * work->stride + at + (uintptr_t) (low & (PAGE - 1));
      memcpy (&pointer, (char *) args + array->offset, sizeof pointer);
      pointer += copy - (uintptr_t) low;
      memcpy ((char *) args + array->offset, &pointer, sizeof pointer);
      at = behind (at, low, end);
    }
}
