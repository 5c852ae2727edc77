/* SPDX-License-Identifier: MIT
   Kernels in memory.  See kir.h.  */
#include "kir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct pg_kir_type_facts pg_kir_types[PG_KIR_N_TYPES] = {
#define PG_KIR_TYPE(id, name, len, kind) { name, len, PG_KIR_KIND_##kind },
#include "kir-types.def"
};

const struct pg_kir_op_facts pg_kir_ops[PG_KIR_N_OPS] = {
#define PG_KIR_OP(id, name, shape, number) { name, PG_KIR_##shape, PG_KIR_NUMBER_##number },
#include "kir-ops.def"
};

const struct pg_kir_combine_facts pg_kir_combines[PG_KIR_N_COMBINES] = {
#define PG_KIR_COMBINE(id, name, kinds) { name, PG_KIR_KIND_##kinds },
#include "kir-combines.def"
};

enum pg_kir_op
pg_kir_wrapping (enum pg_kir_op op)
{
  switch (op)
    {
    case PG_KIR_OP_ADD_NW:
      return PG_KIR_OP_ADD;
    case PG_KIR_OP_SUB_NW:
      return PG_KIR_OP_SUB;
    case PG_KIR_OP_MUL_NW:
      return PG_KIR_OP_MUL;
    default:
      return op;
    }
}

enum
{
  LEAST_ROOM = 16,
  MOST_POOL = 1 << 22
};

static void *
resize_by_malloc (void *block, size_t old_len, size_t len)
{
  (void) old_len;
  if (len > 0)
    return realloc (block, len);
  free (block);
  return NULL;
}

void
pg_kir_begin (struct pg_kir_kernel *kernel, void *(*resize) (void *block, size_t old_len, size_t len))
{
  *kernel = (struct pg_kir_kernel) { .n_instrs = 1, .n_dims = 1, .resize = resize == NULL ? resize_by_malloc : resize };
}

/* Give back BLOCK of LEN bytes.  */
static void
give_back (const struct pg_kir_kernel *kernel, void *block, size_t len)
{
  if (block != NULL)
    kernel->resize (block, len, 0);
}

void
pg_kir_end (struct pg_kir_kernel *kernel)
{
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    give_back (kernel, kernel->blocks[b].code, kernel->blocks[b].room * sizeof *kernel->blocks[b].code);
  give_back (kernel, kernel->blocks, kernel->blocks_room * sizeof *kernel->blocks);
  give_back (kernel, kernel->instrs, kernel->instrs_room * sizeof *kernel->instrs);
  give_back (kernel, kernel->carries, kernel->carries_room * sizeof *kernel->carries);
  give_back (kernel, kernel->pool, kernel->pool_room * sizeof *kernel->pool);
  pg_kir_begin (kernel, kernel->resize);
}

/* Have room for N more than N_USED elements of LEN bytes in *ARRAY, where there is room for *ROOM, but for at most
   MOST. False: KERNEL is broken.  */
static bool
reserve (struct pg_kir_kernel *kernel, void **array, uint32_t n_used, uint32_t *room, uint32_t n, size_t len,
	 uint32_t most)
{
  if (!kernel->is_broken && n <= *room - n_used)
    return true;
  if (kernel->is_broken || n > most - n_used)
    {
      kernel->is_broken = true;
      return false;
    }
  uint32_t wanted = 2 * *room > LEAST_ROOM ? 2 * *room : LEAST_ROOM;
  if (wanted < n_used + n)
    wanted = n_used + n;
  void *grown = kernel->resize (*array, *room * len, wanted * len);
  if (grown == NULL)
    {
      kernel->is_broken = true;
      return false;
    }
  *array = grown;
  *room = wanted;
  return true;
}

void
pg_kir_name (struct pg_kir_kernel *kernel, const char *file, uint32_t line, const char *function)
{
  snprintf (kernel->name, sizeof kernel->name, "%s:%u %s", file, (unsigned) line, function);
  for (char *c = kernel->name; *c != '\0'; c++)
    if (*c == '"' || *c == '\n')
      *c = '_';
}

pg_kir_block_number
pg_kir_add_block (struct pg_kir_kernel *kernel)
{
  void *blocks = kernel->blocks;
  if (!reserve (kernel, &blocks, kernel->n_blocks, &kernel->blocks_room, 1, sizeof *kernel->blocks, PG_KIR_MOST_BLOCKS))
    return 0;
  kernel->blocks = blocks;
  kernel->blocks[kernel->n_blocks] = (struct pg_kir_block) { .code = NULL };
  return kernel->n_blocks++;
}

uint32_t
pg_kir_add_carry (struct pg_kir_kernel *kernel, enum pg_kir_type type, enum pg_kir_combine combine, uint32_t offset)
{
  void *carries = kernel->carries;
  if (!reserve (kernel, &carries, kernel->n_carries, &kernel->carries_room, 1, sizeof *kernel->carries,
		PG_KIR_MOST_CARRIES))
    return 0;
  kernel->carries = carries;
  kernel->carries[kernel->n_carries]
    = (struct pg_kir_carry) { .type = (uint8_t) type, .combine = (uint8_t) combine, .offset = offset };
  return kernel->n_carries++;
}

/* Have room for one more instruction in BLOCK, with N_WORDS in the pool.  There is a pool then, even if nothing is in
   it.  */
static bool
reserve_instr (struct pg_kir_kernel *kernel, struct pg_kir_block *block, uint32_t n_words)
{
  void *instrs = kernel->instrs, *pool = kernel->pool, *code = block->code;
  bool is_there
    = reserve (kernel, &instrs, kernel->instrs_room == 0 ? 0 : kernel->n_instrs, &kernel->instrs_room,
	       kernel->instrs_room == 0 ? kernel->n_instrs + 1 : 1, sizeof *kernel->instrs, PG_KIR_MOST_VALUES);
  kernel->instrs = instrs;
  is_there = is_there
	     && reserve (kernel, &pool, kernel->n_pool, &kernel->pool_room, n_words > 0 ? n_words : 1,
			 sizeof *kernel->pool, MOST_POOL);
  kernel->pool = pool;
  is_there = is_there && reserve (kernel, &code, block->n, &block->room, 1, sizeof *block->code, PG_KIR_MOST_VALUES);
  block->code = code;
  return is_there;
}

pg_kir_value
pg_kir_add (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type,
	    int64_t number, const pg_kir_value *operands, unsigned n_operands, const pg_kir_block_number *targets,
	    unsigned n_targets)
{
  if (block >= kernel->n_blocks || n_operands > PG_KIR_MOST_OPERANDS || n_targets > PG_KIR_MOST_OPERANDS)
    kernel->is_broken = true;
  if (kernel->is_broken || !reserve_instr (kernel, &kernel->blocks[block], n_operands + n_targets))
    return 0;
  kernel->instrs[kernel->n_instrs] = (struct pg_kir_instr) {
    .op = (uint8_t) op,
    .type = (uint8_t) type,
    .n_operands = (uint16_t) n_operands,
    .n_targets = (uint16_t) n_targets,
    .first = kernel->n_pool,
    .number = op == PG_KIR_OP_CONST ? (int64_t) pg_kir_cut (type, (uint64_t) number) : number,
  };
  if (n_operands > 0)
    memcpy (kernel->pool + kernel->n_pool, operands, n_operands * sizeof *operands);
  if (n_targets > 0)
    memcpy (kernel->pool + kernel->n_pool + n_operands, targets, n_targets * sizeof *targets);
  kernel->n_pool += n_operands + n_targets;
  kernel->blocks[block].code[kernel->blocks[block].n++] = kernel->n_instrs;
  return kernel->n_instrs++;
}

pg_kir_value
pg_kir_add_simple (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type,
		   int64_t number, pg_kir_value a, pg_kir_value b)
{
  pg_kir_value operands[] = { a, b };
  return pg_kir_add (kernel, block, op, type, number, operands, (a != 0) + (b != 0), NULL, 0);
}

bool
pg_kir_fail (struct pg_kir_error *error, const char *text)
{
  *error = (struct pg_kir_error) { .at = 0 };
  snprintf (error->text, sizeof error->text, "%s", text);
  return false;
}
