/* SPDX-License-Identifier: MIT
   Running blocks.  See run.h.

   Which thread goes on is drawn among those that are ready, mostly in the block that ran last; a warp may lag.  Shared
   memory is one place for each worker, of which the block that runs has the use: another's is copied away.  What a
   block finds there first is random.  Blocks are handed out in an order that steps through their numbers, by a step
   that has no divisor in common with their count.  */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  N_TRIES = 4,
  STAY = 8,     /* another block goes on once in so many picks */
  COLOURS = 32, /* stacks begin at different places of their pages, for the caches' sake */
  COLOUR_LEN = 128
};

struct pg_emu_running pg_emu_running;
__thread struct pg_emu_place pg_emu_here;
__thread struct pg_emu_worker *pg_emu_worker;

struct pg_emu_worker *
pg_emu_worker_make (uint32_t number)
{
  struct pg_emu_worker *worker = calloc (1, sizeof *worker);
  struct pg_emu_thread *threads = calloc (PG_EMU_MOST_STACKS, sizeof *threads);
  char **free_stacks = calloc (PG_EMU_MOST_STACKS, sizeof *free_stacks);
  void *stacks = mmap (NULL, (size_t) PG_EMU_MOST_STACKS * PG_EMU_STACK_LEN, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (worker == NULL || threads == NULL || free_stacks == NULL || stacks == MAP_FAILED)
    return NULL; /* the process ends */
  worker->number = number;
  worker->stacks = stacks;
  worker->free_stacks = free_stacks;
  for (uint32_t t = 0; t < PG_EMU_MOST_STACKS; t++)
    {
      struct pg_emu_block *block = &worker->blocks[t / PG_EMU_MOST_BLOCK_THREADS];
      threads[t].block = block;
      threads[t].number = t % PG_EMU_MOST_BLOCK_THREADS;
      if (threads[t].number == 0)
	*block = (struct pg_emu_block) { .worker = worker, .threads = &threads[t] };
    }
  return worker;
}

bool
pg_emu_is_guard (const struct pg_emu_worker *worker, uint64_t address)
{
  uint64_t offset = address - (uint64_t) (uintptr_t) worker->stacks;
  return offset < (uint64_t) PG_EMU_MOST_STACKS * PG_EMU_STACK_LEN && offset % PG_EMU_STACK_LEN < PG_EMU_PAGE_LEN;
}

static struct pg_emu_warp *
warp_of (struct pg_emu_thread *thread)
{
  return &thread->block->warps[thread->number / PG_EMU_WARP_LANES];
}

void
pg_emu_delay (struct pg_emu_thread *thread)
{
  uint64_t r = pg_emu_random (thread->block->worker);
  warp_of (thread)->lag = r % 4 == 0 ? r / 4 % 6 : 0;
}

void
pg_emu_wake (struct pg_emu_thread *thread)
{
  struct pg_emu_block *block = thread->block;
  thread->state = PG_EMU_READY;
  thread->ready_at = block->n_ready;
  block->ready[block->n_ready++] = (uint16_t) thread->number;
  warp_of (thread)->n_ready++;
}

void
pg_emu_yield (struct pg_emu_thread *thread)
{
  pg_fiber_switch (&thread->fiber, &thread->block->worker->fiber);
}

void
pg_emu_rest (struct pg_emu_thread *thread, enum pg_emu_state state)
{
  struct pg_emu_block *block = thread->block;
  uint16_t last = block->ready[--block->n_ready];
  block->ready[thread->ready_at] = last;
  block->threads[last].ready_at = thread->ready_at;
  thread->state = state;
  if (--warp_of (thread)->n_ready == 0)
    pg_emu_settle (thread);
}

/* What a thread's fiber is.  */
static void
run_thread (void)
{
  struct pg_emu_thread *thread = pg_emu_thread_here ();
  pg_emu_running.enter (pg_emu_running.request.args);
  thread->block->n_ended++;
  pg_emu_rest (thread, PG_EMU_ENDED);
  pg_emu_yield (thread);
}

/* Write TO, the numbers of a place in three dimensions of DIMS, which is number NUMBER.  */
static void
place (uint32_t *to, const uint32_t *dims, uint32_t number)
{
  bool is_first = number < dims[0];
  to[0] = is_first ? number : number % dims[0];
  to[1] = is_first ? 0 : number / dims[0] % dims[1];
  to[2] = is_first ? 0 : number / dims[0] / dims[1];
}

void
pg_emu_become (struct pg_emu_thread *thread)
{
  thread->block->worker->running = thread;
  memcpy (pg_emu_here.thread_idx, thread->idx, sizeof thread->idx);
  memcpy (pg_emu_here.block_idx, thread->block->idx, sizeof thread->block->idx);
}

/* A stack that no thread of WORKER has: the one that was given back last, which is in the caches; else a new one, with
   a guard page.  */
static char *
take_stack (struct pg_emu_worker *worker)
{
  if (worker->n_free_stacks > 0)
    return worker->free_stacks[--worker->n_free_stacks];
  char *stack = worker->stacks + (size_t) worker->n_stacks++ * PG_EMU_STACK_LEN;
  if (mprotect (stack, PG_EMU_PAGE_LEN, PROT_NONE) != 0)
    pg_emu_fail ("no guard page for a thread's stack");
  return stack;
}

/* Let THREAD, which was picked for the first time, begin.  */
static void
begin_thread (struct pg_emu_worker *worker, struct pg_emu_thread *thread)
{
  thread->stack = take_stack (worker);
  size_t colour = (size_t) (thread->stack - worker->stacks) / PG_EMU_STACK_LEN % COLOURS;
  place (thread->idx, pg_emu_running.request.block, thread->number);
  pg_fiber_begin (&thread->fiber, thread->stack, PG_EMU_STACK_LEN - colour * COLOUR_LEN, run_thread);
}

/* Take back the stack of THREAD, which has ended.  */
static void
end_thread (struct pg_emu_worker *worker, struct pg_emu_thread *thread)
{
  worker->free_stacks[worker->n_free_stacks++] = thread->stack;
  thread->stack = NULL;
}

/* Fill SHARED, a block's shared memory, with random bytes.  */
static void
fill_shared (struct pg_emu_worker *worker, char *shared)
{
  for (int p = 0; p < PG_EMU_N_PARTS; p++)
    for (size_t i = 0; i < worker->parts[p].len; i += sizeof (uint64_t))
      {
	uint64_t random = pg_emu_random (worker) << 16;
	size_t left = worker->parts[p].len - i;
	memcpy (shared + worker->parts[p].offset + i, &random, left < sizeof random ? left : sizeof random);
      }
}

/* Copy a block's shared memory.  */
static void
copy_shared (const struct pg_emu_worker *worker, char *to, const char *from)
{
  for (int p = 0; p < PG_EMU_N_PARTS; p++)
    memcpy (to + worker->parts[p].offset, from + worker->parts[p].offset, worker->parts[p].len);
}

/* Begin the next block of the launch in BLOCK, if there is one.  */
static void
begin_block (struct pg_emu_block *block)
{
  struct pg_emu_worker *worker = block->worker;
  uint32_t number = atomic_fetch_add_explicit (&pg_emu_running.next, 1, memory_order_relaxed);
  block->n_threads = 0;
  if (number >= pg_emu_running.n_blocks)
    return;
  place (block->idx, pg_emu_running.request.grid,
	 (uint32_t) ((pg_emu_running.first + pg_emu_running.step * number) % pg_emu_running.n_blocks));
  block->n_threads = pg_emu_running.n_threads;
  block->n_ready = block->n_at_barrier = block->n_ended = 0;
  memset (block->warps, 0, sizeof block->warps);
  for (uint32_t t = 0; t < block->n_threads; t++)
    {
      pg_emu_wake (&block->threads[t]);
      if (t % PG_EMU_WARP_LANES == 0)
	pg_emu_delay (&block->threads[t]);
    }
  fill_shared (worker, worker->placed == block ? worker->shared : block->shared);
}

/* Put BLOCK's shared memory in place.  */
static void
place_shared (struct pg_emu_worker *worker, struct pg_emu_block *block)
{
  copy_shared (worker, worker->placed->shared, worker->shared);
  copy_shared (worker, worker->shared, block->shared);
  worker->placed = block;
}

/* The block that goes on, or NULL: none is left.  */
static struct pg_emu_block *
pick_block (struct pg_emu_worker *worker)
{
  struct pg_emu_block *block = worker->placed;
  if (block->n_threads > 0 && pg_emu_random (worker) % STAY != 0)
    return block;
  for (ptrdiff_t i = 1; i <= PG_EMU_N_RESIDENT; i++)
    {
      struct pg_emu_block *other = &worker->blocks[(block - worker->blocks + i) % PG_EMU_N_RESIDENT];
      if (other->n_threads > 0)
	return other;
    }
  return NULL;
}

/* The thread of BLOCK that goes on.  */
static struct pg_emu_thread *
pick_thread (struct pg_emu_worker *worker, struct pg_emu_block *block)
{
  struct pg_emu_thread *thread = NULL;
  for (int i = 0; i < N_TRIES; i++)
    {
      uint64_t r = pg_emu_random (worker);
      thread = &block->threads[block->ready[r % block->n_ready]];
      if ((r >> 32 & ((1u << warp_of (thread)->lag) - 1)) == 0)
	break;
    }
  return thread;
}

/* Find where WORKER's shared memory is, and room for its copies.  */
static void
begin_shared (struct pg_emu_worker *worker)
{
  const struct pg_emu_code *code = pg_emu_running.code;
  worker->shared = pg_emu_shared_of (code);
  worker->dynamic = code->dynamic_start == NULL ? NULL : code->dynamic_start ();
  size_t before = worker->dynamic == NULL ? code->shared_len : (size_t) (worker->dynamic - worker->shared);
  size_t behind = before + (worker->dynamic == NULL ? 0 : PG_EMU_MOST_SHARED_LEN);
  worker->parts[0].len = before;
  worker->parts[1].offset = before;
  worker->parts[1].len = worker->dynamic == NULL ? 0 : pg_emu_running.request.shared_len;
  worker->parts[2].offset = behind;
  worker->parts[2].len = code->shared_len - behind;
  for (int b = 0; worker->shared_room < code->shared_len && b < PG_EMU_N_RESIDENT; b++)
    {
      free (worker->blocks[b].shared);
      worker->blocks[b].shared = malloc (code->shared_len);
      if (worker->blocks[b].shared == NULL)
	pg_emu_fail ("no memory for %zu bytes of shared memory", code->shared_len);
    }
  if (worker->shared_room < code->shared_len)
    worker->shared_room = code->shared_len;
}

void
pg_emu_run (struct pg_emu_worker *worker)
{
  const struct pg_emu_options *options = &pg_emu_hello.options;
  worker->random = (options->seed + 1) * 0x9e3779b97f4a7c15 ^ (pg_emu_running.request.number + 1) * 0xbf58476d1ce4e5b9
		   ^ ((uint64_t) worker->number + 1) * 0x94d049bb133111eb;
  worker->random |= worker->random == 0;
  pg_emu_set_preemption (worker);
  begin_shared (worker);
  worker->placed = &worker->blocks[0];
  memcpy (pg_emu_here.block_dim, pg_emu_running.request.block, sizeof pg_emu_here.block_dim);
  memcpy (pg_emu_here.grid_dim, pg_emu_running.request.grid, sizeof pg_emu_here.grid_dim);
  for (int b = 0; b < PG_EMU_N_RESIDENT; b++)
    begin_block (&worker->blocks[b]);
  for (struct pg_emu_block *block = pick_block (worker); block != NULL; block = pick_block (worker))
    {
      if (block->n_ready == 0)
	pg_emu_stuck (block);
      if (block != worker->placed)
	place_shared (worker, block);
      struct pg_emu_thread *thread = pick_thread (worker, block);
      if (thread->stack == NULL)
	begin_thread (worker, thread);
      pg_emu_become (thread);
      pg_fiber_switch (&worker->fiber, &thread->fiber);
      worker->running = NULL;
      if (thread->state == PG_EMU_ENDED)
	end_thread (worker, thread);
      if (block->n_ended == block->n_threads)
	begin_block (block);
    }
}
