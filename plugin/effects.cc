/* SPDX-License-Identifier: GPL-3.0-or-later
   What calls of functions that have summaries touch, as accesses of the loop that makes the calls.

       static void
       clear (double *x, int n)			x: writes 8 bytes, further on by 8 in turns up to n - 1
       {
	 for (int j = 0; j < n; j++)
	   x[j] = 0;
       }
       for (int i = 0; i < rows; i++)
	 clear (&a[i * ld], m);			a + 8 ld i + 8 j for j up to m - 1

   The turns of a function's loops become dimensions of the nest, as its own loops have, and arguments take the place of
   parameters.  */

#include "judge.h"
#include "summary.h"

/* LEN bytes at OFFSET behind ADDRESS, as an operand.  */
static tree
bytes_at (tree address, HOST_WIDE_INT offset, HOST_WIDE_INT len)
{
  tree type = build_array_type_nelts (unsigned_char_type_node, len);
  tree any_type = build_pointer_type_for_mode (type, ptr_mode, true);
  return build2 (MEM_REF, type, address, build_int_cst (any_type, offset));
}

/* The bytes that EFFECT of CALL is about, as an operand; NULL_TREE: of no object.  */
static tree
operand_of (const gcall *call, const struct pg_effect *effect)
{
  tree address = effect->param < 0 ? build_fold_addr_expr (effect->decl) : gimple_call_arg (call, effect->param);
  poly_int64 offset = 0;
  if (TREE_CODE (address) == ADDR_EXPR)
    {
      tree base = get_addr_base_and_unit_offset (TREE_OPERAND (address, 0), &offset);
      if (!base || !DECL_P (base))
	return NULL_TREE;
      address = build_fold_addr_expr (base);
    }
  else if (TREE_CODE (address) != SSA_NAME || !POINTER_TYPE_P (TREE_TYPE (address)))
    return NULL_TREE;
  return bytes_at (address, offset.to_constant () + effect->from, effect->to - effect->from);
}

/* All of the object that OPERAND is in, if its length is known, else OPERAND.  */
static tree
whole_of (tree operand)
{
  tree address = TREE_OPERAND (operand, 0);
  tree decl = TREE_CODE (address) == ADDR_EXPR ? TREE_OPERAND (address, 0) : NULL_TREE;
  if (!decl || !DECL_SIZE_UNIT (decl) || !tree_fits_shwi_p (DECL_SIZE_UNIT (decl))
      || integer_zerop (DECL_SIZE_UNIT (decl)))
    return operand;
  return bytes_at (address, 0, tree_to_shwi (DECL_SIZE_UNIT (decl)));
}

/* Set OUT to what parameter NUMBER of the function is in CALL.  False: that is not linear; or the function is declared
   otherwise here, or old-style, and takes a part of the argument.  */
static bool
analyse_argument (struct pg_plan *plan, const gcall *call, int number, struct pg_plan_linear *out)
{
  tree argument = gimple_call_arg (call, number);
  const_tree type = TREE_TYPE (argument);
  int bits = pg_summary_of (call)->bits[number];
  return INTEGRAL_TYPE_P (type) && bits == (TYPE_UNSIGNED (type) ? 1 : -1) * (int) TYPE_PRECISION (type)
	 && pg_analyse_integer (plan, argument, gimple_bb (call), out);
}

/* Add to SUM what VALUE, in numbers of parameters, is in CALL.  False: that is not linear.  */
static bool
add_value (struct pg_plan *plan, const gcall *call, const struct pg_polynomial &value, struct pg_plan_linear *sum)
{
  for (const struct pg_term &term : value)
    {
      struct pg_plan_linear factors[PG_MOST_FACTORS];
      for (int i = 0; i < term.n_leaves; i++)
	if (!analyse_argument (plan, call, term.leaves[i], &factors[i]))
	  return false;
      if (!pg_linear_add_product (plan, sum, term.number, factors, term.n_leaves))
	return false;
    }
  return true;
}

/* Move PLACE, where EFFECT of CALL would be without its form, to where it is with it.  False: that is not linear.  */
static bool
follow_form (struct pg_plan *plan, const gcall *call, const struct pg_effect *effect, struct pg_analysed *place)
{
  const struct pg_effect_form *form = effect->form;
  if (place->form != PG_FORM_LINEAR || plan->dims[place->dim].counter >= 0
      || !add_value (plan, call, form->offset, &place->value))
    return false;
  for (int i = 0; i < form->n_turns; i++)
    {
      struct pg_plan_linear last = pg_linear_zero (), bytes = pg_linear_zero (), step = pg_linear_zero ();
      if (!add_value (plan, call, form->turns[i].last, &last) || !add_value (plan, call, form->turns[i].bytes, &bytes))
	return false;
      step.base = bytes.base;
      place->dim = pg_turns_dim (plan, place->dim, &last);
      if (place->dim < 0 || !pg_linear_equal (&step, &bytes))
	return false;
      place->value.coef[place->dim] = bytes.base;
    }
  return true;
}

/* More bytes than this are not looked at as one.  */
static const HOST_WIDE_INT most_joint = 1 << 30;

/* How many bytes EFFECT of CALL touches, one after the other from where it would be without its form; 0: that is no
   constant, -1: none.  */
static HOST_WIDE_INT
joint_len (struct pg_plan *plan, const gcall *call, const struct pg_effect *effect)
{
  HOST_WIDE_INT bytes, value, len = effect->to - effect->from;
  const struct pg_effect_form *form = effect->form;
  struct pg_plan_linear last = pg_linear_zero ();
  if (form->n_turns != 1 || form->offset.n_terms > 0 || !pg_number_p (form->turns[0].bytes, &bytes) || bytes != len
      || !add_value (plan, call, form->turns[0].last, &last) || !pg_linear_constant (plan, &last, &value) || value < -1
      || value >= most_joint / len)
    return 0;
  return value < 0 ? -1 : (value + 1) * len;
}

/* Add what EFFECT, which has a form, of CALL touches; OPERAND is where it would be without.  */
static bool
judge_formed (struct pg_plan *plan, vec<struct pg_base> *bases, gcall *call, const struct pg_effect *effect,
	      tree operand)
{
  struct pg_analysed place;
  HOST_WIDE_INT len = joint_len (plan, call, effect);
  if (len < 0)
    return true;
  if (len > 0)
    {
      tree joint = bytes_at (TREE_OPERAND (operand, 0), tree_to_shwi (TREE_OPERAND (operand, 1)), len);
      return pg_add_access (plan, bases, call, joint, effect->is_write, !effect->is_whole);
    }
  tree whole = whole_of (operand);
  pg_analyse_address (plan, operand, gimple_bb (call), &place, &len);
  if (follow_form (plan, call, effect, &place))
    return pg_add_access (plan, bases, call, whole, effect->is_write, !effect->is_whole, &place, len);
  if (whole == operand)
    return pg_refuse (plan, PG_WHY_NONLINEAR, call,
		      xstrdup (lang_hooks.decl_printable_name (gimple_call_fndecl (call), 1)));
  return pg_add_access (plan, bases, call, whole, effect->is_write, true);
}

bool
pg_judge_effects (struct pg_plan *plan, vec<struct pg_base> *bases, gcall *call)
{
  for (const struct pg_effect &effect : pg_summary_of (call)->effects)
    {
      tree operand = operand_of (call, &effect);
      if (!operand)
	return pg_refuse (plan, PG_WHY_AGGREGATE, call);
      if (effect.form ? !judge_formed (plan, bases, call, &effect, operand)
		      : !pg_add_access (plan, bases, call, operand, effect.is_write, !effect.is_whole))
	return false;
    }
  return true;
}
