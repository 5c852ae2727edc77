/* SPDX-License-Identifier: MIT
   Hashes for any processor, and the choice.  */
#include "hash-code.h"

static bool
has_avx2 (void)
{
#ifdef __x86_64__
  return __builtin_cpu_supports ("avx2");
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
