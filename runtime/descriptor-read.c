/* SPDX-License-Identifier: MIT
   Regions from bytes.  See descriptor.h for the form.

   The bytes may be anything: nothing in them is trusted.  Each element of a table has a byte of its own at least, so
   that memory is bounded by their number.  What is wrong makes the reader bad, and zeros of all that follows.  */
#include "descriptor.h"

#include "kir/pack.h"

#include <string.h>

struct reader
{
  const unsigned char *bytes;
  size_t len, at;
  char *room; /* where the next table lies */
  const struct pg_region *region;
  int16_t group, last_group; /* of the reference before; the largest so far */
  bool is_bad;
};

static uint64_t
fail (struct reader *reader)
{
  reader->is_bad = true;
  reader->at = reader->len;
  return 0;
}

static unsigned
take_byte (struct reader *reader)
{
  return reader->at < reader->len ? reader->bytes[reader->at++] : (unsigned) fail (reader);
}

/* Take a number of at most MOST.  */
static uint64_t
take_number (struct reader *reader, uint64_t most)
{
  uint64_t number = 0;
  unsigned byte = 0x80;
  for (unsigned shift = 0; byte & 0x80; shift += 7)
    {
      byte = take_byte (reader);
      if (shift == 63 && byte > 1)
	return fail (reader);
      number |= (uint64_t) (byte & 0x7f) << shift;
    }
  return number <= most ? number : fail (reader);
}

const unsigned char *
pg_descriptor_packed (const struct pg_descriptor *descriptor, uint32_t *len)
{
  struct reader reader = { .bytes = pg_descriptor_at (descriptor, descriptor->packed), .len = PG_PACKED_LEN_MOST };
  *len = reader.bytes != NULL ? (uint32_t) take_number (&reader, UINT32_MAX) : 0;
  return reader.bytes != NULL ? reader.bytes + reader.at : NULL;
}

static int64_t
take_signed (struct reader *reader)
{
  return pg_kir_unfolded (take_number (reader, UINT64_MAX));
}

/* Take one of N names by its number.  */
static uint8_t
choose (struct reader *reader, unsigned number, unsigned n)
{
  return number < n ? (uint8_t) number : (uint8_t) fail (reader);
}

static int16_t
take_node_number (struct reader *reader, uint32_t n_nodes)
{
  return n_nodes > 0 ? (int16_t) take_number (reader, n_nodes - 1) : (int16_t) fail (reader);
}

static struct pg_linear
take_form (struct reader *reader, bool is_there)
{
  struct pg_linear form;
  uint64_t members = is_there ? take_number (reader, (UINT64_C (2) << reader->region->n_dims) - 1) : 0;
  uint32_t n_nodes = reader->region->n_nodes;
  form.base = members & 1 ? take_node_number (reader, n_nodes) : -1;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    form.coef[d] = members >> (d + 1) & 1 ? take_node_number (reader, n_nodes) : -1;
  return form;
}

/* Check that the LEN bytes at OFFSET are of the region's arguments.  */
static void
check_field (struct reader *reader, uint64_t offset, uint64_t len)
{
  uint32_t args_len = reader->region->args_len;
  if (offset > args_len || len > args_len - offset)
    fail (reader);
}

static void
take_node (struct reader *reader, struct pg_node *node, uint32_t number)
{
  unsigned kind = take_byte (reader);
  *node = (struct pg_node) { .op = choose (reader, kind & 7, PG_NODE_MUL + 1), .a = -1, .b = -1 };
  if (kind >> (node->op == PG_NODE_ARG ? 6 : 3) != 0)
    fail (reader);
  switch (node->op)
    {
    case PG_NODE_CONST:
      node->value = take_signed (reader);
      break;
    case PG_NODE_ARG:
      node->size = (uint8_t) (1 << (kind >> 3 & 3));
      node->is_signed = kind >> 5 & 1;
      node->value = (int64_t) take_number (reader, UINT32_MAX);
      check_field (reader, (uint64_t) node->value, node->size);
      break;
    default:
      node->a = take_node_number (reader, number);
      node->b = take_node_number (reader, number);
    }
}

/* How many of DIMS are around number DIM, that one included.  */
static int
depth_of (const struct pg_dim *dims, int dim)
{
  int depth = 0;
  for (; dim >= 0; dim = dims[dim].parent)
    depth++;
  return depth;
}

/* Take DIMS[NUMBER].  */
static void
take_dim (struct reader *reader, struct pg_dim *dims, uint32_t number)
{
  struct pg_dim *dim = &dims[number];
  *dim = (struct pg_dim) { .parent = -1 };
  if (number > 0)
    {
      unsigned outer = take_byte (reader);
      dim->parent = choose (reader, outer & (PG_MAX_DIMS - 1), number);
      dim->flags = choose (reader, outer >> PG_PACKED_DIM_BITS, (PG_DIM_ONCE | PG_DIM_ORDERED) + 1);
      if (depth_of (dims, (int) number) > PG_MAX_DEPTH)
	fail (reader);
    }
  dim->last = take_form (reader, number > 0);
}

static void
take_check (struct reader *reader, struct pg_wrap_check *check)
{
  unsigned kind = take_byte (reader);
  check->dim = choose (reader, kind & (PG_MAX_DIMS - 1), reader->region->n_dims);
  check->bits = (uint8_t) (8 << choose (reader, kind >> PG_PACKED_DIM_BITS & 3, 3));
  check->is_signed = choose (reader, kind >> (PG_PACKED_DIM_BITS + 2), 2);
  check->value = take_form (reader, true);
}

/* Take what LEN-CODE CODE stands for.  */
static uint64_t
take_len (struct reader *reader, unsigned code, uint64_t most)
{
  return code == PG_PACKED_LEN ? take_number (reader, most) : (uint64_t) 1 << code;
}

static int16_t
take_group (struct reader *reader, unsigned from)
{
  int64_t group = from == PG_PACKED_SAME_GROUP   ? reader->group
		  : from == PG_PACKED_NEXT_GROUP ? reader->last_group + 1
		  : from == PG_PACKED_GROUP      ? take_signed (reader)
						 : INT64_MAX;
  if (group < INT16_MIN || group > INT16_MAX)
    return (int16_t) fail (reader);
  reader->group = (int16_t) group;
  if (group > reader->last_group)
    reader->last_group = (int16_t) group;
  return reader->group;
}

static void
take_ref (struct reader *reader, struct pg_ref *ref)
{
  unsigned kind = take_byte (reader), place = (unsigned) take_number (reader, (PG_MAX_DIMS << 5) - 1);
  *ref = (struct pg_ref) { .flags = kind & (PG_PACKED_RARE - 1) };
  ref->dim = choose (reader, place >> 5, reader->region->n_dims);
  if (kind & PG_PACKED_RARE)
    {
      unsigned rare = (unsigned) take_number (reader, UINT8_MAX << 2 | 3);
      ref->flags |= (uint8_t) ((rare & 1 ? PG_REF_USUAL : 0) | (rare & 2 ? PG_REF_OWN : 0));
      ref->level = (uint8_t) (rare >> 2);
    }
  ref->group = take_group (reader, place >> 3 & 3);
  ref->len = (int64_t) take_len (reader, place & 7, INT64_MAX);
  ref->address = take_form (reader, (kind & PG_PACKED_FORM) != 0);
}

/* Take the number of one of the N reductions at REDUCTIONS, which another one follows.  */
static uint16_t
take_leader (struct reader *reader, const struct pg_reduction *reductions, uint32_t n)
{
  uint64_t leader = take_number (reader, UINT16_MAX);
  if (leader >= n)
    return (uint16_t) fail (reader);
  uint8_t op = reductions[leader].op;
  return op == PG_REDUCE_MIN || op == PG_REDUCE_MAX || op == PG_REDUCE_OR ? (uint16_t) leader
									  : (uint16_t) fail (reader);
}

/* Take reduction NUMBER of those at REDUCTIONS.  */
static void
take_reduction (struct reader *reader, struct pg_reduction *reductions, uint32_t number)
{
  struct pg_reduction *reduction = &reductions[number];
  unsigned kind = take_byte (reader);
  *reduction = (struct pg_reduction) { .op = choose (reader, kind & 15, PG_REDUCE_WITH + 1),
				       .type = choose (reader, kind >> 4, PG_F64 + 1) };
  uint64_t place = take_number (reader, (uint64_t) UINT32_MAX << 1 | 1);
  uint64_t len = reduction->type < PG_F32 ? 1u << (reduction->type & 3) : reduction->type == PG_F32 ? 4 : 8;
  reduction->offset = (uint32_t) (place >> 1);
  reduction->is_carried = place & 1;
  check_field (reader, reduction->offset, len);
  if (reduction->is_carried)
    {
      reduction->end = (uint32_t) take_number (reader, UINT32_MAX);
      check_field (reader, reduction->end, len);
    }
  if (reduction->op == PG_REDUCE_WITH)
    reduction->leader = take_leader (reader, reductions, number);
}

static void
take_field (struct reader *reader, struct pg_field *field)
{
  field->len = (uint32_t) take_len (reader, choose (reader, take_byte (reader), PG_PACKED_LEN + 1), UINT32_MAX);
  field->offset = (uint32_t) take_number (reader, UINT32_MAX);
  check_field (reader, field->offset, field->len);
}

/* Elements that a table can have.  */
static uint64_t
most_elements (const struct reader *reader)
{
  size_t left = reader->len - reader->at;
  return left < INT16_MAX ? left : INT16_MAX;
}

/* Set REGION to all but its tables.  */
static void
take_head (struct reader *reader, struct pg_region *region)
{
  uint32_t *const lengths[]
    = { &region->n_nodes,    &region->n_checks,    &region->n_refs,        &region->n_reductions,
	&region->n_live_ins, &region->n_live_outs, &region->n_work_arrays, &region->n_array_reductions };
  const size_t n_lengths = sizeof lengths / sizeof *lengths;
  unsigned what = (unsigned) take_number (reader, (1 << (PG_PACKED_DIMS + PG_PACKED_DIM_BITS)) - 1);
  region->klass = what & 1;
  region->flags = what >> PG_PACKED_FLAGS & ((1 << (PG_PACKED_TABLES - PG_PACKED_FLAGS)) - 1);
  region->n_dims = 1 + (what >> PG_PACKED_DIMS & (PG_MAX_DIMS - 1));
  region->reason = (uint8_t) take_number (reader, PG_N_REASONS - 1);
  region->line = (uint32_t) take_number (reader, UINT32_MAX);
  region->args_len = (uint32_t) take_number (reader, UINT32_MAX);
  region->frame_len = (uint32_t) take_number (reader, UINT32_MAX);
  for (size_t i = 0; i < n_lengths; i++)
    if (what >> (PG_PACKED_TABLES + i) & 1)
      *lengths[i] = (uint32_t) take_number (reader, most_elements (reader));
  region->function = (const char *) reader->bytes + reader->at;
  while (take_byte (reader) != 0)
    continue;
}

/* Take the next of DESCRIPTOR's others, of which N have been taken, if it has FLAG; else NULL.  */
static pg_loop_fn *
take_other (const struct pg_descriptor *descriptor, enum pg_descriptor_flags flag, int *n)
{
  if (!(descriptor->flags & flag) || *n == PG_DESCRIPTOR_MOST_OTHERS)
    return NULL;
  return (pg_loop_fn *) (uintptr_t) pg_descriptor_at (descriptor, descriptor->others[(*n)++]);
}

/* Set REGION to what DESCRIPTOR says outside of what is packed.  */
static void
take_addresses (struct pg_region *region, const struct pg_descriptor *descriptor)
{
  region->first_threshold = __atomic_load_n (&descriptor->threshold, __ATOMIC_RELAXED);
  region->file = pg_descriptor_at (descriptor, descriptor->file);
  region->body = descriptor->body;
  int n_taken = 0;
  region->tally = take_other (descriptor, PG_DESCRIPTOR_TALLY, &n_taken);
  region->body_noalias = take_other (descriptor, PG_DESCRIPTOR_NOALIAS, &n_taken);
  region->monitor = take_other (descriptor, PG_DESCRIPTOR_MONITOR, &n_taken);
  region->doacross = take_other (descriptor, PG_DESCRIPTOR_DOACROSS, &n_taken);
  region->free_part = take_other (descriptor, PG_DESCRIPTOR_FREE_PART, &n_taken);
  region->ordered_part = take_other (descriptor, PG_DESCRIPTOR_ORDERED_PART, &n_taken);
}

static size_t
round_up (size_t len)
{
  return (len + 7) & ~(size_t) 7;
}

size_t
pg_descriptor_tables_len (const struct pg_region *region)
{
  return round_up (region->n_nodes * sizeof (struct pg_node)) + round_up (region->n_dims * sizeof (struct pg_dim))
	 + round_up (region->n_checks * sizeof (struct pg_wrap_check))
	 + round_up (region->n_refs * sizeof (struct pg_ref))
	 + round_up (region->n_reductions * sizeof (struct pg_reduction))
	 + round_up (region->n_live_ins * sizeof (struct pg_field))
	 + round_up (region->n_live_outs * sizeof (struct pg_field))
	 + round_up (region->n_work_arrays * sizeof (struct pg_work_array))
	 + round_up (region->n_array_reductions * sizeof (struct pg_array_reduction));
}

/* A table's memory, of LEN bytes.  */
static void *
take_room (struct reader *reader, size_t len)
{
  void *room = reader->room;
  reader->room += round_up (len);
  return room;
}

static const struct pg_field *
take_fields (struct reader *reader, uint32_t n)
{
  struct pg_field *fields = take_room (reader, n * sizeof *fields);
  for (uint32_t i = 0; i < n; i++)
    take_field (reader, &fields[i]);
  return fields;
}

static int16_t
take_whole_group (struct reader *reader)
{
  int64_t group = take_signed (reader);
  return INT16_MIN <= group && group <= INT16_MAX ? (int16_t) group : (int16_t) fail (reader);
}

static const struct pg_work_array *
take_work_arrays (struct reader *reader, uint32_t n)
{
  struct pg_work_array *arrays = take_room (reader, n * sizeof *arrays);
  for (uint32_t i = 0; i < n; i++)
    {
      arrays[i].offset = (uint32_t) take_number (reader, UINT32_MAX);
      check_field (reader, arrays[i].offset, sizeof (void *));
      arrays[i].group = take_whole_group (reader);
    }
  return arrays;
}

static const struct pg_array_reduction *
take_array_reductions (struct reader *reader, uint32_t n)
{
  struct pg_array_reduction *arrays = take_room (reader, n * sizeof *arrays);
  for (uint32_t i = 0; i < n; i++)
    {
      arrays[i].offset = (uint32_t) take_number (reader, UINT32_MAX);
      check_field (reader, arrays[i].offset, sizeof (void *));
      arrays[i].group = take_whole_group (reader);
      unsigned kind = (unsigned) take_number (reader, 31);
      arrays[i].op = choose (reader, kind & 7, PG_REDUCE_MAX + 1);
      arrays[i].is_carried = kind >> 3 & 1;
      arrays[i].decides = kind >> 4;
      arrays[i].type = (uint8_t) take_number (reader, arrays[i].is_carried ? PG_U64 : PG_F64);
      arrays[i].cursors = 0;
      if (arrays[i].is_carried)
	{
	  arrays[i].cursors = (uint32_t) take_number (reader, UINT32_MAX);
	  check_field (reader, arrays[i].cursors, sizeof (struct pg_cursors));
	}
    }
  return arrays;
}

static void
take_tables (struct reader *reader, struct pg_region *region)
{
  struct pg_node *nodes = take_room (reader, region->n_nodes * sizeof *nodes);
  struct pg_dim *dims = take_room (reader, region->n_dims * sizeof *dims);
  struct pg_wrap_check *checks = take_room (reader, region->n_checks * sizeof *checks);
  struct pg_ref *refs = take_room (reader, region->n_refs * sizeof *refs);
  struct pg_reduction *reductions = take_room (reader, region->n_reductions * sizeof *reductions);
  for (uint32_t i = 0; i < region->n_nodes; i++)
    take_node (reader, &nodes[i], i);
  for (uint32_t i = 0; i < region->n_dims; i++)
    take_dim (reader, dims, i);
  for (uint32_t i = 0; i < region->n_checks; i++)
    take_check (reader, &checks[i]);
  for (uint32_t i = 0; i < region->n_refs; i++)
    take_ref (reader, &refs[i]);
  for (uint32_t i = 0; i < region->n_reductions; i++)
    take_reduction (reader, reductions, i);
  region->nodes = nodes;
  region->dims = dims;
  region->checks = checks;
  region->refs = refs;
  region->reductions = reductions;
  region->live_ins = take_fields (reader, region->n_live_ins);
  region->live_outs = take_fields (reader, region->n_live_outs);
  region->work_arrays = take_work_arrays (reader, region->n_work_arrays);
  region->array_reductions = take_array_reductions (reader, region->n_array_reductions);
}

bool
pg_descriptor_begin (struct pg_region *region, const struct pg_descriptor *descriptor)
{
  uint32_t len;
  const unsigned char *packed = pg_descriptor_packed (descriptor, &len);
  struct reader reader = { .bytes = packed, .len = len };
  *region = (struct pg_region) { .line = 0 };
  take_addresses (region, descriptor);
  if (reader.bytes == NULL || region->file == NULL || region->body == NULL)
    return false;
  take_head (&reader, region);
  return !reader.is_bad;
}

bool
pg_descriptor_unpack (struct pg_region *region, const struct pg_descriptor *descriptor, const unsigned char *packed,
		      void *room)
{
  uint32_t len;
  pg_descriptor_packed (descriptor, &len);
  struct reader reader = { .bytes = packed, .len = len, .room = room, .region = region, .group = -1, .last_group = -1 };
  *region = (struct pg_region) { .line = 0 };
  take_addresses (region, descriptor);
  take_head (&reader, region);
  take_tables (&reader, region);
  region->kir_len = reader.len - reader.at;
  region->kir = region->kir_len > 0 ? packed + reader.at : NULL;
  return !reader.is_bad;
}
