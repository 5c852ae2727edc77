/* SPDX-License-Identifier: GPL-3.0-or-later
   Iterations that are alike: what one of them touches is what the one before touched, some bytes further, or none.

       for (k = 0; k < n; k++)
	 {
	   for (i = 0; i < m; i++)
	     work[i] = x[k * m + i];
	   for (half = 1; half < m; half *= 2)
	     for (i = 0; i < m; i += 2 * half)
	       for (j = i; j < i + half; j++)
		 work[j] += work[j + half];		not linear, but the same for each k
	   x[k * m] = work[0];
	 }

   Then one iteration tells of all, whatever its addresses are: the runtime has the monitor go through it, and sees
   which arrays it writes before it reads them, and that what it touches otherwise is apart from the same, moved on
   (runtime/alike.h).  So arrays are found to be work arrays whose addresses nobody can write down.

   Each value of the loop has a *shift*, what it gains from one iteration to the next, as a node, if that is one number.
   What all conditions but the loop's own test compare, and what inner loops count, has none; nor has what is computed
   from values without.  Nothing is loaded: memory may change.  */

#include "judge.h"
#include "nodes.h"

/* Recursion limit.  */
static const int max_depth = 200;

/* What is known of shifts of PLAN's loop: by the versions of names, the number of the node, -1 for none.  */
struct shifts
{
  struct pg_plan *plan;
  hash_map<tree, int> known;
  auto_vec<gphi *> open; /* in headers of inner loops: shifts are those of what they begin with, if that stays so */
};

static bool find_shift (struct shifts *shifts, tree value, int *shift, int depth);

/* True if TYPE's values are addresses, or numbers that go into them.  */
static bool
number_type_p (const_tree type)
{
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && TYPE_PRECISION (type) <= 64;
}

/* True if a sum of TYPE is the sum of numbers, or that modulo 2^64, as addresses are.  */
static bool
exact_p (const_tree type)
{
  return TYPE_PRECISION (type) == 64 || TYPE_OVERFLOW_UNDEFINED (type);
}

/* The node of NUMBER, an invariant; one of 64 bits as if it had a sign.  */
static int
node_of_number (struct pg_plan *plan, tree number)
{
  if (TREE_CODE (number) == INTEGER_CST && integer_zerop (number))
    return -1;
  if (TYPE_PRECISION (TREE_TYPE (number)) == 64)
    number = fold_convert (ssizetype, number);
  return TREE_CODE (number) == INTEGER_CST ? pg_node_constant (plan, wi::to_widest (number).to_shwi ())
					   : pg_node_of_invariant (plan, number);
}

/* Set *SHIFT to that of PHI, in the header of the loop itself.  */
static bool
find_step (struct shifts *shifts, gphi *phi, int *shift)
{
  affine_iv iv;
  class loop *loop = shifts->plan->loop;
  tree type = TREE_TYPE (gimple_phi_result (phi));
  if (!simple_iv (loop, loop, gimple_phi_result (phi), &iv, true) || generic_expr_could_trap_p (iv.step)
      || (TYPE_PRECISION (type) < 64 && !iv.no_overflow))
    return false;
  *shift = node_of_number (shifts->plan, iv.step);
  return true;
}

/* The same for any PHI of the loop.  */
static bool
find_phi (struct shifts *shifts, gphi *phi, int *shift, int depth)
{
  class loop *inner = gimple_bb (phi)->loop_father;
  if (gimple_bb (phi) == shifts->plan->loop->header)
    return find_step (shifts, phi, shift);
  if (gimple_bb (phi) == inner->header)
    {
      shifts->open.safe_push (phi);
      return find_shift (shifts, PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (inner)), shift, depth);
    }
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      int other;
      if (!find_shift (shifts, gimple_phi_arg_def (phi, i), &other, depth) || (i > 0 && other != *shift))
	return false;
      *shift = other;
    }
  return true;
}

/* Set *SHIFT to that of A times B, of which each has the shift that is given.  */
static bool
multiply (struct shifts *shifts, tree a, int shift_a, tree b, int shift_b, int *shift)
{
  if (shift_a < 0)
    return multiply (shifts, b, shift_b, a, shift_a, shift);
  tree known = shift_b < 0 ? pg_known_on_entry (shifts->plan, b) : NULL_TREE;
  if (!known || generic_expr_could_trap_p (known))
    return false;
  int factor = node_of_number (shifts->plan, known);
  *shift = factor < 0 ? -1 : pg_node_binary (shifts->plan, PG_NODE_MUL, shift_a, factor);
  return true;
}

/* True if a number of type FROM, one that moves, is the same in TYPE, or modulo 2^64.  */
static bool
keeps_p (const_tree type, const_tree from)
{
  unsigned bits = TYPE_PRECISION (type), from_bits = TYPE_PRECISION (from);
  if (bits == from_bits)
    return bits == 64 || TYPE_UNSIGNED (type) == TYPE_UNSIGNED (from);
  return bits > from_bits && (bits == 64 || TYPE_UNSIGNED (from) || !TYPE_UNSIGNED (type));
}

/* Set *SHIFT to that of CODE of A, and of B unless it is NULL_TREE, in TYPE.  */
static bool
find_operation (struct shifts *shifts, enum tree_code code, const_tree type, tree a, tree b, int *shift, int depth)
{
  int shift_a, shift_b = -1;
  if (!find_shift (shifts, a, &shift_a, depth) || (b && !find_shift (shifts, b, &shift_b, depth)))
    return false;
  *shift = -1;
  if (shift_a < 0 && shift_b < 0)
    return true;
  if (CONVERT_EXPR_CODE_P (code) || code == NON_LVALUE_EXPR || code == SSA_NAME)
    {
      *shift = shift_a;
      return keeps_p (type, TREE_TYPE (a));
    }
  if (!exact_p (type))
    return false;
  switch (code)
    {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      *shift = pg_node_binary (shifts->plan, PG_NODE_ADD, shift_a, shift_b);
      break;
    case MINUS_EXPR:
      *shift = shift_a == shift_b ? -1 : pg_node_binary (shifts->plan, PG_NODE_SUB, shift_a, shift_b);
      break;
    case POINTER_DIFF_EXPR:
      *shift = -1;
      return shift_a == shift_b;
    case NEGATE_EXPR:
      *shift = pg_node_binary (shifts->plan, PG_NODE_SUB, -1, shift_a);
      break;
    case MULT_EXPR:
      return multiply (shifts, a, shift_a, b, shift_b, shift);
    case LSHIFT_EXPR:
      /* In a type with a sign, too, bits are lost, which is no overflow.  */
      if (TYPE_PRECISION (type) < 64 || !tree_fits_uhwi_p (b) || tree_to_uhwi (b) > 31)
	return false;
      *shift = pg_node_binary (shifts->plan, PG_NODE_MUL, shift_a,
			       pg_node_constant (shifts->plan, HOST_WIDE_INT_1 << tree_to_uhwi (b)));
      break;
    default:
      return false;
    }
  return true;
}

/* Set *SHIFT to that of the address of REF.  */
static bool
find_place (struct shifts *shifts, tree ref, int *shift, int depth)
{
  poly_int64 bit_len, bit_pos;
  tree offset;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile, by = -1;
  tree base = get_inner_reference (ref, &bit_len, &bit_pos, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
  *shift = -1;
  if (TREE_CODE (base) == MEM_REF ? !find_shift (shifts, TREE_OPERAND (base, 0), shift, depth)
				  : !DECL_P (base) || (VAR_P (base) && DECL_THREAD_LOCAL_P (base)))
    return false;
  if (offset && !find_shift (shifts, offset, &by, depth))
    return false;
  *shift = pg_node_binary (shifts->plan, PG_NODE_ADD, *shift, by);
  return true;
}

/* Set *SHIFT to that of what STMT makes.  */
static bool
find_made (struct shifts *shifts, gimple *stmt, int *shift, int depth)
{
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    return find_phi (shifts, phi, shift, depth);
  if (pg_constant_call_p (stmt))
    {
      *shift = -1;
      for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
	if (!find_shift (shifts, gimple_call_arg (stmt, i), shift, depth) || *shift >= 0)
	  return false;
      return true;
    }
  if (!is_gimple_assign (stmt) || gimple_vuse (stmt))
    return false;
  tree a = gimple_assign_rhs1 (stmt), type = TREE_TYPE (gimple_assign_lhs (stmt));
  enum tree_code code = gimple_assign_rhs_code (stmt);
  if (get_gimple_rhs_class (code) == GIMPLE_TERNARY_RHS)
    {
      for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	if (!find_shift (shifts, gimple_op (stmt, i), shift, depth) || *shift >= 0)
	  return false;
      return true;
    }
  if (get_gimple_rhs_class (code) == GIMPLE_SINGLE_RHS)
    return find_shift (shifts, a, shift, depth);
  return find_operation (shifts, code, type, a, gimple_assign_rhs2 (stmt), shift, depth);
}

/* Set *SHIFT to that of VALUE, a GIMPLE value or an expression of such.  False: it has none.  */
static bool
find_shift (struct shifts *shifts, tree value, int *shift, int depth)
{
  *shift = -1;
  if (depth > max_depth)
    return false;
  if (TREE_CODE (value) == ADDR_EXPR)
    return find_place (shifts, TREE_OPERAND (value, 0), shift, depth + 1);
  if (!number_type_p (TREE_TYPE (value)))
    return false;
  if (pg_invariant_p (shifts->plan, value))
    return true;
  if (TREE_CODE (value) != SSA_NAME)
    return (UNARY_CLASS_P (value) || BINARY_CLASS_P (value) || COMPARISON_CLASS_P (value))
	   && find_operation (shifts, TREE_CODE (value), TREE_TYPE (value), TREE_OPERAND (value, 0),
			      UNARY_CLASS_P (value) ? NULL_TREE : TREE_OPERAND (value, 1), shift, depth + 1);
  if (int *known = shifts->known.get (value))
    {
      *shift = *known;
      return true;
    }
  if (!find_made (shifts, SSA_NAME_DEF_STMT (value), shift, depth + 1))
    return false;
  shifts->known.put (value, *shift);
  return true;
}

/* True if what the branch at the end of BB compares is the same in all iterations.  */
static bool
branches_alike_p (struct shifts *shifts, basic_block bb)
{
  gimple *last = last_stmt (bb);
  int shift;
  if (single_succ_p (bb) || bb == shifts->plan->exit->src)
    return true;
  if (gcond *test = safe_dyn_cast<gcond *> (last))
    return find_shift (shifts, gimple_cond_lhs (test), &shift, 0) && shift < 0
	   && find_shift (shifts, gimple_cond_rhs (test), &shift, 0) && shift < 0;
  gswitch *choice = safe_dyn_cast<gswitch *> (last);
  return choice && find_shift (shifts, gimple_switch_index (choice), &shift, 0) && shift < 0;
}

/* True if what was taken for granted of PHIs holds.  */
static bool
keep_on_p (struct shifts *shifts)
{
  for (unsigned i = 0; i < shifts->open.length (); i++)
    {
      gphi *phi = shifts->open[i];
      int first, next;
      for (unsigned j = 0; j < gimple_phi_num_args (phi); j++)
	if (!find_shift (shifts, gimple_phi_result (phi), &first, 0)
	    || !find_shift (shifts, gimple_phi_arg_def (phi, j), &next, 0) || first != next)
	  return false;
    }
  return true;
}

/* True if iterations of SHIFTS' plan are alike: TOLD gets the shift of each reference.  */
static bool
find_shifts (struct shifts *shifts, vec<int> *told)
{
  struct pg_plan *plan = shifts->plan;
  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    if (!branches_alike_p (shifts, bb))
      return false;
  told->safe_grow (plan->refs.length ());
  for (int &shift : *told)
    shift = -2;
  for (const struct pg_plan_access &access : plan->accesses)
    {
      int shift;
      if (!gimple_assign_single_p (access.stmt) || !find_place (shifts, access.operand, &shift, 0)
	  || ((*told)[access.ref] != -2 && (*told)[access.ref] != shift))
	return false;
      (*told)[access.ref] = shift;
    }
  return keep_on_p (shifts);
}

/* True if the loop has nothing but iterations and scalar sums to it.  */
static bool
plain_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if (plan->exit_at_top && gimple_bb (access.stmt) == plan->loop->header)
      return false;
  return !plan->calls && plan->work_arrays.is_empty () && plan->trails.is_empty () && plan->entry_loads.is_empty ()
	 && plan->privates.is_empty () && !pg_has_tally_p (plan);
}

/* Have what reference REF of PLAN, a store at the same place in each iteration, goes to as a work array.  */
static bool
add_work_array (struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned ref)
{
  int group = plan->refs[ref].group;
  tree pointer = pg_pointer_of (plan, bases, ref);
  if (!pointer)
    return false;
  for (const struct pg_plan_ref &other : plan->refs)
    if (other.group == group && other.address.coef[0] >= 0)
      return false;
  if (!pg_base_is_at_hand_p (plan, pointer, group))
    return false;
  struct pg_plan_work_array array = { pointer, group, true, false, PG_REDUCE_ADD, PG_I8, 0 };
  plan->work_arrays.safe_push (array);
  return true;
}

/* Give PLAN's references the shifts that are TOLD.  True if what stays where it is is read only, or work arrays'.  */
static bool
take (struct pg_plan *plan, const vec<struct pg_base> &bases, const vec<int> &told)
{
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      tree pointer = pg_pointer_of (plan, bases, i);
      plan->refs[i].address.coef[0] = told[i];
      if (pointer)
	pg_unite (plan, bases, pointer, plan->refs[i].group);
    }
  for (unsigned i = 0; i < plan->refs.length (); i++)
    if ((plan->refs[i].flags & PG_REF_WRITE) && told[i] < 0 && !pg_work_array_of (plan, plan->refs[i].group)
	&& !add_work_array (plan, bases, i))
      return false;
  for (const struct pg_plan_ref &ref : plan->refs)
    if (ref.address.coef[0] >= 0 && pg_work_array_of (plan, ref.group))
      return false;
  return !plan->work_arrays.is_empty ();
}

bool
pg_find_alike (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  struct shifts shifts;
  auto_vec<int> told;
  auto_vec<struct pg_plan_ref> before;
  unsigned n_nodes = plan->nodes.length ();
  shifts.plan = plan;
  if ((plan->region_flags & PG_REGION_ALL_AFFINE) || !plain_p (plan))
    return false;
  before.safe_splice (plan->refs);
  if (find_shifts (&shifts, &told) && take (plan, bases, told))
    {
      plan->region_flags |= PG_REGION_ALIKE;
      return true;
    }
  plan->work_arrays.truncate (0);
  plan->refs.truncate (0);
  plan->refs.safe_splice (before);
  plan->nodes.truncate (n_nodes);
  return false;
}
