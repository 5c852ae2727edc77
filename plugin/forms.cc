/* SPDX-License-Identifier: GPL-3.0-or-later
   What becomes of floating-point sums and products, seen once the compiler is done with fusing them.

   Each has a mark before anything is copied: a location whose range is none of the source.  What vectorises, unrolls,
   or copies statements keeps locations, and a fused sum has that of the sum.  So the form of a sum is what became of
   all that has its mark.  A sum that is nowhere to be seen was made one with another one, or has lost its mark; of
   those, only what they all are is known.  */

#include "forms.h"
#include "products.h"

/* The marks of the unit; a mark is its index here and one.  And those that were seen in the function looked at.  */
static auto_vec<struct pg_mark> marks;
static auto_vec<int> seen_marks;

/* The mark of what is at WHERE; 0 if there is none.  */
static int
mark_at (location_t where)
{
  if (!IS_ADHOC_LOC (where))
    return 0;
  source_range range = get_range_from_loc (line_table, where);
  bool marked = range.m_start == BUILTINS_LOCATION && range.m_finish >= RESERVED_LOCATION_COUNT;
  return marked ? range.m_finish - RESERVED_LOCATION_COUNT + 1 : 0;
}

int
pg_forms_mark_of (gimple *stmt)
{
  return mark_at (gimple_location (stmt));
}

int
pg_forms_end (void)
{
  return marks.length () + 1;
}

struct pg_mark *
pg_forms_at (int number)
{
  return &marks[number - 1];
}

/* True if STMT is a product, with masked lanes or without.  */
static bool
product_p (gimple *stmt)
{
  return (is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == MULT_EXPR)
	 || gimple_call_internal_p (stmt, IFN_COND_MUL);
}

static bool
float_p (gimple *stmt)
{
  tree lhs = is_gimple_assign (stmt) || is_gimple_call (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
  return lhs && TREE_CODE (lhs) == SSA_NAME && FLOAT_TYPE_P (TREE_TYPE (lhs));
}

/* True if VALUE is no product, whatever the compiler does; KNOWN are names of which that is so, or was asked.  What is
   loaded may be one that was stored, and a quotient one by a reciprocal.  */
static bool
never_product_p (tree value, hash_set<tree> *known)
{
  value = pg_strip_negation (value);
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value) || known->add (value))
    return true;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast<gphi *> (def))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (!never_product_p (gimple_phi_arg_def (phi, i), known))
	  return false;
      return true;
    }
  return pg_sum_p (def) || (is_gimple_call (def) && !gimple_call_internal_p (def))
	 || (is_gimple_assign (def) && gimple_assign_rhs_code (def) == FLOAT_EXPR);
}

/* True if STMT is a sum of what is no product, whatever the compiler does.  */
static bool
takes_none_p (gimple *stmt)
{
  hash_set<tree> known;
  return pg_sum_p (stmt) && never_product_p (gimple_assign_rhs1 (stmt), &known)
	 && never_product_p (gimple_assign_rhs2 (stmt), &known);
}

/* Give STMT a mark; false if there is no other one: as locations, they are those of some place in a file.  */
static bool
mark_statement (gimple *stmt)
{
  if (marks.length () + RESERVED_LOCATION_COUNT >= line_table->highest_location)
    return false;
  location_t where = gimple_location (stmt) == UNKNOWN_LOCATION ? cfun->function_start_locus : gimple_location (stmt);
  source_range range = { BUILTINS_LOCATION, RESERVED_LOCATION_COUNT + marks.length () };
  location_t caret = get_pure_location (LOCATION_LOCUS (where));
  struct pg_mark mark = {};
  mark.is_sum = pg_sum_p (stmt);
  mark.takes_none = takes_none_p (stmt);
  mark.where = gimple_location (stmt);
  marks.safe_push (mark);
  gimple_set_location (stmt, COMBINE_LOCATION_DATA (line_table, caret, range, gimple_block (stmt)));
  return true;
}

bool
pg_forms_mark (int *first)
{
  *first = pg_forms_end ();
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (float_p (gsi_stmt (gsi))
	  && (pg_sum_p (gsi_stmt (gsi)) || pg_negation_p (gsi_stmt (gsi)) || product_p (gsi_stmt (gsi)))
	  && !mark_statement (gsi_stmt (gsi)))
	return false;
  return true;
}

/* The mark of the product that VALUE is, or has a lane of, with whatever sign; 0 if it has none.  */
static int
product_in (tree value)
{
  while (TREE_CODE (value) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (value);
      if (product_p (def))
	return pg_forms_mark_of (def);
      tree_code code = is_gimple_assign (def) ? gimple_assign_rhs_code (def) : ERROR_MARK;
      if (code != NEGATE_EXPR && code != SSA_NAME && code != BIT_FIELD_REF && code != VIEW_CONVERT_EXPR)
	return 0;
      value = gimple_assign_rhs1 (def);
      if (TREE_CODE (value) != SSA_NAME && !is_gimple_min_invariant (value))
	value = TREE_OPERAND (value, 0);
    }
  return 0;
}

/* What the internal function FN, of floating-point numbers, is of sums: enum pg_sum_form, or PG_SUM_FUSED and its
   kind.  */
static int
form_of_function (internal_fn fn)
{
  switch (fn)
    {
    case IFN_FMA:
    case IFN_COND_FMA:
      return PG_SUM_FUSED;
    case IFN_FMS:
    case IFN_COND_FMS:
      return PG_SUM_FUSED + 1;
    case IFN_FNMA:
    case IFN_COND_FNMA:
      return PG_SUM_FUSED + 2;
    case IFN_FNMS:
    case IFN_COND_FNMS:
      return PG_SUM_FUSED + 3;
    case IFN_COND_ADD:
    case IFN_COND_SUB:
    case IFN_VEC_ADDSUB:
    case IFN_FOLD_LEFT_PLUS:
    case IFN_MASK_FOLD_LEFT_PLUS:
      return PG_SUM_APART;
    case IFN_REDUC_PLUS:
      return PG_SUM_MIXED;
    default:
      return PG_SUM_UNSEEN;
    }
}

/* True if STMT has lanes that are masked.  */
static bool
masked_p (gimple *stmt)
{
  return is_gimple_call (stmt) && gimple_call_internal_p (stmt)
	 && internal_fn_mask_index (gimple_call_internal_fn (stmt)) >= 0;
}

/* What STMT, a sum or what may have become of one, is; PG_SUM_UNSEEN if it is nothing of the kind.  */
static int
form_of (gimple *stmt)
{
  if (pg_sum_p (stmt))
    return PG_SUM_APART;
  if (!is_gimple_call (stmt) || !gimple_call_internal_p (stmt))
    return PG_SUM_UNSEEN;
  int form = form_of_function (gimple_call_internal_fn (stmt));
  if (form < PG_SUM_FUSED || form == PG_SUM_MIXED)
    return form;
  /* Where lanes are masked, the mask comes first, and what masked lanes are comes last.  */
  return form + PG_N_SUM_FORMS * product_in (gimple_call_arg (stmt, 2 + masked_p (stmt)));
}

/* True if STMT crosses sums and differences of products, fused, in the lanes of one vector: GCC makes that of stores
   side by side, whatever -ffp-contract says, and does not tell which they were.  */
static bool
crossing_p (gimple *stmt)
{
  return gimple_call_internal_p (stmt, IFN_VEC_FMADDSUB) || gimple_call_internal_p (stmt, IFN_VEC_FMSUBADD);
}

/* True if STMT computes floating-point numbers, or vectors of them.  */
static bool
computing_p (gimple *stmt)
{
  tree lhs = is_gimple_assign (stmt) || is_gimple_call (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
  return lhs && TREE_CODE (lhs) == SSA_NAME
	 && (FLOAT_TYPE_P (TREE_TYPE (lhs)) || VECTOR_FLOAT_TYPE_P (TREE_TYPE (lhs)));
}

int
pg_sum_kind (int form)
{
  return form == PG_SUM_MIXED ? form : MIN (form, (int) PG_SUM_FUSED);
}

uint64_t
pg_shape_worth (const struct pg_shape &shape)
{
  if (shape.form < PG_SUM_FUSED || shape.form == PG_SUM_MIXED)
    return shape.form == PG_SUM_UNSEEN ? 0 : shape.form == PG_SUM_APART ? 1 : (uint64_t) 1 << 48;
  return (uint64_t) 256 << 8 * ((shape.form - PG_SUM_FUSED) % PG_N_SUM_FORMS);
}

/* FORM, joined by what is seen of another one.  */
static int
join (int form, int seen)
{
  return form == PG_SUM_UNSEEN || form == seen ? seen : (int) PG_SUM_MIXED;
}

/* The values that TYPE has: lanes, or one.  */
static unsigned HOST_WIDE_INT
width_of (const_tree type)
{
  return VECTOR_TYPE_P (type) ? constant_lower_bound (TYPE_VECTOR_SUBPARTS (type)) : 1;
}

/* A number for KEY that tells in a sum that KEY is in it.  */
static uint64_t
scrambled (uint64_t key)
{
  key *= HOST_WIDE_INT_UC (0x9e3779b97f4a7c15);
  return key >> 29 ^ key;
}

/* Add FORM of STMT, of that mark NUMBER, to its shape.  */
static void
add_form (int number, int form, gimple *stmt)
{
  struct pg_shape *shape = &marks[number - 1].seen;
  const_tree type = TREE_TYPE (gimple_get_lhs (stmt));
  if (shape->form == PG_SUM_UNSEEN)
    seen_marks.safe_push (number);
  shape->form = join (shape->form, form);
  shape->in_vector |= VECTOR_TYPE_P (type);
  shape->widths += scrambled (width_of (type));
  shape->mix += scrambled ((uint64_t) form << 16 | width_of (type));
}

/* Note in its mark, or in SIGHT, what became of STMT.  */
static void
look_at_statement (gimple *stmt, struct pg_sight *sight)
{
  int number = pg_forms_mark_of (stmt), form = form_of (stmt);
  bool is_mark = number > 0 && number < pg_forms_end (), is_sum = is_mark && marks[number - 1].is_sum;
  sight->crosses |= crossing_p (stmt);
  if (is_mark && product_p (stmt))
    form = is_sum ? PG_SUM_MIXED : PG_SUM_APART; /* x + x, for example; a product by itself */
  if (form == PG_SUM_UNSEEN)
    return;
  if (is_mark)
    add_form (number, form, stmt);
  else
    {
      sight->unmarked = join (sight->unmarked, pg_sum_kind (form));
      if (masked_p (stmt))
	sight->masked = join (sight->masked, pg_sum_kind (form));
    }
}

struct pg_sight
pg_forms_look (function *fun)
{
  for (int number : seen_marks)
    marks[number - 1].seen = {};
  seen_marks.truncate (0);
  struct pg_sight sight = {};
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (computing_p (gsi_stmt (gsi)))
	look_at_statement (gsi_stmt (gsi), &sight);
  return sight;
}

void
pg_forms_unmark (function *fun)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	int number = pg_forms_mark_of (stmt);
	if (number > 0 && number < pg_forms_end ())
	  gimple_set_location (stmt, set_block (marks[number - 1].where, gimple_block (stmt)));
      }
}
