/* SPDX-License-Identifier: GPL-3.0-or-later
   Places that no number tells, as far as they are confined:

       int count[256];
       for (i = 0; i < n; i++)
	 count[key[i]]++;		somewhere from count to count + 256
       for (i = 0; i < n; i++)
	 p[key[i] & 255] = i;		somewhere from p to p + 256

   For arrays that iterations have of their own, in whole or to combine them, it matters only how far references go at
   most.  Where a loaded or computed index leaves that open, the declaration of the array tells it, or the range of what
   is computed.  The reference's form is then one turn for each element, which an iteration may touch or not.  What the
   type of an array says of its rows is not asked, nor what the type behind a pointer says: old programs take little
   account of that.  */

#include "judge.h"

/* The bytes of an array that a reference may touch, behind its pointer; or what a number may be, END included.  */
struct reach
{
  HOST_WIDE_INT low, end;
};

/* Set REACH to what is known of VALUE as a number with a sign.  False: nothing, or it may be large.  */
static bool
find_range (tree value, struct reach *reach)
{
  int_range_max range;
  gimple *def = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  get_global_range_query ()->range_of_expr (range, value);
  if (def && is_gimple_assign (def) && range.varying_p ())
    fold_range (range, def);
  range_cast (range, ssizetype);
  if (range.undefined_p () || !wi::ges_p (range.lower_bound (), -pg_most_confined)
      || !wi::les_p (range.upper_bound (), pg_most_confined))
    return false;
  *reach = { range.lower_bound ().to_shwi (), range.upper_bound ().to_shwi () };
  return true;
}

/* Set REACH to what VALUE, an offset, may be, seen as a number with a sign.  False: not known, or too much.  */
static bool
find_values (tree value, struct reach *reach)
{
  tree type = TREE_TYPE (value);
  if ((TREE_CODE (value) == SSA_NAME || TREE_CODE (value) == INTEGER_CST) && find_range (value, reach))
    return true;
  /* What is computed as addresses are wraps where they do.  */
  if (TYPE_PRECISION (type) < TYPE_PRECISION (ssizetype))
    return false;
  tree first = value, second = NULL_TREE;
  enum tree_code code = TREE_CODE (value);
  if (code == SSA_NAME)
    {
      gassign *def = dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value));
      code = def ? gimple_assign_rhs_code (def) : ERROR_MARK;
      first = def ? gimple_assign_rhs1 (def) : NULL_TREE;
      second = def ? gimple_assign_rhs2 (def) : NULL_TREE;
    }
  else if (EXPR_P (value))
    {
      first = TREE_OPERAND (value, 0);
      second = code == MULT_EXPR ? TREE_OPERAND (value, 1) : NULL_TREE;
    }
  if (CONVERT_EXPR_CODE_P (code))
    return INTEGRAL_TYPE_P (TREE_TYPE (first)) && TYPE_PRECISION (TREE_TYPE (first)) <= TYPE_PRECISION (type)
	   && find_values (first, reach);
  struct reach by;
  if (code != MULT_EXPR || !find_values (first, reach) || !find_values (second, &by) || by.low != by.end || by.low < 0)
    return false;
  *reach = { reach->low * by.low, reach->end * by.low };
  return reach->low >= -pg_most_confined && reach->end <= pg_most_confined;
}

/* The pointer from before PLAN's loop that OPERAND's address is computed from, or NULL_TREE.  */
static tree
root_of (const struct pg_plan *plan, tree operand)
{
  tree base = get_base_address (operand);
  tree pointer = base && TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 0) : NULL_TREE;
  while (pointer && TREE_CODE (pointer) == SSA_NAME && !pg_invariant_p (plan, pointer))
    {
      gimple *def = SSA_NAME_DEF_STMT (pointer);
      if (!is_gimple_assign (def) || gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR)
	return NULL_TREE;
      pointer = gimple_assign_rhs1 (def);
    }
  return pointer;
}

tree
pg_pointer_of (const struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned ref)
{
  return bases[ref].pointer ? bases[ref].pointer : root_of (plan, bases[ref].operand);
}

/* Widen REACH by VALUE, an offset, which is a multiple of LEN.  False: not known.  */
static bool
add_offset (struct reach *reach, tree value, HOST_WIDE_INT len)
{
  struct reach by;
  if (tree_ctz (value) < (unsigned) exact_log2 (len) || !find_values (value, &by))
    return false;
  reach->low += ROUND_DOWN (by.low, len);
  reach->end += ROUND_UP (by.end, len);
  return true;
}

/* The variable of this unit, and of known length, that POINTER is the address of; or NULL_TREE.  */
static tree
variable_at (const_tree pointer)
{
  tree decl = TREE_CODE (pointer) == ADDR_EXPR ? TREE_OPERAND (pointer, 0) : NULL_TREE;
  return decl && VAR_P (decl) && !DECL_EXTERNAL (decl) && !DECL_COMMON (decl) && DECL_SIZE_UNIT (decl)
	     && (!TREE_PUBLIC (decl) || decl_binds_to_current_def_p (decl)) && tree_fits_shwi_p (DECL_SIZE_UNIT (decl))
	   ? decl
	   : NULL_TREE;
}

/* Set REACH to what OPERAND, LEN bytes long, may touch behind POINTER, which it is based on, by what its index may be.
   Elements of that length have to go through it.  */
static bool
find_reach_by_index (const_tree pointer, tree operand, HOST_WIDE_INT len, struct reach *reach)
{
  poly_int64 bit_len, bit_pos;
  tree offset;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;
  HOST_WIDE_INT position;
  if (len <= 0 || !pow2p_hwi (len))
    return false;
  tree base
    = get_inner_reference (operand, &bit_len, &bit_pos, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
  bool is_variable = TREE_CODE (pointer) == ADDR_EXPR && base == TREE_OPERAND (pointer, 0);
  if ((TREE_CODE (base) != MEM_REF && !is_variable) || !bit_pos.is_constant (&position) || position % BITS_PER_UNIT)
    return false;
  position = position / BITS_PER_UNIT + (is_variable ? 0 : mem_ref_offset (base).force_shwi ().to_constant ());
  *reach = { position, position + len };
  if (position % len || (offset && !add_offset (reach, offset, len)))
    return false;
  tree from = is_variable ? NULL_TREE : TREE_OPERAND (base, 0);
  while (!is_variable && from != pointer && !operand_equal_p (from, pointer, 0))
    {
      gimple *def = TREE_CODE (from) == SSA_NAME ? SSA_NAME_DEF_STMT (from) : NULL;
      if (!def || !is_gimple_assign (def) || gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR
	  || !add_offset (reach, gimple_assign_rhs2 (def), len))
	return false;
      from = gimple_assign_rhs1 (def);
    }
  return true;
}

/* The same by the declaration of POINTER's variable, if there is one: its length may be no multiple, and its last bytes
   touched all the same.  */
static bool
find_reach (const_tree pointer, tree operand, HOST_WIDE_INT len, struct reach *reach)
{
  const_tree variable = variable_at (pointer);
  if (!variable || len <= 0)
    return find_reach_by_index (pointer, operand, len, reach);
  *reach = { 0, tree_to_shwi (DECL_SIZE_UNIT (variable)) };
  return pow2p_hwi (len) && reach->end % len == 0;
}

/* Set PLACE to REACH behind POINTER, an element of LEN bytes after the other in a dimension in PARENT: N of them.  */
static bool
place_all (struct pg_plan *plan, tree pointer, const struct reach *reach, HOST_WIDE_INT len, int parent,
	   struct pg_analysed *place, HOST_WIDE_INT *n)
{
  struct pg_plan_linear last = pg_linear_zero (), bytes = pg_linear_zero ();
  tree type = build_array_type_nelts (unsigned_char_type_node, len);
  tree first = build2 (MEM_REF, type, pointer, build_int_cst (build_pointer_type (type), reach->low));
  *n = (reach->end - reach->low) / len;
  if (*n < 1 || *n * len > pg_most_confined || (reach->end - reach->low) % len)
    return false;
  pg_analyse_address (plan, first, plan->loop->header, place, &len);
  if (place->form != PG_FORM_LINEAR || place->dim != 0 || place->value.coef[0] >= 0
      || !pg_linear_add_product (plan, &last, *n - 1, NULL, 0) || !pg_linear_add_product (plan, &bytes, len, NULL, 0))
    return false;
  place->dim = pg_turns_dim (plan, parent, &last);
  if (place->dim < 0)
    return false;
  place->value.coef[place->dim] = bytes.base;
  return true;
}

void
pg_unite (struct pg_plan *plan, const vec<struct pg_base> &bases, tree pointer, int group)
{
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      tree other = pg_pointer_of (plan, bases, i);
      if (other && operand_equal_p (other, pointer, 0))
	plan->refs[i].group = group;
    }
}

bool
pg_confine (struct pg_plan *plan, const vec<struct pg_base> &bases, tree pointer, int group, bool by_loop,
	    HOST_WIDE_INT *n)
{
  struct reach all = { HOST_WIDE_INT_MAX, HOST_WIDE_INT_MIN };
  *n = 0;
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      const struct pg_plan_ref *ref = &plan->refs[i];
      struct reach reach;
      if (ref->group != group || (ref->flags & PG_REF_AFFINE))
	continue;
      if (!find_reach (pointer, bases[i].operand, ref->len, &reach))
	return false;
      all.low = MIN (all.low, reach.low);
      all.end = MAX (all.end, reach.end);
    }
  for (struct pg_plan_ref &ref : plan->refs)
    if (ref.group == group && !(ref.flags & PG_REF_AFFINE))
      {
	struct pg_analysed place;
	if (!place_all (plan, pointer, &all, ref.len, by_loop ? ref.dim : 0, &place, n))
	  return false;
	ref.address = place.value;
	ref.dim = place.dim;
	ref.misses_last = false;
	ref.is_confined = true;
	ref.flags = (ref.flags | PG_REF_AFFINE | PG_REF_CONDITIONAL) & ~PG_REF_USUAL;
      }
  return true;
}
