/* SPDX-License-Identifier: MIT
   Hashes for processors with AVX2: 32 bytes at a time.  */
#ifdef __x86_64__
#pragma GCC target("avx2")
#endif
#include "hash-code.h"

struct pg_hash
pg_hash_bytes_avx2 (const void *start, size_t len, uint64_t seed)
{
  return hash_bytes (start, len, seed);
}

struct pg_hash
pg_hash_spans_avx2 (const pg_span *spans, size_t n, uint64_t seed)
{
  return hash_spans (spans, n, seed);
}
