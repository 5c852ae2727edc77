/* SPDX-License-Identifier: MIT
   KIR fuzzer: what was reached.  */
#include "fuzz-kir.h"

#include <stdio.h>

enum
{
  ALL_REACHED = 1000 /* so many kernels reach everything */
};

static const char *const shapes[FK_N_SHAPES] = {
#define FK_NAME(id, name) name,
  FK_SHAPES (FK_NAME)
#undef FK_NAME
};

static void
add (uint64_t *count, uint64_t n)
{
  __atomic_fetch_add (count, n, __ATOMIC_RELAXED);
}

void
fk_count (struct fk_tally *tally, const struct fk_case *made, const struct fk_report *report)
{
  const struct pg_kir_kernel *kernel = &made->kernel;
  add (&tally->n_kernels, 1);
  add (&tally->n_accepted, report->n_accepted);
  add (&tally->n_grids, report->n_grids);
  add (&tally->n_teams, report->n_teams);
  add (&tally->n_clean, report->n_clean);
  add (&tally->n_refused, report->n_refused);
  add (&tally->n_trapped, report->outcome == PG_KIR_DIVIDED_BY_ZERO);
  for (int s = 0; s < FK_N_SHAPES; s++)
    add (&tally->shapes[s], made->shapes >> s & 1);
  for (uint32_t v = 1; v < kernel->n_instrs; v++)
    {
      add (&tally->ops[kernel->instrs[v].op], 1);
      add (&tally->types[kernel->instrs[v].type], 1);
    }
}

/* Is OP one of kernels in loop form?  */
static bool
is_of_loops (int op)
{
  const struct pg_kir_op_facts *facts = &pg_kir_ops[op];
  return facts->number != PG_KIR_NUMBER_GRID && facts->number != PG_KIR_NUMBER_PLACE && facts->shape != PG_KIR_ATOMIC
	 && facts->shape != PG_KIR_SWAP && facts->shape != PG_KIR_BARRIER;
}

/* Print the N COUNTS of what NAME names; how many are not 0.  */
static int
print_counts (const char *what, const uint64_t *counts, int n, const char *(*name) (int) )
{
  int n_reached = 0;
  printf ("%s:", what);
  for (int i = 0; i < n; i++)
    {
      if (counts[i] > 0)
	printf (" %s %llu", name (i), (unsigned long long) counts[i]);
      n_reached += counts[i] > 0;
    }
  printf ("\n");
  return n_reached;
}

static const char *
op_name (int op)
{
  return pg_kir_ops[op].name;
}

static const char *
type_name (int type)
{
  return pg_kir_types[type].name;
}

static const char *
shape_name (int shape)
{
  return shapes[shape];
}

bool
fk_print (const struct fk_tally *tally)
{
  int n_ops = print_counts ("operations", tally->ops, PG_KIR_N_OPS, op_name);
  int n_loop_ops = 0;
  for (int op = 0; op < PG_KIR_N_OPS; op++)
    n_loop_ops += is_of_loops (op);
  int n_types = print_counts ("types", tally->types, PG_KIR_N_TYPES, type_name);
  int n_shapes = print_counts ("shapes", tally->shapes, FK_N_SHAPES, shape_name);
  printf ("%llu kernels, %llu differences; mutants: %llu refused, %llu accepted; %llu traps, %llu compared as C,"
	  " %llu as grids, %llu by teams, %llu said to be clean, %llu as grids on emu;"
	  " reached: %d of %d operations, %d of %d types, %d of %d shapes\n",
	  (unsigned long long) tally->n_kernels, (unsigned long long) tally->n_differences,
	  (unsigned long long) tally->n_refused, (unsigned long long) tally->n_accepted,
	  (unsigned long long) tally->n_trapped, (unsigned long long) tally->n_compared,
	  (unsigned long long) tally->n_grids, (unsigned long long) tally->n_teams, (unsigned long long) tally->n_clean,
	  (unsigned long long) tally->n_on_emu, n_ops, n_loop_ops, n_types, PG_KIR_N_TYPES, n_shapes, FK_N_SHAPES);
  return tally->n_kernels < ALL_REACHED
	 || (n_ops == n_loop_ops && n_types == PG_KIR_N_TYPES && n_shapes == FK_N_SHAPES && tally->n_refused > 0
	     && tally->n_accepted > 0 && tally->n_trapped > 0 && tally->n_grids > 0 && tally->n_teams > 0
	     && tally->n_clean > 0 && (tally->n_on_emu > 0 || !fk_emu_is_there ()));
}
