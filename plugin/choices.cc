/* SPDX-License-Identifier: GPL-3.0-or-later
   Choices: scalars that an iteration keeps or replaces.

       if (a[i] > m)	m1 = PHI <m0, m2>;	the leader: kept unless its replacement is larger
	 {		if (v > m1)
	   m = a[i];	  ;
	   at = i;	m2 = PHI <m1, v>;
	 }		at2 = PHI <at1, i>;	a follower: replaced together with it

       if (b[i] < 0)	l1 = PHI <l0, l2>;	the last one set: replaced as its own loop says
	 last = i;	l2 = PHI <l1, i>;

   A range of iterations starts a leader from the operation's identity, which any replacement beats, and ends with the
   first of its best ones; the ranges' values combine in order by the comparison that the loop makes, so the first of
   equal ones stays, -0 or +0, and NaNs are passed over.  A follower goes along.  Where what may be set has no part in
   one value of its type, a range that starts from that value has set something if it ends with another one.  Else each
   range says in a flag whether it has set it; but that makes the loop slower if it could be vectorised.

   For that, nothing else may depend on a choice: its values are used by PHIs that hand them on, and by the comparisons
   that guard a leader's replacements, behind which there must be nothing that a range may not do in vain.  And what is
   kept must be what the variable holds at that point: PHIs alone could also go back to an older value.  */
#include "choices.h"

/* More values than this are not looked at.  */
static const unsigned max_names = 64;

/* Where a choice is replaced: by argument ARG of PHI.  */
struct replacement
{
  gphi *phi;
  unsigned arg;
};

/* What one PHI of the header may be.  */
struct choice
{
  gphi *phi;                         /* in the header */
  auto_vec<tree> names;              /* that may hold it, PHI's result first */
  auto_vec<struct replacement> ways; /* in which it is replaced */
  auto_vec<gcond *> tests;           /* that compare it */
  enum pg_reduction_op op;           /* of a leader */
  bool is_strict;                    /* a replacement that is equal does not replace it */
  int leader;                        /* among the choices, if it follows one; else -1 */
};

void
pg_choice_names (class loop *loop, gphi *phi, vec<tree> *names)
{
  names->safe_push (gimple_phi_result (phi));
  for (unsigned i = 0; i < names->length () && i < max_names; i++)
    {
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, (*names)[i])
	{
	  gphi *user = dyn_cast<gphi *> (USE_STMT (use));
	  if (user && gimple_bb (user) != loop->header && flow_bb_inside_loop_p (loop, gimple_bb (user))
	      && !names->contains (gimple_phi_result (user)))
	    names->safe_push (gimple_phi_result (user));
	}
    }
}

/* Sort the uses of C's names: tests, and PHIs that hand them on.  False if there are others inside PLAN's loop, or
   others but of the final value behind it.  */
static bool
sort_uses (const struct pg_plan *plan, struct choice *c)
{
  class loop *loop = plan->loop;
  tree next = PHI_ARG_DEF_FROM_EDGE (c->phi, loop_latch_edge (loop));
  tree final_name = plan->exit_at_top ? gimple_phi_result (c->phi) : next;
  for (tree name : c->names)
    {
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	{
	  gimple *stmt = USE_STMT (use);
	  if (is_gimple_debug (stmt))
	    continue;
	  if (!flow_bb_inside_loop_p (loop, gimple_bb (stmt)))
	    {
	      if (name != final_name)
		return false;
	    }
	  else if (gcond *test = dyn_cast<gcond *> (stmt))
	    {
	      if (!c->tests.contains (test))
		c->tests.safe_push (test);
	    }
	  else if (!is_a<gphi *> (stmt) || (gimple_bb (stmt) == loop->header && (stmt != c->phi || name != next)))
	    return false;
	}
    }
  return true;
}

/* The PHI of BB that has one of C's names, or NULL; *IS_ONE turns false if there are more.  */
static gphi *
phi_in (const struct choice *c, basic_block bb, bool *is_one)
{
  gphi *found = NULL;
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    if (c->names.contains (gimple_phi_result (psi.phi ())))
      {
	*is_one &= !found;
	found = psi.phi ();
      }
  return found;
}

/* Find the name that holds C at the end of each block of PLAN's loop, by its index; error_mark_node where that depends
   on the way.  False if a block has two.  */
static bool
find_current (const struct pg_plan *plan, const struct choice *c, vec<tree> *current)
{
  class loop *loop = plan->loop;
  bool is_one = true, has_changed = true;
  basic_block *body = get_loop_body_in_dom_order (loop);
  current->safe_grow_cleared (last_basic_block_for_fn (cfun), true);
  while (has_changed && is_one)
    {
      has_changed = false;
      for (unsigned i = 0; i < loop->num_nodes; i++)
	{
	  gphi *phi = phi_in (c, body[i], &is_one);
	  tree name = phi ? gimple_phi_result (phi) : NULL_TREE;
	  edge e;
	  edge_iterator ei;
	  if (!phi)
	    FOR_EACH_EDGE (e, ei, body[i]->preds)
	      {
		tree before = (*current)[e->src->index];
		name = !name || name == before ? before : before ? error_mark_node : name;
	      }
	  has_changed |= (*current)[body[i]->index] != name;
	  (*current)[body[i]->index] = name;
	}
    }
  free (body);
  return is_one;
}

/* Find the ways in which C is replaced.  False if a PHI hands on what is not CURRENT.  */
static bool
find_ways (const struct pg_plan *plan, struct choice *c, const vec<tree> &current)
{
  edge back = loop_latch_edge (plan->loop);
  if (PHI_ARG_DEF_FROM_EDGE (c->phi, back) != current[back->src->index])
    return false;
  for (tree name : c->names)
    {
      gphi *phi = as_a<gphi *> (SSA_NAME_DEF_STMT (name));
      for (unsigned i = 0; i < gimple_phi_num_args (phi) && phi != c->phi; i++)
	{
	  tree arg = gimple_phi_arg_def (phi, i);
	  struct replacement way = { phi, i };
	  if (!c->names.contains (arg))
	    c->ways.safe_push (way);
	  else if (arg != current[gimple_phi_arg_edge (phi, i)->src->index])
	    return false;
	}
    }
  return !c->ways.is_empty ();
}

/* True if a range may do what BB does, but for STORE, when the loop would not.  */
static bool
harmless_p (basic_block bb, const gimple *store = NULL)
{
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb); !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (stmt != store && (!is_gimple_assign (stmt) || gimple_vuse (stmt) || gimple_could_trap_p (stmt)))
	return false;
    }
  return true;
}

/* Where REPLACED's test goes to the same block as REPLACED does, on its other side; NULL: there is more on the way than
   a range may do in vain.  Requires: the block that REPLACED comes from has one way in.  */
static edge
kept_edge (edge replaced)
{
  edge side = single_pred_edge (replaced->src), other = EDGE_SUCC (side->src, EDGE_SUCC (side->src, 0) == side);
  if (other->dest == replaced->dest)
    return other;
  bool is_empty = single_pred_p (other->dest) && single_succ_p (other->dest) && harmless_p (other->dest);
  return is_empty && single_succ (other->dest) == replaced->dest ? single_succ_edge (other->dest) : NULL;
}

/* The test, of C's, that guards WAY: the only way into the block that it comes from, on whose other side nothing is
   done.  NULL: there is none.  */
static gcond *
guard_of (const struct choice *c, const struct replacement *way)
{
  edge replaced = gimple_phi_arg_edge (way->phi, way->arg);
  if (!single_pred_p (replaced->src) || !single_succ_p (replaced->src) || !harmless_p (replaced->src))
    return NULL;
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (single_pred (replaced->src)));
  return test && c->tests.contains (test) && kept_edge (replaced) ? test : NULL;
}

/* The operation *OP by which TEST, where TAKEN is its way on, replaces PRESENT by VALUE, and whether an equal one does
   not.  False: by none.  */
static bool
operation_of (gcond *test, edge taken, tree value, tree present, enum pg_reduction_op *op, bool *is_strict)
{
  enum tree_code code = gimple_cond_code (test);
  tree left = gimple_cond_lhs (test), right = gimple_cond_rhs (test);
  if (left == present)
    {
      std::swap (left, right);
      code = swap_tree_comparison (code);
    }
  if (left != value || right != present)
    return false;
  if (taken->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison (code, HONOR_NANS (value));
  *op = code == GT_EXPR || code == GE_EXPR ? PG_REDUCE_MAX : PG_REDUCE_MIN;
  *is_strict = code == GT_EXPR || code == LT_EXPR;
  return *is_strict || ((code == GE_EXPR || code == LE_EXPR) && !HONOR_SIGNED_ZEROS (value));
}

bool
pg_replaces_p (gimple *store, tree present, const_tree joined, enum pg_reduction_op *op)
{
  basic_block bb = gimple_bb (store);
  if (!single_pred_p (bb) || !single_succ_p (bb) || !harmless_p (bb, store))
    return false;
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (single_pred (bb)));
  edge replaced = single_succ_edge (bb), kept = test ? kept_edge (replaced) : NULL;
  bool is_strict;
  if (!kept || !operation_of (test, single_pred_edge (bb), gimple_assign_rhs1 (store), present, op, &is_strict))
    return false;
  for (gphi_iterator psi = gsi_start_phis (replaced->dest); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())) && gimple_phi_result (psi.phi ()) != joined
	&& !operand_equal_p (PHI_ARG_DEF_FROM_EDGE (psi.phi (), replaced), PHI_ARG_DEF_FROM_EDGE (psi.phi (), kept), 0))
      return false;
  return true;
}

/* True if C, replaced where CURRENT holds it, is a leader: each of its ways is guarded by a test, all by the same
   operation, and each test guards one.  */
static bool
leads_p (struct choice *c, const vec<tree> &current)
{
  auto_vec<gcond *> guards;
  tree type = TREE_TYPE (gimple_phi_result (c->phi));
  if ((!SCALAR_FLOAT_TYPE_P (type) && !INTEGRAL_TYPE_P (type)) || TREE_CODE (type) == BOOLEAN_TYPE)
    return false;
  for (const struct replacement &way : c->ways)
    {
      gcond *test = guard_of (c, &way);
      enum pg_reduction_op op;
      bool is_strict;
      basic_block bb = gimple_phi_arg_edge (way.phi, way.arg)->src;
      if (!test
	  || !operation_of (test, single_pred_edge (bb), gimple_phi_arg_def (way.phi, way.arg),
			    current[gimple_bb (test)->index], &op, &is_strict)
	  || (!guards.is_empty () && (op != c->op || is_strict != c->is_strict)))
	return false;
      c->op = op;
      c->is_strict = is_strict;
      guards.safe_push (test);
    }
  for (gcond *test : c->tests)
    if (!guards.contains (test))
      return false;
  return true;
}

/* True if C is replaced by argument ARG of PHI.  */
static bool
has_way (const struct choice *c, const gphi *phi, unsigned arg)
{
  for (const struct replacement &way : c->ways)
    if (way.phi == phi && way.arg == arg)
      return true;
  return false;
}

/* Let follow LEADER, one of CHOICES, what else is decided by the test that guards WAY, one of its ways.  False if that
   is no choice, or follows another one.  */
static bool
take_followers (const vec<struct choice *> &choices, int leader, const struct replacement *way)
{
  edge replaced = gimple_phi_arg_edge (way->phi, way->arg);
  edge kept = kept_edge (replaced);
  for (gphi_iterator psi = gsi_start_phis (replaced->dest); !gsi_end_p (psi); gsi_next (&psi))
    {
      gphi *phi = psi.phi ();
      bool is_found = phi == way->phi
		      || operand_equal_p (PHI_ARG_DEF_FROM_EDGE (phi, replaced), PHI_ARG_DEF_FROM_EDGE (phi, kept), 0);
      for (struct choice *c : choices)
	if (!is_found && has_way (c, phi, replaced->dest_idx))
	  {
	    is_found = c->tests.is_empty () && (c->leader == -1 || c->leader == leader);
	    c->leader = leader;
	  }
      if (!is_found)
	return false;
    }
  return true;
}

/* True if FOLLOWER is replaced where LEADER is, each time, and nowhere else.  */
static bool
in_step_p (const struct choice *leader, const struct choice *follower)
{
  unsigned n = 0;
  for (const struct replacement &way : leader->ways)
    {
      edge replaced = gimple_phi_arg_edge (way.phi, way.arg);
      for (const struct replacement &other : follower->ways)
	n += gimple_phi_arg_edge (other.phi, other.arg) == replaced;
    }
  return leader->is_strict && n == leader->ways.length () && n == follower->ways.length ();
}

/* Make C of PHI, in the header of PLAN's loop.  False if it is no choice.  */
static bool
make_choice (const struct pg_plan *plan, gphi *phi, struct choice *c)
{
  auto_vec<tree> current;
  c->phi = phi;
  c->leader = -1;
  pg_choice_names (plan->loop, phi, &c->names);
  for (tree name : c->names)
    if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI (name))
      return false;
  return c->names.length () < max_names && sort_uses (plan, c) && find_current (plan, c, &current)
	 && find_ways (plan, c, current) && (c->tests.is_empty () || leads_p (c, current));
}

/* The type of integer that has as many bytes as TYPE.  */
static bool
bits_type (const_tree type, enum pg_scalar_type *out)
{
  HOST_WIDE_INT len = int_size_in_bytes (type);
  int log2 = exact_log2 (len);
  if (COMPLEX_FLOAT_TYPE_P (type) || log2 < 0 || log2 > 3)
    return false;
  *out = (enum pg_scalar_type) (PG_U8 + log2);
  return true;
}

/* True if VALUE is never what a PG_REDUCE_SET of TYPE starts from.  */
static bool
sets_p (tree value, const_tree type)
{
  value_range range;
  if (TREE_CODE (value) == REAL_CST)
    return !REAL_VALUE_ISNAN (TREE_REAL_CST (value));
  if (!INTEGRAL_TYPE_P (type) || TREE_CODE (type) == BOOLEAN_TYPE)
    return false;
  unsigned precision = TYPE_PRECISION (type);
  wide_int start = TYPE_UNSIGNED (type) ? wi::max_value (precision, UNSIGNED) : wi::min_value (precision, SIGNED);
  tree start_value = wide_int_to_tree (TREE_TYPE (value), start);
  return get_global_range_query ()->range_of_expr (range, value) && !range.undefined_p ()
	 && !range.contains_p (start_value);
}

/* True if LOOP, which carries a flag beside a choice, might have been vectorised without it.  */
static bool
vectorisable_p (const class loop *loop)
{
  return !loop->inner && flag_tree_loop_vectorize && flag_vect_cost_model != VECT_COST_MODEL_VERY_CHEAP;
}

/* Add C, the last one set, to PLAN's reductions.  */
static bool
add_last (struct pg_plan *plan, const struct choice *c)
{
  tree type = TREE_TYPE (gimple_phi_result (c->phi));
  struct pg_plan_reduction reduction = { c->phi, PG_REDUCE_SET, PG_U8, -1, PG_CARRIES_CHOICE, false };
  bool sets = pg_scalar_type_of (type, &reduction.type), sets_true = TREE_CODE (type) == BOOLEAN_TYPE;
  for (const struct replacement &way : c->ways)
    {
      tree value = gimple_phi_arg_def (way.phi, way.arg);
      sets = sets && sets_p (value, type);
      sets_true = sets_true && integer_onep (value);
    }
  if (!sets && !sets_true)
    return false;
  reduction.op = sets ? PG_REDUCE_SET : PG_REDUCE_OR;
  plan->reductions.safe_push (reduction);
  return true;
}

/* Add C, of CHOICES, to PLAN's reductions; the leader that it follows has number LEADER there.  */
static bool
add_choice (struct pg_plan *plan, const struct choice *c, int leader)
{
  tree type = TREE_TYPE (gimple_phi_result (c->phi));
  struct pg_plan_reduction reduction = { c->phi, c->op, PG_U8, -1, PG_CARRIES_CHOICE, false };
  if (!c->tests.is_empty ())
    {
      if (!pg_scalar_type_of (type, &reduction.type))
	return false;
      plan->reductions.safe_push (reduction);
      return true;
    }
  if (leader < 0 && add_last (plan, c))
    return true;
  if (leader < 0)
    {
      if (vectorisable_p (plan->loop))
	return false;
      struct pg_plan_reduction flag = { c->phi, PG_REDUCE_OR, PG_I32, -1, PG_CARRIES_FLAG, false };
      leader = plan->reductions.length ();
      plan->reductions.safe_push (flag);
    }
  reduction.op = PG_REDUCE_WITH;
  reduction.leader = leader;
  plan->reductions.safe_push (reduction);
  return bits_type (type, &plan->reductions.last ().type);
}

/* Judge CHOICES, each by itself one, together.  Return the PHI of one that is none, or NULL.  */
static gphi *
judge_together (const vec<struct choice *> &choices)
{
  for (unsigned i = 0; i < choices.length (); i++)
    if (!choices[i]->tests.is_empty ())
      for (const struct replacement &way : choices[i]->ways)
	if (!take_followers (choices, i, &way))
	  return choices[i]->phi;
  for (const struct choice *c : choices)
    if (c->leader >= 0 && !in_step_p (choices[c->leader], c))
      return c->phi;
  return NULL;
}

/* Add CHOICES to PLAN's reductions.  Return the PHI of one that cannot be, or NULL.  */
static gphi *
add_choices (struct pg_plan *plan, const vec<struct choice *> &choices)
{
  auto_vec<int> numbers;
  numbers.safe_grow_cleared (choices.length (), true);
  for (bool followers : { false, true })
    for (unsigned i = 0; i < choices.length (); i++)
      if ((choices[i]->leader >= 0) == followers)
	{
	  numbers[i] = plan->reductions.length ();
	  if (!add_choice (plan, choices[i], followers ? numbers[choices[i]->leader] : -1))
	    return choices[i]->phi;
	}
  return NULL;
}

gphi *
pg_match_choices (struct pg_plan *plan, const vec<gphi *> &phis)
{
  auto_vec<struct choice *> choices;
  gphi *wrong = NULL;
  for (unsigned i = 0; i < phis.length () && !wrong; i++)
    {
      choices.safe_push (new choice ());
      wrong = make_choice (plan, phis[i], choices.last ()) ? NULL : phis[i];
    }
  if (!wrong)
    wrong = judge_together (choices);
  if (!wrong)
    wrong = add_choices (plan, choices);
  for (struct choice *c : choices)
    delete c;
  return wrong;
}

/* The place of NAME among NAMES, or -1.  */
static int
index_of (const vec<tree> &names, const_tree name)
{
  for (unsigned i = 0; i < names.length (); i++)
    if (names[i] == name)
      return i;
  return -1;
}

tree
pg_choice_flag (class loop *loop, gphi *phi, tree initial, tree name)
{
  auto_vec<tree> names, flags;
  tree type = TREE_TYPE (initial);
  pg_choice_names (loop, phi, &names);
  for (tree held : names)
    {
      tree flag = make_ssa_name (type);
      create_phi_node (flag, gimple_bb (SSA_NAME_DEF_STMT (held)));
      flags.safe_push (flag);
    }
  for (unsigned i = 0; i < names.length (); i++)
    {
      gphi *from = as_a<gphi *> (SSA_NAME_DEF_STMT (names[i])), *to = as_a<gphi *> (SSA_NAME_DEF_STMT (flags[i]));
      for (unsigned a = 0; a < gimple_phi_num_args (from); a++)
	{
	  edge e = gimple_phi_arg_edge (from, a);
	  tree arg = gimple_phi_arg_def (from, a);
	  int held = index_of (names, arg);
	  tree value = e == loop_preheader_edge (loop) ? initial : held >= 0 ? flags[held] : build_one_cst (type);
	  add_phi_arg (to, value, e, UNKNOWN_LOCATION);
	}
    }
  return flags[index_of (names, name)];
}
