/* SPDX-License-Identifier: MIT
   The sieve: one bit for each cell of memory and each thread.

   In most macro-chunks each cell is written once, and what is written is not read.  To see that takes no iteration
   numbers and no atomic operations: each thread sets bits in a map of its own, which is 1/64 of the data for elements
   of 8 bytes and stays in the cache where a shadow would not.

       thread 0 writes cells 0, 3	1001....	union 1011...., no bit twice: no cell has two writers;
       thread 1 writes cell 2	0010....	reads have maps of their own: none has a bit of the union

   A bit that is set twice, by one thread or by two, or by a read too, proves nothing: it may have been one iteration
   all the time.  Then the shadow decides.  */
#include "sieve.h"
#include "budget.h"
#include "pool.h"

#include <stdatomic.h>
#include <string.h>

enum
{
  PART_WORDS = 1 << 12, /* words of the maps that one job unites */
  STRIP_WORDS = 256     /* of these, so many at a time */
};

struct uniting
{
  struct pg_sieve *sieve;
  int64_t n_maps;
  _Atomic bool is_twice; /* relaxed; ordered by the pool's run */
};

bool
pg_sieve_begin (struct pg_sieve *sieve, size_t n_cells, int64_t n_maps, bool has_reads)
{
  size_t n_words = (n_cells + 63) / 64, len;
  if (__builtin_mul_overflow (n_words * sizeof *sieve->bits, (size_t) n_maps << has_reads, &len))
    return false;
  if (len > sieve->len)
    {
      pg_sieve_free (sieve);
      sieve->bits = pg_budget_get (len);
      if (sieve->bits == NULL)
	return false;
      sieve->len = len;
    }
  sieve->n_words = n_words;
  sieve->n_maps = n_maps;
  sieve->has_reads = has_reads;
  return true;
}

void
pg_sieve_free (struct pg_sieve *sieve)
{
  pg_budget_put (sieve->bits, sieve->len);
  *sieve = (struct pg_sieve) { .bits = NULL };
}

uint64_t *
pg_sieve_map (const struct pg_sieve *sieve, int64_t index)
{
  return sieve->bits + (size_t) index * sieve->n_words;
}

uint64_t *
pg_sieve_read_map (const struct pg_sieve *sieve, int64_t index)
{
  return pg_sieve_map (sieve, sieve->n_maps + index);
}

uint64_t *
pg_sieve_clear_map (struct pg_sieve *sieve, int64_t index)
{
  uint64_t *map = pg_sieve_map (sieve, index);
  memset (map, 0, sieve->n_words * sizeof *map);
  if (sieve->has_reads)
    memset (pg_sieve_read_map (sieve, index), 0, sieve->n_words * sizeof *map);
  return map;
}

/* Unite words [FROM, TO) of the first N_MAPS maps.  Returns the bits that were set twice.  */
static uint64_t
unite_strip (struct pg_sieve *sieve, int64_t n_maps, size_t from, size_t to)
{
  uint64_t *all = sieve->bits, twice = 0;
  for (int64_t m = 1; m < n_maps; m++)
    {
      const uint64_t *map = pg_sieve_map (sieve, m);
      for (size_t w = from; w < to; w++)
	{
	  twice |= all[w] & map[w];
	  all[w] |= map[w];
	}
    }
  for (int64_t m = 0; m < n_maps && sieve->has_reads; m++)
    {
      const uint64_t *map = pg_sieve_read_map (sieve, m);
      for (size_t w = from; w < to; w++)
	twice |= all[w] & map[w];
    }
  return twice;
}

static void
unite_part (void *arg, int64_t index)
{
  struct uniting *uniting = arg;
  size_t from = (size_t) index * PART_WORDS, end = uniting->sieve->n_words;
  end = end - from < PART_WORDS ? end : from + PART_WORDS;
  uint64_t twice = 0;
  for (; from < end; from += STRIP_WORDS)
    {
      size_t to = end - from < STRIP_WORDS ? end : from + STRIP_WORDS;
      twice |= unite_strip (uniting->sieve, uniting->n_maps, from, to);
    }
  if (twice)
    atomic_store_explicit (&uniting->is_twice, true, memory_order_relaxed);
}

bool
pg_sieve_unite (struct pg_sieve *sieve, int64_t n)
{
  struct uniting uniting = { .sieve = sieve, .n_maps = n };
  if (n > 1 || sieve->has_reads)
    pg_pool_run (unite_part, &uniting, (int64_t) ((sieve->n_words + PART_WORDS - 1) / PART_WORDS));
  return !atomic_load_explicit (&uniting.is_twice, memory_order_relaxed);
}
