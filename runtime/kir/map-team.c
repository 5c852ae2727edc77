/* SPDX-License-Identifier: MIT
   Teams: several threads run an iteration together.  Paragon paper, s4.2.

   What the mapping of map.c made for teams in the place of threads, where all members run all of an iteration, is
   changed in place.  An iteration has two phases: up to where the inner loop is left, run by all members, each of which
   takes some turns; and what follows, for the first member only.  Between the phases the members combine what they
   reduced, through shared memory, all threads of a block at once; therefore the teams of a block begin their iterations
   together, in rounds, and those that have none left come along.

       round:   i, carried values; branch body or meet, if there is no iteration
       body:	... first phase
       before:	number of turns; each induction from the member's first turn on; reductions from the identity on
       header:  turn number k, ... each induction goes on by as many steps as there are members
       left:	what was reduced; jump meet
       arrive:	a way past the inner loop; jump meet
       meet:	which way was it?  Combine:  barrier; the first half of the members take what the other half has, ...
       part:	the first member goes on where it came from: at resume, or behind arrive; all others at turn
       resume:	what was reduced, with what it began with; ... second phase
       turn:	the next round, if the block's first team has an iteration left

   A value of the first phase that the second one uses comes there by phis (pg_kir_repair).

   What the members do alike must be alike: nothing that depends on carried values, of which only the first member's
   count, decides on ways, addresses and turns in the first phase.  */
#include "combine.h"
#include "deal.h"
#include "edit.h"
#include "inner.h"
#include "mapper.h"
#include "prune.h"
#include "reach.h"

#include <string.h>

enum
{
  SLOT_LEN = 8,
  AT_RESUME = 1, /* ways to meet; 0: no iteration */
  MOST_WAYS = 16
};

struct team
{
  struct pg_mapper mapper; /* first, as map.c hands it out */
  const struct pg_kir_team *given;
  struct pg_kir_inner inner; /* of the loop, by its blocks and values */
  struct pg_deal dealt;      /* its turns; behind it, the second phase resumes */
  pg_kir_block_number round, body, turn, meet, part;
  pg_kir_value is_leader, way;
  pg_kir_value partial[PG_KIR_MOST_ROUND]; /* by what goes from turn to turn: what a member reduced */

  /* Other ways to meet, from 2 on: where they arrive, and where they go on.  */
  pg_kir_block_number arrive[MOST_WAYS], go_on[MOST_WAYS];
  unsigned n_ways;

  uint32_t *memory; /* the tables lie in it, by the blocks of the mapped kernel when they are made */
  size_t memory_len;
  uint32_t n_blocks, *is_first, *is_second, *is_turn, *stack;
};

static pg_kir_value
add (struct team *team, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type, int64_t number,
     pg_kir_value a, pg_kir_value b)
{
  return pg_map_add (&team->mapper, block, op, type, number, a, b);
}

static const struct pg_kir_instr *
at (const struct team *team, pg_kir_value value)
{
  return &team->mapper.spmd->instrs[value];
}

/* ---- the inner loop */

/* May the inner loop be dealt out, and is it worth it?  */
static bool
can_be_dealt (struct team *team)
{
  const struct pg_kir_inner *inner = &team->inner;
  bool reduces = false;
  for (unsigned r = 0; r < inner->n_rounds; r++)
    reduces |= inner->rounds[r].is_reduction;
  if (inner->has_nexts || pg_kir_inner_is_nested (&team->inner, team->mapper.loop))
    return false;
  return team->given->is_free ? reduces || inner->has_stores : reduces && !inner->has_stores;
}

/* Find the inner loop that was asked for, or the first one that can be dealt out.  */
static bool
find_loop (struct team *team)
{
  const struct pg_kir_kernel *loop = team->mapper.loop;
  pg_kir_block_number asked = team->given->header;
  uint32_t end = asked == 0 || asked >= loop->n_blocks ? loop->n_blocks : asked + 1;
  struct pg_kir_error error;
  for (uint32_t b = asked == 0 ? 1 : asked; b < end; b++)
    if (pg_kir_inner_begin (&team->inner, loop, b, team->given->may_reorder, &error))
      {
	if (can_be_dealt (team))
	  return true;
	pg_kir_inner_end (&team->inner, loop);
      }
  return false;
}

/* ---- rounds */

/* Let the branch at the end of BLOCK go on while the block's first team has an iteration: the one that NEXT is for this
   team.  */
static void
test_by_block (struct team *team, pg_kir_block_number block, pg_kir_value next)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  pg_kir_value base = add (team, block, PG_KIR_OP_SUB, PG_KIR_I64, 0, next, team->mapper.in_block);
  pg_kir_value is_any = add (team, block, PG_KIR_OP_SLT, PG_KIR_I8, 0, base, team->mapper.end);
  pg_kir_move_up (spmd, block, 2, PG_KIR_BEFORE_END);
  if (!spmd->is_broken)
    pg_kir_operands (spmd, pg_kir_end_of (spmd, block))[0] = is_any;
}

/* Cut the blocks where rounds begin and end.  */
static void
make_rounds (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  struct pg_mapper *mapper = &team->mapper;
  team->round = pg_map_first_of (&team->mapper, 0);
  team->body = pg_kir_cut_block (spmd, team->round, pg_kir_n_phis (spmd, team->round));
  if (pg_map_last_of (&team->mapper, 0) == team->round)
    mapper->copy.last[0] = team->body;
  team->turn = pg_kir_cut_block (spmd, mapper->latch, pg_kir_n_phis (spmd, mapper->latch));
  pg_kir_add_jump (spmd, mapper->latch, team->turn);
  if (spmd->is_broken)
    return;
  pg_kir_value next = pg_kir_operands (spmd, at (team, mapper->iter))[1];
  test_by_block (team, mapper->start, mapper->first);
  test_by_block (team, team->turn, next);
  pg_kir_value zero = pg_map_early_constant (&team->mapper, PG_KIR_I64, 0);
  team->is_leader = add (team, mapper->start, PG_KIR_OP_EQ, PG_KIR_I8, 0, mapper->member, zero);
  pg_kir_move_up (spmd, mapper->start, 1, PG_KIR_BEFORE_END);
  pg_kir_value is_there = add (team, team->round, PG_KIR_OP_SLT, PG_KIR_I8, 0, mapper->iter, mapper->end);
  pg_kir_add_branch (spmd, team->round, is_there, team->body, team->meet);
}

/* Move what is the same for all threads to the first block.  */
static void
gather_constants (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  for (uint32_t b = 0; b < spmd->n_blocks; b++)
    for (uint32_t i = 0; b != team->mapper.start && i < spmd->blocks[b].n && !spmd->is_broken; i++)
      if (at (team, spmd->blocks[b].code[i])->op == PG_KIR_OP_CONST
	  || at (team, spmd->blocks[b].code[i])->op == PG_KIR_OP_ARG)
	pg_kir_move_to (spmd, b, i--, team->mapper.start);
}

/* What a thread carries is stored by the first one of its team.  */
static void
store_by_leader (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  pg_kir_block_number done = team->mapper.done;
  if (team->mapper.loop->n_carries == 0)
    return;
  pg_kir_block_number store = pg_kir_cut_block (spmd, done, pg_kir_n_phis (spmd, done)), out = pg_kir_add_block (spmd);
  pg_kir_add_branch (spmd, done, team->is_leader, store, out);
  add (team, out, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
}

/* Carried values stay what they are for who skips the second phase.  */
static void
keep_carried (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  struct pg_mapper *mapper = &team->mapper;
  const pg_kir_block_number before[] = { mapper->latch, team->part };
  for (uint32_t c = 0; c < mapper->loop->n_carries && !spmd->is_broken; c++)
    {
      pg_kir_value carried = spmd->blocks[team->round].code[1 + c]; /* the iteration is the first */
      pg_kir_value turned = pg_kir_add_phi (spmd, team->turn, mapper->loop->carries[c].type, before, 2);
      pg_kir_move_up (spmd, team->turn, 1, 0);
      pg_kir_set_operand (spmd, turned, 0, mapper->at_end[c]);
      pg_kir_set_operand (spmd, turned, 1, carried);
      pg_kir_set_operand (spmd, carried, 1, turned);
      pg_kir_set_operand (spmd, mapper->carried[c], 1, turned);
    }
}

/* ---- dealing out turns */

/* The address of a member's slot for what goes from turn to turn as number R, MEMBER being 0 or so many threads on.  */
static pg_kir_value
slot (struct team *team, pg_kir_block_number block, unsigned r, uint32_t member)
{
  pg_kir_value thread = add (team, block, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
  pg_kir_value bytes = add (team, block, PG_KIR_OP_MUL, PG_KIR_I64, 0, thread,
			    pg_map_early_constant (&team->mapper, PG_KIR_I64, SLOT_LEN));
  unsigned row = 0;
  for (unsigned before = 0; before < r; before++)
    row += team->inner.rounds[before].is_reduction;
  pg_kir_value shared
    = add (team, block, PG_KIR_OP_SHARED, PG_KIR_PTR, (int64_t) row * team->mapper.spmd->n_threads * SLOT_LEN, 0, 0);
  if (member > 0)
    bytes = add (team, block, PG_KIR_OP_ADD, PG_KIR_I64, 0, bytes,
		 pg_map_early_constant (&team->mapper, PG_KIR_I64, (uint64_t) member * SLOT_LEN));
  return add (team, block, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, shared, bytes);
}

/* Where the first member goes on behind the inner loop: what goes from turn to turn is what all turns leave.  */
static void
resume (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  const struct pg_kir_inner *inner = &team->inner;
  for (unsigned r = 0; r < inner->n_rounds && !spmd->is_broken; r++)
    {
      const struct pg_kir_round *round = &inner->rounds[r];
      pg_kir_value init = pg_map_value_of (&team->mapper, round->init), all;
      enum pg_kir_type type = at (team, init)->type;
      if (round->is_reduction)
	{
	  pg_kir_value reduced = add (team, team->dealt.behind, PG_KIR_OP_LOAD, type, team->mapper.loop->n_refs,
				      slot (team, team->dealt.behind, r, 0), 0);
	  all = pg_kir_add_combine (spmd, team->dealt.behind, round->combine, type, init, reduced);
	}
      else
	all = pg_kir_dealt_result (&team->dealt, team->dealt.behind, round);
      if (!spmd->is_broken)
	pg_kir_replace_behind (spmd, pg_map_value_of (&team->mapper, pg_kir_inner_result (inner, r)), all,
			       team->n_blocks, team->is_turn);
    }
  pg_kir_add_jump (spmd, team->dealt.behind, pg_map_first_of (&team->mapper, inner->to));
}

/* Where a member leaves the inner loop: what it reduced.  */
static void
leave (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  const struct pg_kir_inner *inner = &team->inner;
  const pg_kir_block_number before[] = { pg_map_last_of (&team->mapper, inner->exiting), team->dealt.before };
  for (unsigned r = 0; r < inner->n_rounds; r++)
    if (inner->rounds[r].is_reduction)
      {
	enum pg_kir_type type = team->mapper.loop->instrs[inner->rounds[r].phi].type;
	team->partial[r] = pg_kir_add_phi (spmd, team->dealt.left, type, before, inner->is_top ? 1 : 2);
	pg_kir_set_operand (spmd, team->partial[r], 0, pg_map_value_of (&team->mapper, pg_kir_inner_result (inner, r)));
	if (!inner->is_top)
	  pg_kir_set_operand (spmd, team->partial[r], 1, pg_kir_round_identity (&team->dealt, &inner->rounds[r]));
      }
  pg_kir_add_jump (spmd, team->dealt.left, team->meet);
}

/* ---- two phases */

/* Find the blocks of the phases: what is reached with and without leaving the inner loop.  Those of both are of the
   second.  */
static bool
find_phases (struct team *team)
{
  const struct pg_kir_kernel *spmd = team->mapper.spmd, *loop = team->mapper.loop;
  team->n_blocks = spmd->n_blocks;
  team->memory_len = 4 * team->n_blocks * sizeof *team->memory;
  team->memory = loop->resize (NULL, 0, team->memory_len);
  if (team->memory == NULL)
    return false;
  memset (team->memory, 0, team->memory_len);
  team->is_first = team->memory;
  team->is_second = team->is_first + team->n_blocks;
  team->is_turn = team->is_second + team->n_blocks;
  team->stack = team->is_turn + team->n_blocks;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    team->is_turn[pg_map_first_of (&team->mapper, b)] = team->is_turn[pg_map_last_of (&team->mapper, b)]
      = team->inner.is_in[b];
  team->is_second[team->turn] = true;
  pg_kir_reach (spmd, pg_map_first_of (&team->mapper, team->inner.to), team->is_second, team->stack);
  team->is_second[team->turn] = false;
  team->is_second[team->mapper.latch] = true; /* even if no way leads there from the inner loop */
  team->is_first[team->turn] = team->is_first[team->dealt.left] = true;
  pg_kir_reach (spmd, team->body, team->is_first, team->stack);
  team->is_first[team->turn] = team->is_first[team->dealt.left] = false;
  for (uint32_t b = 0; b < team->n_blocks; b++)
    team->is_first[b] &= !team->is_second[b];
  return true;
}

/* Move what PHI gets from blocks of the first phase to a phi at ARRIVE; what stays comes from there by GO_ON.  */
static void
cut_phi (struct team *team, pg_kir_value phi, pg_kir_block_number arrive, pg_kir_block_number go_on)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  unsigned n = at (team, phi)->n_operands, n_early = 0, n_kept = 0;
  enum pg_kir_type type = at (team, phi)->type;
  for (unsigned i = 0; i < n; i++)
    if (team->is_first[pg_kir_targets (spmd, at (team, phi))[i]])
      team->stack[n_early++] = pg_kir_targets (spmd, at (team, phi))[i];
  pg_kir_value early = pg_kir_add_phi (spmd, arrive, type, team->stack, n_early);
  if (spmd->is_broken)
    return;
  pg_kir_value *operands = pg_kir_operands (spmd, at (team, phi));
  pg_kir_block_number *targets = pg_kir_targets (spmd, at (team, phi));
  n_early = 0;
  for (unsigned i = 0; i < n; i++)
    if (team->is_first[targets[i]])
      pg_kir_set_operand (spmd, early, n_early++, operands[i]);
    else
      {
	operands[n_kept] = operands[i];
	targets[n_kept++] = targets[i];
      }
  operands[n_kept] = early;
  targets[n_kept++] = go_on;
  memmove (operands + n_kept, targets, n_kept * sizeof *targets);
  spmd->instrs[phi].n_operands = spmd->instrs[phi].n_targets = (uint16_t) n_kept;
}

/* Let those who come to block B of the second phase from the first one, past the inner loop, come by meet.  */
static bool
cut_ways (struct team *team, pg_kir_block_number b)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  bool is_any = false;
  for (uint32_t from = 0; from < team->n_blocks; from++)
    is_any |= team->is_first[from] && pg_kir_leads (spmd, from, b);
  if (!is_any)
    return true;
  if (team->n_ways == MOST_WAYS)
    return false;
  pg_kir_block_number arrive = team->arrive[team->n_ways] = pg_kir_add_block (spmd);
  pg_kir_block_number go_on = team->go_on[team->n_ways++] = pg_kir_add_block (spmd);
  for (uint32_t i = 0; i < pg_kir_n_phis (spmd, b) && !spmd->is_broken; i++)
    cut_phi (team, spmd->blocks[b].code[i], arrive, go_on);
  for (uint32_t from = 0; from < team->n_blocks; from++)
    if (team->is_first[from])
      pg_kir_lead (spmd, from, b, arrive);
  pg_kir_add_jump (spmd, arrive, team->meet);
  pg_kir_add_jump (spmd, go_on, b);
  return true;
}

/* May VALUE, which changes memory, be for the first member only?  What it computes nobody may need.  */
static bool
can_be_guarded (const struct team *team, pg_kir_value value)
{
  const struct pg_kir_kernel *spmd = team->mapper.spmd;
  bool is_used = false;
  for (uint32_t b = 0; b < spmd->n_blocks && !is_used; b++)
    for (uint32_t i = 0; i < spmd->blocks[b].n; i++)
      {
	const struct pg_kir_instr *user = at (team, spmd->blocks[b].code[i]);
	for (unsigned o = 0; o < user->n_operands; o++)
	  is_used |= pg_kir_operands (spmd, user)[o] == value;
      }
  return team->given->is_free && !is_used;
}

/* Let only the first member change memory in block B of the first phase.  */
static const char *
guard_stores (struct team *team, pg_kir_block_number b)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  for (uint32_t i = 0; i < spmd->blocks[b].n && !spmd->is_broken; i++)
    if (pg_kir_changes_memory (at (team, spmd->blocks[b].code[i])->op))
      {
	if (!can_be_guarded (team, spmd->blocks[b].code[i]))
	  return "memory is changed before the inner loop";
	pg_kir_block_number rest = pg_kir_cut_block (spmd, b, i + 1), only = pg_kir_add_block (spmd);
	if (spmd->is_broken)
	  return NULL;
	pg_kir_move_to (spmd, b, i, only);
	pg_kir_add_jump (spmd, only, rest);
	pg_kir_add_branch (spmd, b, team->is_leader, only, rest);
	b = rest;
	i = UINT32_MAX; /* from its beginning */
      }
  return NULL;
}

/* ---- what members do alike */

/* May INSTR, in the first phase, use what depends on carried values?  */
static bool
may_differ (const struct pg_kir_instr *instr)
{
  switch (pg_kir_ops[instr->op].shape)
    {
    case PG_KIR_BRANCH:
    case PG_KIR_SWITCH:
    case PG_KIR_LOAD:
    case PG_KIR_ATOMIC:
    case PG_KIR_SWAP:
      return false;
    default:
      return instr->op != PG_KIR_OP_SDIV && instr->op != PG_KIR_OP_UDIV && instr->op != PG_KIR_OP_SREM
	     && instr->op != PG_KIR_OP_UREM;
    }
}

/* Is what all members do alike in the first phase independent of carried values?  IS_CARRIED has room for all values.
 */
static bool
is_alike (struct team *team, uint32_t *is_carried)
{
  const struct pg_kir_kernel *spmd = team->mapper.spmd;
  bool changes = true;
  for (uint32_t c = 0; c < team->mapper.loop->n_carries; c++)
    is_carried[spmd->blocks[team->round].code[1 + c]] = true;
  while (changes)
    {
      changes = false;
      for (uint32_t b = 0; b < team->n_blocks; b++)
	for (uint32_t i = 0; i < spmd->blocks[b].n && (team->is_first[b] || b == team->dealt.before); i++)
	  {
	    pg_kir_value value = spmd->blocks[b].code[i];
	    const struct pg_kir_instr *instr = at (team, value);
	    bool uses = false;
	    for (unsigned o = 0; o < instr->n_operands; o++)
	      uses |= is_carried[pg_kir_operands (spmd, instr)[o]] != 0;
	    if (!uses || is_carried[value])
	      continue;
	    if (team->is_turn[b] || b == team->dealt.before || !may_differ (instr))
	      return false;
	    is_carried[value] = changes = true;
	  }
    }
  return true;
}

/* The same, with memory of its own.  */
static const char *
compare_members (struct team *team)
{
  const struct pg_kir_kernel *spmd = team->mapper.spmd, *loop = team->mapper.loop;
  size_t len = spmd->n_instrs * sizeof (uint32_t);
  uint32_t *is_carried = loop->resize (NULL, 0, len);
  if (is_carried == NULL)
    return "no memory";
  memset (is_carried, 0, len);
  bool is_good = is_alike (team, is_carried);
  loop->resize (is_carried, len, 0);
  return is_good ? NULL : "a carried value decides what is done before the inner loop's end";
}

/* ---- meeting */

/* Combine what the members reduced, from block B on, with N values left each time, as many as members at first; the
   block after, in which a barrier was passed.  */
static pg_kir_block_number
combine (struct team *team, pg_kir_block_number b)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  int64_t ref = team->mapper.loop->n_refs;
  for (unsigned r = 0; r < team->inner.n_rounds; r++)
    if (team->inner.rounds[r].is_reduction)
      add (team, b, PG_KIR_OP_STORE, PG_KIR_VOID, ref, slot (team, b, r, 0), team->partial[r]);
  for (uint32_t n = team->given->n_members / 2; n > 0; n /= 2)
    {
      pg_kir_block_number take = pg_kir_add_block (spmd), next = pg_kir_add_block (spmd);
      add (team, b, PG_KIR_OP_BARRIER, PG_KIR_VOID, 0, 0, 0);
      pg_kir_value takes = add (team, b, PG_KIR_OP_SLT, PG_KIR_I8, 0, team->mapper.member,
				pg_map_early_constant (&team->mapper, PG_KIR_I64, n));
      pg_kir_add_branch (spmd, b, takes, take, next);
      for (unsigned r = 0; r < team->inner.n_rounds && !spmd->is_broken; r++)
	if (team->inner.rounds[r].is_reduction)
	  {
	    enum pg_kir_type type = at (team, team->partial[r])->type;
	    pg_kir_value own = slot (team, take, r, 0);
	    pg_kir_value mine = add (team, take, PG_KIR_OP_LOAD, type, ref, own, 0);
	    pg_kir_value its = add (team, take, PG_KIR_OP_LOAD, type, ref, slot (team, take, r, n), 0);
	    pg_kir_value both = pg_kir_add_combine (spmd, take, team->inner.rounds[r].combine, type, mine, its);
	    add (team, take, PG_KIR_OP_STORE, PG_KIR_VOID, ref, own, both);
	  }
      pg_kir_add_jump (spmd, take, next);
      b = next;
    }
  /* Who goes on to the next round stores where others read here.  */
  add (team, b, PG_KIR_OP_BARRIER, PG_KIR_VOID, 0, 0, 0);
  return b;
}

/* Where all ways of the first phase meet: note which it was, and what was reduced on it.  */
static void
put_meet (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  pg_kir_block_number before[2 + MOST_WAYS] = { team->round, team->dealt.left };
  unsigned n = 2 + team->n_ways;
  memcpy (before + 2, team->arrive, team->n_ways * sizeof *before);
  team->way = pg_kir_add_phi (spmd, team->meet, PG_KIR_I32, before, n);
  for (unsigned w = 0; w < n; w++)
    pg_kir_set_operand (spmd, team->way, w, pg_map_early_constant (&team->mapper, PG_KIR_I32, w));
  for (unsigned r = 0; r < team->inner.n_rounds && !spmd->is_broken; r++)
    if (team->inner.rounds[r].is_reduction)
      {
	pg_kir_value reduced = team->partial[r], none = pg_kir_round_identity (&team->dealt, &team->inner.rounds[r]);
	team->partial[r] = pg_kir_add_phi (spmd, team->meet, at (team, none)->type, before, n);
	for (unsigned w = 0; w < n; w++)
	  pg_kir_set_operand (spmd, team->partial[r], w, w == AT_RESUME ? reduced : none);
      }
}

/* Let the first member go on where it came from.  */
static void
put_part (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  pg_kir_value none = pg_map_early_constant (&team->mapper, PG_KIR_I32, 0), operands[2 + MOST_WAYS];
  pg_kir_block_number targets[2 + MOST_WAYS] = { team->turn, team->dealt.behind };
  memcpy (targets + 2, team->go_on, team->n_ways * sizeof *targets);
  operands[0] = pg_kir_add (spmd, team->part, PG_KIR_OP_SELECT, PG_KIR_I32, 0,
			    (const pg_kir_value[]) { team->is_leader, team->way, none }, 3, NULL, 0);
  for (unsigned w = AT_RESUME; w < 2 + team->n_ways; w++)
    operands[w] = pg_map_early_constant (&team->mapper, PG_KIR_I32, w);
  pg_kir_add (spmd, team->part, PG_KIR_OP_SWITCH, PG_KIR_VOID, 0, operands, 2 + team->n_ways, targets,
	      2 + team->n_ways);
}

/* ---- all of it */

/* Shared memory for what is reduced; false: there is not as much.  */
static bool
share (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  for (unsigned r = 0; r < team->inner.n_rounds; r++)
    if (team->inner.rounds[r].is_reduction)
      spmd->shared_len += spmd->n_threads * SLOT_LEN;
  return spmd->shared_len <= PG_KIR_MOST_SHARED_LEN;
}

/* Change the mapped kernel; NULL, or why it is not to be had.  In order, as each step needs those before:

     rounds, and the blocks that constants need
     dealt	blocks of the loop's ways in and out
     phases	what is reached by them
     resume	the values behind the loop, before others of the loop's are used outside
     stores	blocks are cut, which the phases' tables do not know
     repair	all ways and uses are there  */
static const char *
make_team (struct team *team)
{
  struct pg_kir_kernel *spmd = team->mapper.spmd;
  const char *why = NULL;
  pg_kir_block_number *const blocks[]
    = { &team->dealt.before, &team->dealt.left, &team->meet, &team->part, &team->dealt.behind };
  for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
    *blocks[b] = pg_kir_add_block (spmd);
  if (!share (team))
    return "too much shared memory";
  make_rounds (team);
  store_by_leader (team);
  keep_carried (team);
  if (spmd->is_broken)
    return NULL;
  gather_constants (team);
  pg_kir_deal (&team->dealt);
  if (spmd->is_broken || !find_phases (team))
    return "no memory";
  resume (team);
  leave (team);
  why = compare_members (team);
  for (uint32_t b = 0; b < team->n_blocks && why == NULL && !spmd->is_broken; b++)
    if (team->is_second[b] && !cut_ways (team, b))
      why = "too many ways past the inner loop";
  for (uint32_t b = 0; b < team->n_blocks && why == NULL && !spmd->is_broken; b++)
    if (team->is_first[b] && !team->is_turn[b])
      why = guard_stores (team, b);
  if (why != NULL || spmd->is_broken)
    return why;
  put_meet (team);
  pg_kir_block_number met = spmd->shared_len > 0 ? combine (team, team->meet) : team->meet;
  pg_kir_add_jump (spmd, met, team->part);
  put_part (team);
  return pg_kir_repair (spmd, team->round) && pg_kir_prune (spmd) ? NULL : "no memory";
}

static const char *
finish (struct pg_mapper *mapper)
{
  struct team *team = (struct team *) mapper;
  const char *why = make_team (team);
  if (team->memory != NULL)
    mapper->loop->resize (team->memory, team->memory_len, 0);
  return why;
}

bool
pg_kir_map_team (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, const struct pg_kir_team *given,
		 uint32_t n_threads, struct pg_kir_error *error)
{
  uint32_t n = given->n_members;
  struct team team = { .mapper = { .spmd = spmd, .loop = loop, .mapping = PG_KIR_STRIDED, .n_members = n },
		       .given = given,
		       .dealt = { .mapper = &team.mapper, .inner = &team.inner, .n_members = n } };
  if (n < 2 || (n & (n - 1)) != 0 || n_threads % n != 0)
    return pg_kir_fail (error, "a block is not made of such teams");
  if (loop->n_threads > 0 || loop->n_dims != 1)
    return pg_kir_fail (error, "not a loop of one dimension");
  if (given->header == PG_KIR_ALL_INNER)
    return pg_map_spread (spmd, loop, given, n_threads, error);
  if (!find_loop (&team))
    return pg_kir_fail (error, "there is no inner loop to deal out");
  bool is_good = pg_map_loop (&team.mapper, n_threads, finish, error);
  pg_kir_inner_end (&team.inner, loop);
  return is_good;
}
