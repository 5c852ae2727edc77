/* SPDX-License-Identifier: MIT
   Inner loops.  See inner.h.

   The loop of a header: the blocks that it dominates and from which ways lead back to it.  One block dominates another
   if no way from the first block leads past it.

   A reduction is found as a chain: from the header's phi on, all that uses it in the loop, by combinations, selections
   and phis, until the value that the turn leaves; nobody else sees what is in the chain.  */
#include "inner.h"
#include "reach.h"

#include <string.h>

enum
{
  MOST_BLOCKS = 1 << 12 /* of a kernel that is looked at: ways are sought from each header anew */
};

/* ---- which blocks */

/* Find the blocks of the loop; false: there is none.  */
static bool
find_blocks (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  bool changes = true, is_loop = false;
  /* What is not reached without the header is dominated by it.  */
  inner->is_reached[inner->header] = true;
  pg_kir_reach (kernel, 0, inner->is_reached, inner->stack);
  inner->is_reached[inner->header] = false;
  while (changes)
    {
      changes = false;
      for (uint32_t b = 0; b < kernel->n_blocks; b++)
	{
	  const struct pg_kir_instr *end = pg_kir_end_of (kernel, b);
	  bool leads_back = false;
	  for (unsigned t = 0; t < end->n_targets; t++)
	    {
	      pg_kir_block_number target = pg_kir_targets (kernel, end)[t];
	      leads_back |= target == inner->header || inner->is_in[target];
	    }
	  if (leads_back && !inner->is_reached[b] && !inner->is_in[b])
	    inner->is_in[b] = changes = is_loop = true;
	}
    }
  return is_loop && inner->is_in[inner->header];
}

/* Set *FOUND to the only block before or behind an edge; false: it is another one than was found before.  */
static bool
only (pg_kir_block_number *found, pg_kir_block_number block)
{
  bool is_only = *found == PG_KIR_NO_BLOCK || *found == block;
  *found = block;
  return is_only;
}

/* Find the edges into the loop, back to its header and out of it: one of each.  */
static bool
find_edges (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  bool is_good = true;
  inner->from = inner->latch = inner->exiting = inner->to = PG_KIR_NO_BLOCK;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    {
      const struct pg_kir_instr *end = pg_kir_end_of (kernel, b);
      for (unsigned t = 0; t < end->n_targets; t++)
	{
	  pg_kir_block_number target = pg_kir_targets (kernel, end)[t];
	  if (target == inner->header)
	    is_good &= only (inner->is_in[b] ? &inner->latch : &inner->from, b);
	  if (inner->is_in[b] && !inner->is_in[target])
	    is_good &= only (&inner->exiting, b) && only (&inner->to, target);
	}
    }
  return is_good && inner->from != PG_KIR_NO_BLOCK && inner->exiting != PG_KIR_NO_BLOCK
	 && pg_kir_end_of (kernel, inner->exiting)->op == PG_KIR_OP_BRANCH;
}

/* ---- what goes from turn to turn */

static bool
is_in_loop (const struct pg_kir_inner *inner, pg_kir_value value)
{
  return inner->is_in[inner->block_of[value]];
}

/* How OP combines; PG_KIR_N_COMBINES: not at all.  */
static enum pg_kir_combine
combine_of (enum pg_kir_op op, bool may_reorder)
{
  static const struct
  {
    enum pg_kir_op op;
    enum pg_kir_combine combine;
    bool is_float;
  } all[] = {
    { PG_KIR_OP_ADD, PG_KIR_COMBINE_ADD, false },   { PG_KIR_OP_SUB, PG_KIR_COMBINE_ADD, false },
    { PG_KIR_OP_MUL, PG_KIR_COMBINE_MUL, false },   { PG_KIR_OP_AND, PG_KIR_COMBINE_AND, false },
    { PG_KIR_OP_OR, PG_KIR_COMBINE_OR, false },     { PG_KIR_OP_XOR, PG_KIR_COMBINE_XOR, false },
    { PG_KIR_OP_SMIN, PG_KIR_COMBINE_MIN, false },  { PG_KIR_OP_SMAX, PG_KIR_COMBINE_MAX, false },
    { PG_KIR_OP_UMIN, PG_KIR_COMBINE_UMIN, false }, { PG_KIR_OP_UMAX, PG_KIR_COMBINE_UMAX, false },
    { PG_KIR_OP_FADD, PG_KIR_COMBINE_ADD, true },   { PG_KIR_OP_FSUB, PG_KIR_COMBINE_ADD, true },
    { PG_KIR_OP_FMUL, PG_KIR_COMBINE_MUL, true },
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].op == op && (may_reorder || !all[i].is_float))
      return all[i].combine;
  return PG_KIR_N_COMBINES;
}

/* How many operands of INSTR are in the chain.  */
static unsigned
n_chained (const struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  unsigned n = 0;
  for (unsigned i = 0; i < instr->n_operands; i++)
    n += inner->is_chained[pg_kir_operands (kernel, instr)[i]] != 0;
  return n;
}

/* May VALUE, which uses the chain, be in it?  Sets *COMBINE if it combines.  */
static bool
fits_chain (const struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, pg_kir_value value, bool may_reorder,
	    enum pg_kir_combine *combine)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  unsigned n = n_chained (inner, kernel, instr);
  if (instr->op == PG_KIR_OP_PHI)
    return inner->block_of[value] != inner->header && n == instr->n_operands;
  if (instr->op == PG_KIR_OP_SELECT)
    return n == 2 && !inner->is_chained[operands[0]];
  enum pg_kir_op op = pg_kir_wrapping ((enum pg_kir_op) instr->op);
  enum pg_kir_combine with = combine_of (op, may_reorder);
  bool subtracts = op == PG_KIR_OP_SUB || op == PG_KIR_OP_FSUB;
  if (with == PG_KIR_N_COMBINES || n != 1 || (subtracts && !inner->is_chained[operands[0]])
      || (*combine != PG_KIR_N_COMBINES && *combine != with))
    return false;
  *combine = with;
  return true;
}

/* Put all that uses the chain into it, as long as there is something.  */
static void
grow_chain (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, pg_kir_value phi)
{
  bool changes = true;
  memset (inner->is_chained, 0, kernel->n_instrs * sizeof *inner->is_chained);
  inner->is_chained[phi] = true;
  while (changes)
    {
      changes = false;
      for (uint32_t b = 0; b < kernel->n_blocks; b++)
	for (uint32_t i = 0; i < kernel->blocks[b].n && inner->is_in[b]; i++)
	  {
	    pg_kir_value value = kernel->blocks[b].code[i];
	    if (!inner->is_chained[value] && n_chained (inner, kernel, &kernel->instrs[value]) > 0)
	      inner->is_chained[value] = changes = true;
	  }
    }
}

/* Is ROUND a reduction?  */
static bool
find_reduction (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, struct pg_kir_round *round,
		bool may_reorder)
{
  bool is_good = true;
  round->combine = PG_KIR_N_COMBINES;
  grow_chain (inner, kernel, round->phi);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n && inner->is_in[b]; i++)
      {
	pg_kir_value value = kernel->blocks[b].code[i];
	if (inner->is_chained[value] && value != round->phi)
	  is_good = is_good && fits_chain (inner, kernel, value, may_reorder, &round->combine);
      }
  round->is_reduction = true;
  return is_good && inner->is_chained[round->next] && round->combine != PG_KIR_N_COMBINES;
}

/* Is ROUND an induction?  */
static bool
find_induction (const struct pg_kir_kernel *kernel, struct pg_kir_round *round)
{
  const struct pg_kir_instr *next = &kernel->instrs[round->next];
  const pg_kir_value *operands = pg_kir_operands (kernel, next);
  enum pg_kir_op op = pg_kir_wrapping ((enum pg_kir_op) next->op);
  round->step = 0;
  if (round->next == round->phi)
    return true;
  if (op != PG_KIR_OP_ADD && op != PG_KIR_OP_SUB && op != PG_KIR_OP_ADDRESS)
    return false;
  unsigned constant = op == PG_KIR_OP_ADD && operands[1] == round->phi ? 0 : 1;
  const struct pg_kir_instr *by = &kernel->instrs[operands[constant]];
  if (by->op != PG_KIR_OP_CONST || operands[1 - constant] != round->phi)
    return false;
  uint64_t step = (uint64_t) pg_kir_signed (by->type, (uint64_t) by->number);
  round->step = (int64_t) (op == PG_KIR_OP_SUB ? 0 - step : step);
  return true;
}

/* Find what goes from turn to turn: the header's phis.  */
static bool
find_rounds (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, bool may_reorder)
{
  const struct pg_kir_block *header = &kernel->blocks[inner->header];
  for (uint32_t i = 0; i < header->n && kernel->instrs[header->code[i]].op == PG_KIR_OP_PHI; i++)
    {
      const struct pg_kir_instr *phi = &kernel->instrs[header->code[i]];
      unsigned back = pg_kir_targets (kernel, phi)[1] == inner->latch;
      if (inner->n_rounds == PG_KIR_MOST_ROUND)
	return false;
      struct pg_kir_round *round = &inner->rounds[inner->n_rounds++];
      *round = (struct pg_kir_round) { .phi = header->code[i],
				       .init = pg_kir_operands (kernel, phi)[1 - back],
				       .next = pg_kir_operands (kernel, phi)[back] };
      if (!find_induction (kernel, round) && !find_reduction (inner, kernel, round, may_reorder))
	return false;
    }
  return true;
}

/* ---- the test */

/* What says "not A OP B"; its operands are exchanged if *IS_EXCHANGED is set.  */
static enum pg_kir_op
negated (enum pg_kir_op op, bool *is_exchanged)
{
  static const enum pg_kir_op ops[PG_KIR_N_OPS] = {
    [PG_KIR_OP_EQ] = PG_KIR_OP_NE,   [PG_KIR_OP_NE] = PG_KIR_OP_EQ,   [PG_KIR_OP_SLT] = PG_KIR_OP_SLE,
    [PG_KIR_OP_SLE] = PG_KIR_OP_SLT, [PG_KIR_OP_ULT] = PG_KIR_OP_ULE, [PG_KIR_OP_ULE] = PG_KIR_OP_ULT,
  };
  *is_exchanged = op != PG_KIR_OP_EQ && op != PG_KIR_OP_NE;
  return ops[op];
}

/* Is VALUE an induction by 1 or -1, or its next?  Then it is the counter.  */
static bool
is_counter (struct pg_kir_inner *inner, pg_kir_value value)
{
  for (unsigned r = 0; r < inner->n_rounds; r++)
    {
      const struct pg_kir_round *round = &inner->rounds[r];
      if (!round->is_reduction && (round->step == 1 || round->step == -1)
	  && (value == round->phi || value == round->next))
	{
	  inner->counter = r;
	  inner->tests_next = value == round->next;
	  return true;
	}
    }
  return false;
}

/* Find the counter and its bound in the branch out.  */
static bool
find_test (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  const struct pg_kir_instr *end = pg_kir_end_of (kernel, inner->exiting);
  const struct pg_kir_instr *test = &kernel->instrs[pg_kir_operands (kernel, end)[0]];
  bool is_exchanged = false;
  if (pg_kir_ops[test->op].shape != PG_KIR_CMP_INT)
    return false;
  inner->before = test->op;
  if (pg_kir_targets (kernel, end)[0] == inner->to)
    inner->before = negated (test->op, &is_exchanged);
  pg_kir_value left = pg_kir_operands (kernel, test)[is_exchanged];
  pg_kir_value right = pg_kir_operands (kernel, test)[!is_exchanged];
  bool is_left = is_counter (inner, left);
  if (!is_left && !is_counter (inner, right))
    return false;
  inner->bound = is_left ? right : left;
  bool is_up = inner->rounds[inner->counter].step > 0;
  return !is_in_loop (inner, inner->bound) && pg_kir_types[kernel->instrs[inner->bound].type].kind == PG_KIR_KIND_INT
	 && inner->before != PG_KIR_OP_EQ && (inner->before == PG_KIR_OP_NE || is_left == is_up);
}

/* May the header be run once more than there are turns?  */
static bool
does_nothing (const struct pg_kir_kernel *kernel, pg_kir_block_number header)
{
  for (uint32_t i = 0; i < kernel->blocks[header].n; i++)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[header].code[i]];
      switch (pg_kir_ops[instr->op].shape)
	{
	case PG_KIR_LOAD:
	case PG_KIR_STORE:
	case PG_KIR_ATOMIC:
	case PG_KIR_SWAP:
	case PG_KIR_NEXT:
	  return false;
	default:
	  break;
	}
      if (instr->op == PG_KIR_OP_SDIV || instr->op == PG_KIR_OP_UDIV || instr->op == PG_KIR_OP_SREM
	  || instr->op == PG_KIR_OP_UREM)
	return false;
    }
  return true;
}

/* Where is the test?  At the bottom, if only jumps lead from it to the header.  */
static bool
find_place (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  const struct pg_kir_instr *end = pg_kir_end_of (kernel, inner->exiting);
  pg_kir_block_number next = pg_kir_targets (kernel, end)[pg_kir_targets (kernel, end)[0] == inner->to];
  while (next != inner->header && kernel->blocks[next].n == 1 && pg_kir_end_of (kernel, next)->op == PG_KIR_OP_JUMP)
    next = pg_kir_targets (kernel, pg_kir_end_of (kernel, next))[0];
  inner->is_top = next != inner->header;
  return !inner->is_top || (inner->exiting == inner->header && does_nothing (kernel, inner->header));
}

/* ---- what others see of it */

pg_kir_value
pg_kir_inner_result (const struct pg_kir_inner *inner, unsigned round)
{
  return inner->is_top ? inner->rounds[round].phi : inner->rounds[round].next;
}

/* Is VALUE, of the loop, what goes from turn to turn, as the last one left it?  */
static bool
is_result (const struct pg_kir_inner *inner, pg_kir_value value)
{
  for (unsigned r = 0; r < inner->n_rounds; r++)
    if (value == pg_kir_inner_result (inner, r))
      return true;
  return false;
}

/* Look at what is used of the loop behind it, and at what else it does.  */
static bool
find_uses (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	inner->has_stores |= inner->is_in[b] && pg_kir_changes_memory (instr->op);
	inner->has_nexts |= inner->is_in[b] && pg_kir_ops[instr->op].shape == PG_KIR_NEXT;
	for (unsigned o = 0; o < instr->n_operands && !inner->is_in[b]; o++)
	  if (is_in_loop (inner, pg_kir_operands (kernel, instr)[o])
	      && !is_result (inner, pg_kir_operands (kernel, instr)[o]))
	    return false;
      }
  return true;
}

static bool
get_tables (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  size_t n_blocks = kernel->n_blocks, n_values = kernel->n_instrs;
  inner->memory_len = (3 * n_blocks + 2 * n_values) * sizeof *inner->memory;
  inner->memory = kernel->resize (NULL, 0, inner->memory_len);
  if (inner->memory == NULL)
    return false;
  memset (inner->memory, 0, inner->memory_len);
  inner->is_in = inner->memory;
  inner->is_reached = inner->is_in + n_blocks;
  inner->stack = inner->is_reached + n_blocks;
  inner->block_of = inner->stack + n_blocks;
  inner->is_chained = inner->block_of + n_values;
  for (uint32_t b = 0; b < n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      inner->block_of[kernel->blocks[b].code[i]] = b;
  return true;
}

/* Describe the loop; NULL, or why not.  */
static const char *
describe (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, bool may_reorder)
{
  if (!find_blocks (inner, kernel))
    return "no loop begins there";
  if (!find_edges (inner, kernel))
    return "an inner loop is entered, left or repeated in several ways";
  if (!find_rounds (inner, kernel, may_reorder))
    return "something goes from turn to turn of an inner loop";
  if (!find_test (inner, kernel))
    return "the turns of an inner loop are not countable";
  if (!find_place (inner, kernel))
    return "an inner loop is left amid its turn";
  return find_uses (inner, kernel) ? NULL : "a value of an inner loop is used behind it";
}

bool
pg_kir_inner_begin (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, pg_kir_block_number header,
		    bool may_reorder, struct pg_kir_error *error)
{
  *inner = (struct pg_kir_inner) { .header = header };
  if (kernel->n_blocks > MOST_BLOCKS || !get_tables (inner, kernel))
    return pg_kir_fail (error, "too large, or no memory");
  const char *why = describe (inner, kernel, may_reorder);
  if (why == NULL)
    return true;
  pg_kir_inner_end (inner, kernel);
  return pg_kir_fail (error, why);
}

void
pg_kir_inner_end (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  if (inner->memory != NULL)
    kernel->resize (inner->memory, inner->memory_len, 0);
  inner->memory = NULL;
}

bool
pg_kir_inner_is_nested (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel)
{
  memset (inner->is_reached, 0, kernel->n_blocks * sizeof *inner->is_reached);
  pg_kir_reach (kernel, inner->to, inner->is_reached, inner->stack);
  return inner->is_reached[inner->header];
}

/* ---- how many turns */

pg_kir_value
pg_kir_add_turns (struct pg_kir_kernel *kernel, pg_kir_block_number block, const struct pg_kir_inner *inner,
		  pg_kir_value start, pg_kir_value bound)
{
  bool is_up = inner->rounds[inner->counter].step > 0;
  if (kernel->is_broken)
    return 0;
  enum pg_kir_type type = kernel->instrs[start].type;
  pg_kir_value one = pg_kir_add_simple (kernel, block, PG_KIR_OP_CONST, type, 1, 0, 0), first = start;
  if (inner->tests_next)
    first = pg_kir_add_simple (kernel, block, is_up ? PG_KIR_OP_ADD : PG_KIR_OP_SUB, type, 0, start, one);
  pg_kir_value low = is_up ? first : bound, high = is_up ? bound : first;
  pg_kir_value turns = pg_kir_add_simple (kernel, block, PG_KIR_OP_SUB, type, 0, high, low);
  pg_kir_value long_one = pg_kir_add_simple (kernel, block, PG_KIR_OP_CONST, PG_KIR_I64, 1, 0, 0);
  if (type != PG_KIR_I64)
    turns = pg_kir_add_simple (kernel, block, PG_KIR_OP_ZEXT, PG_KIR_I64, 0, turns, 0);
  if (inner->before == PG_KIR_OP_SLE || inner->before == PG_KIR_OP_ULE)
    turns = pg_kir_add_simple (kernel, block, PG_KIR_OP_ADD, PG_KIR_I64, 0, turns, long_one);
  if (inner->before != PG_KIR_OP_NE)
    {
      pg_kir_value is_any = pg_kir_add_simple (kernel, block, inner->before, PG_KIR_I8, 0, low, high);
      pg_kir_value none = pg_kir_add_simple (kernel, block, PG_KIR_OP_CONST, PG_KIR_I64, 0, 0, 0);
      turns = pg_kir_add (kernel, block, PG_KIR_OP_SELECT, PG_KIR_I64, 0,
			  (const pg_kir_value[]) { is_any, turns, none }, 3, NULL, 0);
    }
  if (!inner->is_top)
    turns = pg_kir_add_simple (kernel, block, PG_KIR_OP_ADD, PG_KIR_I64, 0, turns, long_one);
  return turns;
}
