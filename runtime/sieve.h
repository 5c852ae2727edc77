/* SPDX-License-Identifier: MIT
   The sieve: a cheap test that finds most clean macro-chunks clean, and leaves the others to the shadow.  */
#ifndef PG_SIEVE_H
#define PG_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one thread marks, writes or reads: a map, and a list of its words that are not 0.  */
struct pg_marks
{
  uint64_t *map;
  uint32_t *list;
  size_t n_listed, room;
  bool is_lost; /* the list was too short: it means nothing, and takes what comes from its start on */
  bool is_used;
};

struct pg_sieve
{
  uint64_t *bits; /* one map for writes a thread, N_WORDS each, then if there are reads as many for these */
  size_t len;     /* bytes of BITS */
  size_t dirty_from, dirty_end; /* of these, those that are not known to be 0 between uses; both 0: none */
  char *marks; /* a struct pg_marks for each map, a cache line apart, then their lists; MARKS_LEN bytes */
  size_t marks_len;
  size_t n_words;
  int64_t n_maps;
  bool has_reads;
  bool has_lists;
  bool is_swept; /* what was marked in this use is 0 again */
};

/* Begin with N_MAPS maps for N_CELLS cells, and if HAS_READS as many for reads, none of them used.  MAX_LISTED > 0: all
   are 0 and have lists for so many words, which pays where much more are never marked.  False: no memory within the
   budget.  */
bool pg_sieve_begin (struct pg_sieve *sieve, size_t n_cells, int64_t n_maps, bool has_reads, size_t max_listed);

/* Give back SIEVE's memory.  */
void pg_sieve_free (struct pg_sieve *sieve);

/* Between uses, let whoever comes next have SIEVE's memory; and have what was left so, if that is more, unless SIEVE
   has LEN bytes of its own.  To touch memory for the first time takes long, and few sieves are used at a time.
   Threads: any.  */
void pg_sieve_leave (struct pg_sieve *sieve);
void pg_sieve_inherit (struct pg_sieve *sieve, size_t len);

/* Let a thread have the marks INDEX, which it begins with maps that are 0, as WRITES and READS until it puts them back.
   What was not put back, because a jump came between, is taken to be anything.  */
void pg_sieve_take (struct pg_sieve *sieve, int64_t index, struct pg_marks *writes, struct pg_marks *reads);
void pg_sieve_put (struct pg_sieve *sieve, int64_t index, const struct pg_marks *writes, const struct pg_marks *reads);

/* Compare the maps for writes that are used, the first ones.  False: some bit is set in two of them, or in one for
   reads too.  What was marked is known no more, and nothing may be marked until the next use.  Runs jobs on the pool
   unless there are lists.  */
bool pg_sieve_unite (struct pg_sieve *sieve);

/* The most words that all lists of one kind have together, as far as they go; *IS_LOST: that is not all.  */
size_t pg_sieve_listed (const struct pg_sieve *sieve, bool *is_lost);

/* End a use of SIEVE: what lists tell to be marked is 0 again.  */
void pg_sieve_clear (struct pg_sieve *sieve);

/* Have room for N more words in MARKS's list, N at most PG_SIEVE_LEAST_ROOM, or else lose it.  */
#define PG_SIEVE_LEAST_ROOM 64

static inline void
pg_sieve_reserve (struct pg_marks *marks, size_t n)
{
  if (marks->room - marks->n_listed >= n)
    return;
  marks->is_lost = true;
  marks->n_listed = 0;
}

/* Set BITS of WORD in MAP.  Returns those that were set.  */
static inline uint64_t
pg_sieve_set_bits (uint64_t *map, size_t word, uint64_t bits)
{
  uint64_t old = map[word];
  map[word] = old | bits;
  return old & bits;
}

/* The same in MARKS, whose list has room.  */
static inline uint64_t
pg_sieve_set (struct pg_marks *marks, size_t word, uint64_t bits)
{
  marks->list[marks->n_listed] = (uint32_t) word;
  marks->n_listed += marks->map[word] == 0;
  return pg_sieve_set_bits (marks->map, word, bits);
}

/* Set the bit of CELL in MARKS.  Returns whether it was set.  */
static inline bool
pg_sieve_mark (struct pg_marks *marks, size_t cell)
{
  pg_sieve_reserve (marks, 1);
  return pg_sieve_set (marks, cell / 64, (uint64_t) 1 << cell % 64);
}

/* The bits of a word that stand for cells [CELL, END), of which the first is in it.  */
static inline uint64_t
pg_sieve_bits (size_t cell, size_t end)
{
  uint64_t from = UINT64_MAX << cell % 64;
  return end - cell >= 64 - cell % 64 ? from : from & (((uint64_t) 1 << end % 64) - 1);
}

/* Set the bits of N cells from CELL on in MARKS.  Returns whether one was set.  */
static inline bool
pg_sieve_mark_all (struct pg_marks *marks, size_t cell, size_t n)
{
  uint64_t old = 0;
  for (size_t end = cell + n; cell < end; cell = (cell / 64 + 1) * 64)
    {
      pg_sieve_reserve (marks, 1);
      old |= pg_sieve_set (marks, cell / 64, pg_sieve_bits (cell, end));
    }
  return old != 0;
}

/* Set the bits of COUNT cells in MARKS, STRIDE cells apart, 0 < STRIDE, from CELL on.  Returns whether one was set.  */
static inline bool
pg_sieve_mark_row (struct pg_marks *marks, size_t cell, size_t count, size_t stride)
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
      pg_sieve_reserve (marks, 1);
      old |= pg_sieve_set (marks, cell / 64, bits);
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
