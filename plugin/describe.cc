/* SPDX-License-Identifier: GPL-3.0-or-later
   The region descriptor: what the runtime reads about an outlined loop, as initialised data of the object.

   The plan becomes a struct pg_region, which is packed as the runtime unpacks it, into one of two variables:

       paragon.packed.N   read-only   tables, names, numbers, the kernel: bytes
       paragon.region.N   writable    struct pg_descriptor; some of its members are addresses, or their differences

   This takes compiler and target to have the same byte order and 64-bit pointers: pg_region_target_ok.  */

#include "plan.h"
#include "describe.h"
#include "plugin-options.h"
#include "where.h"

extern "C"
{
#include "../runtime/descriptor.h"
}

/* Regions of this unit so far: the next one's number.  */
static unsigned n_regions;

/* What each has that is packed.  */
static hash_map<tree, tree> packed_of;

/* The tables of a region that is being put together.  */
struct tables
{
  auto_vec<struct pg_node> nodes;
  auto_vec<struct pg_dim> dims;
  auto_vec<struct pg_wrap_check> checks;
  auto_vec<struct pg_ref> refs;
  auto_vec<struct pg_reduction> reductions;
  auto_vec<struct pg_field> live_ins, live_outs;
  auto_vec<struct pg_work_array> work_arrays;
  auto_vec<struct pg_array_reduction> array_reductions;
};

bool
pg_region_target_ok ()
{
  return POINTER_SIZE == 64 && BITS_PER_UNIT == 8 && BYTES_BIG_ENDIAN == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Node indexes fit their 16-bit fields: the judge keeps the tables small.  */
static int16_t
narrow (int index)
{
  gcc_assert (index >= -1 && index <= INT16_MAX);
  return index;
}

static struct pg_linear
linear (const struct pg_plan_linear &plan)
{
  struct pg_linear out = {};
  out.base = narrow (plan.base);
  for (int d = 0; d < PG_MAX_DIMS; d++)
    out.coef[d] = narrow (plan.coef[d]);
  return out;
}

static void
fill_nodes (struct tables *tables, const struct pg_plan *plan, const struct pg_outlined *out)
{
  for (unsigned i = 0; i < plan->nodes.length (); i++)
    {
      const struct pg_plan_node &from = plan->nodes[i];
      struct pg_node node = {};
      node.op = from.op;
      node.a = narrow (from.a);
      node.b = narrow (from.b);
      node.value = from.value;
      if (from.op == PG_NODE_ARG)
	{
	  gcc_assert (out->node_offsets[i] >= 0);
	  node.size = out->node_lens[i];
	  node.is_signed = out->node_signed[i];
	  node.value = out->node_offsets[i];
	}
      tables->nodes.safe_push (node);
    }
}

static void
fill_dims (struct tables *tables, const struct pg_plan *plan)
{
  for (unsigned i = 0; i < plan->dims.length (); i++)
    {
      struct pg_dim dim = {};
      dim.parent = narrow (plan->dims[i].parent);
      dim.flags = (plan->dims[i].once ? PG_DIM_ONCE : 0) | (plan->dims[i].ordered ? PG_DIM_ORDERED : 0);
      dim.last = linear (plan->dims[i].last);
      tables->dims.safe_push (dim);
    }
}

static void
fill_checks (struct tables *tables, const struct pg_plan *plan)
{
  for (unsigned i = 0; i < plan->checks.length (); i++)
    {
      const struct pg_plan_check &from = plan->checks[i];
      struct pg_wrap_check check = {};
      check.value = linear (from.value);
      check.dim = narrow (from.dim);
      check.bits = from.bits;
      check.is_signed = from.is_signed;
      tables->checks.safe_push (check);
    }
}

static void
fill_refs (struct tables *tables, const struct pg_plan *plan)
{
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      const struct pg_plan_ref &from = plan->refs[i];
      struct pg_ref ref = {};
      ref.address = linear (from.address);
      ref.dim = narrow (from.dim);
      ref.flags = from.flags;
      ref.level = from.level;
      ref.group = narrow (from.group);
      ref.len = from.len;
      tables->refs.safe_push (ref);
    }
}

static void
fill_reductions (struct tables *tables, const struct pg_plan *plan, const struct pg_outlined *out)
{
  for (unsigned i = 0; i < plan->reductions.length (); i++)
    {
      struct pg_reduction reduction = {};
      reduction.op = plan->reductions[i].op;
      reduction.leader = plan->reductions[i].leader < 0 ? 0 : plan->reductions[i].leader;
      reduction.type = plan->reductions[i].type;
      reduction.offset = out->reduction_offsets[i];
      reduction.is_carried = out->reduction_ends[i] >= 0;
      reduction.end = reduction.is_carried ? out->reduction_ends[i] : 0;
      tables->reductions.safe_push (reduction);
    }
}

static void
fill_fields (vec<struct pg_field> *table, const vec<struct pg_outlined_field> &fields)
{
  for (unsigned i = 0; i < fields.length (); i++)
    {
      struct pg_field field = {};
      field.offset = fields[i].offset;
      field.len = fields[i].len;
      table->safe_push (field);
    }
}

static void
fill_work_arrays (struct tables *tables, const struct pg_plan *plan, const struct pg_outlined *out)
{
  for (unsigned i = 0; i < plan->work_arrays.length (); i++)
    {
      const struct pg_plan_work_array *from = &plan->work_arrays[i];
      struct pg_work_array array = {};
      struct pg_array_reduction reduction = {};
      array.offset = reduction.offset = out->work_offsets[i];
      array.group = reduction.group = narrow (from->group);
      reduction.op = from->op;
      reduction.type = from->type;
      reduction.is_carried = from->store != NULL;
      reduction.decides = from->store && plan->klass == PG_CLASS_POSSIBLY && plan->reason == PG_WHY_CURSORS;
      reduction.cursors = from->store ? out->cursor_offsets[i] : 0;
      if (from->is_reduction)
	tables->array_reductions.safe_push (reduction);
      else
	tables->work_arrays.safe_push (array);
    }
}

/* Return what the runtime is told of PLAN and OUT, but for the addresses; the tables are TABLES, once filled in.  */
static struct pg_region
region_of (struct tables *tables, const struct pg_plan *plan, const struct pg_outlined *out)
{
  struct pg_region region = {};
  fill_nodes (tables, plan, out);
  fill_dims (tables, plan);
  fill_checks (tables, plan);
  fill_refs (tables, plan);
  fill_reductions (tables, plan, out);
  fill_fields (&tables->live_ins, out->live_ins);
  fill_fields (&tables->live_outs, out->live_outs);
  fill_work_arrays (tables, plan, out);

  region.function = pg_function_name (current_function_decl);
  region.line = pg_line (plan->where);
  region.klass = plan->klass;
  region.reason = plan->reason;
  region.flags = plan->region_flags;
  region.args_len = out->args_len;
  region.frame_len = out->frame_len;
  region.n_nodes = tables->nodes.length ();
  region.n_dims = tables->dims.length ();
  region.n_checks = tables->checks.length ();
  region.n_refs = tables->refs.length ();
  region.n_reductions = tables->reductions.length ();
  region.n_live_ins = tables->live_ins.length ();
  region.n_live_outs = tables->live_outs.length ();
  region.n_work_arrays = tables->work_arrays.length ();
  region.n_array_reductions = tables->array_reductions.length ();
  region.nodes = tables->nodes.address ();
  region.dims = tables->dims.address ();
  region.checks = tables->checks.address ();
  region.refs = tables->refs.address ();
  region.reductions = tables->reductions.address ();
  region.live_ins = tables->live_ins.address ();
  region.live_outs = tables->live_outs.address ();
  region.work_arrays = tables->work_arrays.address ();
  region.array_reductions = tables->array_reductions.address ();
  region.kir = out->kernel.address ();
  region.kir_len = out->kernel.length ();
  return region;
}

/* Return a new static variable of this unit, PREFIX.NUMBER, aligned to ALIGN bytes, that the linker sees and a debugger
   does not.  */
static tree
new_variable (const char *prefix, unsigned number, tree type, unsigned align)
{
  char *name = xasprintf ("%s.%u", prefix, number);
  tree decl = build_decl (BUILTINS_LOCATION, VAR_DECL, get_identifier (name), type);
  free (name);
  SET_DECL_ASSEMBLER_NAME (decl, DECL_NAME (decl));
  TREE_STATIC (decl) = 1;
  TREE_ADDRESSABLE (decl) = 1;
  TREE_USED (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  SET_DECL_ALIGN (decl, align * BITS_PER_UNIT);
  DECL_USER_ALIGN (decl) = 1;
  return decl;
}

/* LEN BYTES as an initialiser.  */
static tree
string_of (const char *bytes, size_t len)
{
  tree string = build_string (len, bytes);
  TREE_TYPE (string) = build_array_type_nelts (build_qualified_type (unsigned_char_type_node, TYPE_QUAL_CONST), len);
  return string;
}

/* LEN BYTES that a region is packed into, behind their number, as an initialiser.  */
static tree
packed_string (const char *bytes, size_t len)
{
  auto_vec<char> all;
  all.safe_grow (PG_PACKED_LEN_MOST + len);
  size_t n = pg_descriptor_pack_len ((unsigned char *) all.address (), len);
  memcpy (all.address () + n, bytes, len);
  return string_of (all.address (), n + len);
}

/* Make the read-only variable with LEN BYTES that a region is packed into and return it.  */
static tree
emit_packed (const unsigned char *bytes, size_t len)
{
  tree string = packed_string ((const char *) bytes, len);
  tree decl = new_variable ("paragon.packed", n_regions, TREE_TYPE (string), 1);
  TREE_READONLY (decl) = 1;
  DECL_INITIAL (decl) = string;
  varpool_node::finalize_decl (decl);
  return decl;
}

/* The members of struct pg_descriptor that each has, in their order, and the first of the others.  */
enum member
{
  MEMBER_ABI,
  MEMBER_FLAGS,
  MEMBER_PACKED,
  MEMBER_THRESHOLD,
  MEMBER_STATE,
  MEMBER_BODY,
  MEMBER_FILE,
  N_MEMBERS,
  MEMBER_OTHERS = N_MEMBERS
};

static const struct
{
  size_t offset, len;
} members[N_MEMBERS] = {
#define MEMBER(name)                                                                   \
  {                                                                                    \
    offsetof (struct pg_descriptor, name), sizeof (((struct pg_descriptor *) 0)->name) \
  }
  MEMBER (abi), MEMBER (flags), MEMBER (packed), MEMBER (threshold), MEMBER (state), MEMBER (body), MEMBER (file)
#undef MEMBER
};

/* Return struct pg_descriptor with N_OTHERS as a type of the unit, with integers for addresses.  */
static tree
descriptor_type (int n_others)
{
  tree type = make_node (RECORD_TYPE), fields = NULL_TREE;
  for (int i = 0; i < N_MEMBERS + n_others; i++)
    {
      size_t len = i < N_MEMBERS ? members[i].len : sizeof (int32_t);
      tree integer = len == 8 ? long_long_unsigned_type_node : len == 4 ? unsigned_type_node : short_unsigned_type_node;
      tree field = build_decl (BUILTINS_LOCATION, FIELD_DECL, NULL_TREE, integer);
      DECL_CHAIN (field) = fields;
      fields = field;
    }
  finish_builtin_struct (type, "paragon_descriptor", fields, NULL_TREE);
  return type;
}

tree
pg_region_declare ()
{
  return new_variable ("paragon.region", n_regions + 1, descriptor_type (0), 8);
}

/* Return how many bytes ADDRESS is behind DECL, or 0 if it is NULL_TREE.  */
static tree
offset_from (tree decl, tree address)
{
  if (!address)
    return build_zero_cst (unsigned_type_node);
  tree start = build1 (NOP_EXPR, size_type_node, build_fold_addr_expr (decl));
  tree offset = build2 (MINUS_EXPR, size_type_node, build1 (NOP_EXPR, size_type_node, address), start);
  return build1 (NOP_EXPR, unsigned_type_node, offset);
}

/* Return the address of DECL, or NULL_TREE for none.  */
static tree
address_of (tree decl)
{
  return decl ? build_fold_addr_expr (decl) : NULL_TREE;
}

/* Set OTHERS to where the other functions of OUT are, *N of them, seen from DECL; return their flags.  */
static unsigned
fill_others (tree decl, const struct pg_outlined *out, tree *others, int *n)
{
  const struct
  {
    unsigned flag;
    tree function;
  } all[] = { { PG_DESCRIPTOR_TALLY, out->tally },         { PG_DESCRIPTOR_NOALIAS, out->body_noalias },
	      { PG_DESCRIPTOR_MONITOR, out->monitor },     { PG_DESCRIPTOR_DOACROSS, out->doacross },
	      { PG_DESCRIPTOR_FREE_PART, out->free_part }, { PG_DESCRIPTOR_ORDERED_PART, out->ordered_part } };
  unsigned flags = 0;
  *n = 0;
  for (const auto &other : all)
    if (other.function)
      {
	gcc_assert (*n < PG_DESCRIPTOR_MOST_OTHERS);
	flags |= other.flag;
	others[(*n)++] = offset_from (decl, address_of (other.function));
      }
  return flags;
}

void
pg_region_describe (const struct pg_plan *plan, const struct pg_outlined *out)
{
  struct tables tables;
  struct pg_region region = region_of (&tables, plan, out);
  size_t len = pg_descriptor_pack (&region, NULL, 0);
  unsigned char *bytes = XNEWVEC (unsigned char, len);
  pg_descriptor_pack (&region, bytes, len);
  n_regions++;
  tree packed = emit_packed (bytes, len), decl = out->region_decl;
  packed_of.put (decl, packed);
  free (bytes);

  const char *file = pg_file_name (plan->where);
  tree values[N_MEMBERS + PG_DESCRIPTOR_MOST_OTHERS];
  int n_others;
  unsigned flags = (pg_keeps_original_p (plan) ? 0 : PG_DESCRIPTOR_F_IF_REFUSED)
		   | (plan->is_for_library_at_once ? PG_DESCRIPTOR_AT_ONCE : 0)
		   | fill_others (decl, out, values + MEMBER_OTHERS, &n_others);
  if (pg_options.threshold >= 0 || (plan->region_flags & PG_REGION_FIXED_GRID))
    pg_stub_open_at_load ();
  TREE_TYPE (decl) = descriptor_type (n_others);
  relayout_decl (decl);
  values[MEMBER_ABI] = build_int_cstu (short_unsigned_type_node, PG_ABI_VERSION);
  values[MEMBER_FLAGS] = build_int_cstu (short_unsigned_type_node, flags);
  values[MEMBER_THRESHOLD] = build_int_cstu (long_long_unsigned_type_node, plan->threshold);
  values[MEMBER_STATE] = build_zero_cst (long_long_unsigned_type_node);
  values[MEMBER_BODY] = fold_convert (long_long_unsigned_type_node, address_of (out->body));
  values[MEMBER_PACKED] = offset_from (decl, address_of (packed));
  values[MEMBER_FILE] = offset_from (decl, build_string_literal (strlen (file) + 1, file));

  vec<constructor_elt, va_gc> *elements = NULL;
  tree field = TYPE_FIELDS (TREE_TYPE (decl));
  for (int i = 0; i < N_MEMBERS + n_others; i++, field = DECL_CHAIN (field))
    {
      size_t offset = i < N_MEMBERS ? members[i].offset
				    : offsetof (struct pg_descriptor, others) + (i - N_MEMBERS) * sizeof (int32_t);
      gcc_assert (int_byte_position (field) == (HOST_WIDE_INT) offset);
      CONSTRUCTOR_APPEND_ELT (elements, field, values[i]);
    }
  DECL_INITIAL (decl) = build_constructor (TREE_TYPE (decl), elements);
  TREE_STATIC (DECL_INITIAL (decl)) = 1;
  varpool_node::finalize_decl (decl);
}

/* Change the initialiser's MEMBER of DECL, a region.  */
static void
set_member (tree decl, int member, HOST_WIDE_INT value)
{
  constructor_elt *element = CONSTRUCTOR_ELT (DECL_INITIAL (decl), member);
  element->value = build_int_cst (TREE_TYPE (element->value), value);
}

/* DECL, a region, is to do without the other function that FLAG stands for.  */
static void
drop_other (tree decl, unsigned flag)
{
  unsigned flags = tree_to_uhwi (CONSTRUCTOR_ELT (DECL_INITIAL (decl), MEMBER_FLAGS)->value);
  gcc_assert (flags & flag);
  set_member (decl, MEMBER_OTHERS + popcount_hwi (flags & PG_DESCRIPTOR_OTHERS & (flag - 1)), 0);
}

void
pg_region_add_kernel (tree decl, const vec<char> &kernel)
{
  tree packed = *packed_of.get (decl), old = DECL_INITIAL (packed);
  const char *without = TREE_STRING_POINTER (old);
  while (*without++ & 0x80) /* the number of what follows */
    continue;
  unsigned len = TREE_STRING_POINTER (old) + TREE_STRING_LENGTH (old) - without;
  auto_vec<char> bytes;
  bytes.safe_grow (len + kernel.length ());
  memcpy (bytes.address (), without, len);
  memcpy (bytes.address () + len, kernel.address (), kernel.length ());
  DECL_INITIAL (packed) = packed_string (bytes.address (), bytes.length ());
  TREE_TYPE (packed) = TREE_TYPE (DECL_INITIAL (packed));
  relayout_decl (packed);
}

void
pg_region_drop_noalias (tree decl)
{
  drop_other (decl, PG_DESCRIPTOR_NOALIAS);
}

void
pg_region_drop_doacross (tree decl)
{
  drop_other (decl, PG_DESCRIPTOR_DOACROSS);
}

void
pg_region_shut (tree decl)
{
  set_member (decl, MEMBER_THRESHOLD, INT64_MAX);
}
