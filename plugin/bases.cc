/* SPDX-License-Identifier: GPL-3.0-or-later
   What an address is based on, kept from being mistaken.

   Of counters that are addresses in several arrays, GCC keeps few, and makes the others from them:

       b' = b + (&A - a)		where a walks through A, and b through B

   This is right, but from here on a sum or a difference is taken for an address in whatever array an operand is an
   address of: b' for one in A, so that a store to it is none to B, and loads from B are moved across it.  Without our
   guards there is seldom a reason to keep such counters; with them there is.  So what is not what it looks like is
   sent through an empty asm, and looks like nothing.

   For each value, FORM says what it is: the sum of addresses in it, as far as it matters, and what it looks like.  */

#include "bases.h"
#include "loops.h"

/* The attribute on functions with guards.  No user can write it.  */
static const char attribute[] = "paragon guarded";

bool
pg_guarded_p (const_tree decl)
{
  return lookup_attribute (attribute, DECL_ATTRIBUTES (decl)) != NULL_TREE;
}

void
pg_bases_keep (tree decl)
{
  if (!pg_guarded_p (decl))
    DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (attribute), NULL_TREE, DECL_ATTRIBUTES (decl));
}

namespace
{

/* A value is COUNT (1, 0, -1) times an address in BASE, a variable or a name of what was allocated, and numbers; where
   COUNT is 2, nobody knows what.  It LOOKS_LIKE an address in a base, or, null, in none that is known.  */
struct form
{
  int count;
  tree base, looks_like;

  bool operator== (const form &other) const
  {
    return count == other.count && base == other.base && looks_like == other.looks_like;
  }

  bool deceives_p () const
  {
    return looks_like && !(count == 1 && base == looks_like);
  }
};

const form number = { 0, NULL_TREE, NULL_TREE };
const form unknown = { 2, NULL_TREE, NULL_TREE };
const unsigned longest_step = 16; /* statements */

class bases
{
public:
  void look_at_all (function *fun);
  void look_at_memory (tree reference);
  void hide_all (void);

private:
  hash_map<tree, form> m_forms;
  auto_vec<tree> m_hidden;
  auto_vec<int> m_places; /* of each block, in an order in which only edges back to a loop's header go back */

  form form_of (tree value);
  form form_of_definition (tree name);
  form form_of_assignment (gassign *assign);
  form form_of_phi (gphi *phi);
  tree start_of (gphi *phi);
  bool stepped_p (gphi *phi, tree value);
  form conceal (tree value);
  form honest (tree operand);
  void look_at (basic_block bb);
};

bool
address_type_p (tree type)
{
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && TYPE_PRECISION (type) == POINTER_SIZE;
}

form
address_in (tree base)
{
  return { 1, base, base };
}

/* A + B, or A - B.  */
form
sum (const form &a, const form &b, bool subtract)
{
  tree looks_like = a.looks_like ? a.looks_like : b.looks_like;
  int sign = subtract ? -1 : 1;
  if (a.count == 2 || b.count == 2 || (a.count && b.count && a.base != b.base))
    return { 2, NULL_TREE, looks_like };
  int count = a.count + sign * b.count;
  if (count > 1 || count < -1)
    return { 2, NULL_TREE, looks_like };
  return { count, !count ? NULL_TREE : a.count ? a.base : b.base, looks_like };
}

/* What an address expression is based on: a variable, or a pointer, or nothing that matters.  */
tree
base_of_address (tree address)
{
  tree base = get_base_address (TREE_OPERAND (address, 0));
  if (base && TREE_CODE (base) == MEM_REF)
    base = TREE_OPERAND (base, 0);
  if (base && TREE_CODE (base) == ADDR_EXPR)
    base = TREE_OPERAND (base, 0);
  return base
	     && (VAR_P (base) || TREE_CODE (base) == PARM_DECL || TREE_CODE (base) == RESULT_DECL
		 || TREE_CODE (base) == SSA_NAME)
	   ? base
	   : NULL_TREE;
}

/* The value of the counter PHI when its loop is entered; null if PHI is no counter, or has several.  */
tree
bases::start_of (gphi *phi)
{
  basic_block bb = gimple_bb (phi);
  tree start = NULL_TREE;
  unsigned n_starts = 0;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (m_places[gimple_phi_arg_edge (phi, i)->src->index] < m_places[bb->index])
      {
	start = gimple_phi_arg_def (phi, i);
	n_starts++;
      }
  return n_starts == 1 && n_starts < gimple_phi_num_args (phi) ? start : NULL_TREE;
}

/* True if VALUE is the counter PHI some steps later: then it is based on what PHI is.  */
bool
bases::stepped_p (gphi *phi, tree value)
{
  for (unsigned n = 0; n < longest_step && value && TREE_CODE (value) == SSA_NAME; n++)
    {
      gimple *stmt = SSA_NAME_DEF_STMT (value);
      if (stmt == phi)
	return true;
      if (gphi *inner = dyn_cast<gphi *> (stmt))
	value = start_of (inner);
      else if (is_gimple_assign (stmt)
	       && (CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (stmt)) || gimple_assign_rhs_code (stmt) == SSA_NAME
		   || gimple_assign_rhs_code (stmt) == PLUS_EXPR || gimple_assign_rhs_code (stmt) == MINUS_EXPR
		   || gimple_assign_rhs_code (stmt) == POINTER_PLUS_EXPR))
	value = gimple_assign_rhs1 (stmt);
      else
	return false;
    }
  return false;
}

/* A counter is based on what it starts from, if all else are steps of it; where paths meet, all must agree.  */
form
bases::form_of_phi (gphi *phi)
{
  tree start = start_of (phi);
  form common = form_of (start ? start : gimple_phi_arg_def (phi, 0));
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree arg = gimple_phi_arg_def (phi, i);
      if (arg != start && !(start ? stepped_p (phi, arg) : form_of (arg) == common))
	return unknown;
    }
  return common;
}

form
bases::form_of_assignment (gassign *assign)
{
  tree first = gimple_assign_rhs1 (assign), second = gimple_assign_rhs2 (assign);
  switch (gimple_assign_rhs_code (assign))
    {
    case SSA_NAME:
    case ADDR_EXPR:
    CASE_CONVERT:
    case VIEW_CONVERT_EXPR:
      return form_of (first);
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      return sum (honest (first), honest (second), false);
    case MINUS_EXPR:
    case POINTER_DIFF_EXPR:
      return sum (honest (first), honest (second), true);
    case NEGATE_EXPR:
      return sum (number, honest (first), true);
    case MIN_EXPR:
    case MAX_EXPR:
      return form_of (first) == form_of (second) ? form_of (first) : unknown;
    case COND_EXPR:
      return form_of (second) == form_of (gimple_assign_rhs3 (assign)) ? form_of (second) : unknown;
    default:
      return number;
    }
}

form
bases::form_of_definition (tree name)
{
  gimple *stmt = SSA_NAME_DEF_STMT (name);
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    return form_of_phi (phi);
  if (gassign *assign = dyn_cast<gassign *> (stmt))
    return form_of_assignment (assign);
  if (is_gimple_call (stmt) && (gimple_call_flags (stmt) & ECF_MALLOC))
    return address_in (name);
  return number;
}

/* A pointer that comes from elsewhere looks like nothing, and its base does not matter: it counts as a number.  */
form
bases::form_of (tree value)
{
  if (TREE_CODE (value) == ADDR_EXPR)
    {
      tree base = base_of_address (value);
      return !base ? number : TREE_CODE (base) == SSA_NAME ? form_of (base) : address_in (base);
    }
  if (TREE_CODE (value) == VIEW_CONVERT_EXPR)
    value = TREE_OPERAND (value, 0);
  if (TREE_CODE (value) != SSA_NAME || !address_type_p (TREE_TYPE (value)))
    return number;
  if (form *known = m_forms.get (value))
    return *known;
  m_forms.put (value, number); /* seen again on the way: a step in a circle */
  form found = form_of_definition (value);
  m_forms.put (value, found);
  return found;
}

/* Let VALUE look like nothing from here on, and return its form.  */
form
bases::conceal (tree value)
{
  form found = form_of (value);
  if (!found.looks_like || TREE_CODE (value) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value)
      || stmt_ends_bb_p (SSA_NAME_DEF_STMT (value))) /* an allocation that may throw */
    return found;
  m_hidden.safe_push (value);
  found.looks_like = NULL_TREE;
  m_forms.put (value, found);
  return found;
}

/* The form of OPERAND of an address.  If it deceives, it does not from here on.  */
form
bases::honest (tree operand)
{
  form found = form_of (operand);
  return found.deceives_p () ? conceal (operand) : found;
}

/* Look at the parts of REFERENCE's address, of which GCC makes a sum.  */
void
bases::look_at_memory (tree reference)
{
  while (handled_component_p (reference))
    reference = TREE_OPERAND (reference, 0);
  if (TREE_CODE (reference) == MEM_REF)
    honest (TREE_OPERAND (reference, 0));
  if (TREE_CODE (reference) != TARGET_MEM_REF)
    return;
  tree parts[] = { TMR_BASE (reference), TMR_INDEX (reference), TMR_INDEX2 (reference) };
  form total = number;
  for (tree part : parts)
    if (part)
      total = sum (total, honest (part), false);
  if (total.deceives_p ())
    for (tree part : parts)
      if (part)
	conceal (part);
}

/* Callback of walk_stmt_load_store_ops: look at REFERENCE.  */
bool
visit_memory (gimple *, tree, tree reference, void *data)
{
  ((bases *) data)->look_at_memory (reference);
  return false;
}

void
bases::look_at (basic_block bb)
{
  for (gphi_iterator gpi = gsi_start_phis (bb); !gsi_end_p (gpi); gsi_next (&gpi))
    form_of (gimple_phi_result (gpi.phi ()));
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (is_gimple_debug (stmt))
	continue;
      if (is_gimple_assign (stmt))
	form_of (gimple_assign_lhs (stmt));
      walk_stmt_load_store_ops (stmt, this, visit_memory, visit_memory);
    }
}

void
bases::look_at_all (function *fun)
{
  auto_vec<int> order;
  order.safe_grow (n_basic_blocks_for_fn (fun));
  int n = pre_and_rev_post_order_compute_fn (fun, NULL, order.address (), false);
  m_places.safe_grow_cleared (last_basic_block_for_fn (fun));
  for (int i = 0; i < n; i++)
    m_places[order[i]] = i + 1;
  for (int i = 0; i < n; i++)
    look_at (BASIC_BLOCK_FOR_FN (fun, order[i]));
}

/* Use what an empty asm makes of NAME in NAME's place.  */
void
hide (tree name)
{
  gimple *definition = SSA_NAME_DEF_STMT (name);
  tree hidden = make_ssa_name (TREE_TYPE (name)), constraint = build_string (2, "=r");
  vec<tree, va_gc> *in = NULL, *out = NULL;
  vec_safe_push (in, build_tree_list (build_tree_list (NULL_TREE, build_string (1, "0")), name));
  vec_safe_push (out, build_tree_list (build_tree_list (NULL_TREE, constraint), hidden));
  gasm *nothing = gimple_build_asm_vec ("", in, out, NULL, NULL);
  SSA_NAME_DEF_STMT (hidden) = nothing;
  if (is_a<gphi *> (definition))
    {
      gimple_stmt_iterator gsi = gsi_after_labels (gimple_bb (definition));
      gsi_insert_before (&gsi, nothing, GSI_NEW_STMT);
    }
  else
    {
      gimple_stmt_iterator gsi = gsi_for_stmt (definition);
      gsi_insert_after (&gsi, nothing, GSI_NEW_STMT);
    }
  gimple *stmt;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_STMT (stmt, it, name)
    {
      if (stmt == nothing || is_gimple_debug (stmt))
	continue;
      use_operand_p use;
      FOR_EACH_IMM_USE_ON_STMT (use, it)
	SET_USE (use, hidden);
      update_stmt (stmt);
    }
}

void
bases::hide_all (void)
{
  for (tree name : m_hidden)
    hide (name);
}

const pass_data pass_data_bases = {
  GIMPLE_PASS, "pgbases", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class pass_bases : public gimple_opt_pass
{
public:
  pass_bases (gcc::context *context) : gimple_opt_pass (pass_data_bases, context)
  {
  }

  bool gate (function *fun) final override
  {
    return pg_guarded_p (fun->decl) || lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (fun->decl));
  }

  unsigned execute (function *fun) final override
  {
    bases all;
    all.look_at_all (fun);
    all.hide_all ();
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_bases (gcc::context *context)
{
  return new pass_bases (context);
}
