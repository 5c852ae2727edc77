/* SPDX-License-Identifier: GPL-3.0-or-later
   What crosses the boundary of a loop that is outlined: live-ins, live-outs, reductions, variables of the frame.

       for (i = i0; i < n; i++)		args: { s	reduction: initial value in, final value out
	 s += a[i] * tmp[k];			a, k	live-ins
					        &tmp	address of an automatic variable
					        i0	where the induction variable starts }

   Everything that can make outlining impossible is found here, before the function is changed.  */

#include "args.h"
#include "judge.h"
#include "kernels.h"
#include "summary.h"

/* The alignment in bytes that the struct's copies have at least.  */
static const unsigned max_align = 8;

/* A boundary that is being collected; OK turns false when something cannot cross it.  */
struct collector
{
  struct pg_plan *plan;
  struct pg_args *args;
  bool ok;
};

/* The type in which a value of TYPE is kept in memory; NULL_TREE if it cannot be.  Bit-field types get the whole
   integer of their mode.  */
static tree
field_type (tree type)
{
  if (!is_gimple_reg_type (type) || VECTOR_TYPE_P (type) || !tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)))
    return NULL_TREE;
  if (INTEGRAL_TYPE_P (type) && TREE_CODE (type) != BOOLEAN_TYPE && !type_has_mode_precision_p (type))
    return build_nonstandard_integer_type (GET_MODE_PRECISION (SCALAR_INT_TYPE_MODE (type)), TYPE_UNSIGNED (type));
  return TYPE_MAIN_VARIANT (type);
}

/* Add a field for VALUE (NULL_TREE for none) of TYPE; return its index, or -1 if it cannot be a field.  */
static int
add_field (struct pg_args *args, tree value, tree type)
{
  type = field_type (type);
  if (!type)
    return -1;

  HOST_WIDE_INT len = tree_to_uhwi (TYPE_SIZE_UNIT (type));
  struct pg_arg field = {};
  field.value = value;
  field.type = type;
  field.offset = ROUND_UP (args->len, MIN (TYPE_ALIGN_UNIT (type), max_align));
  field.len = len;
  args->len = field.offset + len;
  args->fields.safe_push (field);
  return args->fields.length () - 1;
}

/* The same for a field that is not VALUE for long.  */
static int
add_set_field (struct pg_args *args, tree value, tree type)
{
  int arg = add_field (args, value, type);
  if (arg >= 0)
    args->fields[arg].is_set = true;
  return arg;
}

/* The field for VALUE, an invariant of the loop; a new one if there is none.  */
static int
field_for (struct pg_args *args, tree value)
{
  if (TREE_CODE (value) == SSA_NAME)
    {
      bool existed;
      int &index = args->field_of.get_or_insert (value, &existed);
      if (!existed)
	index = add_field (args, value, TREE_TYPE (value));
      return index;
    }
  for (unsigned i = 0; i < args->fields.length (); i++)
    {
      const struct pg_arg *field = &args->fields[i];
      if (field->value && !field->is_set && types_compatible_p (TREE_TYPE (field->value), TREE_TYPE (value))
	  && operand_equal_p (field->value, value, 0))
	return i;
    }
  return add_field (args, value, TREE_TYPE (value));
}

/* True if NAME has no value yet where it is used: nothing needs to cross.  */
static bool
undefined_p (const_tree name)
{
  return SSA_NAME_IS_DEFAULT_DEF (name) && SSA_NAME_VAR (name) && VAR_P (SSA_NAME_VAR (name));
}

/* True if ADDRESS, an invariant ADDR_EXPR, means the same thing in another function and on another thread.  */
static bool
address_travels_p (const_tree address)
{
  tree base = get_base_address (TREE_OPERAND (address, 0));
  return !base || !DECL_P (base) || TREE_CODE (base) == FUNCTION_DECL
	 || (is_global_var (base) && !(VAR_P (base) && DECL_THREAD_LOCAL_P (base)));
}

/* True if DECL is a work array of PLAN.  */
static bool
is_work_array_p (const struct pg_plan *plan, const_tree decl)
{
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    if (TREE_CODE (array.pointer) == ADDR_EXPR && get_base_address (TREE_OPERAND (array.pointer, 0)) == decl)
      return true;
  return false;
}

/* VALUE must come to the child in a field; return that, or -1 if it cannot cross.  */
static int
need_field (struct collector *c, tree value)
{
  int index = field_for (c->args, value);
  if (index < 0)
    {
      c->ok = false;
      return -1;
    }
  struct pg_arg *field = &c->args->fields[index];
  field->is_live_in = true;
  if (TREE_CODE (value) != SSA_NAME || !bitmap_bit_p (c->plan->live_in_other, SSA_NAME_VERSION (value)))
    field->feeds = true;
  return index;
}

/* VALUE must be at hand in the child; return its field, or -1 if it needs none or cannot cross.  */
static int
need (struct collector *c, tree value)
{
  if (is_gimple_min_invariant (value) && (TREE_CODE (value) != ADDR_EXPR || address_travels_p (value)))
    return -1;
  if (TREE_CODE (value) == SSA_NAME && undefined_p (value))
    return -1;
  if (TREE_CODE (value) == ADDR_EXPR && c->plan->privates.contains (get_base_address (TREE_OPERAND (value, 0))))
    c->ok = false;
  if (TREE_CODE (value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
    c->ok = false;
  return need_field (c, value);
}

/* The same for a VALUE that is part of addresses even if no statement of the loop shows it.  */
static int
need_in_slice (struct collector *c, tree value)
{
  int index = need (c, value);
  if (index >= 0)
    c->args->fields[index].feeds = true;
  return index;
}

static bool
inside_p (const class loop *loop, const_tree name)
{
  basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (name));
  return bb && flow_bb_inside_loop_p (loop, bb);
}

static void use_decl (struct collector *c, tree decl);

/* Note that the loop uses the SSA name NAME.  An address in a work array is computed again in the child, as there it is
   one in another array.  */
static void
use_name (struct collector *c, tree name)
{
  if (inside_p (c->plan->loop, name))
    return;
  tree root = pg_address_root (name), part;
  ssa_op_iter it;
  if (!root || !is_work_array_p (c->plan, root))
    {
      need (c, name);
      return;
    }
  use_decl (c, root);
  c->args->addresses.safe_push (name);
  FOR_EACH_SSA_TREE_OPERAND (part, SSA_NAME_DEF_STMT (name), it, SSA_OP_USE)
    use_name (c, part);
}

/* Kernels find OBJECT, a variable of the program or a constant, by its address in args; F does without.  */
static void
give_kernel (struct collector *c, tree object)
{
  if (pg_kernels_wanted ())
    field_for (c->args, build1 (ADDR_EXPR, build_pointer_type (TREE_TYPE (object)), object));
}

/* Note that the loop uses DECL in memory.  */
static void
use_decl (struct collector *c, tree decl)
{
  symtab_node *node = TREE_CODE (decl) == FUNCTION_DECL || is_global_var (decl) ? symtab_node::get (decl) : NULL;
  if (node && node->comdat_local_p ())
    c->ok = false; /* local to a group that the linker may drop */
  if (TREE_CODE (decl) == FUNCTION_DECL)
    return;

  if (VAR_P (decl) && (DECL_THREAD_LOCAL_P (decl) || DECL_HARD_REGISTER (decl) || DECL_HAS_VALUE_EXPR_P (decl)))
    c->ok = false;
  bool is_global = is_global_var (decl);
  if (is_global && !is_work_array_p (c->plan, decl))
    {
      give_kernel (c, decl);
      return;
    }
  if (TREE_CODE (decl) == RESULT_DECL || (!is_global && DECL_CONTEXT (decl) != cfun->decl) || !DECL_SIZE_UNIT (decl)
      || TREE_CODE (DECL_SIZE_UNIT (decl)) != INTEGER_CST)
    {
      c->ok = false;
      return;
    }
  if (c->plan->privates.contains (decl))
    {
      if (!VAR_P (decl))
	c->ok = false;
      return;
    }
  for (const struct pg_auto &seen : c->args->autos)
    if (seen.decl == decl)
      return;
  tree address = build1 (ADDR_EXPR, build_pointer_type (TREE_TYPE (decl)), decl);
  struct pg_auto entry = { decl, need_field (c, address) };
  c->args->autos.safe_push (entry);
}

/* Callback of walk_gimple_op: note declarations.  An address space other than the usual one may depend on the
   thread.  */
static tree
visit_operand (tree *operand, int *walk_subtrees, void *data)
{
  struct collector *c = (struct collector *) ((struct walk_stmt_info *) data)->info;
  tree t = *operand;
  if (TREE_CODE (t) == RESULT_DECL || TREE_CODE (t) == PARM_DECL || VAR_P (t) || TREE_CODE (t) == FUNCTION_DECL)
    use_decl (c, t);
  if (TREE_CODE (t) == STRING_CST)
    give_kernel (c, t);
  if (EXPR_P (t) && TREE_TYPE (t) && !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (t))))
    c->ok = false;
  if (TYPE_P (t) || DECL_P (t) || TREE_CODE (t) == SSA_NAME)
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* True if STMT is of a kind that can move to another function.  */
static bool
movable_p (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
      break;
    case GIMPLE_LABEL:
      {
	tree label = gimple_label_label (as_a<glabel *> (stmt));
	return !FORCED_LABEL (label) && !DECL_NONLOCAL (label);
      }
    case GIMPLE_CALL:
      if (gimple_call_chain (stmt) || gimple_call_ctrl_altering_p (stmt))
	return false;
      break;
    default:
      return false;
    }
  return !stmt_could_throw_p (cfun, stmt) && lookup_stmt_eh_lp (stmt) == 0;
}

static void
collect_statement (struct collector *c, gimple *stmt)
{
  if (!movable_p (stmt))
    {
      c->ok = false;
      return;
    }
  if (stmt == last_stmt (c->plan->exit->src))
    return; /* its operands are replaced */

  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, it, SSA_OP_USE)
    use_name (c, use);

  struct walk_stmt_info wi = {};
  wi.info = c;
  walk_gimple_op (stmt, visit_operand, &wi);

  const gcall *call = dyn_cast<const gcall *> (stmt);
  const struct pg_told *told = call ? pg_told_of (call) : NULL;
  for (unsigned i = 0; told && i < told->arrays.length (); i++)
    if (is_work_array_p (c->plan, told->arrays[i]))
      use_decl (c, told->arrays[i]);
}

static void
collect_phi (struct collector *c, gphi *phi)
{
  if (virtual_operand_p (gimple_phi_result (phi)))
    return;
  edge entry = loop_preheader_edge (c->plan->loop);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree arg = gimple_phi_arg_def (phi, i);
      if (gimple_phi_arg_edge (phi, i) == entry)
	continue; /* an induction variable, a trail, a reduction, or steady: these have fields of their own */
      if (TREE_CODE (arg) == SSA_NAME)
	use_name (c, arg);
      else if (TREE_CODE (arg) == ADDR_EXPR)
	{
	  tree base = get_base_address (TREE_OPERAND (arg, 0));
	  if (base && DECL_P (base))
	    use_decl (c, base);
	}
    }
}

/* The value that REDUCTION has at the end of a range, or NULL_TREE.  */
static tree
reduction_out (const struct pg_plan *plan, const struct pg_plan_reduction *reduction)
{
  if (plan->exit_at_top)
    return gimple_phi_result (reduction->phi);
  tree next = PHI_ARG_DEF_FROM_EDGE (reduction->phi, loop_latch_edge (plan->loop));
  if (TREE_CODE (next) != SSA_NAME || !inside_p (plan->loop, next)
      || !dominated_by_p (CDI_DOMINATORS, plan->exit->src, gimple_bb (SSA_NAME_DEF_STMT (next))))
    return NULL_TREE;
  return next;
}

/* True if no value of LOOP's induction variable SCEV, no iteration's number and no step times that leaves its type.
   Iterations are counted in 64 bits with a sign.  */
static bool
fits_p (class loop *loop, const affine_iv *scev)
{
  widest_int most = HOST_WIDE_INT_MAX, bound;
  if (!scev->no_overflow || TREE_CODE (scev->step) != INTEGER_CST)
    return false;
  if (max_loop_iterations (loop, &bound))
    most = wi::smin (most, bound);
  return wi::les_p (wi::abs (wi::to_widest (scev->step)) * most,
		    widest_int::from (wi::max_value (TREE_TYPE (scev->step)), SIGNED));
}

/* Give each PHI of the header its way to start a range at any iteration.  */
static void
collect_header (struct collector *c)
{
  class loop *loop = c->plan->loop;
  edge entry = loop_preheader_edge (loop);

  for (const struct pg_plan_reduction &reduction : c->plan->reductions)
    {
      bool is_flag = reduction.carries == PG_CARRIES_FLAG;
      tree out = reduction_out (c->plan, &reduction);
      tree initial = is_flag ? integer_zero_node : PHI_ARG_DEF_FROM_EDGE (reduction.phi, entry);
      int arg = add_set_field (c->args, initial, TREE_TYPE (initial));
      if (!out || arg < 0)
	c->ok = false;
      int end = reduction.is_carried ? add_set_field (c->args, initial, TREE_TYPE (initial)) : -1;
      c->args->reduction_args.safe_push (arg);
      c->args->end_args.safe_push (end);
      c->args->reduction_outs.safe_push (is_flag ? NULL_TREE : out);
    }

  for (const struct pg_plan_trail &trail : c->plan->trails)
    c->args->trail_args.safe_push (need (c, PHI_ARG_DEF_FROM_EDGE (trail.phi, entry)));

  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi); gsi_next (&psi))
    {
      gphi *phi = psi.phi ();
      tree result = gimple_phi_result (phi);
      if (virtual_operand_p (result))
	continue;
      bool is_done = false;
      for (const struct pg_plan_reduction &reduction : c->plan->reductions)
	is_done |= reduction.phi == phi;
      for (const struct pg_plan_trail &trail : c->plan->trails)
	is_done |= trail.phi == phi;
      for (const struct pg_plan_mirror &mirror : c->plan->mirrors)
	is_done |= mirror.phi == phi;
      if (is_done)
	continue;

      affine_iv scev;
      if (c->plan->steady.contains (phi))
	{
	  tree initial = PHI_ARG_DEF_FROM_EDGE (phi, entry);
	  struct pg_iv constant = { phi, initial, integer_zero_node, need_in_slice (c, initial), -1, true };
	  c->args->ivs.safe_push (constant);
	  continue;
	}
      if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI (result) || !simple_iv (loop, loop, result, &scev, true))
	{
	  c->ok = false;
	  return;
	}
      struct pg_iv iv = { phi, PHI_ARG_DEF_FROM_EDGE (phi, entry), scev.step, -1, -1, fits_p (loop, &scev) };
      iv.base_arg = need_in_slice (c, iv.base);
      iv.step_arg = need_in_slice (c, iv.step);
      c->args->ivs.safe_push (iv);
    }
}

/* Find what the loop leaves behind: SSA names in the PHIs at its exit.  */
static void
collect_live_outs (struct collector *c)
{
  edge exit = c->plan->exit;
  for (gphi_iterator psi = gsi_start_phis (exit->dest); !gsi_end_p (psi); gsi_next (&psi))
    {
      gphi *phi = psi.phi ();
      tree name = PHI_ARG_DEF_FROM_EDGE (phi, exit);
      if (virtual_operand_p (gimple_phi_result (phi)) || TREE_CODE (name) != SSA_NAME || !inside_p (c->plan->loop, name)
	  || c->args->reduction_outs.contains (name) || pg_mirror_left (c->plan, name))
	continue;
      for (const struct pg_plan_reduction &reduction : c->plan->reductions)
	if (gimple_phi_result (reduction.phi) == name)
	  c->ok = false; /* it misses the last iteration, which only a sequential run knows */

      bool seen = SSA_NAME_OCCURS_IN_ABNORMAL_PHI (name);
      if (seen)
	c->ok = false;
      for (const struct pg_live_out &out : c->args->live_outs)
	seen |= out.name == name;
      if (seen)
	continue;
      struct pg_live_out out = { name, add_field (c->args, NULL_TREE, TREE_TYPE (name)) };
      if (out.arg < 0)
	c->ok = false;
      c->args->live_outs.safe_push (out);
    }
}

/* Find where each work array's base is handed over, and what the runtime says of its cursors.  */
static void
collect_work_arrays (struct collector *c)
{
  for (const struct pg_plan_work_array &array : c->plan->work_arrays)
    {
      int arg = -1;
      if (TREE_CODE (array.pointer) == SSA_NAME)
	arg = need (c, array.pointer);
      for (const struct pg_auto &entry : c->args->autos)
	if (TREE_CODE (array.pointer) == ADDR_EXPR && entry.decl == get_base_address (TREE_OPERAND (array.pointer, 0)))
	  arg = entry.arg;
      if (arg < 0)
	c->ok = false;
      c->args->work_args.safe_push (arg);
      c->args->cursor_args.safe_push (array.store ? add_set_field (c->args, ssize_int (0), ssizetype) : -1);
      if (array.store)
	add_set_field (c->args, ssize_int (0), ssizetype);
    }
}

/* The field of LEAF, of a carried scalar: what it begins with, or ends as; or of cursors: where they begin, or how far
   they go.  -1: it is neither's.  */
static int
carried_field (const struct pg_plan *plan, const struct pg_args *args, tree leaf)
{
  for (unsigned i = 0; i < plan->work_arrays.length (); i++)
    if (plan->work_arrays[i].store && (leaf == plan->work_arrays[i].low || leaf == plan->work_arrays[i].total))
      return args->cursor_args[i] + (leaf == plan->work_arrays[i].total);
  int number = TREE_CODE (leaf) == SSA_NAME ? pg_carried_of (plan, leaf) : -1;
  if (number < 0)
    return -1;
  return (gimple_phi_result (plan->reductions[number].phi) == leaf ? args->reduction_args : args->end_args)[number];
}

/* Give each entry expression's leaf a field, that of an equal live-in if there is one.  */
static void
collect_nodes (struct collector *c)
{
  for (const struct pg_plan_node &node : c->plan->nodes)
    {
      int arg = -1;
      if (node.op == PG_NODE_ARG)
	{
	  tree type = TREE_TYPE (node.leaf);
	  arg = carried_field (c->plan, c->args, node.leaf);
	  if (arg < 0)
	    arg = INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type) ? field_for (c->args, node.leaf) : -1;
	  if (arg < 0 || c->args->fields[arg].len > 8)
	    c->ok = false;
	}
      c->args->node_args.safe_push (arg);
    }
}

/* True if no value of BB is used outside LOOP but by the PHIs of its exit's destination.  */
static bool
closed_p (const class loop *loop, basic_block bb, basic_block after)
{
  auto_vec<tree> names;
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    names.safe_push (gimple_phi_result (psi.phi ()));
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      tree def;
      ssa_op_iter it;
      FOR_EACH_SSA_TREE_OPERAND (def, gsi_stmt (gsi), it, SSA_OP_DEF)
	names.safe_push (def);
    }

  for (tree name : names)
    {
      imm_use_iterator it;
      use_operand_p use;
      if (virtual_operand_p (name))
	continue;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	{
	  gimple *stmt = USE_STMT (use);
	  if (!is_gimple_debug (stmt) && !flow_bb_inside_loop_p (loop, gimple_bb (stmt))
	      && !(gimple_code (stmt) == GIMPLE_PHI && gimple_bb (stmt) == after))
	    return false;
	}
    }
  return true;
}

bool
pg_args_collect (struct pg_plan *plan, struct pg_args *args)
{
  struct collector c = { plan, args, true };
  class loop *loop = plan->loop;

  collect_header (&c);
  basic_block *body = get_loop_body_in_dom_order (loop);
  for (unsigned i = 0; i < loop->num_nodes && c.ok; i++)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, body[i]->succs)
	if (e->flags & (EDGE_COMPLEX | EDGE_PRESERVE | EDGE_IRREDUCIBLE_LOOP))
	  c.ok = false;

      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi); gsi_next (&psi))
	collect_phi (&c, psi.phi ());
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	if (!is_gimple_debug (gsi_stmt (gsi)))
	  collect_statement (&c, gsi_stmt (gsi));
      if (!closed_p (loop, body[i], plan->exit->dest))
	c.ok = false;
    }
  free (body);

  if (c.ok)
    {
      collect_live_outs (&c);
      collect_work_arrays (&c);
      collect_nodes (&c);
    }
  args->len = ROUND_UP (args->len, 16);
  return c.ok;
}

tree
pg_arg_ref (const struct pg_arg *arg, tree base)
{
  tree type = arg->type;
  if (TYPE_ALIGN_UNIT (type) > max_align)
    type = build_aligned_type (type, max_align * BITS_PER_UNIT);
  return build2 (MEM_REF, type, base, build_int_cst (build_pointer_type_for_mode (type, ptr_mode, true), arg->offset));
}

tree
pg_arg_local (struct pg_args *args, tree name)
{
  if (undefined_p (name))
    return build_zero_cst (TREE_TYPE (name));
  return args->fields[*args->field_of.get (name)].local;
}

struct pg_arg *
pg_arg_of_auto (struct pg_args *args, const_tree decl)
{
  for (const struct pg_auto &entry : args->autos)
    if (entry.decl == decl)
      return &args->fields[entry.arg];
  return NULL;
}
