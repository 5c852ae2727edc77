/* SPDX-License-Identifier: MIT
   Nests: the inner loops of a kernel, and where accesses stand, seen from one of them.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir/nest.h"

#include <stdio.h>
#include <string.h>

enum
{
  N_REFS = 12
};

/* Loops b1, which reduces, and b4, which stores and has b5 in it; b8 is a way past them.  Reference R is accessed in
   block bR; 9 and 10 are atomic operations, 11 is accessed everywhere.  */
static const char text[]
  = "kernel \"x\" args 16 dims 1 refs 12\n"
    "b0:\nv1 = arg ptr 0\nv2 = const i64 0\nv3 = const i64 1\nv4 = arg i64 8\nv5 = load i64 v1 ref 0\n"
    "v6 = load i64 v1 ref 11\nv7 = slt i8 v5 v6\nbranch void v7 b1 b8\n"
    "b1:\nv10 = phi i64 [b0 v2] [b1 v13]\nv11 = phi i64 [b0 v2] [b1 v14]\nv12 = load i64 v1 ref 1\n"
    "v13 = add i64 v10 v3\nv14 = add i64 v11 v12\nv15 = slt i8 v13 v4\nv16 = load i64 v1 ref 11\n"
    "branch void v15 b1 b2\n"
    "b2:\nstore void v1 v14 ref 2\nv18 = atomic-add i64 v1 v3 ref 9\njump void b3\n"
    "b3:\nv20 = load i64 v1 ref 3\njump void b4\n"
    "b4:\nv30 = phi i64 [b3 v2] [b6 v31]\nstore void v1 v30 ref 4\njump void b5\n"
    "b5:\nv40 = phi i64 [b4 v2] [b5 v41]\nv41 = add i64 v40 v3\nstore void v1 v40 ref 5\nv42 = slt i8 v41 v4\n"
    "branch void v42 b5 b6\n"
    "b6:\nstore void v1 v30 ref 6\nv31 = add i64 v30 v3\nv32 = slt i8 v31 v4\nbranch void v32 b4 b7\n"
    "b7:\nstore void v1 v31 ref 7\nv51 = load i64 v1 ref 11\nv52 = atomic-add i64 v1 v51 ref 10\nreturn void\n"
    "b8:\nstore void v1 v2 ref 8\nreturn void\nend\n";

static struct pg_kir_kernel
read_kernel (void)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_read (&kernel, text, strlen (text), &error) || !pg_kir_verify (&kernel, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  return kernel;
}

/* b5 is in another loop.  */
static void
nests_follow_each_other (void **state)
{
  struct pg_kir_kernel loop = read_kernel ();
  struct pg_kir_nest nest;
  uint8_t stands[N_REFS];
  (void) state;
  assert_true (pg_kir_find_nest (&nest, stands, &loop, 0, false));
  assert_int_equal (nest.header, 1);
  assert_int_equal (nest.n_reduced, 1);
  assert_false (nest.has_stores);
  assert_true (pg_kir_find_nest (&nest, stands, &loop, 2, false));
  assert_int_equal (nest.header, 4);
  assert_int_equal (nest.n_reduced, 0);
  assert_true (nest.has_stores);
  assert_false (pg_kir_find_nest (&nest, stands, &loop, 5, false));
  pg_kir_end (&loop);
}

static void
accesses_stand_before_in_and_behind (void **state)
{
  enum
  {
    R = PG_KIR_READ_BEFORE,
    W = PG_KIR_WRITTEN_BEFORE,
    T = PG_KIR_IN_TURN,
    B = PG_KIR_BEHIND
  };
  static const uint8_t first[N_REFS] = { R, T, B, B, B, B, B, B, W, B, B, R | T | B };
  static const uint8_t second[N_REFS] = { R, R, W, R, T, T, T, B, W, R | W, B, R | B };
  struct pg_kir_kernel loop = read_kernel ();
  struct pg_kir_nest nest;
  uint8_t stands[N_REFS];
  (void) state;
  assert_true (pg_kir_find_nest (&nest, stands, &loop, 1, false));
  assert_memory_equal (stands, first, N_REFS);
  assert_true (pg_kir_find_nest (&nest, stands, &loop, 4, false));
  assert_memory_equal (stands, second, N_REFS);
  pg_kir_end (&loop);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (nests_follow_each_other),
    cmocka_unit_test (accesses_stand_before_in_and_behind),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
