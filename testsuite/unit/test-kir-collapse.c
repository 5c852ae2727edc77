/* SPDX-License-Identifier: MIT
   Nested loops that became one: its iterations, in order, leave what the nest leaves.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-run.h"
#include "kir/collapse.h"
#include "kir/inner.h"

enum
{
  N = 11,     /* iterations of the outer loop */
  MOST_M = 9, /* turns of the inner one */
  N_ELEMENTS = N * MOST_M
};

static int64_t x[N_ELEMENTS], y[N_ELEMENTS];

/* What kernels are given; they carry SUM and COUNT.  */
static struct
{
  int64_t *x, *y, m, sum, count;
} args;

static void
fill (int64_t m)
{
  for (int i = 0; i < N_ELEMENTS; i++)
    {
      x[i] = i * 7919 % 1000 - 300;
      y[i] = -1;
    }
  args.x = x;
  args.y = y;
  args.m = m;
  args.sum = 1000;
  args.count = 7;
}

/* The beginning of all kernels: v2, v3 and v4 are x, y and m, v1 is the outer iteration, v5 ... v8 are 0, 1, 3 and 8,
   v9 is where the row begins, v10 says that there are turns at all.  */
#define BEGIN(carry)                                                                                            \
  "kernel \"x\" args 40 dims 1 refs 2\n" carry                                                                  \
  "b0:\nv1 = iter i64 0\nv2 = arg ptr 0\nv3 = arg ptr 8\nv4 = arg i64 16\nv5 = const i64 0\nv6 = const i64 1\n" \
  "v7 = const i64 3\nv8 = const i64 8\nv9 = mul i64 v1 v4\nv10 = slt i8 v5 v4\n"
#define CARRIES "carry i64 add 24\ncarry i64 add 32\n"

/* The element v24 of x that turn v20 works on, and the address v25 of that of y.  */
#define ELEMENT                                                                                      \
  "v21 = add i64 v9 v20\nv22 = shl i64 v21 v7\nv23 = address ptr v2 v22\nv24 = load i64 v23 ref 0\n" \
  "v25 = address ptr v3 v22\n"
#define NEXT(here, behind) "v27 = add i64 v20 v6\nv28 = slt i8 v27 v4\nbranch void v28 " here " " behind "\n"
#define STORED                                                                               \
  BEGIN ("")                                                                                 \
  "branch void v10 b1 b3\nb1:\nv20 = phi i64 [b0 v5] [b2 v27]\n" ELEMENT                     \
  "v26 = mul i64 v24 v1\nstore void v25 v26 ref 1\n" NEXT ("b2", "b3") "b2:\njump void b1\n" \
								       "b3:\nreturn void\nend\n"

static const char *const kernels[] = {
  STORED,

  /* The test at the top, counted down, and two more inductions, one of them of pointers from what was loaded.  */
  BEGIN ("") "v11 = shl i64 v9 v7\nv12 = address ptr v3 v11\nv13 = trunc i8 v4\nv14 = const i8 0\nv15 = const i8 1\n"
	     "v16 = load i64 v2 ref 0\njump void b1\n"
	     "b1:\nv30 = phi i8 [b0 v13] [b3 v31]\nv20 = phi i64 [b0 v5] [b3 v27]\nv32 = phi ptr [b0 v12] [b3 v33]\n"
	     "v34 = phi i64 [b0 v16] [b3 v35]\nv36 = phi i64 [b0 v1] [b3 v36]\nv37 = eq i8 v30 v14\n"
	     "branch void v37 b4 b2\n"
	     "b2:\n" ELEMENT
	     "v31 = sub i8 v30 v15\nv27 = add i64 v20 v6\nv33 = address ptr v32 v8\nv35 = add i64 v7 v34\n"
	     "v38 = add i64 v24 v36\nv39 = add i64 v38 v34\nstore void v32 v39 ref 1\njump void b3\n"
	     "b3:\njump void b1\nb4:\nreturn void\nend\n",

  /* A sum and a number of turns over all rows but every third.  */
  BEGIN (CARRIES) "v11 = carry i64 0\nv12 = carry i64 1\nv13 = urem i64 v1 v7\nv14 = eq i8 v13 v5\n"
		  "branch void v14 b5 b1\nb1:\nbranch void v10 b2 b4\n"
		  "b2:\nv20 = phi i64 [b1 v5] [b2 v27]\nv30 = phi i64 [b1 v11] [b2 v31]\nv32 = phi i64 [b1 v12] [b2 "
		  "v33]\n" ELEMENT "v31 = add i64 v24 v30\nv33 = add i64 v32 v6\n" NEXT (
		    "b2", "b3") "b3:\nv34 = phi i64 [b2 v31]\nnext void v33 carry 1\njump void b4\n"
				"b4:\nv35 = phi i64 [b1 v11] [b3 v34]\nnext void v35 carry 0\nreturn void\n"
				"b5:\nreturn void\nend\n",

  /* The same of all rows, tested at the top.  */
  BEGIN (CARRIES) "v11 = carry i64 0\nv12 = carry i64 1\njump void b1\n"
		  "b1:\nv20 = phi i64 [b0 v5] [b2 v27]\nv30 = phi i64 [b0 v11] [b2 v31]\n"
		  "v32 = phi i64 [b0 v12] [b2 v33]\nv28 = slt i8 v20 v4\n"
		  "branch void v28 b2 b3\nb2:\n" ELEMENT "v31 = add i64 v24 v30\nv33 = add i64 v32 v7\n"
		  "v27 = add i64 v20 v6\njump void b1\n"
		  "b3:\nv34 = phi i64 [b1 v30]\nnext void v34 carry 0\nnext void v32 carry 1\nreturn void\nend\n",
};

static const struct pg_kir_space spaces[] = { { (char *) x, sizeof x, false }, { (char *) y, sizeof y, true } };

static void
one_loop_leaves_what_the_nest_leaves (void **state)
{
  (void) state;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (int64_t m = 0; m <= MOST_M; m += m < 4 ? 1 : 5)
      {
	int64_t expected[N_ELEMENTS];
	struct pg_kir_kernel loop = read_kernel (kernels[k]), one;
	struct pg_kir_error error;
	pg_kir_value turns;
	uint64_t n_turns;
	fill (m);
	run_in_order (&loop, &args, spaces, 2, 0, N);
	memcpy (expected, y, sizeof expected);
	int64_t sum = args.sum, count = args.count;
	pg_kir_begin (&one, NULL);
	if (!pg_kir_collapse (&one, &loop, &turns, &error) || !pg_kir_verify (&one, &error))
	  fail_msg ("%s: %s", kernels[k], error.text);
	fill (m);
	assert_true (pg_kir_value_of_args (&one, turns, (char *) &args, &n_turns));
	assert_int_equal (n_turns, m == 0 && k % 2 == 0 ? 1 : m); /* tested at the bottom, there is one at least */
	run_in_order (&one, &args, spaces, 2, 0, N * (int64_t) n_turns);
	assert_memory_equal (y, expected, sizeof expected);
	assert_int_equal (args.sum, sum);
	assert_int_equal (args.count, count);
	for (uint32_t b = 0; b < one.n_blocks; b++)
	  assert_false (pg_kir_inner_begin (&(struct pg_kir_inner) { .header = 0 }, &one, b, true, &error));
	pg_kir_end (&loop);
	pg_kir_end (&one);
      }
}

/* A loop with a reduction v30 from INIT on, before and behind which stand BEFORE and BEHIND.  */
#define REDUCING(before, init, behind)                                                                                \
  BEGIN (CARRIES)                                                                                                     \
  "v11 = carry i64 0\nv12 = carry i64 1\n" before "jump void b1\nb1:\nv20 = phi i64 [b0 v5] [b1 v27]\nv30 = phi i64 " \
  "[b0 " init "] [b1 v31]\n" ELEMENT "v31 = add i64 v24 v30\n" NEXT ("b1", "b2") "b2:\n" behind "return void\nend\n"

static void
other_nests_are_refused (void **state)
{
  static const struct
  {
    const char *text, *why;
  } all[] = {
    { REDUCING ("", "v11", "next void v31 carry 0\n"), NULL },
    { REDUCING ("", "v11", ""), NULL },
    { REDUCING ("", "v5", ""), "reduces anew" },
    { REDUCING ("", "v11", "next void v31 carry 1\n"), "around" },
    { REDUCING ("", "v11", "v32 = add i64 v31 v6\nnext void v32 carry 0\n"), "around" },
    { REDUCING ("", "v11", "next void v31 carry 0\nstore void v3 v6 ref 1\n"), "around" },
    { REDUCING ("v13 = add i64 v11 v6\n", "v11", "next void v31 carry 0\n"), "around" },
    { REDUCING ("", "v11", "next void v31 carry 0\nv33 = add i64 v12 v6\nnext void v33 carry 1\n"), "around" },
    { REDUCING ("", "v11", "v32 = phi i64 [b1 v31]\nv33 = add i64 v32 v6\nnext void v32 carry 0\n"), "around" },
    { BEGIN ("") "jump void b1\nb1:\nv20 = phi i64 [b0 v1] [b1 v27]\n" NEXT ("b1", "b2") "b2:\nreturn void\nend\n",
      "depend on the iteration" },
    { BEGIN ("") "v11 = udiv i64 v4 v7\njump void b1\nb1:\nv20 = phi i64 [b0 v5] [b1 v27]\nv27 = add i64 v20 v6\n"
		 "v28 = slt i8 v27 v11\nbranch void v28 b1 b2\nb2:\nreturn void\nend\n",
      "depend on the iteration" },
    { BEGIN ("") "v12 = arg f64 24\nv11 = ftos i64 v12\njump void b1\nb1:\nv20 = phi i64 [b0 v5] [b1 v27]\n"
		 "v27 = add i64 v20 v6\nv28 = slt i8 v27 v11\nbranch void v28 b1 b2\nb2:\nreturn void\nend\n",
      "depend on the iteration" },
    { BEGIN (
	"") "jump void b1\nb1:\nv40 = phi i64 [b0 v1] [b3 v41]\njump void b2\n"
	    "b2:\nv20 = phi i64 [b1 v5] [b2 v27]\n" NEXT (
	      "b2",
	      "b3") "b3:\nv41 = lshr i64 v40 v6\nv42 = ne i8 v41 v5\nbranch void v42 b1 b4\nb4:\nreturn void\nend\n",
      "in another one" },
    { BEGIN (CARRIES) "jump void b1\nb1:\nv20 = phi i64 [b0 v5] [b1 v27]\n" ELEMENT
		      "next void v24 carry 0\n" NEXT ("b1", "b2") "b2:\nreturn void\nend\n",
      "around" },
    { BEGIN ("") "return void\nend\n", "no countable" },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      struct pg_kir_kernel loop = read_kernel (all[i].text), one;
      struct pg_kir_error error = { .at = 0 };
      pg_kir_value turns;
      pg_kir_begin (&one, NULL);
      if (pg_kir_collapse (&one, &loop, &turns, &error) != (all[i].why == NULL)
	  || (all[i].why != NULL && strstr (error.text, all[i].why) == NULL))
	fail_msg ("%s: %s", all[i].text, error.text);
      pg_kir_end (&loop);
      pg_kir_end (&one);
    }
  struct pg_kir_kernel kinds = read_kernel (golden ("kinds")), one;
  struct pg_kir_error error;
  pg_kir_value turns;
  pg_kir_begin (&one, NULL);
  assert_false (pg_kir_collapse (&one, &kinds, &turns, &error));
  assert_non_null (strstr (error.text, "one dimension"));
  pg_kir_end (&kinds);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (one_loop_leaves_what_the_nest_leaves),
    cmocka_unit_test (other_nests_are_refused),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
