/* SPDX-License-Identifier: MIT
   What is to be done about each instruction of a loop that is instrumented.  See instrument.c.

   First, what is kept: all of it, or if only addresses are wanted, what the addresses that are noted and the ends of
   blocks need.  Then, of the accesses, those that were looked at or noted before on all ways, at the same address,
   need not be looked at or noted again.  There is no value of an address that the earlier access did not see: each way
   from where the address is computed to the later one leads through the earlier one.

   A second kernel finds the addresses that the loop accesses if what they are computed of is in its memory what it is
   in order.  That no other iteration writes there is tested as for all reads; but the own one may write there, too.  In
   memory as the loop left it, that is always a conflict; in memory as it was before the loop, if it is before the read.
   */
#include "flow.h"
#include "instrumenter.h"
#include "prune.h"

#include <string.h>

/* What is remembered for an address: the last access that was looked at, noted as a read, noted as a write.  */
enum
{
  LOOKED_AT,
  READ,
  WRITTEN,
  N_REMEMBERED
};

struct planner
{
  struct pg_instrumenter *in;
  struct pg_kir_flow flow;
  uint32_t *block_of, *place_of;      /* by value */
  pg_kir_value *before[N_REMEMBERED]; /* by value of an address */
  uint32_t *feeds;                    /* by value: an address or a branch is computed of it */
  uint32_t *is_written;               /* by block: there may have been a write where it begins */
  uint32_t *stack;
};

enum
{
  N_TABLES = 6 + N_REMEMBERED
};

static bool
is_access (const struct pg_kir_instr *instr)
{
  return pg_kir_is_store (instr) || pg_kir_is_load (instr);
}

/* What is noted of INSTR, an access.  */
static uint32_t
to_note (const struct pg_instrumenter *in, const struct pg_kir_instr *instr)
{
  const struct pg_kir_logging *logging = in->logging;
  if (logging->array_of[instr->number] == PG_KIR_NOT_LOGGED
      || (logging->bounds_only != NULL && logging->bounds_only[instr->number]))
    return 0;
  if (pg_kir_is_store (instr))
    return logging->what & PG_KIR_NOTE_WRITES ? PG_NOTE_WRITE : 0;
  return logging->what & (PG_KIR_NOTE_READS | PG_KIR_TEST_READS) ? PG_NOTE_READ : 0;
}

static bool
is_logged (const struct pg_instrumenter *in, const struct pg_kir_instr *instr)
{
  return is_access (instr) && in->logging->array_of[instr->number] != PG_KIR_NOT_LOGGED;
}

/* Find what addresses and branches are computed of.  */
static void
find_feeds (struct planner *planner)
{
  const struct pg_kir_kernel *loop = planner->in->loop;
  uint32_t n = 0;
  for (pg_kir_block_number b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	pg_kir_value value = loop->blocks[b].code[i];
	if (is_logged (planner->in, &loop->instrs[value]))
	  n = pg_kir_need (planner->feeds, planner->stack, n, pg_kir_operands (loop, &loop->instrs[value])[0]);
	else if (i == loop->blocks[b].n - 1)
	  n = pg_kir_need (planner->feeds, planner->stack, n, value);
      }
  pg_kir_need_operands (loop, planner->feeds, planner->stack, n);
}

/* Does BLOCK write, or may there have been a write before it?  */
static bool
leaves_written (const struct planner *planner, pg_kir_block_number block)
{
  const struct pg_kir_kernel *loop = planner->in->loop;
  bool is_written = planner->is_written[block];
  for (uint32_t i = 0; i < loop->blocks[block].n && !is_written; i++)
    {
      const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[block].code[i]];
      is_written = is_logged (planner->in, instr) && pg_kir_is_store (instr);
    }
  return is_written;
}

/* Find where there may have been a write before.  */
static void
find_written (struct planner *planner)
{
  const struct pg_kir_kernel *loop = planner->in->loop;
  bool changes = true;
  while (changes)
    {
      changes = false;
      for (uint32_t o = 0; o < planner->flow.n_order; o++)
	{
	  pg_kir_block_number b = planner->flow.order[o];
	  const struct pg_kir_instr *end = pg_kir_end_of (loop, b);
	  bool is_written = leaves_written (planner, b);
	  for (unsigned t = 0; t < end->n_targets && is_written; t++)
	    {
	      uint32_t *at_target = &planner->is_written[pg_kir_targets (loop, end)[t]];
	      changes |= !*at_target;
	      *at_target = true;
	    }
	}
    }
}

/* Mark what is kept.  */
static void
keep (struct planner *planner)
{
  struct pg_instrumenter *in = planner->in;
  const struct pg_kir_kernel *loop = in->loop;
  uint32_t n = 0;
  for (pg_kir_block_number b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	pg_kir_value value = loop->blocks[b].code[i];
	const struct pg_kir_instr *instr = &loop->instrs[value];
	if (!(in->logging->what & PG_KIR_ADDRESSES_ONLY))
	  in->to_do[value] = PG_NOTE_KEEP;
	else if (i == loop->blocks[b].n - 1)
	  n = pg_kir_need (in->to_do, planner->stack, n, value);
	else if (is_access (instr) && to_note (in, instr) != 0)
	  n = pg_kir_need (in->to_do, planner->stack, n, pg_kir_operands (loop, instr)[0]);
      }
  pg_kir_need_operands (loop, in->to_do, planner->stack, n);
}

/* Was the access BEFORE, or none, at the same address as VALUE, surely made before VALUE, of as many bytes?  */
static bool
covers (struct planner *planner, pg_kir_value before, pg_kir_value value)
{
  const struct pg_kir_kernel *loop = planner->in->loop;
  const struct pg_kir_instr *instr = &loop->instrs[value], *earlier = &loop->instrs[before];
  const uint8_t *array_of = planner->in->logging->array_of;
  if (before == 0 || array_of[earlier->number] != array_of[instr->number]
      || pg_note_len (loop, earlier) < pg_note_len (loop, instr))
    return false;
  uint32_t block = planner->block_of[value], earlier_block = planner->block_of[before];
  if (block == earlier_block)
    return planner->place_of[before] < planner->place_of[value];
  return pg_kir_dominates (&planner->flow, earlier_block, block);
}

/* Is a write of its own iteration, too, a conflict for VALUE, a read that is tested?  IS_WRITTEN: there may have been
   one before.  */
static bool
is_own_conflict (const struct planner *planner, pg_kir_value value, bool is_written)
{
  unsigned what = planner->in->logging->what;
  return planner->feeds[value] && what & PG_KIR_TEST_READS && (is_written || !(what & PG_KIR_NOT_RUN_YET));
}

/* Find what is to be done about VALUE, an access.  IS_WRITTEN: there may have been a write before.  */
static void
plan_access (struct planner *planner, pg_kir_value value, bool is_written)
{
  struct pg_instrumenter *in = planner->in;
  const struct pg_kir_instr *instr = &in->loop->instrs[value];
  pg_kir_value address = pg_kir_operands (in->loop, instr)[0];
  uint32_t note = to_note (in, instr);
  if (note == PG_NOTE_READ && is_own_conflict (planner, value, is_written))
    note |= PG_NOTE_OWN;
  bool is_looked_at = in->logging->array_of[instr->number] != PG_KIR_NOT_LOGGED
		      && (note != 0 || in->to_do[value] & PG_NOTE_KEEP)
		      && !covers (planner, planner->before[LOOKED_AT][address], value);
  if (covers (planner, planner->before[WRITTEN][address], value)
      || (note == PG_NOTE_READ && covers (planner, planner->before[READ][address], value)))
    note = 0;
  in->to_do[value] |= note | (is_looked_at ? PG_NOTE_LOOK : 0);
  if (is_looked_at)
    planner->before[LOOKED_AT][address] = value;
  if (note != 0)
    planner->before[note == PG_NOTE_WRITE ? WRITTEN : READ][address] = value;
}

static void
plan_accesses (struct planner *planner)
{
  const struct pg_kir_kernel *loop = planner->in->loop;
  for (uint32_t o = 0; o < planner->flow.n_order; o++)
    {
      pg_kir_block_number b = planner->flow.order[o];
      bool is_written = planner->is_written[b];
      for (uint32_t i = 0; i < loop->blocks[b].n; i++)
	{
	  pg_kir_value value = loop->blocks[b].code[i];
	  const struct pg_kir_instr *instr = &loop->instrs[value];
	  planner->block_of[value] = b;
	  planner->place_of[value] = i;
	  if (is_access (instr))
	    plan_access (planner, value, is_written);
	  is_written |= is_logged (planner->in, instr) && pg_kir_is_store (instr);
	}
    }
}

/* Do all that is kept and noted go without carried values, which an iteration of a grid does not know?  */
static bool
needs_no_carry (const struct pg_instrumenter *in)
{
  for (pg_kir_value value = 1; value < in->loop->n_instrs; value++)
    if (in->to_do[value] & PG_NOTE_KEEP && in->loop->instrs[value].op == PG_KIR_OP_CARRY)
      return false;
  return true;
}

bool
pg_note_plan (struct pg_instrumenter *in, struct pg_kir_error *error)
{
  size_t n = in->loop->n_instrs;
  struct planner planner = { .in = in };
  in->memory_len = N_TABLES * n * sizeof *in->memory;
  uint32_t *memory = in->memory = in->loop->resize (NULL, 0, in->memory_len);
  if (memory == NULL || !pg_kir_flow_begin (&planner.flow, in->loop))
    {
      pg_note_forget_plan (in);
      return pg_kir_fail (error, "no memory");
    }
  memset (memory, 0, in->memory_len);
  in->to_do = memory;
  planner.block_of = memory + n;
  planner.place_of = memory + 2 * n;
  planner.stack = memory + 3 * n;
  planner.feeds = memory + 4 * n;
  planner.is_written = memory + 5 * n; /* there are no more blocks than values */
  for (int k = 0; k < N_REMEMBERED; k++)
    planner.before[k] = memory + (6 + (size_t) k) * n;
  pg_kir_find_dominators (&planner.flow);
  find_feeds (&planner);
  find_written (&planner);
  keep (&planner);
  plan_accesses (&planner);
  pg_kir_flow_end (&planner.flow);
  if (!(in->logging->what & PG_KIR_ADDRESSES_ONLY) || needs_no_carry (in))
    return true;
  pg_note_forget_plan (in);
  return pg_kir_fail (error, "addresses depend on carried values");
}

void
pg_note_forget_plan (struct pg_instrumenter *in)
{
  if (in->memory != NULL)
    in->loop->resize (in->memory, in->memory_len, 0);
  in->memory = NULL;
}
