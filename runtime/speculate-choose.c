/* SPDX-License-Identifier: MIT
   What to run on a device, and how.  See speculate.h.  */
#include "device-hints.h"
#include "futex.h"
#include "shape.h"
#include "speculate.h"

#include <string.h>

enum
{
  SLOT_LEN = 8 /* of a block's memory, where a thread leaves what it reduced */
};

/* An iteration is the work of a thread.  */
static const struct pg_shape threads = { PG_MAPPED_THREAD, 1 };

/* Set *SIZE to one for grids of SPEC's device with teams of N_MEMBERS that reduce N_REDUCED values: that of loops
   that are long enough to fill it.  */
static bool
choose_size (const struct pg_speculation *spec, uint32_t n_members, uint32_t n_reduced, struct pg_kir_size *size)
{
  struct pg_kir_limits limits;
  const struct pg_kir_need need = { .n_iters = INT32_MAX, .n_members = n_members, .shared_len = n_reduced * SLOT_LEN };
  spec->device->ops->get_limits (spec->device, &limits);
  return pg_kir_choose_size (size, &limits, &need);
}

/* Have a size for SPEC's grids where an iteration is one thread's.  */
static bool
have_size (struct pg_speculation *spec)
{
  return spec->full.n_threads > 0 || choose_size (spec, 1, 1, &spec->full);
}

/* Have the variant that is wished for; by the method that suits all loops, if it is not one for this loop.  */
static enum pg_kernels_status
get_variant (struct pg_speculation *spec)
{
  struct pg_wish *wish = &spec->wish;
  enum pg_kernels_status status = pg_kernels_get (&spec->kernels, wish, spec->device, &spec->variant);
  if (status == PG_KERNELS_METHOD)
    {
      wish->method = PG_METHOD_FULL;
      status = pg_kernels_get (&spec->kernels, wish, spec->device, &spec->variant);
    }
  return status;
}

/* Have SHAPE's numbers, and wish for them.  False: the device has no room for such teams.  */
static bool
have_shape (struct pg_speculation *spec, const struct pg_shape *shape, int64_t n_turns)
{
  struct pg_wish *wish = &spec->wish;
  const struct pg_kir_kernel *loop = &spec->kernels.loop;
  bool is_team = shape->mapped == PG_MAPPED_TEAM;
  spec->size = spec->full;
  if (is_team && !choose_size (spec, shape->n_members, spec->shared->found.n_reduced, &spec->size))
    return false;
  spec->n_turns = shape->mapped == PG_MAPPED_COLLAPSE ? n_turns : 1;
  wish->mapped = shape->mapped;
  wish->n_members = shape->n_members;
  wish->header = is_team ? spec->shared->found.header : 0;
  wish->n_threads = spec->size.n_threads;
  wish->is_short = pg_shape_is_short (&spec->size, spec->view->n_iters, spec->n_turns);
  wish->mapping
    = is_team ? PG_KIR_STRIDED : pg_shape_mapping (loop, pg_region_has_fixed_grid (spec->region), wish->is_short);
  return true;
}

/* Find what the inner loops allow, if nothing is noted, and the loop's order does not matter, for N_ITERS
   iterations.  */
static struct pg_shape
choose_shape (struct pg_speculation *spec, int64_t n_iters, int64_t *n_turns)
{
  bool has_fixed_grid = pg_region_has_fixed_grid (spec->region);
  struct pg_kir_limits limits;
  struct pg_nests *nests;
  bool are_free;
  enum pg_mapped forced = pg_environment.map == 0 ? PG_N_MAPPED : (enum pg_mapped) (pg_environment.map - 1);
  if (spec->wish.method != PG_METHOD_PLAIN
      || (forced == PG_N_MAPPED && !pg_shape_is_idle (n_iters, pg_speculation_threads (&spec->full)))
      || pg_shape_mapping (&spec->kernels.loop, has_fixed_grid, false) == PG_KIR_CHUNKED
      || (nests = pg_kernels_nests (&spec->kernels)) == NULL)
    return threads;
  spec->device->ops->get_limits (spec->device, &limits);
  struct pg_shape_facts facts = { .n_iters = n_iters,
				  .n_running = pg_speculation_threads (&spec->full),
				  .together = limits.together,
				  .n_threads = limits.n_threads };
  spec->shared = pg_nests_look (nests, spec->view, spec->view->args, &facts, &are_free);
  struct pg_shape shape = pg_shape_choose (&facts, forced);
  spec->wish.is_free = shape.mapped == PG_MAPPED_TEAM && are_free;
  *n_turns = facts.n_collapsed;
  return shape;
}

/* Take note that the nest cannot be mapped as MAPPED.  */
static void
refuse (struct pg_speculation *spec, enum pg_mapped mapped)
{
  if (mapped == PG_MAPPED_TEAM)
    spec->shared->is_refused[spec->wish.is_free] = true;
  else
    pg_kir_end (&spec->kernels.nests.collapsed);
}

/* Wish for a shape for N_ITERS iterations, and have the variant; the usual one, if it is not
   to be had.  */
static enum pg_kernels_status
wish_for_shape (struct pg_speculation *spec, int64_t n_iters)
{
  int64_t n_turns = 1;
  struct pg_shape shape = choose_shape (spec, n_iters, &n_turns);
  enum pg_kernels_status status = have_shape (spec, &shape, n_turns) ? get_variant (spec) : PG_KERNELS_LARGE;
  if (status == PG_KERNELS_OK || shape.mapped == PG_MAPPED_THREAD)
    return status;
  if (status != PG_KERNELS_MANY)
    refuse (spec, shape.mapped);
  spec->wish.is_free = false;
  have_shape (spec, &threads, 1);
  return get_variant (spec);
}

/* Find the entry's objects and suspects.  */
static enum pg_objects_status
find_objects (struct pg_speculation *spec)
{
  const struct pg_kernels *kernels = &spec->kernels;
  bool is_forced = pg_environment.step == PG_RUNG_L4;
  enum pg_objects_status status
    = pg_objects_find (&spec->objects, spec->view, &kernels->bases, kernels->uses, kernels->loop.n_refs);
  if (status == PG_OBJECTS_OK)
    pg_suspects_find (&spec->suspects, spec->is_open, spec->view, kernels, &spec->objects, is_forced);
  return status;
}

/* The same, if the loop may write what its monitor has read without the entry's bounds: these may be wrong.  */
static enum pg_objects_status
find_sure_objects (struct pg_speculation *spec)
{
  enum pg_objects_status status = find_objects (spec);
  if (status != PG_OBJECTS_OK || spec->suspects.is_stable || spec->view->bounds == NULL)
    return status;
  spec->view->bounds = NULL;
  return find_objects (spec);
}

/* What there is to wish for, for N_ITERS iterations.  */
static enum pg_offloaded
wish (struct pg_speculation *spec, int64_t n_iters)
{
  const struct pg_kernels *kernels = &spec->kernels;
  enum pg_method forced
    = pg_environment.step == PG_RUNG_L3 ? PG_METHOD_INSPECTOR : (enum pg_method) pg_environment.method;
  enum pg_objects_status status = find_sure_objects (spec);
  if (status != PG_OBJECTS_OK)
    return pg_offloaded_of_objects (status);
  memset (&spec->wish, 0, sizeof spec->wish);
  if (pg_speculation_is_unsafe ())
    spec->suspects.has_any = false;
  if (!pg_suspects_note (&spec->suspects, &spec->wish, forced, spec->is_open, spec->view, kernels, &spec->objects))
    return PG_OFFLOAD_BOUNDS;
  if (!pg_speculation_is_unsafe ())
    spec->wish.more = PG_KIR_FIND_NANS | (spec->suspects.is_stable ? 0 : PG_KIR_COUNT_ROUNDS);
  return pg_offloaded_of_kernels (wish_for_shape (spec, n_iters));
}

/* Whether nothing is changed that is read.  */
static bool
is_reentrant (const struct pg_objects *objects)
{
  for (uint32_t o = 0; o < objects->n; o++)
    if (objects->objects[o].is_read && objects->objects[o].is_written)
      return false;
  return true;
}

/* Whether what the entry's kernels are given is more than a launch can take.  */
static bool
is_too_large (const struct pg_speculation *spec)
{
  size_t len = sizeof (struct pg_kir_launch) + 8;
  for (int role = 0; role < PG_N_ROLES; role++)
    if (spec->variant->loops[role].args_len + len > PG_DEVICE_ARGS_LEN)
      return true;
  return false;
}

/* Where numbers tell that iterations conflict, there is no need to try.  */
static enum pg_offloaded
choose (struct pg_speculation *spec, int64_t first)
{
  struct pg_view *view = spec->view;
  if (pg_environment.step != PG_RUNG_L4 && pg_l1_check (view) == PG_L1_CONFLICT)
    return PG_OFFLOAD_CONFLICT;
  enum pg_offloaded result = have_size (spec) ? wish (spec, view->n_iters - first) : PG_OFFLOAD_LARGE;
  if (result == PG_OFFLOAD_COMPILE || result == PG_OFFLOAD_LARGE)
    spec->never = result;
  spec->is_reentrant = result == PG_OFFLOAD_RAN && is_reentrant (&spec->objects);
  return result == PG_OFFLOAD_RAN && is_too_large (spec) ? PG_OFFLOAD_LARGE : result;
}

enum pg_offloaded
pg_speculation_choose (struct pg_speculation *spec, struct pg_device *device, struct pg_view *view, int64_t first)
{
  int64_t start = pg_now ();
  size_t n_variants = spec->kernels.n_variants;
  if (!spec->has_hints)
    pg_device_hints_give (pg_costs_key ((const struct pg_state *) spec->row), &spec->costs);
  spec->has_hints = true;
  spec->device = device;
  spec->view = view;
  enum pg_offloaded result = choose (spec, first);
  spec->choose_ns = spec->kernels.n_variants == n_variants ? pg_now () - start : 0;
  return result;
}
