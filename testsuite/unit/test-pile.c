/* SPDX-License-Identifier: MIT
   Small blocks: they do not overlap, are aligned, and are used again.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pile.h"

enum
{
  N = 3000
};

/* A length for block I: all sizes, small and large, now and then a very large one.  */
static size_t
length (int i)
{
  return i % 500 == 499 ? 100000 : (size_t) (i * 37 % 3000) + 1;
}

static void
blocks_do_not_overlap (void **state)
{
  struct pg_pile pile = { .chunks = NULL };
  unsigned char *blocks[N];
  (void) state;
  for (int i = 0; i < N; i++)
    {
      blocks[i] = pg_pile_get (&pile, length (i));
      assert_non_null (blocks[i]);
      assert_int_equal ((uintptr_t) blocks[i] % _Alignof(max_align_t), 0);
      memset (blocks[i], i & 255, length (i));
      if (i % 3 == 0)
	{
	  pg_pile_put (&pile, blocks[i], length (i));
	  blocks[i] = NULL;
	}
    }
  for (int i = 0; i < N; i++)
    {
      for (size_t at = 0; blocks[i] != NULL && at < length (i); at++)
	assert_int_equal (blocks[i][at], i & 255);
      pg_pile_put (&pile, blocks[i], length (i));
    }
  pg_pile_free (&pile);
}

/* Each size has its free blocks: what was put back is given again to whoever wants as much, and to nobody who wants
   more.  */
static void
blocks_are_used_again (void **state)
{
  struct pg_pile pile = { .chunks = NULL };
  (void) state;
  for (size_t len = 1; len < 5000; len += 61)
    {
      void *first = pg_pile_get (&pile, len);
      pg_pile_put (&pile, first, len);
      assert_ptr_not_equal (pg_pile_get (&pile, 2 * len + 64), first);
      assert_ptr_equal (pg_pile_get (&pile, len), first);
    }
  /* All that was put back, not only the latest.  */
  void *blocks[3];
  for (int i = 0; i < 3; i++)
    blocks[i] = pg_pile_get (&pile, 7000);
  for (int i = 0; i < 3; i++)
    pg_pile_put (&pile, blocks[i], 7000);
  for (int i = 2; i >= 0; i--)
    assert_ptr_equal (pg_pile_get (&pile, 7000), blocks[i]);
  pg_pile_put (&pile, NULL, 100);
  pg_pile_free (&pile);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (blocks_do_not_overlap),
    cmocka_unit_test (blocks_are_used_again),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
