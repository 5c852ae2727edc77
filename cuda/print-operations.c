/* SPDX-License-Identifier: MIT
   Printing kernels: what an instruction computes, or does to memory.

   Integers are unsigned, so that nothing overflows; those of less than 32 bits are computed in 32, because C's
   promotion to int would.  But arithmetic that does not wrap around is that of numbers with a sign: compilers take it
   that these do not overflow, and so can count a loop's turns, unroll it, and sum up addresses in 64 bits.  */
#include "printer.h"

#include <inttypes.h>

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
    [PG_KIR_OP_FMA] = "FMA",
  };
  return operators[pg_kir_wrapping (op)];
}

/* Print by how many bits of N_BITS the shift by VALUE goes.  */
static void
put_shift (struct pg_printer *printer, pg_kir_value value, unsigned n_bits)
{
  const struct pg_kir_instr *instr = &printer->kernel->instrs[value];
  if (instr->op == PG_KIR_OP_CONST)
    pg_kir_put (&printer->text, "%u", (unsigned) instr->number & (n_bits - 1));
  else
    pg_kir_put (&printer->text, "(v%" PRIu32 " & %u)", value, n_bits - 1);
}

/* Print "pg_NAME_BITS (OPERANDS)", N of them.  */
static void
put_call (struct pg_printer *printer, const char *name, unsigned n_bits, const pg_kir_value *operands, unsigned n)
{
  pg_kir_put (&printer->text, "pg_%s_%u (", name, n_bits);
  for (unsigned i = 0; i < n; i++)
    {
      pg_kir_put (&printer->text, i == 0 ? "" : ", ");
      pg_print_value (printer, operands[i]);
    }
  pg_kir_put (&printer->text, ")");
}

/* Print INSTR, of OPERANDS, as C's arithmetic of numbers with a sign.  */
static void
put_with_signs (struct pg_printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  pg_kir_put (&printer->text, "(pg_i%u) (", pg_print_bits_of (instr->type));
  pg_print_operand (printer, operands[0], true);
  pg_kir_put (&printer->text, " %s ", operator_of (instr->op));
  pg_print_operand (printer, operands[1], true);
  pg_kir_put (&printer->text, ")");
}

/* C has no division by zero, nor one whose result does not fit; most divisors are constants, and neither 0 nor -1.  */
static void
put_signed_division (struct pg_printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  const struct pg_kir_instr *divisor = &printer->kernel->instrs[operands[1]];
  unsigned n_bits = pg_print_bits_of (instr->type);
  int64_t by = divisor->op == PG_KIR_OP_CONST ? pg_kir_signed (instr->type, (uint64_t) divisor->number) : 0;
  if (by == 0 || by == -1)
    {
      put_call (printer, pg_kir_ops[instr->op].name, n_bits, operands, 2);
      return;
    }
  put_with_signs (printer, instr, operands);
}

/* C computes what is narrower than 32 bits in an int, which may overflow.  */
static void
put_arithmetic (struct pg_printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  unsigned n_bits = pg_print_bits_of (instr->type);
  const char *cast = n_bits < 32 ? "(pg_i32) " : "";
  if (n_bits < 32)
    pg_kir_put (&printer->text, "(pg_i%u) (", n_bits);
  pg_kir_put (&printer->text, "%s", cast);
  pg_print_value (printer, operands[0]);
  if (instr->op == PG_KIR_OP_SHL)
    {
      pg_kir_put (&printer->text, " << ");
      put_shift (printer, operands[1], n_bits);
    }
  else
    {
      pg_kir_put (&printer->text, " %s %s", operator_of (instr->op), cast);
      pg_print_value (printer, operands[1]);
    }
  pg_kir_put (&printer->text, n_bits < 32 ? ")" : "");
}

static void
put_int2 (struct pg_printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  struct pg_kir_text *text = &printer->text;
  unsigned n_bits = pg_print_bits_of (instr->type);
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
      pg_print_operand (printer, operands[0], instr->op == PG_KIR_OP_ASHR);
      pg_kir_put (text, " >> ");
      put_shift (printer, operands[1], n_bits);
      pg_kir_put (text, ")");
      break;
    case PG_KIR_OP_SMIN:
    case PG_KIR_OP_SMAX:
    case PG_KIR_OP_UMIN:
    case PG_KIR_OP_UMAX:
      pg_print_operand (printer, operands[0], is_signed);
      pg_kir_put (text, " %s ", operator_of (instr->op));
      pg_print_operand (printer, operands[1], is_signed);
      pg_kir_put (text, " ? ");
      pg_print_value (printer, operands[0]);
      pg_kir_put (text, " : ");
      pg_print_value (printer, operands[1]);
      break;
    case PG_KIR_OP_ADD_NW:
    case PG_KIR_OP_SUB_NW:
    case PG_KIR_OP_MUL_NW:
      put_with_signs (printer, instr, operands);
      break;
    default:
      put_arithmetic (printer, instr, operands);
    }
}

static void
put_compare (struct pg_printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  struct pg_kir_text *text = &printer->text;
  bool is_signed = instr->op == PG_KIR_OP_SLT || instr->op == PG_KIR_OP_SLE;
  if (instr->op == PG_KIR_OP_FUNO)
    {
      for (unsigned i = 0; i < 4; i++)
	{
	  pg_kir_put (text, "%s", i == 0 ? "" : i == 2 ? " || " : " != ");
	  pg_print_value (printer, operands[i / 2]);
	}
      return;
    }
  pg_print_operand (printer, operands[0], is_signed);
  pg_kir_put (text, " %s ", operator_of (instr->op));
  pg_print_operand (printer, operands[1], is_signed);
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
put_bytes_at (struct pg_printer *printer, enum pg_kir_type type, pg_kir_value address, int64_t at)
{
  pg_kir_put (&printer->text, "%s((pg_i%u) pg_get_bytes (", from_bits (type), pg_print_bits_of (type));
  if (address == 0)
    pg_kir_put (&printer->text, "args + %" PRId64, at);
  else
    pg_print_value (printer, address);
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
put_index (struct pg_printer *printer, const struct pg_kir_instr *instr)
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
put_atomic (struct pg_printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
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
  pg_print_value (printer, operands[0]);
  for (unsigned i = 1; i < instr->n_operands; i++)
    {
      pg_kir_put (&printer->text, ", ");
      pg_print_operand (printer, operands[i], is_signed);
    }
  pg_kir_put (&printer->text, ")");
}

void
pg_print_operation (struct pg_printer *printer, const struct pg_kir_instr *instr)
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
    case PG_KIR_FLOAT3:
      pg_kir_put (text, "PG_%s_F%u (", operator_of (instr->op), pg_print_bits_of (instr->type));
      for (unsigned i = 0; i < instr->n_operands; i++)
	{
	  pg_kir_put (text, i == 0 ? "" : ", ");
	  pg_print_value (printer, operands[i]);
	}
      pg_kir_put (text, ")");
      break;
    case PG_KIR_FLOAT2:
      pg_print_value (printer, operands[0]);
      pg_kir_put (text, " %s ", operator_of (instr->op));
      pg_print_value (printer, operands[1]);
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
      pg_print_operand (printer, operands[0], instr->op == PG_KIR_OP_SEXT || instr->op == PG_KIR_OP_STOF);
      break;
    case PG_KIR_FLOAT_INT:
      put_call (printer, pg_kir_ops[instr->op].name, pg_print_bits_of (instr->type), operands, 1);
      break;
    case PG_KIR_BITS:
      pg_kir_put (text, "%s(%s(", from_bits (instr->type), to_bits (pg_print_type_of (printer, operands[0])));
      pg_print_value (printer, operands[0]);
      pg_kir_put (text, "))");
      break;
    case PG_KIR_SELECT:
      for (unsigned i = 0; i < 3; i++)
	{
	  pg_kir_put (text, "%s", i == 0 ? "" : i == 1 ? " ? " : " : ");
	  pg_print_value (printer, operands[i]);
	}
      break;
    case PG_KIR_ADDRESS:
      pg_print_address (printer, (pg_kir_value) (instr - printer->kernel->instrs), operands);
      break;
    case PG_KIR_LOAD:
      if (instr->op == PG_KIR_OP_LOAD_BYTES)
	{
	  put_bytes_at (printer, instr->type, operands[0], 0);
	  break;
	}
      pg_kir_put (text, "*(const pg_%s *) ", pg_kir_types[instr->type].name);
      pg_print_value (printer, operands[0]);
      break;
    default:
      break;
    }
}

/* Print store INSTR.  */
static void
put_store (struct pg_printer *printer, const struct pg_kir_instr *instr)
{
  struct pg_kir_text *text = &printer->text;
  const pg_kir_value *operands = pg_kir_operands (printer->kernel, instr);
  enum pg_kir_type type = pg_print_type_of (printer, operands[1]);
  bool is_in_bytes = instr->op == PG_KIR_OP_STORE_BYTES;
  if (is_in_bytes)
    pg_kir_put (text, "  pg_put_bytes (");
  else
    pg_kir_put (text, "  *(pg_%s *) ", pg_kir_types[type].name);
  pg_print_value (printer, operands[0]);
  pg_kir_put (text, is_in_bytes ? ", %s(" : " = ", to_bits (type));
  pg_print_value (printer, operands[1]);
  pg_kir_put (text, is_in_bytes ? "), %u);" : ";", pg_kir_types[type].len);
}

void
pg_print_effect (struct pg_printer *printer, const struct pg_kir_instr *instr)
{
  if (instr->op == PG_KIR_OP_BARRIER)
    pg_kir_put (&printer->text, "  __syncthreads ();");
  else if (instr->op == PG_KIR_OP_KNOWN)
    {
      pg_kir_put (&printer->text, "  PG_KNOWN (");
      pg_print_value (printer, pg_kir_operands (printer->kernel, instr)[0]);
      pg_kir_put (&printer->text, ");");
    }
  else if (instr->op == PG_KIR_OP_NEXT)
    {
      pg_kir_put (&printer->text, "  *carry%" PRId64 " = ", instr->number);
      pg_print_value (printer, pg_kir_operands (printer->kernel, instr)[0]);
      pg_kir_put (&printer->text, ";");
    }
  else
    put_store (printer, instr);
}
