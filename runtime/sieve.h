/* SPDX-License-Identifier: MIT
   The sieve: a cheap test that finds most clean macro-chunks clean, and leaves the others to the shadow.  */
#ifndef PG_SIEVE_H
#define PG_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pg_sieve
{
  uint64_t *bits; /* one map for writes a thread, N_WORDS each, then if there are reads as many for these */
  size_t len;     /* bytes of BITS */
  size_t n_words;
  int64_t n_maps;
  bool has_reads;
};

/* Begin with N_MAPS maps for N_CELLS cells, and if HAS_READS as many for reads, their contents undefined.  False: no
   memory within the budget.  */
bool pg_sieve_begin (struct pg_sieve *sieve, size_t n_cells, int64_t n_maps, bool has_reads);

/* Give back SIEVE's memory.  */
void pg_sieve_free (struct pg_sieve *sieve);

/* The map INDEX for writes, with no bit set, as is the one for reads then.  */
uint64_t *pg_sieve_clear_map (struct pg_sieve *sieve, int64_t index);

/* The maps INDEX.  */
uint64_t *pg_sieve_map (const struct pg_sieve *sieve, int64_t index);
uint64_t *pg_sieve_read_map (const struct pg_sieve *sieve, int64_t index);

/* Make the first map for writes the union of the first N.  False: some bit was set in two of them, or is set in one of
   the N maps for reads too.  Runs jobs on the pool.  */
bool pg_sieve_unite (struct pg_sieve *sieve, int64_t n);

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

/* Set the bits of COUNT cells in MAP, STRIDE cells apart, 0 < STRIDE, from CELL on.  Returns whether one was set.  */
static inline bool
pg_sieve_mark_row (uint64_t *map, size_t cell, size_t count, size_t stride)
{
  uint64_t old = 0, every = 1;
  if (stride < 64)
    for (uint32_t bit = (uint32_t) stride; bit < 64; bit += (uint32_t) stride)
      every |= (uint64_t) 1 << bit;
  while (count > 0)
    {
      uint32_t first = cell % 64;
      size_t n = stride < 64 ? (63 - first) / (uint32_t) stride + 1 : 1;
      uint64_t bits = every << first;
      if (n > count)
	{
	  n = count;
	  bits &= UINT64_MAX >> (63 - (first + (n - 1) * stride));
	}
      old |= map[cell / 64] & bits;
      map[cell / 64] |= bits;
      cell += n * stride;
      count -= n;
    }
  return old != 0;
}

/* Is the bit of CELL set in MAP?  */
static inline bool
pg_sieve_test (const uint64_t *map, size_t cell)
{
  return map[cell / 64] >> cell % 64 & 1;
}

#endif
