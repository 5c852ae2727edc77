/* SPDX-License-Identifier: MIT
   The sieve: one bit for each cell of memory and each thread.

   In most macro-chunks each cell is written once, and what is written is not read.  To see that takes no iteration
   numbers and no atomic operations: each thread sets bits in a map of its own, which is 1/64 of the data for elements
   of 8 bytes and stays in the cache where a shadow would not.

       thread 0 writes cells 0, 3	1001....	union 1011...., no bit twice: no cell has two writers;
       thread 1 writes cell 2	0010....	reads have maps of their own: none has a bit of the union

   A bit that is set twice, by one thread or by two, or by a read too, proves nothing: it may have been one iteration
   all the time.  Then the shadow decides.

   Maps are 0 between uses.  Who unites them clears them as well: they are in its cache then, and would have to come
   there once more.  Those that are not united, because one thread knew enough, are cleared when they are taken again.

   Where few cells of many are marked, a thread keeps a list of the words of its map that it marked: to unite and to
   clear goes through the lists.  A list that is too short is given up, and from then on that use is one as without
   lists, because the maps began with 0 all the same.  */
#include "sieve.h"
#include "budget.h"
#include "pool.h"
#include "thread.h"

#include <stdatomic.h>
#include <string.h>

enum
{
  PART_WORDS = 1 << 12,                     /* words of the maps that one job unites */
  STRIP_WORDS = 256,                        /* of these, so many at a time */
  WORDS = PG_CACHE_LINE / sizeof (uint64_t) /* a map has a multiple of these */
};

typedef uint64_t words __attribute__ ((vector_size (PG_CACHE_LINE), may_alias));

_Static_assert(sizeof (struct pg_marks) <= PG_CACHE_LINE, "threads do not share a line");

struct uniting
{
  struct pg_sieve *sieve;
  int64_t n_maps;
  _Atomic bool is_twice; /* relaxed; ordered by the pool's run */
};

/* The maps of SIEVE, for writes and for reads.  */
static int64_t
count_maps (const struct pg_sieve *sieve)
{
  return sieve->n_maps << sieve->has_reads;
}

/* The marks INDEX; those for reads are N_MAPS further.  */
static struct pg_marks *
marks_of (const struct pg_sieve *sieve, int64_t index)
{
  return (struct pg_marks *) (sieve->marks + (size_t) index * PG_CACHE_LINE);
}

/* The number of marks for writes that are used.  */
static int64_t
count_used (const struct pg_sieve *sieve)
{
  int64_t n = 0;
  while (n < sieve->n_maps && marks_of (sieve, n)->is_used)
    n++;
  return n;
}

/* Give each map of SIEVE its part of BITS, and a list with room for ROOM words.  */
static void
deal_out (struct pg_sieve *sieve, size_t room)
{
  int64_t n_maps = count_maps (sieve);
  uint32_t *lists = (uint32_t *) (sieve->marks + (size_t) n_maps * PG_CACHE_LINE);
  for (int64_t m = 0; m < n_maps; m++)
    *marks_of (sieve, m) = (struct pg_marks) {
      .map = sieve->bits + (size_t) m * sieve->n_words,
      .list = lists + (size_t) m * room,
      .room = room,
      .is_lost = !sieve->has_lists,
    };
}

/* Bytes [0, LEN) of SIEVE's maps are 0 from now on.  */
static void
note_zero (struct pg_sieve *sieve, size_t len)
{
  if (sieve->dirty_from < len)
    sieve->dirty_from = len;
  if (sieve->dirty_from >= sieve->dirty_end)
    sieve->dirty_from = sieve->dirty_end = 0;
}

bool
pg_sieve_begin (struct pg_sieve *sieve, size_t n_cells, int64_t n_maps, bool has_reads, size_t max_listed)
{
  pg_sieve_clear (sieve);
  size_t n_words = (n_cells / 64 / WORDS + 1) * WORDS, len, n_all = (size_t) n_maps << has_reads;
  size_t room = max_listed + PG_SIEVE_LEAST_ROOM;
  if (__builtin_mul_overflow (n_words * sizeof *sieve->bits, n_all, &len) || n_words > UINT32_MAX)
    return false;
  size_t old_len = sieve->len;
  sieve->bits = pg_budget_grow (sieve->bits, &sieve->len, len);
  sieve->marks = pg_budget_grow (sieve->marks, &sieve->marks_len, n_all * (PG_CACHE_LINE + room * sizeof (uint32_t)));
  if (sieve->bits == NULL || sieve->marks == NULL)
    {
      pg_sieve_free (sieve);
      return false;
    }
  if (sieve->len > old_len)
    note_zero (sieve, SIZE_MAX); /* new memory is */
  if (sieve->len > old_len && max_listed == 0)
    pg_budget_touch (sieve->bits, len);
  sieve->n_words = n_words;
  sieve->n_maps = n_maps;
  sieve->has_reads = has_reads;
  sieve->has_lists = max_listed > 0;
  sieve->is_swept = false;
  if (sieve->has_lists)
    {
      size_t end = sieve->dirty_end < len ? sieve->dirty_end : len;
      if (sieve->dirty_from < end)
	memset ((char *) sieve->bits + sieve->dirty_from, 0, end - sieve->dirty_from);
      note_zero (sieve, len);
    }
  deal_out (sieve, room);
  return true;
}

void
pg_sieve_free (struct pg_sieve *sieve)
{
  pg_budget_put (sieve->bits, sieve->len);
  pg_budget_put (sieve->marks, sieve->marks_len);
  *sieve = (struct pg_sieve) { .bits = NULL };
}

/* What was left for the next to come, the largest so far; empty while somebody has it.  */
static struct pg_sieve left;
static atomic_flag is_left_locked = ATOMIC_FLAG_INIT;

/* Exchange SIEVE, between uses, for what is left, if SIEVE then has more memory, or if it HAS_MORE now.  Not if another
   thread is at it: one that a fork left behind may be for ever.  */
static void
exchange (struct pg_sieve *sieve, bool has_more)
{
  if (atomic_flag_test_and_set_explicit (&is_left_locked, memory_order_acquire))
    return;
  if (has_more ? sieve->len > left.len : sieve->len < left.len)
    {
      struct pg_sieve other = left;
      left = *sieve;
      *sieve = other;
    }
  atomic_flag_clear_explicit (&is_left_locked, memory_order_release);
}

void
pg_sieve_leave (struct pg_sieve *sieve)
{
  exchange (sieve, true);
}

void
pg_sieve_inherit (struct pg_sieve *sieve, size_t len)
{
  if (sieve->len < len)
    exchange (sieve, false);
}

/* Let a thread have MARKS of SIEVE.  */
static struct pg_marks
take (const struct pg_sieve *sieve, struct pg_marks *marks)
{
  size_t at = (size_t) (marks->map - sieve->bits) * sizeof *marks->map, len = sieve->n_words * sizeof *marks->map;
  if (!marks->is_used && at < sieve->dirty_end && at + len > sieve->dirty_from)
    memset (marks->map, 0, len);
  marks->is_used = true;
  struct pg_marks taken = *marks;
  marks->is_lost = true;
  return taken;
}

void
pg_sieve_take (struct pg_sieve *sieve, int64_t index, struct pg_marks *writes, struct pg_marks *reads)
{
  *writes = take (sieve, marks_of (sieve, index));
  if (sieve->has_reads)
    *reads = take (sieve, marks_of (sieve, sieve->n_maps + index));
}

void
pg_sieve_put (struct pg_sieve *sieve, int64_t index, const struct pg_marks *writes, const struct pg_marks *reads)
{
  *marks_of (sieve, index) = *writes;
  if (sieve->has_reads)
    *marks_of (sieve, sieve->n_maps + index) = *reads;
}

size_t
pg_sieve_listed (const struct pg_sieve *sieve, bool *is_lost)
{
  size_t n_writes = 0, n_reads = 0;
  *is_lost = false;
  for (int64_t m = 0, n = count_maps (sieve); m < n; m++)
    {
      const struct pg_marks *marks = marks_of (sieve, m);
      *is_lost |= marks->is_used && marks->is_lost;
      *(m < sieve->n_maps ? &n_writes : &n_reads) += marks->n_listed;
    }
  return n_writes > n_reads ? n_writes : n_reads;
}

/* The words of the first map that another one's list names may be set since they were united.  */
void
pg_sieve_clear (struct pg_sieve *sieve)
{
  bool is_lost;
  int64_t n = count_maps (sieve);
  size_t len = (size_t) n * sieve->n_words * sizeof *sieve->bits;
  pg_sieve_listed (sieve, &is_lost);
  if (is_lost && !sieve->is_swept)
    {
      sieve->dirty_from = 0;
      sieve->dirty_end = len > sieve->dirty_end ? len : sieve->dirty_end;
    }
  for (int64_t m = 0; m < n; m++)
    {
      struct pg_marks *marks = marks_of (sieve, m);
      for (size_t i = 0; i < marks->n_listed && !is_lost; i++)
	marks->map[marks->list[i]] = sieve->bits[marks->list[i]] = 0;
      marks->n_listed = 0;
    }
}

/* Unite words [FROM, TO) of the first N_MAPS maps, and make them 0.  Returns the bits that were set twice.  */
static uint64_t
unite_strip (struct pg_sieve *sieve, int64_t n_maps, size_t from, size_t to)
{
  words *all = (words *) sieve->bits, twice = { 0 };
  from /= WORDS;
  to /= WORDS;
  for (int64_t m = 1; m < n_maps; m++)
    {
      const words *map = (const words *) marks_of (sieve, m)->map;
      for (size_t w = from; w < to; w++)
	{
	  twice |= all[w] & map[w];
	  all[w] |= map[w];
	}
    }
  for (int64_t m = 0; m < n_maps && sieve->has_reads; m++)
    {
      const words *map = (const words *) marks_of (sieve, sieve->n_maps + m)->map;
      for (size_t w = from; w < to; w++)
	twice |= all[w] & map[w];
    }
  for (int64_t m = 0; m < n_maps; m++)
    for (int is_read = 0; is_read <= sieve->has_reads; is_read++)
      {
	words *map = (words *) marks_of (sieve, m + (is_read ? sieve->n_maps : 0))->map;
	memset (map + from, 0, (to - from) * sizeof *map);
      }
  uint64_t any = 0;
  for (int i = 0; i < WORDS; i++)
    any |= twice[i];
  return any;
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

/* Unite the words that are marked, by the lists.  */
static uint64_t
unite_listed (struct pg_sieve *sieve, int64_t n_maps)
{
  uint64_t *all = sieve->bits, twice = 0;
  for (int64_t m = 1; m < n_maps; m++)
    {
      const struct pg_marks *marks = marks_of (sieve, m);
      for (size_t i = 0; i < marks->n_listed; i++)
	{
	  uint32_t w = marks->list[i];
	  twice |= all[w] & marks->map[w];
	  all[w] |= marks->map[w];
	}
    }
  for (int64_t m = 0; m < n_maps && sieve->has_reads; m++)
    {
      const struct pg_marks *marks = marks_of (sieve, sieve->n_maps + m);
      for (size_t i = 0; i < marks->n_listed; i++)
	twice |= all[marks->list[i]] & marks->map[marks->list[i]];
    }
  return twice;
}

bool
pg_sieve_unite (struct pg_sieve *sieve)
{
  struct uniting uniting = { .sieve = sieve, .n_maps = count_used (sieve) };
  bool is_lost;
  pg_sieve_listed (sieve, &is_lost);
  if (!is_lost)
    return unite_listed (sieve, uniting.n_maps) == 0;
  if (uniting.n_maps > 1 || sieve->has_reads)
    {
      size_t len = (size_t) count_maps (sieve) * sieve->n_words * sizeof *sieve->bits;
      pg_pool_run (unite_part, &uniting, (int64_t) ((sieve->n_words + PART_WORDS - 1) / PART_WORDS));
      sieve->is_swept = true;
      if (uniting.n_maps == sieve->n_maps)
	note_zero (sieve, len);
    }
  return !atomic_load_explicit (&uniting.is_twice, memory_order_relaxed);
}
