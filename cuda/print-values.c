/* SPDX-License-Identifier: MIT
   Printing kernels: values.  What was computed is a variable, a constant a number.  Where an integer's sign matters,
   the variable is cast, and the number has it.  */
#include "printer.h"

#include <inttypes.h>
#include <string.h>

enum
{
  MOST_NEGATIVE = 4096
};

/* A float's constant is its bits, and for a person a number.  */
static void
put_float (struct pg_printer *printer, enum pg_kir_type type, uint64_t bits)
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
put_integer (struct pg_printer *printer, enum pg_kir_type type, uint64_t bits, bool is_signed)
{
  const char *suffix = type == PG_KIR_I64 ? "ll" : "";
  int64_t number = pg_kir_signed (type, bits);
  if (is_signed && number > INT32_MIN && number <= INT32_MAX)
    pg_kir_put (&printer->text, "%" PRId64 "%s", number, suffix);
  else if (is_signed)
    pg_kir_put (&printer->text, "(pg_s%u) 0x%" PRIx64 "u%s", pg_print_bits_of (type), bits, suffix);
  else if (number < 0 && number >= -MOST_NEGATIVE && pg_print_bits_of (type) >= 32)
    pg_kir_put (&printer->text, "-%" PRId64 "u%s", -number, suffix);
  else
    pg_kir_put (&printer->text, "%" PRIu64 "u%s", bits, suffix);
}

void
pg_print_operand (struct pg_printer *printer, pg_kir_value value, bool is_signed)
{
  const struct pg_kir_instr *instr = &printer->kernel->instrs[value];
  enum pg_kir_type type = pg_print_type_of (printer, value);
  uint64_t bits = (uint64_t) instr->number;
  if (instr->op != PG_KIR_OP_CONST)
    {
      if (is_signed)
	pg_kir_put (&printer->text, "(pg_s%u) ", pg_print_bits_of (type));
      pg_kir_put (&printer->text, "v%" PRIu32, value);
    }
  else if (type == PG_KIR_PTR)
    pg_kir_put (&printer->text, "(pg_%s) 0x%" PRIx64 "ull", is_signed ? "s64" : "ptr", bits);
  else if (pg_kir_types[type].kind == PG_KIR_KIND_FLOAT)
    put_float (printer, type, bits);
  else
    put_integer (printer, type, bits, is_signed);
}

void
pg_print_value (struct pg_printer *printer, pg_kir_value value)
{
  pg_print_operand (printer, value, false);
}
