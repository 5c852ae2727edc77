/* SPDX-License-Identifier: MIT
   Carried values of several runs of a loop become one.  */
#ifndef PG_KIR_COMBINE_H
#define PG_KIR_COMBINE_H

#include "kir.h"

/* The bits of TYPE that change nothing when COMBINE puts another value to them; of PG_KIR_COMBINE_LAST, 0.  */
uint64_t pg_kir_identity (enum pg_kir_combine combine, enum pg_kir_type type);

/* What COMBINE makes of OLD and FRESH, the bits of two values of TYPE.  */
uint64_t pg_kir_combine (enum pg_kir_combine combine, enum pg_kir_type type, uint64_t old, uint64_t fresh);

/* Append to BLOCK of KERNEL what computes the same of two of its values; the result.  */
pg_kir_value pg_kir_add_combine (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_combine combine,
				 enum pg_kir_type type, pg_kir_value old, pg_kir_value fresh);

#endif
