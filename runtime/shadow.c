/* SPDX-License-Identifier: MIT
   The shadow: for each cell of program memory, the smallest iteration that writes it.

   A cell holds a stamp, 32 bits.  Each use of the shadow is an epoch with a range of stamps of its own, above those
   of all earlier epochs, so nothing has to be cleared in between: what is at or below the floor is "unwritten".

       epoch 1: iterations 0..99 -> stamps 1..100	epoch 2, floor 100: iterations 100..299 -> stamps 101..300

   When stamps run out, the cells are replaced by fresh zeroed pages.  Pages that no cell is marked in are never
   touched, so a sparse shadow costs address space only; the budget counts all of it all the same.

   Threads: marks are relaxed; what readers of the shadow need is ordered by the end of the pool's run.  */
#include "shadow.h"
#include "budget.h"

/* Make room for LEN bytes of cells.  The old contents are gone.  */
static bool
grow (struct pg_shadow *shadow, size_t len)
{
  pg_shadow_free (shadow);
  shadow->cells = pg_budget_get (len);
  if (shadow->cells == NULL)
    return false;
  shadow->len = len;
  return true;
}

bool
pg_shadow_begin (struct pg_shadow *shadow, size_t n_cells, int64_t n_iters)
{
  if (n_cells > SIZE_MAX / sizeof *shadow->cells || n_iters >= INT32_MAX)
    return false;
  size_t len = n_cells * sizeof *shadow->cells;
  bool is_used_up = n_iters > (int64_t) PG_NO_STAMP - 1 - shadow->top;
  if ((len > shadow->len || is_used_up) && !grow (shadow, len > shadow->len ? len : shadow->len))
    return false;
  shadow->floor = shadow->top;
  shadow->top += (uint32_t) n_iters;
  return true;
}

void
pg_shadow_free (struct pg_shadow *shadow)
{
  pg_budget_put (shadow->cells, shadow->len);
  *shadow = (struct pg_shadow) { .cells = NULL };
}
