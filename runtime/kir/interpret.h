/* SPDX-License-Identifier: MIT
   The interpreter: runs a kernel, slowly and with no trust in it.  It is the oracle of all that changes or prints
   kernels.  */
#ifndef PG_KIR_INTERPRET_H
#define PG_KIR_INTERPRET_H

#include "kir.h"

/* Memory that a kernel may access.  */
struct pg_kir_space
{
  char *low;
  size_t len;
  bool is_writable;
};

enum pg_kir_outcome
{
  PG_KIR_DONE,
  PG_KIR_DIVIDED_BY_ZERO,
  PG_KIR_OUTSIDE,    /* an access that no space has all of */
  PG_KIR_MISALIGNED, /* an atomic operation at an address that does not fit its type; others where they are checked */
  PG_KIR_UNTRUE,     /* what is known is not so */
  PG_KIR_TOO_LONG,   /* more instructions than allowed */
  PG_KIR_APART,      /* threads of a block wait at different barriers, or for one that has ended */
  PG_KIR_NO_MEMORY
};

/* A grid of threads.  SEED: by what they are shuffled; 0: each runs as far as it can, in order.  */
struct pg_kir_grid
{
  int64_t n_blocks[PG_KIR_MOST_GRID_DIMS], n_threads[PG_KIR_MOST_GRID_DIMS];
  uint64_t seed;
};

/* Which of them a thread is.  */
struct pg_kir_place
{
  const struct pg_kir_grid *grid;
  int64_t block[PG_KIR_MOST_GRID_DIMS], thread[PG_KIR_MOST_GRID_DIMS];
  char *shared;
};

struct pg_kir_machine
{
  const struct pg_kir_kernel *kernel; /* verified */
  char *args;                         /* the loop's arguments; carried values are written */
  const struct pg_kir_space *spaces;
  size_t n_spaces;
  uint64_t most_steps; /* instructions of one iteration, or of one thread of a grid */
  bool is_strict;      /* plain loads and stores, too, stop at an address that does not fit their type, as on a GPU */

  /* Told of each access before it happens, if not NULL.  */
  void (*touch) (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write);
  void *context;

  pg_kir_value at;  /* the last instruction that was run */
  uint64_t *values; /* its own, as all that follows */
  uint64_t *carries;
  const int64_t *iters;
  const struct pg_kir_place *place;
  pg_kir_block_number block;
  uint32_t next; /* the index in it of the instruction to run next */
  uint64_t n_left;
};

/* Begin a machine for KERNEL, the rest of it being all 0.  False: no memory.  */
bool pg_kir_machine_begin (struct pg_kir_machine *machine, const struct pg_kir_kernel *kernel);
void pg_kir_machine_end (struct pg_kir_machine *machine);

/* Run the iteration with numbers ITERS, as many as the kernel has dimensions, the carried values being in ARGS before
   and after.  Other outcomes than PG_KIR_DONE leave what was stored before, and the carried values as they were.  */
enum pg_kir_outcome pg_kir_interpret (struct pg_kir_machine *machine, const int64_t *iters);

/* Run a kernel in SPMD form on GRID, one instruction of one thread after the other.  MACHINE has what all of them are
   given; AT is that of the thread that stopped it.  */
enum pg_kir_outcome pg_kir_interpret_grid (struct pg_kir_machine *machine, const struct pg_kir_grid *grid);

/* For the above: begin anew, and run at most N instructions.  */
enum pg_kir_progress
{
  PG_KIR_ENDED,
  PG_KIR_PAUSED,
  PG_KIR_AT_BARRIER, /* it was run; others may have to come */
  PG_KIR_FAILED
};
void pg_kir_start (struct pg_kir_machine *machine);
enum pg_kir_progress pg_kir_go_on (struct pg_kir_machine *machine, uint64_t n, enum pg_kir_outcome *outcome);

#endif
