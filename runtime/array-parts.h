/* SPDX-License-Identifier: MIT
   Parts of array reductions: what a chunk does to the elements of an array that the loop only adds to, or the like.

       chunk 0: the program's array    1: part 1    2: part 2    3: part 3

   Chunks run at the same time, each on a part of its own, which begins with the operation's identities, but for the one
   that holds iteration 0; then parts are combined into the program's array in chunk order, as partial values of scalars
   are (reduce.h).  That is only so where nothing else of the loop touches the array, in whatever iteration.

   Where elements are cursors (cursors.h), all chunks have parts, filled by the tally, and one more part holds what is
   to be combined in the end.

   Protocol: part I is the thread's that runs chunk I until chunks have been joined, and then the caller's.  */
#ifndef PARAGON_ARRAY_PARTS_H
#define PARAGON_ARRAY_PARTS_H

#include "footprint.h"

#include "paragon_region.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory for a region's parts: kept from entry to entry.  */
struct pg_parts
{
  char *memory;
  size_t len;    /* of all parts */
  size_t stride; /* from part to part */
};

/* The bytes that a part of VIEW's entry takes, or -1: nobody can tell, or the program's arrays have to do.  */
int64_t pg_parts_len (const struct pg_view *view);

/* The most parts of VIEW's entry that there can be memory for.  */
int64_t pg_parts_most (const struct pg_view *view);

/* Have memory for N parts of VIEW's entry.  False: there is not so much, or pg_parts_len does not
   tell.  */
bool pg_parts_reserve (struct pg_parts *parts, const struct pg_view *view, int n);

/* Make part PART new, and let ARGS, a copy of those of VIEW's entry, point there.  */
void pg_parts_start (const struct pg_parts *parts, const struct pg_view *view, int64_t part, void *args);

/* Combine part PART into the program's arrays.  */
void pg_parts_take (const struct pg_parts *parts, const struct pg_view *view, int64_t part);

/* Whether REGION has arrays of cursors, of which the functions above take no notice, but for the room.  */
bool pg_has_cursors (const struct pg_region *region);

/* Whether iterations of REGION meet by what its cursors pass, if at all.  */
bool pg_cursors_decide (const struct pg_region *region);

/* Make part PART new for the tally, and let ARGS point there.  */
void pg_parts_tally (const struct pg_parts *parts, const struct pg_view *view, int64_t part, void *args);

/* Have the N parts that the tally filled, but for those of empty chunks, whose BOUNDS are the same, be what chunks
   begin with, and say in ARGS what cursors pass.  CHUNKS are their ARGS, STRIDE bytes each.  False: iterations may
   meet.  */
bool pg_parts_begin (const struct pg_parts *parts, const struct pg_view *view, int n, const int64_t *bounds,
		     const char *chunks, size_t stride, void *args);

/* Leave the program's cursors where N parts do.  */
void pg_parts_finish (const struct pg_parts *parts, const struct pg_view *view, int n);

#endif
