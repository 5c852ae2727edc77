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
pg_touch_load (HOST_WIDE_INT offset, tree type)
{
  tree value = make_ssa_name (type);
  gimple_stmt_iterator gsi = gsi_after_labels (single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  gimple *load = gimple_build_assign (value, pg_touch_member (pg_touch_ctx (), offset, type));
  gsi_insert_before (&gsi, load, GSI_SAME_STMT);
  return value;
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
