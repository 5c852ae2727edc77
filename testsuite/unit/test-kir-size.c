/* SPDX-License-Identifier: MIT
   The size of grids: from what the device has and what the kernel needs.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir/kir.h"
#include "kir/size.h"

/* A large device.  */
static const struct pg_kir_limits large = { .n_processors = 100,
					    .together = 32,
					    .n_threads = 1024,
					    .shared_len = 48 << 10,
					    .all_blocks = 32,
					    .all_threads = 2048,
					    .all_registers = 64 << 10,
					    .all_shared_len = 96 << 10 };

static void
assert_size (struct pg_kir_limits limits, struct pg_kir_need need, uint32_t n_threads, int64_t n_blocks)
{
  struct pg_kir_size size;
  assert_true (pg_kir_choose_size (&size, &limits, &need));
  assert_int_equal (size.n_threads, n_threads);
  assert_int_equal (size.n_blocks, n_blocks);
}

static void
sizes_follow_from_limits (void **state)
{
  struct pg_kir_limits small = large;
  struct pg_kir_size size;
  (void) state;
  /* Much to do: all threads that there are, 32 blocks of 64 for each processor.  */
  assert_size (large, (struct pg_kir_need) { .n_iters = INT64_C (1) << 40, .n_members = 1 }, 64, 3200);
  /* Little to do: spread over the processors.  */
  assert_size (large, (struct pg_kir_need) { .n_iters = 3200, .n_members = 1 }, 32, 100);
  assert_size (large, (struct pg_kir_need) { .n_iters = 1, .n_members = 1 }, 32, 1);
  /* Few iterations, many threads for each.  */
  assert_size (large, (struct pg_kir_need) { .n_iters = 50, .n_members = 256 }, 256, 50);
  assert_size (large, (struct pg_kir_need) { .n_iters = 100000, .n_members = 1024 }, 1024, 200);
  assert_size (large, (struct pg_kir_need) { .n_iters = 1 << 20, .n_members = 16 }, 64, 3200);
  /* Registers: 255 for each of 256 threads; 43 leave room for 1523 threads, 47 blocks of 32, of which 32 may be.  */
  assert_size (large, (struct pg_kir_need) { .n_iters = 1 << 20, .n_members = 1, .registers = 255 }, 32, 800);
  assert_size (large, (struct pg_kir_need) { .n_iters = 1 << 20, .n_members = 1, .registers = 43 }, 64, 2300);
  /* Shared memory: 96 KiB are enough for 1536 threads with 64 bytes each.  */
  assert_size (large, (struct pg_kir_need) { .n_iters = 1 << 20, .n_members = 1, .shared_len = 64 }, 64, 2400);
  assert_size (large, (struct pg_kir_need) { .n_iters = 1 << 20, .n_members = 512, .shared_len = 64 }, 512, 300);

  struct pg_kir_need need = { .n_iters = 1 << 20, .n_members = 1024, .shared_len = 64 };
  assert_false (pg_kir_choose_size (&size, &large, &need)); /* a block has 48 KiB at most */
  need = (struct pg_kir_need) { .n_iters = 1 << 20, .n_members = 1024, .registers = 65 };
  assert_false (pg_kir_choose_size (&size, &large, &need));
  need.registers = 64;
  assert_true (pg_kir_choose_size (&size, &large, &need));
  small.n_threads = 512;
  assert_false (pg_kir_choose_size (&size, &small, &need));
}

static uint32_t
pick (uint64_t *random, uint32_t n)
{
  *random = *random * 6364136223846793005 + 1442695040888963407;
  return (uint32_t) (*random >> 33) % n;
}

/* Whatever the device and the kernel.  */
static void
sizes_fit (void **state)
{
  uint64_t random = 1;
  int n_chosen = 0;
  (void) state;
  for (int i = 0; i < 100000; i++)
    {
      struct pg_kir_limits limits = { .n_processors = 1 + pick (&random, 150),
				      .together = 1U << pick (&random, 7),
				      .n_threads = 1 + pick (&random, 2048),
				      .shared_len = pick (&random, 100000),
				      .all_blocks = 1 + pick (&random, 32),
				      .all_threads = 1 + pick (&random, 4096),
				      .all_registers = pick (&random, 100000),
				      .all_shared_len = pick (&random, 200000) };
      struct pg_kir_need need = { .n_iters = 1 + (int64_t) pick (&random, 1U << pick (&random, 31)),
				  .n_members = 1U << pick (&random, 11),
				  .registers = pick (&random, 256),
				  .shared_len = pick (&random, 2) * 8 * pick (&random, 9) };
      struct pg_kir_size size;
      if (!pg_kir_choose_size (&size, &limits, &need))
	continue;
      n_chosen++;
      assert_true (size.n_threads <= limits.n_threads && size.n_threads <= PG_KIR_MOST_THREADS);
      assert_int_equal (size.n_threads % limits.together, 0);
      assert_int_equal (size.n_threads % need.n_members, 0);
      assert_true (size.n_threads * need.shared_len <= limits.shared_len);
      /* All blocks run at once, and each has an iteration.  */
      int64_t on_one = (size.n_blocks + limits.n_processors - 1) / limits.n_processors;
      assert_in_range (on_one, 1, limits.all_blocks);
      assert_true (on_one * size.n_threads <= limits.all_threads);
      assert_true (on_one * size.n_threads * need.registers <= limits.all_registers);
      assert_true (on_one * size.n_threads * need.shared_len <= limits.all_shared_len);
      assert_true ((size.n_blocks - 1) * (size.n_threads / need.n_members) < need.n_iters);
    }
  assert_in_range (n_chosen, 10000, 100000);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (sizes_follow_from_limits),
    cmocka_unit_test (sizes_fit),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
