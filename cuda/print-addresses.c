/* SPDX-License-Identifier: MIT
   Printing kernels: addresses.

   Pointers that are only accessed are computed as C's: compilers then know what memory they are in.  But C has no
   pointers outside of objects, and clang takes it that p <= p + n says of n that it has no sign; therefore those whose
   bits are seen, by a comparison or as an integer, are computed as integers.

   Of the numbers of elements, nvcc takes it that they do not wrap around, even where they are computed as unsigned
   integers: then a[i + 1] is at a constant distance from a[i], and loops that were unrolled compute one address.  It
   does so where C's pointers are to elements, which is said where KIR knows that nothing wraps.  */
#include "printer.h"

#include <inttypes.h>
#include <string.h>

enum
{
  MOST_DEPTH = 8,     /* of what computes the number of an element */
  MOST_PLUS = 1 << 30 /* elements or bytes that are added to it */
};

/* May INSTR, by its operand I, show the bits of a pointer, or keep them?  */
static bool
sees (const struct pg_kir_instr *instr, unsigned i)
{
  switch (pg_kir_ops[instr->op].shape)
    {
    case PG_KIR_ADDRESS:
    case PG_KIR_LOAD:
    case PG_KIR_STORE:
    case PG_KIR_ATOMIC:
    case PG_KIR_SWAP:
      return i > 0;
    default:
      return true;
    }
}

static uint32_t
note_seen (uint32_t *is_seen, pg_kir_value *stack, uint32_t n, pg_kir_value value)
{
  if (is_seen[value])
    return n;
  is_seen[value] = true;
  stack[n] = value;
  return n + 1;
}

void
pg_print_find_seen (struct pg_printer *printer)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  uint32_t *is_seen = printer->is_seen, n = 0;
  pg_kir_value *stack = is_seen + kernel->n_instrs;
  memset (is_seen, 0, kernel->n_instrs * sizeof *is_seen);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	for (unsigned o = 0; o < instr->n_operands; o++)
	  if (sees (instr, o))
	    n = note_seen (is_seen, stack, n, pg_kir_operands (kernel, instr)[o]);
      }
  while (n > 0)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[stack[--n]];
      if (instr->op == PG_KIR_OP_ADDRESS)
	n = note_seen (is_seen, stack, n, pg_kir_operands (kernel, instr)[0]);
    }
}

/* Does INSTR, which wraps around, add or take away a constant?  */
static bool
adds_constant (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  return (instr->op == PG_KIR_OP_ADD || instr->op == PG_KIR_OP_SUB)
	 && (kernel->instrs[operands[0]].op == PG_KIR_OP_CONST || kernel->instrs[operands[1]].op == PG_KIR_OP_CONST);
}

/* May a sum wrap around in what computes VALUE, DEPTH instructions before it at most, or in turns of a loop; or be, if
   IS_FACTOR, in a product that does?  */
static bool
sum_may_wrap (const struct pg_kir_kernel *kernel, pg_kir_value value, bool is_factor, unsigned depth)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  enum pg_kir_shape shape = pg_kir_ops[instr->op].shape;
  bool wraps = false;
  switch (instr->op)
    {
    case PG_KIR_OP_ADD:
    case PG_KIR_OP_SUB:
    case PG_KIR_OP_SHL:
    case PG_KIR_OP_OR:
    case PG_KIR_OP_XOR:
      return true;
    case PG_KIR_OP_ADD_NW:
    case PG_KIR_OP_SUB_NW:
    case PG_KIR_OP_CONST:
      wraps = is_factor;
      break;
    case PG_KIR_OP_PHI:
      for (unsigned i = 0; i < instr->n_operands; i++)
	wraps |= adds_constant (kernel, &kernel->instrs[operands[i]]);
      return wraps;
    default:
      is_factor |= instr->op == PG_KIR_OP_MUL;
    }
  if (shape != PG_KIR_INT2 && shape != PG_KIR_NARROW && shape != PG_KIR_WIDEN && shape != PG_KIR_SELECT)
    return wraps;
  for (unsigned i = 0; i < instr->n_operands && !wraps; i++)
    wraps = depth == 0 || sum_may_wrap (kernel, operands[i], is_factor, depth - 1);
  return wraps;
}

/* An element of an array: its number is NUMBER, without wrapping, and PLUS.  */
struct element
{
  pg_kir_value number;
  int64_t plus;
  unsigned len; /* bytes */
};

/* The first operand of INSTR, if it adds a constant, which is added to *PLUS; else INSTR's own VALUE.  */
static pg_kir_value
without_constant (const struct pg_kir_kernel *kernel, pg_kir_value value, int64_t *plus)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  if (pg_kir_wrapping (instr->op) != PG_KIR_OP_ADD || kernel->instrs[operands[1]].op != PG_KIR_OP_CONST)
    return value;
  int64_t number = kernel->instrs[operands[1]].number;
  if (number < -MOST_PLUS || number > MOST_PLUS)
    return value;
  *plus += number;
  return operands[0];
}

/* Is OFFSET, in bytes, that of an ELEMENT?  Its number has 32 bits or less, and a sign: neither what is added to it nor
   the product wraps around.  */
static bool
find_element (const struct pg_kir_kernel *kernel, pg_kir_value offset, struct element *element)
{
  int64_t plus_len = 0;
  const struct pg_kir_instr *product = &kernel->instrs[without_constant (kernel, offset, &plus_len)];
  if (product->op != PG_KIR_OP_MUL)
    return false;
  const pg_kir_value *factors = pg_kir_operands (kernel, product);
  const struct pg_kir_instr *by = &kernel->instrs[factors[1]];
  bool is_len = by->op == PG_KIR_OP_CONST && (by->number == 2 || by->number == 4 || by->number == 8);
  if (!is_len || plus_len % by->number != 0)
    return false;
  element->len = (unsigned) by->number;
  element->plus = plus_len / by->number;
  element->number = without_constant (kernel, factors[0], &element->plus);
  return kernel->instrs[element->number].op == PG_KIR_OP_SEXT
	 && !sum_may_wrap (kernel, element->number, false, MOST_DEPTH);
}

/* Print the address of ELEMENT of the array at START.  */
static void
put_element (struct pg_printer *printer, pg_kir_value start, const struct element *element)
{
  struct pg_kir_text *text = &printer->text;
  pg_kir_put (text, "(pg_ptr) ((pg_i%u *) ", element->len * 8);
  pg_print_value (printer, start);
  pg_kir_put (text, element->plus == 0 ? " + " : " + (");
  pg_print_operand (printer, element->number, true);
  if (element->plus != 0)
    pg_kir_put (text, " %c %" PRId64 ")", element->plus < 0 ? '-' : '+',
		element->plus < 0 ? -element->plus : element->plus);
  pg_kir_put (text, ")");
}

void
pg_print_address (struct pg_printer *printer, pg_kir_value value, const pg_kir_value *operands)
{
  bool is_seen = printer->is_seen == NULL || printer->is_seen[value];
  struct element element;
  if (!is_seen && find_element (printer->kernel, operands[1], &element))
    {
      put_element (printer, operands[0], &element);
      return;
    }
  pg_kir_put (&printer->text, is_seen ? "(pg_ptr) ((pg_i64) " : "");
  pg_print_value (printer, operands[0]);
  pg_kir_put (&printer->text, " + ");
  pg_print_operand (printer, operands[1], !is_seen);
  pg_kir_put (&printer->text, is_seen ? ")" : "");
}
