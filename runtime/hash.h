/* SPDX-License-Identifier: MIT
   Hashes of the program's memory, as fast as the processor allows.  */
#ifndef PG_HASH_H
#define PG_HASH_H

#include <stddef.h>
#include <stdint.h>

struct pg_hash
{
  uint64_t low, high;
};

/* Up to PG_SPAN_MOST bytes of the program's, address and length in one word: lists of them are read as often as what
   they stand for.  */
typedef uint64_t pg_span;

enum
{
  PG_SPAN_LEN_BITS = 10,
  PG_SPAN_MOST = (1 << PG_SPAN_LEN_BITS) - 1
};

static inline pg_span
pg_span_of (uintptr_t start, size_t len)
{
  return (pg_span) start << PG_SPAN_LEN_BITS | len;
}

static inline const char *
pg_span_start (pg_span span)
{
  return (const char *) (uintptr_t) (span >> PG_SPAN_LEN_BITS);
}

static inline size_t
pg_span_len (pg_span span)
{
  return span & PG_SPAN_MOST;
}

/* LEN bytes that one job of an inspection touched through REF, one after the other.  */
struct pg_run
{
  uintptr_t start;
  uint32_t len, ref;
};

/* The hash of LEN bytes at START.  */
struct pg_hash pg_hash_bytes (const void *start, size_t len, uint64_t seed);

/* The hash of the bytes of N SPANS.  */
struct pg_hash pg_hash_spans (const pg_span *spans, size_t n, uint64_t seed);

/* The same, for processors with AVX2 only.  */
struct pg_hash pg_hash_bytes_avx2 (const void *start, size_t len, uint64_t seed);
struct pg_hash pg_hash_spans_avx2 (const pg_span *spans, size_t n, uint64_t seed);

#endif
