/* SPDX-License-Identifier: MIT
   A kernel on other memory: a device has copies of what a loop's pointers point to, elsewhere.

   The pointers that a loop gets in its arguments, and accesses memory by, are its bases.  For each there is a second
   one, behind the arguments, that says where the copy is:

       v4 = arg ptr 8			v4 = arg ptr 24		the second of base 8
       v5 = address ptr v4 v3		v5 = address ptr v4 v3
       v6 = load f64 v5 ref 0		v6 = load f64 v5 ref 0

   All else is done with the pointers themselves: they are compared, stored and carried as on the host.  */
#ifndef PG_KIR_REBASE_H
#define PG_KIR_REBASE_H

#include "kir.h"

enum
{
  PG_KIR_MOST_BASES = 64
};

/* What the accesses of a reference are.  */
struct pg_kir_use
{
  uint64_t bases; /* bit B: they may go by base B */
  bool is_read, is_written;
  uint8_t least_len; /* bytes of the shortest; 0: there is none */

  /* All that changes memory stores floats of so many bytes, at a multiple of that: if one of these bytes is changed,
     all were stored.  1: it may change any; whoever stores a bit-field leaves the bytes beside it as they were.  */
  uint8_t grain;
};

struct pg_kir_bases
{
  uint32_t n;
  uint32_t offsets[PG_KIR_MOST_BASES]; /* in the loop's arguments */
};

/* Find the bases of LOOP, verified, in loop form, and the USES of its references, n_refs of them.  False: *ERROR says
   why not, as where an address comes from memory.  */
bool pg_kir_find_bases (const struct pg_kir_kernel *loop, struct pg_kir_bases *bases, struct pg_kir_use *uses,
			struct pg_kir_error *error);

/* Where the second pointers stand in the arguments of a kernel that LOOP becomes, 8 bytes each; a multiple of 8.  */
uint32_t pg_kir_bases_offset (const struct pg_kir_kernel *loop);

/* Make of LOOP, whose bases are BASES, TO, which is empty, begun: the same on other memory.  False: *ERROR says why
   not, and TO is empty.  */
bool pg_kir_rebase (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, const struct pg_kir_bases *bases,
		    struct pg_kir_error *error);

#endif
