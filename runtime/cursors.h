/* SPDX-License-Identifier: MIT
   Cursors: carried elements of an array, which tell where values go, and go on by a constant each time.

       chunk		 0	      1		   2
       tally's part	 +2 +0 +1     +1 +0 +3	   +0 +0 +1	     each from zeros
       part		 10  0 40     12  0 41	   13  0 44	     what the chunk begins with
       sum		 +3 +0 +5				     what is added in the end
       passed		 [10, 13)  [40, 45)			     apart: no two steps pass the same integer

   An element that no chunk takes a step with is not looked at: the program may have none there.  */
#ifndef PARAGON_CURSORS_H
#define PARAGON_CURSORS_H

#include "paragon_region.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of an array of cursors, LENGTH elements each, STRIDE bytes behind the one before: of N chunks, which are empty
   where their number in BOUNDS is the next one's; then one for the sum, and one to work with.  */
struct pg_cursor_parts
{
  char *first;
  size_t stride, length;
  int n;
  const int64_t *bounds;
};

enum
{
  PG_CURSOR_PARTS = 2 /* beside those of chunks */
};

/* Turn PARTS of ARRAY, as the tally left them, into what chunks begin with and the sum, where the program's cursors are
   at VALUES.  *PASSED is set to what they pass.  False: two pass the same integer, or one leaves what its type, or
   int64_t, can tell; or there is no memory.  Requires: steps are too few for the sum to leave ARRAY's type, with a
   sign.  */
bool pg_cursors_begin (const struct pg_array_reduction *array, const struct pg_cursor_parts *parts, const void *values,
		       struct pg_cursors *passed);

#endif
