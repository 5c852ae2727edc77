/* SPDX-License-Identifier: MIT
   Nested loops become one.  See collapse.h.

   The number of turns is computed in the first block, and from it the iteration and the turn.  The loop's blocks are
   copied, so that they are run once:

       from:	 ... jump header				from:	  ... jump header
       header:   i = phi [from start] [latch i + 1]   ->	header:   i = start + turn
		 ...							  ...
       exiting:  branch header or to				exiting:  jump to

   What LOOP carries, the inner loop may carry on from turn to turn, if what it leaves is what LOOP carries then.  */
#include "collapse.h"
#include "copy.h"
#include "edit.h"
#include "evaluate.h"
#include "inner.h"
#include "prune.h"
#include "reach.h"

#include <string.h>

enum
{
  MOST_DEPTH = 64, /* of computations from arguments */
  MOST_OPERANDS = 3
};

struct collapser
{
  struct pg_kir_copy copy;
  struct pg_kir_inner inner;
  pg_kir_value iter, turn;
  pg_kir_value begun[PG_KIR_MOST_ROUND]; /* phis for what is before the inner loop's first turn */
};

/* ---- what depends on arguments only */

/* Is OP one that computes something of its operands, without floats, and nothing else, or takes it from the arguments?
 */
static bool
is_plain (enum pg_kir_op op)
{
  switch (pg_kir_ops[op].shape)
    {
    case PG_KIR_INT2: /* a division may trap, where it is not computed on all ways */
      return op != PG_KIR_OP_SDIV && op != PG_KIR_OP_UDIV && op != PG_KIR_OP_SREM && op != PG_KIR_OP_UREM;
    case PG_KIR_CMP_INT:
    case PG_KIR_NARROW:
    case PG_KIR_WIDEN:
    case PG_KIR_BITS:
    case PG_KIR_SELECT:
    case PG_KIR_ADDRESS:
      return true;
    default:
      return op == PG_KIR_OP_CONST || op == PG_KIR_OP_ARG;
    }
}

static bool
depends_on_args_only (const struct pg_kir_kernel *kernel, pg_kir_value value, unsigned depth)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  bool is_good = depth > 0 && is_plain (instr->op);
  for (unsigned i = 0; i < instr->n_operands && is_good; i++)
    is_good = depends_on_args_only (kernel, pg_kir_operands (kernel, instr)[i], depth - 1);
  return is_good;
}

static bool
evaluate (const struct pg_kir_kernel *kernel, pg_kir_value value, const char *args, uint64_t *bits)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *used = pg_kir_operands (kernel, instr);
  uint64_t operands[MOST_OPERANDS] = { 0, 0, 0 };
  *bits = (uint64_t) instr->number;
  if (instr->op == PG_KIR_OP_ARG)
    {
      *bits = 0;
      memcpy (bits, args + instr->number, pg_kir_types[instr->type].len);
    }
  if (instr->n_operands == 0)
    return true;
  for (unsigned i = 0; i < instr->n_operands; i++)
    if (!evaluate (kernel, used[i], args, &operands[i]))
      return false;
  return pg_kir_evaluate_int (instr->op, instr->type, kernel->instrs[used[0]].type, operands, bits);
}

bool
pg_kir_value_of_args (const struct pg_kir_kernel *kernel, pg_kir_value value, const char *args, uint64_t *bits)
{
  return depends_on_args_only (kernel, value, MOST_DEPTH) && evaluate (kernel, value, args, bits);
}

/* Append to the first block of TO what computes VALUE of FROM, which depends on arguments only.  */
static pg_kir_value
recompute (struct pg_kir_kernel *to, const struct pg_kir_kernel *from, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &from->instrs[value];
  pg_kir_value operands[MOST_OPERANDS];
  for (unsigned i = 0; i < instr->n_operands; i++)
    operands[i] = recompute (to, from, pg_kir_operands (from, instr)[i]);
  return pg_kir_add (to, 0, instr->op, instr->type, instr->number, operands, instr->n_operands, NULL, 0);
}

/* ---- can it be? */

/* Is VALUE, behind the inner loop, what ROUND leaves, or what it begins with on ways past the inner loop?  */
static bool
is_left (const struct collapser *collapser, const struct pg_kir_round *round, pg_kir_value result, pg_kir_value value,
	 unsigned depth)
{
  const struct pg_kir_kernel *loop = collapser->copy.from;
  const struct pg_kir_instr *instr = &loop->instrs[value];
  if (value == result || value == round->init)
    return true;
  if (instr->op != PG_KIR_OP_PHI || collapser->inner.is_in[collapser->inner.block_of[value]] || depth == 0)
    return false;
  for (unsigned i = 0; i < instr->n_operands; i++)
    if (!is_left (collapser, round, result, pg_kir_operands (loop, instr)[i], depth - 1))
      return false;
  return true;
}

/* The round that goes on with carried value NUMBER; NULL: none.  */
static const struct pg_kir_round *
round_of (const struct collapser *collapser, uint32_t number, pg_kir_value *result)
{
  const struct pg_kir_inner *inner = &collapser->inner;
  for (unsigned r = 0; r < inner->n_rounds; r++)
    {
      const struct pg_kir_instr *init = &collapser->copy.from->instrs[inner->rounds[r].init];
      *result = pg_kir_inner_result (inner, r);
      if (init->op == PG_KIR_OP_CARRY && init->number == number)
	return &inner->rounds[r];
    }
  return NULL;
}

/* May VALUE, which is outside of the inner loop, be there?  Of what goes from turn to turn, only what LOOP carries is
   used, to be carried.  */
static bool
may_stand_outside (const struct collapser *collapser, pg_kir_value value)
{
  const struct pg_kir_kernel *loop = collapser->copy.from;
  const struct pg_kir_inner *inner = &collapser->inner;
  const struct pg_kir_instr *instr = &loop->instrs[value];
  pg_kir_value result;
  if (pg_kir_changes_memory (instr->op))
    return false;
  if (instr->op == PG_KIR_OP_NEXT)
    {
      const struct pg_kir_round *round = round_of (collapser, (uint32_t) instr->number, &result);
      return round != NULL && is_left (collapser, round, result, pg_kir_operands (loop, instr)[0], MOST_DEPTH);
    }
  for (unsigned i = 0; i < instr->n_operands && instr->op != PG_KIR_OP_PHI; i++)
    {
      pg_kir_value operand = pg_kir_operands (loop, instr)[i];
      if (inner->is_in[inner->block_of[operand]] || loop->instrs[operand].op == PG_KIR_OP_CARRY)
	return false;
    }
  return true;
}

/* Are the phis of carried values and of what the inner loop leaves used to be carried only?  All that is used outside
   and is not one of them was looked at.  */
static bool
phis_are_carried (const struct collapser *collapser)
{
  const struct pg_kir_kernel *loop = collapser->copy.from;
  const struct pg_kir_inner *inner = &collapser->inner;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n && !inner->is_in[b]; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	for (unsigned o = 0; o < instr->n_operands && instr->op != PG_KIR_OP_NEXT; o++)
	  {
	    pg_kir_value used = pg_kir_operands (loop, instr)[o];
	    const struct pg_kir_instr *phi = &loop->instrs[used];
	    bool is_carried = false;
	    for (unsigned p = 0; p < phi->n_operands && phi->op == PG_KIR_OP_PHI; p++)
	      {
		pg_kir_value operand = pg_kir_operands (loop, phi)[p];
		is_carried |= inner->is_in[inner->block_of[operand]] || loop->instrs[operand].op == PG_KIR_OP_CARRY;
	      }
	    if (is_carried && instr->op != PG_KIR_OP_PHI)
	      return false;
	  }
      }
  return true;
}

/* Does ROUND go on, in the next iteration, with what it left in this one?  */
static bool
is_continued (const struct collapser *collapser, const struct pg_kir_round *round)
{
  const struct pg_kir_kernel *loop = collapser->copy.from;
  const struct pg_kir_instr *init = &loop->instrs[round->init];
  for (uint32_t b = 0; b < loop->n_blocks && init->op == PG_KIR_OP_CARRY; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	if (instr->op == PG_KIR_OP_NEXT && instr->number == init->number)
	  return true;
      }
  return false;
}

/* Why LOOP cannot be collapsed; NULL: it can.  */
static const char *
refuse (struct collapser *collapser)
{
  const struct pg_kir_kernel *loop = collapser->copy.from;
  const struct pg_kir_inner *inner = &collapser->inner;
  if (pg_kir_inner_is_nested (&collapser->inner, loop))
    return "the inner loop is in another one";
  if (!depends_on_args_only (loop, inner->rounds[inner->counter].init, MOST_DEPTH)
      || !depends_on_args_only (loop, inner->bound, MOST_DEPTH))
    return "the inner loop's turns depend on the iteration, or on floats";
  for (unsigned r = 0; r < inner->n_rounds; r++)
    if (inner->rounds[r].is_reduction && loop->instrs[inner->rounds[r].init].op != PG_KIR_OP_CARRY)
      return "the inner loop reduces anew in each iteration";
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n && !inner->is_in[b]; i++)
      if (!may_stand_outside (collapser, loop->blocks[b].code[i]))
	return "something is done around the inner loop";
  return inner->has_nexts || !phis_are_carried (collapser) ? "something is done around the inner loop" : NULL;
}

/* ---- the new loop */

/* Let VALUE of the loop be what it is in one turn, if it is something else there.  */
static bool
replace (struct pg_kir_copy *copy, pg_kir_value value)
{
  struct collapser *collapser = copy->context;
  const struct pg_kir_inner *inner = &collapser->inner;
  struct pg_kir_kernel *to = copy->to;
  enum pg_kir_type type = copy->from->instrs[value].type;
  if (copy->from->instrs[value].op == PG_KIR_OP_ITER)
    {
      copy->value_of[value] = collapser->iter;
      return true;
    }
  if (inner->block_of[value] != inner->header || copy->from->instrs[value].op != PG_KIR_OP_PHI)
    return false;
  for (unsigned r = 0; r < inner->n_rounds; r++)
    if (inner->rounds[r].phi == value)
      {
	collapser->begun[r] = pg_kir_add_phi (to, copy->block, type, &copy->first[inner->from], 1);
	copy->value_of[value] = collapser->begun[r];
      }
  return true;
}

/* Behind the phis of the header: each induction is what it is in the turn.  Before, its value stands for what it began
   with.  */
static void
move_on (struct collapser *collapser)
{
  const struct pg_kir_inner *inner = &collapser->inner;
  struct pg_kir_kernel *to = collapser->copy.to;
  pg_kir_block_number header = collapser->copy.first[inner->header];
  for (unsigned r = 0; r < inner->n_rounds && !to->is_broken; r++)
    {
      const struct pg_kir_round *round = &inner->rounds[r];
      enum pg_kir_type type = to->instrs[collapser->begun[r]].type, count = type == PG_KIR_PTR ? PG_KIR_I64 : type;
      pg_kir_value turn = collapser->turn;
      if (round->is_reduction || round->step == 0 || is_continued (collapser, round))
	continue;
      uint32_t n_before = to->blocks[header].n;
      if (count != PG_KIR_I64)
	turn = pg_kir_add_simple (to, header, PG_KIR_OP_TRUNC, count, 0, turn, 0);
      pg_kir_value step = pg_kir_add_simple (to, header, PG_KIR_OP_CONST, count, round->step, 0, 0);
      pg_kir_value by = pg_kir_add_simple (to, header, PG_KIR_OP_MUL, count, 0, turn, step);
      pg_kir_value now = pg_kir_add_simple (to, header, type == PG_KIR_PTR ? PG_KIR_OP_ADDRESS : PG_KIR_OP_ADD, type, 0,
					    collapser->begun[r], by);
      pg_kir_move_up (to, header, to->blocks[header].n - n_before, inner->n_rounds);
      collapser->copy.value_of[round->phi] = now;
    }
}

/* Let all that uses the header's phis use what they are in the turn.  */
static void
use_moved (struct collapser *collapser)
{
  const struct pg_kir_inner *inner = &collapser->inner;
  struct pg_kir_kernel *to = collapser->copy.to;
  for (unsigned r = 0; r < inner->n_rounds && !to->is_broken; r++)
    {
      pg_kir_value now = collapser->copy.value_of[inner->rounds[r].phi];
      for (uint32_t v = 1; v < to->n_instrs; v++)
	for (unsigned o = 0; o < to->instrs[v].n_operands && v != now; o++)
	  if (pg_kir_operands (to, &to->instrs[v])[o] == collapser->begun[r])
	    pg_kir_operands (to, &to->instrs[v])[o] = now;
      pg_kir_set_operand (to, collapser->begun[r], 0, collapser->copy.value_of[inner->rounds[r].init]);
    }
}

/* Behind the inner loop, what a test at the top was the first to see is what the turn left.  */
static void
use_left (struct collapser *collapser)
{
  const struct pg_kir_inner *inner = &collapser->inner;
  struct pg_kir_kernel *to = collapser->copy.to;
  for (unsigned r = 0; r < inner->n_rounds && !to->is_broken; r++)
    {
      pg_kir_value seen = collapser->copy.value_of[pg_kir_inner_result (inner, r)];
      pg_kir_value left = collapser->copy.value_of[inner->rounds[r].next];
      for (uint32_t b = 0; b < collapser->copy.from->n_blocks; b++)
	for (uint32_t i = 0; i < to->blocks[collapser->copy.first[b]].n && !inner->is_in[b]; i++)
	  {
	    const struct pg_kir_instr *instr = &to->instrs[to->blocks[collapser->copy.first[b]].code[i]];
	    for (unsigned o = 0; o < instr->n_operands; o++)
	      if (pg_kir_operands (to, instr)[o] == seen)
		pg_kir_operands (to, instr)[o] = left;
	  }
    }
}

/* Let the inner loop's blocks lead past it behind the turn.  */
static void
go_past (struct collapser *collapser)
{
  const struct pg_kir_inner *inner = &collapser->inner;
  struct pg_kir_kernel *to = collapser->copy.to;
  const pg_kir_block_number *first = collapser->copy.first;
  if (to->is_broken)
    return;
  struct pg_kir_instr *end = (struct pg_kir_instr *) pg_kir_end_of (to, first[inner->exiting]);
  const pg_kir_block_number *targets = pg_kir_targets (to, end);
  pg_kir_block_number stay = targets[targets[0] == first[inner->to]];
  end->op = PG_KIR_OP_JUMP;
  end->n_operands = 0;
  end->n_targets = 1;
  pg_kir_targets (to, end)[0] = stay;
  pg_kir_lead (to, first[inner->latch], first[inner->header], first[inner->to]);
  pg_kir_come (to, first[inner->to], first[inner->exiting], first[inner->latch]);
}

static bool
put_all (struct collapser *collapser, pg_kir_value *n_turns)
{
  const struct pg_kir_inner *inner = &collapser->inner;
  const struct pg_kir_kernel *loop = collapser->copy.from;
  struct pg_kir_kernel *to = collapser->copy.to;
  memcpy (to->name, loop->name, sizeof to->name);
  to->args_len = loop->args_len;
  to->n_refs = loop->n_refs;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    pg_kir_add_carry (to, loop->carries[c].type, loop->carries[c].combine, loop->carries[c].offset);
  if (!pg_kir_copy_begin (&collapser->copy))
    return false;
  pg_kir_value start = recompute (to, loop, inner->rounds[inner->counter].init);
  *n_turns = pg_kir_add_turns (to, 0, inner, start, recompute (to, loop, inner->bound));
  pg_kir_value number = pg_kir_add_simple (to, 0, PG_KIR_OP_ITER, PG_KIR_I64, 0, 0, 0);
  collapser->iter = pg_kir_add_simple (to, 0, PG_KIR_OP_SDIV, PG_KIR_I64, 0, number, *n_turns);
  collapser->turn = pg_kir_add_simple (to, 0, PG_KIR_OP_SREM, PG_KIR_I64, 0, number, *n_turns);
  pg_kir_copy_all (&collapser->copy);
  move_on (collapser);
  use_moved (collapser);
  use_left (collapser);
  go_past (collapser);
  pg_kir_copy_end (&collapser->copy);
  return pg_kir_prune (to);
}

/* Find LOOP's inner loop that others are in, if there are any.  */
static bool
find_loop (struct collapser *collapser, struct pg_kir_error *error)
{
  const struct pg_kir_kernel *loop = collapser->copy.from;
  for (uint32_t b = 1; b < loop->n_blocks; b++)
    if (pg_kir_inner_begin (&collapser->inner, loop, b, true, error))
      return true;
  return pg_kir_fail (error, "there is no countable inner loop");
}

bool
pg_kir_collapse (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, pg_kir_value *n_turns,
		 struct pg_kir_error *error)
{
  struct collapser collapser = { .copy = { .to = to, .from = loop, .context = &collapser, .replace = replace } };
  if (loop->n_threads > 0 || loop->n_dims != 1)
    return pg_kir_fail (error, "not a loop of one dimension");
  if (!find_loop (&collapser, error))
    return false;
  const char *why = refuse (&collapser);
  if (why == NULL && !put_all (&collapser, n_turns))
    why = "too large, or no memory";
  pg_kir_inner_end (&collapser.inner, loop);
  if (why == NULL)
    return true;
  pg_kir_end (to);
  return pg_kir_fail (error, why);
}
