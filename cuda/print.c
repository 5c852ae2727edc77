/* SPDX-License-Identifier: MIT
   KIR as CUDA C.  See print.h.

   Each value but a constant is a variable, each block a label; the compilers that follow see through both.

       b1:						b1:
	 v17 = phi i64 [b0 v9] [b1 v32]
	 v32 = add i64 v17 v4 line 10			  v32 = v17 + v4; // spmv.c:10
	 v33 = slt i8 v32 v13				  v33 = (pg_s64) v32 < (pg_s64) v13;
	 branch void v33 b1 b2				  if (v33) { v17 = v32; goto b1; } else goto b2;

   Phis get their values where a block is left for theirs; by way of second variables, where one is the value of a later
   one.  Integers are unsigned, so that nothing overflows; those of less than 32 bits are computed in 32, because
   C's promotion to int would.

   Pointers that are only accessed are computed as C's: compilers then know what memory they are in.  But C has no
   pointers outside of objects, and clang takes it that p <= p + n says of n that it has no sign; therefore those whose
   bits are seen, by a comparison or as an integer, are computed as integers.

   Of the numbers of elements, nvcc takes it that they do not wrap around, even where they are computed as unsigned
   integers: then a[i + 1] is at a constant distance from a[i], and loops that were unrolled compute one address.  It
   does so where C's pointers are to elements, which is said where KIR knows that nothing wraps.  */
#include "print.h"

#include "../runtime/kir/text.h"

#include <inttypes.h>
#include <string.h>

enum
{
  ARGS_ALIGN = 16, /* of pg_blob */
  LINE_LEN = 100,  /* of declarations */
  MOST_NEGATIVE = 4096,
  MOST_DEPTH = 8 /* of what computes the number of an element */
};

struct printer
{
  const struct pg_kir_kernel *kernel;
  struct pg_kir_text text;
  uint32_t *is_seen; /* of pointers; NULL: all are */
  const char *file;  /* in the kernel's name, without folders */
  int file_len;
};

static unsigned
bits_of (enum pg_kir_type type)
{
  return pg_kir_types[type].len * 8;
}

static enum pg_kir_type
type_of (const struct printer *printer, pg_kir_value value)
{
  return (enum pg_kir_type) printer->kernel->instrs[value].type;
}

/* The operator of OP, where C has one, or the name of what stands for it.  */
static const char *
operator_of (enum pg_kir_op op)
{
  static const char *const operators[PG_KIR_N_OPS] = {
    [PG_KIR_OP_ADD] = "+",      [PG_KIR_OP_SUB] = "-",        [PG_KIR_OP_MUL] = "*",      [PG_KIR_OP_UDIV] = "/",
    [PG_KIR_OP_UREM] = "%",     [PG_KIR_OP_SDIV] = "/",       [PG_KIR_OP_SREM] = "%",     [PG_KIR_OP_AND] = "&",
    [PG_KIR_OP_OR] = "|",       [PG_KIR_OP_XOR] = "^",        [PG_KIR_OP_FADD] = "+",     [PG_KIR_OP_FSUB] = "-",
    [PG_KIR_OP_FMUL] = "*",     [PG_KIR_OP_FDIV] = "/",       [PG_KIR_OP_EQ] = "==",      [PG_KIR_OP_NE] = "!=",
    [PG_KIR_OP_SLT] = "<",      [PG_KIR_OP_SLE] = "<=",       [PG_KIR_OP_ULT] = "<",      [PG_KIR_OP_ULE] = "<=",
    [PG_KIR_OP_FEQ] = "==",     [PG_KIR_OP_FNE] = "!=",       [PG_KIR_OP_FLT] = "<",      [PG_KIR_OP_FLE] = "<=",
    [PG_KIR_OP_SMIN] = "<",     [PG_KIR_OP_SMAX] = ">",       [PG_KIR_OP_UMIN] = "<",     [PG_KIR_OP_UMAX] = ">",
    [PG_KIR_OP_FNEG] = "NEG",   [PG_KIR_OP_FABS] = "ABS",     [PG_KIR_OP_FSQRT] = "SQRT", [PG_KIR_OP_FFLOOR] = "FLOOR",
    [PG_KIR_OP_FCEIL] = "CEIL", [PG_KIR_OP_FTRUNC] = "TRUNC", [PG_KIR_OP_FRINT] = "RINT", [PG_KIR_OP_FROUND] = "ROUND",
  };
  return operators[pg_kir_wrapping (op)];
}

/* A float's constant is its bits, and for a person a number.  */
static void
put_float (struct printer *printer, enum pg_kir_type type, uint64_t bits)
{
  float narrow;
  double wide;
  uint32_t low = (uint32_t) bits;
  memcpy (&narrow, &low, sizeof narrow);
  memcpy (&wide, &bits, sizeof wide);
  if (type == PG_KIR_F32)
    pg_kir_put (&printer->text, "PG_F32_OF (0x%" PRIx32 "u) /* %.7g */", low, (double) narrow);
  else
    pg_kir_put (&printer->text, "PG_F64_OF (0x%" PRIx64 "ull) /* %.15g */", bits, wide);
}

/* An integer's constant has the sign that C gives the type, or IS_SIGNED.  */
static void
put_integer (struct printer *printer, enum pg_kir_type type, uint64_t bits, bool is_signed)
{
  const char *suffix = type == PG_KIR_I64 ? "ll" : "";
  int64_t number = pg_kir_signed (type, bits);
  if (is_signed && number > INT32_MIN && number <= INT32_MAX)
    pg_kir_put (&printer->text, "%" PRId64 "%s", number, suffix);
  else if (is_signed)
    pg_kir_put (&printer->text, "(pg_s%u) 0x%" PRIx64 "u%s", bits_of (type), bits, suffix);
  else if (number < 0 && number >= -MOST_NEGATIVE && bits_of (type) >= 32)
    pg_kir_put (&printer->text, "-%" PRId64 "u%s", -number, suffix);
  else
    pg_kir_put (&printer->text, "%" PRIu64 "u%s", bits, suffix);
}

/* Print VALUE; an integer with a sign, if IS_SIGNED.  */
static void
put_operand (struct printer *printer, pg_kir_value value, bool is_signed)
{
  const struct pg_kir_instr *instr = &printer->kernel->instrs[value];
  enum pg_kir_type type = type_of (printer, value);
  uint64_t bits = (uint64_t) instr->number;
  if (instr->op != PG_KIR_OP_CONST)
    {
      if (is_signed)
	pg_kir_put (&printer->text, "(pg_s%u) ", bits_of (type));
      pg_kir_put (&printer->text, "v%" PRIu32, value);
    }
  else if (type == PG_KIR_PTR)
    pg_kir_put (&printer->text, "(pg_%s) 0x%" PRIx64 "ull", is_signed ? "s64" : "ptr", bits);
  else if (pg_kir_types[type].kind == PG_KIR_KIND_FLOAT)
    put_float (printer, type, bits);
  else
    put_integer (printer, type, bits, is_signed);
}

static void
put (struct printer *printer, pg_kir_value value)
{
  put_operand (printer, value, false);
}

/* Print by how many bits of N_BITS the shift by VALUE goes.  */
static void
put_shift (struct printer *printer, pg_kir_value value, unsigned n_bits)
{
  const struct pg_kir_instr *instr = &printer->kernel->instrs[value];
  if (instr->op == PG_KIR_OP_CONST)
    pg_kir_put (&printer->text, "%u", (unsigned) instr->number & (n_bits - 1));
  else
    pg_kir_put (&printer->text, "(v%" PRIu32 " & %u)", value, n_bits - 1);
}

/* Print "pg_NAME_BITS (OPERANDS)", N of them.  */
static void
put_call (struct printer *printer, const char *name, unsigned n_bits, const pg_kir_value *operands, unsigned n)
{
  pg_kir_put (&printer->text, "pg_%s_%u (", name, n_bits);
  for (unsigned i = 0; i < n; i++)
    {
      pg_kir_put (&printer->text, i == 0 ? "" : ", ");
      put (printer, operands[i]);
    }
  pg_kir_put (&printer->text, ")");
}

/* C has no division by zero, nor one whose result does not fit; most divisors are constants, and neither 0 nor -1.  */
static void
put_signed_division (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  const struct pg_kir_instr *divisor = &printer->kernel->instrs[operands[1]];
  unsigned n_bits = bits_of (instr->type);
  int64_t by = divisor->op == PG_KIR_OP_CONST ? pg_kir_signed (instr->type, (uint64_t) divisor->number) : 0;
  if (by == 0 || by == -1)
    {
      put_call (printer, pg_kir_ops[instr->op].name, n_bits, operands, 2);
      return;
    }
  pg_kir_put (&printer->text, "(pg_i%u) (", n_bits);
  put_operand (printer, operands[0], true);
  pg_kir_put (&printer->text, " %s ", operator_of (instr->op));
  put_operand (printer, operands[1], true);
  pg_kir_put (&printer->text, ")");
}

/* C computes what is narrower than 32 bits in an int, which may overflow.  */
static void
put_arithmetic (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  unsigned n_bits = bits_of (instr->type);
  const char *cast = n_bits < 32 ? "(pg_i32) " : "";
  if (n_bits < 32)
    pg_kir_put (&printer->text, "(pg_i%u) (", n_bits);
  pg_kir_put (&printer->text, "%s", cast);
  put (printer, operands[0]);
  if (instr->op == PG_KIR_OP_SHL)
    {
      pg_kir_put (&printer->text, " << ");
      put_shift (printer, operands[1], n_bits);
    }
  else
    {
      pg_kir_put (&printer->text, " %s %s", operator_of (instr->op), cast);
      put (printer, operands[1]);
    }
  pg_kir_put (&printer->text, n_bits < 32 ? ")" : "");
}

static void
put_int2 (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  struct pg_kir_text *text = &printer->text;
  unsigned n_bits = bits_of (instr->type);
  bool is_signed = instr->op == PG_KIR_OP_SMIN || instr->op == PG_KIR_OP_SMAX;
  switch (instr->op)
    {
    case PG_KIR_OP_SDIV:
    case PG_KIR_OP_SREM:
      put_signed_division (printer, instr, operands);
      break;
    case PG_KIR_OP_LSHR:
    case PG_KIR_OP_ASHR:
      pg_kir_put (text, "(pg_i%u) (", n_bits);
      put_operand (printer, operands[0], instr->op == PG_KIR_OP_ASHR);
      pg_kir_put (text, " >> ");
      put_shift (printer, operands[1], n_bits);
      pg_kir_put (text, ")");
      break;
    case PG_KIR_OP_SMIN:
    case PG_KIR_OP_SMAX:
    case PG_KIR_OP_UMIN:
    case PG_KIR_OP_UMAX:
      put_operand (printer, operands[0], is_signed);
      pg_kir_put (text, " %s ", operator_of (instr->op));
      put_operand (printer, operands[1], is_signed);
      pg_kir_put (text, " ? ");
      put (printer, operands[0]);
      pg_kir_put (text, " : ");
      put (printer, operands[1]);
      break;
    default:
      put_arithmetic (printer, instr, operands);
    }
}

static void
put_compare (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  struct pg_kir_text *text = &printer->text;
  bool is_signed = instr->op == PG_KIR_OP_SLT || instr->op == PG_KIR_OP_SLE;
  if (instr->op == PG_KIR_OP_FUNO)
    {
      for (unsigned i = 0; i < 4; i++)
	{
	  pg_kir_put (text, "%s", i == 0 ? "" : i == 2 ? " || " : " != ");
	  put (printer, operands[i / 2]);
	}
      return;
    }
  put_operand (printer, operands[0], is_signed);
  pg_kir_put (text, " %s ", operator_of (instr->op));
  put_operand (printer, operands[1], is_signed);
}

/* What makes a value of TYPE of an integer with its bits, and the other way round.  */
static const char *
from_bits (enum pg_kir_type type)
{
  static const char *const names[PG_KIR_N_TYPES]
    = { [PG_KIR_F32] = "PG_F32_OF ", [PG_KIR_F64] = "PG_F64_OF ", [PG_KIR_PTR] = "(pg_ptr) " };
  return names[type] == NULL ? "" : names[type];
}

static const char *
to_bits (enum pg_kir_type type)
{
  static const char *const names[PG_KIR_N_TYPES]
    = { [PG_KIR_F32] = "PG_BITS_OF_F32 ", [PG_KIR_F64] = "PG_BITS_OF_F64 ", [PG_KIR_PTR] = "(pg_i64) " };
  return names[type] == NULL ? "" : names[type];
}

/* Print the bytes of a value of TYPE, at any address: ADDRESS, or if it is 0, that of number AT in the arguments.  */
static void
put_bytes_at (struct printer *printer, enum pg_kir_type type, pg_kir_value address, int64_t at)
{
  pg_kir_put (&printer->text, "%s((pg_i%u) pg_get_bytes (", from_bits (type), bits_of (type));
  if (address == 0)
    pg_kir_put (&printer->text, "args + %" PRId64, at);
  else
    put (printer, address);
  pg_kir_put (&printer->text, ", %u))", pg_kir_types[type].len);
}

/* The letter of dimension NUMBER of the grid.  */
static char
letter_of (int64_t number)
{
  return "xyz"[number];
}

/* Print where INSTR's thread is.  */
static void
put_index (struct printer *printer, const struct pg_kir_instr *instr)
{
  static const char *const names[PG_KIR_N_OPS] = {
    [PG_KIR_OP_THREAD] = "threadIdx",
    [PG_KIR_OP_THREADS] = "blockDim",
    [PG_KIR_OP_BLOCK] = "blockIdx",
    [PG_KIR_OP_BLOCKS] = "gridDim",
  };
  if (instr->op == PG_KIR_OP_ITER)
    pg_kir_put (&printer->text, "iter%" PRId64, instr->number);
  else
    pg_kir_put (&printer->text, "%s.%c", names[instr->op], letter_of (instr->number));
}

static void
put_atomic (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  static const char *const names[PG_KIR_N_OPS] = {
    [PG_KIR_OP_ATOMIC_ADD] = "Add",  [PG_KIR_OP_ATOMIC_AND] = "And",  [PG_KIR_OP_ATOMIC_OR] = "Or",
    [PG_KIR_OP_ATOMIC_XOR] = "Xor",  [PG_KIR_OP_ATOMIC_SMIN] = "Min", [PG_KIR_OP_ATOMIC_SMAX] = "Max",
    [PG_KIR_OP_ATOMIC_UMIN] = "Min", [PG_KIR_OP_ATOMIC_UMAX] = "Max", [PG_KIR_OP_ATOMIC_SET] = "Exch",
    [PG_KIR_OP_ATOMIC_SWAP] = "CAS",
  };
  bool is_signed = instr->op == PG_KIR_OP_ATOMIC_SMIN || instr->op == PG_KIR_OP_ATOMIC_SMAX;
  const char *type = pg_kir_types[instr->type].name;
  pg_kir_put (&printer->text, "atomic%s ((pg_%c%s *) ", names[instr->op], is_signed ? 's' : type[0], type + 1);
  put (printer, operands[0]);
  for (unsigned i = 1; i < instr->n_operands; i++)
    {
      pg_kir_put (&printer->text, ", ");
      put_operand (printer, operands[i], is_signed);
    }
  pg_kir_put (&printer->text, ")");
}

/* ---- pointers that are seen */

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

/* Find out which values are seen, and what these were computed of.  */
static void
find_seen (struct printer *printer)
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

/* If OFFSET, in bytes, is that of an element of an array, whose number does not wrap around: the number, and *LEN is an
   element's.  0: it is not.  */
static pg_kir_value
element_of (const struct pg_kir_kernel *kernel, pg_kir_value offset, unsigned *len)
{
  const struct pg_kir_instr *product = &kernel->instrs[offset];
  if (product->op != PG_KIR_OP_MUL)
    return 0;
  const pg_kir_value *factors = pg_kir_operands (kernel, product);
  const struct pg_kir_instr *by = &kernel->instrs[factors[1]];
  bool is_len = by->op == PG_KIR_OP_CONST && (by->number == 2 || by->number == 4 || by->number == 8);
  if (!is_len || kernel->instrs[factors[0]].op != PG_KIR_OP_SEXT
      || sum_may_wrap (kernel, factors[0], false, MOST_DEPTH))
    return 0;
  *len = (unsigned) by->number;
  return factors[0];
}

/* Print the address that VALUE computes of OPERANDS.  */
static void
put_address (struct printer *printer, pg_kir_value value, const pg_kir_value *operands)
{
  bool is_seen = printer->is_seen == NULL || printer->is_seen[value];
  unsigned len = 0;
  pg_kir_value element = is_seen ? 0 : element_of (printer->kernel, operands[1], &len);
  if (element != 0)
    {
      pg_kir_put (&printer->text, "(pg_ptr) ((pg_i%u *) ", len * 8);
      put (printer, operands[0]);
      pg_kir_put (&printer->text, " + ");
      put_operand (printer, element, true);
      pg_kir_put (&printer->text, ")");
      return;
    }
  pg_kir_put (&printer->text, is_seen ? "(pg_ptr) ((pg_i64) " : "");
  put (printer, operands[0]);
  pg_kir_put (&printer->text, " + ");
  put_operand (printer, operands[1], !is_seen);
  pg_kir_put (&printer->text, is_seen ? ")" : "");
}

/* Print what INSTR, which has a value, computes.  */
static void
put_value (struct printer *printer, const struct pg_kir_instr *instr)
{
  struct pg_kir_text *text = &printer->text;
  const pg_kir_value *operands = pg_kir_operands (printer->kernel, instr);
  switch (pg_kir_ops[instr->op].shape)
    {
    case PG_KIR_VALUE:
      if (instr->op == PG_KIR_OP_CARRY)
	pg_kir_put (text, "*carry%" PRId64, instr->number);
      else if (instr->number % pg_kir_types[instr->type].len != 0)
	put_bytes_at (printer, instr->type, 0, instr->number);
      else
	pg_kir_put (text, "*(const pg_%s *) (args + %" PRId64 ")", pg_kir_types[instr->type].name, instr->number);
      break;
    case PG_KIR_INDEX:
      put_index (printer, instr);
      break;
    case PG_KIR_SHARED:
      pg_kir_put (text, "shared + %" PRId64, instr->number);
      break;
    case PG_KIR_ATOMIC:
    case PG_KIR_SWAP:
      put_atomic (printer, instr, operands);
      break;
    case PG_KIR_INT2:
      put_int2 (printer, instr, operands);
      break;
    case PG_KIR_FLOAT1:
      pg_kir_put (text, "PG_%s_F%u (", operator_of (instr->op), bits_of (instr->type));
      put (printer, operands[0]);
      pg_kir_put (text, ")");
      break;
    case PG_KIR_FLOAT2:
      put (printer, operands[0]);
      pg_kir_put (text, " %s ", operator_of (instr->op));
      put (printer, operands[1]);
      break;
    case PG_KIR_CMP_INT:
    case PG_KIR_CMP_FLOAT:
      put_compare (printer, instr, operands);
      break;
    case PG_KIR_WIDEN:
    case PG_KIR_INT_FLOAT:
    case PG_KIR_NARROW:
    case PG_KIR_FLOAT_FLOAT:
      pg_kir_put (text, "(pg_%s) ", pg_kir_types[instr->type].name);
      put_operand (printer, operands[0], instr->op == PG_KIR_OP_SEXT || instr->op == PG_KIR_OP_STOF);
      break;
    case PG_KIR_FLOAT_INT:
      put_call (printer, pg_kir_ops[instr->op].name, bits_of (instr->type), operands, 1);
      break;
    case PG_KIR_BITS:
      pg_kir_put (text, "%s(%s(", from_bits (instr->type), to_bits (type_of (printer, operands[0])));
      put (printer, operands[0]);
      pg_kir_put (text, "))");
      break;
    case PG_KIR_SELECT:
      for (unsigned i = 0; i < 3; i++)
	{
	  pg_kir_put (text, "%s", i == 0 ? "" : i == 1 ? " ? " : " : ");
	  put (printer, operands[i]);
	}
      break;
    case PG_KIR_ADDRESS:
      put_address (printer, (pg_kir_value) (instr - printer->kernel->instrs), operands);
      break;
    case PG_KIR_LOAD:
      if (instr->op == PG_KIR_OP_LOAD_BYTES)
	{
	  put_bytes_at (printer, instr->type, operands[0], 0);
	  break;
	}
      pg_kir_put (text, "*(const pg_%s *) ", pg_kir_types[instr->type].name);
      put (printer, operands[0]);
      break;
    default:
      break;
    }
}

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

/* Print "VARIABLEphi = value; " for the phis of TARGET, after BLOCK.  */
static void
put_moves (struct printer *printer, pg_kir_block_number block, pg_kir_block_number target, char variable)
{
  const pg_kir_value *phis = printer->kernel->blocks[target].code;
  uint32_t n = count_phis (printer->kernel, target);
  for (uint32_t i = 0; i < n; i++)
    {
      pg_kir_put (&printer->text, "%c%" PRIu32 " = ", variable, phis[i]);
      put (printer, after (printer->kernel, phis[i], block));
      pg_kir_put (&printer->text, "; ");
    }
}

/* Print the way from BLOCK to TARGET, whose phis get their values.  */
static void
put_way (struct printer *printer, pg_kir_block_number block, pg_kir_block_number target)
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
put_switch (struct printer *printer, pg_kir_block_number block, const struct pg_kir_instr *end)
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
	  put (printer, operands[0]);
	  pg_kir_put (text, " == ");
	  put (printer, operands[i]);
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

/* Print END, the last instruction of BLOCK.  */
static void
put_end (struct printer *printer, pg_kir_block_number block, const struct pg_kir_instr *end)
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
      put (printer, operands[0]);
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

/* Print store INSTR.  */
static void
put_store (struct printer *printer, const struct pg_kir_instr *instr)
{
  struct pg_kir_text *text = &printer->text;
  const pg_kir_value *operands = pg_kir_operands (printer->kernel, instr);
  enum pg_kir_type type = type_of (printer, operands[1]);
  bool is_in_bytes = instr->op == PG_KIR_OP_STORE_BYTES;
  if (is_in_bytes)
    pg_kir_put (text, "  pg_put_bytes (");
  else
    pg_kir_put (text, "  *(pg_%s *) ", pg_kir_types[type].name);
  put (printer, operands[0]);
  pg_kir_put (text, is_in_bytes ? ", %s(" : " = ", to_bits (type));
  put (printer, operands[1]);
  pg_kir_put (text, is_in_bytes ? "), %u);" : ";", pg_kir_types[type].len);
}

/* Print what INSTR, which has no value and ends no block, does.  */
static void
put_effect (struct printer *printer, const struct pg_kir_instr *instr)
{
  if (instr->op == PG_KIR_OP_BARRIER)
    pg_kir_put (&printer->text, "  __syncthreads ();");
  else if (instr->op == PG_KIR_OP_NEXT)
    {
      pg_kir_put (&printer->text, "  *carry%" PRId64 " = ", instr->number);
      put (printer, pg_kir_operands (printer->kernel, instr)[0]);
      pg_kir_put (&printer->text, ";");
    }
  else
    put_store (printer, instr);
}

/* Print SOURCE, LEN bytes of a name, so that no name ends a comment, of one line or of more.  */
static void
put_comment (struct printer *printer, const char *source, int len)
{
  for (int i = 0; i < len; i++)
    {
      bool is_odd = source[i] == '*' || source[i] == '\\' || source[i] == '?' || (unsigned char) source[i] < ' ';
      pg_kir_put (&printer->text, "%c", is_odd ? '_' : source[i]);
    }
}

static void
put_instr (struct printer *printer, pg_kir_block_number block, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &printer->kernel->instrs[value];
  if (instr->op == PG_KIR_OP_PHI || instr->op == PG_KIR_OP_CONST)
    return;
  if (pg_kir_ops[instr->op].shape >= PG_KIR_JUMP)
    put_end (printer, block, instr);
  else if (instr->type == PG_KIR_VOID)
    put_effect (printer, instr);
  else
    {
      pg_kir_put (&printer->text, "  v%" PRIu32 " = ", value);
      put_value (printer, instr);
      pg_kir_put (&printer->text, ";");
    }
  if (instr->line != 0)
    {
      pg_kir_put (&printer->text, " // ");
      put_comment (printer, printer->file, printer->file_len);
      pg_kir_put (&printer->text, ":%" PRIu32, instr->line);
    }
  pg_kir_put (&printer->text, "\n");
}

/* Declare VARIABLE, of TYPE, on the line that begins at LINE_START, or another.  */
static void
put_variable (struct printer *printer, enum pg_kir_type type, char variable, pg_kir_value value, size_t *line_start)
{
  struct pg_kir_text *text = &printer->text;
  bool is_first = *line_start == SIZE_MAX;
  if (is_first || text->at - *line_start > LINE_LEN)
    {
      pg_kir_put (text, "%s", is_first ? "" : ";\n");
      *line_start = text->at;
      pg_kir_put (text, "  pg_%s %c%" PRIu32, pg_kir_types[type].name, variable, value);
    }
  else
    pg_kir_put (text, ", %c%" PRIu32, variable, value);
}

/* Declare the variables of TYPE of BLOCK.  */
static void
put_variables_of (struct printer *printer, pg_kir_block_number block, enum pg_kir_type type, size_t *line_start)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  bool has_second = false;
  uint32_t n_phis = count_phis (kernel, block);
  const struct pg_kir_instr *phi = n_phis == 0 ? NULL : &kernel->instrs[kernel->blocks[block].code[0]];
  for (unsigned way = 0; phi != NULL && way < phi->n_targets; way++)
    has_second |= hands_on (kernel, pg_kir_targets (kernel, phi)[way], block);
  for (uint32_t i = 0; i < kernel->blocks[block].n; i++)
    {
      pg_kir_value value = kernel->blocks[block].code[i];
      if (type_of (printer, value) != type || kernel->instrs[value].op == PG_KIR_OP_CONST)
	continue;
      put_variable (printer, type, 'v', value, line_start);
      if (i < n_phis && has_second)
	put_variable (printer, type, 'n', value, line_start);
    }
}

static void
put_variables (struct printer *printer)
{
  for (int type = 0; type < PG_KIR_N_TYPES; type++)
    {
      size_t line_start = SIZE_MAX;
      for (uint32_t b = 0; b < printer->kernel->n_blocks && type != PG_KIR_VOID; b++)
	put_variables_of (printer, b, (enum pg_kir_type) type, &line_start);
      pg_kir_put (&printer->text, "%s", line_start == SIZE_MAX ? "" : ";\n");
    }
}

/* Print the head of the function NAME that KERNEL, in loop form, becomes.  */
static void
put_function (struct printer *printer, const char *name)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  pg_kir_put (&printer->text, "PG_DEVICE void\n%s (const char *args", name);
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    pg_kir_put (&printer->text, ", pg_%s *carry%" PRIu32, pg_kir_types[kernel->carries[c].type].name, c);
  for (uint32_t d = 0; d < kernel->n_dims; d++)
    pg_kir_put (&printer->text, ", pg_i64 iter%" PRIu32, d);
  pg_kir_put (&printer->text, ")\n{\n");
}

uint32_t
pg_cuda_args_room (uint32_t args_len)
{
  uint32_t len = args_len > 0 ? args_len : 1;
  return (len + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
}

uint32_t
pg_cuda_args_len (const struct pg_kir_kernel *kernel)
{
  return pg_cuda_args_room (kernel->args_len);
}

/* The same in SPMD form.  */
static void
put_kernel (struct printer *printer, const char *name)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  pg_kir_put (&printer->text, "PG_KERNEL (%s, %" PRIu32 ", %" PRIu32 ")\n{\n  const char *args = blob.bytes;\n", name,
	      pg_cuda_args_len (kernel), kernel->n_threads);
  if (kernel->shared_len > 0)
    pg_kir_put (&printer->text, "  PG_SHARED (shared, %" PRIu32 ");\n", kernel->shared_len);
}

/* Find the file that lines are of, or else "line".  */
static void
find_file (struct printer *printer)
{
  const char *name = printer->kernel->name, *colon = strchr (name, ':');
  printer->file = colon == NULL ? "line" : colon;
  while (colon != NULL && printer->file > name && printer->file[-1] != '/')
    printer->file--;
  printer->file_len = colon == NULL ? (int) strlen (printer->file) : (int) (colon - printer->file);
}

size_t
pg_cuda_print (const struct pg_kir_kernel *kernel, const char *name, char *text, size_t len)
{
  struct printer printer = { .kernel = kernel, .text = { .start = text, .len = len } };
  size_t seen_len = 2 * kernel->n_instrs * sizeof *printer.is_seen;
  printer.is_seen = kernel->resize (NULL, 0, seen_len);
  if (printer.is_seen != NULL)
    find_seen (&printer);
  find_file (&printer);
  pg_kir_put (&printer.text, "/* ");
  put_comment (&printer, kernel->name, (int) strlen (kernel->name));
  pg_kir_put (&printer.text, " */\n");
  if (kernel->n_threads > 0)
    put_kernel (&printer, name);
  else
    put_function (&printer, name);
  put_variables (&printer);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    {
      if (b > 0)
	pg_kir_put (&printer.text, " b%" PRIu32 ":\n", b);
      for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
	put_instr (&printer, b, kernel->blocks[b].code[i]);
    }
  pg_kir_put (&printer.text, "}\n");
  if (printer.is_seen != NULL)
    kernel->resize (printer.is_seen, seen_len, 0);
  return printer.text.at;
}
