/* SPDX-License-Identifier: MIT
   A region's kernels.  See kernels.h.  */
#include "kernels.h"
#include "log.h"

#include "kir/collapse.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST_VARIANTS = 16,
  MOST_OTHERS = MOST_VARIANTS / 2 /* whose iterations are not one of a thread */
};

const struct pg_method_facts pg_methods[] = {
#define PG_METHOD(id, name, log, first, second) { name, PG_KIR_LOG_##log, first, second },
#include "method.def"
#undef PG_METHOD
};

const char *
pg_role_name (enum pg_role role)
{
  static const char *const names[] = { "first", "second", "last" };
  return names[role];
}

/* Make of the bytes of REGION's kernel LOOP.  */
static bool
unpack (struct pg_kir_kernel *loop, const struct pg_region *region)
{
  struct pg_kir_error error = { .at = 0 };
  if (region->kir == NULL)
    return false;
  if (pg_kir_unpack (loop, region->kir, region->kir_len, &error) && pg_kir_verify (loop, &error) && loop->n_threads == 0
      && loop->n_dims == 1 && loop->args_len == region->args_len && loop->n_refs >= region->n_refs)
    {
      pg_kir_name (loop, region->file, region->line, region->function);
      return true;
    }
  PG_LOG (CHECK, "region %s:%u: its kernel is not good: %s", region->file, (unsigned) region->line, error.text);
  return false;
}

static bool
has_floats (const struct pg_kir_kernel *loop)
{
  for (pg_kir_value value = 1; value < loop->n_instrs; value++)
    switch (pg_kir_ops[loop->instrs[value].op].shape)
      {
      case PG_KIR_FLOAT1:
      case PG_KIR_FLOAT2:
      case PG_KIR_FLOAT3:
      case PG_KIR_CMP_FLOAT:
      case PG_KIR_INT_FLOAT:
      case PG_KIR_FLOAT_INT:
      case PG_KIR_FLOAT_FLOAT:
	return true;
      default:
	break;
      }
  return false;
}

enum pg_kernels_status
pg_kernels_begin (struct pg_kernels *kernels, const struct pg_region *region)
{
  struct pg_kir_kernel loop;
  struct pg_kir_error error = { .at = 0 };
  enum pg_kernels_status status = PG_KERNELS_NONE;
  *kernels = (struct pg_kernels) { .loop_args_len = region->args_len };
  pg_kir_begin (&loop, NULL);
  pg_kir_begin (&kernels->loop, NULL);
  if (unpack (&loop, region))
    {
      kernels->has_floats = has_floats (&loop);
      kernels->uses = calloc (loop.n_refs + 1, sizeof *kernels->uses);
      status = kernels->uses == NULL                                                ? PG_KERNELS_NO_MEMORY
	       : !pg_kir_find_bases (&loop, &kernels->bases, kernels->uses, &error) ? PG_KERNELS_ADDRESS
	       : !pg_kir_rebase (&kernels->loop, &loop, &kernels->bases, &error)    ? PG_KERNELS_LARGE
										    : PG_KERNELS_OK;
    }
  pg_kir_end (&loop);
  if (status != PG_KERNELS_OK)
    {
      free (kernels->uses);
      kernels->uses = NULL;
    }
  return status;
}

/* Make of KERNELS' loop what ROLE is in VARIANT, in loop form; without blocks if there is no such role.  */
static bool
make_loop (const struct pg_kernels *kernels, struct pg_variant *variant, enum pg_role role, struct pg_kir_error *error)
{
  const struct pg_wish *wish = &variant->wish;
  const struct pg_method_facts *facts = &pg_methods[wish->method];
  bool runs_last = (facts->first & PG_KIR_ADDRESSES_ONLY) != 0;
  bool is_run = role == PG_ROLE_LAST || (role == PG_ROLE_FIRST && !runs_last);
  unsigned what = role == PG_ROLE_FIRST ? facts->first : role == PG_ROLE_SECOND ? facts->second : 0;
  uint8_t logs[PG_KIR_MOST_ARRAYS];
  if (role != PG_ROLE_FIRST && (role == PG_ROLE_LAST ? !runs_last : what == 0))
    return true;
  if (what == PG_METHOD_SCAN)
    return pg_kir_scan (&variant->loops[role], facts->log, error);
  memset (logs, facts->log, sizeof logs);
  const struct pg_kir_logging logging = { .what = what | (is_run ? wish->more : wish->more & PG_KIR_COUNT_ROUNDS),
					  .n_arrays = wish->n_arrays,
					  .array_of = wish->array_of,
					  .shift_of = wish->shift_of,
					  .log_of = logs,
					  .bounds_only = wish->bounds_only };
  variant->mappings[role] = is_run ? wish->mapping : wish->is_short ? PG_KIR_STRIDED_I32 : PG_KIR_STRIDED;
  return pg_kir_instrument (&variant->loops[role], &kernels->loop, &logging, error);
}

/* Have the loop that VARIANT runs, which notes nothing, collapsed if that is wished for.  */
static bool
collapse (struct pg_variant *variant, struct pg_kir_error *error)
{
  struct pg_kir_kernel *loop = &variant->loops[PG_ROLE_FIRST], nest = *loop;
  pg_kir_value n_turns;
  if (variant->wish.mapped != PG_MAPPED_COLLAPSE)
    return true;
  pg_kir_begin (loop, NULL);
  bool is_good = pg_kir_collapse (loop, &nest, &n_turns, error);
  pg_kir_end (&nest);
  return is_good;
}

struct pg_nests *
pg_kernels_nests (struct pg_kernels *kernels)
{
  struct pg_variant variant = { .wish = { .method = PG_METHOD_PLAIN, .more = PG_KIR_FIND_NANS } };
  struct pg_kir_error error = { .at = 0 };
  struct pg_kir_kernel *loop = &variant.loops[PG_ROLE_FIRST];
  memset (variant.wish.array_of, PG_KIR_NOT_LOGGED, sizeof variant.wish.array_of);
  pg_kir_begin (loop, NULL);
  if (!kernels->has_nests && make_loop (kernels, &variant, PG_ROLE_FIRST, &error))
    kernels->has_nests = pg_nests_find (&kernels->nests, loop, kernels->loop.n_refs);
  pg_kir_end (loop);
  return kernels->has_nests ? &kernels->nests : NULL;
}

/* Make GRID of what ROLE is in VARIANT.  */
static bool
map (struct pg_kir_kernel *grid, const struct pg_variant *variant, enum pg_role role, struct pg_kir_error *error)
{
  const struct pg_wish *wish = &variant->wish;
  const struct pg_kir_team team = { .n_members = wish->n_members, .header = wish->header, .is_free = wish->is_free };
  if (wish->mapped == PG_MAPPED_TEAM)
    return pg_kir_map_team (grid, &variant->loops[role], &team, wish->n_threads, error);
  return pg_kir_map (grid, &variant->loops[role], variant->mappings[role], wish->n_threads, error);
}

/* Compile the kernels of VARIANT, whose loops are made, for DEVICE.  */
static enum pg_kernels_status
compile (struct pg_variant *variant, struct pg_device *device)
{
  struct pg_kir_kernel grids[PG_N_ROLES];
  struct pg_device_kernel compiled[PG_N_ROLES];
  struct pg_kir_error error = { .at = 0 };
  enum pg_kernels_status status = PG_KERNELS_OK;
  size_t n = 0;
  for (int role = 0; role < PG_N_ROLES && status == PG_KERNELS_OK; role++)
    {
      const struct pg_kir_kernel *loop = &variant->loops[role];
      if (loop->n_blocks == 0)
	continue;
      pg_kir_begin (&grids[n], NULL);
      compiled[n] = (struct pg_device_kernel) { &grids[n], pg_role_name (role) };
      if (!map (&grids[n++], variant, (enum pg_role) role, &error))
	status = PG_KERNELS_LARGE;
    }
  if (status == PG_KERNELS_OK && device->ops->compile (device, compiled, n, &variant->module) != PG_DEVICE_OK)
    {
      pg_log_say ("%s: its kernels cannot be compiled: %s", variant->loops[0].name, device->ops->message (device));
      status = PG_KERNELS_FAILED;
    }
  while (n > 0)
    pg_kir_end (&grids[--n]);
  return status;
}

static void
free_variant (struct pg_variant *variant)
{
  for (int role = 0; role < PG_N_ROLES; role++)
    pg_kir_end (&variant->loops[role]);
  free (variant);
}

/* Make a variant by WISH.  */
static enum pg_kernels_status
make_variant (const struct pg_kernels *kernels, const struct pg_wish *wish, struct pg_device *device,
	      struct pg_variant **made)
{
  struct pg_kir_error error = { .at = 0 };
  struct pg_variant *variant = calloc (1, sizeof *variant);
  enum pg_kernels_status status = PG_KERNELS_OK;
  if (variant == NULL)
    return PG_KERNELS_NO_MEMORY;
  variant->wish = *wish;
  for (int role = 0; role < PG_N_ROLES; role++)
    pg_kir_begin (&variant->loops[role], NULL);
  unsigned what = pg_methods[wish->method].first | pg_methods[wish->method].second;
  for (int role = 0; role < PG_N_ROLES && status == PG_KERNELS_OK; role++)
    if (!make_loop (kernels, variant, (enum pg_role) role, &error))
      status = what & PG_KIR_ADDRESSES_ONLY ? PG_KERNELS_METHOD : PG_KERNELS_LARGE;
  if (status == PG_KERNELS_OK && !collapse (variant, &error))
    status = PG_KERNELS_LARGE;
  if (status == PG_KERNELS_OK)
    status = compile (variant, device);
  if (status == PG_KERNELS_OK)
    *made = variant;
  else
    free_variant (variant);
  return status;
}

enum pg_kernels_status
pg_kernels_get (struct pg_kernels *kernels, const struct pg_wish *wish, struct pg_device *device,
		struct pg_variant **variant)
{
  for (size_t v = 0; v < kernels->n_variants; v++)
    if (memcmp (&kernels->variants[v]->wish, wish, sizeof *wish) == 0)
      {
	*variant = kernels->variants[v];
	return PG_KERNELS_OK;
      }
  if (kernels->n_variants >= (wish->mapped == PG_MAPPED_THREAD ? MOST_VARIANTS : MOST_OTHERS))
    return PG_KERNELS_MANY;
  struct pg_variant **grown = realloc (kernels->variants, (kernels->n_variants + 1) * sizeof *grown);
  if (grown == NULL)
    return PG_KERNELS_NO_MEMORY;
  kernels->variants = grown;
  enum pg_kernels_status status = make_variant (kernels, wish, device, variant);
  if (status == PG_KERNELS_OK)
    grown[kernels->n_variants++] = *variant;
  return status;
}
