/* SPDX-License-Identifier: GPL-3.0-or-later
   Sweeps: what an inner loop of a monitor touches piece after piece becomes one touch.

       for (i = lo; i < hi; i++)			for (i = lo; i < hi; i++)
	 for (k = row[i]; k < row[i + 1]; k++)		  {
	   {						    n = row[i + 1] - row[i];
	     touch (ctx, 1, &col[k], 4);    ==>		    touch (ctx, 1, &col[row[i]], n * 4);
	     touch (ctx, 2, &x[col[k]], 8);		    for (k = row[i]; k < row[i + 1]; k++)
	   }						      touch (ctx, 2, &x[col[k]], 8);
							  }

   Rows that start anywhere have no address form in the region's description.  But when the inner loop is reached, its
   start and count are known, and its references step through memory.  A touch that comes in each iteration of the inner
   loop, and steps by no more than its length, up, down or not at all, sweeps over a run without gaps.  One that steps
   further, or by what only the run time knows, makes a row of pieces: one call of touch_row.  The iteration of the
   region's loop is the same for all of it, so the order in which its bytes are touched makes no difference; and all
   that decides about the sweep is computed before the inner loop, so what the monitor reads for it is still touched
   before it.

   Inner loops that then have nothing left to do are removed by later passes.  Loops in loops are swept from the inside
   out, so rows of constant length that lie one behind the other become one sweep.  */

#include "sweep.h"
#include "gather.h"
#include "touch.h"

/* Fill in DESC: how often LOOP's latch runs.  In loops such as k <= n the count holds if n is not the largest number
   there is; where counters do not overflow, it is not.  */
static bool
count_latch_runs (class loop *loop, edge exit, class tree_niter_desc *desc)
{
  return exit && number_of_iterations_exit_assumptions (loop, exit, desc, NULL) && desc->niter
	 && !chrec_contains_undetermined (desc->niter)
	 && (integer_onep (desc->assumptions) || desc->control.no_overflow)
	 && TYPE_PRECISION (TREE_TYPE (desc->niter)) <= 64 && !generic_expr_could_trap_p (desc->niter)
	 && !generic_expr_could_trap_p (desc->may_be_zero);
}

/* The block of CALL runs in each iteration of its loop, or in all but the last.  */
tree
pg_sweep_count (const gcall *call, bool *at_least_once)
{
  basic_block bb = gimple_bb (call);
  class loop *loop = bb->loop_father;
  edge exit = single_exit (loop);
  class tree_niter_desc desc;
  if (!dominated_by_p (CDI_DOMINATORS, loop->latch, bb) || !count_latch_runs (loop, exit, &desc))
    return NULL_TREE;

  tree n = fold_convert (sizetype, unshare_expr (desc.niter));
  if (!integer_zerop (desc.may_be_zero))
    n = fold_build3 (COND_EXPR, sizetype, unshare_expr (desc.may_be_zero), size_zero_node, n);
  *at_least_once = dominated_by_p (CDI_DOMINATORS, exit->src, bb);
  return *at_least_once ? fold_build2 (PLUS_EXPR, sizetype, n, size_one_node) : n;
}

void
pg_sweep_replace (gcall *call, gimple_seq stmts, gcall *whole)
{
  gimple_call_set_nothrow (whole, true);
  gimple_seq_add_stmt (&stmts, whole);
  gimple_stmt_iterator gsi = gsi_last_bb (loop_preheader_edge (gimple_bb (call)->loop_father)->src);
  gsi_insert_seq_after (&gsi, stmts, GSI_NEW_STMT);
  gsi = gsi_for_stmt (call);
  unlink_stmt_vdef (call);
  gsi_remove (&gsi, true);
  release_defs (call);
}

bool
pg_sweep_analyse (const gcall *call, struct pg_swept *swept)
{
  class loop *loop = gimple_bb (call)->loop_father;
  affine_iv address, len;
  if (!simple_iv (loop, loop, gimple_call_arg (call, PG_TOUCH_ADDRESS), &address, true)
      || !simple_iv (loop, loop, gimple_call_arg (call, PG_TOUCH_LEN), &len, false) || !integer_zerop (len.step)
      || generic_expr_could_trap_p (address.base) || generic_expr_could_trap_p (address.step)
      || generic_expr_could_trap_p (len.base))
    return false;
  swept->start = fold_convert (ptr_type_node, unshare_expr (address.base));
  swept->step = fold_convert (ssizetype, unshare_expr (address.step));
  swept->len = fold_convert (intDI_type_node, unshare_expr (len.base));
  swept->count = pg_sweep_count (call, &swept->at_least_once);
  return swept->count != NULL_TREE;
}

/* True if the pieces of SWEPT leave no gap between them.  */
static bool
gapless_p (const struct pg_swept *swept)
{
  if (!tree_fits_shwi_p (swept->step) || !tree_fits_shwi_p (swept->len))
    return false;
  HOST_WIDE_INT step = tree_to_shwi (swept->step), len = tree_to_shwi (swept->len);
  return step <= len && step >= -len;
}

tree
pg_sweep_compute (gimple_seq *stmts, tree expression)
{
  gimple_seq more = NULL;
  tree value = force_gimple_operand (expression, &more, true, NULL_TREE);
  gimple_seq_add_seq (stmts, more);
  return value;
}

/* A call like CALL of touch, for all of SWEPT, which leaves no gaps; what it needs goes to STMTS.  */
static gcall *
touch_run (gcall *call, const struct pg_swept *swept, gimple_seq *stmts)
{
  HOST_WIDE_INT step = tree_to_shwi (swept->step);
  tree count = pg_sweep_compute (stmts, swept->count);
  tree further = fold_build2 (MINUS_EXPR, sizetype, count, size_one_node);
  tree reach = fold_build2 (MULT_EXPR, sizetype, further, size_int (absu_hwi (step)));
  tree bytes = fold_build2 (PLUS_EXPR, sizetype, reach, fold_convert (sizetype, swept->len));
  if (!swept->at_least_once)
    bytes = fold_build3 (COND_EXPR, sizetype, fold_build2 (EQ_EXPR, boolean_type_node, count, size_zero_node),
			 size_zero_node, bytes);
  tree low = swept->start;
  if (step < 0)
    low = fold_build_pointer_plus (low, fold_build1 (NEGATE_EXPR, sizetype, reach));
  bytes = pg_sweep_compute (stmts, fold_convert (intDI_type_node, bytes));
  low = pg_sweep_compute (stmts, low);
  return gimple_build_call (gimple_call_fn (call), PG_TOUCH_N_ARGS, gimple_call_arg (call, PG_TOUCH_CTX),
			    gimple_call_arg (call, PG_TOUCH_REF), low, bytes);
}

/* The same where it may leave gaps: a call of touch_row, TOUCH_ROW.  */
static gcall *
touch_row (gcall *call, const struct pg_swept *swept, gimple_seq *stmts, tree touch_row)
{
  tree start = pg_sweep_compute (stmts, swept->start), len = pg_sweep_compute (stmts, swept->len);
  tree count = pg_sweep_compute (stmts, fold_convert (intDI_type_node, swept->count));
  tree step = pg_sweep_compute (stmts, fold_convert (intDI_type_node, swept->step));
  return gimple_build_call (touch_row, PG_TOUCH_N_ARGS + 2, gimple_call_arg (call, PG_TOUCH_CTX),
			    gimple_call_arg (call, PG_TOUCH_REF), start, len, count, step);
}

/* If CALL of touch sweeps in its innermost loop, put one call before that loop in its place, and return it if it may
   sweep in the next one, else NULL.  */
static gcall *
sweep (gcall *call, tree *row_function)
{
  struct pg_swept swept;
  if (loop_depth (gimple_bb (call)->loop_father) < 2 || !pg_sweep_analyse (call, &swept))
    return NULL;
  bool is_run = gapless_p (&swept);
  if (dump_file)
    fprintf (dump_file, "%s of reference %d\n", is_run ? "sweep" : "row", pg_touch_ref (call));

  gimple_seq stmts = NULL;
  gcall *whole
    = is_run ? touch_run (call, &swept, &stmts)
	     : touch_row (call, &swept, &stmts,
			  pg_touch_function (offsetof (struct pg_monitor, touch_row), intDI_type_node, row_function));
  pg_sweep_replace (call, stmts, whole);
  return is_run ? whole : NULL;
}

static int
compare_depths (const void *a, const void *b)
{
  const gcall *first = *(gcall *const *) a, *second = *(gcall *const *) b;
  int by_depth = (int) bb_loop_depth (gimple_bb (second)) - (int) bb_loop_depth (gimple_bb (first));
  return by_depth ? by_depth : (int) gimple_uid (first) - (int) gimple_uid (second);
}

void
pg_sweep_touches (const struct pg_plan *plan)
{
  /* Scalar evolutions are remembered by SSA version, whatever the function.  */
  scev_reset ();
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  calculate_dominance_info (CDI_DOMINATORS);

  /* From the inside out; calls of one depth in their order.  */
  auto_vec<gcall *> calls;
  pg_gather_touches (plan);
  pg_touch_find (&calls);
  unsigned uid = 0;
  for (gcall *call : calls)
    gimple_set_uid (call, uid++);
  calls.qsort (compare_depths);
  tree row_function = NULL_TREE;
  for (gcall *call : calls)
    while (call && !pg_touch_is_gather (call))
      call = sweep (call, &row_function);

  scev_reset ();
  free_numbers_of_iterations_estimates (cfun);
  loop_optimizer_finalize (cfun);
}
