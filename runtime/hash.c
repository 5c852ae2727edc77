/* SPDX-License-Identifier: MIT
   Hashes for any processor, and the choice.

   The C library knows the processor.  GCC's __builtin_cpu_supports would bring a constructor that asks the processor
   itself, by many CPUID instructions: in a virtual machine each takes microseconds, half of the library's loading.  */
#include "hash-code.h"

#ifdef __x86_64__
#include <sys/platform/x86.h>
#endif

static bool
has_avx2 (void)
{
#ifdef __x86_64__
  return CPU_FEATURE_ACTIVE (AVX2);
#else
  return false;
#endif
}

struct pg_hash
pg_hash_bytes (const void *start, size_t len, uint64_t seed)
{
  return has_avx2 () ? pg_hash_bytes_avx2 (start, len, seed) : hash_bytes (start, len, seed);
}

struct pg_hash
pg_hash_spans (const pg_span *spans, size_t n, uint64_t seed)
{
  return has_avx2 () ? pg_hash_spans_avx2 (spans, n, seed) : hash_spans (spans, n, seed);
}
