/* SPDX-License-Identifier: MIT
   Inner loops of kernels: which are countable, what goes from turn to turn, and how many turns they take: as many as
   the interpreter takes.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-run.h"
#include "kir/inner.h"

static void
a_sparse_row_is_countable (void **state)
{
  struct pg_kir_kernel kernel = read_kernel (golden ("spmv"));
  struct pg_kir_inner inner;
  struct pg_kir_error error;
  (void) state;
  assert_true (pg_kir_inner_begin (&inner, &kernel, 1, true, &error));
  assert_int_equal (inner.from, 0);
  assert_int_equal (inner.latch, 1);
  assert_int_equal (inner.exiting, 1);
  assert_int_equal (inner.to, 2);
  assert_false (inner.is_top);
  assert_false (inner.has_stores);
  assert_int_equal (inner.n_rounds, 2);
  assert_int_equal (inner.counter, 0);
  assert_true (inner.tests_next);
  assert_int_equal (inner.before, PG_KIR_OP_SLT);
  assert_int_equal (inner.bound, 13);
  assert_int_equal (inner.rounds[0].step, 1);
  assert_true (inner.rounds[1].is_reduction);
  assert_int_equal (inner.rounds[1].combine, PG_KIR_COMBINE_ADD);
  assert_int_equal (pg_kir_inner_result (&inner, 1), 33);
  pg_kir_inner_end (&inner, &kernel);
  assert_false (pg_kir_inner_begin (&inner, &kernel, 1, false, &error)); /* a sum of floats, in order */
  assert_non_null (strstr (error.text, "from turn to turn"));
  assert_false (pg_kir_inner_begin (&inner, &kernel, 0, true, &error));
  assert_non_null (strstr (error.text, "no loop"));
  assert_false (pg_kir_inner_begin (&inner, &kernel, 2, true, &error));
  pg_kir_end (&kernel);
}

enum
{
  MOST_TURNS = 300
};

/* How many turns KERNEL takes from START to BOUND; -1: too many.  */
static int64_t
turns_taken (const struct pg_kir_kernel *kernel, int64_t start, int64_t bound)
{
  int64_t turns = -2, zero = 0;
  struct
  {
    int64_t start, bound, *turns;
  } args = { start, bound, &turns };
  const struct pg_kir_space space = { (char *) &turns, sizeof turns, true };
  struct pg_kir_machine machine;
  assert_true (pg_kir_machine_begin (&machine, kernel));
  machine.args = (char *) &args;
  machine.spaces = &space;
  machine.n_spaces = 1;
  machine.most_steps = 8 * MOST_TURNS;
  enum pg_kir_outcome outcome = pg_kir_interpret (&machine, &zero);
  pg_kir_machine_end (&machine);
  assert_true (outcome == PG_KIR_DONE || outcome == PG_KIR_TOO_LONG);
  return outcome == PG_KIR_DONE ? turns : -1;
}

/* A kernel that stores how many turns INNER, with a counter of TYPE, takes.  */
static struct pg_kir_kernel
counting (const struct pg_kir_inner *inner, enum pg_kir_type type)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  kernel.args_len = 24;
  kernel.n_refs = 1;
  pg_kir_add_block (&kernel);
  pg_kir_value start = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_ARG, type, 0, 0, 0);
  pg_kir_value bound = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_ARG, type, 8, 0, 0);
  pg_kir_value to = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_ARG, PG_KIR_PTR, 16, 0, 0);
  pg_kir_value turns = pg_kir_add_turns (&kernel, 0, inner, start, bound);
  pg_kir_add_simple (&kernel, 0, PG_KIR_OP_STORE, PG_KIR_VOID, 0, to, turns);
  pg_kir_add_simple (&kernel, 0, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  assert_true (pg_kir_verify (&kernel, &error));
  return kernel;
}

/* Compare what the loop TEXT, with a counter of TYPE, takes with what is computed; how many could be compared.  */
static int
compare_turns (const char *text, enum pg_kir_type type)
{
  static const int64_t ends[] = { 0, 1, 2, 3, 7, 126, 127, 128, 254, 255, -1, -2, -7, -128 };
  enum
  {
    N_ENDS = sizeof ends / sizeof *ends
  };
  int n = 0;
  struct pg_kir_kernel kernel = read_kernel (text);
  struct pg_kir_inner inner;
  struct pg_kir_error error;
  if (!pg_kir_inner_begin (&inner, &kernel, 1, false, &error))
    fail_msg ("%s\n%s", text, error.text);
  struct pg_kir_kernel count = counting (&inner, type);
  for (int s = 0; s < N_ENDS; s++)
    for (int b = 0; b < N_ENDS; b++)
      {
	int64_t taken = turns_taken (&kernel, ends[s], ends[b]);
	if (taken < 0)
	  continue;
	if (turns_taken (&count, ends[s], ends[b]) != taken)
	  fail_msg ("%sfrom %d to %d: %d turns", text, (int) ends[s], (int) ends[b], (int) taken);
	n++;
      }
  pg_kir_inner_end (&inner, &kernel);
  pg_kir_end (&kernel);
  pg_kir_end (&count);
  return n;
}

/* Whatever the test, the type, the direction and the place of the test, and be it on the counter or its next.  */
static void
turns_are_as_many_as_are_taken (void **state)
{
  static const char *const tests[] = { "ne", "slt", "sle", "ult", "ule" };
  static const enum pg_kir_type types[] = { PG_KIR_I8, PG_KIR_I64 };
  int n = 0;
  (void) state;
  for (int t = 0; t < 5; t++)
    for (int is_i64 = 0; is_i64 < 2; is_i64++)
      for (int variant = 0; variant < 16; variant++)
	{
	  char text[1000], test[40];
	  bool is_up = variant & 1, is_top = variant & 2, tests_next = variant & 4, leaves_if_true = variant & 8;
	  const char *type = pg_kir_types[types[is_i64]].name, *counter = tests_next ? "v11" : "v10";
	  bool is_exchanged = is_up == (leaves_if_true && t > 0);
	  snprintf (test, sizeof test, "%s i8 %s %s", t == 0 && leaves_if_true ? "eq" : tests[t],
		    is_exchanged ? "v2" : counter, is_exchanged ? counter : "v2");
	  snprintf (text, sizeof text,
		    "kernel \"x\" args 24 dims 1 refs 1\nb0:\nv1 = arg %s 0\nv2 = arg %s 8\nv3 = arg ptr 16\n"
		    "v4 = const %s %d\nv5 = const i64 0\nv6 = const i64 1\njump void b1\n"
		    "b1:\nv10 = phi %s [b0 v1] [b2 v11]\nv12 = phi i64 [b0 v5] [b2 v13]\n"
		    "v11 = add %s v10 v4\n%sv20 = %s\nbranch void v20 %s\n"
		    "b2:\n%sjump void b1\nb3:\nstore void v3 %s ref 0\nreturn void\nend\n",
		    type, type, type, is_up ? 1 : -1, type, type, is_top ? "" : "v13 = add i64 v12 v6\n", test,
		    leaves_if_true ? "b3 b2" : "b2 b3", is_top ? "v13 = add i64 v12 v6\n" : "", is_top ? "v12" : "v13");
	  n += compare_turns (text, types[is_i64]);
	}
  assert_in_range (n, 10000, 32000);
}

/* A loop over an array of integers, a turn of which is TURN: what goes from turn to turn is v11, from v5 = 0 on, v12
   after the turn; behind it stands BEHIND.  */
static struct pg_kir_kernel
turning (const char *turn, const char *behind)
{
  char text[2000];
  snprintf (
    text, sizeof text,
    "kernel \"x\" args 24 dims 1 refs 1\nb0:\nv1 = arg ptr 0\nv2 = arg i64 8\nv3 = arg ptr 16\nv4 = const i64 1\n"
    "v5 = const i64 0\njump void b1\n"
    "b1:\nv10 = phi i64 [b0 v5] [b2 v20]\nv11 = phi i64 [b0 v5] [b2 v12]\nv13 = address ptr v1 v10\n"
    "v14 = load i64 v13 ref 0\nv15 = slt i8 v5 v14\n%sjump void b2\n"
    "b2:\nv20 = add-nw i64 v10 v4\nv21 = slt i8 v20 v2\nbranch void v21 b1 b3\n"
    "b3:\n%sreturn void\nend\n",
    turn, behind);
  return read_kernel (text);
}

static void
reductions_are_chains (void **state)
{
  static const struct
  {
    const char *turn, *behind;
    enum pg_kir_combine combine;
    const char *why;
  } all[] = {
    { "v12 = add i64 v11 v14\n", "store void v3 v12 ref 0\n", PG_KIR_COMBINE_ADD, NULL },
    { "v12 = add i64 v14 v11\n", "", PG_KIR_COMBINE_ADD, NULL },
    { "v12 = add-nw i64 v14 v11\n", "", PG_KIR_COMBINE_ADD, NULL },
    { "v12 = sub-nw i64 v11 v14\n", "", PG_KIR_COMBINE_ADD, NULL },
    { "v12 = mul-nw i64 v11 v14\n", "", PG_KIR_COMBINE_MUL, NULL },
    { "v12 = sub-nw i64 v14 v11\n", "", 0, "from turn to turn" },
    { "v12 = sub i64 v11 v14\n", "", PG_KIR_COMBINE_ADD, NULL },
    { "v12 = umax i64 v11 v14\n", "", PG_KIR_COMBINE_UMAX, NULL },
    { "v30 = xor i64 v11 v14\nv12 = xor i64 v10 v30\n", "", PG_KIR_COMBINE_XOR, NULL },
    { "v30 = smin i64 v11 v14\nv12 = select i64 v15 v30 v11\n", "", PG_KIR_COMBINE_MIN, NULL },
    { "branch void v15 b4 b5\nb4:\nv30 = or i64 v11 v14\njump void b5\nb5:\nv12 = phi i64 [b4 v30] [b1 v11]\n", "",
      PG_KIR_COMBINE_OR, NULL },

    { "v12 = sub i64 v14 v11\n", "", 0, "from turn to turn" },
    { "v30 = add i64 v11 v14\nv12 = mul i64 v30 v14\n", "", 0, "from turn to turn" },
    { "v12 = add i64 v11 v11\n", "", 0, "from turn to turn" },
    { "v12 = add i64 v11 v14\nstore void v13 v12 ref 0\n", "", 0, "from turn to turn" },
    { "v30 = add i64 v11 v14\nv12 = select i64 v15 v30 v10\n", "", 0, "from turn to turn" },
    { "v30 = slt i8 v11 v14\nv31 = add i64 v11 v14\nv12 = select i64 v30 v31 v11\n", "", 0, "from turn to turn" },
    { "branch void v15 b4 b5\nb4:\nv30 = or i64 v11 v14\njump void b5\nb5:\nv12 = phi i64 [b4 v30] [b1 v14]\n", "", 0,
      "from turn to turn" },
    { "v12 = bits i64 v13\n", "", 0, "from turn to turn" },
    { "v30 = select i64 v15 v10 v11\nv12 = add i64 v30 v4\n", "", 0, "from turn to turn" },
    { "v12 = add i64 v11 v14\n", "store void v3 v14 ref 0\n", 0, "used behind" },
    { "v30 = add i64 v11 v14\nv12 = add i64 v30 v14\n", "store void v3 v30 ref 0\n", 0, "used behind" },
    { "v12 = add i64 v11 v14\n", "store void v3 v11 ref 0\n", 0, "used behind" },
    { "v12 = add i64 v11 v14\nbranch void v15 b4 b3\nb4:\n", "", 0, "in several ways" },
    { "v12 = add i64 v11 v14\nbranch void v15 b4 b5\nb4:\nreturn void\nb5:\n", "", 0, "in several ways" },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      struct pg_kir_inner inner;
      struct pg_kir_error error = { .at = 0 };
      struct pg_kir_kernel kernel = turning (all[i].turn, all[i].behind);
      bool is_countable = pg_kir_inner_begin (&inner, &kernel, 1, false, &error);
      if (is_countable != (all[i].why == NULL) || (!is_countable && strstr (error.text, all[i].why) == NULL))
	fail_msg ("%s%s: %s", all[i].turn, all[i].behind, is_countable ? "countable" : error.text);
      if (is_countable)
	{
	  assert_true (inner.rounds[1].is_reduction);
	  assert_int_equal (inner.rounds[1].combine, all[i].combine);
	  pg_kir_inner_end (&inner, &kernel);
	}
      pg_kir_end (&kernel);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_sparse_row_is_countable),
    cmocka_unit_test (turns_are_as_many_as_are_taken),
    cmocka_unit_test (reductions_are_chains),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
