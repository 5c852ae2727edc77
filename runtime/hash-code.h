/* SPDX-License-Identifier: MIT
   The code of the hashes: XXH3, 128 bits, compiled once for each kind of processor.  XXH3 is defined by its results, so
   they are the same everywhere.  */
#ifndef PG_HASH_CODE_H
#define PG_HASH_CODE_H

#include "hash.h"

#include <stdbool.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
  BUFFER_LEN = 4 << 10,
  SMALL_LEN = 32,
  LEAST_PAGE = 4096, /* pages are at least so long */
  AHEAD = 32         /* spans are scattered: memory is asked for so many of them at a time */
};

static inline struct pg_hash
hash_bytes (const void *start, size_t len, uint64_t seed)
{
  XXH128_hash_t hash = XXH3_128bits_withSeed (start, len, seed);
  return (struct pg_hash) { hash.low64, hash.high64 };
}

/* Whether SMALL_LEN bytes can be read from START, if one can: they are in one page.  */
static inline bool
is_readable (const char *start)
{
  return (uintptr_t) start % LEAST_PAGE <= LEAST_PAGE - SMALL_LEN;
}

/* Copy SMALL_LEN bytes, whosever they are.  Lengths vary without a pattern: to branch on them would take longer.  */
static inline __attribute__ ((no_sanitize ("address", "thread"))) void
copy_small (char *to, const char *from)
{
  __builtin_memcpy (to, from, SMALL_LEN);
}

/* Spans are copied together first; the hash of each full buffer is part of the seed of the next.  */
static inline struct pg_hash
hash_spans (const pg_span *spans, size_t n, uint64_t seed)
{
  struct pg_hash hash = { 0, 0 };
  char buffer[BUFFER_LEN + PG_SPAN_MOST];
  size_t len = 0;
  for (size_t i = 0; i < n; i++)
    {
      const char *start = pg_span_start (spans[i]);
      size_t rest = pg_span_len (spans[i]);
      __builtin_prefetch (pg_span_start (spans[i + AHEAD < n ? i + AHEAD : i]));
      if (rest <= SMALL_LEN && is_readable (start))
	copy_small (buffer + len, start);
      else
	memcpy (buffer + len, start, rest);
      len += rest;
      if (len < BUFFER_LEN)
	continue;
      hash = hash_bytes (buffer, len, seed ^ hash.low ^ hash.high);
      len = 0;
    }
  return hash_bytes (buffer, len, seed ^ hash.low ^ hash.high);
}

#endif
