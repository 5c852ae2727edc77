/* SPDX-License-Identifier: MIT
   The verdict cache, step L2 of the check ladder.

   The addresses of a macro-chunk are a function of the numbers of the entry (the key: iterations, entry expressions,
   live-ins that feed the monitor) and of the memory that feeds the monitor.  A verdict keeps the key, and a hash of each
   block of that memory.  If all are the same again, so are the addresses, and the macro-chunk is as clean as it was.

   Reading a block must be safe even if this time the loop would not touch it: memory may have been unmapped since.
   Blocks are verified in stages.  What is read unconditionally, at addresses that depend on the key alone, comes first;
   then one reference after the other, in the order in which the inspection first met them.  A load that decides about the
   address or the execution of another one comes before it in each iteration, hence in the iteration in which the other
   one is first met, hence in this order: once all earlier stages are found unchanged, the loop will read this one.
   Between the bytes that are read lie bytes that are not; steps were short enough for all to be mapped (inspector.h).

   A verdict is not kept if the macro-chunk may write what is hashed: the loop could change its addresses between
   two iterations, and padding between elements would differ each time.

   Hashes are XXH3, 128 bits, with a seed of the process's own: nobody can prepare a collision.  */
#include "verdict.h"
#include "arena.h"
#include "inspector.h"
#include "log.h"
#include "pool.h"
#include "scout.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
  MAX_VERDICTS = 256,
  MAX_SAME_RANGE = 4,		/* verdicts of one macro-chunk under different keys: buffers that are swapped */
  MAX_STAGES = 64,
  BLOCK_LEN = 256 << 10,	/* unit of work of the pool */
  ALONE_LEN = 64 << 10		/* up to this, the caller hashes alone */
};

/* Verdicts of one region take at most this much.  */
#define MAX_BYTES ((size_t) 16 << 20)

struct block
{
  const char *start;
  size_t len;
  XXH128_hash_t hash;
};

/* Followed by its blocks, stage by stage, and its key.  */
struct verdict
{
  size_t len;			/* bytes of this block of memory */
  int64_t lo, hi;
  uint64_t used;		/* tick of the last use */
  size_t n_blocks, key_len;
  uint32_t n_stages;
  uint32_t stage_end[MAX_STAGES];	/* behind its last block */
};

struct pg_verdicts
{
  size_t len;			/* bytes of this block of memory */
  uint64_t tick, seed;
  size_t n_bytes;		/* of all verdicts */
  struct verdict *slots[MAX_VERDICTS];
  size_t key_len;
  char key[];			/* scratch: the key of the call */
};

/* What is to be hashed, or compared with the hashes that are there.  */
struct hashing
{
  struct block *blocks;
  uint64_t seed;
  bool is_comparing;
  _Atomic bool differs;		/* relaxed: only saves work before the pool's run ends */
};

static struct block *
blocks_of (struct verdict *verdict)
{
  return (struct block *) (verdict + 1);
}

static char *
key_of (struct verdict *verdict)
{
  return (char *) (blocks_of (verdict) + verdict->n_blocks);
}

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
  size_t room = 3 * sizeof (int64_t) + region->n_nodes * (sizeof (int64_t) + 1);
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    if (region->live_ins[i].flags & PG_FIELD_FEEDS)
      room += region->live_ins[i].len;
  return room;
}

static void
make_key (struct pg_verdicts *verdicts, const struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = view->region;
  verdicts->key_len = 0;
  add_key (verdicts, &lo, sizeof lo);
  add_key (verdicts, &hi, sizeof hi);
  add_key (verdicts, &view->n_iters, sizeof view->n_iters);
  for (uint32_t i = 0; i < region->n_nodes; i++)
    {
      add_key (verdicts, &view->nodes[i].value, sizeof view->nodes[i].value);
      add_key (verdicts, &view->nodes[i].known, 1);
    }
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    if (region->live_ins[i].flags & PG_FIELD_FEEDS)
      add_key (verdicts, (const char *) view->args + region->live_ins[i].offset, region->live_ins[i].len);
}

static void
drop (struct pg_verdicts *verdicts, int slot)
{
  struct verdict *verdict = verdicts->slots[slot];
  if (verdict == NULL)
    return;
  verdicts->slots[slot] = NULL;
  verdicts->n_bytes -= verdict->len;
  pg_arena_put (verdict, verdict->len);
}

/* The slot of the verdict under the current key, or -1.  */
static int
find (const struct pg_verdicts *verdicts, int64_t lo, int64_t hi)
{
  for (int i = 0; i < MAX_VERDICTS; i++)
    {
      struct verdict *verdict = verdicts->slots[i];
      if (verdict != NULL && verdict->lo == lo && verdict->hi == hi && verdict->key_len == verdicts->key_len
	  && memcmp (key_of (verdict), verdicts->key, verdict->key_len) == 0)
	return i;
    }
  return -1;
}

/* The slot used longest ago, or -1: among those of [LO, HI), or if LO > HI among all.  *N is their number.  */
static int
oldest (const struct pg_verdicts *verdicts, int64_t lo, int64_t hi, int *n)
{
  int best = -1;
  *n = 0;
  for (int i = 0; i < MAX_VERDICTS; i++)
    {
      const struct verdict *verdict = verdicts->slots[i];
      if (verdict == NULL || (lo <= hi && (verdict->lo != lo || verdict->hi != hi)))
	continue;
      ++*n;
      if (best < 0 || verdict->used < verdicts->slots[best]->used)
	best = i;
    }
  return best;
}

/* Make room for a verdict about [LO, HI) of LEN bytes, and return an empty slot.  */
static int
empty_slot (struct pg_verdicts *verdicts, int64_t lo, int64_t hi, size_t len)
{
  int n, same = oldest (verdicts, lo, hi, &n);
  if (n >= MAX_SAME_RANGE)
    drop (verdicts, same);
  for (;;)
    {
      int old = oldest (verdicts, 1, 0, &n);
      if (n < MAX_VERDICTS && verdicts->n_bytes + len <= MAX_BYTES)
	break;
      drop (verdicts, old);
    }
  int slot = 0;
  while (verdicts->slots[slot] != NULL)
    slot++;
  return slot;
}

static void
hash_block (void *arg, int64_t index)
{
  struct hashing *hashing = arg;
  struct block *block = &hashing->blocks[index];
  if (atomic_load_explicit (&hashing->differs, memory_order_relaxed))
    return;
  XXH128_hash_t hash = XXH3_128bits_withSeed (block->start, block->len, hashing->seed);
  if (!hashing->is_comparing)
    block->hash = hash;
  else if (!XXH128_isEqual (hash, block->hash))
    atomic_store_explicit (&hashing->differs, true, memory_order_relaxed);
}

/* Hash N BLOCKS, or compare them with their hashes.  False: one differs.  */
static bool
hash_blocks (struct block *blocks, size_t n, uint64_t seed, bool is_comparing)
{
  struct hashing hashing = { .blocks = blocks, .seed = seed, .is_comparing = is_comparing };
  size_t len = 0;
  for (size_t i = 0; i < n && len <= ALONE_LEN; i++)
    len += blocks[i].len;
  if (len > ALONE_LEN)
    pg_pool_run (hash_block, &hashing, (int64_t) n);
  else
    for (size_t i = 0; i < n; i++)
      hash_block (&hashing, (int64_t) i);
  return !atomic_load_explicit (&hashing.differs, memory_order_relaxed);
}

bool
pg_verdict_holds (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi)
{
  struct pg_verdicts *verdicts = inspector->verdicts;
  if (hi - lo <= 1)
    return true;
  if (verdicts == NULL)
    return false;
  make_key (verdicts, view, lo, hi);
  int slot = find (verdicts, lo, hi);
  if (slot < 0)
    return false;
  struct verdict *verdict = verdicts->slots[slot];
  verdict->used = ++verdicts->tick;
  uint32_t from = 0;
  for (uint32_t s = 0; s < verdict->n_stages; from = verdict->stage_end[s++])
    if (!hash_blocks (blocks_of (verdict) + from, verdict->stage_end[s] - from, verdicts->seed, true))
      {
	PG_LOG (CHECK, "region %s:%u: iterations %lld to %lld: index data changed", view->region->file,
		view->region->line, (long long) lo, (long long) hi);
	return false;
      }
  return true;
}

/* May the macro-chunk of the last inspection write one of the BLOCKS?  */
static bool
is_written (const struct pg_inspector *inspector, const struct pg_view *view, const struct block *blocks, size_t n)
{
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      int64_t low, end;
      if (!(view->region->refs[r].flags & PG_REF_WRITE) || view->places[r].is_never)
	continue;
      if (inspector->roles[r].what & PG_ROLE_TRACE)
	{
	  low = (int64_t) inspector->totals[r].low;
	  end = (int64_t) inspector->totals[r].end;
	}
      else
	pg_place_extent (view, r, inspector->lo, inspector->hi, &low, &end);
      for (size_t i = 0; i < n; i++)
	{
	  int64_t start = (int64_t) (uintptr_t) blocks[i].start;
	  if (low < start + (int64_t) blocks[i].len && start < end)
	    return true;
	}
    }
  return false;
}

/* The next stage's references as STAGE says: all that are read for certain, or the first met of those not yet TAKEN.
   Returns how many of REFS were filled in.  Jobs are in the order of their iterations.  */
static uint32_t
next_stage (const struct pg_inspector *inspector, uint32_t stage, uint8_t *taken, uint32_t *refs)
{
  const struct pg_region *region = inspector->region;
  uint32_t n = 0;
  for (uint32_t r = 0; stage == 0 && r < region->n_refs; r++)
    if ((region->refs[r].flags & (PG_REF_FEEDS | PG_REF_CONDITIONAL)) == PG_REF_FEEDS && region->refs[r].level == 0)
      {
	taken[r] = 1;
	refs[n++] = r;
      }
  for (int64_t j = 0; stage > 0 && n == 0 && j < inspector->n_traced; j++)
    {
      const struct pg_trace *traces = pg_scout_traces (inspector, j);
      for (uint32_t r = 0; r < region->n_refs; r++)
	if ((region->refs[r].flags & PG_REF_FEEDS) && !taken[r] && traces[r].end != 0
	    && (n == 0 || traces[r].order < traces[refs[0]].order))
	  {
	    refs[0] = r;
	    n = 1;
	  }
    }
  if (stage > 0 && n > 0)
    taken[refs[0]] = 1;
  return n;
}

/* Insert [LOW, END) into the N sorted RANGES.  */
static void
insert (struct block *ranges, size_t *n, uintptr_t low, uintptr_t end)
{
  size_t at = (*n)++;
  for (; at > 0 && (uintptr_t) ranges[at - 1].start > low; at--)
    ranges[at] = ranges[at - 1];
  ranges[at].start = (const char *) low;
  ranges[at].len = end - low;
}

/* Set RANGES, sorted, to the bytes of N REFS, job by job where they were traced, else as numbers say.  False: bytes in
   between may be unmapped.  */
static bool
gather (const struct pg_inspector *inspector, const struct pg_view *view, const uint32_t *refs, uint32_t n,
	struct block *ranges, size_t *n_ranges)
{
  *n_ranges = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      if (!(inspector->roles[refs[i]].what & PG_ROLE_TRACE))
	{
	  int64_t low, end;
	  pg_place_extent (view, refs[i], inspector->lo, inspector->hi, &low, &end);
	  insert (ranges, n_ranges, (uintptr_t) low, (uintptr_t) end);
	  continue;
	}
      for (int64_t j = 0; j < inspector->n_traced; j++)
	{
	  const struct pg_trace *part = &pg_scout_traces (inspector, j)[refs[i]];
	  if (part->end == 0)
	    continue;
	  if (part->is_sparse)
	    return false;
	  insert (ranges, n_ranges, part->low, part->end);
	}
    }
  return true;
}

/* Append N sorted RANGES to the N_BLOCKS BLOCKS, those that overlap as one, cut into pieces.  With BLOCKS NULL, only
   count.  */
static void
cut (const struct block *ranges, size_t n, struct block *blocks, size_t *n_blocks)
{
  for (size_t i = 0; i < n;)
    {
      const char *start = ranges[i].start, *end = start + ranges[i].len;
      for (i++; i < n && ranges[i].start <= end; i++)
	if (ranges[i].start + ranges[i].len > end)
	  end = ranges[i].start + ranges[i].len;
      for (; start < end; start += BLOCK_LEN, ++*n_blocks)
	if (blocks != NULL)
	  blocks[*n_blocks]
	    = (struct block) { .start = start, .len = end - start < BLOCK_LEN ? (size_t) (end - start) : BLOCK_LEN };
    }
}

/* Lay out in stages what the last inspection's monitor read: into VERDICT, or if it is NULL only count *N_BLOCKS.
   RANGES and REFS are scratch, TAKEN too, and zero.  False: not to be kept.  */
static bool
plan_stages (const struct pg_inspector *inspector, const struct pg_view *view, struct verdict *verdict,
	     size_t *n_blocks, struct block *ranges, uint32_t *refs, uint8_t *taken)
{
  *n_blocks = 0;
  for (uint32_t stage = 0;; stage++)
    {
      size_t n_ranges;
      uint32_t n = next_stage (inspector, stage, taken, refs);
      if (stage > 0 && n == 0)
	return true;
      if (stage == MAX_STAGES || !gather (inspector, view, refs, n, ranges, &n_ranges))
	return false;
      cut (ranges, n_ranges, verdict == NULL ? NULL : blocks_of (verdict), n_blocks);
      if (*n_blocks > MAX_BYTES / sizeof *ranges)
	return false;
      if (verdict != NULL)
	{
	  verdict->stage_end[stage] = (uint32_t) *n_blocks;
	  verdict->n_stages = stage + 1;
	}
    }
}

/* The verdicts of INSPECTOR, made on first use.  NULL: no memory.  */
static struct pg_verdicts *
verdicts_of (struct pg_inspector *inspector)
{
  if (inspector->verdicts == NULL)
    {
      size_t len = sizeof (struct pg_verdicts) + key_room (inspector->region);
      inspector->verdicts = pg_arena_get (len);
      if (inspector->verdicts == NULL)
	return NULL;
      inspector->verdicts->len = len;
      const void *random = (const void *) getauxval (AT_RANDOM);
      if (random != NULL)
	memcpy (&inspector->verdicts->seed, random, sizeof inspector->verdicts->seed);
    }
  return inspector->verdicts;
}

/* A verdict about the last inspection, all but its hashes.  NULL: not to be kept.  */
static struct verdict *
new_verdict (struct pg_inspector *inspector, const struct pg_view *view)
{
  struct pg_verdicts *verdicts = inspector->verdicts;
  uint32_t n_refs = view->region->n_refs;
  size_t ranges_len = (size_t) inspector->n_traced * n_refs * sizeof (struct block), n_blocks;
  size_t scratch_len = ranges_len + n_refs * (sizeof (uint32_t) + 1);
  char *scratch = pg_arena_get (scratch_len);
  struct block *ranges = (struct block *) scratch;
  uint32_t *refs = (uint32_t *) (scratch + ranges_len);
  uint8_t *taken = (uint8_t *) (refs + n_refs);
  struct verdict *verdict = NULL;
  if (scratch == NULL)
    return NULL;

  if (plan_stages (inspector, view, NULL, &n_blocks, ranges, refs, taken))
    {
      size_t len = sizeof *verdict + n_blocks * sizeof (struct block) + verdicts->key_len;
      verdict = len <= MAX_BYTES ? pg_arena_get (len) : NULL;
      if (verdict != NULL)
	{
	  memset (taken, 0, n_refs);
	  plan_stages (inspector, view, verdict, &n_blocks, ranges, refs, taken);
	  verdict->len = len;
	  verdict->lo = inspector->lo;
	  verdict->hi = inspector->hi;
	  verdict->n_blocks = n_blocks;
	  verdict->key_len = verdicts->key_len;
	  memcpy (key_of (verdict), verdicts->key, verdicts->key_len);
	}
    }
  pg_arena_put (scratch, scratch_len);
  return verdict;
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

void
pg_verdict_keep (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi)
{
  if (inspector->n_traced == 0 || inspector->lo != lo || inspector->hi != hi || has_written_feed (view->region))
    return;
  struct pg_verdicts *verdicts = verdicts_of (inspector);
  if (verdicts == NULL)
    return;
  make_key (verdicts, view, lo, hi);
  int same = find (verdicts, lo, hi);
  if (same >= 0)
    drop (verdicts, same);
  struct verdict *verdict = new_verdict (inspector, view);
  if (verdict == NULL)
    return;
  if (is_written (inspector, view, blocks_of (verdict), verdict->n_blocks))
    {
      pg_arena_put (verdict, verdict->len);
      return;
    }
  hash_blocks (blocks_of (verdict), verdict->n_blocks, verdicts->seed, false);
  int slot = empty_slot (verdicts, lo, hi, verdict->len);
  verdict->used = ++verdicts->tick;
  verdicts->n_bytes += verdict->len;
  verdicts->slots[slot] = verdict;
}

void
pg_verdicts_free (struct pg_inspector *inspector)
{
  if (inspector->verdicts == NULL)
    return;
  for (int i = 0; i < MAX_VERDICTS; i++)
    drop (inspector->verdicts, i);
  pg_arena_put (inspector->verdicts, inspector->verdicts->len);
  inspector->verdicts = NULL;
}
