/* SPDX-License-Identifier: MIT
   Hashes: those of any processor are the same, runs hash as the bytes that they hold, and every byte counts.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hash-code.h"

enum
{
  LEN = 20000,
  SEED = 12345
};

static unsigned char bytes[LEN];

static int
set_up (void **state)
{
  uint32_t number = 7;
  (void) state;
  for (int i = 0; i < LEN; i++)
    bytes[i] = (unsigned char) ((number = number * 1664525 + 1013904223) >> 24);
  return 0;
}

static void
assert_same (struct pg_hash a, struct pg_hash b)
{
  assert_true (a.low == b.low && a.high == b.high);
}

static bool
differ (struct pg_hash a, struct pg_hash b)
{
  return a.low != b.low || a.high != b.high;
}

static void
processors_agree (void **state)
{
  (void) state;
  for (size_t len = 0; len < LEN; len += len < 600 ? 1 : 997)
    {
      struct pg_hash baseline = hash_bytes (bytes + len % 7, len - len % 7, SEED);
      assert_same (pg_hash_bytes (bytes + len % 7, len - len % 7, SEED), baseline);
#ifdef __x86_64__
      if (__builtin_cpu_supports ("avx2"))
	assert_same (pg_hash_bytes_avx2 (bytes + len % 7, len - len % 7, SEED), baseline);
#endif
    }
}

/* Runs of all lengths, across the ends of the buffer in which they are collected.  */
static void
every_byte_of_every_run_counts (void **state)
{
  static struct pg_run runs[400];
  size_t n = 0, at = 0;
  (void) state;
  for (; n < 400 && at < LEN; n++)
    {
      uint32_t len = (uint32_t) (n % 97 == 96 ? 5000 : 1 + n % 40);
      if (at + len > LEN)
	break;
      runs[n] = (struct pg_run) { (uintptr_t) (bytes + at), len, 0 };
      at += len;
    }
  struct pg_hash hash = pg_hash_runs (runs, n, SEED);
  assert_same (hash_runs (runs, n, SEED), hash);
  for (size_t i = 0; i < at; i++)
    {
      bytes[i] ^= 1;
      assert_true (differ (pg_hash_runs (runs, n, SEED), hash));
      bytes[i] ^= 1;
    }
  assert_same (pg_hash_runs (runs, n, SEED), hash);
  assert_true (differ (pg_hash_runs (runs, n, SEED + 1), hash));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (processors_agree),
    cmocka_unit_test (every_byte_of_every_run_counts),
  };
  return cmocka_run_group_tests (tests, set_up, NULL);
}
