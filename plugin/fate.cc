/* SPDX-License-Identifier: GPL-3.0-or-later
   What becomes of floating-point products: GCC fuses a product that all of its uses, sums of its own block, can take
   in, one product after the other in the order of the block.

       t = a[i] * b[i];  u = c[i] * d[i];  s = t + u;	    s = fma (a[i], b[i], u): the first one is fused

   F and the original loop are compiled apart and know different things of their pointers.  So nothing of this may
   depend on what only one of them can do: move a product out of a loop because nothing of it varies there, make one
   product of two that are made of the same loads, change the order of products, find that both factors are the same,
   so that there is no need for an absolute value between the product and a sum, drop parentheses, or go from a branch
   with a product straight to the sum behind where branches meet.   What copies of iterations
   may do to products is another story (copies.cc).  */

#include "fate.h"
#include "factors.h"

/* Steps of a walk over expressions, after which the answer is the one that costs least to be wrong about.  */
static const unsigned max_steps = 200;

static bool
product_p (tree value)
{
  return TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value))
	 && gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value)) == MULT_EXPR;
}

static bool
target_fuses_p (const_tree type)
{
  return direct_internal_fn_supported_p (IFN_FMA, CONST_CAST_TREE (type), OPTIMIZE_FOR_SPEED)
	 || direct_internal_fn_supported_p (IFN_FMS, CONST_CAST_TREE (type), OPTIMIZE_FOR_SPEED);
}

bool
pg_target_fuses_p (tree value)
{
  return product_p (value) && FLOAT_TYPE_P (TREE_TYPE (value)) && target_fuses_p (TREE_TYPE (value));
}

bool
pg_fusable_p (tree value)
{
  return flag_fp_contract_mode == FP_CONTRACT_FAST && pg_target_fuses_p (value)
	 && !pg_exact_p (SSA_NAME_DEF_STMT (value));
}

static bool
negation_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == NEGATE_EXPR;
}

static bool
absolute_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == ABS_EXPR;
}

bool
pg_sign_p (gimple *stmt)
{
  return negation_p (stmt) || absolute_p (stmt);
}

bool
pg_sum_p (gimple *stmt)
{
  return is_gimple_assign (stmt)
	 && (gimple_assign_rhs_code (stmt) == PLUS_EXPR || gimple_assign_rhs_code (stmt) == MINUS_EXPR);
}

tree
pg_strip_negation (tree value)
{
  if (TREE_CODE (value) == SSA_NAME && negation_p (SSA_NAME_DEF_STMT (value)))
    return gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
  return value;
}

static bool varies_p (tree value, const class loop *loop, unsigned *n_steps);

/* True if PHI, in the header of its loop, may be what is always loaded from one address.  */
static bool
kept_load_p (gphi *phi, unsigned *n_steps)
{
  const class loop *loop = gimple_bb (phi)->loop_father;
  tree next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
  return TREE_CODE (next) != SSA_NAME
	 || (gimple_assign_load_p (SSA_NAME_DEF_STMT (next)) && !varies_p (next, loop, n_steps));
}

/* True if VALUE is sure to be computed in each iteration of LOOP: not even without any store could it be moved out, nor
   on one of several ways to it, as that around an inner loop that takes no turn; but for 0 and 1, products by which
   are exact.  */
static bool
varies_p (tree value, const class loop *loop, unsigned *n_steps)
{
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value) || *n_steps == 0)
    return false;
  --*n_steps;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (!flow_bb_inside_loop_p (loop, gimple_bb (def)))
    return false;
  if (gphi *phi = dyn_cast<gphi *> (def))
    {
      if (bb_loop_header_p (gimple_bb (phi)))
	return !kept_load_p (phi, n_steps);
      bool varies = false;
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	{
	  tree arg = gimple_phi_arg_def (phi, i);
	  if (real_zerop (arg) || real_onep (arg))
	    continue;
	  if (!varies_p (arg, loop, n_steps))
	    return false;
	  varies = true;
	}
      return varies;
    }
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, def, it, SSA_OP_USE)
    if (varies_p (use, loop, n_steps))
      return true;
  return false;
}

/* True if STMT may be a value that it uses, unchanged: where branches become other ones, a loop is unrolled, or the
   vectoriser, which does not keep parentheses, was there.  */
static bool
passes_on_p (gimple *stmt)
{
  if (is_a<gphi *> (stmt))
    return !bb_loop_header_p (gimple_bb (stmt)) || pg_few_turns_p (gimple_bb (stmt)->loop_father);
  return is_gimple_assign (stmt)
	 && (gimple_assign_rhs_code (stmt) == PAREN_EXPR || gimple_assign_rhs_code (stmt) == COND_EXPR);
}

/* True if VALUE may be what a sum adds, with whatever sign, if all that passes it on does.  */
static bool
summed_behind_p (tree value, unsigned *n_steps)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt))
	continue;
      if (pg_sum_p (stmt) || *n_steps == 0)
	return true;
      --*n_steps;
      if ((passes_on_p (stmt) || pg_sign_p (stmt)) && summed_behind_p (gimple_get_lhs (stmt), n_steps))
	return true;
    }
  return false;
}

/* The fate of VALUE, a product of block BB or one with another sign, given the sums that it goes into.  */
static enum pg_fate
fate_by_uses (tree value, basic_block bb, bool *accumulates)
{
  unsigned n_uses = 0, n_sums = 0;
  enum pg_fate fate = PG_FATE_FUSED;
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt))
	continue;
      n_uses++;
      unsigned n_steps = max_steps;
      if (passes_on_p (stmt) && summed_behind_p (gimple_get_lhs (stmt), &n_steps))
	return PG_FATE_UNCERTAIN;
      enum pg_fate behind = pg_sign_p (stmt) ? fate_by_uses (gimple_assign_lhs (stmt), bb, accumulates) : PG_FATE_APART;
      if (absolute_p (stmt) && behind != PG_FATE_APART)
	return PG_FATE_UNCERTAIN;
      fate = MAX (fate, behind);
      if (!pg_sum_p (stmt) && behind == PG_FATE_APART)
	continue;
      n_sums++;
      /* Where branches become masks, vectors have all sums in one block, and iterations that fill none do not.  */
      if (gimple_bb (stmt) != bb)
	fate = PG_FATE_UNCERTAIN;
      if (!pg_sum_p (stmt))
	continue;
      tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
      tree other = a == value ? b : a;
      if (other == value)
	fate = PG_FATE_UNCERTAIN;
      else if (product_p (pg_strip_negation (other)))
	fate = MAX (fate, PG_FATE_ORDERED);
      gimple *def = TREE_CODE (other) == SSA_NAME ? SSA_NAME_DEF_STMT (other) : NULL;
      *accumulates |= def && (is_a<gphi *> (def) || gimple_assign_load_p (def));
    }
  if (n_sums == 0)
    return PG_FATE_APART;
  if (n_sums != n_uses)
    return PG_FATE_UNCERTAIN;
  return n_uses > 1 ? MAX (fate, PG_FATE_ORDERED) : fate;
}

static bool
touching_p (gimple *stmt)
{
  return gimple_vuse (stmt);
}

/* True if BB of LOOP ends with a branch by floating-point values of the iteration, which no range is known of.  */
static bool
branches_by_values_p (basic_block bb, const class loop *loop)
{
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (bb));
  unsigned n_steps = max_steps;
  return test && FLOAT_TYPE_P (TREE_TYPE (gimple_cond_lhs (test)))
	 && (varies_p (gimple_cond_lhs (test), loop, &n_steps) || varies_p (gimple_cond_rhs (test), loop, &n_steps));
}

/* True if VALUE, a product of block BB, stays out of all sums, as some of its uses are behind the branch at the block's
   end, and others before it, so that it is not moved there:

       while (k < n && x * x + y * y < 4)
	 t = x * x - y * y + a, ...

   The branch stays, as loops with several exits are not vectorised; and where there is no memory, nothing depends on
   what is known of pointers.  */
static bool
apart_by_branch_p (tree value, basic_block bb)
{
  class loop *loop = bb->loop_father;
  if (loop->inner || single_exit (loop) || pg_few_turns_p (loop) || pg_any_statement_p (loop, touching_p)
      || !branches_by_values_p (bb, loop))
    return false;
  bool before = false, behind = false;
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      before |= pg_sum_p (stmt) && gimple_bb (stmt) == bb;
      behind |= pg_sum_p (stmt) && gimple_bb (stmt) != bb && gimple_bb (stmt)->loop_father == loop;
    }
  return before && behind;
}

enum pg_fate
pg_fate_of (gassign *stmt, bool *accumulates)
{
  basic_block bb = gimple_bb (stmt);
  if (apart_by_branch_p (gimple_assign_lhs (stmt), bb))
    return PG_FATE_APART;
  enum pg_fate fate = fate_by_uses (gimple_assign_lhs (stmt), bb, accumulates);
  if (fate == PG_FATE_APART)
    return fate;
  unsigned n_steps = max_steps;
  if (!varies_p (gimple_assign_rhs1 (stmt), bb->loop_father, &n_steps)
      && !varies_p (gimple_assign_rhs2 (stmt), bb->loop_father, &n_steps))
    return PG_FATE_UNCERTAIN;
  return fate;
}

/* True if VALUE is sure to depend on which iteration of LOOP it is made in.  */
static bool
depends_on_turn_p (tree value, const class loop *loop, unsigned *n_steps)
{
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value) || *n_steps == 0)
    return false;
  --*n_steps;
  gimple *def = SSA_NAME_DEF_STMT (value);
  basic_block bb = gimple_bb (def);
  if (!flow_bb_inside_loop_p (loop, bb))
    return false;
  if (gphi *phi = dyn_cast<gphi *> (def))
    {
      if (bb == loop->header)
	return true;
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (!(bb_loop_header_p (bb) && gimple_phi_arg_edge (phi, i) == loop_latch_edge (bb->loop_father))
	    && depends_on_turn_p (gimple_phi_arg_def (phi, i), loop, n_steps))
	  return true;
      return false;
    }
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, def, it, SSA_OP_USE)
    if (depends_on_turn_p (use, loop, n_steps))
      return true;
  return false;
}

bool
pg_varies_around_p (const struct pg_plan *plan, gassign *stmt)
{
  unsigned n_steps = max_steps;
  for (class loop *loop = gimple_bb (stmt)->loop_father; loop != loop_outer (plan->loop); loop = loop_outer (loop))
    if (loop->inner && !depends_on_turn_p (gimple_assign_rhs1 (stmt), loop, &n_steps)
	&& !depends_on_turn_p (gimple_assign_rhs2 (stmt), loop, &n_steps))
      return false;
  return true;
}

/* True if N_LANES iterations of LOOP together are few turns.  */
static bool
few_turns_p (class loop *loop, HOST_WIDE_INT n_lanes)
{
  HOST_WIDE_INT most = likely_max_stmt_executions_int (loop);
  return most >= 0 && most <= (MAX (param_max_completely_peel_times, loop->unroll) + 1) * n_lanes;
}

bool
pg_few_turns_p (class loop *loop)
{
  return few_turns_p (loop, 1);
}

bool
pg_few_vector_turns_p (class loop *loop)
{
  machine_mode vector = targetm.vectorize.preferred_simd_mode (SFmode);
  return !loop->inner && flag_tree_loop_vectorize
	 && few_turns_p (loop, constant_lower_bound (GET_MODE_SIZE (vector)) / GET_MODE_SIZE (SFmode));
}

/* True if A and B are linear and keep a distance of *SHIFT bytes.  */
static bool
distance_of (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b, HOST_WIDE_INT *shift)
{
  HOST_WIDE_INT from, to;
  struct pg_plan_linear moved = b->address;
  moved.base = a->address.base;
  if (!(a->flags & b->flags & PG_REF_AFFINE) || a->group != b->group || !pg_linear_equal (&a->address, &moved)
      || pg_node_split (plan, a->address.base, &from) != pg_node_split (plan, b->address.base, &to))
    return false;
  *shift = to - from;
  return true;
}

/* The number of the dimension of LOOP; -1 if it has none.  */
static int
dim_of_loop (const struct pg_plan *plan, class loop *loop)
{
  int dim = pg_dim_of (plan, loop);
  return dim >= 0 && plan->dims[dim].loop == loop ? dim : -1;
}

/* True if PLAN's stores A and B may be vectorised together, and what they store with them, in an order that follows
   from the addresses: they lie side by side, or in one step of their loop.  */
static bool
may_be_grouped_p (const struct pg_plan *plan, const struct pg_plan_access *a, const struct pg_plan_access *b)
{
  const struct pg_plan_ref *first = &plan->refs[a->ref], *second = &plan->refs[b->ref];
  class loop *loop = gimple_bb (a->stmt)->loop_father;
  HOST_WIDE_INT shift, step;
  if (loop != gimple_bb (b->stmt)->loop_father)
    return false;
  if (!(first->flags & second->flags & PG_REF_AFFINE))
    return gimple_bb (a->stmt) == gimple_bb (b->stmt);
  if (!distance_of (plan, first, second, &shift) || shift == 0)
    return false;
  int dim = dim_of_loop (plan, loop);
  if (dim < 0)
    return true;
  if (loop->inner || !pg_node_value (plan, first->address.coef[dim], &step))
    step = 0;
  return absu_hwi (shift) <= (unsigned HOST_WIDE_INT) MAX (first->len, second->len)
	 || absu_hwi (shift) < absu_hwi (step);
}

/* True if LOOP computes an integer from iteration to iteration that is no function of their number.  */
static bool
reduces_integers_p (class loop *loop)
{
  for (gphi_iterator gpi = gsi_start_phis (loop->header); !gsi_end_p (gpi); gsi_next (&gpi))
    {
      tree result = gimple_phi_result (gpi.phi ());
      affine_iv iv;
      if (INTEGRAL_TYPE_P (TREE_TYPE (result)) && !simple_iv (loop, loop, result, &iv, true))
	return true;
    }
  return false;
}

/* True if several iterations of LOOP may become one block, or be run side by side, and so be vectorised in an order of
   its own: the rest of a vectorised loop is unrolled, too.  A vector of products is made where the last of its factors
   is loaded, which need not be the order of the products:

       x = a[i];  y = b[i];  e[i] = c[i] * d[i] + x * y;	X times Y comes first  */
static bool
may_be_joined_p (class loop *loop)
{
  bool unrolls = flag_unroll_jam || flag_predictive_commoning
		 || (flag_tree_slp_vectorize && loop_cost_model (loop) != VECT_COST_MODEL_VERY_CHEAP);
  return unrolls && !loop->inner;
}

/* True if node INDEX of PLAN is computed from the address of a variable.  */
static bool
of_variable_p (const struct pg_plan *plan, int index)
{
  if (index < 0)
    return false;
  const struct pg_plan_node *node = &plan->nodes[index];
  if (node->leaf)
    return TREE_CODE (node->leaf) == ADDR_EXPR;
  return node->op != PG_NODE_CONST && (of_variable_p (plan, node->a) || of_variable_p (plan, node->b));
}

/* True if ACCESS of PLAN is based on a variable.  */
static bool
variable_p (const struct pg_plan *plan, const struct pg_plan_access *access)
{
  tree base = get_base_address (access->operand);
  return (base && (DECL_P (base) || (TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == ADDR_EXPR)))
	 || of_variable_p (plan, plan->refs[access->ref].address.base);
}

/* True if PLAN's STORE may write, for all that the compiler knows, what its loop loads through another pointer: then
   the store of one iteration stays before the loads of the next one.  What is known of two variables is more where
   iterations are known by number.  */
static bool
keeps_its_place_p (const struct pg_plan *plan, const struct pg_plan_access *store)
{
  for (const struct pg_plan_access &load : plan->accesses)
    if (!load.is_store && gimple_bb (load.stmt) == gimple_bb (store->stmt)
	&& plan->refs[load.ref].group != plan->refs[store->ref].group
	&& pg_store_may_reach_load (store->operand, load.operand) && refs_may_alias_p (load.operand, store->operand)
	&& !(variable_p (plan, &load) && variable_p (plan, store)))
      return true;
  return false;
}

bool
pg_order_certain_p (const struct pg_plan *plan, class loop *loop)
{
  bool joins = may_be_joined_p (loop);
  for (class loop *l = loop; l != loop_outer (plan->loop); l = loop_outer (l))
    if (pg_few_turns_p (l) || reduces_integers_p (l))
      return false;
  for (unsigned i = 0; i < plan->accesses.length (); i++)
    {
      const struct pg_plan_access *store = &plan->accesses[i];
      if (!store->is_store)
	continue;
      if (joins && gimple_bb (store->stmt)->loop_father == loop && !keeps_its_place_p (plan, store))
	return false;
      for (unsigned j = 0; j < i; j++)
	if (plan->accesses[j].is_store && may_be_grouped_p (plan, store, &plan->accesses[j]))
	  return false;
    }
  return true;
}

/* Loads that are further apart than this are not kept from one iteration to the other.  */
static const HOST_WIDE_INT max_shift = 16;

/* A walk over two expressions side by side: is one of them, SHIFT iterations of dimension DIM later, the other?  */
struct twin_walk
{
  const struct pg_plan *plan;
  class loop *loop; /* of the products */
  int dim;          /* -1: unknown, any shift will do */
  bool shifted;     /* the shift is known */
  HOST_WIDE_INT shift;
  unsigned n_steps;
};

static bool
shift_by (struct twin_walk *w, HOST_WIDE_INT shift)
{
  bool same = !w->shifted || w->shift == shift || w->dim < 0;
  w->shifted = true;
  w->shift = w->dim < 0 ? MAX (w->shift, shift) : shift;
  return same;
}

/* The reference of the load STMT; null if it has none.  */
static const struct pg_plan_ref *
reference_of (const struct pg_plan *plan, gimple *stmt)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if (access.stmt == stmt && !access.is_store)
      return &plan->refs[access.ref];
  return NULL;
}

static bool
same_loads_p (struct twin_walk *w, gimple *a, gimple *b)
{
  const struct pg_plan_ref *first = reference_of (w->plan, a), *second = reference_of (w->plan, b);
  HOST_WIDE_INT bytes, step;
  if (!first || !second)
    return true;
  if (first == second)
    return shift_by (w, 0);
  if (first->len != second->len || !distance_of (w->plan, first, second, &bytes))
    return false;
  if (w->dim < 0)
    return shift_by (w, 1);
  return pg_node_value (w->plan, first->address.coef[w->dim], &step) && step != 0 && bytes % step == 0
	 && absu_hwi (bytes / step) <= max_shift && shift_by (w, bytes / step);
}

static bool same_values_p (struct twin_walk *w, tree a, tree b);

/* True if statements A and B of the loop compute the same from operands that may be the same.  */
static bool
same_operations_p (struct twin_walk *w, gimple *a, gimple *b)
{
  unsigned n = gimple_num_ops (a);
  if (gimple_code (a) != gimple_code (b) || n != gimple_num_ops (b))
    return false;
  if (gimple_assign_load_p (a) && gimple_assign_load_p (b))
    return same_loads_p (w, a, b);
  unsigned first = 1;
  if (is_gimple_call (a))
    {
      if (!gimple_call_same_target_p (a, b))
	return false;
      first = 3;
    }
  else if (!is_gimple_assign (a) || gimple_assign_rhs_code (a) != gimple_assign_rhs_code (b))
    return false;

  struct twin_walk before = *w;
  bool same = true;
  for (unsigned i = first; same && i < n; i++)
    same = same_values_p (w, gimple_op (a, i), gimple_op (b, i));
  if (same || n != 3 || !is_gimple_assign (a) || !commutative_tree_code (gimple_assign_rhs_code (a)))
    return same;
  before.n_steps = w->n_steps;
  *w = before;
  return same_values_p (w, gimple_op (a, 1), gimple_op (b, 2)) && same_values_p (w, gimple_op (a, 2), gimple_op (b, 1));
}

/* True if VALUE is one of PLAN's trails.  */
static bool
trail_p (const struct pg_plan *plan, tree value)
{
  for (const struct pg_plan_trail &trail : plan->trails)
    if (gimple_phi_result (trail.phi) == value)
      return true;
  return false;
}

/* True if A may be B, of the same iteration or another one.  Integers may.  */
static bool
same_values_p (struct twin_walk *w, tree a, tree b)
{
  if (w->n_steps == 0)
    return true;
  w->n_steps--;
  if (TREE_CODE (a) != SSA_NAME || TREE_CODE (b) != SSA_NAME)
    return operand_equal_p (a, b, 0);
  if (!types_compatible_p (TREE_TYPE (a), TREE_TYPE (b)))
    return false;
  basic_block in_a = gimple_bb (SSA_NAME_DEF_STMT (a)), in_b = gimple_bb (SSA_NAME_DEF_STMT (b));
  bool varies = in_a && flow_bb_inside_loop_p (w->loop, in_a);
  if (a == b)
    return !varies || shift_by (w, 0);
  if (INTEGRAL_TYPE_P (TREE_TYPE (a)))
    return true;
  if (trail_p (w->plan, a) || trail_p (w->plan, b))
    return shift_by (w, 1);
  return varies && in_b && flow_bb_inside_loop_p (w->plan->loop, in_b)
	 && same_operations_p (w, SSA_NAME_DEF_STMT (a), SSA_NAME_DEF_STMT (b));
}

enum pg_twins
pg_twins (const struct pg_plan *plan, gassign *a, gassign *b)
{
  class loop *loop = gimple_bb (a)->loop_father;
  bool jams = flag_unroll_jam && loop_depth (loop) > 1;
  bool any = jams || !plan->trails.is_empty ();
  struct twin_walk w = { plan, loop, any ? -1 : dim_of_loop (plan, loop), false, 0, max_steps };
  if (!same_operations_p (&w, a, b))
    return PG_TWINS_NO;
  if (w.shifted && w.shift == 0)
    return PG_TWINS_WITHOUT_STORES;
  return jams || flag_predictive_commoning || pg_few_turns_p (loop) ? PG_TWINS_SHIFTED : PG_TWINS_NO;
}
