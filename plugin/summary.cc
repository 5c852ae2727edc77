/* SPDX-License-Identifier: GPL-3.0-or-later
   Summaries: what a call of a function touches, found when the function itself is compiled, which GCC does before it
   compiles those that call it.

       void exact (double x, double out[5])		out: writes [0, 40), whole
       {						ce: reads [0, 520)
	 for (int m = 0; m < 5; m++)
	   out[m] = ce[m][0] + x * ce[m][1];
       }

   A function's body is judged like a loop's that has one iteration: the same statements are refused, and its references
   are linear forms based on its parameters and on variables of the program.  Where constants tell what they span, it is
   an effect; of an array of the program, all may be touched otherwise.  Calls in it have summaries, too; so functions
   that call each other have none.

   What a function does must be what each call of it does: it is this definition, none that the linker may choose
   instead.  What compiling makes of it after that does the same.  */

#include "summary.h"
#include "child.h"
#include "judge.h"
#include "loops.h"

/* More effects than this are not looked at.  */
static const unsigned max_effects = 32;

/* Functions of more blocks than this are left alone.  */
static const int max_blocks = 300;

/* The summaries made so far, by DECL_UID of the function.  */
static hash_map<int_hash<unsigned, 0, UINT_MAX>, struct pg_summary *> *summaries;

/* The variables that they mention, a list.  */
static tree kept_decls;

const struct ggc_root_tab pg_summary_roots[] = {
  { &kept_decls, 1, sizeof kept_decls, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
  LAST_GGC_ROOT_TAB,
};

/* True if A and B are equal.  */
static bool
same_polynomial_p (const struct pg_polynomial &a, const struct pg_polynomial &b)
{
  HOST_WIDE_INT number;
  struct pg_polynomial distance = a;
  return pg_add (&distance, b, -1) && pg_number_p (distance, &number) && number == 0;
}

/* True if A and B, of which both may be NULL, go the same ways.  */
static bool
same_form_p (const struct pg_effect_form *a, const struct pg_effect_form *b)
{
  if (!a || !b)
    return a == b;
  if (a->n_turns != b->n_turns || !same_polynomial_p (a->offset, b->offset))
    return false;
  for (int i = 0; i < a->n_turns; i++)
    if (!same_polynomial_p (a->turns[i].bytes, b->turns[i].bytes)
	|| !same_polynomial_p (a->turns[i].last, b->turns[i].last))
      return false;
  return true;
}

/* True if the bytes of A and B are about the same place of one parameter or variable.  */
static bool
same_base_p (const struct pg_effect *a, const struct pg_effect *b)
{
  return a->param == b->param && a->decl == b->decl && same_form_p (a->form, b->form);
}

/* Add EFFECT to those of SUMMARY: those that lie side by side become one.  */
static void
add_effect (struct pg_summary *summary, struct pg_effect effect)
{
  for (unsigned i = 0; i < summary->effects.length ();)
    {
      const struct pg_effect *old = &summary->effects[i];
      if (!same_base_p (old, &effect) || old->is_write != effect.is_write || old->is_whole != effect.is_whole
	  || effect.from > old->to || old->from > effect.to)
	{
	  i++;
	  continue;
	}
      effect.from = MIN (effect.from, old->from);
      effect.to = MAX (effect.to, old->to);
      summary->effects.unordered_remove (i);
      i = 0;
    }
  summary->effects.safe_push (effect);
}

/* Take writes out of SUMMARY that may be made where others always are.  */
static void
drop_covered (struct pg_summary *summary)
{
  for (unsigned i = summary->effects.length (); i-- > 0;)
    {
      const struct pg_effect *effect = &summary->effects[i];
      bool is_covered = false;
      for (const struct pg_effect &other : summary->effects)
	is_covered |= effect->is_write && !effect->is_whole && other.is_whole && same_base_p (effect, &other)
		      && other.from <= effect->from && effect->to <= other.to;
      if (is_covered)
	summary->effects.unordered_remove (i);
    }
}

/* The number of the parameter that POINTER is the value of on entry, or -1.  */
static int
number_of_parameter (const_tree pointer)
{
  if (TREE_CODE (pointer) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF (pointer) || !SSA_NAME_VAR (pointer)
      || TREE_CODE (SSA_NAME_VAR (pointer)) != PARM_DECL)
    return -1;
  int number = 0;
  for (tree parameter = DECL_ARGUMENTS (cfun->decl); parameter; parameter = DECL_CHAIN (parameter), number++)
    if (parameter == SSA_NAME_VAR (pointer))
      return number;
  return -1;
}

/* True if DECL is a variable of the program that other functions of the unit can name, and whose length is known.  */
static bool
nameable_p (tree decl)
{
  if (!VAR_P (decl) || !is_global_var (decl) || DECL_THREAD_LOCAL_P (decl) || DECL_HARD_REGISTER (decl)
      || DECL_HAS_VALUE_EXPR_P (decl) || !DECL_SIZE_UNIT (decl) || !tree_fits_shwi_p (DECL_SIZE_UNIT (decl))
      || !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (decl))))
    return false;
  symtab_node *node = symtab_node::get (decl);
  return node && !node->comdat_local_p ();
}

/* True if each value of integer type FROM is one of TO, or is the same number modulo 2^64.  */
static bool
keeps_number_p (const_tree from, const_tree to)
{
  if (TYPE_PRECISION (to) == 64)
    return TYPE_PRECISION (from) <= 64;
  return TYPE_UNSIGNED (from) == TYPE_UNSIGNED (to)
	   ? TYPE_PRECISION (from) <= TYPE_PRECISION (to)
	   : TYPE_UNSIGNED (from) && TYPE_PRECISION (from) < TYPE_PRECISION (to);
}

/* The number of the parameter that VALUE, an integer, is, or is made of by conversions that keep what it is; or -1.  */
static int
number_of_integer (const_tree value)
{
  while (CONVERT_EXPR_P (value))
    {
      const_tree from = TREE_TYPE (TREE_OPERAND (value, 0)), to = TREE_TYPE (value);
      if (!INTEGRAL_TYPE_P (from) || !INTEGRAL_TYPE_P (to) || !keeps_number_p (from, to))
	return -1;
      value = TREE_OPERAND (value, 0);
    }
  return INTEGRAL_TYPE_P (TREE_TYPE (value)) ? number_of_parameter (value) : -1;
}

/* Set TO to FROM, of nodes of PLAN, in numbers of integer parameters.  False: there is something else in it.  */
static bool
in_parameters (const struct pg_plan *plan, const struct pg_polynomial &from, struct pg_polynomial *to)
{
  to->n_terms = 0;
  for (const struct pg_term &term : from)
    {
      struct pg_polynomial product = { 1, { { term.number, 0, {} } } };
      if (term.number == 0)
	continue;
      for (int i = 0; i < term.n_leaves; i++)
	{
	  const struct pg_plan_node &node = plan->nodes[term.leaves[i] - (int) num_ssa_names];
	  int parameter = node.op == PG_NODE_ARG ? number_of_integer (node.leaf) : -1;
	  struct pg_polynomial leaf = { 1, { { 1, 1, { parameter } } } }, before = product;
	  product.n_terms = 0;
	  if (parameter < 0 || !pg_add_product (&product, before, leaf, 1))
	    return false;
	}
      if (!pg_add (to, product, 1))
	return false;
    }
  return true;
}

/* Set TO to node INDEX of PLAN in numbers of integer parameters.  */
static bool
node_in_parameters (const struct pg_plan *plan, int index, struct pg_polynomial *to)
{
  struct pg_polynomial value;
  return pg_expand (plan, index, false, &value) && in_parameters (plan, value, to);
}

/* Set FORM to where PLAN's ADDRESS is, behind the POINTER in it, in the turns of EXTENT, but for *NUMBER bytes.  */
static bool
find_form (const struct pg_plan *plan, const struct pg_plan_linear *address, tree pointer,
	   const struct pg_extent *extent, struct pg_effect_form *form, HOST_WIDE_INT *number)
{
  struct pg_polynomial base, start = { 1, { { 1, 1, {} } } };
  unsigned node = 0;
  while (node < plan->nodes.length ()
	 && (plan->nodes[node].op != PG_NODE_ARG || !operand_equal_p (plan->nodes[node].leaf, pointer, 0)))
    node++;
  start.terms[0].leaves[0] = num_ssa_names + node;
  if (node == plan->nodes.length () || extent->dims.length () > pg_effect_form::most_turns
      || !pg_expand (plan, address->base, false, &base) || !pg_add (&base, start, -1)
      || !in_parameters (plan, base, &form->offset))
    return false;
  const struct pg_term none = {};
  *number = pg_number_in (form->offset, none);
  if (!pg_add_number (&form->offset, -*number))
    return false;
  for (int d : extent->dims)
    {
      int at = form->n_turns++;
      if (!node_in_parameters (plan, address->coef[d], &form->turns[at].bytes)
	  || !node_in_parameters (plan, plan->dims[d].last.base, &form->turns[at].last))
	return false;
    }
  return true;
}

/* Set the place of EFFECT to where ACCESS of PLAN, with BASE, is, as exactly as constants and arguments tell.  */
static bool
find_exact_place (struct pg_plan *plan, const struct pg_plan_access *access, const struct pg_base *base,
		  struct pg_effect *effect)
{
  HOST_WIDE_INT constant;
  poly_int64 offset = 0;
  struct pg_extent extent;
  struct pg_effect_form form = {};
  const struct pg_plan_ref *ref = &plan->refs[access->ref];
  if (!(ref->flags & PG_REF_AFFINE) || !base->pointer || !plan->checks.is_empty ()
      || !pg_find_extent (plan, access, &extent)
      || !find_form (plan, &ref->address, base->pointer, &extent, &form, &constant))
    return false;
  effect->param = number_of_parameter (base->pointer);
  if (effect->param < 0)
    {
      if (TREE_CODE (base->pointer) != ADDR_EXPR)
	return false;
      effect->decl = get_addr_base_and_unit_offset (TREE_OPERAND (base->pointer, 0), &offset);
      if (!effect->decl || !nameable_p (effect->decl))
	return false;
    }
  constant += offset.to_constant ();
  effect->from = constant + extent.from;
  effect->to = constant + extent.to;
  effect->is_whole = extent.is_whole;
  HOST_WIDE_INT number;
  if (form.n_turns > 0 || !pg_number_p (form.offset, &number))
    effect->form = new struct pg_effect_form (form);
  return true;
}

/* Set the place of EFFECT to where ACCESS of PLAN, with BASE, is.  False: that has no name in a summary.  */
static bool
find_place (struct pg_plan *plan, const struct pg_plan_access *access, const struct pg_base *base,
	    struct pg_effect *effect)
{
  effect->param = -1;
  effect->decl = NULL_TREE;
  if (find_exact_place (plan, access, base, effect))
    return true;
  poly_int64 bit_pos, bit_len, max_bit_len;
  bool is_reverse;
  HOST_WIDE_INT first_bit, n_bits;
  tree decl = get_ref_base_and_extent (base->operand, &bit_pos, &bit_len, &max_bit_len, &is_reverse);
  if (!decl || !nameable_p (decl) || !bit_pos.is_constant (&first_bit) || !max_bit_len.is_constant (&n_bits)
      || first_bit < 0 || n_bits <= 0)
    return false;
  effect->param = -1;
  effect->decl = decl;
  effect->from = first_bit / BITS_PER_UNIT;
  effect->to = CEIL (first_bit + n_bits, BITS_PER_UNIT);
  effect->is_whole = false;
  return true;
}

/* Refuse SUMMARY for WHY, at WHERE.  */
static void
refuse (struct pg_summary *summary, enum pg_reason why, location_t where)
{
  summary->why = why;
  summary->where = LOCATION_LOCUS (where);
}

/* The reason that says why reference REF of PLAN, with BASE, has no name in a summary.  */
static enum pg_reason
reason_of (const struct pg_plan *plan, const struct pg_base *base)
{
  if (base->form == PG_FORM_INDIRECT)
    return PG_WHY_INDIRECT;
  if (base->form == PG_FORM_LINEAR)
    return plan->checks.is_empty () ? PG_WHY_DISTANCE : PG_WHY_WRAP;
  return PG_WHY_NONLINEAR;
}

/* Add what the accesses of PLAN touch to SUMMARY.  */
static void
add_accesses (struct pg_plan *plan, const vec<struct pg_base> &bases, struct pg_summary *summary)
{
  for (const struct pg_plan_access &access : plan->accesses)
    {
      const struct pg_plan_ref *ref = &plan->refs[access.ref];
      struct pg_effect effect = {};
      effect.is_write = access.is_store;
      if (!access.is_store && pg_written_before_p (plan, &access))
	continue;
      if (!find_place (plan, &access, &bases[access.ref], &effect))
	return refuse (summary, reason_of (plan, &bases[access.ref]), gimple_location (access.stmt));
      add_effect (summary, effect);
      if (access.is_partial && (ref->flags & PG_REF_READ))
	{
	  effect.is_write = effect.is_whole = false;
	  add_effect (summary, effect);
	}
      if (summary->effects.length () > max_effects)
	return refuse (summary, PG_WHY_TOO_LARGE, gimple_location (access.stmt));
    }
  drop_covered (summary);
}

/* Note in SUMMARY what parameters are, and which the function does more with than PLAN's accesses.  */
static void
find_kept (const struct pg_plan *plan, const vec<struct pg_base> &bases, struct pg_summary *summary)
{
  for (tree parameter = DECL_ARGUMENTS (cfun->decl); parameter; parameter = DECL_CHAIN (parameter))
    {
      tree pointer = is_gimple_reg (parameter) ? ssa_default_def (cfun, parameter) : NULL_TREE;
      int group = -1;
      for (unsigned i = 0; pointer && i < bases.length (); i++)
	if (bases[i].pointer == pointer)
	  group = plan->refs[i].group;
      bool is_unused = is_gimple_reg (parameter) && !pointer;
      const_tree type = TREE_TYPE (parameter);
      int bits = INTEGRAL_TYPE_P (type) ? TYPE_PRECISION (type) : 0;
      summary->bits.safe_push (bits > 0 && !TYPE_UNSIGNED (type) ? -bits : bits);
      summary->keeps.safe_push (!is_unused && (!pointer || !pg_base_is_at_hand_p (plan, pointer, group)));
    }
}

/* True if all that the current function, whose PLAN this is, does with DECL is to access it.  */
static bool
only_accesses_p (const struct pg_plan *plan, const vec<struct pg_base> &bases, tree decl)
{
  for (unsigned i = 0; i < bases.length (); i++)
    if (bases[i].pointer && TREE_CODE (bases[i].pointer) == ADDR_EXPR
	&& get_base_address (TREE_OPERAND (bases[i].pointer, 0)) == decl)
      return pg_base_is_at_hand_p (plan, bases[i].pointer, plan->refs[i].group);
  return false;
}

/* Make SUMMARY's copy of FUN that is told of the variables which FUN writes, if there can be one.  */
static void
make_told (function *fun, const struct pg_plan *plan, const vec<struct pg_base> &bases, struct pg_summary *summary)
{
  auto_vec<tree> arrays;
  for (const struct pg_effect &effect : summary->effects)
    if (effect.decl && effect.is_write && !arrays.contains (effect.decl) && only_accesses_p (plan, bases, effect.decl))
      arrays.safe_push (effect.decl);
  summary->told = arrays.is_empty () ? NULL : pg_told_make (fun, arrays);
  if (summary->told)
    kept_decls = tree_cons (NULL_TREE, summary->told->decl, kept_decls);
}

/* The reason for which FUN has no summary whatever its statements are, or PG_N_REASONS.  */
static enum pg_reason
reason_of_function (function *fun)
{
  if (n_basic_blocks_for_fn (fun) > max_blocks)
    return PG_WHY_TOO_LARGE;
  if (fun->calls_alloca)
    return PG_WHY_ALLOCA;
  if (fun->stdarg || profile_flag || flag_split_stack || DECL_BY_REFERENCE (DECL_RESULT (fun->decl))
      || lookup_attribute ("returns_twice", DECL_ATTRIBUTES (fun->decl)) || TREE_THIS_VOLATILE (fun->decl)
      || EDGE_COUNT (EXIT_BLOCK_PTR_FOR_FN (fun)->preds) == 0)
    return PG_WHY_SHAPE;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    if (bb->flags & BB_IRREDUCIBLE_LOOP)
      return PG_WHY_IRREDUCIBLE;
  return pg_judge_function (fun);
}

/* A loop of FUN that may not end, or NULL.  */
static class loop *
endless_loop (function *fun)
{
  for (auto loop : loops_list (fun, 0))
    if (!finite_loop_p (loop))
      return loop;
  return NULL;
}

/* Fill in SUMMARY for FUN.  */
static void
fill_in (function *fun, struct pg_summary *summary)
{
  struct pg_plan plan = {};
  auto_vec<struct pg_base> bases;
  location_t here = DECL_SOURCE_LOCATION (fun->decl);
  summary->why = reason_of_function (fun);
  if (summary->why != PG_N_REASONS)
    return refuse (summary, summary->why, here);
  if (class loop *loop = endless_loop (fun))
    return refuse (summary, PG_WHY_UNCOUNTABLE, find_loop_location (loop).get_location_t ());
  if (!pg_judge_body (&plan, &bases))
    return refuse (summary, plan.reason, plan.reason_where == UNKNOWN_LOCATION ? here : plan.reason_where);
  add_accesses (&plan, bases, summary);
  if (summary->why != PG_N_REASONS)
    return;
  find_kept (&plan, bases, summary);
  summary->flags = plan.region_flags & PG_REGION_MAY_SET_ERRNO;
  summary->frame_len = pg_child_frame_len (fun) + plan.called_frame_len;
  summary->work = pg_estimate_work (&plan);
  for (const struct pg_effect &effect : summary->effects)
    if (effect.decl)
      kept_decls = tree_cons (NULL_TREE, effect.decl, kept_decls);
  make_told (fun, &plan, bases, summary);
}

void
pg_summarise (function *fun)
{
  cgraph_node *node = cgraph_node::get (fun->decl);
  if (!node || (!node->callers && !node->has_aliases_p ()) || !node->binds_to_current_def_p ())
    return;
  if (!summaries)
    summaries = new hash_map<int_hash<unsigned, 0, UINT_MAX>, struct pg_summary *>;
  struct pg_summary *summary = new struct pg_summary ();
  fill_in (fun, summary);
  summaries->put (DECL_UID (fun->decl), summary);
}

const struct pg_summary *
pg_summary_or_reason (const gcall *call)
{
  if (const struct pg_summary *summary = pg_memory_summary (call))
    return summary;
  tree decl = gimple_call_fndecl (call);
  cgraph_node *node = decl && summaries ? cgraph_node::get (decl) : NULL;
  if (!node || fndecl_built_in_p (decl) || gimple_call_chain (call) || gimple_call_noreturn_p (call)
      || (gimple_call_flags (call) & ECF_RETURNS_TWICE) || gimple_call_must_tail_p (call))
    return NULL;
  enum availability available;
  node = node->ultimate_alias_target (&available);
  struct pg_summary **found = summaries->get (DECL_UID (node->decl));
  if (!found || available < AVAIL_AVAILABLE || node->thunk)
    return NULL;
  bool arguments_fit = gimple_call_num_args (call) == (*found)->keeps.length ();
  return (*found)->why != PG_N_REASONS || arguments_fit ? *found : NULL;
}

const struct pg_summary *
pg_summary_of (const gcall *call)
{
  const struct pg_summary *summary = pg_summary_or_reason (call);
  return summary && summary->why == PG_N_REASONS ? summary : NULL;
}

bool
pg_call_keeps_p (const gcall *call, unsigned arg)
{
  const struct pg_summary *summary = pg_summary_of (call);
  return !summary || summary->keeps[arg];
}

struct pg_told *
pg_told_of (const gcall *call)
{
  const struct pg_summary *summary = pg_summary_of (call);
  return summary && summary->told && pg_told_fits_p (summary->told, call) ? summary->told : NULL;
}

namespace
{

const pass_data pass_data_straight = {
  GIMPLE_PASS, "pgstraight", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

/* Summarises functions without loops.  */
class pass_straight : public gimple_opt_pass
{
public:
  pass_straight (gcc::context *context) : gimple_opt_pass (pass_data_straight, context)
  {
  }

  bool gate (function *fun) final override
  {
    return number_of_loops (fun) <= 1 && !lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (fun->decl));
  }

  unsigned execute (function *fun) final override
  {
    loop_optimizer_init (LOOPS_NORMAL);
    calculate_dominance_info (CDI_DOMINATORS);
    if (number_of_loops (fun) <= 1)
      pg_summarise (fun);
    loop_optimizer_finalize ();
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_straight (gcc::context *context)
{
  return new pass_straight (context);
}
