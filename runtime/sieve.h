/* SPDX-License-Identifier: MIT
   The sieve: a cheap test that finds most clean macro-chunks clean, and leaves the others to the shadow.  */
#ifndef PG_SIEVE_H
#define PG_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pg_sieve
{
  uint64_t *bits; /* one map a job, N_WORDS each */
  size_t len;     /* bytes of BITS */
  size_t n_words;
  int64_t n_maps;
};

/* Begin with N_MAPS maps for N_CELLS cells, their contents undefined.  False: no memory within the budget.  */
bool pg_sieve_begin (struct pg_sieve *sieve, size_t n_cells, int64_t n_maps);

/* Give back SIEVE's memory.  */
void pg_sieve_free (struct pg_sieve *sieve);

/* The map of job INDEX, with no bit set.  */
uint64_t *pg_sieve_clear_map (struct pg_sieve *sieve, int64_t index);

/* Make the first map the union of all.  False: some bit was set in two of them.  Runs jobs on the pool.  */
bool pg_sieve_unite (struct pg_sieve *sieve);

/* Set the bit of CELL in MAP.  Returns whether it was set.  */
static inline bool
pg_sieve_mark (uint64_t *map, size_t cell)
{
  uint64_t bit = (uint64_t) 1 << cell % 64, old = map[cell / 64];
  map[cell / 64] = old | bit;
  return old & bit;
}

/* The bits of a word that stand for cells [CELL, END), of which the first is in it.  */
static inline uint64_t
pg_sieve_bits (size_t cell, size_t end)
{
  uint64_t from = UINT64_MAX << cell % 64;
  return end - cell >= 64 - cell % 64 ? from : from & (((uint64_t) 1 << end % 64) - 1);
}

/* Set the bits of N cells from CELL on in MAP.  Returns whether one was set.  */
static inline bool
pg_sieve_mark_all (uint64_t *map, size_t cell, size_t n)
{
  uint64_t old = 0;
  for (size_t end = cell + n; cell < end; cell = (cell / 64 + 1) * 64)
    {
      uint64_t bits = pg_sieve_bits (cell, end);
      old |= map[cell / 64] & bits;
      map[cell / 64] |= bits;
    }
  return old != 0;
}

/* Is a bit of N cells from CELL on set in MAP?  */
static inline bool
pg_sieve_test_any (const uint64_t *map, size_t cell, size_t n)
{
  uint64_t found = 0;
  for (size_t end = cell + n; cell < end; cell = (cell / 64 + 1) * 64)
    found |= map[cell / 64] & pg_sieve_bits (cell, end);
  return found != 0;
}

/* Is the bit of CELL set in MAP?  */
static inline bool
pg_sieve_test (const uint64_t *map, size_t cell)
{
  return map[cell / 64] >> cell % 64 & 1;
}

#endif
