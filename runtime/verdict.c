/* SPDX-License-Identifier: MIT
   The verdict cache, step L2 of the check ladder.

   The addresses of a macro-chunk are a function of the numbers of the entry (the key: first iteration and trip count,
   entry expressions, live-ins that feed the monitor) and of the memory that feeds the monitor (feed.c).  A verdict
   keeps the key, and hashes of that memory or the moment since which it is watched.  If all are the same again, so are
   the addresses, and the macro-chunk is as clean as it was, or has the bounds that it had, if these were asked for.

   A verdict is not kept if the macro-chunk may write what is hashed or watched: the loop could change its addresses
   between two iterations, and what lies between the addresses would differ each time.

   Verdicts stand in a table of sets, by a hash of the key: an entry's macro-chunks, buffers that are swapped from entry
   to entry, the levels of a triangular solve each have their own.  In a full set the one unused longest makes room.

   Hashes have a seed of the process's own, so nobody can prepare a collision.  */
#include "verdict.h"
#include "arena.h"
#include "budget.h"
#include "feed.h"
#include "inspector.h"
#include "log.h"
#include "pile.h"
#include "pool.h"
#include "thread.h"

#include <string.h>
#include <sys/auxv.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
  N_SETS = 1024,
  N_WAYS = 8,
  N_MISSES = 4096,
  AGE_MISSES = 16384,
  TAG_SHIFT = 48,         /* of a key's hash */
  CACHE_LEN = 512 << 10,  /* of a thread's own cache, left to what is hashed */
  LITTLE_BYTES = 1 << 20, /* what verdicts of one region take without a question */
  BYTES_SHARE = 64        /* or else at most 1/BYTES_SHARE of the memory available at the first need of more */
};

/* Where a verdict is that may be looked for soon.  Never to be followed: it may be gone.  */
struct coming
{
  const void *set, *verdict;
  const char *key;
};

/* Followed by the feed's asks, blocks and spans, the bounds, and the key.  */
struct verdict
{
  size_t len;              /* bytes of this block of memory */
  uint64_t used;           /* tick of the last use */
  int64_t hi;              /* the end of the macro-chunk */
  bool is_changed;         /* what it was computed from was not the same when it was last looked for */
  enum pg_caution caution; /* of its feed */
  char *key;
  struct coming next;      /* the verdict that was of use after this one */
  struct pg_bound *bounds; /* of the region's references; NULL: not asked for */
  struct pg_feed feed;
};

/* A key that was searched for in vain.  */
struct miss
{
  uint16_t tag;  /* of its hash */
  uint8_t count; /* times, halved now and then */
  uint8_t scale; /* of its iterations, if it is wanted */
};

struct pg_verdicts
{
  size_t len; /* bytes of this block of memory */
  uint64_t tick, seed;
  size_t n_bytes, max_bytes; /* of all verdicts */
  bool has_asked;            /* how much memory there is: that takes its time */
  struct verdict *last;      /* that was of use, or NULL */
  uint32_t hand;             /* slot that makes room next */
  int64_t good_len;          /* pg_verdict_good_len */
  int n_before;              /* pg_verdict_n_before */
  int64_t wanted;            /* pg_verdict_wanted */
  uint32_t n_missed;
  struct miss misses[N_MISSES]; /* in pairs, by the key's hash */
  uint16_t miss_tag;            /* of the key that was last looked for among them */
  struct pg_pile pile;          /* of verdicts */
  struct pg_feed_room room;
  struct verdict *slots[N_SETS][N_WAYS];
  uint64_t hash;  /* of KEY */
  size_t key_len; /* the same for all keys of the region */
  char key[];     /* scratch: the key of the call */
};

/* Append LEN bytes to the key.  */
static void
add_key (struct pg_verdicts *verdicts, const void *bytes, size_t len)
{
  memcpy (verdicts->key + verdicts->key_len, bytes, len);
  verdicts->key_len += len;
}

static size_t
key_room (const struct pg_region *region)
{
  size_t room = 2 * sizeof (int64_t) + region->n_nodes * (sizeof (int64_t) + 1);
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    room += region->live_ins[i].len;
  return room;
}

static void
make_key (struct pg_verdicts *verdicts, const struct pg_view *view, int64_t lo)
{
  const struct pg_region *region = view->region;
  verdicts->key_len = 0;
  add_key (verdicts, &lo, sizeof lo);
  add_key (verdicts, &view->n_iters, sizeof view->n_iters);
  for (uint32_t i = 0; i < region->n_nodes; i++)
    {
      add_key (verdicts, &view->nodes[i].value, sizeof view->nodes[i].value);
      add_key (verdicts, &view->nodes[i].known, 1);
    }
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    add_key (verdicts, (const char *) view->args + region->live_ins[i].offset, region->live_ins[i].len);
  verdicts->hash = XXH3_64bits_withSeed (verdicts->key, verdicts->key_len, verdicts->seed);
}

/* The set of the current key.  */
static struct verdict **
set_of (struct pg_verdicts *verdicts)
{
  return verdicts->slots[verdicts->hash % N_SETS];
}

/* N iterations as a byte, to an eighth: 8 times the highest bit, and the three bits after it; and back.  */
static uint8_t
scale_of (int64_t n)
{
  n = n < UINT32_MAX ? n : UINT32_MAX;
  int bit = 63 - __builtin_clzll ((unsigned long long) n);
  return (uint8_t) (bit < 3 ? n : bit * 8 + (n >> (bit - 3) & 7));
}

static int64_t
iters_of (uint8_t scale)
{
  return scale < 8 ? scale : (int64_t) (8 + scale % 8) << (scale / 8 - 3);
}

/* Nobody misses what MISS is about any more.  */
static void
forget_miss (struct pg_verdicts *verdicts, struct miss *miss)
{
  verdicts->wanted -= iters_of (miss->scale);
  *miss = (struct miss) { .count = 0 };
}

/* All misses were a while ago.  */
static void
age_misses (struct pg_verdicts *verdicts)
{
  for (int i = 0; i < N_MISSES; i++)
    if ((verdicts->misses[i].count /= 2) == 0)
      forget_miss (verdicts, &verdicts->misses[i]);
}

/* The miss of the current key, or where it would be: in one of two places.  */
static struct miss *
find_miss (struct pg_verdicts *verdicts)
{
  uint64_t hash = verdicts->hash;
  struct miss *pair = &verdicts->misses[hash / N_SETS % (N_MISSES / 2) * 2];
  uint16_t tag = (uint16_t) (hash >> TAG_SHIFT);
  int at = pair[0].tag == tag ? 0 : pair[1].tag == tag ? 1 : pair[0].count > pair[1].count;
  verdicts->miss_tag = tag;
  return &pair[at];
}

/* Note that the current key, of N_ITERS iterations, was searched for in vain, and how often before.  In the place of
   another one that is missed more often it takes several times to be noted.  */
static void
note_miss (struct pg_verdicts *verdicts, int64_t n_iters)
{
  struct miss *miss = find_miss (verdicts);
  verdicts->n_before = 0;
  if (++verdicts->n_missed % AGE_MISSES == 0)
    age_misses (verdicts);
  if (miss->tag != verdicts->miss_tag && miss->count > 1)
    {
      miss->count--;
      return;
    }
  if (miss->tag != verdicts->miss_tag)
    forget_miss (verdicts, miss);
  miss->tag = verdicts->miss_tag;
  verdicts->n_before = miss->count;
  miss->count += miss->count < UINT8_MAX;
  if (miss->count < 2 || miss->scale > 0)
    return;
  miss->scale = scale_of (n_iters);
  verdicts->wanted += iters_of (miss->scale);
}

/* There is a verdict for the current key.  */
static void
end_miss (struct pg_verdicts *verdicts)
{
  struct miss *miss = find_miss (verdicts);
  if (miss->tag == verdicts->miss_tag)
    forget_miss (verdicts, miss);
}

static void
drop (struct pg_verdicts *verdicts, struct verdict **slot)
{
  struct verdict *verdict = *slot;
  if (verdict == NULL)
    return;
  *slot = NULL;
  if (verdicts->last == verdict)
    verdicts->last = NULL;
  verdicts->n_bytes -= verdict->len;
  pg_pile_put (&verdicts->pile, verdict, verdict->len);
}

/* The slot in SET of the verdict under the current key, or NULL.  */
static struct verdict **
find (const struct pg_verdicts *verdicts, struct verdict **set)
{
  for (int w = 0; w < N_WAYS; w++)
    if (set[w] != NULL && memcmp (set[w]->key, verdicts->key, verdicts->key_len) == 0)
      return &set[w];
  return NULL;
}

/* The slot in SET that is empty or was used longest ago.  */
static struct verdict **
oldest (struct verdict **set)
{
  struct verdict **best = &set[0];
  for (int w = 1; w < N_WAYS && *best != NULL; w++)
    if (set[w] == NULL || set[w]->used < (*best)->used)
      best = &set[w];
  return best;
}

/* The verdicts of INSPECTOR, made on first use.  NULL: no memory.  */
static struct pg_verdicts *
verdicts_of (struct pg_inspector *inspector)
{
  if (inspector->verdicts == NULL)
    {
      size_t len = sizeof (struct pg_verdicts) + key_room (inspector->region);
      struct pg_verdicts *verdicts = pg_arena_get (len);
      if (verdicts == NULL)
	return NULL;
      verdicts->len = len;
      verdicts->max_bytes = LITTLE_BYTES;
      const void *random = (const void *) getauxval (AT_RANDOM);
      if (random != NULL)
	memcpy (&verdicts->seed, random, sizeof verdicts->seed);
      inspector->verdicts = verdicts;
    }
  return inspector->verdicts;
}

/* A verdict with FEED could not be kept, or was lost, perhaps because of what lies around that which the monitor
   reads.  */
static void
be_cautious (struct pg_inspector *inspector, const struct pg_feed *feed)
{
  if (feed->is_wide && inspector->caution < PG_WATCH_NO_PAGES)
    inspector->caution++;
}

/* The verdict of INSPECTOR about a macro-chunk from LO on, or NULL.  */
static struct verdict *
search (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo)
{
  struct pg_verdicts *verdicts = verdicts_of (inspector);
  if (verdicts == NULL)
    return NULL;
  make_key (verdicts, view, lo);
  struct verdict **slot = find (verdicts, set_of (verdicts));
  return slot == NULL ? NULL : *slot;
}

/* Have what a search for NEXT and a gate look at in the cache when they do.  It may be gone: nothing of it is read.  */
static void
prefetch (const struct coming *next)
{
  __builtin_prefetch (next->set);
  __builtin_prefetch (next->verdict);
  __builtin_prefetch ((const char *) next->verdict + PG_CACHE_LINE);
  __builtin_prefetch ((const char *) next->verdict + 2 * PG_CACHE_LINE);
  __builtin_prefetch (next->key);
  __builtin_prefetch (next->key + PG_CACHE_LINE);
}

/* VERDICT in SET of VERDICTS is of use, as was another one the last time: after that one, it may be again.  */
static void
expect_next (struct pg_verdicts *verdicts, struct verdict **set, struct verdict *verdict)
{
  if (verdicts->last != NULL && verdicts->last != verdict)
    verdicts->last->next = (struct coming) { set, verdict, verdict->key };
  verdicts->last = verdict;
  if (verdict->next.verdict != NULL)
    prefetch (&verdict->next);
}

/* VERDICT of VERDICTS is of use; the end of its macro-chunk.  */
static int64_t
use (struct pg_verdicts *verdicts, struct verdict *verdict)
{
  pg_pool_wake ();
  pg_thread_defer_signals (pg_thread_self ()); /* a handler might fork in the middle of a watch */
  verdict->used = ++verdicts->tick;
  expect_next (verdicts, set_of (verdicts), verdict);
  return verdict->hi;
}

bool
pg_verdict_gate (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t *hi, struct pg_gate *gate)
{
  struct verdict *verdict = search (inspector, view, lo);
  if (verdict == NULL || !pg_gate_make (gate, &verdict->feed))
    return false;
  verdict->is_changed = false;
  *hi = use (inspector->verdicts, verdict);
  return true;
}

enum pg_known
pg_verdict_find (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t *hi)
{
  struct verdict *verdict = search (inspector, view, lo);
  struct pg_verdicts *verdicts = inspector->verdicts;
  if (verdict == NULL)
    {
      if (verdicts != NULL)
	note_miss (verdicts, view->n_iters - lo);
      return PG_KNOWN_NOT;
    }
  bool was_changed = verdict->is_changed;
  verdict->is_changed = false;
  *hi = use (verdicts, verdict);
  if (pg_feed_is_same (&verdict->feed, verdicts->seed))
    {
      if (verdict->bounds != NULL)
	memcpy (inspector->bounds, verdict->bounds, view->region->n_refs * sizeof *inspector->bounds);
      return PG_KNOWN_CLEAN;
    }
  if (inspector->caution == verdict->caution
      && (pg_feed_has_lost (&verdict->feed) || inspector->caution == PG_WATCH_INNER_PAGES))
    be_cautious (inspector, &verdict->feed);
  PG_LOG (CHECK, "region %s:%u: iterations %lld to %lld: index data changed", view->region->file, view->region->line,
	  (long long) lo, (long long) *hi);
  verdict->is_changed = true;
  return was_changed ? PG_KNOWN_CHANGED_AGAIN : PG_KNOWN_CHANGED;
}

/* Make room for a verdict of LEN bytes, whoever has it: the order of entries is often such that the one used longest
   ago is the next to be asked for.  False: there is not so much.  */
static bool
make_room (struct pg_verdicts *verdicts, size_t len)
{
  if (len > verdicts->max_bytes - verdicts->n_bytes && !verdicts->has_asked)
    {
      uint64_t share = pg_budget_available () / BYTES_SHARE;
      verdicts->max_bytes = share > LITTLE_BYTES ? share : LITTLE_BYTES;
      verdicts->has_asked = true;
    }
  if (len > verdicts->max_bytes)
    return false;
  while (len > verdicts->max_bytes - verdicts->n_bytes)
    {
      uint32_t slot = verdicts->hand++ % (N_SETS * N_WAYS);
      drop (verdicts, &verdicts->slots[slot / N_WAYS][slot % N_WAYS]);
    }
  return true;
}

/* A verdict about the last inspection, under the current key, all but its hashes.  NULL: not to be kept.  */
static struct verdict *
new_verdict (struct pg_inspector *inspector, const struct pg_view *view)
{
  struct pg_verdicts *verdicts = inspector->verdicts;
  struct pg_feed feed = { .blocks = NULL, .n_threads = (size_t) pg_pool_queues () };
  if (!pg_feed_lay_out (inspector, view, &verdicts->room, &feed))
    return NULL;
  size_t blocks_len = feed.n_blocks * sizeof *feed.blocks, spans_len = feed.n_spans * sizeof *feed.spans;
  size_t n_asks = feed.n_blocks < PG_FEED_MOST_ASKS ? feed.n_blocks : PG_FEED_MOST_ASKS;
  size_t asks_len = n_asks * sizeof *feed.asks;
  size_t bounds_len = inspector->has_bounds ? view->region->n_refs * sizeof *inspector->bounds : 0;
  size_t len = sizeof (struct verdict) + asks_len + blocks_len + spans_len + bounds_len + verdicts->key_len;
  if (!make_room (verdicts, len))
    return NULL;
  struct verdict *verdict = pg_pile_get (&verdicts->pile, len);
  if (verdict == NULL)
    return NULL;
  *verdict = (struct verdict) { .len = len, .caution = inspector->caution, .feed.n_threads = feed.n_threads };
  verdict->feed.asks = (struct pg_ask *) (verdict + 1);
  verdict->feed.blocks = (struct pg_block *) ((char *) verdict->feed.asks + asks_len);
  verdict->feed.spans = (pg_span *) ((char *) verdict->feed.blocks + blocks_len);
  char *bounds = (char *) verdict->feed.spans + spans_len;
  verdict->bounds = bounds_len == 0 ? NULL : memcpy (bounds, inspector->bounds, bounds_len);
  verdict->key = bounds + bounds_len;
  memcpy (verdict->key, verdicts->key, verdicts->key_len);
  if (pg_feed_lay_out (inspector, view, &verdicts->room, &verdict->feed))
    {
      if (!pg_feed_is_written (&verdict->feed, inspector, view))
	return verdict;
      be_cautious (inspector, &verdict->feed);
    }
  pg_pile_put (&verdicts->pile, verdict, len);
  return NULL;
}

/* Is a reference both written and fed to the monitor?  The monitor may report its writes only.  */
static bool
has_written_feed (const struct pg_region *region)
{
  for (uint32_t r = 0; r < region->n_refs; r++)
    if ((region->refs[r].flags & PG_REF_FEEDS) && (region->refs[r].flags & PG_REF_WRITE))
      return true;
  return false;
}

/* Iterations whose share of FEED, that of N_ITERS iterations, the threads' caches can hold.  What is watched is not
   read.  */
static int64_t
good_len (const struct pg_feed *feed, int64_t n_iters)
{
  size_t len = 1;
  for (size_t b = 0; b < feed->n_blocks; b++)
    len += feed->blocks[b].tick == 0 ? feed->blocks[b].len : 0;
  return (int64_t) ((__int128) n_iters * CACHE_LEN * pg_pool_most_threads () / len) + 1;
}

int
pg_verdict_n_before (const struct pg_inspector *inspector)
{
  return inspector->verdicts == NULL ? 0 : inspector->verdicts->n_before;
}

int64_t
pg_verdict_wanted (const struct pg_inspector *inspector)
{
  return inspector->verdicts == NULL ? 0 : inspector->verdicts->wanted;
}

int64_t
pg_verdict_good_len (const struct pg_inspector *inspector)
{
  return inspector->verdicts == NULL ? 0 : inspector->verdicts->good_len;
}

void
pg_verdict_keep (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi)
{
  if (inspector->n_traced == 0 || inspector->lo != lo || inspector->hi != hi || has_written_feed (view->region))
    return;
  struct pg_verdicts *verdicts = verdicts_of (inspector);
  if (verdicts == NULL)
    return;
  pg_thread_defer_signals (pg_thread_self ());
  make_key (verdicts, view, lo);
  struct verdict **set = set_of (verdicts), **slot = find (verdicts, set);
  drop (verdicts, slot == NULL ? slot = oldest (set) : slot);
  struct verdict *verdict = new_verdict (inspector, view);
  if (verdict == NULL)
    return;
  if (!pg_feed_hash (&verdict->feed, verdicts->seed))
    {
      be_cautious (inspector, &verdict->feed);
      pg_pile_put (&verdicts->pile, verdict, verdict->len);
      return;
    }
  verdict->used = ++verdicts->tick;
  verdict->hi = hi;
  verdicts->good_len = good_len (&verdict->feed, hi - lo);
  verdicts->n_bytes += verdict->len;
  *slot = verdict;
  end_miss (verdicts);
}

void
pg_verdicts_free (struct pg_inspector *inspector)
{
  if (inspector->verdicts == NULL)
    return;
  for (int s = 0; s < N_SETS; s++)
    for (int w = 0; w < N_WAYS; w++)
      drop (inspector->verdicts, &inspector->verdicts->slots[s][w]);
  pg_pile_free (&inspector->verdicts->pile);
  pg_feed_room_free (&inspector->verdicts->room);
  pg_arena_put (inspector->verdicts, inspector->verdicts->len);
  inspector->verdicts = NULL;
}
