/* SPDX-License-Identifier: MIT
   Chunks' partial values of scalars that a loop accumulates (reductions) and the scalars that it leaves (live-outs).

   Each chunk works on its own copy of ARGS.  The chunk that holds iteration 0 starts from the initial values, all
   others from the identities; results are combined in chunk order: ((initial op chunk 0) op chunk 1) op ...

   A scalar that is carried each chunk starts as ARGS have it, which is right if the chunks before have been taken.
   Where they run at the same time, the tally runs on each first:

       pg_reduce_tally on each chunk -> the tally on each -> pg_reduce_begin on each, in order -> F on each -> take  */
#ifndef PARAGON_REDUCE_H
#define PARAGON_REDUCE_H

#include "paragon_region.h"

#include <stddef.h>
#include <stdint.h>

/* Make CHUNK a copy of ARGS for a chunk of REGION that starts at iteration LO.  */
void pg_reduce_start (const struct pg_region *region, void *chunk, const void *args, int64_t lo);

/* The same, but for the tally: carried scalars start from their identity.  */
void pg_reduce_tally (const struct pg_region *region, void *chunk, const void *args, int64_t lo);

/* Have CHUNK, which the tally has run on, begin with the carried scalars that SO_FAR has, and combine these with what
   the tally made of them.  */
void pg_reduce_begin (const struct pg_region *region, void *so_far, void *chunk);

/* Take into ARGS the partial values and the live-outs of CHUNK, which ran from iteration LO.  Requires: the chunks
   before it have been taken.  */
void pg_reduce_take (const struct pg_region *region, void *args, const void *chunk, int64_t lo);

/* Make N elements at PARTS partial values of ARRAY's: identities.  */
void pg_reduce_fill (const struct pg_array_reduction *array, void *parts, size_t n);

/* Combine N partial values at PARTS into ARRAY's elements at VALUES.  Changes
   none whose part is the identity, and stores none that stays as it is.  */
void pg_reduce_merge (const struct pg_array_reduction *array, void *values, const void *parts, size_t n);

/* The bytes of a scalar of type SCALAR (enum pg_scalar_type).  */
size_t pg_reduce_len (int scalar);

#endif
