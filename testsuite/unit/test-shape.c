/* SPDX-License-Identifier: MIT
   The shape of loops on a device: which it is, and how many threads there are.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shape.h"

#include <stdio.h>

enum
{
  TOGETHER = 32,
  BLOCK = 256,
  RUNNING = 4096,
  MANY = 1 << 20
};

static void
the_device_is_filled (void **state)
{
  static const struct
  {
    int64_t n_iters;
    bool can_team, are_most;
    int64_t n_turns, n_collapsed;
    enum pg_mapped mapped;
    uint32_t n_members;
  } all[] = {
    /* Enough iterations.  */
    { RUNNING, true, true, MANY, MANY, PG_MAPPED_THREAD, 1 },
    { RUNNING * 100, true, true, MANY, MANY, PG_MAPPED_THREAD, 1 },
    { RUNNING / 2 + 1, true, true, MANY, MANY, PG_MAPPED_THREAD, 1 },
    { RUNNING / 2 + 1, false, false, 0, MANY, PG_MAPPED_THREAD, 1 },
    /* Each has so many threads that all run.  */
    { RUNNING / 2, true, true, MANY, MANY, PG_MAPPED_TEAM, 2 },
    { RUNNING / 3, true, true, MANY, MANY, PG_MAPPED_TEAM, 4 },
    { RUNNING / 64, true, true, MANY, MANY, PG_MAPPED_TEAM, 64 },
    { RUNNING / 64, true, true, 64, 64, PG_MAPPED_TEAM, 64 },
    /* Never more than a block.  */
    { RUNNING / 1000, true, true, MANY, MANY, PG_MAPPED_TEAM, BLOCK },
    { 1, true, true, MANY, MANY, PG_MAPPED_TEAM, BLOCK },
    /* Too few turns: one of them is an iteration, or there are as few members.  */
    { RUNNING / 64, true, true, 63, 63, PG_MAPPED_COLLAPSE, 1 },
    { RUNNING / 64, true, true, 5, 5, PG_MAPPED_COLLAPSE, 1 },
    { RUNNING / 64, true, true, 63, 0, PG_MAPPED_TEAM, 32 },
    { RUNNING / 64, true, true, 32, 0, PG_MAPPED_TEAM, 32 },
    { RUNNING / 64, true, true, 5, 0, PG_MAPPED_TEAM, 4 },
    { RUNNING / 64, true, true, 1, 0, PG_MAPPED_THREAD, 1 },
    { RUNNING / 64, true, true, 1, 1, PG_MAPPED_THREAD, 1 },
    /* It is not known how many.  */
    { RUNNING / 64, true, true, 0, 0, PG_MAPPED_TEAM, TOGETHER },
    { RUNNING / 4, true, true, 0, 0, PG_MAPPED_TEAM, 4 },
    /* There is no team, or it is not worth while.  */
    { RUNNING / 64, false, false, 0, MANY, PG_MAPPED_COLLAPSE, 1 },
    { RUNNING / 64, false, false, 0, 0, PG_MAPPED_THREAD, 1 },
    { RUNNING / 64, true, false, MANY, 0, PG_MAPPED_THREAD, 1 },
    { RUNNING / 64, true, false, MANY, MANY, PG_MAPPED_COLLAPSE, 1 },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      const struct pg_shape_facts facts = { .n_iters = all[i].n_iters,
					    .n_running = RUNNING,
					    .together = TOGETHER,
					    .n_threads = BLOCK + 8,
					    .can_team = all[i].can_team,
					    .are_most = all[i].are_most,
					    .n_turns = all[i].n_turns,
					    .n_collapsed = all[i].n_collapsed };
      struct pg_shape shape = pg_shape_choose (&facts, PG_N_MAPPED);
      if (shape.mapped != all[i].mapped || shape.n_members != all[i].n_members)
	fail_msg ("number %zu: %d, %u members", i, shape.mapped, (unsigned) shape.n_members);
    }
}

/* What cannot be forced is the usual.  */
static void
shapes_can_be_forced (void **state)
{
  const struct pg_shape_facts any = { .n_iters = RUNNING * 10,
				      .n_running = RUNNING,
				      .together = TOGETHER,
				      .n_threads = BLOCK,
				      .can_team = true,
				      .n_turns = 3,
				      .n_collapsed = 3 };
  const struct pg_shape_facts none = { .n_iters = 1, .n_running = RUNNING, .together = TOGETHER, .n_threads = BLOCK };
  (void) state;
  for (int forced = 0; forced < PG_N_MAPPED; forced++)
    {
      struct pg_shape shape = pg_shape_choose (&any, (enum pg_mapped) forced);
      assert_int_equal (shape.mapped, forced);
      assert_int_equal (shape.n_members, forced == PG_MAPPED_TEAM ? TOGETHER : 1);
      shape = pg_shape_choose (&none, (enum pg_mapped) forced);
      assert_int_equal (shape.mapped, PG_MAPPED_THREAD);
      assert_int_equal (shape.n_members, 1);
    }
}

/* Integers in any order, floats in the loop's.  */
static void
order_decides_on_mappings (void **state)
{
  struct pg_kir_kernel loop;
  (void) state;
  pg_kir_begin (&loop, NULL);
  assert_int_equal (pg_shape_mapping (&loop, false, false), PG_KIR_STRIDED);
  assert_int_equal (pg_shape_mapping (&loop, false, true), PG_KIR_STRIDED_I32);
  assert_int_equal (pg_shape_mapping (&loop, true, true), PG_KIR_CHUNKED);
  pg_kir_add_carry (&loop, PG_KIR_F64, PG_KIR_COMBINE_LAST, 0);
  assert_int_equal (pg_shape_mapping (&loop, false, true), PG_KIR_STRIDED_I32);
  pg_kir_add_carry (&loop, PG_KIR_I64, PG_KIR_COMBINE_ADD, 0);
  assert_int_equal (pg_shape_mapping (&loop, false, true), PG_KIR_STRIDED_TREE);
  assert_int_equal (pg_shape_mapping (&loop, true, true), PG_KIR_CHUNKED);
  pg_kir_add_carry (&loop, PG_KIR_F64, PG_KIR_COMBINE_ADD, 0);
  assert_int_equal (pg_shape_mapping (&loop, false, true), PG_KIR_CHUNKED);
  pg_kir_end (&loop);
}

static void
grids_have_a_thread_or_team_for_each (void **state)
{
  static const struct pg_kir_size size = { .n_threads = 64, .n_blocks = 8 };
  static const struct
  {
    uint32_t n_members;
    int64_t n, fixed_len;
    uint32_t n_blocks;
  } all[] = {
    { 1, 1, 0, 1 },  { 1, 64, 0, 1 },  { 1, 65, 0, 2 },    { 1, 512, 0, 8 }, { 1, 513, 0, 8 },   { 16, 4, 0, 1 },
    { 16, 5, 0, 2 }, { 16, 32, 0, 8 }, { 16, 1000, 0, 8 }, { 64, 3, 0, 3 },  { 1, 1000, 10, 2 }, { 1, 10000, 10, 16 },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      uint32_t n_blocks = pg_shape_blocks (&size, all[i].n_members, all[i].n, all[i].fixed_len);
      if (n_blocks != all[i].n_blocks)
	fail_msg ("number %zu: %u blocks", i, (unsigned) n_blocks);
    }
}

/* All threads of a grid may be beyond the last iteration, and a loop may count from further on.  */
static void
short_loops_fit_into_32_bits (void **state)
{
  enum
  {
    MOST = INT32_MAX - 512 - PG_KIR_MOST_PLUS
  };
  static const struct pg_kir_size size = { .n_threads = 64, .n_blocks = 8 };
  (void) state;
  assert_true (pg_shape_is_short (&size, MOST, 1));
  assert_false (pg_shape_is_short (&size, MOST + 1, 1));
  assert_true (pg_shape_is_short (&size, MOST / 1000, 1000));
  assert_false (pg_shape_is_short (&size, MOST / 1000 + 1, 1000));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_device_is_filled),
    cmocka_unit_test (shapes_can_be_forced),
    cmocka_unit_test (order_decides_on_mappings),
    cmocka_unit_test (short_loops_fit_into_32_bits),
    cmocka_unit_test (grids_have_a_thread_or_team_for_each),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
