/* SPDX-License-Identifier: MIT
   KIR fuzzer: random kernels that are right, and end.

   Code is made in the order in which it runs.  What may be used is what is known: a stack of values that is cut back
   where control flow leaves the blocks that computed them.  Where ways meet is a join: each way notes the values that
   the join's phis get, and at the end the phis are added.

       if:    ... branch c then else	      loop:  ... jump header
	      then: ...   --way--> join		     header: phis, test  --way--> exit
	      else: ...   --way--> join		     body, break --way--> exit, continue --way--> header
	      join: phis			     step  --way--> header

   A loop's header has phis that are used before their ways are known: they are added with room for all ways that there
   may be, and get their operands at the end.  Loops count from 0 to at most 4, but for the loops of two entries, which
   count down.  */
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* ---- ends of blocks */

static void
end_by_jump (struct fk_maker *maker, pg_kir_block_number to)
{
  pg_kir_add (maker->kernel, maker->block, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &to, 1);
}

static void
end_by_branch (struct fk_maker *maker, pg_kir_value condition, pg_kir_block_number yes, pg_kir_block_number no)
{
  const pg_kir_block_number to[] = { yes, no };
  pg_kir_add (maker->kernel, maker->block, PG_KIR_OP_BRANCH, PG_KIR_VOID, 0, &condition, 1, to, 2);
  maker->facts[condition] |= FK_IS_USED;
}

/* End an iteration.  A last value is nobody's if the last iteration does not set it: independent ones do.  */
static void
end_iteration (struct fk_maker *maker)
{
  for (uint32_t c = 0; c < maker->kernel->n_carries; c++)
    if (maker->made->is_independent && maker->kernel->carries[c].combine == PG_KIR_COMBINE_LAST)
      fk_add_next (maker, c);
    else if (fk_once_in (&maker->random, 2))
      fk_add_next (maker, c);
  pg_kir_add_simple (maker->kernel, maker->block, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
}

/* ---- joins */

/* Begin a join in a new block, with up to N phis of random types.  */
static struct fk_join
begin_join (struct fk_maker *maker, unsigned n)
{
  struct fk_join join = { .block = pg_kir_add_block (maker->kernel), .n_phis = fk_pick (&maker->random, n + 1) };
  for (unsigned i = 0; i < join.n_phis; i++)
    join.types[i] = i > 0 && fk_once_in (&maker->random, 2) ? join.types[i - 1] : fk_type (maker);
  return join;
}

/* Note a way from the block at hand, which does not end yet, to JOIN.  */
static void
add_way (struct fk_maker *maker, struct fk_join *join)
{
  bool exchanges = fk_once_in (&maker->random, 3);
  for (unsigned i = 0; i < join->n_phis; i++)
    {
      unsigned other = exchanges ? join->n_phis - i : fk_pick (&maker->random, join->n_phis);
      bool is_phi = join->is_header && other < join->n_phis && join->types[other] == join->types[i]
		    && (exchanges || fk_once_in (&maker->random, 2));
      pg_kir_value value = is_phi ? join->phis[other] : fk_value (maker, join->types[i]);
      join->values[join->n_ways][i] = value;
      maker->facts[value] |= FK_IS_USED;
    }
  join->from[join->n_ways++] = maker->block;
}

/* Give phi I of JOIN, which has room for more, its operands.  */
static void
set_operands (struct fk_maker *maker, const struct fk_join *join, unsigned i)
{
  struct pg_kir_instr *phi = &maker->kernel->instrs[join->phis[i]];
  uint32_t *operands = maker->kernel->pool + phi->first;
  phi->n_operands = phi->n_targets = (uint16_t) join->n_ways;
  for (unsigned w = 0; w < join->n_ways; w++)
    {
      operands[w] = join->values[w][i];
      operands[join->n_ways + w] = join->from[w];
    }
}

/* Add the phis of JOIN, whose ways are not all known.  */
static void
add_phis (struct fk_maker *maker, struct fk_join *join)
{
  static const uint32_t none[FK_MOST_WAYS];
  maker->block = join->block;
  for (unsigned i = 0; i < join->n_phis; i++)
    {
      join->phis[i] = pg_kir_add (maker->kernel, join->block, PG_KIR_OP_PHI, join->types[i], 0, none, FK_MOST_WAYS,
				  none, FK_MOST_WAYS);
      if (maker->n_known < FK_MOST_KNOWN)
	maker->known[maker->n_known++] = join->phis[i];
      maker->n_left--;
    }
}

/* Are what I gets on all ways things with FACT?  */
static bool
all_have (const struct fk_maker *maker, const struct fk_join *join, unsigned i, unsigned fact)
{
  for (unsigned w = 0; w < join->n_ways; w++)
    if ((maker->facts[join->values[w][i]] & fact) == 0)
      return false;
  return true;
}

/* All ways to JOIN are noted: go on there, where the first N_KNOWN values are known.  */
static void
end_join (struct fk_maker *maker, struct fk_join *join, unsigned n_known)
{
  static const unsigned facts[] = { FK_IS_BASE, FK_IS_PLACE, FK_IS_WRITABLE, FK_IS_CLEAN, FK_IS_ALIGNED };
  maker->n_known = n_known;
  add_phis (maker, join);
  for (unsigned i = 0; i < join->n_phis; i++)
    {
      set_operands (maker, join, i);
      for (unsigned f = 0; f < sizeof facts / sizeof *facts; f++)
	if (all_have (maker, join, i, facts[f]))
	  maker->facts[join->phis[i]] |= facts[f];
    }
}

/* ---- control flow */

static void make_code (struct fk_maker *maker);

/* Make code of a branch's or loop's body in BLOCK.  */
static void
make_body (struct fk_maker *maker, pg_kir_block_number block)
{
  unsigned n_known = maker->n_known;
  maker->block = block;
  maker->depth++;
  make_code (maker);
  fk_store_unused (maker, n_known, 2);
  maker->depth--;
}

static void
make_if (struct fk_maker *maker)
{
  struct fk_join join = begin_join (maker, 3);
  pg_kir_value condition = fk_value (maker, PG_KIR_I8);
  pg_kir_block_number yes = pg_kir_add_block (maker->kernel), no = join.block;
  unsigned n_known = maker->n_known;
  bool has_else = fk_once_in (&maker->random, 2);
  fk_note (maker, has_else ? FK_IF_ELSE : FK_IF);
  if (has_else)
    no = pg_kir_add_block (maker->kernel);
  else
    add_way (maker, &join);
  if (fk_once_in (&maker->random, 2))
    end_by_branch (maker, condition, yes, no);
  else
    end_by_branch (maker, condition, no, yes);
  for (int arm = 0; arm <= has_else; arm++)
    {
      maker->n_known = n_known;
      make_body (maker, arm == 0 ? yes : no);
      add_way (maker, &join);
      end_by_jump (maker, join.block);
    }
  end_join (maker, &join, n_known);
}

/* A branch that leads to the same block both ways.  */
static void
make_same_ways (struct fk_maker *maker)
{
  struct fk_join join = begin_join (maker, 2);
  pg_kir_value condition = fk_value (maker, PG_KIR_I8);
  fk_note (maker, FK_SAME_WAYS);
  add_way (maker, &join);
  end_by_branch (maker, condition, join.block, join.block);
  end_join (maker, &join, maker->n_known);
}

static void
make_return (struct fk_maker *maker)
{
  pg_kir_value condition = fk_value (maker, PG_KIR_I8);
  pg_kir_block_number leave = pg_kir_add_block (maker->kernel), stay = pg_kir_add_block (maker->kernel);
  unsigned n_known = maker->n_known;
  fk_note (maker, FK_RETURN);
  end_by_branch (maker, condition, leave, stay);
  maker->block = leave;
  fk_add_some (maker, fk_pick (&maker->random, 3));
  end_iteration (maker);
  maker->n_known = n_known;
  maker->block = stay;
}

/* A switch of up to four arms, some of them of several cases, and some cases there twice.  */
static void
make_switch (struct fk_maker *maker)
{
  static const enum pg_kir_type types[] = { PG_KIR_I8, PG_KIR_I16, PG_KIR_I32, PG_KIR_I64 };
  struct fk_random *random = &maker->random;
  struct fk_join join = begin_join (maker, 3);
  enum pg_kir_type type = types[fk_pick (random, 4)];
  unsigned n_arms = 1 + fk_pick (random, 4), n_cases = n_arms + fk_pick (random, 4);
  pg_kir_value operands[9];
  pg_kir_block_number arms[4], targets[9];
  bool joins_at_once = fk_once_in (random, 2);
  operands[0] = fk_value (maker, type);
  if (fk_once_in (random, 2))
    operands[0] = fk_add (maker, PG_KIR_OP_AND, type, 0, operands[0], fk_const (maker, type, 3), 0);
  maker->facts[operands[0]] |= FK_IS_USED;
  for (unsigned a = 0; a < n_arms; a++)
    arms[a] = pg_kir_add_block (maker->kernel);
  fk_note (maker, FK_SWITCH);
  int64_t last = -1;
  for (unsigned c = 1; c <= n_cases; c++)
    {
      int64_t number = fk_once_in (random, 4) ? last : (int64_t) fk_pick (random, 6) - 1;
      if (c > 1 && number == last)
	fk_note (maker, FK_TWICE);
      operands[c] = fk_const (maker, type, last = number);
      maker->facts[operands[c]] |= FK_IS_USED;
      targets[c] = arms[c <= n_arms ? c - 1 : fk_pick (random, n_arms)];
      if (c > n_arms)
	fk_note (maker, FK_SHARED);
    }
  unsigned n_known = maker->n_known;
  targets[0] = joins_at_once ? join.block : arms[fk_pick (random, n_arms)];
  if (joins_at_once)
    add_way (maker, &join);
  pg_kir_add (maker->kernel, maker->block, PG_KIR_OP_SWITCH, PG_KIR_VOID, 0, operands, n_cases + 1, targets,
	      n_cases + 1);
  for (unsigned a = 0; a < n_arms; a++)
    {
      maker->n_known = n_known;
      make_body (maker, arms[a]);
      add_way (maker, &join);
      end_by_jump (maker, join.block);
    }
  end_join (maker, &join, n_known);
}

/* Leave the innermost loop, or go on with its next turn, if something holds.  */
static void
make_break (struct fk_maker *maker)
{
  bool leaves = fk_once_in (&maker->random, 2);
  struct fk_join *to = leaves ? maker->exit : maker->header;
  pg_kir_value condition = fk_value (maker, PG_KIR_I8);
  if (to->n_ways >= FK_MOST_WAYS - 2) /* the loop's end needs two */
    return;
  if (!leaves && maker->goes_on != 0)
    condition = fk_add (maker, PG_KIR_OP_AND, PG_KIR_I8, 0, condition, maker->goes_on, 0);
  add_way (maker, to);
  if (!leaves)
    to->values[to->n_ways - 1][0] = maker->step;
  pg_kir_block_number stay = pg_kir_add_block (maker->kernel);
  fk_note (maker, leaves ? FK_BREAK : FK_CONTINUE);
  end_by_branch (maker, condition, to->block, stay);
  maker->block = stay;
}

/* Do the phis of HEADER get each other's values, or their own, on the way at its end?  */
static void
note_exchange (struct fk_maker *maker, const struct fk_join *header)
{
  const pg_kir_value *values = header->values[header->n_ways - 1];
  for (unsigned i = 0; i < header->n_phis; i++)
    for (unsigned j = 0; j <= i; j++)
      if (values[i] == header->phis[j] && values[j] == header->phis[i])
	fk_note (maker, i == j ? FK_OWN_VALUE : FK_EXCHANGED);
}

/* A loop of up to 4 turns, tested before its body or behind it.  Phi 0 of its header counts.  */
static void
make_loop (struct fk_maker *maker)
{
  static const enum pg_kir_type types[] = { PG_KIR_I8, PG_KIR_I16, PG_KIR_I32, PG_KIR_I64 };
  static const enum pg_kir_op tests[] = { PG_KIR_OP_SLT, PG_KIR_OP_ULT };
  struct fk_random *random = &maker->random;
  enum pg_kir_type type = types[fk_pick (random, 4)];
  enum pg_kir_op test = tests[fk_pick (random, 2)];
  bool is_top = fk_once_in (random, 2);
  struct fk_join *outer_header = maker->header, *outer_exit = maker->exit;
  struct fk_join header = begin_join (maker, FK_MOST_PHIS - 1), exit = begin_join (maker, 2);
  pg_kir_value outer_step = maker->step, outer_goes_on = maker->goes_on;
  pg_kir_value bound = fk_const (maker, type, fk_pick (random, 5));

  fk_note (maker, is_top ? FK_TOP_LOOP : FK_BOTTOM_LOOP);
  if (maker->loop_depth > 0)
    fk_note (maker, FK_NESTED_LOOP);
  if (fk_once_in (random, 2))
    bound = fk_add (maker, PG_KIR_OP_AND, type, 0, fk_value (maker, type), fk_const (maker, type, 3), 0);
  header.n_phis += header.n_phis == 0;
  header.types[0] = type;
  add_way (maker, &header);
  header.values[0][0] = fk_const (maker, type, 0);
  end_by_jump (maker, header.block);
  add_phis (maker, &header);
  header.is_header = true;
  pg_kir_value step = fk_add (maker, PG_KIR_OP_ADD, type, 0, header.phis[0], fk_const (maker, type, 1), 0);
  maker->goes_on = is_top ? 0 : fk_add (maker, test, PG_KIR_I8, 0, step, bound, 0);
  unsigned n_known = maker->n_known;
  maker->header = &header;
  maker->exit = &exit;
  maker->step = step;
  maker->loop_depth++;
  pg_kir_block_number body = header.block;
  if (is_top)
    {
      fk_add_some (maker, fk_pick (random, 3));
      n_known = maker->n_known;
      pg_kir_value goes_on = fk_add (maker, test, PG_KIR_I8, 0, header.phis[0], bound, 0);
      add_way (maker, &exit);
      body = pg_kir_add_block (maker->kernel);
      end_by_branch (maker, goes_on, body, exit.block);
    }
  make_body (maker, body);
  if (is_top)
    {
      add_way (maker, &header);
      end_by_jump (maker, header.block);
    }
  else
    {
      add_way (maker, &exit);
      add_way (maker, &header);
      end_by_branch (maker, maker->goes_on, header.block, exit.block);
    }
  header.values[header.n_ways - 1][0] = step;
  note_exchange (maker, &header);
  for (unsigned i = 0; i < header.n_phis; i++)
    set_operands (maker, &header, i);
  maker->loop_depth--;
  maker->header = outer_header;
  maker->exit = outer_exit;
  maker->step = outer_step;
  maker->goes_on = outer_goes_on;
  end_join (maker, &exit, n_known);
}

/* What combines integers in any order.  */
static enum pg_kir_op
some_combination (struct fk_maker *maker)
{
  static const enum pg_kir_op ops[]
    = { PG_KIR_OP_ADD,    PG_KIR_OP_SUB,  PG_KIR_OP_MUL, PG_KIR_OP_ADD_NW, PG_KIR_OP_SUB_NW,
	PG_KIR_OP_MUL_NW, PG_KIR_OP_AND,  PG_KIR_OP_OR,  PG_KIR_OP_XOR,    PG_KIR_OP_SMIN,
	PG_KIR_OP_SMAX,   PG_KIR_OP_UMIN, PG_KIR_OP_UMAX };
  return ops[fk_pick (&maker->random, sizeof ops / sizeof *ops)];
}

/* A loop of up to 8 turns that reduces up to three integers, which nothing else in it uses; behind it only those are
   known of it.  It is tested at the top or, run once at least, at the bottom.  Phi 0 of its header counts.  */
static void
make_reduction (struct fk_maker *maker)
{
  static const enum pg_kir_type types[] = { PG_KIR_I8, PG_KIR_I16, PG_KIR_I32, PG_KIR_I64 };
  struct fk_random *random = &maker->random;
  struct fk_join header = begin_join (maker, 0), exit = begin_join (maker, 0);
  enum pg_kir_type type = types[fk_pick (random, 4)];
  bool is_top = fk_once_in (random, 2);
  pg_kir_value bound = fk_add (maker, PG_KIR_OP_AND, type, 0, fk_value (maker, type), fk_const (maker, type, 7), 0);
  fk_note (maker, FK_REDUCED);
  header.n_phis = 2 + fk_pick (random, FK_MOST_PHIS - 1);
  header.types[0] = type;
  for (unsigned i = 1; i < header.n_phis; i++)
    header.types[i] = types[fk_pick (random, 4)];
  add_way (maker, &header);
  header.values[0][0] = fk_const (maker, type, 0);
  end_by_jump (maker, header.block);
  unsigned n_known = maker->n_known;
  add_phis (maker, &header);
  if (maker->n_known > n_known + 1)
    maker->n_known = n_known + 1;
  pg_kir_block_number body = header.block;
  if (is_top)
    {
      body = pg_kir_add_block (maker->kernel);
      end_by_branch (maker, fk_add (maker, PG_KIR_OP_ULT, PG_KIR_I8, 0, header.phis[0], bound, 0), body, exit.block);
      maker->block = body;
    }
  fk_add_some (maker, fk_pick (random, 5));
  header.n_ways = 2;
  header.from[1] = maker->block;
  for (unsigned i = 1; i < header.n_phis; i++)
    {
      pg_kir_value with = fk_value (maker, header.types[i]), next = header.phis[i];
      maker->facts[with] |= FK_IS_USED;
      header.values[1][i]
	= pg_kir_add_simple (maker->kernel, maker->block, some_combination (maker), header.types[i], 0, next, with);
    }
  pg_kir_value step = fk_add (maker, PG_KIR_OP_ADD_NW, type, 0, header.phis[0], fk_const (maker, type, 1), 0);
  header.values[1][0] = step;
  if (is_top)
    end_by_jump (maker, header.block);
  else
    end_by_branch (maker, fk_add (maker, PG_KIR_OP_ULT, PG_KIR_I8, 0, step, bound, 0), header.block, exit.block);
  for (unsigned i = 0; i < header.n_phis; i++)
    set_operands (maker, &header, i);
  end_join (maker, &exit, n_known);
  for (unsigned i = 1; i < header.n_phis && maker->n_known < FK_MOST_KNOWN; i++)
    maker->known[maker->n_known++] = is_top ? header.phis[i] : header.values[1][i];
}

/* One of the two blocks of a loop of two entries: count down in ENTRY, and go to OTHER or to EXIT.  */
static void
make_entry (struct fk_maker *maker, struct fk_join *entry, struct fk_join *other, struct fk_join *exit)
{
  unsigned n_known = maker->n_known;
  add_phis (maker, entry);
  fk_add_some (maker, fk_pick (&maker->random, 4));
  pg_kir_value one = fk_const (maker, PG_KIR_I32, 1), none = fk_const (maker, PG_KIR_I32, 0);
  pg_kir_value left = fk_add (maker, PG_KIR_OP_SUB, PG_KIR_I32, 0, entry->phis[0], one, 0);
  pg_kir_value goes_on = fk_add (maker, PG_KIR_OP_SLT, PG_KIR_I8, 0, none, left, 0);
  add_way (maker, exit);
  add_way (maker, other);
  other->values[other->n_ways - 1][0] = left;
  end_by_branch (maker, goes_on, other->block, exit->block);
  maker->n_known = n_known;
}

/* A loop that is entered at either of its two blocks.  */
static void
make_two_entries (struct fk_maker *maker)
{
  struct fk_join first = begin_join (maker, 2), second = begin_join (maker, 2), exit = begin_join (maker, 2);
  struct fk_join *const entries[] = { &first, &second };
  pg_kir_value condition = fk_value (maker, PG_KIR_I8), count = fk_value (maker, PG_KIR_I32);
  count = fk_add (maker, PG_KIR_OP_AND, PG_KIR_I32, 0, count, fk_const (maker, PG_KIR_I32, 3), 0);
  fk_note (maker, FK_TWO_ENTRIES);
  for (int e = 0; e < 2; e++)
    {
      entries[e]->n_phis += entries[e]->n_phis == 0;
      entries[e]->types[0] = PG_KIR_I32;
      add_way (maker, entries[e]);
      entries[e]->values[0][0] = count;
    }
  end_by_branch (maker, condition, first.block, second.block);
  make_entry (maker, &first, &second, &exit);
  make_entry (maker, &second, &first, &exit);
  for (int e = 0; e < 2; e++)
    for (unsigned i = 0; i < entries[e]->n_phis; i++)
      set_operands (maker, entries[e], i);
  end_join (maker, &exit, maker->n_known);
}

/* Make instructions and, not too deep, control flow.  */
static void
make_code (struct fk_maker *maker)
{
  static void (*const makers[]) (struct fk_maker * maker)
    = { make_if,        make_if,     make_loop,      make_loop,        make_loop,
	make_reduction, make_switch, make_same_ways, make_two_entries, make_return };
  do
    {
      fk_add_some (maker, 1 + fk_pick (&maker->random, 6));
      if (maker->loop_depth > 0 && fk_once_in (&maker->random, 3))
	make_break (maker);
      else if (maker->depth < FK_MOST_DEPTH && maker->n_left > 0 && !fk_once_in (&maker->random, 3))
	makers[fk_pick (&maker->random, sizeof makers / sizeof *makers)](maker);
    }
  while (maker->n_left > 0 && (maker->depth == 0 || fk_once_in (&maker->random, 3)));
}

/* A type and a way to combine it; the result is the same in any order if IN_ANY_ORDER.  */
static struct pg_kir_carry
some_carry (struct fk_maker *maker, bool in_any_order)
{
  for (;;)
    {
      struct pg_kir_carry carry = { .type = (uint8_t) fk_type (maker) };
      enum pg_kir_kind kind = pg_kir_types[carry.type].kind;
      carry.combine = (uint8_t) fk_pick (&maker->random, PG_KIR_N_COMBINES);
      enum pg_kir_kind kinds = pg_kir_combines[carry.combine].kinds;
      bool fits = kind == kinds || (kinds == PG_KIR_KIND_ALL && kind != PG_KIR_KIND_PTR);
      if (carry.combine == PG_KIR_COMBINE_LAST || (fits && (kind == PG_KIR_KIND_INT || !in_any_order)))
	return carry;
    }
}

/* Have up to FK_MOST_CARRIES carried values, and ask for some of them.  Those of independent iterations are not known
   but where they are combined.  */
static void
add_carries (struct fk_maker *maker)
{
  unsigned n = fk_pick (&maker->random, FK_MOST_CARRIES + 1);
  for (unsigned c = 0; c < n; c++)
    {
      struct pg_kir_carry carry = some_carry (maker, maker->made->is_independent);
      pg_kir_add_carry (maker->kernel, carry.type, carry.combine, FK_CARRIES + 16 * c + fk_pick (&maker->random, 9));
      if (maker->made->is_independent)
	maker->carried[c] = pg_kir_add_simple (maker->kernel, maker->block, PG_KIR_OP_CARRY, carry.type, c, 0, 0);
      else if (!fk_once_in (&maker->random, 5))
	{
	  pg_kir_value value = fk_add (maker, PG_KIR_OP_CARRY, carry.type, c, 0, 0, 0);
	  maker->facts[value] |= FK_IS_CLEAN;
	}
    }
}

/* Give the kernel a name, the loop its size, and the maker some first values.  */
static void
begin (struct fk_maker *maker)
{
  struct fk_case *made = maker->made;
  struct pg_kir_kernel *kernel = maker->kernel;
  const char *odd = fk_once_in (&maker->random, 8) ? "*/ ?\?/ %s \\" : "";
  snprintf (kernel->name, sizeof kernel->name, "fuzz.c:%llu kernel%s", (unsigned long long) made->seed, odd);
  kernel->args_len = FK_ARGS_LEN;
  kernel->n_dims = fk_once_in (&maker->random, 3) ? 2 + fk_pick (&maker->random, 3) : 1;
  kernel->n_refs = 1 + fk_pick (&maker->random, 6);
  for (unsigned d = 0; d < PG_KIR_MOST_DIMS; d++)
    made->n_iters[d] = d >= kernel->n_dims ? 1 : kernel->n_dims == 1 ? 8 : 2;
  if (kernel->n_dims > 1)
    fk_note (maker, FK_DIMS);
  made->is_independent = kernel->n_dims == 1 && fk_once_in (&maker->random, 2);
  if (made->is_independent)
    fk_note (maker, FK_INDEPENDENT);

  maker->block = pg_kir_add_block (kernel);
  pg_kir_value iter = fk_add (maker, PG_KIR_OP_ITER, PG_KIR_I64, 0, 0, 0, 0);
  pg_kir_value last_row = fk_const (maker, PG_KIR_I64, 15), row_len = fk_const (maker, PG_KIR_I64, FK_ROW_LEN);
  pg_kir_value row = fk_add (maker, PG_KIR_OP_AND, PG_KIR_I64, 0, iter, last_row, 0);
  row = fk_add (maker, PG_KIR_OP_MUL, PG_KIR_I64, 0, row, row_len, 0);
  pg_kir_value out
    = fk_add (maker, PG_KIR_OP_ARG, PG_KIR_PTR, (FK_N_POINTERS - 1) * (int64_t) sizeof (void *), 0, 0, 0);
  maker->row = fk_add (maker, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, out, row, 0);
  add_carries (maker);
}

/* Give some instructions lines.  */
static void
add_lines (struct fk_maker *maker)
{
  for (uint32_t v = 1; v < maker->kernel->n_instrs; v++)
    if (fk_once_in (&maker->random, 4))
      maker->kernel->instrs[v].line
	= 1 + fk_pick (&maker->random, fk_once_in (&maker->random, 20) ? INT32_MAX - 1 : 999);
}

/* Let some phis name the blocks before theirs in another order.  */
static void
shuffle_ways (struct fk_maker *maker)
{
  struct pg_kir_kernel *kernel = maker->kernel;
  for (uint32_t v = 1; v < kernel->n_instrs; v++)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[v];
      if (instr->op != PG_KIR_OP_PHI || instr->n_operands < 2 || !fk_once_in (&maker->random, 3))
	continue;
      unsigned other = 1 + fk_pick (&maker->random, instr->n_operands - 1u);
      pg_kir_value *operands = pg_kir_operands (kernel, instr), value = operands[0];
      pg_kir_block_number *targets = pg_kir_targets (kernel, instr), block = targets[0];
      operands[0] = operands[other];
      operands[other] = value;
      targets[0] = targets[other];
      targets[other] = block;
    }
}

void
fk_make (struct fk_case *made, uint64_t seed, unsigned mutant)
{
  struct fk_maker maker = { .made = made, .kernel = &made->kernel, .random = { seed * 0x2545f4914f6cdd1d } };
  *made = (struct fk_case) { .seed = seed, .mutant = mutant };
  pg_kir_begin (&made->kernel, NULL);
  maker.n_left = 30 + (int) fk_pick (&maker.random, 110);
  begin (&maker);
  make_code (&maker);
  fk_store_unused (&maker, 0, 8);
  end_iteration (&maker);
  shuffle_ways (&maker);
  add_lines (&maker);
  if (mutant > 0)
    {
      struct fk_random random = { seed + ((uint64_t) mutant << 48) };
      fk_mutate (&made->kernel, &random);
    }
}
