/* SPDX-License-Identifier: MIT
   How many blocks of how many threads a loop that became a grid is run on.  */
#ifndef PG_KIR_SIZE_H
#define PG_KIR_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* What a device has.  A processor runs several blocks at once, as far as it has room for them.  */
struct pg_kir_limits
{
  uint32_t n_processors;
  uint32_t together;  /* threads that run in step: a power of two; fewer are no use */
  uint32_t n_threads; /* of a block, at most */
  uint32_t shared_len;

  /* At once, for all blocks on one processor.  */
  uint32_t all_blocks, all_threads, all_registers, all_shared_len;
};

/* What a kernel needs.  */
struct pg_kir_need
{
  int64_t n_iters;     /* at least 1 */
  uint32_t n_members;  /* threads for an iteration: a power of two */
  uint32_t registers;  /* of a thread; 0: not known, and no limit */
  uint32_t shared_len; /* bytes for each thread of a block */
};

struct pg_kir_size
{
  uint32_t n_threads; /* of a block: a multiple of those that run in step and of the members */
  int64_t n_blocks;   /* none of them without an iteration, and no more than run at once */
};

/* Set *SIZE so that as many threads run at once as there is work for; among such, so that the fullest processor has as
   few as possible; among such, with the smallest blocks.  False: the device has no room for a single block.  */
bool pg_kir_choose_size (struct pg_kir_size *size, const struct pg_kir_limits *limits, const struct pg_kir_need *need);

#endif
