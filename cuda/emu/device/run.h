/* SPDX-License-Identifier: MIT
   A launch under way: workers, the blocks that each has at once, their threads.

       worker, a thread of the host	  block		    thread, a fiber
	 picks one thread that is ready -> READY list  <---  runs until it waits, ends, or is preempted
					      ^		       |
					      +-- meet.c: barriers, warps

   All of a worker is that worker's alone; what workers share are the device's memory and the next block's number.  */
#ifndef PG_EMU_RUN_H
#define PG_EMU_RUN_H

#include "../kinds.h"
#include "../wire.h"
#include "fiber.h"

#include <stdatomic.h>

enum
{
  PG_EMU_WARP_LANES = 32,
  PG_EMU_MOST_WARPS = PG_EMU_MOST_BLOCK_THREADS / PG_EMU_WARP_LANES,
  PG_EMU_N_RESIDENT = 2, /* blocks that a worker has at once */
  PG_EMU_N_PARTS = 3,    /* of shared memory */
  PG_EMU_STACK_LEN = 1 << 17,
  PG_EMU_MOST_STACKS = PG_EMU_N_RESIDENT * PG_EMU_MOST_BLOCK_THREADS /* of a worker */
};

/* What shim.h lets kernels see, and asks for, by the same names and numbers.  */
struct pg_emu_place
{
  uint32_t thread_idx[3], block_idx[3], block_dim[3], grid_dim[3];
};

enum pg_emu_state
{
  PG_EMU_READY,
  PG_EMU_AT_BARRIER,
  PG_EMU_AT_WARP,
  PG_EMU_ENDED
};

struct pg_emu_thread
{
  uint32_t idx[3];
  struct pg_emu_block *block;
  struct pg_fiber fiber;
  char *stack;       /* NULL: it has not begun, or has ended */
  uint32_t number;   /* in its block */
  uint32_t ready_at; /* in the block's list */
  enum pg_emu_state state;

  /* What it waits with.  */
  uint32_t kind, site, line, mask, source;
  uint64_t value, result;
};

struct pg_emu_warp
{
  uint32_t waiting; /* lanes that are PG_EMU_AT_WARP */
  uint32_t n_ready;
  uint32_t lag; /* it is picked once in 2^LAG times that it is drawn */
};

struct pg_emu_block
{
  struct pg_emu_worker *worker;
  struct pg_emu_thread *threads;
  struct pg_emu_warp warps[PG_EMU_MOST_WARPS];
  uint16_t ready[PG_EMU_MOST_BLOCK_THREADS];
  uint32_t n_ready, n_threads, n_at_barrier, n_ended; /* N_THREADS 0: there is no block */
  uint32_t idx[3];
  char *shared; /* a copy of its shared memory while another block has the place */
};

struct pg_emu_worker
{
  uint32_t number;
  uint64_t random;
  struct pg_emu_thread *running; /* NULL: none */
  int64_t until_preempted;       /* accesses */
  struct pg_fiber fiber;         /* the worker's own */
  struct pg_emu_block blocks[PG_EMU_N_RESIDENT];
  struct pg_emu_block *placed; /* whose shared memory is in place */
  char *shared, *dynamic;      /* where kernels of this launch have shared memory; its dynamic part, NULL: none */
  size_t shared_room;
  struct
  {
    size_t offset, len;
  } parts[PG_EMU_N_PARTS]; /* of shared memory, that the launch uses: before, in and behind the dynamic part */
  char *stacks;
  char **free_stacks; /* that no thread has; the last one is given next */
  uint32_t n_free_stacks, n_stacks;
};

/* A module that was loaded.  */
struct pg_emu_code
{
  void *library;
  uint64_t start, end;           /* of its code and variables */
  size_t shared_len;             /* bytes of its shared variables, the dynamic ones with all their room */
  void (*touch) (void);          /* have this thread get shared memory of its own */
  char *(*dynamic_start) (void); /* NULL: none */
};

/* The launch that runs, and what it was asked as.  */
struct pg_emu_running
{
  struct pg_emu_request request;
  const struct pg_emu_code *code;
  void (*enter) (const char *args);
  uint32_t n_threads, n_blocks;
  uint64_t step, first; /* block number I is (FIRST + STEP I) mod N_BLOCKS */
  atomic_uint next;
};

extern struct pg_emu_running pg_emu_running;
extern struct pg_emu_hello pg_emu_hello;
extern __thread struct pg_emu_place pg_emu_here; /* of the thread that runs */
extern __thread struct pg_emu_worker *pg_emu_worker;

/* The thread that runs.  */
static inline struct pg_emu_thread *
pg_emu_thread_here (void)
{
  return pg_emu_worker->running;
}

/* The next random number of WORKER.  */
static inline uint64_t
pg_emu_random (struct pg_emu_worker *worker)
{
  uint64_t x = worker->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  worker->random = x;
  return x * 0x2545f4914f6cdd1d >> 16;
}

/* Where kernels of CODE have shared memory on this thread.  */
char *pg_emu_shared_of (const struct pg_emu_code *code);

/* Draw when WORKER's thread is preempted next.  */
void pg_emu_set_preemption (struct pg_emu_worker *worker);

/* Make worker NUMBER; NULL: there is not enough memory.  */
struct pg_emu_worker *pg_emu_worker_make (uint32_t number);

/* Run blocks of pg_emu_running on WORKER until there are none left.  */
void pg_emu_run (struct pg_emu_worker *worker);

/* Make THREAD the one that runs, or is spoken of.  */
void pg_emu_become (struct pg_emu_thread *thread);

/* Let THREAD, the one that runs, wait in STATE, until pg_emu_wake.  */
void pg_emu_rest (struct pg_emu_thread *thread, enum pg_emu_state state);

/* Let others run; THREAD, the one that runs, goes on when it is picked again.  */
void pg_emu_yield (struct pg_emu_thread *thread);

/* Let THREAD, which waits, go on.  */
void pg_emu_wake (struct pg_emu_thread *thread);

/* Give THREAD's warp another lag.  */
void pg_emu_delay (struct pg_emu_thread *thread);

/* No lane of THREAD's warp is ready any more: answer those that ask which are active.  */
void pg_emu_settle (struct pg_emu_thread *thread);

/* No thread of BLOCK is ready, and not all have ended: say why.  */
_Noreturn void pg_emu_stuck (struct pg_emu_block *block);

/* Tell the program what the kernel did, and end the process.  The thread that runs is named before it.  */
_Noreturn void pg_emu_fault (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* The same with only the kernel named.  */
_Noreturn void pg_emu_fail (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Handle the signals of faults on this thread.  */
void pg_emu_catch_signals (void);

/* What access.c checks against.  */
void pg_emu_access_begin (uint64_t base, uint64_t len, const uint16_t *limits);

/* Whether a signal's ADDRESS is behind WORKER's stacks, so that one was too small.  */
bool pg_emu_is_guard (const struct pg_emu_worker *worker, uint64_t address);

#endif
