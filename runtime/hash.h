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

/* LEN bytes that one job of an inspection touched through REF, one after the other.  */
struct pg_run
{
  uintptr_t start;
  uint32_t len, ref;
};

/* The hash of LEN bytes at START.  */
struct pg_hash pg_hash_bytes (const void *start, size_t len, uint64_t seed);

/* The hash of the bytes of N RUNS.  */
struct pg_hash pg_hash_runs (const struct pg_run *runs, size_t n, uint64_t seed);

/* The same, for processors with AVX2 only.  */
struct pg_hash pg_hash_bytes_avx2 (const void *start, size_t len, uint64_t seed);
struct pg_hash pg_hash_runs_avx2 (const struct pg_run *runs, size_t n, uint64_t seed);

#endif
