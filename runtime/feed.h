/* SPDX-License-Identifier: MIT
   The memory that feeds a region's monitor, as an inspection found it: laid out for reading again, and its hashes.  */
#ifndef PG_FEED_H
#define PG_FEED_H

#include "inspector.h"
#include "watch.h"

enum
{
  PG_FEED_STAGES = 64,
  PG_FEED_MOST_ASKS = 64
};

enum
{
  PG_SPAN_COST = 64 /* to read a span is as much work as to read so many bytes */
};

/* A unit of work of the pool: LEN bytes at START, or if N_SPANS is not 0 the bytes of these spans, which lie in REACH
   bytes at START, or if IS_UNREAD whatever lies in these.  */
struct pg_block
{
  const char *start;
  size_t reach;
  bool is_unread; /* never to be read, only watched */
  size_t len;     /* of all spans */
  size_t first_span, n_spans;
  struct pg_hash hash;

  /* feed-check.c's own.  */
  pg_tick tick;     /* watched since */
  uint8_t n_losses; /* times that a watch was in vain */
  uint16_t n_same;  /* readings since then, one after the other, that gave the same hash */
  bool is_settled;  /* in this check: untouched */
};

/* Bytes that are watched since TICK, all in one mapping.  */
struct pg_ask
{
  const char *start;
  size_t len;
  pg_tick tick;
};

/* Blocks in stages: those of a stage may be read when those of all earlier ones are found to be as they were.  */
struct pg_feed
{
  struct pg_block *blocks; /* NULL: only count */
  pg_span *spans;
  size_t n_blocks, n_spans;
  size_t n_threads;    /* that shall read it: given */
  bool is_wide;        /* it has bytes around those that the monitor read */
  struct pg_ask *asks; /* whether it was touched; room for as many as there are blocks, or PG_FEED_MOST_ASKS */
  uint32_t n_asks;     /* 0: they are not made yet */
  uint32_t n_stages;
  uint32_t stage_end[PG_FEED_STAGES]; /* behind its last block */
};

/* Scratch memory, kept from layout to layout.  All zero: none.  */
struct pg_feed_room
{
  char *bytes;
  size_t len;
};

/* Lay out what the last inspection's monitor read in FEED, whose BLOCKS and SPANS are both given, or both NULL.  False:
   it cannot be read again safely, or is too much; INSPECTOR may have learned how to trace it better.  */
bool pg_feed_lay_out (struct pg_inspector *inspector, const struct pg_view *view, struct pg_feed_room *room,
		      struct pg_feed *feed);

void pg_feed_room_free (struct pg_feed_room *room);

/* May the macro-chunk of the last inspection write a byte of FEED?  */
bool pg_feed_is_written (const struct pg_feed *feed, const struct pg_inspector *inspector, const struct pg_view *view);

/* Note what the memory holds now.  False: what is not to be read cannot be watched.  Runs jobs on the pool.  */
bool pg_feed_hash (struct pg_feed *feed, uint64_t seed);

/* Does the memory hold what it held?  Reads no stage before all earlier ones are found to be the same, and what is
   watched not at all.  Runs jobs on the pool.  */
bool pg_feed_is_same (struct pg_feed *feed, uint64_t seed);

/* Was the last answer no because of what is not to be read?  */
bool pg_feed_has_lost (const struct pg_feed *feed);

/* Have the asks that together tell whether FEED was touched.  False: some of it is not watched, or they are many.  */
bool pg_feed_have_asks (struct pg_feed *feed);

#endif
