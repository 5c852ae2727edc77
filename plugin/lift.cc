/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: the control flow of F.  See lift.h.

   One iteration is what F does for a range of one: the test that leaves the loop is known, so the edge back to the
   header and what only leads to it are never taken.

       left at the bottom				left at the top
	 b0: entry block				  b0: entry block
	 b1: header ...					  b1: header without its test ...
	 bn: ... test, exit block, return		  bn: ... latch, header again, exit block, return

   In the second shape what the exit block stores is what the header computes when it is reached for the second
   time.  */

#include "lifting.h"
#include "where.h"

/* The blocks of an iteration.  */
struct flow
{
  basic_block header;
  edge entry, exit;
  bool exit_at_top;
  auto_vec<basic_block> order; /* reverse postorder */
  int last;                    /* the block in which the iteration ends; -1: not yet known */
};

/* Fill in FLOW's order: what an iteration can reach.  */
static void
find_order (struct flow *flow)
{
  auto_vec<basic_block> stack, reached;
  auto_sbitmap seen (last_basic_block_for_fn (cfun));
  auto_vec<unsigned> next;
  bitmap_clear (seen);
  stack.safe_push (flow->header);
  next.safe_push (0);
  bitmap_set_bit (seen, flow->header->index);
  while (!stack.is_empty ())
    {
      basic_block bb = stack.last ();
      bool is_end = !flow->exit_at_top && bb == flow->exit->src;
      if (is_end || next.last () == EDGE_COUNT (bb->succs))
	{
	  reached.safe_push (bb);
	  stack.pop ();
	  next.pop ();
	  continue;
	}
      edge e = EDGE_SUCC (bb, next.last ()++);
      if (e == flow->exit || bitmap_bit_p (seen, e->dest->index))
	continue;
      bitmap_set_bit (seen, e->dest->index);
      stack.safe_push (e->dest);
      next.safe_push (0);
    }
  while (!reached.is_empty ())
    flow->order.safe_push (reached.pop ());
}

static void
lift_statements (struct pg_lifter *lifter, basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_ctrl_stmt (gsi_stmt (gsi)))
      pg_lift_statement (lifter, gsi_stmt (gsi));
}

/* Give the header's PHIs the values that they have when it is entered by E.  */
static void
enter_header (struct pg_lifter *lifter, edge e)
{
  auto_vec<struct pg_lifted> values;
  for (gphi_iterator psi = gsi_start_phis (e->dest); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())))
      values.safe_push (pg_value_of (lifter, PHI_ARG_DEF_FROM_EDGE (psi.phi (), e)));
  unsigned i = 0;
  for (gphi_iterator psi = gsi_start_phis (e->dest); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())))
      pg_set_value (lifter, gimple_phi_result (psi.phi ()), values[i++]);
}

/* A phi of TYPE for PHI, its operands to be filled in.  */
static pg_kir_value
add_phi (struct pg_lifter *lifter, gphi *phi, enum pg_kir_type type)
{
  auto_vec<pg_kir_value> operands;
  auto_vec<pg_kir_block_number> targets;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      int before = lifter->block_of[gimple_phi_arg_edge (phi, i)->src->index];
      if (before < 0)
	continue;
      operands.safe_push (0);
      targets.safe_push (before);
    }
  return pg_emit_many (lifter, PG_KIR_OP_PHI, type, 0, operands.address (), operands.length (), targets.address (),
		       targets.length ());
}

static void
lift_phis (struct pg_lifter *lifter, basic_block bb)
{
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    {
      struct pg_lifted_type type;
      tree result = gimple_phi_result (psi.phi ());
      if (virtual_operand_p (result) || !pg_lift_type (lifter, TREE_TYPE (result), &type))
	continue;
      struct pg_lifted_phi lifted = { psi.phi (), {} };
      lifted.value.real = add_phi (lifter, psi.phi (), type.type);
      if (type.is_complex)
	lifted.value.imaginary = add_phi (lifter, psi.phi (), type.type);
      pg_set_value (lifter, result, lifted.value);
      lifter->phis.safe_push (lifted);
    }
}

/* Fill in operand N of the phi VALUE.  */
static void
set_operand (struct pg_lifter *lifter, pg_kir_value phi, unsigned n, pg_kir_value value)
{
  if (phi)
    pg_kir_operands (lifter->kernel, &lifter->kernel->instrs[phi])[n] = value;
}

/* Fill in the operands of all phis.  What they need is computed in the first block.  */
static void
finish_phis (struct pg_lifter *lifter)
{
  lifter->block = 0;
  pg_lift_begin (lifter, NULL);
  for (const struct pg_lifted_phi &lifted : lifter->phis)
    for (unsigned i = 0, n = 0; i < gimple_phi_num_args (lifted.phi); i++)
      if (lifter->block_of[gimple_phi_arg_edge (lifted.phi, i)->src->index] >= 0)
	{
	  struct pg_lifted value = pg_value_of (lifter, gimple_phi_arg_def (lifted.phi, i));
	  set_operand (lifter, lifted.value.real, n, value.real);
	  set_operand (lifter, lifted.value.imaginary, n, value.imaginary);
	  n++;
	}
}

static void
lift_jump (struct pg_lifter *lifter, basic_block target)
{
  pg_kir_block_number number = lifter->block_of[target->index];
  pg_emit_many (lifter, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &number, 1);
}

static void
lift_cond (struct pg_lifter *lifter, gcond *cond)
{
  edge yes, no;
  extract_true_false_edges_from_block (gimple_bb (cond), &yes, &no);
  tree a = gimple_cond_lhs (cond), b = gimple_cond_rhs (cond);
  pg_kir_value condition
    = pg_compare (lifter, gimple_cond_code (cond), TREE_TYPE (a), pg_scalar_of (lifter, a), pg_scalar_of (lifter, b));
  const pg_kir_block_number targets[] = { (pg_kir_block_number) lifter->block_of[yes->dest->index],
					  (pg_kir_block_number) lifter->block_of[no->dest->index] };
  pg_emit_many (lifter, PG_KIR_OP_BRANCH, PG_KIR_VOID, 0, &condition, 1, targets, 2);
}

/* Ranges of cases become single ones.  */
static void
lift_switch (struct pg_lifter *lifter, gswitch *stmt)
{
  static const unsigned most_cases = 1000;
  auto_vec<pg_kir_value> operands;
  auto_vec<pg_kir_block_number> targets;
  struct pg_lifted_type type;
  tree index = gimple_switch_index (stmt);
  if (!pg_lift_type (lifter, TREE_TYPE (index), &type))
    return;
  operands.safe_push (pg_scalar_of (lifter, index));
  targets.safe_push (lifter->block_of[gimple_switch_default_edge (cfun, stmt)->dest->index]);
  for (unsigned i = 1; i < gimple_switch_num_labels (stmt); i++)
    {
      tree label = gimple_switch_label (stmt, i);
      unsigned HOST_WIDE_INT low = TREE_INT_CST_LOW (CASE_LOW (label));
      unsigned HOST_WIDE_INT n = CASE_HIGH (label) ? TREE_INT_CST_LOW (CASE_HIGH (label)) - low : 0;
      if (n >= most_cases - operands.length ())
	{
	  pg_cannot (lifter, PG_LIFT_SWITCH);
	  return;
	}
      for (unsigned HOST_WIDE_INT j = 0; j <= n; j++)
	{
	  operands.safe_push (pg_constant (lifter, type.type, low + j));
	  targets.safe_push (lifter->block_of[gimple_switch_edge (cfun, stmt, i)->dest->index]);
	}
    }
  pg_emit_many (lifter, PG_KIR_OP_SWITCH, PG_KIR_VOID, 0, operands.address (), operands.length (), targets.address (),
		targets.length ());
}

/* Lift where BB leads.  */
static void
lift_end (struct pg_lifter *lifter, struct flow *flow, basic_block bb)
{
  gimple *end = last_stmt (bb);
  pg_lift_begin (lifter, end);
  if (flow->exit_at_top && bb == flow->header)
    lift_jump (lifter, EDGE_SUCC (bb, EDGE_SUCC (bb, 0) == flow->exit)->dest);
  else if (bb == flow->exit->src || (single_succ_p (bb) && single_succ (bb) == flow->header))
    flow->last = lifter->block;
  else if (end && is_a<gcond *> (end))
    lift_cond (lifter, as_a<gcond *> (end));
  else if (end && is_a<gswitch *> (end))
    lift_switch (lifter, as_a<gswitch *> (end));
  else if (single_succ_p (bb))
    {
      pg_lift_known (lifter, single_succ_edge (bb));
      lift_jump (lifter, single_succ (bb));
    }
  else
    pg_cannot (lifter, PG_LIFT_OPERATION);
}

/* Lift the blocks of the loop.  */
static void
lift_loop (struct pg_lifter *lifter, struct flow *flow)
{
  for (basic_block bb : flow->order)
    lifter->block_of[bb->index] = pg_kir_add_block (lifter->kernel);
  for (basic_block bb : flow->order)
    {
      lifter->block = lifter->block_of[bb->index];
      if (bb != flow->header)
	lift_phis (lifter, bb);
      lift_statements (lifter, bb);
      lift_end (lifter, flow, bb);
    }
  finish_phis (lifter);
}

/* Lift what comes behind the loop.  */
static void
lift_exit (struct pg_lifter *lifter, struct flow *flow)
{
  if (flow->last < 0)
    {
      pg_cannot (lifter, PG_LIFT_OPERATION);
      return;
    }
  lifter->block = flow->last;
  pg_lift_begin (lifter, NULL);
  if (flow->exit_at_top)
    {
      edge back = EDGE_PRED (flow->header, EDGE_PRED (flow->header, 0) == flow->entry);
      enter_header (lifter, back);
      lift_statements (lifter, flow->header);
    }
  lift_statements (lifter, flow->exit->dest);
  pg_emit (lifter, PG_KIR_OP_RETURN, PG_KIR_VOID, 0);
}

static void
lift_all (struct pg_lifter *lifter)
{
  const struct pg_lift_source *source = lifter->source;
  struct flow flow = {};
  flow.header = gimple_bb (source->child->counter);
  flow.entry = single_succ_edge (source->entry_bb);
  flow.exit = single_pred_edge (source->exit_bb);
  flow.exit_at_top = source->plan->exit_at_top;
  flow.last = -1;
  if (flow.entry->dest != flow.header)
    {
      pg_cannot (lifter, PG_LIFT_INTERNAL);
      return;
    }
  find_order (&flow);

  lifter->block = pg_kir_add_block (lifter->kernel);
  lift_statements (lifter, source->entry_bb);
  pg_lift_begin (lifter, NULL);
  enter_header (lifter, flow.entry);
  lift_loop (lifter, &flow);
  lift_exit (lifter, &flow);
  lifter->block = 0;
  pg_lift_begin (lifter, NULL);
  lift_jump (lifter, flow.header);
}

/* True if PLAN has a choice.  */
static bool
chooses_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_reduction &reduction : plan->reductions)
    if (reduction.carries != PG_CARRIES_PART)
      return true;
  return false;
}

enum pg_lift_reason
pg_lift (const struct pg_lift_source *source, struct pg_kir_kernel *kernel, vec<struct pg_open_sum> *open)
{
  struct pg_lifter lifter = {};
  struct pg_kir_error error;
  lifter.source = source;
  lifter.kernel = kernel;
  lifter.open = open;
  lifter.values.safe_grow_cleared (num_ssa_names, true);
  for (int i = 0; i < last_basic_block_for_fn (cfun); i++)
    lifter.block_of.safe_push (-1);
  kernel->args_len = source->args->len;
  kernel->n_refs = source->plan->refs.length () + 1;
  if (!source->plan->trails.is_empty ())
    pg_cannot (&lifter, PG_LIFT_TRAIL);
  else if (!source->plan->work_arrays.is_empty ())
    pg_cannot (&lifter, PG_LIFT_WORK_ARRAY);
  else if (!source->plan->carried.is_empty () || !source->plan->cursors.is_empty ())
    pg_cannot (&lifter, PG_LIFT_CARRIED);
  else if (chooses_p (source->plan))
    pg_cannot (&lifter, PG_LIFT_CHOICE);
  else
    lift_all (&lifter);
  if (kernel->is_broken || kernel->n_refs > PG_KIR_MOST_REFS || kernel->args_len > PG_KIR_MOST_ARGS_LEN)
    pg_cannot (&lifter, PG_LIFT_TOO_LARGE);
  if (lifter.reason == PG_LIFT_LIFTED && !pg_kir_verify (kernel, &error))
    {
      if (dump_file)
	fprintf (dump_file, "kernel of line %u: instruction %u: %s\n", pg_line (source->plan->where),
		 (unsigned) error.at, error.text);
      lifter.reason = PG_LIFT_INTERNAL;
    }
  return lifter.reason;
}

/* Let all that uses OLD in KERNEL use VALUE.  */
static void
replace (struct pg_kir_kernel *kernel, pg_kir_value old, pg_kir_value value)
{
  for (pg_kir_value i = 1; i < kernel->n_instrs; i++)
    {
      pg_kir_value *operands = pg_kir_operands (kernel, &kernel->instrs[i]);
      for (uint32_t j = 0; j < kernel->instrs[i].n_operands; j++)
	if (operands[j] == old)
	  operands[j] = value;
    }
}

enum pg_lift_reason
pg_lift_settle (struct pg_kir_kernel *kernel, const vec<struct pg_open_sum> &open)
{
  for (const struct pg_open_sum &sum : open)
    {
      int taken = pg_rounding_taken_in (&sum.rounded);
      if (taken < 0 || (taken > 0 && !sum.fused[taken - 1]))
	return PG_LIFT_CONTRACTION;
      if (taken > 0)
	replace (kernel, sum.apart, sum.fused[taken - 1]);
    }
  pg_kir_prune (kernel);
  return PG_LIFT_LIFTED;
}
