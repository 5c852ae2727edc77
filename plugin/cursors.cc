/* SPDX-License-Identifier: GPL-3.0-or-later
   Cursors: elements of an array that count, and whose values the loop uses, as the place where the next value goes.

       for (i = 0; i < n; i++)			old = next[key[i]];	  it was MORE = 0 more than was loaded
	 out[next[key[i]]++] = a[i];		new = old + 1;		  MORE = 1
						next[key[i]] = new;	  step 1
						out[old] = a[i];

   So counting sorts fill their buckets, and sparse matrices their rows.  The array would be a reduction
   (array-reductions.cc), were its elements not used: each is a carried scalar (tally.cc).  A step of a cursor passes
   the integers from what is loaded to what is stored.  No other step of it passes these, as all go the same way; nor
   does another cursor, if the run time finds that their ways, from where they begin to where they end, are apart.  So
   where references are within a step of each other, no two iterations meet, as with counters (counters.cc).

   All that cursors pass lies in [LOW, LOW + TOTAL), which is known when the tally has run: a dimension of its own, in
   whose turns what is loaded, or stored if that is less, goes from LOW to LOW + TOTAL less a step.

   For that, an array has one store, in the block of its load; what is stored is what was loaded and a constant.  That
   no sum leaves the elements' type the run time sees: the tally adds up its steps in 64 bits, too.  */

#include "cycle.h"

/* More than this is no step.  */
static const HOST_WIDE_INT most_step = HOST_WIDE_INT_1 << 20;

const struct pg_plan_cursor *
pg_cursor_of (const struct pg_plan *plan, const_tree name)
{
  for (const struct pg_plan_cursor &cursor : plan->cursors)
    if (cursor.name == name)
      return &cursor;
  return NULL;
}

/* Set *MORE to what was added to LOADED to make NAME.  False: something else was done.  */
static bool
find_more (tree name, tree loaded, HOST_WIDE_INT *more)
{
  *more = 0;
  for (unsigned n = 0; name != loaded && n < 8; n++)
    {
      gassign *def = TREE_CODE (name) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (name)) : NULL;
      if (!def)
	return false;
      tree second = gimple_assign_rhs2 (def);
      if (gimple_assign_rhs_code (def) == PLUS_EXPR && TREE_CODE (second) == INTEGER_CST)
	{
	  widest_int value = wi::sext (wi::to_widest (second), TYPE_PRECISION (TREE_TYPE (second)));
	  if (!wi::les_p (wi::abs (value), most_step))
	    return false;
	  *more += value.to_shwi ();
	}
      else if (!CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def)) && gimple_assign_rhs_code (def) != SSA_NAME)
	return false;
      name = gimple_assign_rhs1 (def);
      if (TYPE_PRECISION (TREE_TYPE (name)) != TYPE_PRECISION (TREE_TYPE (loaded)))
	return false;
    }
  return name == loaded && IN_RANGE (*more, -most_step, most_step);
}

bool
pg_cursor_p (const struct pg_cycle *c, const gimple *load, const gimple *store)
{
  tree loaded = gimple_assign_lhs (load);
  HOST_WIDE_INT step;
  if (c->op != PG_REDUCE_ADD || !INTEGRAL_TYPE_P (TREE_TYPE (loaded)) || TYPE_PRECISION (TREE_TYPE (loaded)) < 32
      || gimple_bb (load) != gimple_bb (store) || !find_more (gimple_assign_rhs1 (store), loaded, &step) || step == 0)
    return false;
  for (tree name : c->names)
    {
      imm_use_iterator it;
      use_operand_p use;
      HOST_WIDE_INT more;
      if (!find_more (name, loaded, &more))
	return false;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	if (!is_gimple_debug (USE_STMT (use)) && !flow_bb_inside_loop_p (c->plan->loop, gimple_bb (USE_STMT (use))))
	  return false;
    }
  return true;
}

/* An integer that nothing computes: the runtime sets it.  */
static tree
new_number (const char *name)
{
  return create_tmp_var_raw (ssizetype, name);
}

/* Have each of PLAN's references that cursors tell of in the form of numbers.  */
static void
place_by_cursors (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  for (const struct pg_plan_access &access : plan->accesses)
    {
      struct pg_plan_ref *ref = &plan->refs[access.ref];
      struct pg_analysed place;
      HOST_WIDE_INT len;
      if (ref->flags & PG_REF_AFFINE)
	continue;
      pg_analyse_address (plan, bases[access.ref].operand, gimple_bb (access.stmt), &place, &len);
      if (place.form != PG_FORM_LINEAR || len != ref->len)
	continue;
      ref->address = place.value;
      ref->dim = place.dim;
      ref->misses_last = false;
      ref->flags = (ref->flags | PG_REF_AFFINE | PG_REF_CONDITIONAL) & ~PG_REF_USUAL;
      pg_unite (plan, bases, place.pointer, ref->group);
    }
}

void
pg_add_cursors (struct pg_plan *plan, const vec<struct pg_base> &bases, gimple *store, const vec<tree> &names)
{
  struct pg_plan_work_array *array = &plan->work_arrays.last ();
  tree loaded = names[0];
  array->store = store;
  find_more (gimple_assign_rhs1 (store), loaded, &array->step);
  array->low = new_number ("low");
  array->total = new_number ("total");
  for (tree name : names)
    {
      struct pg_plan_cursor cursor = { name, (int) plan->work_arrays.length () - 1, 0 };
      find_more (name, loaded, &cursor.more);
      plan->cursors.safe_push (cursor);
    }
  place_by_cursors (plan, bases);
}

void
pg_cursors_count (unsigned store, HOST_WIDE_INT step, tree args, HOST_WIDE_INT offset)
{
  tree steps = create_tmp_reg (ssizetype, "steps"), len = ssize_int (absu_hwi (step));
  basic_block bb;
  edge e;
  edge_iterator ei;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_store_p (gsi_stmt (gsi)) && gimple_uid (gsi_stmt (gsi)) == store)
	gsi_insert_after (&gsi, gimple_build_assign (steps, PLUS_EXPR, steps, len), GSI_NEW_STMT);
  gsi_insert_on_edge_immediate (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun)),
				gimple_build_assign (steps, ssize_int (0)));
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (cfun)->preds)
    {
      tree place = build2 (MEM_REF, ssizetype, args, build_int_cst (ptr_type_node, offset));
      gimple_stmt_iterator gsi = gsi_last_bb (e->src);
      gsi_insert_before (&gsi, gimple_build_assign (place, steps), GSI_SAME_STMT);
    }
}
