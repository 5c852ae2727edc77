/* SPDX-License-Identifier: MIT
   KIR fuzzer: random instructions that are right.

   Operands are values known in the block, mostly new ones, so that what is computed reaches memory.  Three rules keep
   a kernel's result the same wherever it runs: what is accessed is a place in a buffer (a pointer of the arguments,
   and an index that is cut to the buffer's length), which fits the type or is accessed byte by byte; a float whose bits
   are seen, by a store or as an integer, is made a known NaN if it is one; a divisor is seldom 0.  All else may be
   anything: counts of shifts, floats that do not fit an integer, pointers that lead nowhere and are only compared.  */
#include "generate.h"

#include "runtime/kir/combine.h"

#include <string.h>

pg_kir_value
fk_add (struct fk_maker *maker, enum pg_kir_op op, enum pg_kir_type type, int64_t number, pg_kir_value a,
	pg_kir_value b, pg_kir_value c)
{
  const pg_kir_value operands[] = { a, b, c };
  unsigned n = (a != 0) + (b != 0) + (c != 0);
  pg_kir_value value = pg_kir_add (maker->kernel, maker->block, op, type, number, operands, n, NULL, 0);
  for (unsigned i = 0; i < n; i++)
    maker->facts[operands[i]] |= FK_IS_USED;
  if (type != PG_KIR_VOID && maker->n_known < FK_MOST_KNOWN)
    maker->known[maker->n_known++] = value;
  maker->n_left--;
  return value;
}

static enum pg_kir_type
type_of (const struct fk_maker *maker, pg_kir_value value)
{
  return (enum pg_kir_type) maker->kernel->instrs[value].type;
}

static enum pg_kir_kind
kind_of (enum pg_kir_type type)
{
  return pg_kir_types[type].kind;
}

enum pg_kir_type
fk_type (struct fk_maker *maker)
{
  return (enum pg_kir_type) (1 + fk_pick (&maker->random, PG_KIR_N_TYPES - 1));
}

/* A type of KIND.  */
static enum pg_kir_type
type_of_kind (struct fk_maker *maker, enum pg_kir_kind kind)
{
  for (;;)
    {
      enum pg_kir_type type = fk_type (maker);
      if (kind_of (type) == kind)
	return type;
    }
}

static uint64_t
bits_of_float (enum pg_kir_type type, double value)
{
  uint64_t bits = 0;
  float small = (float) value;
  if (type == PG_KIR_F32)
    memcpy (&bits, &small, sizeof small);
  else
    memcpy (&bits, &value, sizeof value);
  return bits;
}

/* A float at the limits of floats or integers.  */
static double
float_at_limits (struct fk_maker *maker)
{
  static const double floats[] = { 0.0,
				   -0.0,
				   1.0,
				   -1.0,
				   0.5,
				   -0.999,
				   127.9,
				   -128.9,
				   -129.0,
				   255.5,
				   32768.0,
				   65535.9,
				   2147483648.0,
				   -2147483648.5,
				   4294967295.5,
				   9223372036854775808.0,
				   -9223372036854775808.0,
				   18446744073709551616.0,
				   1e300,
				   4.9e-324,
				   1e-40,
				   3.4e38,
				   __builtin_inf (),
				   __builtin_nan ("") };
  return floats[fk_pick (&maker->random, sizeof floats / sizeof *floats)];
}

/* Bits of a constant of TYPE that computes more than others.  */
static uint64_t
bits_at_limits (struct fk_maker *maker, enum pg_kir_type type)
{
  static const uint64_t ints[] = { 0,
				   1,
				   2,
				   3,
				   7,
				   8,
				   31,
				   32,
				   63,
				   64,
				   127,
				   128,
				   255,
				   0x7fff,
				   0x8000,
				   0x7fffffff,
				   0x80000000,
				   INT64_MAX,
				   (uint64_t) 1 << 63,
				   UINT64_MAX };
  if (fk_once_in (&maker->random, 3))
    return fk_bits (&maker->random);
  if (kind_of (type) == PG_KIR_KIND_FLOAT)
    return bits_of_float (type, fk_once_in (&maker->random, 3) ? (double) fk_pick (&maker->random, 1000) / 8.0 - 60.0
							       : float_at_limits (maker));
  return ints[fk_pick (&maker->random, sizeof ints / sizeof *ints)];
}

pg_kir_value
fk_const (struct fk_maker *maker, enum pg_kir_type type, int64_t number)
{
  pg_kir_value value = fk_add (maker, PG_KIR_OP_CONST, type, number, 0, 0, 0);
  maker->facts[value] |= FK_IS_CLEAN;
  return value;
}

/* An argument of TYPE, at any address.  */
static pg_kir_value
argument (struct fk_maker *maker, enum pg_kir_type type)
{
  unsigned len = pg_kir_types[type].len, first = FK_N_POINTERS * sizeof (void *);
  int64_t offset = first + fk_pick (&maker->random, FK_CARRIES - first - len + 1);
  pg_kir_value value = fk_add (maker, PG_KIR_OP_ARG, type, offset, 0, 0, 0);
  maker->facts[value] |= FK_IS_CLEAN;
  return value;
}

pg_kir_value
fk_value (struct fk_maker *maker, enum pg_kir_type type)
{
  struct fk_random *random = &maker->random;
  if (fk_once_in (random, 12))
    return fk_once_in (random, 2) ? argument (maker, type)
				  : fk_const (maker, type, (int64_t) bits_at_limits (maker, type));
  for (int i = 0; i < 12 && maker->n_known > 0; i++)
    {
      unsigned n_near = maker->n_known < 16 ? maker->n_known : 16;
      unsigned back = fk_once_in (random, 3) ? fk_pick (random, maker->n_known) : fk_pick (random, n_near);
      pg_kir_value value = maker->known[maker->n_known - 1 - back];
      if (type_of (maker, value) == type)
	return value;
    }
  for (unsigned i = maker->n_known; i > 0; i--)
    if (type_of (maker, maker->known[i - 1]) == type)
      return maker->known[i - 1];
  return argument (maker, type);
}

pg_kir_value
fk_clean (struct fk_maker *maker, pg_kir_value value)
{
  enum pg_kir_type type = type_of (maker, value);
  if (kind_of (type) != PG_KIR_KIND_FLOAT || (maker->facts[value] & FK_IS_CLEAN) != 0)
    return value;
  pg_kir_value is_nan = fk_add (maker, PG_KIR_OP_FUNO, PG_KIR_I8, 0, value, value, 0);
  pg_kir_value nan = fk_const (maker, type, type == PG_KIR_F32 ? 0x7fc00000 : 0x7ff8000000000000);
  pg_kir_value clean = fk_add (maker, PG_KIR_OP_SELECT, type, 0, is_nan, nan, value);
  maker->facts[clean] |= FK_IS_CLEAN;
  fk_note (maker, FK_NAN);
  return clean;
}

/* A known pointer with FACTS, or 0.  */
static pg_kir_value
pointer_with (struct fk_maker *maker, unsigned facts)
{
  unsigned start = fk_pick (&maker->random, maker->n_known + 1);
  for (unsigned i = 0; i < maker->n_known; i++)
    {
      pg_kir_value value = maker->known[(start + i) % maker->n_known];
      if ((maker->facts[value] & facts) == facts)
	return value;
    }
  return 0;
}

/* A pointer of the arguments to IN or WORK, or one that was computed from these.  */
static pg_kir_value
base (struct fk_maker *maker, bool is_write)
{
  unsigned facts = FK_IS_BASE | (is_write ? FK_IS_WRITABLE : 0);
  pg_kir_value known = fk_once_in (&maker->random, 3) ? pointer_with (maker, facts) : 0;
  if (known != 0)
    return known;
  unsigned n_read = maker->made->is_independent ? 2 : FK_N_POINTERS - 1;
  unsigned n = is_write ? 2 + fk_pick (&maker->random, 2) : fk_pick (&maker->random, n_read);
  if (n % 2 == 1)
    fk_note (maker, FK_ODD);
  pg_kir_value pointer = fk_add (maker, PG_KIR_OP_ARG, PG_KIR_PTR, (int64_t) (n * sizeof (void *)), 0, 0, 0);
  maker->facts[pointer] |= FK_IS_BASE | FK_IS_CLEAN | (n >= 2 ? FK_IS_WRITABLE : 0) | (n % 2 == 0 ? FK_IS_ALIGNED : 0);
  return pointer;
}

/* A pointer to 8 bytes of IN or WORK; of iterations that are independent, to write, of their row of OUT.  */
static pg_kir_value
place (struct fk_maker *maker, bool is_write)
{
  static const uint8_t masks[] = { 0, 7, 8, 0x38, 0x78, 0x7f, 0xf8, 0xff, 0xfe };
  enum
  {
    N_OF_ROW = 7 /* of the masks: those with which 8 bytes end in a row */
  };
  struct fk_random *random = &maker->random;
  unsigned facts = FK_IS_PLACE | (is_write ? FK_IS_WRITABLE : 0);
  pg_kir_value known = fk_once_in (random, 3) ? pointer_with (maker, facts) : 0;
  if (known != 0)
    {
      fk_note (maker, FK_VIEWS);
      return known;
    }
  bool is_of_row = maker->made->is_independent && (is_write || fk_once_in (random, 3));
  pg_kir_value pointer = is_of_row ? maker->row : base (maker, is_write);
  unsigned kept
    = (is_of_row ? FK_IS_WRITABLE | FK_IS_ALIGNED : maker->facts[pointer]) & (FK_IS_WRITABLE | FK_IS_ALIGNED);
  uint8_t bits = masks[fk_pick (random, is_of_row ? N_OF_ROW : (unsigned) sizeof masks)];
  pg_kir_value mask = fk_const (maker, PG_KIR_I64, bits);
  pg_kir_value index = fk_add (maker, PG_KIR_OP_AND, PG_KIR_I64, 0, fk_value (maker, PG_KIR_I64), mask, 0);
  pg_kir_value at = fk_add (maker, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, pointer, index, 0);
  maker->facts[at] |= FK_IS_PLACE | (bits % 8 == 0 ? kept : kept & FK_IS_WRITABLE);
  if (!is_of_row && fk_once_in (random, 3))
    {
      index = fk_const (maker, PG_KIR_I64, fk_pick (random, FK_REACH + 1));
      at = fk_add (maker, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, at, index, 0);
    }
  return at;
}

/* The reference of an access: no more than a name.  */
static int64_t
reference (struct fk_maker *maker)
{
  return fk_pick (&maker->random, maker->kernel->n_refs);
}

/* A place where OP, a load or a store, may access TYPE: buffers begin at multiples of 8, so that rounding down stays in
   them.  */
static pg_kir_value
place_for (struct fk_maker *maker, enum pg_kir_op op, enum pg_kir_type type)
{
  pg_kir_value at = place (maker, pg_kir_ops[op].shape == PG_KIR_STORE);
  int64_t len = pg_kir_types[type].len;
  unsigned facts = maker->facts[at];
  if (op == PG_KIR_OP_LOAD_BYTES || op == PG_KIR_OP_STORE_BYTES || len == 1 || (facts & FK_IS_ALIGNED) != 0)
    return at;
  pg_kir_value address = fk_add (maker, PG_KIR_OP_BITS, PG_KIR_I64, 0, at, 0, 0);
  address = fk_add (maker, PG_KIR_OP_AND, PG_KIR_I64, 0, address, fk_const (maker, PG_KIR_I64, -len), 0);
  at = fk_add (maker, PG_KIR_OP_BITS, PG_KIR_PTR, 0, address, 0, 0);
  maker->facts[at] |= (facts & (FK_IS_PLACE | FK_IS_WRITABLE)) | (len == 8 ? FK_IS_ALIGNED : 0);
  return at;
}

static void
add_load (struct fk_maker *maker, enum pg_kir_op op)
{
  enum pg_kir_type type = fk_type (maker);
  pg_kir_value at = place_for (maker, op, type);
  pg_kir_value value = fk_add (maker, op, type, reference (maker), at, 0, 0);
  maker->facts[value] |= FK_IS_CLEAN;
}

static void
add_store (struct fk_maker *maker, enum pg_kir_op op)
{
  enum pg_kir_type type = fk_type (maker);
  pg_kir_value value = fk_clean (maker, fk_value (maker, type));
  pg_kir_value at = place_for (maker, op, type);
  fk_add (maker, op, PG_KIR_VOID, reference (maker), at, value, 0);
}

static void
add_int2 (struct fk_maker *maker, enum pg_kir_op op)
{
  enum pg_kir_type type = type_of_kind (maker, PG_KIR_KIND_INT);
  pg_kir_value a = fk_value (maker, type), b = fk_value (maker, type);
  bool divides = op == PG_KIR_OP_SDIV || op == PG_KIR_OP_UDIV || op == PG_KIR_OP_SREM || op == PG_KIR_OP_UREM;
  if (divides && fk_once_in (&maker->random, 20))
    fk_note (maker, FK_PLAIN_DIVISION);
  else if (divides && fk_once_in (&maker->random, 8)) /* -1 is more than any other divisor */
    b = fk_const (maker, type, -1);
  else if (divides)
    b = fk_add (maker, PG_KIR_OP_OR, type, 0, b, fk_const (maker, type, 1), 0);
  fk_add (maker, op, type, 0, a, b, 0);
}

/* Add OP, a conversion.  */
static void
add_conversion (struct fk_maker *maker, enum pg_kir_op op)
{
  enum pg_kir_shape shape = pg_kir_ops[op].shape;
  bool is_to_float = shape == PG_KIR_INT_FLOAT || shape == PG_KIR_FLOAT_FLOAT;
  bool is_of_float = shape == PG_KIR_FLOAT_INT || shape == PG_KIR_FLOAT_FLOAT;
  for (;;)
    {
      enum pg_kir_type type = type_of_kind (maker, is_to_float ? PG_KIR_KIND_FLOAT : PG_KIR_KIND_INT);
      enum pg_kir_type from = type_of_kind (maker, is_of_float ? PG_KIR_KIND_FLOAT : PG_KIR_KIND_INT);
      unsigned len = pg_kir_types[type].len, len_from = pg_kir_types[from].len;
      if ((shape == PG_KIR_NARROW && len >= len_from) || (shape == PG_KIR_WIDEN && len <= len_from)
	  || (shape == PG_KIR_FLOAT_FLOAT && type == from))
	continue;
      pg_kir_value of = shape == PG_KIR_FLOAT_INT && fk_once_in (&maker->random, 2)
			  ? fk_const (maker, from, (int64_t) bits_of_float (from, float_at_limits (maker)))
			  : fk_value (maker, from);
      pg_kir_value value = fk_add (maker, op, type, 0, of, 0, 0);
      if (shape == PG_KIR_INT_FLOAT)
	maker->facts[value] |= FK_IS_CLEAN;
      return;
    }
}

static void
add_bits (struct fk_maker *maker)
{
  for (;;)
    {
      enum pg_kir_type type = fk_type (maker), from = fk_type (maker);
      if (type == from || pg_kir_types[type].len != pg_kir_types[from].len)
	continue;
      pg_kir_value of = fk_clean (maker, fk_value (maker, from));
      pg_kir_value value = fk_add (maker, PG_KIR_OP_BITS, type, 0, of, 0, 0);
      maker->facts[value] |= FK_IS_CLEAN;
      return;
    }
}

static void
add_select (struct fk_maker *maker)
{
  enum pg_kir_type type = fk_type (maker);
  pg_kir_value a = fk_value (maker, type), b = fk_value (maker, type);
  if (type == PG_KIR_PTR && fk_once_in (&maker->random, 2))
    {
      a = base (maker, false);
      b = base (maker, !maker->made->is_independent);
    }
  pg_kir_value value = fk_add (maker, PG_KIR_OP_SELECT, type, 0, fk_value (maker, PG_KIR_I8), a, b);
  maker->facts[value] |= maker->facts[a] & maker->facts[b] & ~FK_IS_USED;
}

void
fk_add_next (struct fk_maker *maker, uint32_t number)
{
  const struct pg_kir_carry carry = maker->kernel->carries[number];
  pg_kir_value value = fk_clean (maker, fk_value (maker, (enum pg_kir_type) carry.type));
  if (maker->made->is_independent && carry.combine != PG_KIR_COMBINE_LAST)
    {
      value = pg_kir_add_combine (maker->kernel, maker->block, (enum pg_kir_combine) carry.combine,
				  (enum pg_kir_type) carry.type, maker->carried[number], value);
      fk_note (maker, FK_COMBINED);
    }
  fk_add (maker, PG_KIR_OP_NEXT, PG_KIR_VOID, number, value, 0, 0);
  fk_note (maker, FK_CARRIED);
}

/* Add OP of two values of one type, with a result of TYPE.  */
static void
add_pair (struct fk_maker *maker, enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from)
{
  pg_kir_value a = fk_value (maker, from), b = fk_value (maker, from);
  fk_add (maker, op, type, 0, a, b, 0);
}

static void
add_random (struct fk_maker *maker, enum pg_kir_op op)
{
  switch (pg_kir_ops[op].shape)
    {
    case PG_KIR_INDEX:
      if (op == PG_KIR_OP_ITER)
	fk_add (maker, op, PG_KIR_I64, fk_pick (&maker->random, maker->kernel->n_dims), 0, 0, 0);
      break;
    case PG_KIR_INT2:
      add_int2 (maker, op);
      break;
    case PG_KIR_FLOAT1:
      {
	enum pg_kir_type type = type_of_kind (maker, PG_KIR_KIND_FLOAT);
	fk_add (maker, op, type, 0, fk_value (maker, type), 0, 0);
	break;
      }
    case PG_KIR_FLOAT2:
      {
	enum pg_kir_type type = type_of_kind (maker, PG_KIR_KIND_FLOAT);
	add_pair (maker, op, type, type);
	break;
      }
    case PG_KIR_FLOAT3:
      {
	enum pg_kir_type type = type_of_kind (maker, PG_KIR_KIND_FLOAT);
	pg_kir_value a = fk_value (maker, type), b = fk_value (maker, type);
	fk_add (maker, op, type, 0, a, b, fk_value (maker, type));
	break;
      }
    case PG_KIR_CMP_INT:
      add_pair (maker, op, PG_KIR_I8,
		fk_once_in (&maker->random, 5) ? PG_KIR_PTR : type_of_kind (maker, PG_KIR_KIND_INT));
      break;
    case PG_KIR_CMP_FLOAT:
      add_pair (maker, op, PG_KIR_I8, type_of_kind (maker, PG_KIR_KIND_FLOAT));
      break;
    case PG_KIR_NARROW:
    case PG_KIR_WIDEN:
    case PG_KIR_INT_FLOAT:
    case PG_KIR_FLOAT_INT:
    case PG_KIR_FLOAT_FLOAT:
      add_conversion (maker, op);
      break;
    case PG_KIR_BITS:
      add_bits (maker);
      break;
    case PG_KIR_SELECT:
      add_select (maker);
      break;
    case PG_KIR_ADDRESS:
      {
	pg_kir_value pointer = fk_value (maker, PG_KIR_PTR);
	fk_add (maker, op, PG_KIR_PTR, 0, pointer, fk_value (maker, PG_KIR_I64), 0);
	fk_note (maker, FK_WILD);
	break;
      }
    case PG_KIR_LOAD:
      add_load (maker, op);
      break;
    case PG_KIR_STORE:
      add_store (maker, op);
      break;
    case PG_KIR_FACT:
      {
	enum pg_kir_type type = type_of_kind (maker, PG_KIR_KIND_INT);
	pg_kir_value value = fk_value (maker, type), zero = fk_const (maker, type, 0);
	pg_kir_value is_true = fk_add (maker, PG_KIR_OP_ULE, PG_KIR_I8, 0, zero, value, 0);
	fk_add (maker, op, PG_KIR_VOID, 0, is_true, 0, 0);
	break;
      }
    case PG_KIR_NEXT:
      if (maker->kernel->n_carries > 0)
	fk_add_next (maker, fk_pick (&maker->random, maker->kernel->n_carries));
      break;
    default: /* constants and arguments come as operands, the rest at the start or where control flow is made */
      break;
    }
}

void
fk_add_some (struct fk_maker *maker, unsigned n)
{
  static const enum pg_kir_op accesses[]
    = { PG_KIR_OP_LOAD, PG_KIR_OP_STORE, PG_KIR_OP_LOAD_BYTES, PG_KIR_OP_STORE_BYTES };
  for (unsigned i = 0; i < n && maker->n_left > 0; i++)
    if (fk_once_in (&maker->random, 6))
      add_random (maker, accesses[fk_pick (&maker->random, 4)]);
    else
      add_random (maker, (enum pg_kir_op) fk_pick (&maker->random, PG_KIR_OP_PHI));
}

/* Store VALUE in slot SLOT of this iteration's row of OUT.  */
static void
store_out (struct fk_maker *maker, pg_kir_value value, unsigned slot)
{
  value = fk_clean (maker, value);
  pg_kir_value at = fk_const (maker, PG_KIR_I64, 8 * slot);
  at = fk_add (maker, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, maker->row, at, 0);
  fk_add (maker, PG_KIR_OP_STORE, PG_KIR_VOID, reference (maker), at, value, 0);
}

void
fk_store_unused (struct fk_maker *maker, unsigned n_before, unsigned n)
{
  unsigned n_known = maker->n_known;
  for (unsigned i = n_known; i > n_before && n > 0; i--)
    if ((maker->facts[maker->known[i - 1]] & FK_IS_USED) == 0)
      {
	store_out (maker, maker->known[i - 1], maker->slot++ % FK_SLOTS);
	n--;
      }
}
