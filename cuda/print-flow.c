/* SPDX-License-Identifier: MIT
   Printing kernels: how blocks are left.  Phis get their values there, by way of second variables, n17 beside v17,
   where one is the value of a later one.  */
#include "printer.h"

#include <inttypes.h>

/* How many phis BLOCK begins with.  */
static uint32_t
count_phis (const struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  const struct pg_kir_block *code = &kernel->blocks[block];
  uint32_t n = 0;
  while (n < code->n && kernel->instrs[code->code[n]].op == PG_KIR_OP_PHI)
    n++;
  return n;
}

/* The value that PHI has after BLOCK.  Phis of a block may name those before it in any order.  */
static pg_kir_value
after (const struct pg_kir_kernel *kernel, pg_kir_value phi, pg_kir_block_number block)
{
  const struct pg_kir_instr *instr = &kernel->instrs[phi];
  unsigned way = 0;
  while (pg_kir_targets (kernel, instr)[way] != block)
    way++;
  return pg_kir_operands (kernel, instr)[way];
}

/* Whether the way from BLOCK to TARGET gives one phi's value to a later one.  */
static bool
hands_on (const struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number target)
{
  const pg_kir_value *phis = kernel->blocks[target].code;
  uint32_t n = count_phis (kernel, target);
  for (uint32_t later = 1; later < n; later++)
    {
      pg_kir_value value = after (kernel, phis[later], block);
      for (uint32_t i = 0; i < later; i++)
	if (value == phis[i])
	  return true;
    }
  return false;
}

bool
pg_print_has_second (const struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  uint32_t n_phis = count_phis (kernel, block);
  const struct pg_kir_instr *phi = n_phis == 0 ? NULL : &kernel->instrs[kernel->blocks[block].code[0]];
  bool has_second = false;
  for (unsigned way = 0; phi != NULL && way < phi->n_targets; way++)
    has_second |= hands_on (kernel, pg_kir_targets (kernel, phi)[way], block);
  return has_second;
}

/* Print "VARIABLEphi = value; " for the phis of TARGET, after BLOCK.  */
static void
put_moves (struct pg_printer *printer, pg_kir_block_number block, pg_kir_block_number target, char variable)
{
  const pg_kir_value *phis = printer->kernel->blocks[target].code;
  uint32_t n = count_phis (printer->kernel, target);
  for (uint32_t i = 0; i < n; i++)
    {
      pg_kir_put (&printer->text, "%c%" PRIu32 " = ", variable, phis[i]);
      pg_print_value (printer, after (printer->kernel, phis[i], block));
      pg_kir_put (&printer->text, "; ");
    }
}

/* Print the way from BLOCK to TARGET, whose phis get their values.  */
static void
put_way (struct pg_printer *printer, pg_kir_block_number block, pg_kir_block_number target)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  const pg_kir_value *phis = kernel->blocks[target].code;
  uint32_t n_phis = count_phis (kernel, target);
  if (n_phis == 0)
    {
      pg_kir_put (&printer->text, "goto b%" PRIu32 ";", target);
      return;
    }
  pg_kir_put (&printer->text, "{ ");
  if (hands_on (kernel, block, target))
    {
      put_moves (printer, block, target, 'n');
      for (uint32_t i = 0; i < n_phis; i++)
	pg_kir_put (&printer->text, "v%" PRIu32 " = n%" PRIu32 "; ", phis[i], phis[i]);
    }
  else
    put_moves (printer, block, target, 'v');
  pg_kir_put (&printer->text, "goto b%" PRIu32 "; }", target);
}

/* Is TARGET one of N TARGETS?  */
static bool
is_among (pg_kir_block_number target, const pg_kir_block_number *targets, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (targets[i] == target)
      return true;
  return false;
}

/* Print END, a switch that ends BLOCK: tests in their order, then the way for all other values.  A way to where several
   lead is printed once, so that the text is no longer than the kernel times a constant.  */
static void
put_switch (struct pg_printer *printer, pg_kir_block_number block, const struct pg_kir_instr *end)
{
  struct pg_kir_text *text = &printer->text;
  const pg_kir_value *operands = pg_kir_operands (printer->kernel, end);
  const pg_kir_block_number *targets = pg_kir_targets (printer->kernel, end);
  unsigned n = end->n_targets;
  for (unsigned i = 1; i <= n; i++)
    {
      pg_kir_block_number target = targets[i < n ? i : 0];
      bool comes_again = i < n && (target == targets[0] || is_among (target, targets + i + 1, n - i - 1));
      if (i > 1)
	pg_kir_put (text, "\n  ");
      if (i < n)
	{
	  pg_kir_put (text, "if (");
	  pg_print_value (printer, operands[0]);
	  pg_kir_put (text, " == ");
	  pg_print_value (printer, operands[i]);
	  pg_kir_put (text, ") ");
	}
      if (is_among (target, targets + 1, i - 1))
	{
	  pg_kir_put (text, "goto w%" PRIu32 "_%" PRIu32 ";", block, target);
	  continue;
	}
      if (comes_again)
	pg_kir_put (text, "w%" PRIu32 "_%" PRIu32 ": ", block, target);
      put_way (printer, block, target);
    }
}

void
pg_print_end (struct pg_printer *printer, pg_kir_block_number block, const struct pg_kir_instr *end)
{
  struct pg_kir_text *text = &printer->text;
  const pg_kir_value *operands = pg_kir_operands (printer->kernel, end);
  const pg_kir_block_number *targets = pg_kir_targets (printer->kernel, end);
  pg_kir_put (text, "  ");
  switch (end->op)
    {
    case PG_KIR_OP_RETURN:
      pg_kir_put (text, "return;");
      break;
    case PG_KIR_OP_BRANCH:
      pg_kir_put (text, "if (");
      pg_print_value (printer, operands[0]);
      pg_kir_put (text, ") ");
      put_way (printer, block, targets[0]);
      pg_kir_put (text, " else ");
      put_way (printer, block, targets[1]);
      break;
    case PG_KIR_OP_SWITCH:
      put_switch (printer, block, end);
      break;
    default:
      put_way (printer, block, targets[0]);
    }
}
