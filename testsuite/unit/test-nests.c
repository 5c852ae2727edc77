/* SPDX-License-Identifier: MIT
   Nests at an entry: which of a kernel's inner loops a team may share.  The loop is this, each line an inner loop:

       for (i)
	 {
	   for (j = 0; j < 4; j++) w[4*i + j] = j;	or all to the same place
	   for (j = 0; j < m; j++) c[8*i + j] = j;	m = 8
	   for (j = 0; j < 4; j++) s += j;
	 }  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nests.h"

#include <stdio.h>
#include <string.h>

#define LOOP(first, last, turn, before, here, behind)                                                                 \
  here ":\nv" first "0 = phi i64 [" before " v2] [" here " v" first "1]\nv" first "1 = add i64 v" first "0 v3\n" turn \
       "v" first "2 = slt i8 v" first "1 " last "\nbranch void v" first "2 " here " " behind "\n"

static const char text[]
  = "kernel \"x\" args 24 dims 1 refs 2\ncarry i64 add 16\n"
    "b0:\nv1 = iter i64 0\nv2 = const i64 0\nv3 = const i64 1\nv4 = const i64 4\nv5 = const i64 8\nv6 = arg ptr 0\n"
    "v7 = arg ptr 8\nv8 = carry i64 0\njump void b1\n" LOOP ("2", "v4", "store void v6 v20 ref 0\n", "b0", "b1", "b2")
      LOOP ("3", "v5", "store void v7 v30 ref 1\n", "b1", "b2",
	    "b3") "b3:\nv40 = phi i64 [b2 v2] [b3 v41]\nv43 = phi i64 [b2 v8] [b3 v44]\nv44 = add i64 v43 v40\n"
		  "v41 = add i64 v40 v3\nv42 = slt i8 v41 v4\nbranch void v42 b3 b4\n"
		  "b4:\nnext void v44 carry 0\nreturn void\nend\n";

enum
{
  NODE_W,
  NODE_C,
  NODE_8,
  NODE_32,
  NODE_64,
  NODE_3,
  NODE_7
};

static const struct pg_node nodes[] = {
  { .op = PG_NODE_CONST, .value = 4096 }, { .op = PG_NODE_CONST, .value = 8192 }, { .op = PG_NODE_CONST, .value = 8 },
  { .op = PG_NODE_CONST, .value = 32 },   { .op = PG_NODE_CONST, .value = 64 },   { .op = PG_NODE_CONST, .value = 3 },
  { .op = PG_NODE_CONST, .value = 7 },
};
#define LINEAR(base, outer, first, second)     \
  {                                            \
    base,                                      \
    {                                          \
      outer, first, second, -1, -1, -1, -1, -1 \
    }                                          \
  }
static const struct pg_dim dims[] = { { .parent = -1, .last = LINEAR (-1, -1, -1, -1) },
				      { .parent = 0, .last = LINEAR (NODE_3, -1, -1, -1) },
				      { .parent = 0, .last = LINEAR (NODE_7, -1, -1, -1) } };
static struct pg_ref refs[] = {
  { .address = LINEAR (NODE_W, NODE_32, NODE_8, -1), .dim = 1, .flags = PG_REF_WRITE | PG_REF_AFFINE, .len = 8 },
  { .address = LINEAR (NODE_C, NODE_64, -1, NODE_8), .dim = 2, .flags = PG_REF_WRITE | PG_REF_AFFINE, .len = 8 },
};
static const struct pg_region region
  = { .nodes = nodes, .n_nodes = 7, .dims = dims, .n_dims = 3, .refs = refs, .n_refs = 2, .args_len = 24 };

static struct pg_nests nests;
static struct pg_shape_facts facts;
static bool are_free;

static int
set_up (void **state)
{
  struct pg_kir_kernel loop;
  struct pg_kir_error error = { .at = 0 };
  (void) state;
  pg_kir_begin (&loop, NULL);
  if (!pg_kir_read (&loop, text, strlen (text), &error) || !pg_kir_verify (&loop, &error))
    {
      fprintf (stderr, "%u: %s\n", (unsigned) error.at, error.text);
      return 1;
    }
  refs[0].address.coef[1] = refs[1].address.coef[2] = NODE_8;
  bool is_good = pg_nests_find (&nests, &loop, 2);
  pg_kir_end (&loop);
  return !is_good;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_nests_drop (&nests);
  return 0;
}

/* The header of the loop that a team may share; 0: there is none.  */
static pg_kir_block_number
look (void)
{
  static _Alignas(16) char view_memory[1 << 12];
  struct pg_view *view = (struct pg_view *) view_memory;
  static const char args[24];
  assert_in_range (pg_view_len (&region), 1, sizeof view_memory);
  pg_view_evaluate (view, &region, args, 10);
  struct pg_nest *nest = pg_nests_look (&nests, view, args, &facts, &are_free);
  assert_int_equal (facts.can_team, nest != NULL);
  return nest == NULL ? 0 : nest->found.header;
}

static void
the_largest_free_loop_is_shared (void **state)
{
  (void) state;
  assert_int_equal (nests.n, 3);
  assert_int_equal (look (), 2);
  assert_true (are_free && facts.are_most);
  assert_int_equal (facts.n_turns, 8);
  assert_int_equal (facts.n_collapsed, 0);
}

/* The first of those that are small.  */
static void
others_are_looked_at_too (void **state)
{
  (void) state;
  refs[1].address.coef[2] = -1;
  assert_int_equal (look (), 1);
  assert_true (are_free && !facts.are_most);
  assert_int_equal (facts.n_turns, 4);
}

/* What may not be shared, as turns meet, or teams were not to be had.  What only reduces needs to know nothing.  */
static void
refused_loops_are_not_shared (void **state)
{
  (void) state;
  refs[0].address.coef[1] = refs[1].address.coef[2] = -1;
  assert_int_equal (look (), 3);
  nests.nests[2].is_refused[true] = true;
  assert_int_equal (look (), 0);
  refs[1].address.coef[2] = NODE_8;
  assert_int_equal (look (), 2);
  nests.nests[1].is_refused[false] = true;
  assert_int_equal (look (), 2);
  nests.nests[1].is_refused[true] = true;
  assert_int_equal (look (), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (the_largest_free_loop_is_shared, set_up, tear_down),
    cmocka_unit_test_setup_teardown (others_are_looked_at_too, set_up, tear_down),
    cmocka_unit_test_setup_teardown (refused_loops_are_not_shared, set_up, tear_down),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
