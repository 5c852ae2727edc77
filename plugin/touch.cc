/* SPDX-License-Identifier: GPL-3.0-or-later
   Calls of touch in a monitor, and the members of struct pg_monitor that it uses.  In a monitor, only these calls go
   through a pointer.  */

#include "touch.h"

tree
pg_touch_type (void)
{
  return build_pointer_type (build_function_type_list (void_type_node, ptr_type_node, intDI_type_node,
						       const_ptr_type_node, intDI_type_node, NULL_TREE));
}

tree
pg_touch_ctx (void)
{
  return ssa_default_def (cfun, DECL_CHAIN (DECL_CHAIN (DECL_CHAIN (DECL_ARGUMENTS (cfun->decl)))));
}

tree
pg_touch_member (tree pointer, HOST_WIDE_INT offset, tree type)
{
  tree to_type = build_pointer_type_for_mode (type, ptr_mode, true);
  return build2 (MEM_REF, type, pointer, build_int_cst (to_type, offset));
}

tree
pg_touch_address (tree operand, HOST_WIDE_INT *len)
{
  if (TREE_CODE (operand) == COMPONENT_REF && DECL_BIT_FIELD_TYPE (TREE_OPERAND (operand, 1))
      && DECL_BIT_FIELD_REPRESENTATIVE (TREE_OPERAND (operand, 1)))
    {
      tree unit = DECL_BIT_FIELD_REPRESENTATIVE (TREE_OPERAND (operand, 1));
      operand = build3 (COMPONENT_REF, TREE_TYPE (unit), TREE_OPERAND (operand, 0), unit, NULL_TREE);
    }

  poly_int64 bitsize, bitpos;
  tree offset;
  machine_mode mode;
  int unsignedp, reversep, volatilep;
  tree base = get_inner_reference (operand, &bitsize, &bitpos, &offset, &mode, &unsignedp, &reversep, &volatilep);
  HOST_WIDE_INT first = bitpos.to_constant () >> LOG2_BITS_PER_UNIT;
  HOST_WIDE_INT last = CEIL (bitpos.to_constant () + bitsize.to_constant (), BITS_PER_UNIT);
  *len = last - first;

  tree address;
  if (TREE_CODE (base) == MEM_REF)
    address = fold_build_pointer_plus (fold_convert (ptr_type_node, TREE_OPERAND (base, 0)),
				       fold_convert (sizetype, TREE_OPERAND (base, 1)));
  else
    {
      if (DECL_P (base))
	TREE_ADDRESSABLE (base) = 1;
      address = fold_convert (ptr_type_node, build_fold_addr_expr (base));
    }
  if (offset)
    address = fold_build_pointer_plus (address, fold_convert (sizetype, offset));
  return fold_build_pointer_plus_hwi (address, first);
}

tree
pg_touch_load (HOST_WIDE_INT offset, tree type)
{
  tree value = make_ssa_name (type);
  gimple_stmt_iterator gsi = gsi_after_labels (single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  gimple *load = gimple_build_assign (value, pg_touch_member (pg_touch_ctx (), offset, type));
  gsi_insert_before (&gsi, load, GSI_SAME_STMT);
  return value;
}

tree
pg_touch_function (HOST_WIDE_INT offset, tree first, tree *loaded)
{
  if (!*loaded)
    {
      tree type = build_function_type_list (void_type_node, ptr_type_node, intDI_type_node, const_ptr_type_node,
					    intDI_type_node, first, intDI_type_node, NULL_TREE);
      *loaded = pg_touch_load (offset, build_pointer_type (type));
    }
  return *loaded;
}

void
pg_touch_find (vec<gcall *> *calls)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (is_gimple_call (gsi_stmt (gsi)) && gimple_call_fn (gsi_stmt (gsi))
	  && TREE_CODE (gimple_call_fn (gsi_stmt (gsi))) == SSA_NAME)
	calls->safe_push (as_a<gcall *> (gsi_stmt (gsi)));
}

void
pg_touch_take_out (vec<gimple *> *added)
{
  while (!added->is_empty ())
    {
      gimple *stmt = added->pop ();
      gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
      unlink_stmt_vdef (stmt);
      gsi_remove (&gsi, true);
      release_defs (stmt);
    }
}

int
pg_touch_ref (const gcall *call)
{
  return (int) tree_to_shwi (gimple_call_arg (call, PG_TOUCH_REF));
}

bool
pg_touch_is_gather (const gcall *call)
{
  const_tree function = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (gimple_call_fn (call)));
  return tree_to_shwi (TREE_OPERAND (function, 1)) == (HOST_WIDE_INT) offsetof (struct pg_monitor, gather);
}
