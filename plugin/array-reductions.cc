/* SPDX-License-Identifier: GPL-3.0-or-later
   Array reductions: memory that the loop does nothing with but `element = element OP value'.

       for (i = 0; i < n; i++)			for (i = 0; i < n; i++)
	 count[key[i] & 255]++;			  for (j = 0; j < m; j++)
						    sum[j] += a[i][j];

   Iterations meet there, and what comes of it is the same in any order, as with scalars (scalars.cc).  So ranges may
   work on an array each that begins with the operation's identities; these are combined in the end
   (runtime/array-parts.h).  An iteration that reads an element twice before it writes it, or writes it twice, does the
   same to both: an element is always what it was OP something that does not depend on what it was.

   How long such an array is has to be known on entry: by the numbers that tell where the loop goes, or, where an
   element's place is loaded or computed, by the array's declaration or the range of what is computed.  Then that is the
   reference's form from here on: one turn for each element, which an iteration may touch or not.  */

#include "cycle.h"

/* More bytes than this that only a declaration, or a range, tells of are not combined: most may not be touched.  */
static const HOST_WIDE_INT most_bytes = 1 << 24;

/* Where the references of a loop that are to one array go.  */
struct array
{
  struct pg_plan *plan;
  const vec<struct pg_base> *bases;
  int group;
  tree pointer;
  tree type; /* of its elements, or NULL_TREE: none is known yet */
  bool seen_op;
  enum pg_reduction_op op;
  auto_vec<gimple *> operations; /* integer statements that may overflow */
  auto_bitmap taken;             /* SSA versions of what is loaded from it, and used to replace that */
};

/* The bytes of an array that a reference may touch, behind its pointer; or what a number may be, END included.  */
struct reach
{
  HOST_WIDE_INT low, end;
};

/* True if references of GROUP can be an array's, so that there would be a reason to look: a write in each iteration at
   the same place, or anywhere.  */
static bool
is_wanted (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_ref &ref : plan->refs)
    if (ref.group == group && (ref.flags & PG_REF_WRITE)
	&& (!(ref.flags & PG_REF_AFFINE) || (ref.address.coef[0] < 0 && plan->dims[ref.dim].counter < 0)))
      return true;
  return false;
}

/* The load of what STORE replaces, if nothing else is made of that; or NULL.  C goes from one to the other.  */
static gimple *
find_load (const struct array *array, const struct pg_plan_access *store, struct pg_cycle *c)
{
  for (const struct pg_plan_access &load : array->plan->accesses)
    {
      if (load.is_store || array->plan->refs[load.ref].group != array->group || !gimple_assign_load_p (load.stmt)
	  || !operand_equal_p (load.operand, store->operand, OEP_ADDRESS_OF))
	continue;
      c->names.truncate (0);
      c->operations.truncate (0);
      c->seen_op = false;
      c->names.safe_push (gimple_assign_lhs (load.stmt));
      if (pg_cycle_reaches (c, gimple_assign_rhs1 (store->stmt)) && c->seen_op)
	return load.stmt;
    }
  return NULL;
}

/* True if STMT, which uses a name of C, continues C, or puts it where STORE does.  */
static bool
belongs_p (const struct pg_cycle *c, gimple *stmt, const struct pg_plan_access *store)
{
  if (is_gimple_debug (stmt))
    return true;
  if (!flow_bb_inside_loop_p (c->plan->loop, gimple_bb (stmt)))
    return false;
  if (gimple_store_p (stmt))
    return operand_equal_p (gimple_assign_lhs (stmt), store->operand, OEP_ADDRESS_OF);
  tree def = is_a<gphi *> (stmt) || is_gimple_assign (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
  return def && c->names.contains (def);
}

static bool
is_closed (const struct pg_cycle *c, const struct pg_plan_access *store)
{
  for (tree name : c->names)
    {
      imm_use_iterator it;
      use_operand_p use;
      if (pg_cycle_doubles_p (c, name))
	return false;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	if (!belongs_p (c, USE_STMT (use), store))
	  return false;
    }
  return true;
}

/* Take STORE, to ARRAY, as what replaces an element by it and something.  */
static bool
take_store (struct array *array, const struct pg_plan_access *store)
{
  struct pg_cycle c;
  enum pg_scalar_type scalar;
  tree type = TREE_TYPE (store->operand);
  c.plan = array->plan;
  gimple *load = gimple_assign_single_p (store->stmt) && !store->is_partial ? find_load (array, store, &c) : NULL;
  if (!load || !is_closed (&c, store) || !pg_scalar_type_of (type, &scalar) || !pg_cycle_suits_type_p (&c, type)
      || (SCALAR_FLOAT_TYPE_P (type) && !pg_cycle_orders_p (&c) && !flag_associative_math)
      || (array->seen_op && array->op != c.op) || reverse_storage_order_for_component_p (store->operand)
      || (array->type && !types_compatible_p (array->type, type))
      || get_object_alignment (store->operand) < TREE_INT_CST_LOW (TYPE_SIZE (type)))
    return false;
  array->type = type;
  array->seen_op = true;
  array->op = c.op;
  array->operations.safe_splice (c.operations);
  bitmap_set_bit (array->taken, SSA_NAME_VERSION (gimple_assign_lhs (load)));
  return true;
}

/* True if all accesses of ARRAY are stores that replace an element, and the loads for that.  */
static bool
only_combines_p (struct array *array)
{
  for (const struct pg_plan_access &access : array->plan->accesses)
    if (access.is_store && array->plan->refs[access.ref].group == array->group && !take_store (array, &access))
      return false;
  for (const struct pg_plan_access &access : array->plan->accesses)
    {
      if (access.is_store || array->plan->refs[access.ref].group != array->group)
	continue;
      tree loaded = gimple_assign_load_p (access.stmt) ? gimple_assign_lhs (access.stmt) : NULL_TREE;
      if (!loaded || TREE_CODE (loaded) != SSA_NAME || !bitmap_bit_p (array->taken, SSA_NAME_VERSION (loaded)))
	return false;
    }
  return true;
}

/* Set REACH to what is known of VALUE as a number with a sign.  False: nothing, or it may be large.  */
static bool
find_range (tree value, struct reach *reach)
{
  int_range_max range;
  gimple *def = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  get_global_range_query ()->range_of_expr (range, value);
  if (def && is_gimple_assign (def) && range.varying_p ())
    fold_range (range, def);
  if (TYPE_PRECISION (TREE_TYPE (value)) >= TYPE_PRECISION (ssizetype))
    range_cast (range, ssizetype);
  signop sign = TYPE_SIGN (range.type ());
  if (range.undefined_p () || !wi::ge_p (range.lower_bound (), -most_bytes, sign)
      || !wi::le_p (range.upper_bound (), most_bytes, sign))
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
  return reach->low >= -most_bytes && reach->end <= most_bytes;
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

/* The pointer, or the address of the variable, that reference REF of PLAN is based on, or NULL_TREE.  */
static tree
pointer_of (const struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned ref)
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

/* Set REACH to what OPERAND may touch of ARRAY.  Of a variable that is all, as far as the variable is this unit's; what
   its type says of rows is not asked, nor what the type behind a pointer says: old programs take little account of
   that.  */
static bool
find_reach (const struct array *array, tree operand, struct reach *reach)
{
  poly_int64 bit_len, bit_pos;
  tree offset;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;
  HOST_WIDE_INT position, len = int_size_in_bytes (array->type);
  tree base
    = get_inner_reference (operand, &bit_len, &bit_pos, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
  if (VAR_P (base))
    {
      *reach = { 0, tree_fits_shwi_p (DECL_SIZE_UNIT (base)) ? tree_to_shwi (DECL_SIZE_UNIT (base)) : 0 };
      reach->end -= reach->end % len;
      return !DECL_EXTERNAL (base) && !DECL_COMMON (base) && TREE_CODE (array->pointer) == ADDR_EXPR
	     && TREE_OPERAND (array->pointer, 0) == base;
    }
  if (TREE_CODE (base) != MEM_REF || !bit_pos.is_constant (&position) || position % BITS_PER_UNIT)
    return false;
  position = position / BITS_PER_UNIT + mem_ref_offset (base).force_shwi ().to_constant ();
  *reach = { position, position + len };
  if (position % len || (offset && !add_offset (reach, offset, len)))
    return false;
  tree pointer = TREE_OPERAND (base, 0);
  while (pointer != array->pointer)
    {
      gimple *def = TREE_CODE (pointer) == SSA_NAME ? SSA_NAME_DEF_STMT (pointer) : NULL;
      if (!def || !is_gimple_assign (def) || gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR
	  || !add_offset (reach, gimple_assign_rhs2 (def), len))
	return false;
      pointer = gimple_assign_rhs1 (def);
    }
  return true;
}

/* Set PLACE to REACH of ARRAY, an element after the other: N of them.  */
static bool
place_all (const struct array *array, const struct reach *reach, struct pg_analysed *place, HOST_WIDE_INT *n)
{
  HOST_WIDE_INT len = int_size_in_bytes (array->type);
  struct pg_plan_linear last = pg_linear_zero (), bytes = pg_linear_zero ();
  tree first
    = build2 (MEM_REF, array->type, array->pointer, build_int_cst (build_pointer_type (array->type), reach->low));
  *n = (reach->end - reach->low) / len;
  if (*n < 1 || *n * len > most_bytes || (reach->end - reach->low) % len)
    return false;
  pg_analyse_address (array->plan, first, array->plan->loop->header, place, &len);
  if (place->form != PG_FORM_LINEAR || place->dim != 0 || place->value.coef[0] >= 0
      || !pg_linear_add_product (array->plan, &last, *n - 1, NULL, 0)
      || !pg_linear_add_product (array->plan, &bytes, len, NULL, 0))
    return false;
  place->dim = pg_turns_dim (array->plan, 0, &last);
  if (place->dim < 0)
    return false;
  place->value.coef[place->dim] = bytes.base;
  return true;
}

/* Have each reference to ARRAY in the form of numbers.  *N is how many elements there are at most that no loop goes
   through.  */
static bool
widen (const struct array *array, HOST_WIDE_INT *n)
{
  struct reach all = { HOST_WIDE_INT_MAX, HOST_WIDE_INT_MIN };
  struct pg_analysed place;
  *n = 0;
  for (unsigned i = 0; i < array->plan->refs.length (); i++)
    {
      const struct pg_plan_ref *ref = &array->plan->refs[i];
      struct reach reach;
      if (ref->group != array->group || (ref->flags & PG_REF_AFFINE))
	continue;
      if (!find_reach (array, (*array->bases)[i].operand, &reach))
	return false;
      all.low = MIN (all.low, reach.low);
      all.end = MAX (all.end, reach.end);
    }
  if (all.low > all.end)
    return true;
  if (!place_all (array, &all, &place, n))
    return false;
  for (struct pg_plan_ref &ref : array->plan->refs)
    if (ref.group == array->group && !(ref.flags & PG_REF_AFFINE))
      {
	ref.address = place.value;
	ref.dim = place.dim;
	ref.flags = (ref.flags | PG_REF_AFFINE | PG_REF_CONDITIONAL) & ~PG_REF_USUAL;
      }
  return true;
}

/* Have all references to ARRAY in one group; those of unknown form have one each.  GROUPS keeps what they had.  */
static void
group (struct array *array, vec<int> *groups)
{
  for (unsigned i = 0; i < array->plan->refs.length (); i++)
    {
      struct pg_plan_ref *ref = &array->plan->refs[i];
      tree pointer = pointer_of (array->plan, *array->bases, i);
      groups->safe_push (ref->group);
      if (pointer && operand_equal_p (pointer, array->pointer, 0))
	ref->group = array->group;
    }
}

/* Make ARRAY, if it is one, a reduction of its plan.  */
static bool
take (struct array *array)
{
  struct pg_plan *plan = array->plan;
  HOST_WIDE_INT n;
  if (!is_wanted (plan, array->group) || pg_has_entry_load_p (plan, array->group) || !only_combines_p (array)
      || !pg_base_is_at_hand_p (plan, array->pointer, array->group) || !widen (array, &n))
    return false;
  struct pg_plan_work_array found = { array->pointer, array->group, false, true, array->op, PG_I8, n };
  pg_scalar_type_of (array->type, &found.type);
  plan->work_arrays.safe_push (found);
  if (array->op != PG_REDUCE_MIN && array->op != PG_REDUCE_MAX)
    plan->wrap_chain.safe_splice (array->operations);
  return true;
}

void
pg_find_array_reductions (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  if (!plan->trails.is_empty () || pg_has_tally_p (plan))
    return;
  auto_vec<struct pg_plan_ref> refs;
  unsigned n_chain = plan->wrap_chain.length (), flags = plan->region_flags;
  refs.safe_splice (plan->refs);
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      struct array array = {};
      auto_vec<int> groups;
      array.plan = plan;
      array.bases = &bases;
      array.group = plan->refs[i].group;
      array.pointer = pointer_of (plan, bases, i);
      if (!array.pointer || pg_work_array_of (plan, array.group))
	continue;
      group (&array, &groups);
      if (!take (&array))
	for (unsigned r = 0; r < groups.length (); r++)
	  plan->refs[r].group = groups[r];
    }
  pg_note_affine (plan);
  if (plan->work_arrays.is_empty () || pg_numbers_settle_p (plan, bases))
    return;
  /* Others would have to be watched.  */
  plan->work_arrays.truncate (0);
  plan->wrap_chain.truncate (n_chain);
  plan->refs.truncate (0);
  plan->refs.safe_splice (refs);
  plan->region_flags = flags;
}
