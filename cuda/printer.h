/* SPDX-License-Identifier: MIT
   What prints kernels, inside (print-*.c).  */
#ifndef PG_CUDA_PRINTER_H
#define PG_CUDA_PRINTER_H

#include "../runtime/kir/text.h"

struct pg_printer
{
  const struct pg_kir_kernel *kernel;
  struct pg_kir_text text;
  uint32_t *is_seen; /* of pointers; NULL: all are */
  const char *file;  /* in the kernel's name, without folders */
  int file_len;
};

static inline unsigned
pg_print_bits_of (enum pg_kir_type type)
{
  return pg_kir_types[type].len * 8;
}

static inline enum pg_kir_type
pg_print_type_of (const struct pg_printer *printer, pg_kir_value value)
{
  return (enum pg_kir_type) printer->kernel->instrs[value].type;
}

/* print-values.c: Print VALUE; an integer with a sign, if IS_SIGNED.  */
void pg_print_operand (struct pg_printer *printer, pg_kir_value value, bool is_signed);
void pg_print_value (struct pg_printer *printer, pg_kir_value value);

/* print-operations.c: Print what INSTR, which has a value, computes.  */
void pg_print_operation (struct pg_printer *printer, const struct pg_kir_instr *instr);

/* Print what INSTR, which has no value and ends no block, does.  */
void pg_print_effect (struct pg_printer *printer, const struct pg_kir_instr *instr);

/* print-addresses.c: Find out which values are seen, and what these were computed of.  IS_SEEN has room for two numbers
   for each instruction.  */
void pg_print_find_seen (struct pg_printer *printer);

/* Print the address that VALUE computes of OPERANDS.  */
void pg_print_address (struct pg_printer *printer, pg_kir_value value, const pg_kir_value *operands);

/* print-flow.c: Do the phis of BLOCK have second variables?  */
bool pg_print_has_second (const struct pg_kir_kernel *kernel, pg_kir_block_number block);

/* Print END, the last instruction of BLOCK.  */
void pg_print_end (struct pg_printer *printer, pg_kir_block_number block, const struct pg_kir_instr *end);

#endif
