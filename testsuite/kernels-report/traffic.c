/* SPDX-License-Identifier: MIT
   Memory traffic of a loop, counted from its kernel.

   Two kinds of loops are in the kernel of a loop that notes what it touches: those of the program, and one around each
   access to the logs, over the granules of what is accessed, mostly one.  The latter count as run once: they have no
   loop inside and access nothing but logs.  */
#include "report.h"

#include <stdlib.h>
#include <string.h>

struct graph
{
  const struct pg_kir_kernel *loop;
  int64_t log, verdict;
  bool *is_inner, *body; /* by block */
};

static const struct pg_kir_instr *
end_of (const struct pg_kir_kernel *loop, uint32_t b)
{
  return &loop->instrs[loop->blocks[b].code[loop->blocks[b].n - 1]];
}

static bool
leads_to (const struct pg_kir_kernel *loop, uint32_t from, uint32_t to)
{
  const struct pg_kir_instr *end = end_of (loop, from);
  for (unsigned t = 0; t < end->n_targets; t++)
    if (pg_kir_targets (loop, end)[t] == to)
      return true;
  return false;
}

/* Whether TO is reached from FROM, not by way of AVOIDED; marks in SEEN all that is.  */
static bool
reaches (const struct pg_kir_kernel *loop, uint32_t from, uint32_t to, uint32_t avoided, bool *seen)
{
  const struct pg_kir_instr *end = end_of (loop, from);
  bool is_there = from == to;
  seen[from] = true;
  for (unsigned t = 0; t < end->n_targets; t++)
    {
      uint32_t next = pg_kir_targets (loop, end)[t];
      if (next != avoided && !seen[next])
	is_there |= reaches (loop, next, to, avoided, seen);
    }
  return is_there;
}

static bool
dominates (const struct graph *graph, uint32_t head, uint32_t block, bool *seen)
{
  if (head == 0)
    return true;
  memset (seen, 0, graph->loop->n_blocks);
  return !reaches (graph->loop, 0, block, head, seen);
}

/* Find the body of the loop with head HEAD and the jump back from TAIL.  */
static void
find_body (const struct graph *graph, uint32_t head, uint32_t tail, bool *seen)
{
  for (uint32_t b = 0; b < graph->loop->n_blocks; b++)
    {
      memset (seen, 0, graph->loop->n_blocks);
      graph->body[b] = dominates (graph, head, b, seen);
      memset (seen, 0, graph->loop->n_blocks);
      graph->body[b] &= b == head || reaches (graph->loop, b, tail, head, seen);
    }
}

/* How many bytes INSTR reads and writes.  */
static unsigned
bytes_of (const struct graph *graph, const struct pg_kir_instr *instr)
{
  const struct pg_kir_kernel *loop = graph->loop;
  const struct pg_kir_instr *there;
  switch (pg_kir_ops[instr->op].shape)
    {
    case PG_KIR_LOAD:
      return pg_kir_types[instr->type].len;
    case PG_KIR_STORE:
      return pg_kir_types[loop->instrs[pg_kir_operands (loop, instr)[1]].type].len;
    case PG_KIR_ATOMIC:
    case PG_KIR_SWAP:
      there = &loop->instrs[pg_kir_operands (loop, instr)[0]];
      return there->op == PG_KIR_OP_ARG && there->number == graph->verdict ? 0 : 2 * pg_kir_types[instr->type].len;
    default:
      return 0;
    }
}

/* Whether the body is one over granules: it accesses logs only, and jumps back to HEAD only.  */
static bool
is_over_granules (const struct graph *graph, uint32_t head, bool *seen)
{
  const struct pg_kir_kernel *loop = graph->loop;
  unsigned n_logs = 0;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    {
      for (uint32_t i = 0; graph->body[b] && i < loop->blocks[b].n; i++)
	{
	  const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	  if (bytes_of (graph, instr) > 0 && instr->number != graph->log)
	    return false;
	  n_logs += bytes_of (graph, instr) > 0;
	}
      for (uint32_t to = 0; graph->body[b] && to < loop->n_blocks; to++)
	if (to != head && graph->body[to] && leads_to (loop, b, to) && dominates (graph, to, b, seen))
	  return false;
    }
  return n_logs > 0;
}

static void
find_inner (const struct graph *graph, bool *seen)
{
  const struct pg_kir_kernel *loop = graph->loop;
  for (uint32_t tail = 0; tail < loop->n_blocks; tail++)
    for (uint32_t head = 0; head < loop->n_blocks; head++)
      if (leads_to (loop, tail, head) && dominates (graph, head, tail, seen))
	{
	  find_body (graph, head, tail, seen);
	  bool is_own = !is_over_granules (graph, head, seen);
	  for (uint32_t b = 0; b < loop->n_blocks; b++)
	    graph->is_inner[b] |= is_own && graph->body[b];
	}
}

struct traffic
traffic_of (const struct pg_kir_kernel *loop, int64_t log, int64_t verdict)
{
  struct traffic traffic = { 0, 0 };
  bool *marks = calloc (loop->n_blocks, 3);
  struct graph graph = { loop, log, verdict, marks, marks + loop->n_blocks };
  if (marks == NULL)
    abort ();
  find_inner (&graph, marks + 2 * loop->n_blocks);
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      *(graph.is_inner[b] ? &traffic.per_inner : &traffic.per_iteration)
	+= bytes_of (&graph, &loop->instrs[loop->blocks[b].code[i]]);
  free (marks);
  return traffic;
}
