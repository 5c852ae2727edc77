/* SPDX-License-Identifier: GPL-3.0-or-later
   Linear forms: writes an address of the loop as base + sum of coef[d] * (iteration number of dimension d).

       a[i * n + j]  ->  a + 8 * n * I + 8 * J          base, coefficients: entry expressions ("nodes")

   GCC's own scalar evolution is asked for the step of header PHIs only; everything else is followed here, because
   it gives up on symbolic row lengths at the outer level of a nest.

   Arithmetic.  The runtime computes nodes in 64-bit signed integers and rejects overflow.  64-bit types, sizetype and
   pointers among them, compute modulo 2^64, and so does the true address: a sum that stays inside 64 bits is the
   address.  In a narrower type the program's value equals the sum only modulo 2^precision, unless overflow is
   undefined in that type.  So `wraps` follows a value until it is widened; there a wrap check is recorded: the runtime
   shows that the sum stays inside the type for all iterations, else it takes no reference as linear.

   Which iterations?  All those of the enclosing dimensions, also those in which the statement is not executed: more
   than needed, never less.  */

#include "nodes.h"
#include "polynomial.h"

/* Recursion limit: expressions deeper than this are taken as non-linear.  */
static const int max_depth = 48;

/* A linear form under construction.  */
struct linear_form
{
  struct pg_plan_linear value;
  tree pointer; /* the pointer or &object in its base */
  bool wraps;   /* the value may differ by a multiple of 2^precision of its type */
};

/* The innermost dimension that VALUE depends on.  */
static int
linear_dim (const struct pg_plan *plan, const struct pg_plan_linear &value)
{
  int dim = 0;
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (value.coef[d] >= 0)
      dim = d;
  return dim;
}

/* Record that VALUE must stay inside an integer type of TYPE's precision and sign.  */
static void
check_add (struct pg_plan *plan, const struct pg_plan_linear &value, const_tree type)
{
  struct pg_plan_check check = { value, linear_dim (plan, value), TYPE_PRECISION (type), !TYPE_UNSIGNED (type) };
  for (const struct pg_plan_check &old : plan->checks)
    if (pg_linear_equal (&old.value, &check.value) && old.dim == check.dim && old.bits == check.bits
	&& old.is_signed == check.is_signed)
      return;
  plan->checks.safe_push (check);
}

/* The node that stands for LEAF of a polynomial of nodes alone.  */
static int
node_of_leaf (int leaf)
{
  return leaf - (int) num_ssa_names;
}

void
pg_check_not_negative (struct pg_plan *plan, const struct pg_polynomial &value)
{
  struct pg_plan_linear sum = pg_linear_zero ();
  for (const struct pg_term &term : value)
    {
      int product = pg_node_constant (plan, term.number);
      for (int i = 0; i < term.n_leaves; i++)
	product = pg_node_binary (plan, PG_NODE_MUL, node_of_leaf (term.leaves[i]), product);
      sum.base = pg_node_binary (plan, PG_NODE_ADD, sum.base, product);
    }
  check_add (plan, sum, unsigned_type_node);
}

/* The same where VALUE is known modulo 2^precision of TYPE: true if it is TYPE's then.  */
static bool
check_fits (struct pg_plan *plan, const struct pg_plan_linear &value, const_tree type)
{
  unsigned bits = TYPE_PRECISION (type);
  if (bits == 8 || bits == 16 || bits == 32)
    check_add (plan, value, type);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool
address_type_p (const_tree type)
{
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && TYPE_PRECISION (type) <= 64;
}

static enum pg_form analyse (struct pg_plan *plan, tree value, struct linear_form *out, int depth);

/* The access that is being analysed: its block, or NULL; which name of a counter its address has, or NULL_TREE.  */
static basic_block access_block;
static tree access_counter;

static void
invariant_form (struct pg_plan *plan, tree value, struct linear_form *out)
{
  out->value = pg_linear_zero ();
  out->pointer = POINTER_TYPE_P (TREE_TYPE (value)) ? value : NULL_TREE;
  out->wraps = false;
  if (tree_fits_shwi_p (value))
    out->value.base = pg_node_constant (plan, tree_to_shwi (value));
  else if (TREE_CODE (value) == INTEGER_CST)
    out->value.base = pg_node_constant (plan, (HOST_WIDE_INT) TREE_INT_CST_LOW (value));
  else
    out->value.base = pg_node_of_invariant (plan, value);
}

/* The dimension of what is added to NUMBER, a reduction of PLAN or one of its arrays of cursors, TOTAL, less BEYOND;
   -1: there is no room.  */
static int
counter_dim (struct pg_plan *plan, int number, int total, HOST_WIDE_INT beyond)
{
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (plan->dims[d].counter == number && plan->dims[d].beyond == beyond)
      return d;
  if (plan->dims.length () == PG_MAX_DIMS)
    return -1;
  struct pg_plan_dim dim
    = { NULL, 0, false, false, false, pg_linear_zero (), false, pg_linear_zero (), number, beyond };
  dim.last.base = pg_node_binary (plan, PG_NODE_SUB, total, pg_node_constant (plan, beyond));
  plan->dims.safe_push (dim);
  return plan->dims.length () - 1;
}

/* Record that TOTAL, which is added to a counter of TYPE modulo 2^precision, MOST in an iteration, must be what its
   ends tell.  False: it cannot be known.  */
static bool
check_total (struct pg_plan *plan, int total, HOST_WIDE_INT most, const_tree type)
{
  struct pg_plan_linear value = pg_linear_zero ();
  if (TYPE_PRECISION (type) == 64)
    return true;
  value.base = total;
  if (most < 0 || !check_fits (plan, value, unsigned_type_for (CONST_CAST_TREE (type))))
    return false;
  value.base = value.coef[0] = pg_node_constant (plan, most);
  return check_fits (plan, value, unsigned_type_for (CONST_CAST_TREE (type)));
}

/* NAME of a carried scalar, one that counts (counters.cc).  The difference of two is no matter of one dimension.  */
static enum pg_form
analyse_counter (struct pg_plan *plan, tree name, struct linear_form *out)
{
  struct pg_counted_value counted;
  if (!access_block || (access_counter && access_counter != name)
      || !pg_find_counted (plan, name, access_block, &counted))
    return PG_FORM_NONLINEAR;
  access_counter = name;
  gphi *phi = plan->reductions[counted.reduction].phi;
  tree result = gimple_phi_result (phi), type = TREE_TYPE (result);
  int start = pg_node_add (plan, PG_NODE_ARG, 0, 0, 0, result);
  int end = pg_node_add (plan, PG_NODE_ARG, 0, 0, 0, PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (plan->loop)));
  int total = pg_node_binary (plan, PG_NODE_SUB, end, start);
  int dim = counter_dim (plan, counted.reduction, total, counted.least + counted.left);
  if (dim < 0 || (counted.may_wrap && !check_total (plan, total, counted.most, type)))
    return PG_FORM_NONLINEAR;
  out->value = pg_linear_zero ();
  out->value.base = pg_node_plus (plan, start, counted.least);
  out->value.coef[dim] = pg_node_constant (plan, 1);
  out->pointer = POINTER_TYPE_P (type) ? PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (plan->loop)) : NULL_TREE;
  out->wraps = TYPE_PRECISION (type) < 64 && TYPE_UNSIGNED (TREE_TYPE (name)) != TYPE_UNSIGNED (type);
  return PG_FORM_LINEAR;
}

/* The name of CURSOR (cursors.cc).  Where those go down, what is loaded is a step above the first place passed.  */
static enum pg_form
analyse_cursor (struct pg_plan *plan, const struct pg_plan_cursor *cursor, struct linear_form *out)
{
  const struct pg_plan_work_array *array = &plan->work_arrays[cursor->array];
  tree name = cursor->name, type = TREE_TYPE (gimple_assign_lhs (array->store));
  if (!access_block || (access_counter && access_counter != name))
    return PG_FORM_INDIRECT;
  access_counter = name;
  int low = pg_node_add (plan, PG_NODE_ARG, 0, 0, 0, array->low);
  int total = pg_node_add (plan, PG_NODE_ARG, 0, 0, 0, array->total);
  int dim = counter_dim (plan, plan->reductions.length () + cursor->array, total, absu_hwi (array->step));
  if (dim < 0)
    return PG_FORM_INDIRECT;
  out->value = pg_linear_zero ();
  out->value.base = pg_node_plus (plan, low, cursor->more - MIN (array->step, 0));
  out->value.coef[dim] = pg_node_constant (plan, 1);
  out->pointer = NULL_TREE;
  out->wraps = TYPE_PRECISION (type) < 64 && TYPE_UNSIGNED (TREE_TYPE (name)) != TYPE_UNSIGNED (type);
  return PG_FORM_LINEAR;
}

/* A header PHI: its value in iteration 0 of LOOP plus its step for each.  */
static enum pg_form
analyse_header_phi (struct pg_plan *plan, tree name, class loop *loop, struct linear_form *out, int depth)
{
  int dim = pg_dim_of (plan, loop);
  affine_iv iv;
  if (dim < 0 || plan->dims[dim].loop != loop || !simple_iv (loop, loop, name, &iv, true))
    return PG_FORM_NONLINEAR;
  struct linear_form step;
  enum pg_form result = analyse (plan, iv.base, out, depth + 1);
  if (result != PG_FORM_LINEAR)
    return result;
  result = analyse (plan, iv.step, &step, depth + 1);
  if (result != PG_FORM_LINEAR)
    return result;
  /* A step in a narrow unsigned type may stand for a negative one: let the wrap check decide on the sign-extended.  */
  if (!pg_linear_invariant_p (step.value) || step.wraps)
    return PG_FORM_NONLINEAR;
  if (TREE_CODE (iv.step) == INTEGER_CST && TYPE_PRECISION (TREE_TYPE (iv.step)) < 64
      && TYPE_UNSIGNED (TREE_TYPE (iv.step)) && !iv.no_overflow)
    step.value.base
      = pg_node_constant (plan, wi::sext (wi::to_widest (iv.step), TYPE_PRECISION (TREE_TYPE (iv.step))).to_shwi ());
  out->value.coef[dim] = pg_node_binary (plan, PG_NODE_ADD, out->value.coef[dim], step.value.base);
  if (TYPE_PRECISION (TREE_TYPE (name)) < 64 && !iv.no_overflow)
    out->wraps = true;
  return PG_FORM_LINEAR;
}

static enum pg_form
analyse_conversion (struct pg_plan *plan, const_tree to, tree operand, struct linear_form *out, int depth)
{
  tree from = TREE_TYPE (operand);
  if (!address_type_p (to) || !address_type_p (from))
    return PG_FORM_NONLINEAR;
  enum pg_form result = analyse (plan, operand, out, depth + 1);
  if (result != PG_FORM_LINEAR)
    return result;
  unsigned to_bits = TYPE_PRECISION (to), from_bits = TYPE_PRECISION (from);
  if (to_bits > from_bits)
    {
      if (out->wraps && !check_fits (plan, out->value, from))
	return PG_FORM_NONLINEAR;
      out->wraps = false;
      /* Widened signed, then taken as unsigned of less than 64 bits: again only equal modulo.  */
      if (to_bits < 64 && TYPE_UNSIGNED (to) && !TYPE_UNSIGNED (from))
	out->wraps = true;
    }
  else if (to_bits < from_bits || (to_bits < 64 && TYPE_UNSIGNED (to) != TYPE_UNSIGNED (from)))
    out->wraps = to_bits < 64;
  return PG_FORM_LINEAR;
}

static enum pg_form
analyse_operation (struct pg_plan *plan, enum tree_code code, const_tree type, tree a, tree b, struct linear_form *out,
		   int depth)
{
  if (CONVERT_EXPR_CODE_P (code))
    return analyse_conversion (plan, type, a, out, depth);
  if (!address_type_p (type))
    return PG_FORM_NONLINEAR;
  struct linear_form left, right;
  enum pg_form result = analyse (plan, a, &left, depth + 1);
  if (result != PG_FORM_LINEAR)
    return result;
  if (code == SSA_NAME || code == NON_LVALUE_EXPR)
    {
      *out = left;
      return PG_FORM_LINEAR;
    }
  if (code == NEGATE_EXPR || code == BIT_NOT_EXPR)
    {
      right = left;
      left.value = pg_linear_zero ();
      left.value.base = code == BIT_NOT_EXPR ? pg_node_constant (plan, -1) : -1;
      left.wraps = false;
      left.pointer = NULL_TREE;
      code = MINUS_EXPR;
    }
  else
    {
      result = analyse (plan, b, &right, depth + 1);
      if (result != PG_FORM_LINEAR)
	return result;
    }
  /* Constants of a narrow unsigned type, 4294967295 for -1: take the value that is closer to zero; both agree modulo
     2^precision, and the wrap check decides whether that is enough.  */
  bool modular = TYPE_PRECISION (type) < 64 && TYPE_OVERFLOW_WRAPS (type);
  if (b && TREE_CODE (b) == INTEGER_CST && modular && (code == PLUS_EXPR || code == MULT_EXPR))
    right.value.base = pg_node_constant (plan, wi::sext (wi::to_widest (b), TYPE_PRECISION (TREE_TYPE (b))).to_shwi ());
  out->pointer = left.pointer ? left.pointer : right.pointer;
  out->wraps = left.wraps || right.wraps || modular;
  switch (code)
    {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      out->value = pg_linear_binary (plan, PG_NODE_ADD, left.value, right.value);
      return PG_FORM_LINEAR;
    case MINUS_EXPR:
      out->value = pg_linear_binary (plan, PG_NODE_SUB, left.value, right.value);
      return PG_FORM_LINEAR;
    case MULT_EXPR:
      if (pg_linear_invariant_p (right.value))
	out->value = pg_linear_scale (plan, left.value, right.value.base);
      else if (pg_linear_invariant_p (left.value))
	out->value = pg_linear_scale (plan, right.value, left.value.base);
      else
	return PG_FORM_NONLINEAR;
      return PG_FORM_LINEAR;
    case LSHIFT_EXPR:
      {
	HOST_WIDE_INT shift;
	if (!pg_linear_invariant_p (right.value) || !pg_node_value (plan, right.value.base, &shift) || shift < 0
	    || shift > 31)
	  return PG_FORM_NONLINEAR;
	out->value = pg_linear_scale (plan, left.value, pg_node_constant (plan, HOST_WIDE_INT_1 << shift));
	out->wraps |= TYPE_PRECISION (type) < 64; /* with a sign, too: bits are lost, which is no overflow */
	return PG_FORM_LINEAR;
      }
    default:
      return PG_FORM_NONLINEAR;
    }
}

/* Codes that analyse_operation understands: others must not even be looked into.  */
static bool
operation_p (enum tree_code code)
{
  return CONVERT_EXPR_CODE_P (code) || code == SSA_NAME || code == NON_LVALUE_EXPR || code == NEGATE_EXPR
	 || code == BIT_NOT_EXPR || code == PLUS_EXPR || code == POINTER_PLUS_EXPR || code == MINUS_EXPR
	 || code == MULT_EXPR || code == LSHIFT_EXPR;
}

/* True if somewhere among the operands of STMT's right-hand side a load feeds it: tells indirect from non-linear.  */
static bool
fed_by_load_p (const struct pg_plan *plan, tree value, int depth)
{
  if (TREE_CODE (value) != SSA_NAME || depth > 8 || pg_invariant_p (plan, value))
    return false;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gimple_assign_load_p (def))
    return true;
  if (is_a<gphi *> (def))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (def); i++)
	if (fed_by_load_p (plan, gimple_phi_arg_def (def, i), depth + 1))
	  return true;
      return false;
    }
  if (is_gimple_assign (def))
    for (unsigned i = 1; i < gimple_num_ops (def); i++)
      if (fed_by_load_p (plan, gimple_op (def, i), depth + 1))
	return true;
  return false;
}

static enum pg_form analyse_place (struct pg_plan *plan, tree ref, struct linear_form *out, HOST_WIDE_INT *len,
				   int depth);

tree
pg_address_root (tree pointer)
{
  while (TREE_CODE (pointer) == SSA_NAME || TREE_CODE (pointer) == ADDR_EXPR)
    {
      tree from = pointer;
      if (TREE_CODE (pointer) == SSA_NAME)
	{
	  gimple *def = SSA_NAME_DEF_STMT (pointer);
	  if (!is_gimple_assign (def) || !POINTER_TYPE_P (TREE_TYPE (pointer)))
	    return NULL_TREE;
	  from = gimple_assign_rhs1 (def);
	  enum tree_code code = gimple_assign_rhs_code (def);
	  if (code != ADDR_EXPR && code != POINTER_PLUS_EXPR && code != SSA_NAME && !CONVERT_EXPR_CODE_P (code))
	    return NULL_TREE;
	}
      tree base = TREE_CODE (from) == ADDR_EXPR ? get_base_address (TREE_OPERAND (from, 0)) : NULL_TREE;
      if (base && VAR_P (base))
	return DECL_THREAD_LOCAL_P (base) || DECL_HARD_REGISTER (base) ? NULL_TREE : base;
      if (base && TREE_CODE (base) != MEM_REF)
	return NULL_TREE;
      pointer = base ? TREE_OPERAND (base, 0) : from;
    }
  return NULL_TREE;
}

static enum pg_form analyse_definition (struct pg_plan *plan, tree value, struct linear_form *out, int depth);

/* True if what is analysed is part of an address in a variable that was computed before the loop.  */
static bool in_address_before;

/* Fill in OUT for VALUE, which is invariant, by what it is computed from, if it is an address in a variable, or part of
   one: then it is known where it is among others in that variable.  What may wrap around stays as it is.  */
static bool
analyse_address_before (struct pg_plan *plan, tree value, struct linear_form *out, int depth)
{
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value) || !is_gimple_assign (SSA_NAME_DEF_STMT (value)))
    return false;
  enum tree_code code = gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value));
  bool is_part = in_address_before && TYPE_PRECISION (TREE_TYPE (value)) == 64 && operation_p (code);
  if (!is_part && !pg_address_root (value))
    return false;
  bool was_in = in_address_before;
  in_address_before = true;
  enum pg_form result = analyse_definition (plan, value, out, depth);
  in_address_before = was_in;
  return result == PG_FORM_LINEAR;
}

static enum pg_form
analyse (struct pg_plan *plan, tree value, struct linear_form *out, int depth)
{
  if (depth > max_depth || plan->nodes.length () > 2000 || !address_type_p (TREE_TYPE (value)))
    return PG_FORM_NONLINEAR;
  if (TREE_CODE (value) != SSA_NAME && operation_p (TREE_CODE (value)))
    return analyse_operation (plan, TREE_CODE (value), TREE_TYPE (value), TREE_OPERAND (value, 0),
			      BINARY_CLASS_P (value) || TREE_CODE (value) == POINTER_PLUS_EXPR ? TREE_OPERAND (value, 1)
											       : NULL_TREE,
			      out, depth);
  if (pg_invariant_p (plan, value))
    {
      if (TREE_SIDE_EFFECTS (value) || (TREE_CODE (value) != SSA_NAME && generic_expr_could_trap_p (value)))
	return PG_FORM_NONLINEAR;
      if (!is_gimple_val (value) && !EXPR_P (value))
	return PG_FORM_NONLINEAR;
      if (!analyse_address_before (plan, value, out, depth))
	invariant_form (plan, value, out);
      return PG_FORM_LINEAR;
    }
  return TREE_CODE (value) == SSA_NAME ? analyse_definition (plan, value, out, depth) : PG_FORM_NONLINEAR;
}

/* So many places where ways meet are looked at for one value, and so many of them may still be.  */
static const int max_meetings = 64;
static int meetings_left;

static bool same_integer_p (const_tree a, const_tree b);

/* True if PHI, which is no loop's, is its first argument on each way.  */
static bool
same_on_all_ways_p (gphi *phi)
{
  bool is_same
    = gimple_bb (phi) != gimple_bb (phi)->loop_father->header && !virtual_operand_p (gimple_phi_result (phi));
  for (unsigned i = 1; i < gimple_phi_num_args (phi) && is_same; i++)
    is_same = meetings_left-- > 0 && same_integer_p (gimple_phi_arg_def (phi, 0), gimple_phi_arg_def (phi, i));
  return is_same;
}

/* Take from VALUE, an integer, the numbers that are added to it, modulo 2^precision, and those out of *NUMBER.  */
static const_tree
without_numbers (const_tree value, unsigned HOST_WIDE_INT *number)
{
  while (TREE_CODE (value) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (value);
      const_tree next = is_gimple_assign (def) ? gimple_assign_rhs1 (def) : NULL_TREE;
      bool is_sum
	= next && gimple_assign_rhs_code (def) == PLUS_EXPR && TREE_CODE (gimple_assign_rhs2 (def)) == INTEGER_CST;
      bool is_same
	= next && (gimple_assign_rhs_code (def) == SSA_NAME || CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def)));
      if (gphi *phi = dyn_cast<gphi *> (def))
	if (same_on_all_ways_p (phi))
	  {
	    next = gimple_phi_arg_def (phi, 0);
	    is_same = true;
	  }
      if (!(is_sum || is_same) || !INTEGRAL_TYPE_P (TREE_TYPE (next))
	  || TYPE_PRECISION (TREE_TYPE (next)) != TYPE_PRECISION (TREE_TYPE (value)))
	return value;
      *number += is_sum ? TREE_INT_CST_LOW (gimple_assign_rhs2 (def)) : 0;
      value = next;
    }
  return value;
}

/* True if A and B are integers of the same bits, wherever both are computed.  */
static bool
same_integer_p (const_tree a, const_tree b)
{
  unsigned HOST_WIDE_INT more_a = 0, more_b = 0;
  if (!INTEGRAL_TYPE_P (TREE_TYPE (a)) || TYPE_PRECISION (TREE_TYPE (a)) > 64
      || TYPE_PRECISION (TREE_TYPE (a)) != TYPE_PRECISION (TREE_TYPE (b)))
    return false;
  a = without_numbers (a, &more_a);
  b = without_numbers (b, &more_b);
  return a == b && zext_hwi (more_a - more_b, TYPE_PRECISION (TREE_TYPE (a))) == 0;
}

/* Set OUT to what PHI is, which is no loop's: where ways meet that compute the same, each in its own way.  */
static enum pg_form
analyse_meeting (struct pg_plan *plan, gphi *phi, struct linear_form *out, int depth)
{
  if (meetings_left-- <= 0)
    return PG_FORM_NONLINEAR;
  if (same_on_all_ways_p (phi))
    /* What is computed in the loop tells more than what only goes by its name.  On other ways it may have wrapped
       around.  */
    for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
      if (!pg_invariant_p (plan, gimple_phi_arg_def (phi, i)) || i + 1 == gimple_phi_num_args (phi))
	{
	  enum pg_form result = analyse (plan, gimple_phi_arg_def (phi, i), out, depth + 1);
	  out->wraps |= TYPE_PRECISION (TREE_TYPE (gimple_phi_result (phi))) < 64;
	  return result;
	}
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      struct linear_form form;
      enum pg_form result = analyse (plan, gimple_phi_arg_def (phi, i), &form, depth + 1);
      if (result != PG_FORM_LINEAR)
	return result;
      if (form.wraps || (i > 0 && (form.pointer != out->pointer || !pg_linear_equal (&form.value, &out->value))))
	return PG_FORM_NONLINEAR;
      *out = form;
    }
  return PG_FORM_LINEAR;
}

/* The same for VALUE, an SSA name, by what it is defined as.  */
static enum pg_form
analyse_definition (struct pg_plan *plan, tree value, struct linear_form *out, int depth)
{
  gimple *def = SSA_NAME_DEF_STMT (value);
  class loop *loop = gimple_bb (def)->loop_father;
  enum pg_form result = PG_FORM_NONLINEAR;
  if (tree loaded = pg_loaded_on_entry (plan, value))
    {
      invariant_form (plan, loaded, out);
      return PG_FORM_LINEAR;
    }
  if (pg_carried_of (plan, value) >= 0)
    result = analyse_counter (plan, value, out);
  else if (const struct pg_plan_cursor *cursor = pg_cursor_of (plan, value))
    return analyse_cursor (plan, cursor, out);
  else if (is_a<gphi *> (def))
    {
      if (gimple_bb (def) == loop->header)
	result = analyse_header_phi (plan, value, loop, out, depth);
      else if (gimple_phi_num_args (def) == 1 && bb_loop_depth (gimple_bb (def)) >= bb_loop_depth (plan->loop->header)
	       && TREE_CODE (gimple_phi_arg_def (def, 0)) == SSA_NAME
	       && !SSA_NAME_IS_DEFAULT_DEF (gimple_phi_arg_def (def, 0))
	       && gimple_bb (SSA_NAME_DEF_STMT (gimple_phi_arg_def (def, 0)))->loop_father == loop)
	result = analyse (plan, gimple_phi_arg_def (def, 0), out, depth + 1);
      else if (gimple_phi_num_args (def) > 1)
	result = analyse_meeting (plan, as_a<gphi *> (def), out, depth);
    }
  else if (gimple_assign_load_p (def))
    return PG_FORM_INDIRECT;
  else if (is_gimple_assign (def) && gimple_assign_rhs_code (def) == ADDR_EXPR)
    {
      HOST_WIDE_INT len;
      result = analyse_place (plan, TREE_OPERAND (gimple_assign_rhs1 (def), 0), out, &len, depth);
    }
  else if (is_gimple_assign (def) && operation_p (gimple_assign_rhs_code (def)))
    result = analyse_operation (plan, gimple_assign_rhs_code (def), TREE_TYPE (value), gimple_assign_rhs1 (def),
				gimple_num_ops (def) > 2 ? gimple_assign_rhs2 (def) : NULL_TREE, out, depth);
  if (result == PG_FORM_NONLINEAR && fed_by_load_p (plan, value, 0))
    return PG_FORM_INDIRECT;
  return result;
}

int
pg_dim_of (const struct pg_plan *plan, const class loop *loop)
{
  for (; loop; loop = loop_outer (loop))
    for (unsigned d = 0; d < plan->dims.length (); d++)
      if (plan->dims[d].loop == loop)
	return d;
  return -1;
}

/* True if LOOP's header touches no memory but to load what the entry of PLAN's loop loads, too.  */
static bool
header_is_plain_p (struct pg_plan *plan, const class loop *loop)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (loop->header); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (!is_gimple_debug (stmt) && gimple_vuse (stmt)
	  && !(gimple_assign_load_p (stmt) && pg_loaded_on_entry (plan, gimple_assign_lhs (stmt))))
	return false;
    }
  return true;
}

/* Set *LAST to the number of the last iteration that DESC gives, which only the entry knows: computed as one value,
   zero where the loop would be left at once, and more than any address allows where GCC's count does not hold.  */
static bool
analyse_count (struct pg_plan *plan, class tree_niter_desc *desc, struct pg_plan_linear *last)
{
  tree type = long_long_integer_type_node;
  if (!pg_invariant_p (plan, desc->niter) || !pg_invariant_p (plan, desc->may_be_zero)
      || !pg_invariant_p (plan, desc->assumptions))
    return false;
  tree n = unshare_expr (desc->niter);
  /* A count below half of what its type can hold: one in the upper half, negative if it is read with a sign, then says
     that the loop is not reached.  */
  if (wi::ltu_p (desc->max, wi::lshift (widest_int (1), TYPE_PRECISION (TREE_TYPE (n)) - 1)))
    n = fold_convert (signed_type_for (TREE_TYPE (n)), n);
  n = fold_convert (type, n);
  if (!integer_zerop (desc->may_be_zero))
    n = fold_build3 (COND_EXPR, type, unshare_expr (desc->may_be_zero), build_zero_cst (type), n);
  if (!integer_onep (desc->assumptions))
    n = fold_build3 (COND_EXPR, type, unshare_expr (desc->assumptions), n, TYPE_MAX_VALUE (type));
  if (generic_expr_could_trap_p (n))
    return false;
  struct linear_form form;
  invariant_form (plan, n, &form);
  *last = form.value;
  return true;
}

/* Set *OUT to VALUE as an integer, not only modulo 2^precision.  */
static bool
analyse_exactly (struct pg_plan *plan, tree value, struct pg_plan_linear *out)
{
  struct linear_form form;
  meetings_left = max_meetings;
  if (pg_invariant_p (plan, value) && !generic_expr_could_trap_p (value))
    invariant_form (plan, value, &form);
  else if (analyse (plan, value, &form, 0) != PG_FORM_LINEAR)
    {
      tree known = pg_known_on_entry (plan, value);
      if (!known)
	return false;
      invariant_form (plan, known, &form);
    }
  *out = form.value;
  return !form.wraps || check_fits (plan, form.value, TREE_TYPE (value));
}

/* Set LAST of DIM to the number of the last iteration of its loop, which is left by EXIT, as a function of outer
   iterations, if it counts by one:

       for (j = i + 1; j < n; j++)	behind an iteration, j + 1 < n is tested: n - (i + 2)

   The distance from what is tested first to the end: where that is negative, the test fails at once.  GCC's count, the
   same modulo 2^precision, does not tell that from a large one.  In 64 bits it makes no difference, as no loop gets so
   far; nor does it where the end is the largest number, and the loop has none.  But without a sign, what is negative
   here is beyond all ends, and the loop has no iteration then: that is noted.  */
static bool
analyse_distance (struct pg_plan *plan, struct pg_plan_dim *dim, edge exit, bool is_loaded)
{
  struct pg_plan_linear *last = &dim->last;
  class loop *loop = dim->loop;
  struct pg_exit_test test;
  struct pg_plan_linear from, to;
  if (!pg_find_exit_test (loop, exit, &test) || test.is_loaded != is_loaded || !address_type_p (test.type)
      || !dominated_by_p (CDI_DOMINATORS, loop->latch, exit->src))
    return false;
  bool up = integer_onep (test.value.step), down = integer_all_onesp (test.value.step);
  bool inclusive = test.code == (up ? LE_EXPR : GE_EXPR);
  if ((!up && !down) || (test.code != NE_EXPR && test.code != (up ? LT_EXPR : GT_EXPR) && !inclusive)
      || !analyse_exactly (plan, test.value.base, &from) || !analyse_exactly (plan, test.end, &to))
    return false;
  *last = pg_linear_binary (plan, PG_NODE_SUB, up ? to : from, up ? from : to);
  dim->has_least = INTEGRAL_TYPE_P (test.type) && TYPE_UNSIGNED (test.type) && TYPE_PRECISION (test.type) == 64
		   && test.code != NE_EXPR;
  dim->least = up ? from : to;
  if (inclusive)
    last->base = pg_node_binary (plan, PG_NODE_ADD, last->base, pg_node_constant (plan, 1));
  /* From behind the end the way to it is around all numbers.  */
  return test.code != NE_EXPR || test.value.no_overflow || check_fits (plan, *last, unsigned_type_for (test.type));
}

/* Find out how often DIM's loop runs.  */
static bool
analyse_last (struct pg_plan *plan, struct pg_plan_dim *dim)
{
  class loop *loop = dim->loop;
  edge exit = single_exit (loop);
  class tree_niter_desc desc;
  if (!exit)
    return false;
  bool is_counted = number_of_iterations_exit_assumptions (loop, exit, &desc, NULL) && desc.niter
		    && !chrec_contains_undetermined (desc.niter) && TYPE_PRECISION (TREE_TYPE (desc.niter)) <= 64;
  bool may_be_zero = !is_counted || !integer_zerop (desc.may_be_zero);
  bool is_known = is_counted && may_be_zero && analyse_count (plan, &desc, &dim->last);
  dim->tests_first = exit->src == loop->header && header_is_plain_p (plan, loop);
  dim->once = may_be_zero && !is_known && !dim->tests_first;
  if (!is_known && !analyse_distance (plan, dim, exit, !is_counted)
      && (may_be_zero || !analyse_count (plan, &desc, &dim->last)))
    return false;
  /* What comes behind the test is not run in the last iteration.  */
  if (dim->tests_first)
    dim->last.base = pg_node_binary (plan, PG_NODE_SUB, dim->last.base, pg_node_constant (plan, 1));
  return true;
}

/* True if iterations of LOOP hand on a floating-point number.  */
static bool
carries_float_p (class loop *loop)
{
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi); gsi_next (&psi))
    if (SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_phi_result (psi.phi ()))))
      return true;
  return false;
}

/* How many dimensions of PLAN are around DIM, that one included.  */
static int
depth_of (const struct pg_plan *plan, int dim)
{
  int depth = 0;
  for (; dim >= 0; dim = plan->dims[dim].parent)
    depth++;
  return depth;
}

/* Give LOOP's inner loops dimensions, outer before inner, in the order of the loop tree.  A loop whose count is not
   linear has none: what varies with it is opaque.  */
static void
analyse_inner_dims (struct pg_plan *plan, class loop *loop)
{
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    {
      struct pg_plan_dim dim
	= { inner, pg_dim_of (plan, loop), false, false, carries_float_p (inner), pg_linear_zero (),
	    false, pg_linear_zero (),      -1,    0 };
      bool direct = plan->dims[dim.parent].loop == loop;
      if (direct && plan->dims.length () < PG_MAX_DIMS && depth_of (plan, dim.parent) < PG_MAX_DEPTH
	  && analyse_last (plan, &dim))
	plan->dims.safe_push (dim);
      analyse_inner_dims (plan, inner);
    }
}

void
pg_analyse_dims (struct pg_plan *plan)
{
  struct pg_plan_dim dim = { plan->loop, -1, false, false, false, pg_linear_zero (), false, pg_linear_zero (), -1, 0 };
  plan->dims.safe_push (dim);
  analyse_inner_dims (plan, plan->loop);
}

int
pg_turns_dim (struct pg_plan *plan, int parent, const struct pg_plan_linear *last)
{
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (!plan->dims[d].loop && plan->dims[d].counter < 0 && plan->dims[d].parent == parent
	&& pg_linear_equal (&plan->dims[d].last, last))
      return d;
  if (plan->dims.length () == PG_MAX_DIMS || depth_of (plan, parent) == PG_MAX_DEPTH)
    return -1;
  struct pg_plan_dim dim = { NULL, parent, false, true, false, *last, false, pg_linear_zero (), -1, 0 };
  plan->dims.safe_push (dim);
  return plan->dims.length () - 1;
}

/* Have OUT in the dimension of a counter, if there is one in its address: it must be the only one, inner loops
   included.  */
static void
choose_dim (const struct pg_plan *plan, struct pg_analysed *out)
{
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (out->value.coef[d] >= 0 && plan->dims[d].counter >= 0)
      out->dim = d;
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (plan->dims[out->dim].counter >= 0 && (int) d != out->dim && out->value.coef[d] >= 0)
      out->form = PG_FORM_NONLINEAR;
}

/* Fill in OUT for where REF is: its pointer, too, if that is all that is known.  *LEN is its length, or -1 if that is
   not whole bytes.  */
static enum pg_form
analyse_place (struct pg_plan *plan, tree ref, struct linear_form *out, HOST_WIDE_INT *len, int depth)
{
  poly_int64 bit_len, bit_pos;
  tree offset;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;
  tree base = get_inner_reference (ref, &bit_len, &bit_pos, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
  HOST_WIDE_INT len_bits, pos_bits;
  *len = -1;
  out->pointer = NULL_TREE;
  if (!bit_pos.is_constant (&pos_bits) || pos_bits % BITS_PER_UNIT)
    return PG_FORM_NONLINEAR;
  if (bit_len.is_constant (&len_bits) && len_bits > 0 && len_bits % BITS_PER_UNIT == 0)
    *len = len_bits / BITS_PER_UNIT;

  HOST_WIDE_INT constant = pos_bits / BITS_PER_UNIT;
  enum pg_form result = PG_FORM_NONLINEAR;
  if (TREE_CODE (base) == MEM_REF)
    {
      result = analyse (plan, TREE_OPERAND (base, 0), out, depth + 1);
      if (result != PG_FORM_LINEAR)
	out->pointer = NULL_TREE;
      constant += mem_ref_offset (base).force_shwi ().to_constant ();
    }
  else if (DECL_P (base))
    {
      invariant_form (plan, build_fold_addr_expr (base), out);
      result = PG_FORM_LINEAR;
    }
  if (result == PG_FORM_LINEAR && offset)
    {
      struct linear_form variable;
      result = analyse (plan, offset, &variable, depth + 1);
      if (result == PG_FORM_LINEAR)
	out->value = pg_linear_binary (plan, PG_NODE_ADD, out->value, variable.value);
    }
  if (result == PG_FORM_LINEAR)
    out->value.base = pg_node_binary (plan, PG_NODE_ADD, out->value.base, pg_node_constant (plan, constant));
  return result;
}

/* Fill in OUT but for its dimension, and *LEN, for REF.  */
static void
analyse_reference (struct pg_plan *plan, tree ref, struct pg_analysed *out, HOST_WIDE_INT *len)
{
  struct linear_form place;
  meetings_left = max_meetings;
  out->form = analyse_place (plan, ref, &place, len, 0);
  if (*len < 0)
    out->form = PG_FORM_NONLINEAR;
  out->pointer = *len < 0 ? NULL_TREE : place.pointer;
  out->value = out->form == PG_FORM_LINEAR ? place.value : pg_linear_zero ();
}

/* The dimension of what BB does: where that loop tests first, its header runs even if the body never does.  */
static int
dim_at (const struct pg_plan *plan, basic_block bb)
{
  int dim = pg_dim_of (plan, bb->loop_father);
  const struct pg_plan_dim *of_loop = &plan->dims[dim];
  return of_loop->tests_first && of_loop->loop->header == bb ? of_loop->parent : dim;
}

void
pg_analyse_address (struct pg_plan *plan, tree ref, basic_block at, struct pg_analysed *out, HOST_WIDE_INT *len)
{
  access_block = at;
  access_counter = NULL_TREE;
  analyse_reference (plan, ref, out, len);
  access_block = NULL;
  out->dim = dim_at (plan, at);
  if (out->form == PG_FORM_LINEAR)
    choose_dim (plan, out);
  if (out->form != PG_FORM_LINEAR)
    out->dim = dim_at (plan, at);
}

bool
pg_analyse_integer (struct pg_plan *plan, tree value, basic_block at, struct pg_plan_linear *out)
{
  struct linear_form form;
  meetings_left = max_meetings;
  access_block = at;
  access_counter = NULL_TREE;
  bool is_linear = analyse (plan, value, &form, 0) == PG_FORM_LINEAR && !form.wraps && !access_counter;
  access_block = NULL;
  *out = form.value;
  return is_linear;
}

bool
pg_linear_add_product (struct pg_plan *plan, struct pg_plan_linear *sum, HOST_WIDE_INT number,
		       const struct pg_plan_linear *factors, int n)
{
  struct pg_plan_linear product = pg_linear_zero ();
  product.base = pg_node_constant (plan, number);
  for (int i = 0; i < n; i++)
    if (pg_linear_invariant_p (factors[i]))
      product = pg_linear_scale (plan, product, factors[i].base);
    else if (pg_linear_invariant_p (product))
      product = pg_linear_scale (plan, factors[i], product.base);
    else
      return false;
  *sum = pg_linear_binary (plan, PG_NODE_ADD, *sum, product);
  return true;
}
