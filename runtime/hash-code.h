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
  AHEAD = 16 /* runs are scattered: memory is asked for so many of them at a time */
};

static inline struct pg_hash
hash_bytes (const void *start, size_t len, uint64_t seed)
{
  XXH128_hash_t hash = XXH3_128bits_withSeed (start, len, seed);
  return (struct pg_hash) { hash.low64, hash.high64 };
}

/* Copy LEN <= SMALL_LEN bytes, by two moves that may overlap.  */
static inline void
copy_small (char *to, const char *from, size_t len)
{
  char first16[16], last16[16];
  uint64_t first8, last8;
  uint32_t first4, last4;
  if (len >= 16)
    {
      memcpy (first16, from, 16);
      memcpy (last16, from + len - 16, 16);
      memcpy (to, first16, 16);
      memcpy (to + len - 16, last16, 16);
    }
  else if (len >= 8)
    {
      memcpy (&first8, from, 8);
      memcpy (&last8, from + len - 8, 8);
      memcpy (to, &first8, 8);
      memcpy (to + len - 8, &last8, 8);
    }
  else if (len >= 4)
    {
      memcpy (&first4, from, 4);
      memcpy (&last4, from + len - 4, 4);
      memcpy (to, &first4, 4);
      memcpy (to + len - 4, &last4, 4);
    }
  else
    for (size_t i = 0; i < len; i++)
      to[i] = from[i];
}

/* Runs are copied together first; the hash of each full buffer is part of the seed of the next.  */
static inline struct pg_hash
hash_runs (const struct pg_run *runs, size_t n, uint64_t seed)
{
  struct pg_hash hash = { 0, 0 };
  char buffer[BUFFER_LEN];
  size_t len = 0;
  for (size_t i = 0; i < n; i++)
    {
      const char *start = (const char *) runs[i].start;
      size_t rest = runs[i].len;
      __builtin_prefetch ((const char *) runs[i + AHEAD < n ? i + AHEAD : i].start);
      if (rest <= SMALL_LEN && rest < BUFFER_LEN - len)
	{
	  copy_small (buffer + len, start, rest);
	  len += rest;
	  continue;
	}
      while (rest > 0)
	{
	  size_t part = rest < BUFFER_LEN - len ? rest : BUFFER_LEN - len;
	  memcpy (buffer + len, start, part);
	  start += part;
	  rest -= part;
	  len += part;
	  if (len < BUFFER_LEN)
	    continue;
	  hash = hash_bytes (buffer, len, seed ^ hash.low ^ hash.high);
	  len = 0;
	}
    }
  return hash_bytes (buffer, len, seed ^ hash.low ^ hash.high);
}

#endif
