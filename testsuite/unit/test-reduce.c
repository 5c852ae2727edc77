/* SPDX-License-Identifier: MIT
   Reductions: partial values of chunks combine to what one thread would have.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct scalars
{
  int8_t i8;
  uint16_t u16;
  int32_t i32;
  uint64_t u64;
  float f32;
  double f64;
  int64_t last;
};

static struct pg_reduction reduction;
static const struct pg_field live_outs[] = { { .offset = offsetof (struct scalars, last), .len = 8 } };
static struct pg_region region = { .args_len = sizeof (struct scalars),
				   .n_reductions = 1,
				   .reductions = &reduction,
				   .n_live_outs = 1,
				   .live_outs = live_outs };

static void
reduce (int op, int type, size_t offset)
{
  reduction = (struct pg_reduction) { .op = (uint8_t) op, .type = (uint8_t) type, .offset = (uint32_t) offset };
}

#define REDUCE(op, type, member) reduce (PG_REDUCE_##op, type, offsetof (struct scalars, member))

static void
other_chunks_start_from_the_identity (void **state)
{
  struct scalars args = { -7, 7, 7, 7, 7, 7, 7 }, chunk;
  (void) state;
  REDUCE (MAX, PG_I8, i8);
  pg_reduce_start (&region, &chunk, &args, 0);
  assert_int_equal (chunk.i8, -7);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_int_equal (chunk.i8, INT8_MIN);
  assert_int_equal (chunk.u16, 7);
  REDUCE (AND, PG_U16, u16);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_int_equal (chunk.u16, UINT16_MAX);
  REDUCE (MUL, PG_I32, i32);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_int_equal (chunk.i32, 1);
  REDUCE (MIN, PG_U64, u64);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_true (chunk.u64 == UINT64_MAX);
  REDUCE (MIN, PG_F32, f32);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_true (chunk.f32 == INFINITY);
  REDUCE (ADD, PG_F64, f64);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_true (chunk.f64 == 0);
}

/* The chunk with iteration 0 had the initial value in it.  */
static void
the_first_chunk_replaces_and_the_others_combine (void **state)
{
  struct scalars args = { .i32 = 100 }, first = { .i32 = 103, .last = 1 }, second = { .i32 = 4, .last = 2 };
  (void) state;
  REDUCE (ADD, PG_I32, i32);
  pg_reduce_take (&region, &args, &first, 0);
  assert_int_equal (args.i32, 103);
  pg_reduce_take (&region, &args, &second, 8);
  assert_int_equal (args.i32, 107);
  assert_int_equal (args.last, 2);
}

static void
integers_wrap (void **state)
{
  struct scalars args = { .i8 = 100, .i32 = INT32_MAX, .u16 = 65535 }, chunk = { .i8 = 100, .i32 = 2, .u16 = 65535 };
  (void) state;
  REDUCE (ADD, PG_I8, i8);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_int_equal (args.i8, -56);
  REDUCE (ADD, PG_I32, i32);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_int_equal (args.i32, INT32_MIN + 1);
  REDUCE (MUL, PG_U16, u16);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_int_equal (args.u16, 1);
}

/* The loop's comparison keeps the first of equals, and a number rather than a NaN that came later.  */
static void
floating_extremes_keep_the_first (void **state)
{
  struct scalars args = { .f64 = -0.0, .f32 = 1 }, chunk = { .f64 = 0.0, .f32 = NAN };
  (void) state;
  REDUCE (MAX, PG_F64, f64);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_true (signbit (args.f64));
  REDUCE (MIN, PG_F32, f32);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_true (args.f32 == 1);
  args.f32 = NAN;
  chunk.f32 = 1;
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_true (isnan (args.f32));
}

/* What was set is what a range does not begin with.  */
static void
the_last_one_set_stays (void **state)
{
  struct scalars args = { 1, 2, 3, 4, 5, 6, 7 }, chunk;
  (void) state;
  REDUCE (SET, PG_I8, i8);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_int_equal (chunk.i8, INT8_MIN);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_int_equal (args.i8, 1);
  chunk.i8 = 0;
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_int_equal (args.i8, 0);
  pg_reduce_start (&region, &chunk, &args, 0);
  assert_int_equal (chunk.i8, 0);
  chunk.i8 = INT8_MIN;
  pg_reduce_take (&region, &args, &chunk, 0);
  assert_int_equal (args.i8, INT8_MIN);

  REDUCE (SET, PG_I32, i32);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_int_equal (chunk.i32, INT32_MIN);
  REDUCE (SET, PG_U16, u16);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_int_equal (chunk.u16, UINT16_MAX);
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_int_equal (args.u16, 2);
  REDUCE (SET, PG_U64, u64);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_true (chunk.u64 == UINT64_MAX);
  REDUCE (SET, PG_F64, f64);
  pg_reduce_start (&region, &chunk, &args, 8);
  assert_true (isnan (chunk.f64));
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_true (args.f64 == 6);
  chunk.f64 = -0.0;
  pg_reduce_take (&region, &args, &chunk, 8);
  assert_true (args.f64 == 0 && signbit (args.f64));
}

/* What goes with another reduction is taken where that one is, and left where it is left; where chunks begin does not
   matter.  Several may go with one.  */
static void
followers_go_with_their_leader (void **state)
{
  struct pg_reduction all[]
    = { { .op = PG_REDUCE_MAX, .type = PG_F64, .offset = offsetof (struct scalars, f64) },
	{ .op = PG_REDUCE_OR, .type = PG_I32, .offset = offsetof (struct scalars, i32) },
	{ .op = PG_REDUCE_WITH, .type = PG_U8, .leader = 0, .offset = offsetof (struct scalars, i8) },
	{ .op = PG_REDUCE_WITH, .type = PG_U64, .leader = 0, .offset = offsetof (struct scalars, u64) },
	{ .op = PG_REDUCE_WITH, .type = PG_U32, .leader = 1, .offset = offsetof (struct scalars, f32) } };
  struct pg_region led = { .args_len = sizeof (struct scalars), .n_reductions = 5, .reductions = all };
  struct scalars args = { .f64 = 3, .i8 = 4, .u64 = 5, .f32 = 6 }, chunk;
  (void) state;
  pg_reduce_start (&led, &chunk, &args, 8);
  assert_true (chunk.f64 == -INFINITY && chunk.i32 == 0);

  chunk = (struct scalars) { .f64 = 3, .i8 = 1, .u64 = 1, .f32 = 1 }; /* no larger, not set */
  pg_reduce_take (&led, &args, &chunk, 8);
  assert_true (args.f64 == 3 && args.i8 == 4 && args.u64 == 5 && args.f32 == 6 && args.i32 == 0);

  chunk = (struct scalars) { .f64 = 2, .i8 = 1, .u64 = 1, .f32 = 0, .i32 = 1 };
  pg_reduce_take (&led, &args, &chunk, 8);
  assert_true (args.f64 == 3 && args.i8 == 4 && args.u64 == 5 && args.f32 == 0 && args.i32 == 1);

  chunk = (struct scalars) { .f64 = 4, .i8 = 1, .u64 = 1, .f32 = 9 };
  pg_reduce_take (&led, &args, &chunk, 8);
  assert_true (args.f64 == 4 && args.i8 == 1 && args.u64 == 1 && args.f32 == 0 && args.i32 == 1);

  chunk = (struct scalars) { .f64 = 1, .i8 = 2, .u64 = 2, .f32 = 2 };
  pg_reduce_take (&led, &args, &chunk, 0);
  assert_true (args.f64 == 1 && args.i8 == 2 && args.u64 == 2 && args.f32 == 2 && args.i32 == 0);

  all[0].op = PG_REDUCE_MIN;
  chunk = (struct scalars) { .f64 = 0.5, .i8 = 3 };
  pg_reduce_take (&led, &args, &chunk, 8);
  assert_int_equal (args.i8, 3);
}

/* A carried scalar goes through F as it is.  For the tally, each chunk starts from the identity, the first one, too;
   what chunks begin with is combined in their order.  */
static void
carried_scalars_are_tallied_first (void **state)
{
  struct pg_reduction all[]
    = { { .op = PG_REDUCE_ADD, .type = PG_I32, .offset = offsetof (struct scalars, i32), .is_carried = 1 },
	{ .op = PG_REDUCE_XOR, .type = PG_U64, .offset = offsetof (struct scalars, u64), .is_carried = 1 },
	{ .op = PG_REDUCE_ADD, .type = PG_I8, .offset = offsetof (struct scalars, i8) } };
  struct pg_region carries = { .args_len = sizeof (struct scalars), .n_reductions = 3, .reductions = all };
  struct scalars args = { .i32 = INT32_MAX - 5, .u64 = 12, .i8 = 9, .f64 = 1.5 }, chunk, so_far = args;
  (void) state;
  pg_reduce_start (&carries, &chunk, &args, 8);
  assert_true (chunk.i32 == INT32_MAX - 5 && chunk.u64 == 12 && chunk.i8 == 0 && chunk.f64 == 1.5);
  pg_reduce_tally (&carries, &chunk, &args, 0);
  assert_true (chunk.i32 == 0 && chunk.u64 == 0 && chunk.i8 == 9 && chunk.f64 == 1.5);
  pg_reduce_tally (&carries, &chunk, &args, 8);
  assert_true (chunk.i32 == 0 && chunk.u64 == 0 && chunk.i8 == 0);

  chunk.i32 = 3;
  chunk.u64 = 5;
  chunk.i8 = 77; /* not the tally's business */
  pg_reduce_begin (&carries, &so_far, &chunk);
  assert_true (chunk.i32 == INT32_MAX - 5 && chunk.u64 == 12 && chunk.i8 == 77);
  assert_true (so_far.i32 == INT32_MAX - 2 && so_far.u64 == 9 && so_far.i8 == 9);

  chunk = (struct scalars) { .i32 = 1, .u64 = 2, .i8 = 3 };
  pg_reduce_take (&carries, &args, &chunk, 8);
  assert_true (args.i32 == 1 && args.u64 == 2 && args.i8 == 12);
}

/* DO (PG_I8, int8_t) and so on.  */
#define INTEGERS(DO)    \
  DO (PG_I8, int8_t)    \
  DO (PG_I16, int16_t)  \
  DO (PG_I32, int32_t)  \
  DO (PG_I64, int64_t)  \
  DO (PG_U8, uint8_t)   \
  DO (PG_U16, uint16_t) \
  DO (PG_U32, uint32_t) \
  DO (PG_U64, uint64_t)
#define FLOATS(DO)   \
  DO (PG_F32, float) \
  DO (PG_F64, double)

/* One scalar, what follows it, and who is asked.  */
struct pair
{
  union
  {
    int8_t i8;
    int64_t i64;
    double f64;
  } leader;
  int32_t follower;
};

static struct pg_reduction pair_reductions[]
  = { { .offset = offsetof (struct pair, leader) },
      { .op = PG_REDUCE_WITH, .type = PG_I32, .leader = 0, .offset = offsetof (struct pair, follower) } };
static const struct pg_region pairs
  = { .args_len = sizeof (struct pair), .n_reductions = 2, .reductions = pair_reductions };

/* Combine the LEN bytes at X, a value of TYPE, into those at VALUE by OP, and look whether one that a chunk begins with
   leaves them; is the follower taken?  */
static bool
combine_pair (int op, int type, void *value, const void *x, size_t len)
{
  struct pair args = { .follower = 1 }, chunk, kept;
  pair_reductions[0].op = (uint8_t) op;
  pair_reductions[0].type = (uint8_t) type;
  memcpy (&args.leader, value, len);
  kept = args;
  pg_reduce_start (&pairs, &chunk, &args, 8);
  chunk.follower = 2;
  pg_reduce_take (&pairs, &args, &chunk, 8);
  assert_memory_equal (&args.leader, &kept.leader, len);
  if (op == PG_REDUCE_MIN || op == PG_REDUCE_MAX || (op == PG_REDUCE_OR && type < PG_F32))
    assert_int_equal (args.follower, 1);

  chunk = (struct pair) { .follower = 3 };
  memcpy (&chunk.leader, x, len);
  pg_reduce_take (&pairs, &args, &chunk, 8);
  memcpy (value, &args.leader, len);
  return args.follower == 3;
}

/* Of every type, with extreme values: as the loop does it, modulo what the type holds.  */
static void
integers_are_combined_as_in_their_type (void **state)
{
  static const int64_t values[] = { 0, 1, -1, 2, 100, -100, INT8_MIN, INT16_MAX, INT32_MIN, INT64_MAX, INT64_MIN };
  enum
  {
    N_VALUES = sizeof values / sizeof *values
  };
  (void) state;
#define COMBINE_ALL(id, type)                                                                             \
  for (int i = 0; i < N_VALUES * N_VALUES; i++)                                                           \
    {                                                                                                     \
      const type a = (type) values[i / N_VALUES], b = (type) values[i % N_VALUES];                        \
      const uint64_t wide_a = (uint64_t) a, wide_b = (uint64_t) b;                                        \
      const type expected[] = { [PG_REDUCE_ADD] = (type) (wide_a + wide_b),                               \
				[PG_REDUCE_MUL] = (type) (wide_a * wide_b),                               \
				[PG_REDUCE_AND] = (type) (wide_a & wide_b),                               \
				[PG_REDUCE_OR] = (type) (wide_a | wide_b),                                \
				[PG_REDUCE_XOR] = (type) (wide_a ^ wide_b),                               \
				[PG_REDUCE_MIN] = a < b ? a : b,                                          \
				[PG_REDUCE_MAX] = a < b ? b : a };                                        \
      for (int op = PG_REDUCE_ADD; op <= PG_REDUCE_MAX; op++)                                             \
	{                                                                                                 \
	  type value = a;                                                                                 \
	  bool takes = combine_pair (op, id, &value, &b, sizeof b);                                       \
	  assert_true (value == expected[op]);                                                            \
	  if (op == PG_REDUCE_MIN || op == PG_REDUCE_MAX || op == PG_REDUCE_OR)                           \
	    assert_int_equal (takes, op == PG_REDUCE_MIN ? b < a : op == PG_REDUCE_MAX ? b > a : b != 0); \
	}                                                                                                 \
    }
  INTEGERS (COMBINE_ALL)
}

/* The loop adds and multiplies as the type does; of comparisons, one that does not hold keeps what there is.  */
static void
floats_are_combined_as_in_their_type (void **state)
{
  static const double values[] = { 1, 2.5, -3, 1e30, -INFINITY, INFINITY, NAN };
  enum
  {
    N_VALUES = sizeof values / sizeof *values
  };
  (void) state;
#define COMBINE_FLOATS(id, type)                                                            \
  for (int i = 0; i < N_VALUES * N_VALUES; i++)                                             \
    {                                                                                       \
      const type a = (type) values[i / N_VALUES], b = (type) values[i % N_VALUES];          \
      const type expected[] = { [PG_REDUCE_ADD] = a + b,                                    \
				[PG_REDUCE_MUL] = a * b,                                    \
				[PG_REDUCE_MIN] = b < a ? b : a,                            \
				[PG_REDUCE_MAX] = b > a ? b : a };                          \
      for (int op = PG_REDUCE_ADD; op <= PG_REDUCE_MAX; op++)                               \
	if (op < PG_REDUCE_AND || op > PG_REDUCE_XOR)                                       \
	  {                                                                                 \
	    type value = a;                                                                 \
	    bool takes = combine_pair (op, id, &value, &b, sizeof b);                       \
	    assert_true (value == expected[op] || (isnan (value) && isnan (expected[op]))); \
	    if (op >= PG_REDUCE_MIN)                                                        \
	      assert_int_equal (takes, op == PG_REDUCE_MIN ? b < a : b > a);                \
	  }                                                                                 \
    }
  FLOATS (COMBINE_FLOATS)
}

static void
scalars_have_the_length_of_their_type (void **state)
{
  (void) state;
#define HAS_LENGTH(id, type) assert_int_equal (pg_reduce_len (id), sizeof (type));
  INTEGERS (HAS_LENGTH)
  FLOATS (HAS_LENGTH)
  assert_int_equal (pg_reduce_len (255), 0);
}

/* Elements that hold what no operation makes of an identity are not touched: nobody may be allowed to.  */
static void
arrays_are_combined_but_for_identities (void **state)
{
  (void) state;
#define COMBINE_ARRAYS(id, type)                                                                      \
  for (int op = PG_REDUCE_ADD; op <= PG_REDUCE_MAX; op++)                                             \
    {                                                                                                 \
      struct pg_array_reduction array = { 0, 0, (uint8_t) op, id, 0, 0, 0 };                          \
      type values[3] = { 3, 5, 6 }, parts[3];                                                         \
      const type expected[] = { 5 + 6, 5 * 6, (type) (5 & 6), (type) (5 | 6), (type) (5 ^ 6), 5, 6 }; \
      pg_reduce_fill (&array, parts, 3);                                                              \
      assert_memory_equal (&parts[0], &parts[1], sizeof (type));                                      \
      assert_memory_equal (&parts[0], &parts[2], sizeof (type));                                      \
      pg_reduce_merge (&array, NULL, parts, 3);                                                       \
      parts[1] = 6;                                                                                   \
      pg_reduce_merge (&array, values, parts, 3);                                                     \
      assert_true (values[0] == 3 && values[1] == expected[op] && values[2] == 6);                    \
    }
  INTEGERS (COMBINE_ARRAYS)
#define COMBINE_FLOAT_ARRAYS(id, type)                                               \
  for (int op = PG_REDUCE_ADD; op <= PG_REDUCE_MAX; op++)                            \
    if (op < PG_REDUCE_AND || op > PG_REDUCE_XOR)                                    \
      {                                                                              \
	struct pg_array_reduction array = { 0, 0, (uint8_t) op, id, 0, 0, 0 };       \
	const type expected[] = { 11, 30, 0, 0, 0, 5, 6 };                           \
	type values[3] = { 3, 5, 6 }, parts[3];                                      \
	pg_reduce_fill (&array, parts, 3);                                           \
	pg_reduce_merge (&array, NULL, parts, 3);                                    \
	parts[1] = 6;                                                                \
	pg_reduce_merge (&array, values, parts, 3);                                  \
	assert_true (values[0] == 3 && values[1] == expected[op] && values[2] == 6); \
      }
  FLOATS (COMBINE_FLOAT_ARRAYS)
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (other_chunks_start_from_the_identity),
    cmocka_unit_test (the_first_chunk_replaces_and_the_others_combine),
    cmocka_unit_test (integers_wrap),
    cmocka_unit_test (floating_extremes_keep_the_first),
    cmocka_unit_test (the_last_one_set_stays),
    cmocka_unit_test (followers_go_with_their_leader),
    cmocka_unit_test (carried_scalars_are_tallied_first),
    cmocka_unit_test (integers_are_combined_as_in_their_type),
    cmocka_unit_test (floats_are_combined_as_in_their_type),
    cmocka_unit_test (scalars_have_the_length_of_their_type),
    cmocka_unit_test (arrays_are_combined_but_for_identities),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
