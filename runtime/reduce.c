/* SPDX-License-Identifier: MIT
   Chunks' partial values.  See reduce.h.

   Integers are combined in unsigned arithmetic, where they wrap as they did in the chunks; only MIN and MAX look at the
   sign.  Floating MIN and MAX repeat the loop's own comparison, so that the first of equal values stays (-0 and +0),
   and a NaN never replaces a number.  What goes with another reduction is looked at before that one is combined.  */
#include "reduce.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* VALUE op X for each kind of type; OPERATOR is an enum pg_reduction_op.  */
#define COMBINE_INTEGER(type, unsigned_type)                       \
  static type combine_##type (int op, type value, type x)          \
  {                                                                \
    switch (op)                                                    \
      {                                                            \
      case PG_REDUCE_ADD:                                          \
	return (type) ((unsigned_type) value + (unsigned_type) x); \
      case PG_REDUCE_MUL:                                          \
	return (type) ((unsigned_type) value * (unsigned_type) x); \
      case PG_REDUCE_AND:                                          \
	return (type) (value & x);                                 \
      case PG_REDUCE_OR:                                           \
	return (type) (value | x);                                 \
      case PG_REDUCE_XOR:                                          \
	return (type) (value ^ x);                                 \
      case PG_REDUCE_MIN:                                          \
	return x < value ? x : value;                              \
      default:                                                     \
	return x > value ? x : value;                              \
      }                                                            \
  }

#define COMBINE_FLOAT(type)                               \
  static type combine_##type (int op, type value, type x) \
  {                                                       \
    switch (op)                                           \
      {                                                   \
      case PG_REDUCE_ADD:                                 \
	return value + x;                                 \
      case PG_REDUCE_MUL:                                 \
	return value * x;                                 \
      case PG_REDUCE_MIN:                                 \
	return x < value ? x : value;                     \
      default:                                            \
	return x > value ? x : value;                     \
      }                                                   \
  }

COMBINE_INTEGER (int8_t, uint32_t)
COMBINE_INTEGER (int16_t, uint32_t)
COMBINE_INTEGER (int32_t, uint32_t)
COMBINE_INTEGER (int64_t, uint64_t)
COMBINE_INTEGER (uint8_t, uint32_t)
COMBINE_INTEGER (uint16_t, uint32_t)
COMBINE_INTEGER (uint32_t, uint32_t)
COMBINE_INTEGER (uint64_t, uint64_t)
COMBINE_FLOAT (float)
COMBINE_FLOAT (double)

/* Does combining VALUE with X take X?  Of integers also, whether any is not 0.  */
#define TAKES_INTEGER(type)                                                            \
  static bool takes_##type (int op, type value, type x)                                \
  {                                                                                    \
    return op == PG_REDUCE_MIN ? x < value : op == PG_REDUCE_MAX ? x > value : x != 0; \
  }

#define TAKES_FLOAT(type)                               \
  static bool takes_##type (int op, type value, type x) \
  {                                                     \
    return op == PG_REDUCE_MIN ? x < value : x > value; \
  }

TAKES_INTEGER (int8_t)
TAKES_INTEGER (int16_t)
TAKES_INTEGER (int32_t)
TAKES_INTEGER (int64_t)
TAKES_INTEGER (uint8_t)
TAKES_INTEGER (uint16_t)
TAKES_INTEGER (uint32_t)
TAKES_INTEGER (uint64_t)
TAKES_FLOAT (float)
TAKES_FLOAT (double)

/* The types with their C type, smallest and largest value.  */
#define SCALAR_TYPES(DO)                     \
  DO (PG_I8, int8_t, INT8_MIN, INT8_MAX)     \
  DO (PG_I16, int16_t, INT16_MIN, INT16_MAX) \
  DO (PG_I32, int32_t, INT32_MIN, INT32_MAX) \
  DO (PG_I64, int64_t, INT64_MIN, INT64_MAX) \
  DO (PG_U8, uint8_t, 0, UINT8_MAX)          \
  DO (PG_U16, uint16_t, 0, UINT16_MAX)       \
  DO (PG_U32, uint32_t, 0, UINT32_MAX)       \
  DO (PG_U64, uint64_t, 0, UINT64_MAX)       \
  DO (PG_F32, float, -INFINITY, INFINITY)    \
  DO (PG_F64, double, -INFINITY, INFINITY)

/* The identity of PG_REDUCE_SET, of LEN bytes at VALUE: all ones, or but for the sign as in a smallest number.  */
static void
set_identity (enum pg_scalar_type type, char *value, size_t len)
{
  memset (value, type < PG_U8 ? 0 : 0xff, len);
  if (type < PG_U8)
    value[len - 1] = (char) 0x80;
}

/* Store the identity of REDUCTION at FIELD.  */
static void
store_identity (const struct pg_reduction *reduction, char *field)
{
  int op = reduction->op;
  if (op == PG_REDUCE_SET)
    {
      set_identity (reduction->type, field, pg_reduce_len (reduction->type));
      return;
    }
  switch (reduction->type)
    {
#define IDENTITY(id, type, smallest, largest)              \
  case id:                                                 \
    {                                                      \
      type value = op == PG_REDUCE_MUL   ? (type) 1        \
		   : op == PG_REDUCE_AND ? (type) -1       \
		   : op == PG_REDUCE_MIN ? (type) largest  \
		   : op == PG_REDUCE_MAX ? (type) smallest \
					 : (type) 0;       \
      memcpy (field, &value, sizeof value);                \
      break;                                               \
    }
      SCALAR_TYPES (IDENTITY)
    }
}

/* Was something set at PART, a scalar of TYPE and LEN bytes?  */
static bool
was_set (enum pg_scalar_type type, const char *part, size_t len)
{
  char identity[sizeof (int64_t)];
  set_identity (type, identity, len);
  return memcmp (part, identity, len) != 0;
}

/* Combine the partial value at PART into the one at FIELD.  */
static void
combine (const struct pg_reduction *reduction, char *field, const char *part)
{
  switch (reduction->type)
    {
#define COMBINE(id, type, smallest, largest)            \
  case id:                                              \
    {                                                   \
      type value, x;                                    \
      memcpy (&value, field, sizeof value);             \
      memcpy (&x, part, sizeof x);                      \
      value = combine_##type (reduction->op, value, x); \
      memcpy (field, &value, sizeof value);             \
      break;                                            \
    }
      SCALAR_TYPES (COMBINE)
    }
}

/* Whether combining the partial value at PART with the one at FIELD takes the partial one; of an operation that takes
   one or the other.  */
static bool
takes (const struct pg_reduction *reduction, const char *field, const char *part)
{
  if (reduction->op == PG_REDUCE_SET)
    return was_set (reduction->type, part, pg_reduce_len (reduction->type));
  switch (reduction->type)
    {
#define TAKE(id, type, smallest, largest)            \
  case id:                                           \
    {                                                \
      type value, x;                                 \
      memcpy (&value, field, sizeof value);          \
      memcpy (&x, part, sizeof x);                   \
      return takes_##type (reduction->op, value, x); \
    }
      SCALAR_TYPES (TAKE)
    }
  return false;
}

size_t
pg_reduce_len (int scalar)
{
  switch (scalar)
    {
#define LEN(id, type, smallest, largest) \
  case id:                               \
    return sizeof (type);
      SCALAR_TYPES (LEN)
    }
  return 0;
}

void
pg_reduce_start (const struct pg_region *region, void *chunk, const void *args, int64_t lo)
{
  memcpy (chunk, args, region->args_len);
  if (lo == 0)
    return;
  for (uint32_t r = 0; r < region->n_reductions; r++)
    if (region->reductions[r].op != PG_REDUCE_WITH && !region->reductions[r].is_carried)
      store_identity (&region->reductions[r], (char *) chunk + region->reductions[r].offset);
}

void
pg_reduce_tally (const struct pg_region *region, void *chunk, const void *args, int64_t lo)
{
  pg_reduce_start (region, chunk, args, lo);
  for (uint32_t r = 0; r < region->n_reductions; r++)
    if (region->reductions[r].is_carried)
      store_identity (&region->reductions[r], (char *) chunk + region->reductions[r].offset);
}

void
pg_reduce_begin (const struct pg_region *region, void *so_far, void *chunk)
{
  for (uint32_t r = 0; r < region->n_reductions; r++)
    {
      const struct pg_reduction *reduction = &region->reductions[r];
      char part[sizeof (int64_t)];
      size_t len = pg_reduce_len (reduction->type);
      if (!reduction->is_carried)
	continue;
      memcpy (part, (char *) chunk + reduction->offset, len);
      memcpy ((char *) chunk + reduction->offset, (char *) so_far + reduction->offset, len);
      combine (reduction, (char *) so_far + reduction->offset, part);
    }
}

void
pg_reduce_take (const struct pg_region *region, void *args, const void *chunk, int64_t lo)
{
  for (uint32_t r = region->n_reductions; r-- > 0;) /* leaders behind what follows them */
    {
      const struct pg_reduction *reduction = &region->reductions[r], *decides = reduction;
      char *field = (char *) args + reduction->offset;
      const char *part = (const char *) chunk + reduction->offset;
      if (reduction->op == PG_REDUCE_WITH)
	decides = &region->reductions[reduction->leader];
      bool is_choice = reduction->op == PG_REDUCE_WITH || reduction->op == PG_REDUCE_SET;
      if (lo > 0 && !is_choice && !reduction->is_carried)
	combine (reduction, field, part);
      else if (lo == 0 || reduction->is_carried
	       || takes (decides, (char *) args + decides->offset, (const char *) chunk + decides->offset))
	memcpy (field, part, pg_reduce_len (reduction->type));
    }
  for (uint32_t f = 0; f < region->n_live_outs; f++)
    {
      const struct pg_field *field = &region->live_outs[f];
      memcpy ((char *) args + field->offset, (const char *) chunk + field->offset, field->len);
    }
}

/* Combine N parts into VALUES by OP, but for identities.  What stays as it is is not stored: the loop need not have
   stored it, and the memory may be read-only.  */
#define MERGE(id, type, smallest, largest)                                                    \
  static void merge_##type (int op, type identity, type *values, const type *parts, size_t n) \
  {                                                                                           \
    for (size_t i = 0; i < n; i++)                                                            \
      if (memcmp (&parts[i], &identity, sizeof identity) != 0)                                \
	{                                                                                     \
	  type value = combine_##type (op, values[i], parts[i]);                              \
	  if (memcmp (&values[i], &value, sizeof value) != 0)                                 \
	    values[i] = value;                                                                \
	}                                                                                     \
  }

SCALAR_TYPES (MERGE)

void
pg_reduce_fill (const struct pg_array_reduction *array, void *parts, size_t n)
{
  struct pg_reduction element = { .op = array->op, .type = array->type };
  char identity[sizeof (int64_t)], zero[sizeof (int64_t)] = { 0 };
  size_t len = pg_reduce_len (array->type);
  store_identity (&element, identity);
  if (memcmp (identity, zero, len) == 0)
    memset (parts, 0, n * len);
  else
    for (size_t i = 0; i < n; i++)
      memcpy ((char *) parts + i * len, identity, len);
}

void
pg_reduce_merge (const struct pg_array_reduction *array, void *values, const void *parts, size_t n)
{
  struct pg_reduction element = { .op = array->op, .type = array->type };
  switch (array->type)
    {
#define MERGE_ALL(id, type, smallest, largest)              \
  case id:                                                  \
    {                                                       \
      type identity;                                        \
      store_identity (&element, (char *) &identity);        \
      merge_##type (array->op, identity, values, parts, n); \
      break;                                                \
    }
      SCALAR_TYPES (MERGE_ALL)
    }
}
