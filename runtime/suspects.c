/* SPDX-License-Identifier: MIT
   Suspects.  See suspects.h.  */
#include "suspects.h"

#include <string.h>

enum
{
  LOW_ALIGN = 64 /* of an array */
};

#define NO_OBJECT PG_KIR_MOST_BASES

void
pg_suspects_find (struct pg_suspects *suspects, uint8_t *is_open, const struct pg_view *view,
		  const struct pg_kernels *kernels, const struct pg_objects *objects, bool is_forced)
{
  const struct pg_region *region = view->region;
  *suspects = (struct pg_suspects) { .is_stable = true };
  memset (is_open, 0, region->n_refs);
  if (region->klass == PG_CLASS_PARALLEL && !is_forced)
    return;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	unsigned flags_a = region->refs[a].flags, flags_b = region->refs[b].flags;
	if (!pg_pair_matters (view, a, b) || (!is_forced && pg_pair_settled (view, a, b, 0, view->n_iters)))
	  continue;
	if (!is_forced && view->bounds != NULL
	    && !pg_objects_meet (objects, &kernels->bases, &kernels->uses[a], &kernels->uses[b]))
	  {
	    suspects->is_told = true;
	    continue;
	  }
	is_open[a] = is_open[b] = true;
	suspects->has_any = true;
	suspects->has_reads |= !(flags_a & flags_b & PG_REF_WRITE);
	if (!(region->flags & PG_REGION_SLICE_STABLE) && ((flags_a | flags_b) & PG_REF_FEEDS))
	  suspects->is_stable = false;
      }
}

/* The method for SUSPECTS: FORCED, or the one that notes least.  Where nothing is noted of reads, none may conflict;
   where addresses may change, to compute them again would find conflicts that are none.  */
static enum pg_method
choose (const struct pg_suspects *suspects, enum pg_method forced)
{
  if (!suspects->has_any)
    return PG_METHOD_PLAIN;
  if (forced == PG_METHOD_NONE && suspects->has_reads)
    return PG_METHOD_FULL;
  if (forced != PG_METHOD_PLAIN)
    return forced;
  return !suspects->has_reads ? PG_METHOD_NONE : suspects->is_stable ? PG_METHOD_SELECTIVE : PG_METHOD_FULL;
}

/* The object that accesses with USE go to; NO_OBJECT: none is, or it may be one or another, and *IS_ONE is false.  */
static uint8_t
object_of (const struct pg_kernels *kernels, const struct pg_objects *objects, const struct pg_kir_use *use,
	   bool *is_one)
{
  uint8_t found = NO_OBJECT;
  for (uint32_t b = 0; b < kernels->bases.n; b++)
    if (use->bases >> b & 1 && objects->of_base[b] != NO_OBJECT)
      {
	*is_one &= found == NO_OBJECT || found == objects->of_base[b];
	found = objects->of_base[b];
      }
  return found;
}

/* The number of OBJECT's array, a new one if there is none.  */
static uint8_t
array_of (struct pg_suspects *suspects, const struct pg_objects *objects, uint8_t object)
{
  uint32_t a = 0;
  while (a < suspects->n_arrays && suspects->arrays[a].object != object)
    a++;
  if (a == suspects->n_arrays)
    {
      const struct pg_object *memory = &objects->objects[object];
      uint64_t pad = memory->low % LOW_ALIGN;
      suspects->arrays[a] = (struct pg_suspect_array) { .object = object, .len = memory->end - memory->low + pad };
      suspects->n_arrays++;
    }
  return (uint8_t) a;
}

/* The bits of what accesses of reference REF have in common, beside their length.  */
static uint64_t
alignment (const struct pg_view *view, uint32_t ref)
{
  const struct pg_place *place = &view->places[ref];
  uint64_t bits = 0;
  if (!place->is_affine || place->is_never)
    return 0;
  for (uint32_t d = 0; d < view->region->n_dims; d++)
    bits |= (uint64_t) place->address.coef[d];
  return bits | (uint64_t) place->address.base;
}

bool
pg_suspects_note (struct pg_suspects *suspects, struct pg_wish *wish, enum pg_method forced, const uint8_t *is_open,
		  const struct pg_view *view, const struct pg_kernels *kernels, const struct pg_objects *objects)
{
  uint64_t bits[PG_KIR_MOST_BASES] = { 0 };
  bool is_one = true;
  suspects->n_arrays = 0;
  wish->method = choose (suspects, forced);
  memset (wish->array_of, PG_KIR_NOT_LOGGED, sizeof wish->array_of);
  for (uint32_t r = 0; r < kernels->loop.n_refs && wish->method != PG_METHOD_PLAIN; r++)
    {
      bool is_listed = r < view->region->n_refs, is_noted = is_listed && is_open[r];
      uint8_t object = object_of (kernels, objects, &kernels->uses[r], &is_one);
      if (object == NO_OBJECT || (!is_noted && is_listed && view->places[r].is_affine))
	continue;
      uint8_t array = array_of (suspects, objects, object);
      wish->array_of[r] = array;
      wish->bounds_only[r] = !is_noted;
      suspects->arrays[array].is_noted |= is_noted;
      if (is_noted)
	bits[array] |= kernels->uses[r].least_len | alignment (view, r);
    }
  for (uint32_t a = 0; a < suspects->n_arrays; a++)
    {
      wish->shift_of[a] = bits[a] == 0 ? 0 : (uint8_t) __builtin_ctzll (bits[a]);
      suspects->arrays[a].n_granules = (suspects->arrays[a].len >> wish->shift_of[a]) + 1;
    }
  wish->n_arrays = suspects->n_arrays;
  return is_one;
}
