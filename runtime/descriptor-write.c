/* SPDX-License-Identifier: MIT
   Regions into bytes.  See descriptor.h for the form.  */
#include "descriptor.h"

#include "kir/pack.h"

#include <string.h>

_Static_assert(PG_MAX_DIMS == 1 << PG_PACKED_DIM_BITS, "numbers of dimensions have so many bits");

struct writer
{
  unsigned char *bytes;
  size_t len, at;            /* AT may be behind LEN: what all of it takes */
  int16_t group, last_group; /* of the reference before; the largest so far */
  uint32_t n_dims;
};

static void
put_byte (struct writer *writer, unsigned byte)
{
  if (writer->at < writer->len)
    writer->bytes[writer->at] = (unsigned char) byte;
  writer->at++;
}

static void
put_bytes (struct writer *writer, const void *bytes, size_t len)
{
  for (size_t i = 0; i < len; i++)
    put_byte (writer, ((const unsigned char *) bytes)[i]);
}

static void
put_number (struct writer *writer, uint64_t number)
{
  for (; number > 0x7f; number >>= 7)
    put_byte (writer, (unsigned) (number & 0x7f) | 0x80);
  put_byte (writer, (unsigned) number);
}

size_t
pg_descriptor_pack_len (unsigned char *bytes, uint32_t len)
{
  struct writer writer = { .bytes = bytes, .len = PG_PACKED_LEN_MOST };
  put_number (&writer, len);
  return writer.at;
}

static void
put_signed (struct writer *writer, int64_t number)
{
  put_number (writer, pg_kir_folded (number));
}

static unsigned
len_code (int64_t len)
{
  unsigned code = 0;
  while (code < PG_PACKED_LEN && len != (int64_t) 1 << code)
    code++;
  return code;
}

static uint64_t
members_of (const struct writer *writer, const struct pg_linear *form)
{
  uint64_t members = form->base >= 0;
  for (uint32_t d = 0; d < writer->n_dims && d < PG_MAX_DIMS; d++)
    members |= (uint64_t) (form->coef[d] >= 0) << (d + 1);
  return members;
}

static void
put_form (struct writer *writer, const struct pg_linear *form)
{
  put_number (writer, members_of (writer, form));
  if (form->base >= 0)
    put_number (writer, (uint64_t) form->base);
  for (uint32_t d = 0; d < writer->n_dims; d++)
    if (form->coef[d] >= 0)
      put_number (writer, (uint64_t) form->coef[d]);
}

static void
put_node (struct writer *writer, const struct pg_node *node)
{
  if (node->op == PG_NODE_ARG)
    {
      put_byte (writer, node->op | len_code (node->size) << 3 | (unsigned) node->is_signed << 5);
      put_number (writer, (uint64_t) node->value);
      return;
    }
  put_byte (writer, node->op);
  if (node->op == PG_NODE_CONST)
    {
      put_signed (writer, node->value);
      return;
    }
  put_number (writer, (uint64_t) node->a);
  put_number (writer, (uint64_t) node->b);
}

static void
put_check (struct writer *writer, const struct pg_wrap_check *check)
{
  put_byte (writer, (unsigned) check->dim | len_code (check->bits / 8) << PG_PACKED_DIM_BITS
		      | (unsigned) check->is_signed << (PG_PACKED_DIM_BITS + 2));
  put_form (writer, &check->value);
}

static void
put_ref (struct writer *writer, const struct pg_ref *ref)
{
  unsigned kind = ref->flags & ~(unsigned) (PG_REF_USUAL | PG_REF_OWN);
  unsigned rare
    = ref->level << 2 | ((ref->flags & PG_REF_OWN) != 0 ? 2u : 0) | ((ref->flags & PG_REF_USUAL) != 0 ? 1u : 0);
  unsigned code = len_code (ref->len), group = PG_PACKED_GROUP;
  if (rare > 0)
    kind |= PG_PACKED_RARE;
  if (members_of (writer, &ref->address) != 0)
    kind |= PG_PACKED_FORM;
  if (ref->group == writer->group)
    group = PG_PACKED_SAME_GROUP;
  else if (ref->group == writer->last_group + 1)
    group = PG_PACKED_NEXT_GROUP;
  put_byte (writer, kind);
  put_number (writer, code | group << 3 | (unsigned) ref->dim << 5);
  if (kind & PG_PACKED_RARE)
    put_number (writer, rare);
  if (group == PG_PACKED_GROUP)
    put_signed (writer, ref->group);
  if (code == PG_PACKED_LEN)
    put_number (writer, (uint64_t) ref->len);
  if (kind & PG_PACKED_FORM)
    put_form (writer, &ref->address);
  writer->group = ref->group;
  if (ref->group > writer->last_group)
    writer->last_group = ref->group;
}

static void
put_reduction (struct writer *writer, const struct pg_reduction *reduction)
{
  put_byte (writer, reduction->op | (unsigned) reduction->type << 4);
  put_number (writer, (uint64_t) reduction->offset << 1 | reduction->is_carried);
  if (reduction->is_carried)
    put_number (writer, reduction->end);
  if (reduction->op == PG_REDUCE_WITH)
    put_number (writer, reduction->leader);
}

static void
put_fields (struct writer *writer, const struct pg_field *fields, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    {
      unsigned code = len_code (fields[i].len);
      put_byte (writer, code);
      if (code == PG_PACKED_LEN)
	put_number (writer, fields[i].len);
      put_number (writer, fields[i].offset);
    }
}

static void
put_work_arrays (struct writer *writer, const struct pg_region *region)
{
  for (uint32_t i = 0; i < region->n_work_arrays; i++)
    {
      put_number (writer, region->work_arrays[i].offset);
      put_signed (writer, region->work_arrays[i].group);
    }
}

static void
put_array_reductions (struct writer *writer, const struct pg_region *region)
{
  for (uint32_t i = 0; i < region->n_array_reductions; i++)
    {
      const struct pg_array_reduction *array = &region->array_reductions[i];
      put_number (writer, array->offset);
      put_signed (writer, array->group);
      put_number (writer, array->op | (unsigned) array->is_carried << 3 | (unsigned) array->decides << 4);
      put_number (writer, array->type);
      if (array->is_carried)
	put_number (writer, array->cursors);
    }
}

static void
put_head (struct writer *writer, const struct pg_region *region)
{
  const uint32_t lengths[]
    = { region->n_nodes,    region->n_checks,    region->n_refs,        region->n_reductions,
	region->n_live_ins, region->n_live_outs, region->n_work_arrays, region->n_array_reductions };
  const size_t n_lengths = sizeof lengths / sizeof *lengths;
  _Static_assert(PG_PACKED_TABLES + sizeof lengths / sizeof *lengths == PG_PACKED_DIMS, "a bit for each table");
  unsigned what = region->klass | (unsigned) region->flags << PG_PACKED_FLAGS | (region->n_dims - 1) << PG_PACKED_DIMS;
  for (size_t i = 0; i < n_lengths; i++)
    what |= (unsigned) (lengths[i] > 0) << (PG_PACKED_TABLES + i);
  put_number (writer, what);
  put_number (writer, region->reason);
  put_number (writer, region->line);
  put_number (writer, region->args_len);
  put_number (writer, region->frame_len);
  for (size_t i = 0; i < n_lengths; i++)
    if (lengths[i] > 0)
      put_number (writer, lengths[i]);
  put_bytes (writer, region->function, strlen (region->function) + 1);
}

size_t
pg_descriptor_pack (const struct pg_region *region, unsigned char *bytes, size_t len)
{
  struct writer writer = { .bytes = bytes, .len = len, .group = -1, .last_group = -1, .n_dims = region->n_dims };
  put_head (&writer, region);
  for (uint32_t i = 0; i < region->n_nodes; i++)
    put_node (&writer, &region->nodes[i]);
  for (uint32_t d = 1; d < region->n_dims; d++)
    {
      put_byte (&writer, (unsigned) region->dims[d].parent | (unsigned) region->dims[d].flags << PG_PACKED_DIM_BITS);
      put_form (&writer, &region->dims[d].last);
    }
  for (uint32_t i = 0; i < region->n_checks; i++)
    put_check (&writer, &region->checks[i]);
  for (uint32_t i = 0; i < region->n_refs; i++)
    put_ref (&writer, &region->refs[i]);
  for (uint32_t i = 0; i < region->n_reductions; i++)
    put_reduction (&writer, &region->reductions[i]);
  put_fields (&writer, region->live_ins, region->n_live_ins);
  put_fields (&writer, region->live_outs, region->n_live_outs);
  put_work_arrays (&writer, region);
  put_array_reductions (&writer, region);
  put_bytes (&writer, region->kir, region->kir_len);
  return writer.at;
}
