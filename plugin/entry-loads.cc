/* SPDX-License-Identifier: GPL-3.0-or-later
   Entry loads: what addresses and counts are computed from, and the loop loads itself each time from the same place.

       for (i = 0; i < m->rows; i++)		guard:	rows = m->rows, cols = rows > 0 ? m->cols : 0,
	 for (j = 0; j < m->cols; j++)			data = rows > 0 && cols > 0 ? m->data : 0
	   m->data[i * m->stride + j] = 0;	refs:	m->rows, m->cols, m->data, m->stride (read),
							data + 4 * stride * I + 4 * J (write)

   GCC leaves such a load in the loop where it may not be executed at all, or where the loop's stores might change what
   it loads.  The guard loads it where the first iteration is certain to, and from where that does: what this depends on
   may itself be loaded, but then by the iteration before it makes any store that could change it.

   That stores might change it needs no care where addresses and inner counts are computed from it: the load is a
   reference as others are.  If all that is written by addresses computed from the first value is apart from where the
   value is, as L1 shows, then the first store of all does not change it, so that the second is by the same value, and
   so on; whatever the order.  A value may come from several loads, by way of PHIs.

   Two things do: how often the loop itself runs, which is settled once, and what an iteration has from the one before,
   as where that has loaded behind its stores what this one begins with.  What F relies on like that is loaded in any
   case, and the runtime has to know that it stays what it is before anything runs (PG_REGION_RELIES_ON_LOADS).  */

#include "judge.h"
#include "summary.h"

/* More loads than this, one after the other, are taken as indirect.  */
static const unsigned max_loads = 32;

/* A value is looked for behind so many PHIs, and is made of others in so many steps.  */
static const unsigned max_phis = 16, max_depth = 8;

/* So often it is asked in one loop: with one load after the other, and many PHIs between, there may be no end.  */
static const unsigned max_asked = 4000;

/* True if REFERENCE is a scalar in memory that an address can be taken of, of a type that addresses are computed
   from.  */
static bool
plain_reference_p (const struct pg_plan *plan, tree reference)
{
  tree type = TREE_TYPE (reference);
  if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)) || TREE_CODE (type) == BOOLEAN_TYPE
      || !type_has_mode_precision_p (type) || TYPE_PRECISION (type) > 64 || TREE_THIS_VOLATILE (reference)
      || reverse_storage_order_for_component_p (reference) || !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (type)))
    return false;
  tree part = reference;
  for (; TREE_CODE (part) == COMPONENT_REF || TREE_CODE (part) == ARRAY_REF; part = TREE_OPERAND (part, 0))
    if (TREE_CODE (part) == COMPONENT_REF && DECL_BIT_FIELD_TYPE (TREE_OPERAND (part, 1)))
      return false;
  if (TREE_CODE (part) == MEM_REF && !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (part))))
    return false;
  part = get_base_address (part);
  if (TREE_CODE (part) == MEM_REF)
    return true;
  return VAR_P (part) && !DECL_THREAD_LOCAL_P (part) && !DECL_HARD_REGISTER (part) && !DECL_HAS_VALUE_EXPR_P (part)
	 && !pg_private_p (plan, part);
}

/* What may have been stored last before PLAN's loop: a virtual operand, or NULL_TREE if the loop stores nothing.  */
static tree
memory_on_entry (const struct pg_plan *plan)
{
  for (gphi_iterator psi = gsi_start_phis (plan->loop->header); !gsi_end_p (psi); gsi_next (&psi))
    if (virtual_operand_p (gimple_phi_result (psi.phi ())))
      return PHI_ARG_DEF_FROM_EDGE (psi.phi (), loop_preheader_edge (plan->loop));
  return NULL_TREE;
}

/* Append to LOADS those that NAME's value may come from: loads of PLAN's loop, and before it, with no store between.
   PHIS are those that were met.  False: it may come from something else.  */
static bool
find_loads (const struct pg_plan *plan, tree name, vec<gphi *> *phis, vec<gimple *> *loads)
{
  if (TREE_CODE (name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (name) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (name))
    return false;
  gimple *def = SSA_NAME_DEF_STMT (name);
  bool is_inside = flow_bb_inside_loop_p (plan->loop, gimple_bb (def));
  if (gimple_assign_load_p (def))
    {
      loads->safe_push (def);
      return is_inside || gimple_vuse (def) == memory_on_entry (plan);
    }
  gphi *phi = dyn_cast<gphi *> (def);
  if (!phi || !is_inside || phis->length () >= max_phis)
    return false;
  if (phis->contains (phi))
    return true;
  phis->safe_push (phi);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (!find_loads (plan, gimple_phi_arg_def (phi, i), phis, loads))
      return false;
  return true;
}

/* What is known of names while an expression of them is made one of what the entry knows.  */
struct rewriting
{
  struct pg_plan *plan;
  bool ok;
};

/* True if STORE may change what LOAD loads, whatever the iterations of the two.  */
static bool
may_reach_p (gimple *store, gimple *load)
{
  if (is_gimple_call (store))
    return pg_summary_of (as_a<gcall *> (store)) != NULL; /* else errno's alone */
  return pg_store_may_reach_load (gimple_get_lhs (store), gimple_assign_rhs1 (load));
}

/* True if STORE may change what one of LOADS loads before the first of them has.  */
static bool
comes_first_p (gimple *store, const vec<gimple *> &loads)
{
  bool reaches = false;
  for (gimple *load : loads)
    {
      if (pg_precedes_p (load, store))
	return false;
      reaches |= may_reach_p (store, load);
    }
  return reaches;
}

/* True if the first iteration of PLAN's loop has NAME, of what it loads, before a store might have changed that: if the
   guard goes by what is there on entry, it does what the loop does.  */
static bool
early_p (struct pg_plan *plan, tree name)
{
  auto_vec<gphi *> phis;
  auto_vec<gimple *> loads;
  if (!find_loads (plan, name, &phis, &loads))
    return false;
  for (gimple *load : loads)
    if (!flow_bb_inside_loop_p (plan->loop, gimple_bb (load)))
      return true;
  bool is_early = true;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes && is_early; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && is_early; gsi_next (&gsi))
      if (gimple_vdef (gsi_stmt (gsi)) && !gimple_clobber_p (gsi_stmt (gsi)))
	is_early = !comes_first_p (gsi_stmt (gsi), loads);
  free (body);
  return is_early;
}

/* Callback of walk_tree: put the names of entry loads for other names of the same values, for the guard to go by.  */
static tree
rewrite_name (tree *tp, int *walk_subtrees, void *data)
{
  struct rewriting *rewriting = (struct rewriting *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != SSA_NAME || pg_invariant_p (rewriting->plan, *tp))
    return NULL_TREE;
  tree name = early_p (rewriting->plan, *tp) ? pg_loaded_on_entry (rewriting->plan, *tp) : NULL_TREE;
  if (name)
    *tp = name;
  else
    rewriting->ok = false;
  return name ? NULL_TREE : *tp;
}

static tree known_on_entry (struct pg_plan *plan, tree value, bool be_early, unsigned depth);

/* VALUE in the first turn of LOOP.  */
static tree
at_first (const class loop *loop, tree value)
{
  gphi *phi = TREE_CODE (value) == SSA_NAME ? dyn_cast<gphi *> (SSA_NAME_DEF_STMT (value)) : NULL;
  return phi && gimple_bb (phi) == loop->header ? PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (loop)) : value;
}

/* What must hold before the loop for the only edge into BB to be taken, from where it leaves; or the first time, if
   that is the test in the header of an inner loop, which is left for good if it fails; NULL_TREE: it depends on the
   iteration.  */
static tree
condition_of (struct pg_plan *plan, basic_block bb)
{
  edge e = single_pred_edge (bb);
  if (single_succ_p (e->src))
    return boolean_true_node;
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (e->src));
  tree type = test ? TREE_TYPE (gimple_cond_lhs (test)) : NULL_TREE;
  if (!test || (!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)))
    return NULL_TREE;
  tree a = gimple_cond_lhs (test), b = gimple_cond_rhs (test);
  class loop *loop = e->src->loop_father;
  edge exit = loop == plan->loop ? NULL : single_exit (loop);
  if (e == exit)
    return boolean_true_node; /* once it is reached, it is left */
  if (exit && exit->src == e->src && e->src == loop->header)
    {
      a = at_first (loop, a);
      b = at_first (loop, b);
    }
  a = known_on_entry (plan, a, true, 0);
  b = known_on_entry (plan, b, true, 0);
  if (!a || !b)
    return NULL_TREE;
  enum tree_code code = gimple_cond_code (test);
  if (e->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison (code, false);
  return fold_build2 (code, boolean_type_node, a, b);
}

/* When the first iteration of PLAN's loop, if there is one, comes to BB; NULL_TREE: nobody knows.  */
static tree
when_reached (struct pg_plan *plan, basic_block bb)
{
  tree when = boolean_true_node;
  for (;;)
    {
      class loop *loop = bb->loop_father;
      if (pg_in_each_iteration_p (plan, loop, bb))
	{
	  if (loop == plan->loop)
	    return when;
	  bb = loop_preheader_edge (loop)->src;
	  continue;
	}
      tree condition = single_pred_p (bb) ? condition_of (plan, bb) : NULL_TREE;
      if (!condition)
	return NULL_TREE;
      when = fold_build2 (TRUTH_AND_EXPR, boolean_type_node, condition, when);
      bb = single_pred (bb);
    }
}

/* Entry loads of PLAN.  */
struct noted
{
  struct pg_plan *plan;
  auto_vec<struct pg_plan_entry_load *> loads;
};

/* The entry load of PLAN by NAME, or NULL.  */
static struct pg_plan_entry_load *
find_entry_load (struct pg_plan *plan, const_tree name)
{
  for (struct pg_plan_entry_load &known : plan->entry_loads)
    if (known.name == name)
      return &known;
  return NULL;
}

/* Where STMT of PLAN loads from, as the entry knows it; NULL_TREE: it does not.  */
static tree
known_place (struct pg_plan *plan, gimple *stmt)
{
  if (!plain_reference_p (plan, gimple_assign_rhs1 (stmt)))
    return NULL_TREE;
  struct rewriting rewriting = { plan, true };
  tree reference = unshare_expr (gimple_assign_rhs1 (stmt));
  walk_tree (&reference, rewrite_name, &rewriting, NULL);
  return rewriting.ok ? reference : NULL_TREE;
}

/* The place that all LOADS of PLAN are from; NULL_TREE: there is no such place.  */
static tree
place_of (struct pg_plan *plan, const vec<gimple *> &loads)
{
  tree place = known_place (plan, loads[0]);
  for (unsigned i = 1; i < loads.length () && place; i++)
    {
      tree other = known_place (plan, loads[i]);
      if (!other || !operand_equal_p (place, other, 0))
	place = NULL_TREE;
    }
  return place;
}

/* Names that it is being found out about whether they are loaded on entry.  */
static auto_vec<tree> in_question;

/* The place that all LOADS of PLAN are from, whose value NAME is, and WHEN the first iteration comes to NAME.
   False: one of them is not known, as where a value leads to what it is loaded from itself (p = p->next).  */
static bool
find_place (struct pg_plan *plan, tree name, const vec<gimple *> &loads, tree *place, tree *when)
{
  if (in_question.contains (name) || plan->n_asked++ > max_asked)
    return false;
  in_question.safe_push (name);
  *place = place_of (plan, loads);
  *when = *place ? when_reached (plan, gimple_bb (SSA_NAME_DEF_STMT (name))) : NULL_TREE;
  in_question.pop ();
  return *when;
}

tree
pg_loaded_on_entry (struct pg_plan *plan, tree name)
{
  if (pg_function_body_p (plan))
    return NULL_TREE; /* nothing comes before it */
  if (find_entry_load (plan, name))
    return name;
  auto_vec<gphi *> phis;
  auto_vec<gimple *> loads;
  tree reference, when;
  if (!find_loads (plan, name, &phis, &loads) || loads.is_empty ()
      || !find_place (plan, name, loads, &reference, &when))
    return NULL_TREE;
  for (const struct pg_plan_entry_load &known : plan->entry_loads)
    if (operand_equal_p (known.reference, reference, 0) && TREE_TYPE (known.name) == TREE_TYPE (name)
	&& (integer_onep (known.when) || operand_equal_p (known.when, when, 0)))
      return known.name;
  if (plan->entry_loads.length () >= max_loads)
    return NULL_TREE;
  struct pg_plan_entry_load load = { loads[0], name, reference, when, false };
  for (gimple *stmt : loads)
    if (flow_bb_inside_loop_p (plan->loop, gimple_bb (stmt)))
      load.stmt = stmt;
  plan->entry_loads.safe_push (load);
  return name;
}

bool
pg_harmless_p (enum tree_code code, tree b)
{
  if (TREE_CODE_CLASS (code) == tcc_comparison)
    return true;
  switch (code)
    {
    CASE_CONVERT:
    case PLUS_EXPR:
    case MINUS_EXPR:
    case POINTER_PLUS_EXPR:
    case POINTER_DIFF_EXPR:
    case MULT_EXPR:
    case NEGATE_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case BIT_NOT_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
      return true;
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
    case EXACT_DIV_EXPR:
    case TRUNC_DIV_EXPR:
      return TREE_CODE (b) == INTEGER_CST && tree_int_cst_sgn (b) > 0;
    default:
      return false;
    }
}

tree
pg_compute_on_entry (enum tree_code code, tree type, tree a, tree b)
{
  tree in = type;
  if (code == POINTER_PLUS_EXPR)
    {
      in = sizetype;
      code = PLUS_EXPR;
    }
  else if (code == POINTER_DIFF_EXPR)
    {
      in = unsigned_type_for (type);
      code = MINUS_EXPR;
    }
  else if (INTEGRAL_TYPE_P (type) && TYPE_OVERFLOW_UNDEFINED (type) && arith_code_with_undefined_signed_overflow (code))
    in = unsigned_type_for (type);
  if (in == type)
    return b ? fold_build2 (code, type, a, b) : fold_build1 (code, type, a);
  a = fold_convert (in, a);
  return fold_convert (type, b ? fold_build2 (code, in, a, fold_convert (in, b)) : fold_build1 (code, in, a));
}

/* The same as pg_known_on_entry, DEPTH steps from where that began; if BE_EARLY, the guard may go by it.  */
static tree
known_on_entry (struct pg_plan *plan, tree value, bool be_early, unsigned depth)
{
  tree type = TREE_TYPE (value);
  if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)) || depth > max_depth)
    return NULL_TREE;
  if (pg_invariant_p (plan, value))
    return contains_abnormal_ssa_name_p (value) || generic_expr_could_trap_p (value) ? NULL_TREE : unshare_expr (value);
  if (TREE_CODE (value) != SSA_NAME)
    return NULL_TREE;
  if (tree name = pg_loaded_on_entry (plan, value))
    return !be_early || early_p (plan, value) ? name : NULL_TREE;
  gassign *def = safe_dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value));
  if (!def || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value) || gimple_num_ops (def) > 3
      || !pg_harmless_p (gimple_assign_rhs_code (def), gimple_num_ops (def) > 2 ? gimple_assign_rhs2 (def) : NULL_TREE))
    return NULL_TREE;
  enum tree_code code = gimple_assign_rhs_code (def);
  bool is_binary = gimple_num_ops (def) == 3;
  tree a = known_on_entry (plan, gimple_assign_rhs1 (def), be_early, depth + 1);
  tree b = a && is_binary ? known_on_entry (plan, gimple_assign_rhs2 (def), be_early, depth + 1) : NULL_TREE;
  if (!a || (is_binary && !b))
    return NULL_TREE;
  if (be_early) /* it is computed where the loop might not */
    return pg_compute_on_entry (code, type, a, b);
  return b ? fold_build2 (code, type, a, b) : fold_build1 (code, type, a);
}

tree
pg_known_on_entry (struct pg_plan *plan, tree value)
{
  return known_on_entry (plan, value, false, 0);
}

/* Callback of walk_tree: note the entry loads that an expression depends on.  */
static tree
note_loads (tree *tp, int *walk_subtrees, void *data)
{
  struct noted *noted = (struct noted *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  struct pg_plan_entry_load *load = TREE_CODE (*tp) == SSA_NAME ? find_entry_load (noted->plan, *tp) : NULL;
  if (!load)
    return NULL_TREE;
  noted->loads.safe_push (load);
  walk_tree (&load->reference, note_loads, noted, NULL);
  return NULL_TREE;
}

bool
pg_rely_on_loads (struct pg_plan *plan, tree expression)
{
  struct noted noted;
  noted.plan = plan;
  walk_tree (&expression, note_loads, &noted, NULL);
  for (const struct pg_plan_entry_load *load : noted.loads)
    if (!integer_onep (load->when))
      return false;
  for (struct pg_plan_entry_load *load : noted.loads)
    load->is_relied_on = true;
  return true;
}

bool
pg_match_steady (struct pg_plan *plan, gphi *phi)
{
  tree name = pg_loaded_on_entry (plan, gimple_phi_result (phi));
  if (!name || !pg_rely_on_loads (plan, name))
    return false;
  plan->steady.safe_push (phi);
  return true;
}

bool
pg_relies_on_loads_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_entry_load &load : plan->entry_loads)
    if (load.is_relied_on)
      return true;
  return false;
}

bool
pg_keeps_original_p (const struct pg_plan *plan)
{
  return plan->inner_candidates || pg_relies_on_loads_p (plan);
}

/* True if STMT loads what F relies on.  */
static bool
relied_on_p (const struct pg_plan *plan, const gimple *stmt)
{
  for (const struct pg_plan_entry_load &load : plan->entry_loads)
    if (load.is_relied_on && load.stmt == stmt)
      return true;
  return false;
}

bool
pg_judge_loads (struct pg_plan *plan)
{
  if (!pg_relies_on_loads_p (plan))
    return true;
  plan->region_flags |= PG_REGION_RELIES_ON_LOADS;
  enum pg_reason why = plan->steady.is_empty () ? PG_WHY_UNCOUNTABLE : PG_WHY_CARRIED_SCALAR;
  for (const struct pg_plan_access &access : plan->accesses)
    {
      bool is_relied_on = relied_on_p (plan, access.stmt);
      unsigned *flags = &plan->refs[access.ref].flags;
      if ((access.is_store || is_relied_on) && !(*flags & PG_REF_AFFINE))
	return pg_refuse (plan, why, access.stmt);
      *flags |= is_relied_on ? PG_REF_FEEDS : 0;
    }
  return !pg_has_tally_p (plan) || pg_refuse (plan, why, NULL);
}
