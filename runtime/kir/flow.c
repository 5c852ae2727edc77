/* SPDX-License-Identifier: MIT
   The flow of control.  See flow.h.

   Dominators: of a block and one before it, the common one is found by going up from the one further from the start, by
   numbers in reverse postorder, until both are the same (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
   That is fast for what programs do, and may take for ever for what is made to: therefore the steps are counted.  */
#include "flow.h"

#include <string.h>

enum
{
  MOST_STEPS = 1 << 27, /* from block to block: less than a second, and more than any loop in a program takes */
  N_TABLES = 5
};

/* Put all blocks that are reached in reverse postorder.  */
static void
walk (struct pg_kir_flow *flow)
{
  const struct pg_kir_kernel *kernel = flow->kernel;
  uint32_t n_stack = 0, n_left = kernel->n_blocks;
  flow->stack[n_stack++] = 0;
  flow->number[0] = 0; /* not PG_KIR_NOWHERE: seen */
  while (n_stack > 0)
    {
      uint32_t block = flow->stack[n_stack - 1];
      const struct pg_kir_instr *end = pg_kir_end_of (kernel, block);
      if (flow->next[block] == end->n_targets)
	{
	  flow->order[--n_left] = block;
	  n_stack--;
	  continue;
	}
      uint32_t target = pg_kir_targets (kernel, end)[flow->next[block]++];
      if (flow->number[target] != PG_KIR_NOWHERE)
	continue;
      flow->number[target] = 0;
      flow->stack[n_stack++] = target;
    }
  flow->n_order = kernel->n_blocks - n_left;
  memmove (flow->order, flow->order + n_left, flow->n_order * sizeof *flow->order);
  for (uint32_t i = 0; i < flow->n_order; i++)
    flow->number[flow->order[i]] = i;
}

bool
pg_kir_flow_begin (struct pg_kir_flow *flow, const struct pg_kir_kernel *kernel)
{
  size_t n = kernel->n_blocks;
  *flow = (struct pg_kir_flow) { .kernel = kernel, .n_left = MOST_STEPS };
  flow->memory_len = N_TABLES * n * sizeof (uint32_t);
  flow->memory = kernel->resize (NULL, 0, flow->memory_len);
  if (flow->memory == NULL)
    return false;
  flow->order = flow->memory;
  flow->number = flow->order + n;
  flow->dominator = flow->number + n;
  flow->stack = flow->dominator + n;
  flow->next = flow->stack + n;
  memset (flow->memory, 0xff, flow->memory_len); /* PG_KIR_NOWHERE */
  memset (flow->next, 0, n * sizeof *flow->next);
  walk (flow);
  return true;
}

void
pg_kir_flow_end (struct pg_kir_flow *flow)
{
  if (flow->memory != NULL)
    flow->kernel->resize (flow->memory, flow->memory_len, 0);
  flow->memory = NULL;
}

/* The nearest block that dominates both A and B.  */
static uint32_t
meet (struct pg_kir_flow *flow, uint32_t a, uint32_t b)
{
  while (a != b && flow->n_left-- > 0)
    if (flow->number[a] > flow->number[b])
      a = flow->dominator[a];
    else
      b = flow->dominator[b];
  return a;
}

void
pg_kir_find_dominators (struct pg_kir_flow *flow)
{
  const struct pg_kir_kernel *kernel = flow->kernel;
  bool changes = true;
  flow->dominator[0] = 0;
  while (changes && flow->n_left > 0)
    {
      changes = false;
      for (uint32_t i = 0; i < flow->n_order; i++)
	{
	  uint32_t block = flow->order[i];
	  const struct pg_kir_instr *end = pg_kir_end_of (kernel, block);
	  for (unsigned t = 0; t < end->n_targets; t++)
	    {
	      uint32_t target = pg_kir_targets (kernel, end)[t], *dominator = &flow->dominator[target];
	      uint32_t now = *dominator == PG_KIR_NOWHERE ? block : meet (flow, *dominator, block);
	      changes |= now != *dominator;
	      *dominator = now;
	    }
	}
    }
}

bool
pg_kir_dominates (struct pg_kir_flow *flow, pg_kir_block_number a, pg_kir_block_number b)
{
  while (flow->number[b] > flow->number[a] && flow->n_left-- > 0)
    b = flow->dominator[b];
  return a == b;
}
