/* SPDX-License-Identifier: MIT
   References by the arrays that they are found in, as far as their addresses tell.  */
#ifndef PG_KIR_ARRAYS_H
#define PG_KIR_ARRAYS_H

#include "instrument.h"

struct pg_kir_arrays
{
  uint32_t n;
  uint8_t array_of[PG_KIR_MOST_REFS];   /* by reference: an array's number or PG_KIR_NOT_LOGGED */
  uint8_t shift_of[PG_KIR_MOST_ARRAYS]; /* by array: 2^SHIFT bytes are its smallest access, at most 8 */
  int64_t key_of[PG_KIR_MOST_ARRAYS];   /* by array: what its addresses begin with */
};

/* Find the arrays that LOOP writes: those of different arguments are taken for different ones, and a reference to what
   nobody writes needs no look.  That holds for loops whose arguments do not overlap otherwise.  False: there are more
   than PG_KIR_MOST_ARRAYS.  */
bool pg_kir_find_arrays (const struct pg_kir_kernel *loop, struct pg_kir_arrays *arrays);

#endif
