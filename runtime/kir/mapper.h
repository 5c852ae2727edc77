/* SPDX-License-Identifier: MIT
   Mapping, from within: what its parts share.  See map.c.  */
#ifndef PG_KIR_MAPPER_H
#define PG_KIR_MAPPER_H

#include "copy.h"
#include "map.h"

/* A mark that no value of the loop has.  */
#define PG_MAP_NOTHING UINT32_MAX

struct pg_mapper
{
  struct pg_kir_kernel *spmd;
  const struct pg_kir_kernel *loop;
  enum pg_kir_mapping mapping;
  uint32_t offset;    /* of the launch */
  uint32_t n_members; /* threads that run an iteration together: a team, a power of two */

  struct pg_kir_copy copy; /* of the loop's blocks */
  pg_kir_block_number start, latch, done;
  pg_kir_value member, in_block;       /* a thread's number in its team, and its team's in the block */
  pg_kir_value thread, n_threads;      /* of teams, the number only if values are carried; of 64 bits, as all but: */
  pg_kir_value first, end, step, iter; /* of what iterations are counted in */
  pg_kir_value number;                 /* ITER, of 64 bits */
  pg_kir_value counter;                /* of the loop: what it counts in, ITER and PLUS; or 0 */
  int64_t plus;

  uint32_t *memory; /* the tables that follow lie in it */
  size_t memory_len;

  /* By carried value and block, the latch being block n: what the variable is, a value of the loop or a mark, or
     PG_MAP_NOTHING as long as that is not known; where a block sets it; and the phi that it needs, or 0.  */
  uint32_t *on_entry, *set;
  pg_kir_value *phi;
  uint32_t *before;                       /* blocks, for a moment */
  pg_kir_value *begun, *carried, *at_end; /* by carried value: how a thread and an iteration begin, how it ends */
};

/* The mapped kernel's value and blocks for one of the loop's.  */
static inline pg_kir_value
pg_map_value_of (const struct pg_mapper *mapper, pg_kir_value value)
{
  return mapper->copy.value_of[value];
}

static inline pg_kir_block_number
pg_map_first_of (const struct pg_mapper *mapper, pg_kir_block_number block)
{
  return mapper->copy.first[block];
}

static inline pg_kir_block_number
pg_map_last_of (const struct pg_mapper *mapper, pg_kir_block_number block)
{
  return mapper->copy.last[block];
}

/* Map as MAPPER says, which has the two kernels, the mapping and the number of members, for blocks of N_THREADS at
   most; at last FINISH, if not NULL, changes the kernel and returns NULL or why it is not to be had.  */
bool pg_map_loop (struct pg_mapper *mapper, uint32_t n_threads, const char *(*finish) (struct pg_mapper *mapper),
		  struct pg_kir_error *error);

/* map-spread.c: pg_kir_map_team for TEAM, whose header is PG_KIR_ALL_INNER.  */
bool pg_map_spread (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, const struct pg_kir_team *team,
		    uint32_t n_threads, struct pg_kir_error *error);

/* Append to BLOCK of the mapped kernel: an instruction of two operands at most, a constant, a field of the launch.  */
pg_kir_value pg_map_add (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type,
			 int64_t number, pg_kir_value a, pg_kir_value b);
pg_kir_value pg_map_constant (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_type type,
			      uint64_t bits);
pg_kir_value pg_map_launch_field (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_type type,
				  size_t offset);

/* map-carries.c: find where carried values need phis; append those of block B of the loop, or of the latch, to BLOCK;
   and when all is there, give them their operands.  */
void pg_map_find_phis (struct pg_mapper *mapper);
void pg_map_put_phis (struct pg_mapper *mapper, uint32_t b, pg_kir_block_number block);
void pg_map_fill_phis (struct pg_mapper *mapper);

/* map-done.c: the end, where what the thread carried is stored.  Does MAPPING combine CARRY by blocks?  */
void pg_map_put_done (struct pg_mapper *mapper);
bool pg_map_is_combined (enum pg_kir_mapping mapping, const struct pg_kir_carry *carry);

#endif
