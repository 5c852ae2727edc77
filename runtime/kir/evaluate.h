/* SPDX-License-Identifier: MIT
   What the operations of KIR compute (kir-ops.def says it in words): for the interpreter, and for what is known before
   a kernel runs.  A value is 64 bits, of which those above its type are 0.  */
#ifndef PG_KIR_EVALUATE_H
#define PG_KIR_EVALUATE_H

#include "kir.h"

/* Set *RESULT to what OP, with a result of TYPE, computes of OPERANDS, three of them (those that OP does not have: 0),
   the first of type FROM.  False: OP traps, or computes nothing by itself.  Bits above a value's type are 0.  */
bool pg_kir_evaluate (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from, const uint64_t *operands,
		      uint64_t *result);

/* The same of operations without floats; of others, false.  */
bool pg_kir_evaluate_int (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from, const uint64_t *operands,
			  uint64_t *result);

#endif
