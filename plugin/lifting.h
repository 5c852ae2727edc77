/* SPDX-License-Identifier: GPL-3.0-or-later
   What the files that lift share: the lifter, and how values, memory and statements are said in KIR.

   Where something cannot be lifted, pg_cannot notes why, and the value is 0; all goes on, and the kernel is thrown away
   at the end.  */
#ifndef PARAGON_LIFTING_H
#define PARAGON_LIFTING_H

#include "lift.h"

/* What KIR has for a GIMPLE value: a complex one is two values.  An integer of an odd precision is kept extended to the
   next type, as its sign says.  */
struct pg_lifted
{
  pg_kir_value real, imaginary;
};

/* The same for a type: of the parts, if it is complex.  */
struct pg_lifted_type
{
  enum pg_kir_type type;
  unsigned precision; /* bits */
  bool is_unsigned, is_complex;
};

/* An instruction of the first block that needs no operands, so that there is one of each.  */
struct pg_kept
{
  enum pg_kir_op op;
  enum pg_kir_type type;
  int64_t number;
  pg_kir_value value;
};

/* A PHI whose operands are not yet known.  */
struct pg_lifted_phi
{
  gphi *phi;
  struct pg_lifted value;
};

struct pg_lifter
{
  const struct pg_lift_source *source;
  struct pg_kir_kernel *kernel;
  enum pg_lift_reason reason;        /* the first that was met */
  pg_kir_block_number block;         /* where instructions go */
  gimple *stmt;                      /* what is being lifted, or NULL */
  uint32_t line;                     /* of what it becomes */
  auto_vec<struct pg_lifted> values; /* by SSA version */
  auto_vec<struct pg_kept> invariants;
  auto_vec<struct pg_lifted_phi> phis;
  auto_vec<int> block_of; /* by index of the basic block: its block, or -1 */
  vec<struct pg_open_sum> *open;
};

/* lift-known.cc: say what is known where E is taken, if an inner loop is entered by it.  */
extern void pg_lift_known (struct pg_lifter *lifter, edge e);

/* lift-values.cc  */

/* Note that STMT, or no statement, is lifted next.  */
extern void pg_lift_begin (struct pg_lifter *lifter, gimple *stmt);

/* Note that the loop has no kernel because of WHY.  Returns 0, as a value.  */
extern pg_kir_value pg_cannot (struct pg_lifter *lifter, enum pg_lift_reason why);

/* The integer type of LEN bytes.  */
extern enum pg_kir_type pg_int_of_len (unsigned len);

/* What KIR has for TYPE.  False: nothing, and that is noted.  */
extern bool pg_lift_type (struct pg_lifter *lifter, const_tree type, struct pg_lifted_type *lifted);

/* Append an instruction; its value.  */
extern pg_kir_value pg_emit (struct pg_lifter *lifter, enum pg_kir_op op, enum pg_kir_type type, pg_kir_value a,
			     pg_kir_value b = 0);
extern pg_kir_value pg_emit_many (struct pg_lifter *lifter, enum pg_kir_op op, enum pg_kir_type type, int64_t number,
				  const pg_kir_value *operands, unsigned n_operands, const pg_kir_block_number *targets,
				  unsigned n_targets);
extern pg_kir_value pg_emit_select (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value condition,
				    pg_kir_value yes, pg_kir_value no);

/* The instruction OP without operands, in the first block.  */
extern pg_kir_value pg_invariant (struct pg_lifter *lifter, enum pg_kir_op op, enum pg_kir_type type, int64_t number);
extern pg_kir_value pg_constant (struct pg_lifter *lifter, enum pg_kir_type type, uint64_t bits);

/* VALUE, an integer of TYPE with any bits above its precision, as it must be.  */
extern pg_kir_value pg_fit (struct pg_lifter *lifter, const struct pg_lifted_type *type, pg_kir_value value);

/* VALUE, an integer or pointer of FROM, as an integer or pointer of TO.  */
extern pg_kir_value pg_convert_int (struct pg_lifter *lifter, const struct pg_lifted_type *to,
				    const struct pg_lifted_type *from, pg_kir_value value);

/* VALUE as an i64, a number of bytes, and as an integer of the pointer's bits.  */
extern pg_kir_value pg_bytes (struct pg_lifter *lifter, const_tree type, pg_kir_value value);

/* The value of OPERAND, a GIMPLE value or an expression of such values without memory.  */
extern struct pg_lifted pg_value_of (struct pg_lifter *lifter, tree operand);
extern pg_kir_value pg_scalar_of (struct pg_lifter *lifter, tree operand);
extern void pg_set_value (struct pg_lifter *lifter, const_tree name, struct pg_lifted value);

/* True if NAME is F's first parameter, or a copy of it.  */
extern bool pg_args_p (tree name);

/* lift-memory.cc  */

/* The address of REFERENCE.  */
extern pg_kir_value pg_address_of (struct pg_lifter *lifter, tree reference);

/* Load REFERENCE, read by STMT; store VALUE of TYPE to REFERENCE, written by STMT.  */
extern struct pg_lifted pg_load (struct pg_lifter *lifter, gimple *stmt, tree reference);
extern void pg_store (struct pg_lifter *lifter, gimple *stmt, tree reference, tree value);

/* Copy the aggregate FROM, or zeros if it is an empty constructor, to REFERENCE, as STMT does.  */
extern void pg_copy (struct pg_lifter *lifter, gimple *stmt, tree reference, tree from);

/* lift-operations.cc  */

/* CODE of A and B, C, of the types of the trees TYPE_A and so on, with a result of TYPE.  */
extern struct pg_lifted pg_unary (struct pg_lifter *lifter, enum tree_code code, tree type, tree type_a,
				  struct pg_lifted a);
extern struct pg_lifted pg_binary (struct pg_lifter *lifter, enum tree_code code, tree type, tree type_a,
				   struct pg_lifted a, tree type_b, struct pg_lifted b);

/* Is A CODE B, of TYPE?  An i8.  */
extern pg_kir_value pg_compare (struct pg_lifter *lifter, enum tree_code code, tree type, pg_kir_value a,
				pg_kir_value b);

/* lift-statements.cc  */

/* Lift STMT, which does not end a block.  */
extern void pg_lift_statement (struct pg_lifter *lifter, gimple *stmt);

/* lift-calls.cc  */

extern void pg_lift_call (struct pg_lifter *lifter, gcall *call);

#endif
