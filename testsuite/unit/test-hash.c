/* SPDX-License-Identifier: MIT
   Hashes: those of any processor are the same, spans hash as the bytes that they hold, and every byte counts.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hash-code.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

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

/* Spans of all lengths, across the ends of the buffer in which they are collected.  */
static void
every_byte_of_every_span_counts (void **state)
{
  static pg_span spans[400];
  size_t n = 0, at = 0;
  (void) state;
  for (; n < 400 && at < LEN; n++)
    {
      size_t len = n % 97 == 96 ? PG_SPAN_MOST : 1 + n % 40;
      if (at + len > LEN)
	break;
      spans[n] = pg_span_of ((uintptr_t) (bytes + at), len);
      at += len;
    }
  struct pg_hash hash = pg_hash_spans (spans, n, SEED);
  assert_same (hash_spans (spans, n, SEED), hash);
  for (size_t i = 0; i < at; i++)
    {
      bytes[i] ^= 1;
      assert_true (differ (pg_hash_spans (spans, n, SEED), hash));
      bytes[i] ^= 1;
    }
  assert_same (pg_hash_spans (spans, n, SEED), hash);
  assert_true (differ (pg_hash_spans (spans, n, SEED + 1), hash));
}

#ifdef __x86_64__
/* Whether the upper halves of vector registers hold anything; below 0: the processor does not tell.  */
static int
uppers_are_in_use (void)
{
  unsigned int a, b, c, d;
  if (!__get_cpuid_count (0xd, 1, &a, &b, &c, &d) || !(a & 4))
    return -1;
  __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
  return a >> 2 & 1;
}

static void
vector_registers_are_left_clean (void **state)
{
  pg_span span = pg_span_of ((uintptr_t) bytes, 1000);
  (void) state;
  if (!__builtin_cpu_supports ("avx2") || uppers_are_in_use () < 0)
    skip ();
  __asm__ volatile("vzeroupper");
  if (uppers_are_in_use () != 0)
    skip ();
  pg_hash_bytes (bytes, LEN, SEED);
  assert_int_equal (uppers_are_in_use (), 0);
  pg_hash_bytes (bytes, 10, SEED);
  assert_int_equal (uppers_are_in_use (), 0);
  pg_hash_spans (&span, 1, SEED);
  assert_int_equal (uppers_are_in_use (), 0);
}
#endif

/* A small span is read with what is behind it, but not across the end of a page.  */
static void
a_span_may_end_where_memory_does (void **state)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  char *pages = mmap (NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void) state;
  assert_true (pages != MAP_FAILED);
  munmap (pages + page, page);
  for (size_t len = 1; len < 64; len++)
    for (size_t gap = 0; gap < 64; gap++)
      {
	pg_span span = pg_span_of ((uintptr_t) (pages + page - gap - len), len);
	memset (pages, 0, page);
	struct pg_hash hash = pg_hash_spans (&span, 1, SEED);
	memset (pages, 1, page - gap - len);
	memset (pages + page - gap, 1, gap);
	assert_same (pg_hash_spans (&span, 1, SEED), hash);
      }
  munmap (pages, page);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (processors_agree),
    cmocka_unit_test (every_byte_of_every_span_counts),
#ifdef __x86_64__
    cmocka_unit_test (vector_registers_are_left_clean),
#endif
    cmocka_unit_test (a_span_may_end_where_memory_does),
  };
  return cmocka_run_group_tests (tests, set_up, NULL);
}
