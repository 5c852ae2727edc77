/* SPDX-License-Identifier: MIT
   Reductions into arrays, histograms among them, by atomic operations.  Paragon paper, s4.2.

       v1 = load i32 v9 ref 1
       v2 = add i32 v1 v3		->    v2 = atomic-add i32 v9 v3 ref 1
       store void v9 v2 ref 1

   What the iterations leave then does not depend on their order, though all of them may change the same places.  */
#ifndef PG_KIR_ATOMIC_H
#define PG_KIR_ATOMIC_H

#include "kir.h"

/* Let the accesses of KERNEL, verified, that belong to the references for which IS_ASKED is not 0, be atomic
   operations; sums of floats too, if their order does not matter: MAY_REORDER.  Their places are aligned, and nothing
   else accesses them.  False: not all of those accesses are such reductions, as *ERROR says; KERNEL is as it was.  */
bool pg_kir_make_atomic (struct pg_kir_kernel *kernel, const uint8_t *is_asked, bool may_reorder,
			 struct pg_kir_error *error);

#endif
