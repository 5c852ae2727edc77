//! link: -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_budget_get -Wl,--wrap=pg_budget_grow
/* SPDX-License-Identifier: MIT
   Whatever block of memory is missing, an entry gives the loop's result.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "no-memory.h"

#include <string.h>

/* Enter REGION, a scatter loop; the caller runs it where it is refused.  */
static void
check_scatter_even_refused (struct pg_descriptor *region)
{
  static int64_t expected[2 * N];
  struct scatter_args args = { c, b }, serial = { expected, b };
  memcpy (expected, c, sizeof c);
  scatter_body (&serial, 0, N, NULL);
  if (__paragon_enter_v1 (region, &args, N) != 1)
    scatter_body (&args, 0, N, NULL);
  assert_memory_equal (c, expected, sizeof c);
}

/* Free of conflicts, known to be, with other indices, with a conflict.  */
static void
scatter_some (void)
{
  struct pg_descriptor *region = a_scatter_region ();
  for (int i = 0; i < N; i++)
    b[i] = i * 7 % N;
  for (int entry = 0; entry < 6; entry++)
    {
      if (entry >= 4)
	b[N - 1 - entry] = b[entry];
      check_scatter_even_refused (region);
    }
  if (first_refused < 0)
    assert_in_range (row_of (region)->n_pool, 4, 6);
}

static void
entries_do_without (void **state)
{
  (void) state;
  refuse_each (scatter_some);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (entries_do_without, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
