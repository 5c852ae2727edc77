/* SPDX-License-Identifier: GPL-3.0-or-later
   The region descriptor: what the runtime reads about an outlined loop, as initialised data of the object.

   The plan's tables become the structs of include/paragon_region.h, filled in here as the runtime will read them, so
   that the two cannot differ; their bytes then become two variables:

       paragon.tables.N   read-only   nodes | dims | checks | refs | reductions | live-ins | live-outs | strings
       paragon.region.N   writable    struct pg_region, as 64-bit words; some are addresses of tables or functions

   This takes compiler and target to have the same byte order and 64-bit pointers: pg_region_target_ok.  */

#include "plan.h"
#include "describe.h"
#include "where.h"

static_assert (sizeof (struct pg_region) % 8 == 0, "the region is made of 64-bit words");
static_assert (sizeof (void *) == 8, "the compiler's pointers stand for the target's");

static const unsigned n_words = sizeof (struct pg_region) / 8;

/* Regions of this unit so far: the next one's number.  */
static unsigned n_regions;

/* The depth in its function of the loop that was declared last: outlining moves it away.  */
static unsigned declared_depth;

/* The tables, growing.  */
struct image
{
  auto_vec<char> bytes;
};

/* A region being put together: WORDS is its memory; a word with an entry in ADDRESSES holds that address instead.  */
struct draft
{
  union
  {
    struct pg_region region;
    uint64_t words[n_words];
  };
  tree addresses[n_words];
};

#define WORD_OF(member) (offsetof (struct pg_region, member) / 8)

bool
pg_region_target_ok ()
{
  return POINTER_SIZE == 64 && BITS_PER_UNIT == 8 && BYTES_BIG_ENDIAN == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Add the LEN bytes at DATA to IMAGE, aligned; return where they start.  */
static size_t
add_bytes (struct image *image, const void *data, size_t len)
{
  while (image->bytes.length () % 8)
    image->bytes.safe_push (0);
  size_t start = image->bytes.length ();
  image->bytes.safe_grow (start + len);
  memcpy (image->bytes.address () + start, data, len);
  return start;
}

static size_t
add_string (struct image *image, const char *text)
{
  return add_bytes (image, text, strlen (text) + 1);
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

/* The add_* functions below append one table to IMAGE and return where it starts.  */

static size_t
add_nodes (struct image *image, const struct pg_plan *plan, const struct pg_outlined *out)
{
  auto_vec<struct pg_node> table;
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
      table.safe_push (node);
    }
  return add_bytes (image, table.address (), table.length () * sizeof (struct pg_node));
}

static size_t
add_dims (struct image *image, const struct pg_plan *plan)
{
  auto_vec<struct pg_dim> table;
  for (unsigned i = 0; i < plan->dims.length (); i++)
    {
      struct pg_dim dim = {};
      dim.parent = narrow (plan->dims[i].parent);
      dim.last = linear (plan->dims[i].last);
      table.safe_push (dim);
    }
  return add_bytes (image, table.address (), table.length () * sizeof (struct pg_dim));
}

static size_t
add_checks (struct image *image, const struct pg_plan *plan)
{
  auto_vec<struct pg_wrap_check> table;
  for (unsigned i = 0; i < plan->checks.length (); i++)
    {
      const struct pg_plan_check &from = plan->checks[i];
      struct pg_wrap_check check = {};
      check.value = linear (from.value);
      check.dim = narrow (from.dim);
      check.bits = from.bits;
      check.is_signed = from.is_signed;
      table.safe_push (check);
    }
  return add_bytes (image, table.address (), table.length () * sizeof (struct pg_wrap_check));
}

static size_t
add_refs (struct image *image, const struct pg_plan *plan)
{
  auto_vec<struct pg_ref> table;
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      const struct pg_plan_ref &from = plan->refs[i];
      struct pg_ref ref = {};
      ref.address = linear (from.address);
      ref.dim = narrow (from.dim);
      ref.flags = from.flags;
      ref.level = from.level;
      ref.group = narrow (from.group);
      ref.line = pg_line (from.where);
      ref.len = from.len;
      table.safe_push (ref);
    }
  return add_bytes (image, table.address (), table.length () * sizeof (struct pg_ref));
}

static size_t
add_reductions (struct image *image, const struct pg_plan *plan, const struct pg_outlined *out)
{
  auto_vec<struct pg_reduction> table;
  for (unsigned i = 0; i < plan->reductions.length (); i++)
    {
      struct pg_reduction reduction = {};
      reduction.op = plan->reductions[i].op;
      reduction.type = plan->reductions[i].type;
      reduction.offset = out->reduction_offsets[i];
      table.safe_push (reduction);
    }
  return add_bytes (image, table.address (), table.length () * sizeof (struct pg_reduction));
}

static size_t
add_fields (struct image *image, const vec<struct pg_outlined_field> &fields)
{
  auto_vec<struct pg_field> table;
  for (unsigned i = 0; i < fields.length (); i++)
    {
      struct pg_field field = {};
      field.offset = fields[i].offset;
      field.len = fields[i].len;
      field.flags = fields[i].flags;
      table.safe_push (field);
    }
  return add_bytes (image, table.address (), table.length () * sizeof (struct pg_field));
}

/* Return a new static variable of this unit, PREFIX.NUMBER, that the linker sees and a debugger does not.  */
static tree
new_variable (const char *prefix, unsigned number, tree type)
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
  SET_DECL_ALIGN (decl, 64);
  DECL_USER_ALIGN (decl) = 1;
  return decl;
}

/* Make the read-only variable with IMAGE's bytes and return it.  */
static tree
emit_tables (const struct image *image, unsigned number)
{
  unsigned len = image->bytes.length ();
  tree type = build_array_type_nelts (build_qualified_type (unsigned_char_type_node, TYPE_QUAL_CONST), len);
  tree bytes = build_string (len, image->bytes.address ());
  TREE_TYPE (bytes) = type;

  tree decl = new_variable ("paragon.tables", number, type);
  TREE_READONLY (decl) = 1;
  DECL_INITIAL (decl) = bytes;
  varpool_node::finalize_decl (decl);
  return decl;
}

/* Return the address of FUNCTION, or NULL_TREE for none.  */
static tree
function_address (tree function)
{
  return function ? build_fold_addr_expr (function) : NULL_TREE;
}

/* Fill in what DRAFT's region takes from PLAN and OUT as numbers.  */
static void
fill_numbers (struct draft *draft, const struct pg_plan *plan, const struct pg_outlined *out)
{
  struct pg_region *region = &draft->region;
  region->abi = PG_ABI_VERSION;
  region->region_len = sizeof (struct pg_region);
  region->threshold = plan->threshold;
  region->line = pg_line (plan->where);
  region->depth = declared_depth;
  region->klass = plan->klass;
  region->flags = plan->region_flags;
  region->args_len = out->args_len;
  region->frame_len = out->frame_len;
  region->n_nodes = plan->nodes.length ();
  region->n_dims = plan->dims.length ();
  region->n_checks = plan->checks.length ();
  region->n_refs = plan->refs.length ();
  region->n_reductions = plan->reductions.length ();
  region->n_live_ins = out->live_ins.length ();
  region->n_live_outs = out->live_outs.length ();
  region->kir_len = out->kernel.length ();
}

/* Make the tables of PLAN and OUT, and DRAFT's addresses, in them and of functions.  */
static void
fill_addresses (struct draft *draft, const struct pg_plan *plan, const struct pg_outlined *out)
{
  struct image image;
  const struct
  {
    size_t word, start;
  } places[] = {
    { WORD_OF (nodes), add_nodes (&image, plan, out) },
    { WORD_OF (dims), add_dims (&image, plan) },
    { WORD_OF (checks), add_checks (&image, plan) },
    { WORD_OF (refs), add_refs (&image, plan) },
    { WORD_OF (reductions), add_reductions (&image, plan, out) },
    { WORD_OF (live_ins), add_fields (&image, out->live_ins) },
    { WORD_OF (live_outs), add_fields (&image, out->live_outs) },
    { WORD_OF (file), add_string (&image, pg_file_name (plan->where)) },
    { WORD_OF (function), add_string (&image, pg_function_name (current_function_decl)) },
    { WORD_OF (reason), add_string (&image, pg_reasons[plan->reason].name) },
    { WORD_OF (kir), add_bytes (&image, out->kernel.address (), out->kernel.length ()) },
  };

  tree tables = build_fold_addr_expr_with_type (emit_tables (&image, n_regions), ptr_type_node);
  for (const auto &place : places)
    if (place.word != WORD_OF (kir) || !out->kernel.is_empty ())
      draft->addresses[place.word] = fold_build_pointer_plus_hwi (tables, place.start);

  draft->addresses[WORD_OF (body)] = function_address (out->body);
  draft->addresses[WORD_OF (body_noalias)] = function_address (out->body_noalias);
  draft->addresses[WORD_OF (monitor)] = function_address (out->monitor);
}

tree
pg_region_declare (struct pg_plan *plan)
{
  declared_depth = loop_depth (plan->loop);
  tree type = build_array_type_nelts (long_long_unsigned_type_node, n_words);
  return new_variable ("paragon.region", n_regions + 1, type);
}

void
pg_region_describe (const struct pg_plan *plan, const struct pg_outlined *out)
{
  struct draft draft = {};
  n_regions++;
  fill_numbers (&draft, plan, out);
  fill_addresses (&draft, plan, out);

  tree word_type = TREE_TYPE (TREE_TYPE (out->region_decl));
  vec<constructor_elt, va_gc> *words = NULL;
  for (unsigned i = 0; i < n_words; i++)
    CONSTRUCTOR_APPEND_ELT (words, size_int (i),
			    draft.addresses[i] ? fold_convert (word_type, draft.addresses[i])
					       : build_int_cstu (word_type, draft.words[i]));
  DECL_INITIAL (out->region_decl) = build_constructor (TREE_TYPE (out->region_decl), words);
  TREE_STATIC (DECL_INITIAL (out->region_decl)) = 1;
  varpool_node::finalize_decl (out->region_decl);
}
