/* SPDX-License-Identifier: MIT
   Arrays of references.  See arrays.h.  */
#include "arrays.h"

#include <string.h>

enum
{
  MOST_SHIFT = 3
};

/* What the address VALUE begins with: the place of an argument, or another value, negative.  */
static int64_t
key_of (const struct pg_kir_kernel *loop, pg_kir_value value)
{
  while (loop->instrs[value].op == PG_KIR_OP_ADDRESS)
    value = pg_kir_operands (loop, &loop->instrs[value])[0];
  return loop->instrs[value].op == PG_KIR_OP_ARG ? loop->instrs[value].number : -(int64_t) value;
}

/* The number of the array KEY, or N if it is not there.  */
static uint32_t
find (const struct pg_kir_arrays *arrays, int64_t key)
{
  uint32_t a = 0;
  while (a < arrays->n && arrays->key_of[a] != key)
    a++;
  return a;
}

/* Whether INSTR accesses memory through a reference; then *KEY is what its address begins with, and *LEN how many bytes
   there are.  */
static bool
is_access (const struct pg_kir_kernel *loop, const struct pg_kir_instr *instr, int64_t *key, unsigned *len)
{
  const pg_kir_value *operands = pg_kir_operands (loop, instr);
  if (instr->op != PG_KIR_OP_LOAD && instr->op != PG_KIR_OP_STORE)
    return false;
  *key = key_of (loop, operands[0]);
  *len = pg_kir_types[instr->op == PG_KIR_OP_LOAD ? instr->type : loop->instrs[operands[1]].type].len;
  return true;
}

/* A new array for KEY, if it has none.  */
static bool
add (struct pg_kir_arrays *arrays, int64_t key)
{
  if (find (arrays, key) < arrays->n)
    return true;
  if (arrays->n == PG_KIR_MOST_ARRAYS)
    return false;
  arrays->shift_of[arrays->n] = MOST_SHIFT;
  arrays->key_of[arrays->n++] = key;
  return true;
}

bool
pg_kir_find_arrays (const struct pg_kir_kernel *loop, struct pg_kir_arrays *arrays)
{
  int64_t key;
  unsigned len;
  arrays->n = 0;
  memset (arrays->array_of, PG_KIR_NOT_LOGGED, sizeof arrays->array_of);
  for (uint32_t v = 1; v < loop->n_instrs; v++)
    if (loop->instrs[v].op == PG_KIR_OP_STORE && is_access (loop, &loop->instrs[v], &key, &len) && !add (arrays, key))
      return false;
  for (uint32_t v = 1; v < loop->n_instrs; v++)
    if (is_access (loop, &loop->instrs[v], &key, &len))
      {
	uint32_t a = find (arrays, key);
	arrays->array_of[loop->instrs[v].number] = a < arrays->n ? (uint8_t) a : PG_KIR_NOT_LOGGED;
	while (a < arrays->n && 1u << arrays->shift_of[a] > len)
	  arrays->shift_of[a]--;
      }
  return true;
}
