/* SPDX-License-Identifier: MIT
   KIR as CUDA C.  See print.h.

   Each value is a variable, each block a label; the compilers that follow see through both.

       b1:						b1:
	 v17 = phi i64 [b0 v9] [b1 v32]
	 v32 = add i64 v17 v4				  v32 = (pg_i64) (v17 + v4);	  // spmv.c:10
	 v33 = slt i8 v32 v13				  v33 = (pg_s64) v32 < (pg_s64) v13;
	 branch void v33 b1 b2				  if (v33) { n17 = v32; v17 = n17; goto b1; } else goto b2;

   Phis get their values where a block is left for theirs, by way of second variables, because one may be the value of
   another.  Integers are unsigned, so that nothing overflows; those of less than 32 bits are computed in 32, because
   C's promotion to int would.  */
#include "print.h"

#include "../runtime/kir/text.h"

#include <inttypes.h>
#include <string.h>

enum
{
  ARGS_ALIGN = 16 /* of pg_blob */
};

struct printer
{
  const struct pg_kir_kernel *kernel;
  struct pg_kir_text text;
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
  return operators[op];
}

/* Print VALUE as the integer with a sign, if IS_SIGNED.  */
static void
put_operand (struct printer *printer, pg_kir_value value, bool is_signed)
{
  if (is_signed)
    pg_kir_put (&printer->text, "(pg_s%u) ", bits_of (type_of (printer, value)));
  pg_kir_put (&printer->text, "v%" PRIu32, value);
}

static void
put_constant (struct printer *printer, enum pg_kir_type type, uint64_t bits)
{
  if (type == PG_KIR_F32)
    pg_kir_put (&printer->text, "PG_F32_OF (0x%" PRIx64 "u)", bits);
  else if (type == PG_KIR_F64)
    pg_kir_put (&printer->text, "PG_F64_OF (0x%" PRIx64 "ull)", bits);
  else if (type == PG_KIR_PTR)
    pg_kir_put (&printer->text, "(pg_ptr) 0x%" PRIx64 "ull", bits);
  else
    pg_kir_put (&printer->text, "%" PRIu64 "%s", bits, type == PG_KIR_I64 ? "ull" : "u");
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
      pg_kir_put (&printer->text, "pg_%s_%u (v%" PRIu32 ", v%" PRIu32 ")", pg_kir_ops[instr->op].name, n_bits,
		  operands[0], operands[1]);
      return;
    }
  pg_kir_put (&printer->text, "(pg_i%u) (", n_bits);
  put_operand (printer, operands[0], true);
  pg_kir_put (&printer->text, " %s ", operator_of (instr->op));
  put_operand (printer, operands[1], true);
  pg_kir_put (&printer->text, ")");
}

static void
put_int2 (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  struct pg_kir_text *text = &printer->text;
  unsigned n_bits = bits_of (instr->type);
  bool is_signed = instr->op == PG_KIR_OP_SMIN || instr->op == PG_KIR_OP_SMAX;
  const char *wide = n_bits > 32 ? "pg_i64" : "pg_i32";
  switch (instr->op)
    {
    case PG_KIR_OP_SDIV:
    case PG_KIR_OP_SREM:
      put_signed_division (printer, instr, operands);
      break;
    case PG_KIR_OP_SHL:
      pg_kir_put (text, "(pg_i%u) ((%s) v%" PRIu32 " << (v%" PRIu32 " & %u))", n_bits, wide, operands[0], operands[1],
		  n_bits - 1);
      break;
    case PG_KIR_OP_LSHR:
    case PG_KIR_OP_ASHR:
      pg_kir_put (text, "(pg_i%u) (", n_bits);
      put_operand (printer, operands[0], instr->op == PG_KIR_OP_ASHR);
      pg_kir_put (text, " >> (v%" PRIu32 " & %u))", operands[1], n_bits - 1);
      break;
    case PG_KIR_OP_SMIN:
    case PG_KIR_OP_SMAX:
    case PG_KIR_OP_UMIN:
    case PG_KIR_OP_UMAX:
      put_operand (printer, operands[0], is_signed);
      pg_kir_put (text, " %s ", operator_of (instr->op));
      put_operand (printer, operands[1], is_signed);
      pg_kir_put (text, " ? v%" PRIu32 " : v%" PRIu32, operands[0], operands[1]);
      break;
    default:
      pg_kir_put (text, "(pg_i%u) ((%s) v%" PRIu32 " %s (%s) v%" PRIu32 ")", n_bits, wide, operands[0],
		  operator_of (instr->op), wide, operands[1]);
    }
}

static void
put_compare (struct printer *printer, const struct pg_kir_instr *instr, const pg_kir_value *operands)
{
  struct pg_kir_text *text = &printer->text;
  bool is_signed = instr->op == PG_KIR_OP_SLT || instr->op == PG_KIR_OP_SLE;
  if (instr->op == PG_KIR_OP_FUNO)
    {
      pg_kir_put (text, "v%" PRIu32 " != v%" PRIu32 " || v%" PRIu32 " != v%" PRIu32, operands[0], operands[0],
		  operands[1], operands[1]);
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

/* Print the value of TYPE whose bytes are where PLACE, with NUMBER behind it, points: at any address.  */
static void
put_bytes_at (struct printer *printer, enum pg_kir_type type, const char *place, int64_t number)
{
  pg_kir_put (&printer->text, "%s((pg_i%u) pg_get_bytes (%s%" PRId64 ", %u))", from_bits (type), bits_of (type), place,
	      number, pg_kir_types[type].len);
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
  pg_kir_put (&printer->text, "atomic%s ((pg_%c%s *) v%" PRIu32, names[instr->op], is_signed ? 's' : type[0], type + 1,
	      operands[0]);
  for (unsigned i = 1; i < instr->n_operands; i++)
    {
      pg_kir_put (&printer->text, ", ");
      put_operand (printer, operands[i], is_signed);
    }
  pg_kir_put (&printer->text, ")");
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
      if (instr->op == PG_KIR_OP_CONST)
	put_constant (printer, instr->type, (uint64_t) instr->number);
      else if (instr->op == PG_KIR_OP_CARRY)
	pg_kir_put (text, "*carry%" PRId64, instr->number);
      else if (instr->number % pg_kir_types[instr->type].len != 0)
	put_bytes_at (printer, instr->type, "args + ", instr->number);
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
      pg_kir_put (text, "PG_%s_F%u (v%" PRIu32 ")", operator_of (instr->op), bits_of (instr->type), operands[0]);
      break;
    case PG_KIR_FLOAT2:
      pg_kir_put (text, "v%" PRIu32 " %s v%" PRIu32, operands[0], operator_of (instr->op), operands[1]);
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
      pg_kir_put (text, "pg_%s_%u (v%" PRIu32 ")", pg_kir_ops[instr->op].name, bits_of (instr->type), operands[0]);
      break;
    case PG_KIR_BITS:
      pg_kir_put (text, "%s(%s(v%" PRIu32 "))", from_bits (instr->type), to_bits (type_of (printer, operands[0])),
		  operands[0]);
      break;
    case PG_KIR_SELECT:
      pg_kir_put (text, "v%" PRIu32 " ? v%" PRIu32 " : v%" PRIu32, operands[0], operands[1], operands[2]);
      break;
    case PG_KIR_ADDRESS:
      pg_kir_put (text, "v%" PRIu32 " + (pg_s64) v%" PRIu32, operands[0], operands[1]);
      break;
    case PG_KIR_LOAD:
      if (instr->op == PG_KIR_OP_LOAD_BYTES)
	put_bytes_at (printer, instr->type, "v", operands[0]);
      else
	pg_kir_put (text, "*(const pg_%s *) v%" PRIu32, pg_kir_types[instr->type].name, operands[0]);
      break;
    default:
      break;
    }
}

/* Print the way from BLOCK to TARGET, whose phis get their values.  */
static void
put_way (struct printer *printer, pg_kir_block_number block, pg_kir_block_number target)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  struct pg_kir_text *text = &printer->text;
  const struct pg_kir_block *code = &kernel->blocks[target];
  uint32_t n_phis = 0;
  pg_kir_put (text, "{ ");
  for (; n_phis < code->n && kernel->instrs[code->code[n_phis]].op == PG_KIR_OP_PHI; n_phis++)
    {
      const struct pg_kir_instr *phi = &kernel->instrs[code->code[n_phis]];
      unsigned i = 0;
      while (pg_kir_targets (kernel, phi)[i] != block)
	i++;
      pg_kir_put (text, "n%" PRIu32 " = v%" PRIu32 "; ", code->code[n_phis], pg_kir_operands (kernel, phi)[i]);
    }
  for (uint32_t i = 0; i < n_phis; i++)
    pg_kir_put (text, "v%" PRIu32 " = n%" PRIu32 "; ", code->code[i], code->code[i]);
  pg_kir_put (text, "goto b%" PRIu32 "; }", target);
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
	pg_kir_put (text, "if (v%" PRIu32 " == v%" PRIu32 ") ", operands[0], operands[i]);
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
      pg_kir_put (text, "if (v%" PRIu32 ") ", operands[0]);
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

static void
put_store (struct printer *printer, const struct pg_kir_instr *instr)
{
  const pg_kir_value *operands = pg_kir_operands (printer->kernel, instr);
  enum pg_kir_type type = type_of (printer, operands[1]);
  if (instr->op == PG_KIR_OP_STORE_BYTES)
    pg_kir_put (&printer->text, "  pg_put_bytes (v%" PRIu32 ", %s(v%" PRIu32 "), %u);", operands[0], to_bits (type),
		operands[1], pg_kir_types[type].len);
  else
    pg_kir_put (&printer->text, "  *(pg_%s *) v%" PRIu32 " = v%" PRIu32 ";", pg_kir_types[type].name, operands[0],
		operands[1]);
}

static void
put_instr (struct printer *printer, pg_kir_block_number block, pg_kir_value value)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  if (instr->op == PG_KIR_OP_PHI)
    return;
  if (pg_kir_ops[instr->op].shape >= PG_KIR_JUMP)
    put_end (printer, block, instr);
  else if (instr->op == PG_KIR_OP_NEXT)
    pg_kir_put (&printer->text, "  *carry%" PRId64 " = v%" PRIu32 ";", instr->number, operands[0]);
  else if (instr->op == PG_KIR_OP_BARRIER)
    pg_kir_put (&printer->text, "  __syncthreads ();");
  else if (pg_kir_ops[instr->op].shape == PG_KIR_STORE)
    put_store (printer, instr);
  else
    {
      pg_kir_put (&printer->text, "  v%" PRIu32 " = ", value);
      put_value (printer, instr);
      pg_kir_put (&printer->text, ";");
    }
  if (instr->line != 0)
    pg_kir_put (&printer->text, " // line %" PRIu32, instr->line);
  pg_kir_put (&printer->text, "\n");
}

static void
put_variables (struct printer *printer)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	pg_kir_value value = kernel->blocks[b].code[i];
	enum pg_kir_type type = type_of (printer, value);
	if (type == PG_KIR_VOID)
	  continue;
	pg_kir_put (&printer->text, "  pg_%s v%" PRIu32, pg_kir_types[type].name, value);
	if (kernel->instrs[value].op == PG_KIR_OP_PHI)
	  pg_kir_put (&printer->text, ", n%" PRIu32, value);
	pg_kir_put (&printer->text, ";\n");
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

size_t
pg_cuda_print (const struct pg_kir_kernel *kernel, const char *name, char *text, size_t len)
{
  struct printer printer = { .kernel = kernel, .text = { .start = text, .len = len } };
  pg_kir_put (&printer.text, "/* ");
  for (const char *c = kernel->name; *c != '\0'; c++) /* that no name ends the comment */
    pg_kir_put (&printer.text, "%c", *c == '*' || *c == '\\' || *c == '?' ? '_' : *c);
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
  return printer.text.at;
}
