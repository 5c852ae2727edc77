/* SPDX-License-Identifier: GPL-3.0-or-later
   Gathers: what an inner loop of a monitor reads by a row of integers becomes one call.

       for (k = row[i]; k < row[i + 1]; k++)		n = row[i + 1] - row[i];
	 {						gather (ctx, 2, &col[row[i]], n * 4, x, 8 bytes each);
	   touch (ctx, 1, &col[k], 4);		  ==>	for (k = row[i]; k < row[i + 1]; k++)
	   touch (ctx, 2, &x[col[k]], 8);		  touch (ctx, 1, &col[k], 4);
	 }

   Who is told reads the integers himself, many at a time, and of rows that lie one behind the other all at once.  So
   they must be where the monitor finds them, as long as it runs: a row that is told as such, not one of the monitor's
   own variables.  The base must be the same for all of the loop, and one call the only one about its reference.

   Writes are not gathered: an iteration may write one place several times.  */

#include "gather.h"
#include "sweep.h"
#include "touch.h"

/* Where a touch is: SCALE times INDEX and OFFSET behind BASE.  */
struct gathered
{
  tree base, index; /* NULL_TREE: not found yet */
  HOST_WIDE_INT offset, scale;
};

/* Scales are not larger than this.  */
static const HOST_WIDE_INT scale_limit = HOST_WIDE_INT_1 << 32;

/* The assignment that defines VALUE, or NULL.  */
static gassign *
assignment_of (tree value)
{
  return TREE_CODE (value) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value)) : NULL;
}

/* True if VALUE is loaded.  */
static bool
loaded_p (tree value)
{
  gassign *def = assignment_of (value);
  return def && gimple_assign_load_p (def);
}

/* Let VALUE, a number of bytes, be what PLACE's index is scaled to.  */
static bool
find_index (tree value, struct gathered *place)
{
  for (place->scale = 1; !loaded_p (value);)
    {
      gassign *def = assignment_of (value);
      if (!def || TYPE_PRECISION (TREE_TYPE (value)) != POINTER_SIZE)
	return false;
      enum tree_code code = gimple_assign_rhs_code (def);
      value = gimple_assign_rhs1 (def);
      if (CONVERT_EXPR_CODE_P (code))
	{
	  if (!INTEGRAL_TYPE_P (TREE_TYPE (value)))
	    return false;
	  if (TYPE_PRECISION (TREE_TYPE (value)) != POINTER_SIZE)
	    break;
	  continue;
	}
      if ((code != MULT_EXPR && code != PLUS_EXPR && code != LSHIFT_EXPR)
	  || TREE_CODE (gimple_assign_rhs2 (def)) != INTEGER_CST)
	return false;
      HOST_WIDE_INT constant = (HOST_WIDE_INT) TREE_INT_CST_LOW (gimple_assign_rhs2 (def));
      if (code == PLUS_EXPR)
	place->offset = (HOST_WIDE_INT) ((unsigned HOST_WIDE_INT) place->offset
					 + (unsigned HOST_WIDE_INT) constant * (unsigned HOST_WIDE_INT) place->scale);
      else if (constant <= 0 || (code == LSHIFT_EXPR && constant >= 32))
	return false;
      else
	{
	  HOST_WIDE_INT factor = code == LSHIFT_EXPR ? HOST_WIDE_INT_1 << constant : constant;
	  if (factor > scale_limit / place->scale)
	    return false;
	  place->scale *= factor;
	}
    }
  place->index = value;
  return loaded_p (value);
}

/* True if VALUE is the same in all of the function.  */
static bool
invariant_p (tree value)
{
  if (TREE_CODE (value) != SSA_NAME)
    return is_gimple_min_invariant (value);
  return SSA_NAME_IS_DEFAULT_DEF (value) || loop_depth (gimple_bb (SSA_NAME_DEF_STMT (value))->loop_father) == 0;
}

/* Fill in PLACE for ADDRESS.  */
static bool
split (tree address, struct gathered *place)
{
  *place = { NULL_TREE, NULL_TREE, 0, 1 };
  while (!invariant_p (address))
    {
      gassign *def = assignment_of (address);
      if (!def)
	return false;
      enum tree_code code = gimple_assign_rhs_code (def);
      address = gimple_assign_rhs1 (def);
      if (code == POINTER_PLUS_EXPR)
	{
	  tree more = gimple_assign_rhs2 (def);
	  if (TREE_CODE (more) == INTEGER_CST)
	    place->offset += (HOST_WIDE_INT) TREE_INT_CST_LOW (more);
	  else if (place->index || !find_index (more, place))
	    return false;
	}
      else if (code != SSA_NAME && !(CONVERT_EXPR_CODE_P (code) && POINTER_TYPE_P (TREE_TYPE (address))))
	return false;
    }
  place->base = address;
  return place->index != NULL_TREE;
}

/* True if INDEX, loaded in LOOP, is what CALL of touch, in LOOP too, tells of: LOAD_IV is where that is.  */
static bool
tells_of_p (const gcall *call, class loop *loop, const affine_iv *load_iv, HOST_WIDE_INT size)
{
  affine_iv iv;
  tree len = gimple_call_arg (call, PG_TOUCH_LEN);
  return gimple_bb (call)->loop_father == loop && gimple_call_num_args (call) == PG_TOUCH_N_ARGS
	 && tree_fits_shwi_p (len) && tree_to_shwi (len) == size
	 && simple_iv (loop, loop, gimple_call_arg (call, PG_TOUCH_ADDRESS), &iv, true)
	 && operand_equal_p (iv.base, load_iv->base, 0) && operand_equal_p (iv.step, load_iv->step, 0);
}

/* The call among CALLS that tells of the integers, side by side, that INDEX takes in LOOP; or NULL.  */
static const gcall *
find_row (const vec<gcall *> &calls, class loop *loop, tree index)
{
  gimple *load = SSA_NAME_DEF_STMT (index);
  tree type = TREE_TYPE (index);
  HOST_WIDE_INT size;
  affine_iv iv;
  if (gimple_bb (load)->loop_father != loop || gimple_has_volatile_ops (load) || !INTEGRAL_TYPE_P (type)
      || reverse_storage_order_for_component_p (gimple_assign_rhs1 (load))
      || (TYPE_PRECISION (type) != 32 && TYPE_PRECISION (type) != 64))
    return NULL;
  gimple_seq stmts = NULL;
  tree address = pg_sweep_compute (&stmts, pg_touch_address (unshare_expr (gimple_assign_rhs1 (load)), &size));
  gimple_stmt_iterator gsi = gsi_for_stmt (load);
  gsi_insert_seq_before (&gsi, stmts, GSI_SAME_STMT);
  if (size * BITS_PER_UNIT != TYPE_PRECISION (type) || !simple_iv (loop, loop, address, &iv, true)
      || !tree_fits_shwi_p (iv.step) || tree_to_shwi (iv.step) != size)
    return NULL;
  for (const gcall *call : calls)
    if (call && tells_of_p (call, loop, &iv, size))
      return call;
  return NULL;
}

/* Put one call of gather, FUNCTION, before the innermost loop of CALL of touch in its place, which PLACE says.  The
   integers are SWEPT.  */
static void
replace (gcall *call, const struct gathered *place, const struct pg_swept *swept, tree function)
{
  bool is_signed = !TYPE_UNSIGNED (TREE_TYPE (place->index));
  int size = TYPE_PRECISION (TREE_TYPE (place->index)) / BITS_PER_UNIT;
  gimple_seq stmts = NULL;
  tree len = fold_build2 (MULT_EXPR, sizetype, pg_sweep_compute (&stmts, swept->count), size_int (size));
  len = pg_sweep_compute (&stmts, fold_convert (intDI_type_node, len));
  tree base = fold_build_pointer_plus_hwi (fold_convert (ptr_type_node, unshare_expr (place->base)), place->offset);
  tree start = pg_sweep_compute (&stmts, swept->start);
  tree form = build_int_cst (intDI_type_node, PG_GATHER_FORM (place->scale, is_signed, exact_log2 (size)));
  gcall *whole
    = gimple_build_call (function, PG_TOUCH_N_ARGS + 2, gimple_call_arg (call, PG_TOUCH_CTX),
			 gimple_call_arg (call, PG_TOUCH_REF), start, len, pg_sweep_compute (&stmts, base), form);
  if (dump_file)
    fprintf (dump_file, "gather of reference %d\n", pg_touch_ref (call));
  pg_sweep_replace (call, stmts, whole);
}

/* True if CALL, one of CALLS in the monitor of PLAN, is of an access that may be gathered.  */
static bool
gatherable_p (const struct pg_plan *plan, const vec<gcall *> &calls, const gcall *call)
{
  int ref = pg_touch_ref (call);
  tree len = gimple_call_arg (call, PG_TOUCH_LEN);
  for (const gcall *other : calls)
    if (other && other != call && pg_touch_ref (other) == ref)
      return false;
  return loop_depth (gimple_bb (call)->loop_father) >= 2 && !(plan->refs[ref].flags & (PG_REF_FEEDS | PG_REF_WRITE))
	 && gimple_call_num_args (call) == PG_TOUCH_N_ARGS && tree_fits_shwi_p (len)
	 && tree_to_shwi (len) == plan->refs[ref].len;
}

void
pg_gather_touches (const struct pg_plan *plan)
{
  auto_vec<gcall *> calls;
  tree function = NULL_TREE;
  pg_touch_find (&calls);
  for (gcall *&call : calls)
    {
      struct gathered place;
      struct pg_swept row;
      if (!gatherable_p (plan, calls, call) || !split (gimple_call_arg (call, PG_TOUCH_ADDRESS), &place))
	continue;
      const gcall *told = find_row (calls, gimple_bb (call)->loop_father, place.index);
      if (!told || !pg_sweep_analyse (told, &row))
	continue;
      row.count = pg_sweep_count (call, &row.at_least_once);
      if (!row.count)
	continue;
      replace (call, &place, &row,
	       pg_touch_function (offsetof (struct pg_monitor, gather), const_ptr_type_node, &function));
      call = NULL;
    }
}
