/* SPDX-License-Identifier: MIT
   What an iteration counts, along any way through the loop's blocks: each block but the first one begins with a phi of
   the counts that the blocks before it end with.  See instrument.c.  */
#include "flow.h"
#include "instrumenter.h"

#include <string.h>

enum
{
  N_TABLES = 2 * PG_N_FOLLOWED + 2
};

/* Do WORK with each block of the loop, and each that it leads to, once.  */
static void
each_way (struct pg_instrumenter *in,
	  void (*work) (struct pg_instrumenter *in, pg_kir_block_number from, pg_kir_block_number to))
{
  const struct pg_kir_kernel *loop = in->loop;
  memset (in->seen, 0xff, loop->n_blocks * sizeof *in->seen);
  memset (in->n_before, 0, loop->n_blocks * sizeof *in->n_before);
  for (pg_kir_block_number from = 0; from < loop->n_blocks; from++)
    {
      const struct pg_kir_instr *end = pg_kir_end_of (loop, from);
      for (unsigned t = 0; t < end->n_targets; t++)
	{
	  pg_kir_block_number to = pg_kir_targets (loop, end)[t];
	  if (in->seen[to] == from)
	    continue;
	  in->seen[to] = from;
	  work (in, from, to);
	  in->n_before[to]++;
	}
    }
}

static void
count (struct pg_instrumenter *in, pg_kir_block_number from, pg_kir_block_number to)
{
  (void) in;
  (void) from;
  (void) to;
}

/* Give the phis of block TO the operands for block FROM.  */
static void
fill (struct pg_instrumenter *in, pg_kir_block_number from, pg_kir_block_number to)
{
  for (int f = 0; f < PG_N_FOLLOWED; f++)
    if (in->is_followed[f])
      pg_kir_set_phi (in->to, in->phi[f][to], in->n_before[to], in->copy.last[from], in->at_end[f][from]);
}

bool
pg_note_follow_begin (struct pg_instrumenter *in)
{
  size_t n = in->loop->n_blocks;
  in->follow_memory_len = N_TABLES * n * sizeof *in->follow_memory;
  uint32_t *memory = in->follow_memory = in->loop->resize (NULL, 0, in->follow_memory_len);
  if (memory == NULL)
    return false;
  memset (memory, 0, in->follow_memory_len);
  in->n_before = memory;
  in->seen = memory + n;
  for (int f = 0; f < PG_N_FOLLOWED; f++)
    {
      in->phi[f] = memory + (2 + 2 * (size_t) f) * n;
      in->at_end[f] = in->phi[f] + n;
    }
  each_way (in, count);
  return true;
}

void
pg_note_follow_enter (struct pg_instrumenter *in, pg_kir_block_number number)
{
  for (int f = 0; f < PG_N_FOLLOWED && number > 0; f++)
    if (in->is_followed[f])
      in->phi[f][number] = in->now[f] = pg_kir_add_phi (in->to, in->copy.block, PG_KIR_I64, NULL, in->n_before[number]);
}

void
pg_note_follow_leave (struct pg_instrumenter *in, pg_kir_block_number number)
{
  for (int f = 0; f < PG_N_FOLLOWED; f++)
    in->at_end[f][number] = in->now[f];
}

void
pg_note_follow_fill (struct pg_instrumenter *in)
{
  each_way (in, fill);
}

void
pg_note_follow_end (struct pg_instrumenter *in)
{
  if (in->follow_memory != NULL)
    in->loop->resize (in->follow_memory, in->follow_memory_len, 0);
}
