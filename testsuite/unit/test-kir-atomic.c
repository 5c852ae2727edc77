/* SPDX-License-Identifier: MIT
   Reductions into arrays: by atomic operations, iterations that change the same places leave what the loop leaves,
   whatever the order of the threads; and what else is done there is refused.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-run.h"
#include "kir/atomic.h"

enum
{
  N = 60, /* iterations */
  N_PLACES = 4
};

static struct
{
  int64_t key[N], with[N], count[2 * N_PLACES];
} data;

/* A loop that changes count[key[i]], of TYPE, at v21 = v14, having loaded v16 = with[i], as BODY says.  */
static struct pg_kir_kernel
changing (const char *body)
{
  char text[2000];
  snprintf (
    text, sizeof text,
    "kernel \"x\" args 24 dims 1 refs 3\nb0:\nv1 = iter i64 0\nv2 = arg ptr 0\nv3 = arg ptr 8\nv4 = arg ptr 16\n"
    "v5 = const i64 3\nv6 = const i64 8\nv7 = shl i64 v1 v5\nv8 = address ptr v2 v7\nv9 = load i64 v8 ref 0\n"
    "v15 = const i64 4\nv10 = shl i64 v9 v15\nv11 = address ptr v4 v10\nv12 = address ptr v11 v6\nv13 = address ptr "
    "v11 v6\n"
    "v14 = address ptr v3 v7\nv16 = load i64 v14 ref 1\nv17 = trunc i32 v16\nv18 = stof f64 v16\n%sreturn void\nend\n",
    body);
  return read_kernel (text);
}

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    {
      data.key[i] = i * i % N_PLACES;
      data.with[i] = i * 7919 % 1000 - 300;
    }
  for (int i = 0; i < 2 * N_PLACES; i++)
    data.count[i] = i;
}

static struct
{
  int64_t *key, *with, *count;
} args = { data.key, data.with, data.count };

static const struct pg_kir_space space = { (char *) &data, sizeof data, true };

/* Run LOOP as a grid.  */
static void
run (const struct pg_kir_kernel *loop, uint64_t seed)
{
  struct
  {
    char own[sizeof args];
    struct pg_kir_launch launch;
  } given;
  memcpy (given.own, &args, sizeof args);
  run_strided (loop, &given, &space, 1, 0, N, 3, 8, seed);
}

static const uint8_t counts[] = { 0, 0, 1 };

static void
changes_of_one_place_do_not_meet (void **state)
{
  static const struct
  {
    const char *body;
    bool is_float;
  } all[] = {
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v16 v20\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i64 v11 ref 2\nv21 = add-nw i64 v16 v20\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i64 v11 ref 2\nv21 = sub-nw i64 v20 v16\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i32 v11 ref 2\nv21 = sub i32 v20 v17\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i64 v11 ref 2\nv21 = xor i64 v20 v16\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i64 v11 ref 2\nv21 = umax i64 v20 v16\nstore void v11 v21 ref 2\n", false },
    { "v20 = load i64 v11 ref 2\nv21 = smin i64 v20 v16\nstore void v11 v21 ref 2\n"
      "v22 = load i64 v12 ref 2\nv23 = smax i64 v22 v16\nstore void v13 v23 ref 2\n",
      false },
    { "v20 = load i64 v13 ref 2\nv22 = load i64 v14 ref 1\nv21 = or i64 v20 v22\nstore void v12 v21 ref 2\n", false },
    { "v20 = load f64 v11 ref 2\nv21 = fadd f64 v20 v18\nstore void v11 v21 ref 2\n", true },
    { "v20 = load f64 v11 ref 2\nv21 = fsub f64 v20 v18\nstore void v11 v21 ref 2\n", true },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      int64_t expected[2 * N_PLACES];
      struct pg_kir_kernel loop = changing (all[i].body);
      struct pg_kir_error error;
      int n_raced = 0;
      fill ();
      run_in_order (&loop, &args, &space, 1, 0, N);
      memcpy (expected, data.count, sizeof expected);
      for (uint64_t seed = 1; seed < 6; seed++)
	{
	  fill ();
	  run (&loop, seed);
	  n_raced += memcmp (data.count, expected, sizeof expected) != 0;
	}
      assert_true (pg_kir_make_atomic (&loop, counts, all[i].is_float, &error));
      verify_kernel (&loop);
      for (uint64_t seed = 0; seed < 6; seed++)
	{
	  fill ();
	  run (&loop, seed);
	  assert_memory_equal (data.count, expected, sizeof expected); /* the floats are whole numbers */
	}
      assert_true (n_raced > 0 || strstr (all[i].body, "max") != NULL || strstr (all[i].body, "or i64") != NULL);
      pg_kir_end (&loop);
    }
}

static void
other_accesses_are_refused (void **state)
{
  static const struct
  {
    const char *body;
    bool is_good, may_reorder;
  } all[] = {
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\n", true, false },

    { "v20 = load f64 v11 ref 2\nv21 = fadd f64 v20 v18\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load f64 v11 ref 2\nv21 = fmul f64 v20 v18\nstore void v11 v21 ref 2\n", false, true },
    { "v20 = load i64 v11 ref 2\nv21 = mul i64 v20 v16\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 2\nv21 = sub i64 v16 v20\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v20\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load i16 v11 ref 2\nv19 = trunc i16 v17\nv21 = add i16 v20 v19\nstore void v11 v21 ref 2\n", false,
      false },
    { "v20 = load i64 v12 ref 2\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 1\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\nstore void v14 v21 ref 1\n", false,
      false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\nstore void v14 v20 ref 1\n", false,
      false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nstore void v14 v16 ref 1\nstore void v11 v21 ref 2\n", false,
      false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\njump void b1\nb1:\nstore void v11 v21 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\nv22 = load i64 v11 ref 2\n", false,
      false },
    { "store void v11 v16 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 2\nstore void v14 v20 ref 1\n", false, false },
    { "v20 = atomic-set i64 v11 v16 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 2\nv21 = add i64 v20 v16\nv22 = atomic-set i64 v11 v21 ref 2\n", false, false },
    { "v20 = load i64 v11 ref 1\nv21 = add i64 v20 v16\nstore void v11 v21 ref 2\n"
      "v22 = load i64 v11 ref 2\nstore void v14 v22 ref 1\n",
      false, false },
    { "v30 = load ptr v8 ref 0\nstore void v8 v9 ref 0\nv31 = load ptr v8 ref 0\n"
      "v20 = load i64 v30 ref 2\nv21 = add i64 v20 v16\nstore void v31 v21 ref 2\n",
      false, false },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      static char before[TEXT_LEN], after[TEXT_LEN];
      struct pg_kir_kernel loop = changing (all[i].body);
      struct pg_kir_error error = { .at = 0 };
      pg_kir_write (&loop, before, sizeof before);
      if (pg_kir_make_atomic (&loop, counts, all[i].may_reorder, &error) != all[i].is_good)
	fail_msg ("%s", all[i].body);
      pg_kir_write (&loop, after, sizeof after);
      if (all[i].is_good)
	assert_non_null (strstr (after, "atomic-add i64"));
      else
	{
	  assert_string_equal (before, after);
	  assert_non_null (strstr (error.text, "does not combine"));
	}
      pg_kir_end (&loop);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (changes_of_one_place_do_not_meet),
    cmocka_unit_test (other_accesses_are_refused),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
