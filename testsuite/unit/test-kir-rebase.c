/* SPDX-License-Identifier: MIT
   Kernels on other memory: what they access is there and nowhere else; what they know of pointers is the host's.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-kernels.h"
#include "kir-run.h"
#include "kir/rebase.h"

/* LOOP on other memory; it is ended.  */
static struct pg_kir_kernel
rebase (struct pg_kir_kernel *loop, struct pg_kir_bases *bases, struct pg_kir_use *uses)
{
  struct pg_kir_kernel rebased;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&rebased, NULL);
  if (!pg_kir_find_bases (loop, bases, uses, &error) || !pg_kir_rebase (&rebased, loop, bases, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  verify_kernel (&rebased);
  pg_kir_end (loop);
  return rebased;
}

static void
accesses_go_to_the_copies (void **state)
{
  static double x_copy[N], y_copy[N], element_copy[4 * N], expected[N];
  static int start_copy[N + 1], column_copy[4 * N];
  struct pg_kir_use uses[8];
  struct pg_kir_bases bases;
  struct pg_kir_kernel loop = read_kernel (golden ("spmv"));
  (void) state;
  fill_data ();
  run_in_order (&loop, &spmv, &(struct pg_kir_space) { NULL, SIZE_MAX, true }, 1, 0, N);
  memcpy (expected, y, sizeof y);
  memset (y, 0, sizeof y);
  memcpy (x_copy, x, sizeof x);
  memcpy (element_copy, element, sizeof element);
  memcpy (start_copy, start, sizeof start);
  memcpy (column_copy, column, sizeof column);

  uint32_t offset = pg_kir_bases_offset (&loop);
  struct pg_kir_kernel rebased = rebase (&loop, &bases, uses);
  assert_int_equal (offset, sizeof spmv);
  for (uint32_t r = 0; r < loop.n_refs; r++)
    assert_int_equal (uses[r].grain, uses[r].is_written ? sizeof (double) : 0);
  assert_int_equal (bases.n, 5);
  void *const copies[] = { start_copy, column_copy, element_copy, x_copy, y_copy };
  const size_t lens[] = { sizeof start, sizeof column, sizeof element, sizeof x, sizeof y };
  void *args[10] = { spmv.start, spmv.column, spmv.value, spmv.x, spmv.y };
  struct pg_kir_space spaces[5];
  for (uint32_t b = 0; b < 5; b++)
    {
      uint32_t which = bases.offsets[b] / 8;
      args[5 + b] = copies[which];
      spaces[b] = (struct pg_kir_space) { copies[which], lens[which], which == 4 };
    }
  run_in_order (&rebased, args, spaces, 5, 0, N);
  assert_memory_equal (y_copy, expected, sizeof expected);
  for (int i = 0; i < N; i++)
    assert_true (y[i] == 0);
  pg_kir_end (&rebased);
}

/* p = i & 1 ? a : b, for (q = p; q != p + 2; q++) *q += 1; saved[i] = q, with the ints at a and b; last = q.  */
static const char walking[] = "kernel \"walking\" args 32 dims 1 refs 2\n"
			      "carry ptr last 24\n"
			      "b0:\n"
			      "v1 = iter i64 0\n"
			      "v2 = const i64 1\n"
			      "v3 = and i64 v1 v2\n"
			      "v4 = trunc i8 v3\n"
			      "v5 = arg ptr 0\n"
			      "v6 = arg ptr 8\n"
			      "v7 = select ptr v4 v5 v6\n"
			      "v8 = const i64 8\n"
			      "v9 = address ptr v7 v8\n"
			      "v10 = const i64 4\n"
			      "v11 = const i32 1\n"
			      "jump void b1\n"
			      "b1:\n"
			      "v13 = phi ptr [b0 v7] [b1 v16]\n"
			      "v14 = load i32 v13 ref 0\n"
			      "v15 = add i32 v14 v11\n"
			      "v16 = address ptr v13 v10\n"
			      "store void v13 v15 ref 0\n"
			      "v18 = ne i8 v16 v9\n"
			      "branch void v18 b1 b2\n"
			      "b2:\n"
			      "v20 = const i64 3\n"
			      "v21 = shl i64 v1 v20\n"
			      "v22 = arg ptr 16\n"
			      "v23 = address ptr v22 v21\n"
			      "store void v23 v16 ref 1\n"
			      "next void v16 carry 0\n"
			      "return void\n"
			      "end\n";

static void
pointers_stay_the_hosts (void **state)
{
  int a[2] = { 10, 20 }, b[2] = { 30, 40 }, a_copy[2] = { 10, 20 }, b_copy[2] = { 30, 40 };
  int *saved[4] = { NULL }, *saved_copy[4] = { NULL };
  struct pg_kir_use uses[2];
  struct pg_kir_bases bases;
  struct pg_kir_kernel loop = read_kernel (walking);
  struct pg_kir_kernel rebased = rebase (&loop, &bases, uses);
  (void) state;
  assert_int_equal (bases.n, 3);
  assert_int_equal (uses[0].bases, 3);
  assert_true (uses[0].is_read && uses[0].is_written && uses[0].least_len == 4);
  assert_int_equal (uses[1].bases, 4);
  assert_true (!uses[1].is_read && uses[1].is_written && uses[1].least_len == 8);
  assert_true (uses[0].grain == 1 && uses[1].grain == 1);
  void *args[7] = { a, b, saved, NULL };
  void *const copies[] = { a_copy, b_copy, saved_copy };
  for (uint32_t i = 0; i < 3; i++)
    args[4 + i] = copies[bases.offsets[i] / 8];
  const struct pg_kir_space spaces[] = { { (char *) a_copy, sizeof a_copy, true },
					 { (char *) b_copy, sizeof b_copy, true },
					 { (char *) saved_copy, sizeof saved_copy, true } };
  run_in_order (&rebased, args, spaces, 3, 0, 3);
  assert_true (a[0] == 10 && a[1] == 20 && b[0] == 30 && b[1] == 40 && saved[0] == NULL);
  assert_true (a_copy[0] == 11 && a_copy[1] == 21 && b_copy[0] == 32 && b_copy[1] == 42);
  assert_true (saved_copy[0] == b + 2 && saved_copy[1] == a + 2 && saved_copy[2] == b + 2);
  assert_true (args[3] == b + 2);
  pg_kir_end (&rebased);
}

static void
addresses_from_elsewhere_are_refused (void **state)
{
  static const char *const texts[]
    = { "kernel \"row\" args 8 dims 1 refs 1\nb0:\nv1 = arg ptr 0\nv2 = load ptr v1 ref 0\nv3 = load i8 v2 ref 0\n"
	"store void v1 v3 ref 0\nreturn void\nend\n",
	"kernel \"number\" args 8 dims 1 refs 1\nb0:\nv1 = arg i64 0\nv2 = bits ptr v1\nv3 = load i8 v2 ref 0\n"
	"store void v2 v3 ref 0\nreturn void\nend\n",
	"kernel \"null\" args 8 dims 1 refs 1\nb0:\nv1 = const ptr 0\nv2 = const i8 1\nstore void v1 v2 ref 0\n"
	"return void\nend\n" };
  (void) state;
  for (int t = 0; t < 3; t++)
    {
      struct pg_kir_kernel loop = read_kernel (texts[t]);
      struct pg_kir_bases bases;
      struct pg_kir_use uses[1];
      struct pg_kir_error error;
      assert_false (pg_kir_find_bases (&loop, &bases, uses, &error));
      assert_non_null (strstr (error.text, "does not come from the loop's pointers"));
      pg_kir_end (&loop);
    }
}

/* A loop that loads by pointers FROM to TO - 1 of its arguments, of COUNT.  */
static struct pg_kir_kernel
loading (uint32_t count, uint32_t from, uint32_t to)
{
  struct pg_kir_kernel loop;
  pg_kir_begin (&loop, NULL);
  snprintf (loop.name, sizeof loop.name, "loading");
  loop.args_len = 8 * count;
  loop.n_dims = loop.n_refs = 1;
  pg_kir_add_block (&loop);
  for (uint32_t p = 0; p < count; p++)
    {
      pg_kir_value pointer = pg_kir_add_simple (&loop, 0, PG_KIR_OP_ARG, PG_KIR_PTR, 8 * p, 0, 0);
      if (p >= from && p < to)
	pg_kir_add_simple (&loop, 0, PG_KIR_OP_LOAD, PG_KIR_I8, 0, pointer, 0);
    }
  pg_kir_add_simple (&loop, 0, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  return loop;
}

static void
bases_are_those_that_are_used (void **state)
{
  struct pg_kir_bases bases;
  struct pg_kir_use use;
  struct pg_kir_error error;
  struct pg_kir_kernel few = loading (10, 3, 5), most = loading (64, 0, 64), more = loading (65, 0, 65);
  (void) state;
  assert_true (pg_kir_find_bases (&few, &bases, &use, &error));
  assert_int_equal (bases.n, 2);
  assert_int_equal (bases.offsets[0], 24);
  assert_int_equal (bases.offsets[1], 32);
  assert_int_equal (use.bases, 3);
  assert_true (pg_kir_find_bases (&most, &bases, &use, &error));
  assert_true (use.bases == UINT64_MAX);
  assert_false (pg_kir_find_bases (&more, &bases, &use, &error));
  pg_kir_end (&few);
  pg_kir_end (&most);
  pg_kir_end (&more);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (accesses_go_to_the_copies),
    cmocka_unit_test (pointers_stay_the_hosts),
    cmocka_unit_test (addresses_from_elsewhere_are_refused),
    cmocka_unit_test (bases_are_those_that_are_used),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
