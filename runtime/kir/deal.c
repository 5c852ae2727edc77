/* SPDX-License-Identifier: MIT
   Dealing out turns.  See deal.h.  */
#include "deal.h"
#include "combine.h"
#include "edit.h"
#include "reach.h"

static pg_kir_value
add (struct pg_deal *deal, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type, int64_t number,
     pg_kir_value a, pg_kir_value b)
{
  return pg_map_add (deal->mapper, block, op, type, number, a, b);
}

static const struct pg_kir_instr *
at (const struct pg_deal *deal, pg_kir_value value)
{
  return &deal->mapper->spmd->instrs[value];
}

pg_kir_value
pg_map_early_constant (struct pg_mapper *mapper, enum pg_kir_type type, uint64_t bits)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_block *start = &spmd->blocks[mapper->start];
  for (uint32_t i = 0; i < start->n; i++)
    {
      const struct pg_kir_instr *instr = &spmd->instrs[start->code[i]];
      if (instr->op == PG_KIR_OP_CONST && instr->type == type && (uint64_t) instr->number == pg_kir_cut (type, bits))
	return start->code[i];
    }
  pg_kir_value value = pg_map_constant (mapper, mapper->start, type, bits);
  pg_kir_move_up (spmd, mapper->start, 1, PG_KIR_BEFORE_END);
  return value;
}

static pg_kir_value
constant (struct pg_deal *deal, enum pg_kir_type type, uint64_t bits)
{
  return pg_map_early_constant (deal->mapper, type, bits);
}

/* VALUE of TYPE moved on by N steps, N an i64, appended to BLOCK.  */
static pg_kir_value
move_on (struct pg_deal *deal, pg_kir_block_number block, enum pg_kir_type type, pg_kir_value value, pg_kir_value n,
	 int64_t step)
{
  enum pg_kir_type count = type == PG_KIR_PTR ? PG_KIR_I64 : type;
  if (count != PG_KIR_I64)
    n = add (deal, block, PG_KIR_OP_TRUNC, count, 0, n, 0);
  pg_kir_value by = add (deal, block, PG_KIR_OP_MUL, count, 0, n, constant (deal, count, (uint64_t) step));
  return add (deal, block, type == PG_KIR_PTR ? PG_KIR_OP_ADDRESS : PG_KIR_OP_ADD, type, 0, value, by);
}

/* That of a sum of floats is -0: to add 0 would change -0.  */
pg_kir_value
pg_kir_round_identity (struct pg_deal *deal, const struct pg_kir_round *round)
{
  enum pg_kir_type type = deal->mapper->loop->instrs[round->phi].type;
  uint64_t bits = pg_kir_identity (round->combine, type);
  if (round->combine == PG_KIR_COMBINE_ADD && pg_kir_types[type].kind == PG_KIR_KIND_FLOAT)
    bits = (uint64_t) 1 << (8 * pg_kir_types[type].len - 1);
  return constant (deal, type, bits);
}

/* Set what the header's phi of ROUND gets from the way in and from the way back: that of an induction goes on by as
   many steps as there are members.  */
static void
deal_round (struct pg_deal *deal, const struct pg_kir_round *round)
{
  struct pg_kir_kernel *spmd = deal->mapper->spmd;
  pg_kir_block_number latch = pg_map_last_of (deal->mapper, deal->inner->latch);
  pg_kir_value phi = pg_map_value_of (deal->mapper, round->phi);
  enum pg_kir_type type = at (deal, phi)->type;
  unsigned back = pg_kir_targets (spmd, at (deal, phi))[1] == latch;
  if (round->is_reduction)
    {
      pg_kir_set_operand (spmd, phi, 1 - back, pg_kir_round_identity (deal, round));
      return;
    }
  pg_kir_value first = move_on (deal, deal->before, type, pg_map_value_of (deal->mapper, round->init),
				deal->mapper->member, round->step);
  pg_kir_value by
    = constant (deal, type == PG_KIR_PTR ? PG_KIR_I64 : type, (uint64_t) round->step * (uint64_t) deal->n_members);
  pg_kir_value next = add (deal, latch, type == PG_KIR_PTR ? PG_KIR_OP_ADDRESS : PG_KIR_OP_ADD, type, 0, phi, by);
  pg_kir_move_up (spmd, latch, 1, PG_KIR_BEFORE_END);
  pg_kir_set_operand (spmd, phi, 1 - back, first);
  pg_kir_set_operand (spmd, phi, back, next);
}

/* Count the turns that the member takes, and leave the loop after the last one.  */
static void
count_turns (struct pg_deal *deal)
{
  struct pg_kir_kernel *spmd = deal->mapper->spmd;
  const struct pg_kir_inner *inner = deal->inner;
  pg_kir_block_number header = pg_map_first_of (deal->mapper, inner->header),
		      exiting = pg_map_last_of (deal->mapper, inner->exiting);
  pg_kir_block_number latch = pg_map_last_of (deal->mapper, inner->latch), counting = inner->is_top ? latch : exiting;
  pg_kir_value n_members = constant (deal, PG_KIR_I64, deal->n_members);
  pg_kir_value number
    = pg_kir_add_phi (spmd, header, PG_KIR_I64, (const pg_kir_block_number[]) { deal->before, latch }, 2);
  pg_kir_move_up (spmd, header, 1, 0);
  pg_kir_value next = add (deal, counting, PG_KIR_OP_ADD, PG_KIR_I64, 0, number, n_members);
  pg_kir_move_up (spmd, counting, 1, PG_KIR_BEFORE_END);
  pg_kir_set_operand (spmd, number, 0, deal->mapper->member);
  pg_kir_set_operand (spmd, number, 1, next);
  pg_kir_value goes_on = add (deal, exiting, PG_KIR_OP_SLT, PG_KIR_I8, 0, inner->is_top ? number : next, deal->n_turns);
  pg_kir_move_up (spmd, exiting, 1, PG_KIR_BEFORE_END);
  if (spmd->is_broken)
    return;
  const struct pg_kir_instr *end = pg_kir_end_of (spmd, exiting);
  pg_kir_block_number *targets = pg_kir_targets (spmd, end);
  pg_kir_operands (spmd, end)[0] = goes_on;
  targets[0] = targets[targets[0] == deal->left];
  targets[1] = deal->left;
}

void
pg_kir_deal (struct pg_deal *deal)
{
  struct pg_kir_kernel *spmd = deal->mapper->spmd;
  const struct pg_kir_inner *inner = deal->inner;
  pg_kir_block_number from = pg_map_last_of (deal->mapper, inner->from),
		      header = pg_map_first_of (deal->mapper, inner->header);
  pg_kir_block_number exiting = pg_map_last_of (deal->mapper, inner->exiting),
		      to = pg_map_first_of (deal->mapper, inner->to);
  const struct pg_kir_round *counter = &inner->rounds[inner->counter];
  pg_kir_lead (spmd, from, header, deal->before);
  pg_kir_come (spmd, header, from, deal->before);
  pg_kir_lead (spmd, exiting, to, deal->left);
  pg_kir_come (spmd, to, exiting, deal->behind);
  deal->n_turns = pg_kir_add_turns (spmd, deal->before, inner, pg_map_value_of (deal->mapper, counter->init),
				    pg_map_value_of (deal->mapper, inner->bound));
  for (unsigned r = 0; r < inner->n_rounds && !spmd->is_broken; r++)
    if (inner->rounds[r].is_reduction || inner->rounds[r].step != 0)
      deal_round (deal, &inner->rounds[r]);
  count_turns (deal);
  if (inner->is_top)
    pg_kir_add_jump (spmd, deal->before, header);
  else
    {
      pg_kir_value is_any = add (deal, deal->before, PG_KIR_OP_SLT, PG_KIR_I8, 0, deal->mapper->member, deal->n_turns);
      pg_kir_add_branch (spmd, deal->before, is_any, header, deal->left);
    }
}

pg_kir_value
pg_kir_dealt_result (struct pg_deal *deal, pg_kir_block_number block, const struct pg_kir_round *round)
{
  pg_kir_value init = pg_map_value_of (deal->mapper, round->init);
  return round->step == 0 ? init : move_on (deal, block, at (deal, init)->type, init, deal->n_turns, round->step);
}

void
pg_kir_replace_behind (struct pg_kir_kernel *spmd, pg_kir_value value, pg_kir_value instead, uint32_t n_blocks,
		       const uint32_t *is_turn)
{
  for (uint32_t b = 0; b < n_blocks; b++)
    for (uint32_t i = 0; i < spmd->blocks[b].n && !is_turn[b]; i++)
      {
	const struct pg_kir_instr *instr = &spmd->instrs[spmd->blocks[b].code[i]];
	for (unsigned o = 0; o < instr->n_operands; o++)
	  if (pg_kir_operands (spmd, instr)[o] == value)
	    pg_kir_operands (spmd, instr)[o] = instead;
      }
}
