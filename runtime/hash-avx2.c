/* SPDX-License-Identifier: MIT
   Hashes for processors with AVX2: 32 bytes at a time.

   The upper halves of the vector registers are cleared at the end, which compilers do not do where AVX2 was asked for
   by a pragma.  While they hold anything, SSE code, the program's loops, takes several times as long.  */
#ifdef __x86_64__
#pragma GCC target("avx2")
#endif
#include "hash-code.h"

static inline struct pg_hash
leave_avx (struct pg_hash hash)
{
#ifdef __x86_64__
  __builtin_ia32_vzeroupper ();
#endif
  return hash;
}

struct pg_hash
pg_hash_bytes_avx2 (const void *start, size_t len, uint64_t seed)
{
  return leave_avx (hash_bytes (start, len, seed));
}

struct pg_hash
pg_hash_spans_avx2 (const pg_span *spans, size_t n, uint64_t seed)
{
  return leave_avx (hash_spans (spans, n, seed));
}
