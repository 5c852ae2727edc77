/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: memory.

   A reference is a base, an offset in bytes and, for bit-fields, bits.  Bases are pointers, or variables of the program
   whose address is in args; args itself is not memory but "arg", "carry" and "next".  An access belongs to the
   reference that the judge gave it, so that who runs the kernel knows what is checked; constant data belongs to one
   more, the kernel's last.  */

#include "judge.h"
#include "lifting.h"

/* Where a reference is: at OFFSET bytes behind ADDRESS, or in args.  */
struct place
{
  bool is_args;
  pg_kir_value address; /* 0: there is none */
  HOST_WIDE_INT offset; /* bits */
  HOST_WIDE_INT len;    /* bits */
  unsigned align;       /* bits: GCC knows that the reference's address is a multiple of it */
  bool is_reversed;     /* bytes in the other order */
};

static pg_kir_value
add_bytes (struct pg_lifter *lifter, pg_kir_value address, HOST_WIDE_INT n)
{
  return n == 0 ? address
		: pg_emit (lifter, PG_KIR_OP_ADDRESS, PG_KIR_PTR, address, pg_constant (lifter, PG_KIR_I64, n));
}

/* The address of OBJECT, a variable of the program or a constant, which the guard put into args.  */
static pg_kir_value
object_address (struct pg_lifter *lifter, tree object)
{
  for (const struct pg_arg &field : lifter->source->args->fields)
    if (field.value && TREE_CODE (field.value) == ADDR_EXPR
	&& operand_equal_p (TREE_OPERAND (field.value, 0), object, OEP_ADDRESS_OF))
      return pg_invariant (lifter, PG_KIR_OP_ARG, PG_KIR_PTR, field.offset);
  return pg_cannot (lifter, VAR_P (object) && !is_global_var (object) ? PG_LIFT_PRIVATE : PG_LIFT_ADDRESS);
}

/* The pointer of BASE, a TARGET_MEM_REF.  */
static pg_kir_value
target_address (struct pg_lifter *lifter, tree base)
{
  pg_kir_value address = pg_scalar_of (lifter, TMR_BASE (base));
  if (TMR_INDEX (base))
    {
      pg_kir_value index = pg_bytes (lifter, TREE_TYPE (TMR_INDEX (base)), pg_scalar_of (lifter, TMR_INDEX (base)));
      if (TMR_STEP (base))
	index = pg_emit (lifter, PG_KIR_OP_MUL, PG_KIR_I64, index, pg_scalar_of (lifter, TMR_STEP (base)));
      address = pg_emit (lifter, PG_KIR_OP_ADDRESS, PG_KIR_PTR, address, index);
    }
  if (TMR_INDEX2 (base))
    address = pg_emit (lifter, PG_KIR_OP_ADDRESS, PG_KIR_PTR, address,
		       pg_bytes (lifter, TREE_TYPE (TMR_INDEX2 (base)), pg_scalar_of (lifter, TMR_INDEX2 (base))));
  return add_bytes (lifter, address, TREE_INT_CST_LOW (TMR_OFFSET (base)));
}

/* Find out where REFERENCE is.  */
static struct place
find_place (struct pg_lifter *lifter, tree reference)
{
  struct place place = {};
  poly_int64 bitsize, bitpos;
  tree offset;
  machine_mode mode;
  int is_unsigned, is_reversed, is_volatile;
  tree base
    = get_inner_reference (reference, &bitsize, &bitpos, &offset, &mode, &is_unsigned, &is_reversed, &is_volatile);
  place.offset = bitpos.to_constant ();
  place.len = bitsize.to_constant ();
  place.is_reversed = is_reversed;
  place.align = get_object_alignment (reference);

  if (TREE_CODE (base) == MEM_REF)
    {
      place.offset += mem_ref_offset (base).to_constant ().to_shwi () * BITS_PER_UNIT;
      place.is_args = pg_args_p (TREE_OPERAND (base, 0));
      place.address = place.is_args ? 0 : pg_scalar_of (lifter, TREE_OPERAND (base, 0));
    }
  else if (TREE_CODE (base) == TARGET_MEM_REF)
    place.address = target_address (lifter, base);
  else
    place.address = object_address (lifter, base);
  if (offset)
    place.address = pg_emit (lifter, PG_KIR_OP_ADDRESS, PG_KIR_PTR, place.address,
			     pg_bytes (lifter, TREE_TYPE (offset), pg_scalar_of (lifter, offset)));
  return place;
}

/* The address of the byte at BITS of PLACE.  */
static pg_kir_value
address_at (struct pg_lifter *lifter, const struct place *place, HOST_WIDE_INT bits)
{
  return add_bytes (lifter, place->address, (place->offset + bits) / BITS_PER_UNIT);
}

pg_kir_value
pg_address_of (struct pg_lifter *lifter, tree reference)
{
  struct place place = find_place (lifter, reference);
  if (place.is_args || place.offset % BITS_PER_UNIT != 0)
    return pg_cannot (lifter, PG_LIFT_ADDRESS);
  return address_at (lifter, &place, 0);
}

/* The reference that the access of STMT belongs to.  */
static int64_t
ref_of (const struct pg_lifter *lifter, const gimple *stmt, bool is_store)
{
  for (const struct pg_plan_access &access : lifter->source->plan->accesses)
    if (access.stmt == stmt && access.is_store == is_store)
      return access.ref;
  return lifter->kernel->n_refs - 1;
}

/* How partial values of the field of args at OFFSET become one: it is a reduction's or what the last iteration left. */
static enum pg_kir_combine
combine_of (const struct pg_lifter *lifter, HOST_WIDE_INT offset)
{
  static const enum pg_kir_combine combines[]
    = { PG_KIR_COMBINE_ADD, PG_KIR_COMBINE_MUL, PG_KIR_COMBINE_AND, PG_KIR_COMBINE_OR,
	PG_KIR_COMBINE_XOR, PG_KIR_COMBINE_MIN, PG_KIR_COMBINE_MAX };
  const struct pg_plan *plan = lifter->source->plan;
  const struct pg_args *args = lifter->source->args;
  for (unsigned i = 0; i < plan->reductions.length (); i++)
    if (args->fields[args->reduction_args[i]].offset == offset)
      {
	enum pg_kir_combine combine = combines[plan->reductions[i].op];
	enum pg_scalar_type type = plan->reductions[i].type;
	bool is_unsigned = type >= PG_U8 && type <= PG_U64;
	if (is_unsigned && combine == PG_KIR_COMBINE_MIN)
	  return PG_KIR_COMBINE_UMIN;
	return is_unsigned && combine == PG_KIR_COMBINE_MAX ? PG_KIR_COMBINE_UMAX : combine;
      }
  return PG_KIR_COMBINE_LAST;
}

/* The number of the carried value of TYPE at OFFSET of args; a new one if there is none.  */
static uint32_t
carry_at (struct pg_lifter *lifter, enum pg_kir_type type, HOST_WIDE_INT offset)
{
  struct pg_kir_kernel *kernel = lifter->kernel;
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    if (kernel->carries[c].offset == offset)
      return c;
  return pg_kir_add_carry (kernel, type, combine_of (lifter, offset), offset);
}

/* The value of TYPE at OFFSET of args, on entry.  */
static pg_kir_value
load_args (struct pg_lifter *lifter, enum pg_kir_type type, HOST_WIDE_INT offset)
{
  if (combine_of (lifter, offset) == PG_KIR_COMBINE_LAST)
    return pg_invariant (lifter, PG_KIR_OP_ARG, type, offset);
  return pg_invariant (lifter, PG_KIR_OP_CARRY, type, carry_at (lifter, type, offset));
}

static void
store_args (struct pg_lifter *lifter, enum pg_kir_type type, HOST_WIDE_INT offset, pg_kir_value value)
{
  pg_emit_many (lifter, PG_KIR_OP_NEXT, PG_KIR_VOID, carry_at (lifter, type, offset), &value, 1, NULL, 0);
}

/* An access of TYPE, of reference REF, at ADDRESS, of which GCC knows that it is a multiple of ALIGN bits.  */
static pg_kir_value
load_memory (struct pg_lifter *lifter, enum pg_kir_type type, int64_t ref, unsigned align, pg_kir_value address)
{
  enum pg_kir_op op = align < pg_kir_types[type].len * 8 ? PG_KIR_OP_LOAD_BYTES : PG_KIR_OP_LOAD;
  return pg_emit_many (lifter, op, type, ref, &address, 1, NULL, 0);
}

static void
store_memory (struct pg_lifter *lifter, enum pg_kir_type type, int64_t ref, unsigned align, pg_kir_value address,
	      pg_kir_value value)
{
  const pg_kir_value operands[] = { address, value };
  enum pg_kir_op op = align < pg_kir_types[type].len * 8 ? PG_KIR_OP_STORE_BYTES : PG_KIR_OP_STORE;
  pg_emit_many (lifter, op, PG_KIR_VOID, ref, operands, 2, NULL, 0);
}

/* The unit in which REFERENCE, a bit-field at FIELD, is accessed: the smallest integer that has all of it and lies in
   the storage that is the field's and its neighbours'.  *SHIFT is where the field is in it.  */
static bool
find_unit (struct pg_lifter *lifter, tree reference, const struct place *field, struct pg_lifted_type *unit,
	   struct place *place, unsigned *shift)
{
  tree member = TREE_CODE (reference) == COMPONENT_REF ? TREE_OPERAND (reference, 1) : NULL_TREE;
  tree variable = member ? DECL_BIT_FIELD_REPRESENTATIVE (member) : NULL_TREE;
  if (variable && !field->is_reversed)
    {
      *place = find_place (
	lifter, build3 (COMPONENT_REF, TREE_TYPE (variable), TREE_OPERAND (reference, 0), variable, NULL_TREE));
      HOST_WIDE_INT first = field->offset - place->offset;
      for (unsigned len = 1; len <= 8; len *= 2)
	{
	  HOST_WIDE_INT start = first / (len * 8) * (len * 8), end = start + len * 8;
	  if (first < 0 || first + field->len > end || end > place->len || place->is_args)
	    continue;
	  *unit = { pg_int_of_len (len), len * 8, true, false };
	  *shift = first - start;
	  place->offset += start;
	  return true;
	}
    }
  pg_cannot (lifter, PG_LIFT_BIT_FIELD);
  return false;
}

/* True if REFERENCE, at PLACE, of TYPE, is whole bytes, as many as the type has.  */
static bool
whole_p (const struct pg_lifted_type *type, const struct place *place)
{
  HOST_WIDE_INT len = pg_kir_types[type->type].len * 8 * (type->is_complex ? 2 : 1);
  return place->offset % BITS_PER_UNIT == 0 && place->len == len && !place->is_reversed;
}

static pg_kir_value
load_bits (struct pg_lifter *lifter, int64_t ref, tree reference, const struct pg_lifted_type *type,
	   const struct place *field)
{
  struct pg_lifted_type unit, bits = *type;
  struct place place;
  unsigned shift;
  if (pg_kir_types[type->type].kind != PG_KIR_KIND_INT || type->is_complex)
    return pg_cannot (lifter, PG_LIFT_BIT_FIELD);
  if (!find_unit (lifter, reference, field, &unit, &place, &shift))
    return 0;
  pg_kir_value value = load_memory (lifter, unit.type, ref, place.align, address_at (lifter, &place, 0));
  if (shift > 0)
    value = pg_emit (lifter, PG_KIR_OP_LSHR, unit.type, value, pg_constant (lifter, unit.type, shift));
  struct pg_lifted_type wide = { type->type, pg_kir_types[type->type].len * 8, true, false };
  value = pg_convert_int (lifter, &wide, &unit, value);
  bits.precision = field->len;
  return pg_fit (lifter, &bits, value);
}

static void
store_bits (struct pg_lifter *lifter, int64_t ref, tree reference, const struct pg_lifted_type *type,
	    const struct place *field, pg_kir_value value)
{
  struct pg_lifted_type unit;
  struct place place;
  unsigned shift;
  if (pg_kir_types[type->type].kind != PG_KIR_KIND_INT || type->is_complex)
    pg_cannot (lifter, PG_LIFT_BIT_FIELD);
  else if (find_unit (lifter, reference, field, &unit, &place, &shift))
    {
      uint64_t mask = (field->len == 64 ? ~HOST_WIDE_INT_0U : (HOST_WIDE_INT_1U << field->len) - 1) << shift;
      pg_kir_value address = address_at (lifter, &place, 0);
      value = pg_convert_int (lifter, &unit, type, value);
      value = pg_emit (lifter, PG_KIR_OP_SHL, unit.type, value, pg_constant (lifter, unit.type, shift));
      value = pg_emit (lifter, PG_KIR_OP_AND, unit.type, value, pg_constant (lifter, unit.type, mask));
      pg_kir_value rest = load_memory (lifter, unit.type, ref, place.align, address);
      rest = pg_emit (lifter, PG_KIR_OP_AND, unit.type, rest, pg_constant (lifter, unit.type, ~mask));
      value = pg_emit (lifter, PG_KIR_OP_OR, unit.type, rest, value);
      store_memory (lifter, unit.type, ref, place.align, address, value);
    }
}

/* The bytes of REFERENCE, of an aggregate type, and in *PIECE what it can be accessed by, as its alignment allows;
   0: they are not known, or too many.  */
static unsigned
aggregate_len (tree reference, unsigned *piece)
{
  static const unsigned most = 128;
  tree type = TREE_TYPE (reference), size = TYPE_SIZE_UNIT (type);
  if (!size || !tree_fits_uhwi_p (size) || tree_to_uhwi (size) > most)
    return 0;
  *piece = MIN (8, MAX (1, get_object_alignment (reference) / BITS_PER_UNIT));
  while (tree_to_uhwi (size) % *piece != 0)
    *piece /= 2;
  return tree_to_uhwi (size);
}

void
pg_copy (struct pg_lifter *lifter, gimple *stmt, tree reference, tree from)
{
  auto_vec<pg_kir_value> values;
  unsigned piece = 1, from_piece = 8, len = aggregate_len (reference, &piece);
  bool is_clear = TREE_CODE (from) == CONSTRUCTOR && CONSTRUCTOR_NELTS (from) == 0;
  struct place to = find_place (lifter, reference), place = {};
  if (!is_clear && len > 0 && aggregate_len (from, &from_piece) == len)
    place = find_place (lifter, from);
  piece = MIN (piece, from_piece);
  if (len == 0 || to.is_args || to.offset % 8 != 0 || (!is_clear && (!place.address || place.offset % 8 != 0)))
    {
      pg_cannot (lifter, PG_LIFT_AGGREGATE_COPY);
      return;
    }
  enum pg_kir_type type = pg_int_of_len (piece);
  for (unsigned at = 0; at < len; at += piece)
    values.safe_push (is_clear ? pg_constant (lifter, type, 0)
			       : load_memory (lifter, type, ref_of (lifter, stmt, false), place.align,
					      address_at (lifter, &place, at * 8)));
  for (unsigned at = 0; at < len; at += piece)
    store_memory (lifter, type, ref_of (lifter, stmt, true), to.align, address_at (lifter, &to, at * 8),
		  values[at / piece]);
}

/* The field of args with what STMT loads, if the guard loaded it and no store of the loop can change it; else NULL.  */
static const struct pg_arg *
loaded_on_entry (const struct pg_lifter *lifter, gimple *stmt)
{
  const struct pg_plan *plan = lifter->source->plan;
  tree name = NULL_TREE;
  for (const struct pg_plan_entry_load &load : plan->entry_loads)
    if (load.stmt == stmt)
      name = load.name;
  if (!name)
    return NULL;
  for (const struct pg_plan_access &store : plan->accesses)
    if (store.is_store
	&& (is_gimple_call (store.stmt)
	    || pg_store_may_reach_load (pg_child_operand (&store), gimple_assign_rhs1 (stmt))))
      return NULL;
  for (const struct pg_arg &field : lifter->source->args->fields)
    if (field.value == name)
      return &field;
  return NULL;
}

struct pg_lifted
pg_load (struct pg_lifter *lifter, gimple *stmt, tree reference)
{
  struct pg_lifted value = {};
  struct pg_lifted_type type;
  if (!pg_lift_type (lifter, TREE_TYPE (reference), &type))
    return value;
  if (const struct pg_arg *field = loaded_on_entry (lifter, stmt))
    {
      value.real = load_args (lifter, type.type, field->offset);
      return value;
    }
  struct place place = find_place (lifter, reference);
  int64_t ref = ref_of (lifter, stmt, false);
  unsigned len = pg_kir_types[type.type].len;
  if (!whole_p (&type, &place))
    value.real = load_bits (lifter, ref, reference, &type, &place);
  else if (place.is_args)
    {
      value.real = load_args (lifter, type.type, place.offset / 8);
      value.imaginary = type.is_complex ? load_args (lifter, type.type, place.offset / 8 + len) : 0;
    }
  else
    {
      value.real = load_memory (lifter, type.type, ref, place.align, address_at (lifter, &place, 0));
      if (type.is_complex)
	value.imaginary = load_memory (lifter, type.type, ref, place.align, address_at (lifter, &place, len * 8));
    }
  return value;
}

void
pg_store (struct pg_lifter *lifter, gimple *stmt, tree reference, tree operand)
{
  struct pg_lifted_type type;
  if (!pg_lift_type (lifter, TREE_TYPE (reference), &type))
    return;
  struct pg_lifted value = pg_value_of (lifter, operand);
  struct place place = find_place (lifter, reference);
  int64_t ref = ref_of (lifter, stmt, true);
  unsigned len = pg_kir_types[type.type].len;
  if (!whole_p (&type, &place))
    store_bits (lifter, ref, reference, &type, &place, value.real);
  else if (place.is_args)
    {
      store_args (lifter, type.type, place.offset / 8, value.real);
      if (type.is_complex)
	store_args (lifter, type.type, place.offset / 8 + len, value.imaginary);
    }
  else
    {
      store_memory (lifter, type.type, ref, place.align, address_at (lifter, &place, 0), value.real);
      if (type.is_complex)
	store_memory (lifter, type.type, ref, place.align, address_at (lifter, &place, len * 8), value.imaginary);
    }
}
