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
   loop, and steps by no more than its length, up, down or not at all, sweeps over a run without gaps.  The iteration of
   the region's loop is the same for all of it, so the order in which its bytes are touched makes no difference; and all
   that decides about the sweep is computed before the inner loop, so what the monitor reads for it is still touched
   before it.

   Inner loops that then have nothing left to do are removed by later passes.  Loops in loops are swept from the inside
   out, so rows of constant length that lie one behind the other become one sweep.  */

#include "sweep.h"

/* Arguments of touch.  */
enum
{
  ARG_REF = 1,
  ARG_ADDRESS = 2,
  ARG_LEN = 3
};

void
pg_find_touches (vec<gcall *> *calls)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (is_gimple_call (gsi_stmt (gsi)) && gimple_call_fn (gsi_stmt (gsi))
	  && TREE_CODE (gimple_call_fn (gsi_stmt (gsi))) == SSA_NAME)
	calls->safe_push (as_a<gcall *> (gsi_stmt (gsi)));
}

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

/* How often BB, in each iteration of LOOP or in all but the last, runs in one execution of LOOP: an expression of
   sizetype that can be evaluated before LOOP, or NULL_TREE.  *AT_LEAST_ONCE is set if that cannot be zero.  */
static tree
runs_of (class loop *loop, basic_block bb, bool *at_least_once)
{
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

/* Put STMTS at the end of the block before LOOP.  */
static void
insert_before_loop (class loop *loop, gimple_seq stmts)
{
  gimple_stmt_iterator gsi = gsi_last_bb (loop_preheader_edge (loop)->src);
  gsi_insert_seq_after (&gsi, stmts, GSI_NEW_STMT);
}

/* True if CALL of touch goes without gaps through LEN bytes at a time in LOOP, from *START on by *STEP.  */
static bool
gapless_p (gcall *call, class loop *loop, HOST_WIDE_INT len, tree *start, HOST_WIDE_INT *step)
{
  affine_iv iv;
  if (!simple_iv (loop, loop, gimple_call_arg (call, ARG_ADDRESS), &iv, false) || TREE_CODE (iv.step) != INTEGER_CST
      || generic_expr_could_trap_p (iv.base))
    return false;
  *start = iv.base;
  *step = wi::sext (wi::to_wide (iv.step), TYPE_PRECISION (TREE_TYPE (iv.step))).to_shwi ();
  return *step <= len && *step >= -len;
}

/* If CALL of touch sweeps in its innermost loop, put one call before that loop in its place, and return it, else
   NULL.  */
static gcall *
sweep (gcall *call)
{
  basic_block bb = gimple_bb (call);
  class loop *loop = bb->loop_father;
  if (loop_depth (loop) < 2 || !tree_fits_shwi_p (gimple_call_arg (call, ARG_LEN)))
    return NULL;
  HOST_WIDE_INT step, len = tree_to_shwi (gimple_call_arg (call, ARG_LEN));
  tree start, runs;
  bool at_least_once;
  if (!gapless_p (call, loop, len, &start, &step) || !(runs = runs_of (loop, bb, &at_least_once)))
    return NULL;
  if (dump_file)
    fprintf (dump_file, "sweep of reference %d\n", (int) tree_to_shwi (gimple_call_arg (call, ARG_REF)));

  gimple_seq stmts = NULL, more = NULL;
  runs = force_gimple_operand (runs, &stmts, true, NULL_TREE);
  tree further = fold_build2 (MINUS_EXPR, sizetype, runs, size_one_node);
  tree reach = fold_build2 (MULT_EXPR, sizetype, further, size_int (absu_hwi (step)));
  tree bytes = fold_build2 (PLUS_EXPR, sizetype, reach, size_int (len));
  if (!at_least_once)
    bytes = fold_build3 (COND_EXPR, sizetype, fold_build2 (EQ_EXPR, boolean_type_node, runs, size_zero_node),
			 size_zero_node, bytes);
  tree low = fold_convert (ptr_type_node, unshare_expr (start));
  if (step < 0)
    low = fold_build_pointer_plus (low, fold_build1 (NEGATE_EXPR, sizetype, reach));
  bytes = force_gimple_operand (fold_convert (intDI_type_node, bytes), &more, true, NULL_TREE);
  gimple_seq_add_seq (&stmts, more);
  low = force_gimple_operand (low, &more, true, NULL_TREE);
  gimple_seq_add_seq (&stmts, more);

  gcall *whole
    = gimple_build_call (gimple_call_fn (call), 4, gimple_call_arg (call, 0), gimple_call_arg (call, 1), low, bytes);
  gimple_call_set_nothrow (whole, true);
  gimple_seq_add_stmt (&stmts, whole);
  insert_before_loop (loop, stmts);
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  unlink_stmt_vdef (call);
  gsi_remove (&gsi, true);
  release_defs (call);
  return whole;
}

static int
compare_depths (const void *a, const void *b)
{
  const gcall *first = *(gcall *const *) a, *second = *(gcall *const *) b;
  int by_depth = (int) bb_loop_depth (gimple_bb (second)) - (int) bb_loop_depth (gimple_bb (first));
  return by_depth ? by_depth : (int) gimple_uid (first) - (int) gimple_uid (second);
}

void
pg_sweep_touches (void)
{
  /* Scalar evolutions are remembered by SSA version, whatever the function.  */
  scev_reset ();
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  calculate_dominance_info (CDI_DOMINATORS);

  /* From the inside out; calls of one depth in their order.  */
  auto_vec<gcall *> calls;
  pg_find_touches (&calls);
  unsigned uid = 0;
  for (gcall *call : calls)
    gimple_set_uid (call, uid++);
  calls.qsort (compare_depths);
  for (gcall *call : calls)
    while (call)
      call = sweep (call);

  scev_reset ();
  free_numbers_of_iterations_estimates (cfun);
  loop_optimizer_finalize (cfun);
}
