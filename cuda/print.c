/* SPDX-License-Identifier: MIT
   KIR as CUDA C.  See print.h.

   Each value but a constant is a variable, each block a label; the compilers that follow see through both.

       b1:						b1:
	 v17 = phi i64 [b0 v9] [b1 v32]
	 v32 = add i64 v17 v4 line 10			  v32 = v17 + v4; // spmv.c:10
	 v33 = slt i8 v32 v13				  v33 = (pg_s64) v32 < (pg_s64) v13;
	 branch void v33 b1 b2				  if (v33) { v17 = v32; goto b1; } else goto b2;

   Here is what stands around instructions: the function, its variables, labels, and the lines that they are of.  */
#include "print.h"
#include "printer.h"

#include <inttypes.h>
#include <string.h>

enum
{
  ARGS_ALIGN = 16, /* of pg_blob */
  LINE_LEN = 100   /* of declarations */
};

/* Print SOURCE, LEN bytes of a name, so that no name ends a comment, of one line or of more.  */
static void
put_comment (struct pg_printer *printer, const char *source, int len)
{
  for (int i = 0; i < len; i++)
    {
      bool is_odd = source[i] == '*' || source[i] == '\\' || source[i] == '?' || (unsigned char) source[i] < ' ';
      pg_kir_put (&printer->text, "%c", is_odd ? '_' : source[i]);
    }
}

static void
put_instr (struct pg_printer *printer, pg_kir_block_number block, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &printer->kernel->instrs[value];
  if (instr->op == PG_KIR_OP_PHI || instr->op == PG_KIR_OP_CONST)
    return;
  if (pg_kir_ops[instr->op].shape >= PG_KIR_JUMP)
    pg_print_end (printer, block, instr);
  else if (instr->type == PG_KIR_VOID)
    pg_print_effect (printer, instr);
  else
    {
      pg_kir_put (&printer->text, "  v%" PRIu32 " = ", value);
      pg_print_operation (printer, instr);
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
put_variable (struct pg_printer *printer, enum pg_kir_type type, char variable, pg_kir_value value, size_t *line_start)
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
put_variables_of (struct pg_printer *printer, pg_kir_block_number block, enum pg_kir_type type, size_t *line_start)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  bool has_second = pg_print_has_second (kernel, block);
  for (uint32_t i = 0; i < kernel->blocks[block].n; i++)
    {
      pg_kir_value value = kernel->blocks[block].code[i];
      if (pg_print_type_of (printer, value) != type || kernel->instrs[value].op == PG_KIR_OP_CONST)
	continue;
      put_variable (printer, type, 'v', value, line_start);
      if (kernel->instrs[value].op == PG_KIR_OP_PHI && has_second)
	put_variable (printer, type, 'n', value, line_start);
    }
}

static void
put_variables (struct pg_printer *printer)
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
put_function (struct pg_printer *printer, const char *name)
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
put_kernel (struct pg_printer *printer, const char *name)
{
  const struct pg_kir_kernel *kernel = printer->kernel;
  pg_kir_put (&printer->text, "PG_KERNEL (%s, %" PRIu32 ", %" PRIu32 ")\n{\n  const char *args = blob.bytes;\n", name,
	      pg_cuda_args_len (kernel), kernel->n_threads);
  if (kernel->shared_len > 0)
    pg_kir_put (&printer->text, "  PG_SHARED (shared, %" PRIu32 ");\n", kernel->shared_len);
}

/* Find the file that lines are of, or else "line".  */
static void
find_file (struct pg_printer *printer)
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
  struct pg_printer printer = { .kernel = kernel, .text = { .start = text, .len = len } };
  size_t seen_len = 2 * kernel->n_instrs * sizeof *printer.is_seen;
  printer.is_seen = kernel->resize (NULL, 0, seen_len);
  if (printer.is_seen != NULL)
    pg_print_find_seen (&printer);
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
