/* SPDX-License-Identifier: MIT
   Nests on a device: iterations become the work of threads, of teams, or one for each turn, where that is allowed; the
   loop's result is the right one.

   map    c[i*pitch + j] = 3 * a[i*pitch + j]	rows of m elements
   sum    s += a[i*pitch + j]			all of them
   two    y[i] = j, and then the map: m turns that meet, and m that do not  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"

enum
{
  N = 40, /* rows */
  M = 24, /* turns, at most */
  PITCH = M + 1
};

struct nest_args
{
  int64_t *a, *c, m, pitch;
  uint64_t sum;
  int64_t *y;
};

static int64_t a[N * PITCH], y[N], c[N * PITCH + 1], expected[N * PITCH + 1];

/* v1 is the iteration, v2 ... v5 a, c, m and the pitch, v6 ... v8 are 0, 1 and 3, v9 is where the row begins; turn v20
   reads v24, at v22 bytes.  */
#define BEGIN(carry)                                                                                           \
  "kernel \"nest\" args 48 dims 1 refs 4\n" carry                                                              \
  "b0:\nv1 = iter i64 0\nv2 = arg ptr 0\nv3 = arg ptr 8\nv4 = arg i64 16\nv5 = arg i64 24\nv6 = const i64 0\n" \
  "v7 = const i64 1\nv8 = const i64 3\nv9 = mul i64 v1 v5\nv10 = slt i8 v6 v4\n"
#define TURN "v21 = add i64 v9 v20\nv22 = shl i64 v21 v8\nv23 = address ptr v2 v22\nv24 = load i64 v23 ref 0\n"
#define NEXT "v27 = add i64 v20 v7\nv28 = slt i8 v27 v4\nbranch void v28 b1 b2\n"

static const char map_kernel[]
  = BEGIN ("") "branch void v10 b1 b3\nb1:\nv20 = phi i64 [b0 v6] [b1 v27]\n" TURN
	       "v25 = address ptr v3 v22\nv26 = mul i64 v24 v8\nstore void v25 v26 ref 1\n" NEXT
	       "b2:\njump void b3\nb3:\nreturn void\nend\n";
/* The same, tested before each turn.  */
static const char top_kernel[]
  = BEGIN ("") "jump void b1\nb1:\nv20 = phi i64 [b0 v6] [b2 v27]\nv28 = slt i8 v20 v4\nbranch void v28 b2 b3\n"
	       "b2:\n" TURN "v25 = address ptr v3 v22\nv26 = mul i64 v24 v8\nstore void v25 v26 ref 1\n"
	       "v27 = add i64 v20 v7\njump void b1\nb3:\nreturn void\nend\n";
static const char add_kernel[]
  = BEGIN ("carry i64 add 32\n") "v16 = carry i64 0\nbranch void v10 b1 b3\n"
				 "b1:\nv20 = phi i64 [b0 v6] [b1 v27]\nv30 = phi i64 [b0 v16] [b1 v31]\n" TURN
				 "v31 = add i64 v30 v24\n" NEXT "b2:\nv32 = phi i64 [b1 v31]\njump void b3\n"
				 "b3:\nv33 = phi i64 [b0 v16] [b2 v32]\nnext void v33 carry 0\nreturn void\nend\n";

static const char two_kernel[]
  = BEGIN ("") "v11 = arg ptr 40\nv12 = shl i64 v1 v8\nv13 = address ptr v11 v12\nbranch void v10 b4 b3\n"
	       "b4:\nv40 = phi i64 [b0 v6] [b4 v41]\nstore void v13 v40 ref 2\nv41 = add i64 v40 v7\n"
	       "v42 = slt i8 v41 v4\nbranch void v42 b4 b5\nb5:\njump void b1\n"
	       "b1:\nv20 = phi i64 [b5 v6] [b1 v27]\n" TURN
	       "v25 = address ptr v3 v22\nv26 = mul i64 v24 v8\nstore void v25 v26 ref 1\n" NEXT
	       "b2:\njump void b3\nb3:\nreturn void\nend\n";

static int64_t
map_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct nest_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    for (int64_t j = 0; j < p->m; j++)
      p->c[i * p->pitch + j] = 3 * p->a[i * p->pitch + j];
  return 0;
}

static int64_t
two_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct nest_args *p = args;
  for (int64_t i = lo; i < hi; i++)
    for (int64_t j = 0; j < p->m; j++)
      p->y[i] = j;
  return map_body (args, lo, hi, ctx);
}

static int64_t
add_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct nest_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    for (int64_t j = 0; j < p->m; j++)
      p->sum += (uint64_t) p->a[i * p->pitch + j];
  return 0;
}

enum
{
  NODE_A,
  NODE_C,
  NODE_PITCH,
  NODE_M,
  NODE_8,
  NODE_MINUS_1,
  NODE_ROW,
  NODE_LAST,
  NODE_Y
};

static const struct pg_node nodes[] = {
  [NODE_A] = ARG (nest_args, a),
  [NODE_C] = ARG (nest_args, c),
  [NODE_PITCH] = { .op = PG_NODE_ARG, .size = 8, .is_signed = 1, .value = offsetof (struct nest_args, pitch) },
  [NODE_M] = { .op = PG_NODE_ARG, .size = 8, .is_signed = 1, .value = offsetof (struct nest_args, m) },
  [NODE_8] = CONSTANT (8),
  [NODE_MINUS_1] = CONSTANT (-1),
  [NODE_ROW] = { .op = PG_NODE_MUL, .a = NODE_PITCH, .b = NODE_8 },
  [NODE_LAST] = { .op = PG_NODE_ADD, .a = NODE_M, .b = NODE_MINUS_1 },
  [NODE_Y] = ARG (nest_args, y),
};
static const struct pg_dim dims[] = { { .parent = -1, .last = LINEAR (-1, -1) },
				      { .parent = 0, .last = LINEAR (NODE_LAST, -1) },
				      { .parent = 0, .last = LINEAR (NODE_LAST, -1) } };
#define ELEMENT_OF(base_node)                  \
  {                                            \
    base_node,                                 \
    {                                          \
      NODE_ROW, NODE_8, -1, -1, -1, -1, -1, -1 \
    }                                          \
  }
static const struct pg_ref refs[] = {
  { .address = ELEMENT_OF (NODE_A), .dim = 1, .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = ELEMENT_OF (NODE_C), .dim = 1, .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 1, .len = 8 },
  { .address = LINEAR (NODE_Y, NODE_8), .dim = 2, .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 2, .len = 8 },
};
static const struct pg_reduction reductions[]
  = { { .op = PG_REDUCE_ADD, .type = PG_U64, .offset = offsetof (struct nest_args, sum) } };

static struct pg_descriptor *
a_nest (pg_loop_fn *body, const char *text, uint32_t n_refs)
{
  const struct pg_region region = { .file = "src/loops.c",
				    .function = "nest",
				    .line = 60,
				    .klass = n_refs == 1 ? PG_CLASS_PARALLEL : PG_CLASS_POSSIBLY,
				    .reason = PG_WHY_POINTERS,
				    .flags = PG_REGION_ALL_AFFINE,
				    .body = body,
				    .args_len = sizeof (struct nest_args),
				    .frame_len = 256,
				    TABLE (nodes, nodes),
				    TABLE (dims, dims),
				    .refs = refs,
				    .n_refs = n_refs,
				    .reductions = reductions,
				    .n_reductions = n_refs == 1 };
  return with_kernel (a_new_region (region), text);
}

static struct pg_descriptor *
a_map (void)
{
  return a_nest (map_body, map_kernel, 2);
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_DEVICE);
  for (int i = 0; i < N * PITCH; i++)
    {
      a[i] = i * 31 % 101;
      c[i] = -i;
    }
  return 0;
}

static void
force (enum pg_mapped mapped)
{
  pg_environment.map = (int) mapped + 1;
}

/* Enter REGION, a map from FROM, with N_ITERS rows of N_TURNS, and compare; it ran as MAPPED.  */
static void
check_map (struct pg_descriptor *region, int64_t *from, int64_t n_iters, int64_t n_turns, enum pg_mapped mapped)
{
  struct nest_args args = { from, c, n_turns, PITCH, 0, NULL }, serial = args;
  int64_t n_before = region->state == NULL ? 0 : row_of (region)->n_mapped[mapped];
  memcpy (expected, c, sizeof c);
  serial.c = expected;
  serial.a = from == a ? a : expected + (from - c);
  map_body (&serial, 0, n_iters, NULL);
  enter (region, &args, n_iters);
  assert_memory_equal (c, expected, sizeof c);
  if (row_of (region)->n_mapped[mapped] != n_before + 1)
    fail_msg ("%d rows of %d: not mapped as %d", (int) n_iters, (int) n_turns, mapped);
}

static void
each_way_leaves_what_the_loop_leaves (void **state)
{
  struct pg_descriptor *region = a_map ();
  (void) state;
  for (int mapped = 0; mapped < PG_N_MAPPED; mapped++)
    for (int64_t n = 1; n <= N; n += 13)
      {
	set_up (NULL);
	force ((enum pg_mapped) mapped);
	check_map (region, a, n, M - n % 3, (enum pg_mapped) mapped);
      }
}

/* 32 threads run at once, of which 8 are a block.  */
static void
the_trip_counts_choose (void **state)
{
  struct pg_descriptor *region = a_map ();
  (void) state;
  check_map (region, a, N, M, PG_MAPPED_THREAD);
  check_map (region, a, 17, M, PG_MAPPED_THREAD);
  check_map (region, a, 16, M, PG_MAPPED_TEAM);
  check_map (region, a, 3, M, PG_MAPPED_TEAM);
  check_map (region, a, 3, 5, PG_MAPPED_COLLAPSE);
  check_map (region, a, 10, 2, PG_MAPPED_COLLAPSE);
  check_map (region, a, 3, 1, PG_MAPPED_THREAD);
}

/* What is carried comes back from all threads and teams.  */
static void
sums_over_nests_come_back (void **state)
{
  (void) state;
  for (int mapped = 0; mapped < PG_N_MAPPED; mapped++)
    for (int64_t n = 1; n <= N; n += 13)
      {
	struct pg_descriptor *region = a_nest (add_body, add_kernel, 1);
	struct nest_args args = { a, NULL, M, PITCH, 5, NULL }, serial = args;
	set_up (NULL);
	force ((enum pg_mapped) mapped);
	add_body (&serial, 0, n, NULL);
	enter (region, &args, n);
	assert_memory_equal (&args, &serial, sizeof args);
	assert_int_equal (row_of (region)->n_mapped[mapped], 1);
      }
}

/* c[i*pitch + j] = 3 * c[i*pitch + j - 1]: rows are apart, turns are not.  */
static void
turns_that_meet_stay_together (void **state)
{
  struct pg_descriptor *region = a_map ();
  (void) state;
  for (int mapped = 0; mapped < PG_N_MAPPED; mapped++)
    {
      set_up (NULL);
      force ((enum pg_mapped) mapped);
      check_map (region, c, N, M - 1, (enum pg_mapped) mapped); /* each to its own place */
      set_up (NULL);
      force ((enum pg_mapped) mapped);
      memmove (c + 1, c, sizeof c - sizeof *c);
      struct nest_args args = { c, c + 1, M - 1, PITCH, 0, NULL },
		       serial = { expected, expected + 1, M - 1, PITCH, 0, NULL };
      memcpy (expected, c, sizeof c);
      map_body (&serial, 0, N, NULL);
      int64_t n_before = row_of (region)->n_mapped[PG_MAPPED_THREAD];
      enter (region, &args, N);
      assert_memory_equal (c, expected, sizeof c);
      assert_int_equal (row_of (region)->n_mapped[PG_MAPPED_THREAD], n_before + 1);
    }
}

/* Nobody divides by the number of turns.  */
static void
no_turns_are_none (void **state)
{
  struct pg_descriptor *bottom = a_map (), *top = a_nest (map_body, top_kernel, 2);
  (void) state;
  for (int mapped = 0; mapped < PG_N_MAPPED; mapped++)
    {
      force ((enum pg_mapped) mapped);
      check_map (bottom, a, N, 0, (enum pg_mapped) mapped); /* one, past which all go */
      check_map (top, a, N, M, (enum pg_mapped) mapped);
      check_map (top, a, N, 0, mapped == PG_MAPPED_COLLAPSE ? PG_MAPPED_THREAD : (enum pg_mapped) mapped);
    }
}

/* Logs know iterations, not turns.  */
static void
what_is_noted_is_not_dealt_out (void **state)
{
  struct pg_descriptor *region = a_map ();
  (void) state;
  pg_environment.step = PG_RUNG_L4;
  for (int mapped = 0; mapped < PG_N_MAPPED; mapped++)
    {
      force ((enum pg_mapped) mapped);
      check_map (region, a, N, M, PG_MAPPED_THREAD);
    }
}

/* The second one, which may be; the first one stays whole.  */
static void
of_two_loops_the_free_one_is_shared (void **state)
{
  struct pg_descriptor *region = a_nest (two_body, two_kernel, 3);
  (void) state;
  for (int n_entries = 1; n_entries < 4; n_entries++)
    {
      struct nest_args args = { a, c, M - n_entries, PITCH, 0, y };
      set_up (NULL);
      force (PG_MAPPED_TEAM);
      memset (y, 0x77, sizeof y);
      enter (region, &args, N);
      for (int i = 0; i < N; i++)
	{
	  assert_int_equal (y[i], args.m - 1);
	  for (int j = 0; j < args.m; j++)
	    assert_int_equal (c[i * PITCH + j], 3 * a[i * PITCH + j]);
	}
      assert_int_equal (row_of (region)->n_mapped[PG_MAPPED_TEAM], n_entries);
    }
}

/* What was not to be had once is not tried again.  */
static void
threads_stand_in (void **state)
{
  (void) state;
  for (int mapped = PG_MAPPED_TEAM; mapped <= PG_MAPPED_COLLAPSE; mapped++)
    {
      struct pg_descriptor *region = a_map ();
      force ((enum pg_mapped) mapped);
      device.n_calls = device.fails_at = 0;
      device.fails_as = PG_DEVICE_NOT_COMPILED;
      check_map (region, a, N, M, PG_MAPPED_THREAD);
      int n_calls = device.n_calls;
      device.n_calls = 0;
      device.fails_at = -1;
      check_map (region, a, N, M, PG_MAPPED_THREAD);
      assert_int_equal (device.n_calls, n_calls - 2); /* nothing to compile */
    }
}

/* A device that has room for teams of ten sizes: as many as there are kernels for, and then threads.  */
static void
kernels_for_teams_are_few (void **state)
{
  struct pg_descriptor *region = a_map ();
  (void) state;
  for (int round = 0; round < 2; round++)
    for (int n_members = 2; n_members <= 1024; n_members *= 2)
      {
	device.limits = (struct pg_kir_limits) { 1, (uint32_t) n_members, 1024, 1 << 15, 1, 1024, 1 << 20, 1 << 15 };
	force (PG_MAPPED_TEAM);
	check_map (region, a, 3, M, n_members <= 256 ? PG_MAPPED_TEAM : PG_MAPPED_THREAD);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (each_way_leaves_what_the_loop_leaves, set_up),
    cmocka_unit_test_setup (the_trip_counts_choose, set_up),
    cmocka_unit_test_setup (sums_over_nests_come_back, set_up),
    cmocka_unit_test_setup (turns_that_meet_stay_together, set_up),
    cmocka_unit_test_setup (no_turns_are_none, set_up),
    cmocka_unit_test_setup (what_is_noted_is_not_dealt_out, set_up),
    cmocka_unit_test_setup (of_two_loops_the_free_one_is_shared, set_up),
    cmocka_unit_test_setup (threads_stand_in, set_up),
    cmocka_unit_test_setup (kernels_for_teams_are_few, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
