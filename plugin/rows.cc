/* SPDX-License-Identifier: GPL-3.0-or-later
   Rows taken several at a time: where iterations add up in order, several are run side by side.

       for (i = 0; i < n; i++)			for (i = 0; i + 3 < n; i += 4)
	 {					  {
	   s = 0;				    s0 = s1 = s2 = s3 = 0;
	   for (j = 0; j < m; j++)	==>	    for (j = 0; j < m; j++)
	     s += a[i][j] * x[j];		      s0 += a[i][j] * x[j], s1 += a[i+1][j] * x[j], ...
	   t[i] = s;				    t[i] = s0, t[i+1] = s1, ...
	 }					  }
						for (; i < n; i++)
						  ...

   A sum in order waits for what it was before, some cycles for each number; a processor could do several such sums in
   that time, and has x at hand for all of them.  Each iteration computes what it did, in its order; those of different
   ones are mixed.  They may be: LOOP is the outermost one of an F that only runs iterations that are free of conflicts.

   First there is a copy of the loop for all but the last few iterations.  Then what each block of the copy does, as far
   as it depends on the iteration, is done at its end once more for each of those that come next.

   Requires: loop-closed SSA, scev.  Leaves: the same.  Source: Allen and Cocke, "A catalogue of optimizing
   transformations", 1971: unroll and jam.  */

#include "rows.h"

/* Iterations side by side, at most, and sums.  */
static const unsigned most_rows = 4, most_sums = 8;

/* More statements than this are not taken several times.  */
static const unsigned max_statements = 100;

/* A loop of which iterations are to run side by side.  */
struct jam
{
  class loop *loop;
  struct pg_cut shape = {}; /* its blocks, inner loops, counters and number of iterations */
  unsigned n_rows, n_sums;
  auto_vec<gimple *> statements;         /* of the loop, PHIs too, each behind those that it needs but for latches */
  hash_map<tree, tree> names[most_rows]; /* of each row but the first: what names of the first are there */
};

/* The floating-point sums that INNER, in LOOP, makes.  0 if it is of more than one block, takes other turns in other
   iterations, or does something else.  */
static unsigned
count_sums (class loop *loop, class loop *inner)
{
  class tree_niter_desc desc;
  edge exit = single_exit (inner);
  unsigned n_sums = 0;
  if (!exit || inner->num_nodes != 2 || exit->src != inner->header || !empty_block_p (inner->latch)
      || !number_of_iterations_exit (inner, exit, &desc, false) || !integer_zerop (desc.may_be_zero)
      || !expr_invariant_in_loop_p (loop, desc.niter))
    return 0;
  for (gphi_iterator psi = gsi_start_phis (inner->header); !gsi_end_p (psi); gsi_next (&psi))
    {
      tree name = gimple_phi_result (psi.phi ());
      affine_iv iv;
      if (virtual_operand_p (name) || simple_iv (inner, inner, name, &iv, false))
	continue;
      if (!SCALAR_FLOAT_TYPE_P (TREE_TYPE (name)))
	return 0;
      n_sums++;
    }
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (inner->header); !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
    if (gimple_vdef (gsi_stmt (gsi)))
      return 0;
  return n_sums;
}

bool
pg_rows_add_up_p (class loop *loop, class loop *inner)
{
  return !flag_associative_math && count_sums (loop, inner) > 0;
}

/* Add what BB has to JAM.  False if something may not be run side by side.  */
static bool
add_block (struct jam *jam, basic_block bb)
{
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())))
      jam->statements.safe_push (psi.phi ());
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb); !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (gimple_code (stmt) == GIMPLE_LABEL || gimple_code (stmt) == GIMPLE_COND)
	continue;
      if (!pg_cut_statement_ok_p (stmt))
	return false;
      jam->statements.safe_push (stmt);
    }
  return true;
}

/* Find all that JAM's loop does, in order.  */
static bool
find_statements (struct jam *jam)
{
  unsigned next_inner = 0;
  for (basic_block bb : jam->shape.chain)
    {
      if (!add_block (jam, bb))
	return false;
      if (bb == jam->shape.exit->src || single_succ (bb)->loop_father == jam->loop)
	continue;
      if (!add_block (jam, jam->shape.inner[next_inner++]->header))
	return false;
    }
  return jam->statements.length () <= max_statements;
}

/* Find out how JAM's loop would be run side by side.  False: not at all.  */
static bool
plan (struct jam *jam)
{
  if (!pg_cut_find_chain (&jam->shape) || !pg_cut_find_counters (&jam->shape))
    return false;
  for (class loop *inner : jam->shape.inner)
    {
      unsigned n_sums = count_sums (jam->loop, inner);
      if (n_sums == 0)
	return false;
      jam->n_sums = MAX (jam->n_sums, n_sums);
    }
  jam->n_rows = jam->n_sums > most_sums ? 0 : MIN (most_rows, most_sums / jam->n_sums);
  return jam->n_rows > 1 && find_statements (jam);
}

/* What NAME is in ROW of JAM.  */
static tree
in_row (struct jam *jam, tree name, unsigned row)
{
  tree *other = TREE_CODE (name) == SSA_NAME ? jam->names[row].get (name) : NULL;
  return other ? *other : name;
}

/* True if STMT uses something that is another in ROW of JAM.  */
static bool
varies_p (struct jam *jam, gimple *stmt, unsigned row)
{
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_PHI_OR_STMT_USE (use, stmt, it, SSA_OP_USE)
    if (in_row (jam, USE_FROM_PTR (use), row) != USE_FROM_PTR (use))
      return true;
  return false;
}

/* Have STMT use what it does in ROW of JAM.  */
static void
use_row (struct jam *jam, gimple *stmt, unsigned row)
{
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_PHI_OR_STMT_USE (use, stmt, it, SSA_OP_USE)
    SET_USE (use, in_row (jam, USE_FROM_PTR (use), row));
}

/* Begin PHI, of a header or behind an inner loop, for ROW of JAM: what comes from latches is set later.  */
static void
copy_phi (struct jam *jam, gphi *phi, unsigned row)
{
  tree name = gimple_phi_result (phi), other = copy_ssa_name (name);
  gphi *copy = create_phi_node (other, gimple_bb (phi));
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    add_phi_arg (copy, in_row (jam, gimple_phi_arg_def (phi, i), row), gimple_phi_arg_edge (phi, i),
		 gimple_phi_arg_location (phi, i));
  jam->names[row].put (name, other);
}

/* Put STMT once more, for ROW of JAM, where its block ends.  */
static void
copy_statement (struct jam *jam, gimple *stmt, unsigned row)
{
  gimple *copy = gimple_copy (stmt);
  tree name = gimple_get_lhs (stmt);
  gimple_stmt_iterator gsi = gsi_last_bb (gimple_bb (stmt));
  if (name && TREE_CODE (name) == SSA_NAME)
    {
      tree other = copy_ssa_name (name, copy);
      gimple_set_lhs (copy, other);
      jam->names[row].put (name, other);
    }
  if (gimple_vdef (copy))
    gimple_set_vdef (copy, gimple_vop (cfun));
  if (gimple_vuse (copy))
    gimple_set_vuse (copy, gimple_vop (cfun));
  if (!gsi_end_p (gsi) && stmt_ends_bb_p (gsi_stmt (gsi)))
    gsi_insert_before (&gsi, copy, GSI_SAME_STMT);
  else
    gsi_insert_after (&gsi, copy, GSI_NEW_STMT);
  use_row (jam, copy, row);
  update_stmt (copy);
}

/* NAME and so many TIMES STEP, computed at GSI.  */
static tree
count_on (gimple_stmt_iterator *gsi, tree name, tree step, unsigned times)
{
  tree sum = pg_cut_count_on (name, step, size_int (times));
  return force_gimple_operand_gsi (gsi, sum, true, NULL_TREE, true, GSI_SAME_STMT);
}

/* Have the counters of JAM's loop count rows, and each row have its own.  */
static void
spread_counters (struct jam *jam)
{
  for (const struct pg_cut_counter &counter : jam->shape.counters)
    {
      tree name = gimple_phi_result (counter.phi);
      gimple_stmt_iterator gsi = gsi_after_labels (jam->loop->header);
      for (unsigned row = 1; row < jam->n_rows; row++)
	jam->names[row].put (name, count_on (&gsi, name, counter.step, row));
      gsi = gsi_for_stmt (last_stmt (jam->shape.exit->src));
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (counter.phi, loop_latch_edge (jam->loop)),
	       count_on (&gsi, name, counter.step, jam->n_rows));
    }
}

/* Set what the PHI of each row in the header of INNER has from its latch.  */
static void
close_inner (struct jam *jam, class loop *inner)
{
  edge latch = loop_latch_edge (inner);
  for (gimple *stmt : jam->statements)
    if (gimple_code (stmt) == GIMPLE_PHI && gimple_bb (stmt) == inner->header)
      for (unsigned row = 1; row < jam->n_rows; row++)
	if (tree *other = jam->names[row].get (gimple_phi_result (stmt)))
	  {
	    gphi *copy = as_a<gphi *> (SSA_NAME_DEF_STMT (*other));
	    tree next = PHI_ARG_DEF_FROM_EDGE (as_a<gphi *> (stmt), latch);
	    SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (copy, latch), in_row (jam, next, row));
	  }
}

/* True if PHI, in the header of an inner loop of JAM or behind it, is another in each row, as far as is known: a sum
   is, whatever it begins with, and counters that do not count the same in all iterations.  */
static bool
phi_varies_p (struct jam *jam, gphi *phi, unsigned row)
{
  affine_iv iv;
  class loop *inner = gimple_bb (phi)->loop_father;
  if (inner == jam->loop)
    return varies_p (jam, phi, row);
  return !simple_iv (inner, inner, gimple_phi_result (phi), &iv, false)
	 || !expr_invariant_in_loop_p (jam->loop, iv.base) || !expr_invariant_in_loop_p (jam->loop, iv.step);
}

/* Run rows of JAM's loop side by side.  Its number of iterations is set by others.  */
static void
spread_rows (struct jam *jam)
{
  spread_counters (jam);
  for (gimple *stmt : jam->statements)
    {
      gphi *phi = dyn_cast<gphi *> (stmt);
      if (phi && gimple_bb (phi) == jam->loop->header)
	continue;
      for (unsigned row = 1; row < jam->n_rows; row++)
	if (phi ? phi_varies_p (jam, phi, row) : (gimple_vdef (stmt) || varies_p (jam, stmt, row)))
	  {
	    if (phi)
	      copy_phi (jam, phi, row);
	    else
	      copy_statement (jam, stmt, row);
	  }
    }
  for (class loop *inner : jam->shape.inner)
    close_inner (jam, inner);
}

/* Skip what lies between FROM, of one successor, and TO, unless VALUE is above 0.  */
static void
skip_unless (basic_block from, basic_block to, tree value)
{
  split_edge (single_succ_edge (from));
  edge into = single_succ_edge (from);
  gimple_stmt_iterator gsi = gsi_last_bb (from);
  gsi_insert_after (&gsi, gimple_build_cond (NE_EXPR, value, size_zero_node, NULL_TREE, NULL_TREE), GSI_NEW_STMT);
  into->flags = EDGE_TRUE_VALUE;
  into->probability = profile_probability::likely ();
  edge past = make_edge (from, to, EDGE_FALSE_VALUE);
  past->probability = into->probability.invert ();
}

/* Have what LOOP counts begin DONE iterations later, computed at the end of BB.  */
static void
begin_later (const struct pg_cut *shape, basic_block bb, tree done)
{
  edge entry = loop_preheader_edge (shape->loop);
  for (const struct pg_cut_counter &counter : shape->counters)
    {
      tree base = fold_convert (TREE_TYPE (gimple_phi_result (counter.phi)), unshare_expr (counter.base));
      tree start = pg_cut_count_on (base, counter.step, done);
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (counter.phi, entry), pg_cut_compute (bb, start));
    }
}

bool
pg_rows_jam (class loop *loop)
{
  struct jam found, jam;
  found.loop = found.shape.loop = loop;
  found.n_sums = 0;
  if (flag_associative_math || !plan (&found))
    return false;
  unsigned n_rows = found.n_rows;

  /* before: n, n / rows -> copy -> between -> LOOP -> behind.  */
  basic_block before = loop_preheader_edge (loop)->src;
  tree n = pg_cut_compute (before, found.shape.n_iters);
  tree n_jammed = pg_cut_compute (before, build2 (TRUNC_DIV_EXPR, sizetype, n, size_int (n_rows)));
  tree done = pg_cut_compute (before, build2 (MULT_EXPR, sizetype, n_jammed, size_int (n_rows)));
  tree left = pg_cut_compute (before, build2 (MINUS_EXPR, sizetype, n, done));
  class loop *copy = pg_cut_copy_loop (&found.shape);
  pg_cut_refresh ();
  basic_block between = split_edge (loop_preheader_edge (loop)), behind = split_edge (single_exit (loop));
  begin_later (&found.shape, between, done);
  pg_cut_run_turns (loop, left);

  jam.loop = jam.shape.loop = copy;
  jam.n_sums = 0;
  bool is_same = plan (&jam) && jam.n_rows == n_rows;
  if (is_same)
    spread_rows (&jam);
  pg_cut_run_turns (copy, is_same ? n_jammed : done);
  skip_unless (split_edge (loop_preheader_edge (copy)), between, n_jammed);
  skip_unless (between, behind, left);
  if (dump_file)
    fprintf (dump_file, "loop %d: %u rows at a time\n", copy->num, n_rows);
  pg_cut_refresh ();
  return true;
}
