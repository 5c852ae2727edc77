/* SPDX-License-Identifier: GPL-3.0-or-later
   Making a loop independent of the function that it is in, before its blocks move to another one.

       x = tmp[i_1] * n_2;	==>	x = (*p_3)[i_1] * n_4;		p_3, n_4: loaded from args

   SSA names from outside the loop become what was loaded from args.  Variables of the frame become memory behind the
   address that came in args; those that are private to the loop stay, and the move makes copies of them.  */

#include "localise.h"
#include "summary.h"

/* A loop being made independent.  */
struct scope
{
  class loop *loop;
  struct pg_args *args;
  basic_block entry_bb;           /* what is defined here is the child's already */
  hash_map<tree, tree> addresses; /* those of pg_args that have been computed */
};

/* Compute EXPRESSION at the end of the entry block.  */
static tree
compute (struct scope *scope, tree expression)
{
  gimple_seq seq = NULL;
  tree value = force_gimple_operand (expression, &seq, true, NULL_TREE);
  gimple_stmt_iterator gsi = gsi_last_bb (scope->entry_bb);
  gsi_insert_seq_after (&gsi, seq, GSI_NEW_STMT);
  return value;
}

/* The address OBJECT, whose base is a variable of the parent's frame, in the child.  */
static tree
local_address (struct scope *scope, tree address)
{
  poly_int64 offset;
  tree base = get_addr_base_and_unit_offset (TREE_OPERAND (address, 0), &offset);
  struct pg_arg *field = base ? pg_arg_of_auto (scope->args, base) : NULL;
  if (!field)
    return address;
  tree moved = fold_build_pointer_plus (field->local, build_int_cst (sizetype, offset.to_constant ()));
  return compute (scope, fold_convert (TREE_TYPE (address), moved));
}

/* Callback of walk_gimple_op: replace variables of the parent's frame by what their address in args points to.  */
static tree
replace_auto (tree *operand, int *walk_subtrees, void *data)
{
  struct walk_stmt_info *wi = (struct walk_stmt_info *) data;
  struct scope *scope = (struct scope *) wi->info;
  tree t = *operand;
  if (TREE_CODE (t) == ADDR_EXPR && is_gimple_min_invariant (t))
    {
      *operand = local_address (scope, t);
      *walk_subtrees = *operand == t;
    }
  else if (TREE_CODE (t) == PARM_DECL || VAR_P (t))
    {
      struct pg_arg *field = pg_arg_of_auto (scope->args, t);
      if (field)
	*operand = build2 (MEM_REF, TREE_TYPE (t), field->local, build_int_cst (TREE_TYPE (field->local), 0));
      *walk_subtrees = 0;
    }
  else if (TYPE_P (t) || DECL_P (t) || TREE_CODE (t) == SSA_NAME)
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* True if NAME is a value of the parent, to which the child has no access.  */
static bool
foreign_p (const struct scope *scope, const_tree name)
{
  basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (name));
  return bb != scope->entry_bb && !(bb && flow_bb_inside_loop_p (scope->loop, bb));
}

/* Move STMT, of the entry block, behind addresses that have been computed for it.  */
static void
move_to_end (struct scope *scope, gimple *stmt)
{
  gimple_stmt_iterator last = gsi_last_bb (scope->entry_bb), gsi = gsi_for_stmt (stmt);
  if (gsi_stmt (last) != stmt)
    gsi_move_after (&gsi, &last);
}

/* What the child has for NAME, a value of the parent.  */
static tree
local_value (struct scope *scope, tree name)
{
  if (!scope->args->addresses.contains (name))
    return pg_arg_local (scope->args, name);
  if (tree *known = scope->addresses.get (name))
    return *known;
  gassign *def = as_a<gassign *> (SSA_NAME_DEF_STMT (name));
  tree part;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (part, def, it, SSA_OP_USE)
    local_value (scope, part); /* stands before what is made of it */

  gassign *copy = as_a<gassign *> (gimple_copy (def));
  tree local = make_ssa_name (TREE_TYPE (name), copy);
  gimple_assign_set_lhs (copy, local);
  gimple_stmt_iterator gsi = gsi_last_bb (scope->entry_bb);
  gsi_insert_after (&gsi, copy, GSI_NEW_STMT);
  struct walk_stmt_info wi = {};
  wi.info = scope;
  walk_gimple_op (copy, replace_auto, &wi);
  use_operand_p use;
  update_stmt (copy);
  FOR_EACH_SSA_USE_OPERAND (use, copy, it, SSA_OP_USE)
    if (foreign_p (scope, USE_FROM_PTR (use)))
      SET_USE (use, local_value (scope, USE_FROM_PTR (use)));
  update_stmt (copy);
  move_to_end (scope, copy);
  scope->addresses.put (name, local);
  return local;
}

/* Forget what was known in the parent of what CALL touches.  */
static void
forget_effects (gcall *call)
{
  pt_solution_reset (gimple_call_use_set (call));
  pt_solution_reset (gimple_call_clobber_set (call));
}

/* Replace in STMT what belongs to the parent by what the child has of it.  */
static void
localise_statement (struct scope *scope, gimple *stmt)
{
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_SSA_USE_OPERAND (use, stmt, it, SSA_OP_USE)
    if (foreign_p (scope, USE_FROM_PTR (use)))
      SET_USE (use, local_value (scope, USE_FROM_PTR (use)));

  struct walk_stmt_info wi = {};
  wi.info = scope;
  if (!scope->args->autos.is_empty ())
    walk_gimple_op (stmt, replace_auto, &wi);
  if (gcall *call = dyn_cast<gcall *> (stmt))
    forget_effects (call);
  update_stmt (stmt);
}

static void
localise_phi (struct scope *scope, gphi *phi)
{
  if (virtual_operand_p (gimple_phi_result (phi)))
    return;
  edge entry = loop_preheader_edge (scope->loop);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      use_operand_p use = gimple_phi_arg_imm_use_ptr (phi, i);
      tree arg = USE_FROM_PTR (use);
      if (gimple_phi_arg_edge (phi, i) == entry)
	continue;
      if (TREE_CODE (arg) == SSA_NAME && foreign_p (scope, arg))
	SET_USE (use, local_value (scope, arg));
      else if (TREE_CODE (arg) == ADDR_EXPR)
	SET_USE (use, local_address (scope, arg));
    }
}

/* True if STMT is a clobber of a variable of the parent's frame, which F must not end.  */
static bool
foreign_clobber_p (struct scope *scope, gimple *stmt)
{
  return gimple_clobber_p (stmt) && DECL_P (gimple_assign_lhs (stmt))
	 && pg_arg_of_auto (scope->args, gimple_assign_lhs (stmt));
}

/* Debug statements must not mention NAME any more, which moves to another function.  */
static void
reset_debug_uses (tree name)
{
  gimple *stmt;
  imm_use_iterator it;
  if (virtual_operand_p (name))
    return;
  FOR_EACH_IMM_USE_STMT (stmt, it, name)
    if (gimple_debug_bind_p (stmt))
      {
	gimple_debug_bind_reset_value (stmt);
	update_stmt (stmt);
      }
}

/* Let no debug statement outside the loop mention a value of the loop.  */
static void
reset_debug (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi); gsi_next (&psi))
	reset_debug_uses (gimple_phi_result (psi.phi ()));
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	{
	  tree def;
	  ssa_op_iter it;
	  FOR_EACH_SSA_TREE_OPERAND (def, gsi_stmt (gsi), it, SSA_OP_DEF)
	    reset_debug_uses (def);
	}
    }
  free (body);
}

/* Callback of walk_gimple_op: no warnings about this expression.  */
static tree
silence_operand (tree *operand, int *walk_subtrees, void *)
{
  if (is_gimple_min_invariant (*operand))
    *walk_subtrees = 0; /* may be shared with the copy */
  else if (EXPR_P (*operand))
    (*operand)->base.nowarning_flag = 1;
  return NULL_TREE;
}

/* No warnings about STMT.  The flags only, not suppress_warning, which goes by location: the copy that stays has
   the same.  */
static void
silence (gimple *stmt)
{
  struct walk_stmt_info wi = {};
  stmt->no_warning = 1;
  walk_gimple_op (stmt, silence_operand, &wi);
}

/* Callback of walk_gimple_op: an access as what has more alignment than length (an int of 4 bytes aligned to 16)
   becomes one with no more than the elements of an array have.  Where the program walks through an array with it, GCC
   takes it that the loop's first address is aligned so; the first one of a chunk need not be.  */
static tree
limit_alignment (tree *operand, int *walk_subtrees, void *)
{
  if (is_gimple_min_invariant (*operand))
    *walk_subtrees = 0; /* may be shared with the copy */
  if (TREE_CODE (*operand) != MEM_REF)
    return NULL_TREE;
  tree type = TREE_TYPE (*operand);
  if (!TYPE_SIZE_UNIT (type) || !tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)))
    return NULL_TREE;
  unsigned HOST_WIDE_INT len = tree_to_uhwi (TYPE_SIZE_UNIT (type));
  if (len % TYPE_ALIGN_UNIT (type) != 0)
    TREE_TYPE (*operand) = build_aligned_type (type, least_bit_hwi (len) * BITS_PER_UNIT);
  return NULL_TREE;
}

/* Let the call at GSI fill what the child has for arrays which the function that is called names.  */
static void
tell_call (struct scope *scope, gimple_stmt_iterator *gsi)
{
  gcall *call = dyn_cast<gcall *> (gsi_stmt (*gsi));
  struct pg_told *told = call ? pg_told_of (call) : NULL;
  auto_vec<tree> addresses;
  bool differs = false;
  for (unsigned i = 0; told && i < told->arrays.length (); i++)
    {
      tree array = told->arrays[i];
      struct pg_arg *field = pg_arg_of_auto (scope->args, array);
      differs |= field != NULL;
      addresses.safe_push (field ? field->local : build_fold_addr_expr (array));
    }
  if (!differs)
    return;
  for (unsigned i = 0; i < addresses.length (); i++)
    if (TREE_CODE (addresses[i]) == ADDR_EXPR)
      TREE_ADDRESSABLE (told->arrays[i]) = 1;
  gsi_replace (gsi, pg_told_call (told, call, addresses), false);
}

/* Take from the loop what it must not take along.  Debug statements go: their values are the parent's.  Warnings about
   the user's code were and will be given for the copy that stays.  What is known of the first iteration goes, since any
   iteration may be the first one of a chunk.  */
void
pg_localise (class loop *loop, struct pg_args *args, basic_block entry_bb, const vec<gimple *> &loads)
{
  struct scope scope;
  scope.loop = loop;
  scope.args = args;
  scope.entry_bb = entry_bb;
  reset_debug (loop);
  basic_block *body = get_loop_body_in_dom_order (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi); gsi_next (&psi))
	localise_phi (&scope, psi.phi ());
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi);)
	{
	  gimple *stmt = gsi_stmt (gsi);
	  if (is_gimple_debug (stmt) || foreign_clobber_p (&scope, stmt))
	    {
	      unlink_stmt_vdef (stmt);
	      gsi_remove (&gsi, true);
	      release_defs (stmt);
	      continue;
	    }
	  localise_statement (&scope, stmt);
	  tell_call (&scope, &gsi);
	  stmt = gsi_stmt (gsi);
	  struct walk_stmt_info wi = {};
	  walk_gimple_op (stmt, limit_alignment, &wi);
	  silence (stmt);
	  gsi_next (&gsi);
	}
    }
  free (body);
  for (gimple *load : loads)
    {
      localise_statement (&scope, load);
      move_to_end (&scope, load);
      silence (load);
    }
}

void
pg_localise_body (struct pg_args *args, basic_block entry_bb)
{
  struct scope scope;
  scope.loop = NULL;
  scope.args = args;
  scope.entry_bb = entry_bb;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); bb != entry_bb && !gsi_end_p (gsi);)
      {
	gimple *stmt = gsi_stmt (gsi);
	if (is_gimple_debug (stmt))
	  {
	    gsi_remove (&gsi, true);
	    continue;
	  }
	struct walk_stmt_info wi = {};
	wi.info = &scope;
	walk_gimple_op (stmt, replace_auto, &wi);
	if (gcall *call = dyn_cast<gcall *> (stmt))
	  forget_effects (call);
	update_stmt (stmt);
	silence (stmt);
	gsi_next (&gsi);
      }
}
