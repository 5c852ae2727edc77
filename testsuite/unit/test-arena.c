/* SPDX-License-Identifier: MIT
   The arena: blocks are zeroed, and a small one that comes back is used again.  */
//! link: -Wl,--wrap=munmap
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "arena.h"

enum
{
  SMALL = 5000,
  LARGE = 1 << 20
};

static int n_unmapped;

int __real_munmap (void *block, size_t len);
int __wrap_munmap (void *block, size_t len);

int
__wrap_munmap (void *block, size_t len)
{
  n_unmapped++;
  return __real_munmap (block, len);
}

/* Get a block of LEN bytes, find it zeroed, and fill it.  */
static char *
get_and_fill (size_t len)
{
  char *block = pg_arena_get (len);
  assert_non_null (block);
  for (size_t i = 0; i < len; i++)
    assert_int_equal (block[i], 0);
  memset (block, 1, len);
  return block;
}

static void
a_small_block_is_used_again_and_zeroed (void **state)
{
  (void) state;
  char *first = get_and_fill (SMALL);
  pg_arena_put (first, SMALL);
  n_unmapped = 0;
  for (int i = 0; i < 10; i++)
    {
      char *block = get_and_fill (SMALL - (size_t) i);
      assert_ptr_equal (block, first);
      pg_arena_put (block, SMALL - (size_t) i);
    }
  assert_int_equal (n_unmapped, 0);
}

/* One that is in use is nobody else's.  */
static void
blocks_in_use_are_apart (void **state)
{
  (void) state;
  char *a = get_and_fill (SMALL), *b = get_and_fill (SMALL);
  assert_ptr_not_equal (a, b);
  n_unmapped = 0;
  pg_arena_put (a, SMALL);
  pg_arena_put (b, SMALL);
  assert_int_equal (n_unmapped, 1);
}

/* More pages than that need a block of their own, and the one that is kept stays for others.  */
static void
another_length_is_another_block (void **state)
{
  (void) state;
  char *small = get_and_fill (SMALL);
  pg_arena_put (small, SMALL);
  char *longer = get_and_fill (3 * SMALL);
  assert_ptr_not_equal (longer, small);
  assert_ptr_equal (get_and_fill (SMALL), small);
  pg_arena_put (small, SMALL);
  pg_arena_put (longer, 3 * SMALL);
  longer = get_and_fill (3 * SMALL);
  n_unmapped = 0;
  pg_arena_put (longer, 3 * SMALL);
  assert_int_equal (n_unmapped, 0);
}

/* The last one is the one that is kept, so a block of a length that nobody wants any more is in nobody's way.  */
static void
an_old_block_makes_room (void **state)
{
  (void) state;
  char *small = get_and_fill (SMALL);
  pg_arena_put (get_and_fill (5 * SMALL), 5 * SMALL);
  pg_arena_put (small, SMALL);
  n_unmapped = 0;
  for (int i = 0; i < 10; i++)
    pg_arena_put (get_and_fill (SMALL), SMALL);
  assert_int_equal (n_unmapped, 0);
}

static void
a_large_block_goes_back (void **state)
{
  (void) state;
  n_unmapped = 0;
  pg_arena_put (get_and_fill (LARGE), LARGE);
  assert_int_equal (n_unmapped, 1);
  pg_arena_put (NULL, LARGE);
  assert_null (pg_arena_get (SIZE_MAX - 1));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_small_block_is_used_again_and_zeroed),
    cmocka_unit_test (blocks_in_use_are_apart),
    cmocka_unit_test (another_length_is_another_block),
    cmocka_unit_test (an_old_block_makes_room),
    cmocka_unit_test (a_large_block_goes_back),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
