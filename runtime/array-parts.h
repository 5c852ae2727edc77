/* SPDX-License-Identifier: MIT
   Parts of array reductions: what a chunk does to the elements of an array that the loop only adds to, or the like.

       chunk 0: the program's array    1: part 1    2: part 2    3: part 3

   Chunks run at the same time, each on a part of its own, which begins with the operation's identities, but for the one
   that holds iteration 0; then parts are combined into the program's array in chunk order, as partial values of scalars
   are (reduce.h).  That is only so where nothing else of the loop touches the array, in whatever iteration.

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

/* Have memory for N parts of VIEW's entry.  False: there is not so much, or pg_parts_len does not
   tell.  */
bool pg_parts_reserve (struct pg_parts *parts, const struct pg_view *view, int n);

/* Make part PART new, and let ARGS, a copy of those of VIEW's entry, point there.  */
void pg_parts_start (const struct pg_parts *parts, const struct pg_view *view, int64_t part, void *args);

/* Combine part PART into the program's arrays.  */
void pg_parts_take (const struct pg_parts *parts, const struct pg_view *view, int64_t part);

#endif
