/* SPDX-License-Identifier: GPL-3.0-or-later
   The judge: decides how a loop may run, and why.

   Input: a loop in loop-closed SSA, with scalar evolution.  Output: a plan with class, reason and, if the loop is to
   be handed over, everything that outlining and the region descriptor need.  Nothing in the function changes.

       for (i = 0; i < n; i++)            parallel (proven) if x and y are distinct arrays,
         y[i] = a * x[i];                 possibly parallel (pointers) if they are pointers,
       y[idx[i]] += x[i];                 possibly parallel (indirect),
       s += x[i];                         sequential (fp-order) unless the flags let sums be reordered.

   Refusing is always safe: each step refuses whatever it does not understand.  */

#include "judge.h"

bool
pg_any_statement_p (const class loop *loop, bool (*holds) (gimple *stmt))
{
  basic_block *body = get_loop_body (loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !found; gsi_next (&gsi))
      found = holds (gsi_stmt (gsi));
  free (body);
  return found;
}

bool
pg_refuse (struct pg_plan *plan, enum pg_reason why, gimple *stmt, char *detail)
{
  plan->klass = pg_reasons[why].klass;
  plan->reason = why;
  plan->reason_where = stmt ? gimple_location (stmt) : UNKNOWN_LOCATION;
  free (plan->detail);
  plan->detail = detail;
  plan->outline = false;
  return false;
}

static tree
find_name_in_loop (tree *tp, int *, void *data)
{
  const class loop *loop = (const class loop *) data;
  if (TREE_CODE (*tp) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (*tp))
    return NULL_TREE;
  basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (*tp));
  return bb && flow_bb_inside_loop_p (loop, bb) ? *tp : NULL_TREE;
}

bool
pg_invariant_p (const struct pg_plan *plan, tree value)
{
  return walk_tree_without_duplicates (&value, find_name_in_loop, plan->loop) == NULL_TREE;
}

bool
pg_function_body_p (const struct pg_plan *plan)
{
  return !loop_outer (plan->loop);
}

void
pg_find_body (const struct pg_plan *plan, vec<basic_block> *body)
{
  if (pg_function_body_p (plan))
    {
      body->safe_splice (get_all_dominated_blocks (CDI_DOMINATORS, ENTRY_BLOCK_PTR_FOR_FN (cfun)));
      return;
    }
  basic_block *blocks = get_loop_body_in_dom_order (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    body->safe_push (blocks[i]);
  free (blocks);
}

bool
pg_constant_call_p (gimple *stmt)
{
  return is_gimple_call (stmt) && gimple_call_lhs (stmt) && !gimple_vuse (stmt)
	 && (gimple_call_flags (stmt) & (ECF_CONST | ECF_LOOPING_CONST_OR_PURE)) == ECF_CONST
	 && !stmt_could_throw_p (cfun, stmt);
}

bool
pg_precedes_p (gimple *first, gimple *second)
{
  if (gimple_bb (first) != gimple_bb (second))
    return dominated_by_p (CDI_DOMINATORS, gimple_bb (second), gimple_bb (first));
  for (gimple_stmt_iterator gsi = gsi_for_stmt (first); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gsi_stmt (gsi) == second)
      return true;
  return false;
}

/* True if nothing in BB leaves a trace but what it computes, by calls only if they MAY be.  */
static bool
leaves_no_trace_p (basic_block bb, bool may_call)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (is_gimple_debug (stmt))
	continue;
      if (gimple_vdef (stmt) || (is_gimple_call (stmt) && !(may_call && pg_constant_call_p (stmt))))
	return false;
    }
  return true;
}

/* Loops of more blocks than this are left alone: the slice looks at pairs of blocks.  */
static const unsigned max_blocks = 300;

/* Find the loop's only exit and its number of iterations on entry.  */
static bool
judge_shape (struct pg_plan *plan)
{
  class loop *loop = plan->loop;
  edge exit = single_exit (loop);
  if (!exit || (exit->flags & (EDGE_COMPLEX)))
    return pg_refuse (plan, PG_WHY_MANY_EXITS, NULL);
  if (!loop->latch || !single_succ_p (loop->latch) || !dominated_by_p (CDI_DOMINATORS, loop->latch, exit->src))
    return pg_refuse (plan, PG_WHY_SHAPE, NULL);

  if (loop->num_nodes > max_blocks)
    return pg_refuse (plan, PG_WHY_TOO_LARGE, NULL);
  basic_block *body = get_loop_body (loop);
  bool irreducible = false;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    irreducible |= (body[i]->flags & BB_IRREDUCIBLE_LOOP) != 0;
  free (body);
  if (irreducible)
    return pg_refuse (plan, PG_WHY_IRREDUCIBLE, NULL);

  /* What the latch does without a trace may be what the header of the next iteration needs.  */
  bool is_last = single_pred_p (loop->latch) && single_pred (loop->latch) == exit->src;
  bool at_bottom = is_last && empty_block_p (loop->latch);
  bool at_top = !at_bottom && exit->src == loop->header && leaves_no_trace_p (loop->header, false);
  at_bottom = at_bottom || (!at_top && is_last && leaves_no_trace_p (loop->latch, true));
  if (!at_bottom && !at_top)
    return pg_refuse (plan, PG_WHY_SHAPE, NULL);

  plan->exit = exit;
  plan->exit_at_top = at_top;
  plan->n_iters = pg_count_iterations (plan);
  return plan->n_iters || pg_refuse (plan, PG_WHY_UNCOUNTABLE, NULL);
}

enum pg_reason
pg_judge_function (function *fun)
{
  return pg_refuse_function (fun);
}

/* Make PLAN an empty one, of LOOP.  */
static void
begin (class loop *loop, struct pg_plan *plan)
{
  plan->loop = loop;
  plan->reason_where = UNKNOWN_LOCATION;
  plan->detail = plan->without = NULL;
  plan->switch_where = UNKNOWN_LOCATION;
  plan->outline = true;
  plan->region = NULL_TREE;
  plan->exit = NULL;
  plan->n_iters = NULL_TREE;
  plan->threshold = 0;
  plan->vectors_change_bits = plan->keep_fused = plan->build_noalias = plan->build_monitor = false;
  plan->carries = plan->build_doacross = plan->cut_columns = plan->fuses = false;
  plan->meets = -1;
  plan->region_flags = plan->n_asked = 0;
  plan->sets.truncate (0);
  plan->calls = false;
  plan->called_frame_len = 0;
}

bool
pg_judge_body (struct pg_plan *plan, vec<struct pg_base> *bases)
{
  begin (get_loop (cfun, 0), plan);
  plan->where = DECL_SOURCE_LOCATION (cfun->decl);
  plan->exit_at_top = true;
  if (!pg_judge_statements (plan))
    return false;
  pg_analyse_dims (plan);
  return pg_judge_references (plan, bases);
}

void
pg_judge_loop (class loop *loop, struct pg_plan *plan)
{
  begin (loop, plan);
  plan->where = find_loop_location (loop).get_location_t ();

  /* Statements first: their refusals say most.  Private variables before counts and dimensions, which may depend on
     loads: the entry loads nothing of these.  Dimensions before references, which are functions of them; references,
     and then those of trails, before independence and slice, or tally, with which there is no monitor; contraction last
     of the correctness steps, as it may take the no-alias F away; work at the very end, as it only weighs.  */
  auto_vec<struct pg_base> bases;
  if (!pg_judge_statements (plan))
    return;
  pg_find_privates (plan);
  if (!judge_shape (plan) || !pg_judge_scalars (plan))
    return;
  pg_analyse_dims (plan);
  if (!pg_judge_references (plan, &bases) || !pg_judge_trails (plan, &bases))
    return;
  pg_find_array_reductions (plan, bases);
  if (!pg_judge_mirrors (plan))
    return;
  if (!pg_find_alike (plan, bases))
    pg_find_work_arrays (plan, bases);
  pg_find_ordered (plan);
  pg_judge_independence (plan, bases) && pg_judge_loads (plan)
    && (pg_has_tally_p (plan) ? pg_judge_tally (plan) : pg_judge_slice (plan, bases)) && pg_judge_narrowing (plan)
    && pg_judge_contraction (plan) && pg_judge_work (plan);
}
