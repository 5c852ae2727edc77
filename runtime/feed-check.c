/* SPDX-License-Identifier: MIT
   The memory that feeds a region's monitor, read again or watched: does it hold what it held?

   What is read is watched from then on (watch.h), if that is worth it: to ask the kernel is much less work than to read
   again.  A page that is written all the time, because other data share it, makes the watch of its block vain: the
   next one comes after twice as many readings.

   Asking reads nothing, so it needs no order; reading goes by stages (feed.c).  */
#include "feed.h"
#include "pool.h"

#include <stdatomic.h>

enum
{
  ALONE_LEN = 32 << 10,  /* up to this, the caller reads alone */
  ALONE_ASKED = 4 << 20, /* the same for what is asked about */
  MOST_ASKED = 4 << 20,  /* at a time */
  SPAN_REACH = 6 << 10,  /* to read a span is as much work as to ask about so many bytes */
  LEAST_WATCHED = 256    /* to read less is less work than to ask */
};

/* What is to be hashed, or compared with the hashes that are there.  */
struct hashing
{
  struct pg_block *blocks;
  const pg_span *spans;
  uint64_t seed;
  bool is_comparing, is_watching;
  _Atomic bool differs; /* relaxed: only saves work before the pool's run ends */
};

static struct pg_hash
hash_of (const struct hashing *hashing, const struct pg_block *block)
{
  return block->n_spans == 0 ? pg_hash_bytes (block->start, block->len, hashing->seed)
			     : pg_hash_spans (hashing->spans + block->first_span, block->n_spans, hashing->seed);
}

/* Is it time to watch BLOCK?  */
static bool
is_due (const struct pg_block *block)
{
  bool is_worth = block->n_spans == 0 ? block->len >= LEAST_WATCHED : block->reach / SPAN_REACH < block->n_spans;
  return is_worth && !block->is_unread && block->tick == 0 && block->n_same >= (1 << block->n_losses) - 1;
}

/* A watch of BLOCK was in vain.  */
static void
lose (struct pg_block *block)
{
  block->tick = 0;
  block->n_same = 0;
  block->n_losses += block->n_losses < 15;
}

/* Watch BLOCK, before it is read.  */
static pg_tick
begin_watch (struct pg_block *block)
{
  pg_tick tick = pg_watch_begin (block->start, block->reach, block->n_losses == 0);
  if (tick == 0)
    lose (block);
  return tick;
}

/* Does BLOCK hold what it held?  */
static bool
is_same (const struct hashing *hashing, struct pg_block *block)
{
  pg_tick tick = hashing->is_watching && is_due (block) ? begin_watch (block) : 0;
  struct pg_hash hash = hash_of (hashing, block);
  if (hash.low != block->hash.low || hash.high != block->hash.high)
    {
      block->n_same = 0;
      return false;
    }
  block->tick = tick;
  block->n_same += block->n_same < UINT16_MAX;
  return true;
}

static void
hash_block (void *arg, int64_t index)
{
  struct hashing *hashing = arg;
  struct pg_block *block = &hashing->blocks[index];
  if (block->is_settled || block->is_unread || atomic_load_explicit (&hashing->differs, memory_order_relaxed))
    return;
  if (!hashing->is_comparing)
    block->hash = hash_of (hashing, block);
  else if (!is_same (hashing, block))
    atomic_store_explicit (&hashing->differs, true, memory_order_relaxed);
}

/* Hash blocks [FROM, TO) of FEED as HASHING says, but for settled ones.  False: one differs.  */
static bool
hash_blocks (const struct pg_feed *feed, size_t from, size_t to, struct hashing *hashing)
{
  size_t cost = 0;
  for (size_t i = from; i < to && cost <= ALONE_LEN; i++)
    if (!feed->blocks[i].is_settled)
      cost += feed->blocks[i].len + feed->blocks[i].n_spans * PG_SPAN_COST;
  hashing->blocks = feed->blocks + from;
  if (cost > ALONE_LEN)
    pg_pool_run (hash_block, hashing, (int64_t) (to - from));
  else if (cost > 0)
    for (size_t i = 0; i < to - from; i++)
      hash_block (hashing, (int64_t) i);
  return !atomic_load_explicit (&hashing->differs, memory_order_relaxed);
}

/* The end of what BLOCK reaches.  */
static const char *
end_of (const struct pg_block *block)
{
  return block->start + block->reach;
}

/* The end of the blocks of FEED from FROM on that are next to each other, and either are all watched since the same
   moment or are all due to be; and *END of what they reach.  */
static uint32_t
row_end (const struct pg_feed *feed, uint32_t from, const char **end)
{
  const struct pg_block *first = &feed->blocks[from];
  uint32_t to = from + 1;
  *end = end_of (first);
  for (; to < feed->n_blocks; to++)
    {
      const struct pg_block *next = &feed->blocks[to];
      if (next->tick != first->tick || (next->tick == 0 && !is_due (next)) || next->start < first->start
	  || !pg_watch_is_next (*end, next->start) || (size_t) (*end - first->start) >= MOST_ASKED)
	break;
      *end = end_of (next) > *end ? end_of (next) : *end;
    }
  return to;
}

bool
pg_feed_have_asks (struct pg_feed *feed)
{
  uint32_t n = 0, to;
  for (uint32_t from = 0; from < feed->n_blocks && feed->n_asks == 0; from = to)
    {
      const char *start = feed->blocks[from].start, *end;
      if (feed->blocks[from].tick == 0 || n == PG_FEED_MOST_ASKS)
	return false;
      to = row_end (feed, from, &end);
      feed->asks[n++] = (struct pg_ask) { start, (size_t) (end - start), feed->blocks[from].tick };
    }
  feed->n_asks = feed->n_asks > 0 ? feed->n_asks : n;
  return true;
}

/* Settle block INDEX of FEED, if it is watched and untouched.  */
static void
settle (void *arg, int64_t index)
{
  struct pg_feed *feed = arg;
  struct pg_block *block = &feed->blocks[index];
  if (block->tick == 0)
    return;
  block->is_settled = pg_watch_is_untouched (block->start, block->reach, block->tick);
  if (!block->is_settled)
    lose (block);
}

/* Settle the blocks of FEED that are watched and untouched.  */
static void
settle_all (struct pg_feed *feed)
{
  struct pg_block *blocks = feed->blocks;
  uint32_t n = (uint32_t) feed->n_blocks;
  const char *end;
  size_t len = 0;
  for (uint32_t i = 0; i < n; i++)
    len += blocks[i].tick == 0 ? 0 : blocks[i].reach;
  if (len > ALONE_ASKED)
    {
      pg_pool_run (settle, feed, n);
      return;
    }
  for (uint32_t from = 0, to; len > 0 && from < n; from = to)
    {
      to = from + 1;
      if (blocks[from].tick == 0)
	continue;
      to = row_end (feed, from, &end);
      if (!pg_watch_is_untouched (blocks[from].start, (size_t) (end - blocks[from].start), blocks[from].tick))
	for (uint32_t i = from; i < to; i++)
	  settle (feed, i);
      else
	for (uint32_t i = from; i < to; i++)
	  blocks[i].is_settled = true;
    }
}

/* Watch the blocks of FEED that are never to be read.  */
static void
watch_unread (struct pg_feed *feed)
{
  for (size_t i = 0; i < feed->n_blocks; i++)
    if (feed->blocks[i].is_unread)
      feed->blocks[i].tick = pg_watch_begin (feed->blocks[i].start, feed->blocks[i].reach, false);
}

/* Watch the blocks of FEED for which it is time, rows of them at once if they lie in one mapping, before they are
   read.  */
static void
watch_due (struct pg_feed *feed)
{
  const char *end;
  for (uint32_t from = 0, to; from < feed->n_blocks; from = to)
    {
      struct pg_block *first = &feed->blocks[from];
      to = from + 1;
      if (!is_due (first))
	continue;
      to = row_end (feed, from, &end);
      pg_tick tick = 0;
      if (to > from + 1)
	tick = pg_watch_begin (first->start, (size_t) (end - first->start), first->n_losses == 0);
      for (struct pg_block *block = first; block < feed->blocks + to; block++)
	block->tick = tick == 0 ? begin_watch (block) : tick;
    }
}

bool
pg_feed_hash (struct pg_feed *feed, uint64_t seed)
{
  struct hashing hashing = { .spans = feed->spans, .seed = seed, .is_watching = pg_watch_is_allowed () };
  feed->n_asks = 0;
  for (size_t i = 0; i < feed->n_blocks; i++)
    feed->blocks[i].tick = 0;
  if (hashing.is_watching)
    {
      watch_unread (feed);
      watch_due (feed);
    }
  if (pg_feed_has_lost (feed))
    return false;
  hash_blocks (feed, 0, feed->n_blocks, &hashing);
  return true;
}

bool
pg_feed_has_lost (const struct pg_feed *feed)
{
  for (size_t i = 0; i < feed->n_blocks; i++)
    if (feed->blocks[i].is_unread && feed->blocks[i].tick == 0)
      return true;
  return false;
}

bool
pg_feed_is_same (struct pg_feed *feed, uint64_t seed)
{
  struct hashing hashing
    = { .spans = feed->spans, .seed = seed, .is_comparing = true, .is_watching = pg_watch_is_allowed () };
  uint32_t from = 0;
  feed->n_asks = 0;
  for (size_t i = 0; i < feed->n_blocks; i++)
    feed->blocks[i].is_settled = false;
  if (hashing.is_watching)
    settle_all (feed);
  for (size_t i = 0; i < feed->n_blocks; i++)
    if (feed->blocks[i].is_unread && !feed->blocks[i].is_settled)
      return false;
  for (uint32_t s = 0; s < feed->n_stages; from = feed->stage_end[s++])
    if (!hash_blocks (feed, from, feed->stage_end[s], &hashing))
      return false;
  return true;
}
