/* SPDX-License-Identifier: MIT
   Regions that carry a scalar and use it, with a tally written by hand: each must leave memory and scalars as one
   thread running the loop would, whether it is found out that chunks are apart or not.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "trace-file.h"

#include <stdatomic.h>

/* if (in[i] & 1) out[n++] = in[i], sum += in[i], last = i */
struct pack_args
{
  int64_t *in, *out;
  uint64_t n, n_end, sum;
  int64_t last;
};

static _Atomic int64_t n_tallied, n_run;
static int64_t expected[2 * N];

static int64_t
pack_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pack_args *p = args;
  (void) ctx;
  atomic_fetch_add (&n_run, hi - lo);
  for (int64_t i = lo; i < hi; i++)
    {
      if (p->in[i] & 1)
	{
	  p->out[p->n++] = p->in[i];
	  p->sum += (uint64_t) p->in[i];
	}
      p->last = i;
    }
  return 0;
}

static int64_t
pack_tally (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pack_args *p = args;
  (void) ctx;
  atomic_fetch_add (&n_tallied, hi - lo);
  for (int64_t i = lo; i < hi; i++)
    p->n += p->in[i] & 1;
  return 0;
}

/* Dimension 1 goes over what is added but 1: out + 8 * n is the first place.  */
static const struct pg_node pack_nodes[] = { ARG (pack_args, in),
					     ARG (pack_args, out),
					     ARG (pack_args, n),
					     ARG (pack_args, n_end),
					     CONSTANT (8),
					     { .op = PG_NODE_SUB, .a = 3, .b = 2 },
					     CONSTANT (1),
					     { .op = PG_NODE_SUB, .a = 5, .b = 6 },
					     { .op = PG_NODE_MUL, .a = 2, .b = 4 },
					     { .op = PG_NODE_ADD, .a = 1, .b = 8 } };
static const struct pg_dim pack_dims[]
  = { { .parent = -1, .last = LINEAR (-1, -1) }, { .parent = 0, .last = LINEAR (7, -1) } };
static const struct pg_ref pack_refs[]
  = { { .address = LINEAR (0, 4), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS, .group = 0, .len = 8 },
      { .address = { 9, { -1, 4, -1, -1, -1, -1, -1, -1 } },
	.dim = 1,
	.flags = PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL | PG_REF_OWN,
	.group = 1,
	.len = 8 } };
static const struct pg_reduction pack_reductions[]
  = { { .op = PG_REDUCE_ADD, .type = PG_U64, .offset = offsetof (struct pack_args, sum) },
      { .op = PG_REDUCE_ADD,
	.type = PG_U64,
	.offset = offsetof (struct pack_args, n),
	.is_carried = 1,
	.end = offsetof (struct pack_args, n_end) } };
static const struct pg_field pack_live_outs[] = { { .offset = offsetof (struct pack_args, last), .len = 8 } };

static const struct pg_region pack_region = { .file = "src/loops.c",
					      .function = "pack",
					      .frame_len = 256,
					      .line = 70,
					      .klass = PG_CLASS_POSSIBLY,
					      .reason = PG_WHY_POINTERS,
					      .flags = PG_REGION_ALL_AFFINE | PG_REGION_SLICE_STABLE,
					      .body = pack_body,
					      .tally = pack_tally,
					      .args_len = sizeof (struct pack_args),
					      TABLE (nodes, pack_nodes),
					      TABLE (dims, pack_dims),
					      TABLE (refs, pack_refs),
					      TABLE (reductions, pack_reductions),
					      TABLE (live_outs, pack_live_outs) };

/* Pack N_ITERS of IN to OUT from FROM on, by REGION, and compare: all of memory that is in question is in C.  */
static void
check_pack (struct pg_descriptor *region, int64_t *in, int64_t *out, uint64_t from, int64_t n_iters)
{
  struct pack_args args = { in, out, from, from, 5, -1 }, serial = args;
  int64_t before[2 * N];
  memcpy (before, c, sizeof before);
  pack_body (&serial, 0, n_iters, NULL);
  memcpy (expected, c, sizeof c);
  memcpy (c, before, sizeof before);
  atomic_store (&n_tallied, 0);
  atomic_store (&n_run, 0);
  if (!__paragon_enter_v1 (region, &args, n_iters))
    pack_body (&args, 0, n_iters, NULL);
  assert_memory_equal (c, expected, sizeof c);
  assert_int_equal (args.n, serial.n);
  assert_int_equal (args.sum, serial.sum);
  assert_int_equal (args.last, serial.last);
  assert_int_equal (atomic_load (&n_run), n_iters);
}

static void
chunks_go_on_where_those_before_end (void **state)
{
  (void) state;
  for (int n_threads = 2; n_threads <= 4; n_threads++)
    for (int64_t n = 1; n <= N; n = n < 40 ? n + 1 : n * 4)
      {
	struct pg_descriptor *region = a_new_region (pack_region);
	force_pool (n_threads);
	check_pack (region, a, c, 7, n);
	assert_int_equal (atomic_load (&n_tallied), n);
	assert_int_equal (row_of (region)->n_pool, 1);
	assert_int_equal (row_of (region)->n_conflicts, 0);
      }
}

/* Nothing is known before the tally; then, the output may reach the input by one element, or not quite.  */
static void
what_is_found_to_overlap_runs_in_order (void **state)
{
  int64_t n_odd = 0;
  (void) state;
  for (int64_t i = 0; i < N; i++)
    {
      c[N + i] = a[i];
      n_odd += a[i] & 1;
    }
  for (int64_t d = 0; d <= 2; d++)
    {
      struct pg_descriptor *region = a_new_region (pack_region);
      for (int64_t i = 0; i < N; i++)
	c[N + i] = a[i];
      check_pack (region, c + N, c + N - n_odd + d, 0, N);
      assert_true (atomic_load (&n_tallied) > 0);
      assert_int_equal (row_of (region)->n_conflicts > 0, d > 0);
    }
}

static void
forced_conflicts_change_nothing (void **state)
{
  struct pg_descriptor *region = a_new_region (pack_region);
  (void) state;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_EVERY;
  for (pg_environment.inject_number = 1; pg_environment.inject_number < 20; pg_environment.inject_number += 6)
    check_pack (region, a, c, 3, N);
  assert_true (row_of (region)->n_conflicts > 0);
}

/* What may be stored before it is read is read too early by the tally, unless the two are apart.  */
static void
what_is_read_early_must_be_apart (void **state)
{
  struct pg_ref refs[3] = { pack_refs[0], pack_refs[1] };
  struct pg_region early = pack_region;
  (void) state;
  /* A store to what the iteration reads: iterations do not conflict.  */
  refs[2] = (struct pg_ref) { .address = LINEAR (0, 4), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 2, .len = 8 };
  early.refs = refs;
  early.n_refs = 3;
  for (int is_stable = 0; is_stable < 2; is_stable++)
    {
      early.flags = (uint8_t) (PG_REGION_ALL_AFFINE | (is_stable ? PG_REGION_SLICE_STABLE : 0));
      struct pg_descriptor *region = a_new_region (early);
      check_pack (region, a, c, 0, N);
      assert_int_equal (row_of (region)->n_pool, is_stable);
      assert_int_equal (row_of (region)->n_conflicts > 0, !is_stable);
    }
}

/* Where the address of what is stored is no number of 64 bits, no place is an iteration's own.  */
static void
places_that_wrap_are_not_known (void **state)
{
  struct pg_node nodes[sizeof pack_nodes / sizeof *pack_nodes + 1];
  struct pg_ref stored = pack_refs[1];
  struct pg_region wrapping = pack_region;
  (void) state;
  memcpy (nodes, pack_nodes, sizeof pack_nodes);
  nodes[wrapping.n_nodes] = (struct pg_node) CONSTANT ((int64_t) 1 << 61);
  wrapping.nodes = nodes;
  stored.address.coef[1] = (int16_t) wrapping.n_nodes++;
  wrapping.refs = &stored;
  wrapping.n_refs = 1;
  struct pg_descriptor *region = a_new_region (wrapping);
  check_pack (region, a, c, 7, N);
  assert_true (row_of (region)->n_conflicts > 0);
}

/* Where the compiler knows that nothing overlaps, nobody asks.  */
static void
what_is_known_to_be_apart_is_not_looked_at (void **state)
{
  struct pg_region apart = pack_region;
  (void) state;
  apart.klass = PG_CLASS_PARALLEL;
  apart.reason = 0;
  struct pg_descriptor *region = a_new_region (apart);
  check_pack (region, a, c, 7, N);
  assert_int_equal (row_of (region)->n_pool, 1);
  assert_int_equal (atomic_load (&n_tallied), N);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L0], 1);
}

/* Left to itself, the runtime runs what takes long enough on the pool, where there are CPUs, by the same numbers.  */
static void
long_entries_are_tallied_unasked (void **state)
{
  enum
  {
    MOST_TRIES = 50
  };
  struct pg_descriptor *region = a_new_region (pack_region);
  int n_tries = 0;
  (void) state;
  check_pack (region, a, c, 7, N);
  pg_environment.plan = PG_PLAN_AUTO;
  do
    {
      struct pg_plan *plan = &state_of (region)->plan;
      pg_plan_learn (plan, N, (int64_t) N * 1000000);
      plan->is_alone = false;
      plan->skip = 0;
      check_pack (region, a, c, 7, N);
    }
  while (row_of (region)->n_pool == 1 && ++n_tries < MOST_TRIES);
  assert_in_range (n_tries, 0, MOST_TRIES - 1);
  assert_true (atomic_load (&n_tallied) > 0);
}

static int
set_up_traced (void **state)
{
  return start_trace () != 0 ? -1 : set_up (state);
}

/* The trace has the tally of each chunk, and the chunk: each iteration twice.  */
static void
tallies_are_traced (void **state)
{
  long long from, to, n_traced = 0;
  (void) state;
  check_pack (a_new_region (pack_region), a, c, 7, N);
  read_trace ();
  for (const char *at = trace_text; (at = strstr (at, "\"cat\":\"chunk\"")) != NULL; at++)
    {
      const char *end = strchr (at, '\n'), *numbers = strstr (at, "\"from\":");
      assert_true (numbers != NULL && end != NULL && numbers < end);
      assert_int_equal (sscanf (numbers, "\"from\":%lld,\"to\":%lld", &from, &to), 2);
      n_traced += to - from;
    }
  assert_int_equal (n_traced, 2 * N);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (chunks_go_on_where_those_before_end, set_up),
    cmocka_unit_test_setup (what_is_found_to_overlap_runs_in_order, set_up),
    cmocka_unit_test_setup (forced_conflicts_change_nothing, set_up),
    cmocka_unit_test_setup (what_is_read_early_must_be_apart, set_up),
    cmocka_unit_test_setup (places_that_wrap_are_not_known, set_up),
    cmocka_unit_test_setup (what_is_known_to_be_apart_is_not_looked_at, set_up),
    cmocka_unit_test_setup (long_entries_are_tallied_unasked, set_up),
    cmocka_unit_test_setup_teardown (tallies_are_traced, set_up_traced, end_trace),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
