/* SPDX-License-Identifier: MIT
   Where the threads of a block meet: barriers, and what the lanes of a warp do together.  See run.h, shim.h.

   A thread that comes leaves what it brings in itself and rests.  The last one finds all there, makes each one's
   result, and wakes them.  Threads that come to different places do not meet; when no thread of a block is ready, those
   who wait never will, and what they wait for is reported.  */
#include "run.h"

#include <stdio.h>

int pg_emu_barrier (enum pg_emu_barrier_kind kind, int predicate, unsigned site, unsigned line);
uint64_t pg_emu_warp (enum pg_emu_warp_kind kind, unsigned mask, uint64_t value, unsigned source, unsigned site,
		      unsigned line);
unsigned pg_emu_lane (void);

static uint32_t
lane_of (const struct pg_emu_thread *thread)
{
  return thread->number % PG_EMU_WARP_LANES;
}

static uint32_t
bit_of (const struct pg_emu_thread *thread)
{
  return (uint32_t) 1 << lane_of (thread);
}

/* The first lane of THREAD's warp, with the others behind it.  */
static struct pg_emu_thread *
lanes_of (const struct pg_emu_thread *thread)
{
  return &thread->block->threads[thread->number - lane_of (thread)];
}

static struct pg_emu_warp *
warp_of (const struct pg_emu_thread *thread)
{
  return &thread->block->warps[thread->number / PG_EMU_WARP_LANES];
}

unsigned
pg_emu_lane (void)
{
  return lane_of (pg_emu_thread_here ());
}

/* A thread of BLOCK that is not where THREAD, at a barrier, is; or NULL.  */
static struct pg_emu_thread *
find_absent (const struct pg_emu_block *block, const struct pg_emu_thread *thread)
{
  for (uint32_t t = 0; t < block->n_threads; t++)
    if (block->threads[t].state != PG_EMU_AT_BARRIER || block->threads[t].site != thread->site)
      return &block->threads[t];
  return NULL;
}

/* Let all threads of BLOCK, which are at one barrier of KIND, go on.  */
static void
open_barrier (struct pg_emu_block *block, uint32_t kind)
{
  uint64_t n_true = 0;
  for (uint32_t t = 0; t < block->n_threads; t++)
    n_true += block->threads[t].value;
  uint64_t result = kind == PG_EMU_BARRIER_OR    ? n_true > 0
		    : kind == PG_EMU_BARRIER_AND ? n_true == block->n_threads
						 : n_true;
  block->n_at_barrier = 0;
  for (uint32_t t = 0; t < block->n_threads; t++)
    {
      struct pg_emu_thread *thread = &block->threads[t];
      thread->result = result;
      pg_emu_wake (thread);
      if (lane_of (thread) == 0)
	pg_emu_delay (thread);
    }
}

int
pg_emu_barrier (enum pg_emu_barrier_kind kind, int predicate, unsigned site, unsigned line)
{
  struct pg_emu_thread *thread = pg_emu_thread_here ();
  struct pg_emu_block *block = thread->block;
  thread->kind = kind;
  thread->site = site;
  thread->line = line;
  thread->value = (uint64_t) predicate;
  pg_emu_rest (thread, PG_EMU_AT_BARRIER);
  if (++block->n_at_barrier == block->n_threads && find_absent (block, thread) == NULL)
    open_barrier (block, kind);
  pg_emu_yield (thread);
  return (int) thread->result;
}

/* Is OTHER, a lane of the same warp, where THREAD is?  */
static bool
is_with (const struct pg_emu_thread *other, const struct pg_emu_thread *thread)
{
  return other->state == PG_EMU_AT_WARP && other->site == thread->site && other->mask == thread->mask;
}

/* A lane of THREAD's mask that is not where THREAD is, or -1.  */
static int
find_missing (const struct pg_emu_thread *thread)
{
  uint32_t first = thread->number - lane_of (thread);
  for (int lane = 0; lane < PG_EMU_WARP_LANES; lane++)
    if ((thread->mask >> lane & 1) != 0
	&& (first + (uint32_t) lane >= thread->block->n_threads || !is_with (&lanes_of (thread)[lane], thread)))
      return lane;
  return -1;
}

/* Let the lanes of MASK go on, which are all where THREAD is.  */
static void
open_warp (struct pg_emu_thread *thread, uint32_t mask)
{
  struct pg_emu_thread *lanes = lanes_of (thread);
  uint32_t kind = thread->kind;
  uint64_t ballot = 0;
  for (uint32_t lane = 0; lane < PG_EMU_WARP_LANES; lane++)
    if ((mask >> lane & 1) != 0 && lanes[lane].value != 0)
      ballot |= (uint32_t) 1 << lane;
  warp_of (thread)->waiting &= ~mask;
  for (uint32_t lane = 0; lane < PG_EMU_WARP_LANES; lane++)
    if ((mask >> lane & 1) != 0)
      {
	uint32_t source = lanes[lane].source;
	lanes[lane].result = kind == PG_EMU_WARP_ACTIVE         ? mask
			     : kind == PG_EMU_WARP_BALLOT       ? ballot
			     : (mask >> (source & 31) & 1) != 0 ? lanes[source & 31].value
								: pg_emu_random (thread->block->worker) << 16;
	pg_emu_wake (&lanes[lane]);
      }
}

void
pg_emu_settle (struct pg_emu_thread *thread)
{
  uint32_t waiting = warp_of (thread)->waiting, group = 0;
  struct pg_emu_thread *lanes = lanes_of (thread), *first = NULL;
  for (uint32_t lane = 0; lane < PG_EMU_WARP_LANES; lane++)
    if ((waiting >> lane & 1) != 0 && lanes[lane].kind == PG_EMU_WARP_ACTIVE
	&& (first == NULL || lanes[lane].site == first->site))
      {
	first = first == NULL ? &lanes[lane] : first;
	group |= (uint32_t) 1 << lane;
      }
  if (first == NULL)
    return;
  uint64_t r = pg_emu_random (thread->block->worker);
  uint32_t some = group & (uint32_t) (r >> 8);
  open_warp (first, r % 4 == 0 && some != 0 ? some : group);
}

uint64_t
pg_emu_warp (enum pg_emu_warp_kind kind, unsigned mask, uint64_t value, unsigned source, unsigned site, unsigned line)
{
  struct pg_emu_thread *thread = pg_emu_thread_here ();
  struct pg_emu_warp *warp = warp_of (thread);
  if (kind != PG_EMU_WARP_ACTIVE && (mask & bit_of (thread)) == 0)
    pg_emu_fault ("line %u: the mask 0x%08x does not name lane %u, which uses it", line, mask, lane_of (thread));
  thread->kind = kind;
  thread->site = site;
  thread->line = line;
  thread->mask = mask;
  thread->source = source;
  thread->value = value;
  warp->waiting |= bit_of (thread);
  pg_emu_rest (thread, PG_EMU_AT_WARP);
  if (kind != PG_EMU_WARP_ACTIVE && (mask & ~warp->waiting) == 0 && find_missing (thread) < 0)
    open_warp (thread, mask);
  pg_emu_yield (thread);
  return thread->result;
}

/* Write what OTHER does instead of coming.  */
static void
describe (char *text, size_t len, const struct pg_emu_thread *other)
{
  if (other->state == PG_EMU_ENDED)
    snprintf (text, len, "has ended");
  else
    snprintf (text, len, "waits %s in line %u", other->state == PG_EMU_AT_BARRIER ? "at the barrier" : "for its warp",
	      other->line);
}

/* Say which lane THREAD, at its warp, waits for.  */
static _Noreturn void
warp_stuck (struct pg_emu_thread *thread)
{
  char text[80];
  int lane = find_missing (thread);
  pg_emu_become (thread);
  if (thread->number - lane_of (thread) + (uint32_t) lane >= thread->block->n_threads)
    pg_emu_fault ("line %u: the mask 0x%08x names lane %d, which the block does not have", thread->line, thread->mask,
		  lane);
  const struct pg_emu_thread *other = &lanes_of (thread)[lane];
  describe (text, sizeof text, other);
  if (other->state == PG_EMU_AT_WARP && other->site == thread->site)
    pg_emu_fault ("line %u: lane %d uses the mask 0x%08x where this one uses 0x%08x", thread->line, lane, other->mask,
		  thread->mask);
  pg_emu_fault ("line %u: the mask 0x%08x names lane %d, which never comes: it %s", thread->line, thread->mask, lane,
		text);
}

_Noreturn void
pg_emu_stuck (struct pg_emu_block *block)
{
  char text[80];
  struct pg_emu_thread *waiting = NULL;
  for (uint32_t t = 0; t < block->n_threads; t++)
    {
      if (block->threads[t].state == PG_EMU_AT_WARP)
	warp_stuck (&block->threads[t]);
      if (block->threads[t].state == PG_EMU_AT_BARRIER && waiting == NULL)
	waiting = &block->threads[t];
    }
  const struct pg_emu_thread *other = find_absent (block, waiting);
  describe (text, sizeof text, other);
  pg_emu_become (waiting);
  pg_emu_fault ("divergent barrier: waits in line %u for thread (%u, %u, %u), which %s", waiting->line, other->idx[0],
		other->idx[1], other->idx[2], text);
}
