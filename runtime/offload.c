/* SPDX-License-Identifier: MIT
   An entry on a device.  See offload.h.

   The arguments of a kernel, one part after the other:

       the loop's | its pointers on the device | logs, arrays | launch

   Nothing of the program is changed before all that comes back from the device is here; then nothing can fail.  */
#include "offload.h"
#include "environment.h"
#include "grid.h"
#include "imports.h"
#include "log.h"
#include "shape.h"
#include "suspects.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ARGS_LEN = 4096, /* that every device takes */
  ROUNDS = 1 << 22,     /* that an iteration may go in inner loops, where their ends may be out of date */
  LIMIT_MS = 120000,
  VERDICT_LEN = 16,
  SLOT_LEN = 8 /* of a block's memory, where a thread leaves what it reduced */
};

struct pg_offload
{
  struct pg_offload *next; /* of all */
  struct pg_kernels kernels;
  enum pg_offloaded never; /* why its entries never run on a device; PG_OFFLOAD_RAN: they may */
  struct pg_kir_size full; /* of its grids, if there is enough to do; no threads: not yet known */
  struct pg_objects objects;
  struct pg_suspects suspects;
  struct pg_wish wish;
  uint8_t *is_open; /* n_refs */

  /* The entry in progress.  */
  struct pg_entry *entry;
  struct pg_device *device;
  struct pg_variant *variant;
  struct pg_kir_size size; /* of its grids at most */
  int64_t n_turns;         /* iterations there for one of the loop */
  struct pg_nest *shared;  /* by teams; NULL: none is */
  struct pg_kir_array arrays[PG_KIR_MOST_BASES];
  uint64_t blocks[2 * PG_KIR_MOST_BASES + 2]; /* memory of the device, to be freed */
  uint32_t n_blocks;
  uint64_t verdict, partials; /* there */
  struct pg_kir_epoch epoch;
  uint64_t n_marked; /* by scans */
  char args[MOST_ARGS_LEN];
};

/* An iteration is the work of a thread.  */
static const struct pg_shape threads = { PG_MAPPED_THREAD, 1 };

/* All there are: they are kept for good, which tools that look for lost memory see from here.  */
static _Atomic (struct pg_offload *) offloads;

static enum pg_offloaded
offloaded_of (enum pg_device_status status)
{
  switch (status)
    {
    case PG_DEVICE_OK:
      return PG_OFFLOAD_RAN;
    case PG_DEVICE_NO_MEMORY:
      return PG_OFFLOAD_NO_MEMORY;
    case PG_DEVICE_NOT_COMPILED:
      return PG_OFFLOAD_COMPILE;
    case PG_DEVICE_FAULT:
      return PG_OFFLOAD_FAULT;
    case PG_DEVICE_TIMEOUT:
      return PG_OFFLOAD_TIMEOUT;
    default:
      return PG_OFFLOAD_LOST;
    }
}

static enum pg_offloaded
offloaded_of_kernels (enum pg_kernels_status status)
{
  static const enum pg_offloaded results[]
    = { [PG_KERNELS_OK] = PG_OFFLOAD_RAN,          [PG_KERNELS_NONE] = PG_OFFLOAD_NO_KERNEL,
	[PG_KERNELS_ADDRESS] = PG_OFFLOAD_ADDRESS, [PG_KERNELS_LARGE] = PG_OFFLOAD_LARGE,
	[PG_KERNELS_MANY] = PG_OFFLOAD_LARGE,      [PG_KERNELS_METHOD] = PG_OFFLOAD_LARGE,
	[PG_KERNELS_FAILED] = PG_OFFLOAD_COMPILE,  [PG_KERNELS_NO_MEMORY] = PG_OFFLOAD_NO_MEMORY };
  return results[status];
}

static enum pg_offloaded
offloaded_of_objects (enum pg_objects_status status)
{
  static const enum pg_offloaded results[] = { [PG_OBJECTS_OK] = PG_OFFLOAD_RAN,
					       [PG_OBJECTS_UNKNOWN] = PG_OFFLOAD_BOUNDS,
					       [PG_OBJECTS_NO_MEMORY] = PG_OFFLOAD_NO_MEMORY,
					       [PG_OBJECTS_LOST] = PG_OFFLOAD_LOST };
  return results[status];
}

/* REGION's, made when it is first needed; NULL: no memory.  */
static struct pg_offload *
have (struct pg_offload **offload, const struct pg_region *region)
{
  if (*offload != NULL)
    return *offload;
  struct pg_offload *made = calloc (1, sizeof *made + region->n_refs);
  if (made == NULL)
    return NULL;
  made->is_open = (uint8_t *) (made + 1);
  made->never = region->flags & PG_REGION_MAY_SET_ERRNO
		  ? PG_OFFLOAD_ERRNO
		  : offloaded_of_kernels (pg_kernels_begin (&made->kernels, region));
  made->next = atomic_load (&offloads);
  while (!atomic_compare_exchange_weak (&offloads, &made->next, made))
    continue;
  return *offload = made;
}

/* Set *SIZE to one for grids of OFFLOAD's device with teams of N_MEMBERS that reduce N_REDUCED values: that of loops
   that are long enough to fill it.  */
static bool
choose_size (const struct pg_offload *offload, uint32_t n_members, uint32_t n_reduced, struct pg_kir_size *size)
{
  struct pg_kir_limits limits;
  const struct pg_kir_need need = { .n_iters = INT32_MAX, .n_members = n_members, .shared_len = n_reduced * SLOT_LEN };
  offload->device->ops->get_limits (offload->device, &limits);
  return pg_kir_choose_size (size, &limits, &need);
}

/* Have a size for OFFLOAD's grids where an iteration is one thread's.  */
static bool
have_size (struct pg_offload *offload)
{
  return offload->full.n_threads > 0 || choose_size (offload, 1, 1, &offload->full);
}

static int64_t
n_all_threads (const struct pg_kir_size *size)
{
  return size->n_blocks * size->n_threads;
}

/* The iterations that are left.  */
static int64_t
n_left (const struct pg_offload *offload)
{
  return offload->entry->n_iters - offload->entry->done;
}

/* Have the variant that is wished for; by the method that suits all loops, if it is not one for this loop.  */
static enum pg_kernels_status
get_variant (struct pg_offload *offload)
{
  struct pg_wish *wish = &offload->wish;
  enum pg_kernels_status status = pg_kernels_get (&offload->kernels, wish, offload->device, &offload->variant);
  if (status == PG_KERNELS_METHOD)
    {
      wish->method = PG_METHOD_FULL;
      status = pg_kernels_get (&offload->kernels, wish, offload->device, &offload->variant);
    }
  return status;
}

/* Have SHAPE's numbers, and wish for them.  False: the device has no room for such teams.  */
static bool
have_shape (struct pg_offload *offload, const struct pg_shape *shape, int64_t n_turns)
{
  struct pg_wish *wish = &offload->wish;
  const struct pg_entry *entry = offload->entry;
  const struct pg_kir_kernel *loop = &offload->kernels.loop;
  bool is_team = shape->mapped == PG_MAPPED_TEAM;
  offload->size = offload->full;
  if (is_team && !choose_size (offload, shape->n_members, offload->shared->found.n_reduced, &offload->size))
    return false;
  offload->n_turns = shape->mapped == PG_MAPPED_COLLAPSE ? n_turns : 1;
  wish->mapped = shape->mapped;
  wish->n_members = shape->n_members;
  wish->header = is_team ? offload->shared->found.header : 0;
  wish->n_threads = offload->size.n_threads;
  wish->is_short = pg_shape_is_short (&offload->size, entry->n_iters, offload->n_turns);
  wish->mapping = is_team ? PG_KIR_STRIDED : pg_shape_mapping (loop, pg_entry_has_fixed_grid (entry), wish->is_short);
  return true;
}

/* Find what the inner loops allow, if nothing is noted, and the loop's order does not matter.  */
static struct pg_shape
choose_shape (struct pg_offload *offload, int64_t *n_turns)
{
  const struct pg_entry *entry = offload->entry;
  bool has_fixed_grid = pg_entry_has_fixed_grid (entry);
  struct pg_kir_limits limits;
  struct pg_nests *nests;
  bool are_free;
  enum pg_mapped forced = pg_environment.map == 0 ? PG_N_MAPPED : (enum pg_mapped) (pg_environment.map - 1);
  if (offload->wish.method != PG_METHOD_PLAIN
      || (forced == PG_N_MAPPED && !pg_shape_is_idle (n_left (offload), n_all_threads (&offload->full)))
      || pg_shape_mapping (&offload->kernels.loop, has_fixed_grid, false) == PG_KIR_CHUNKED
      || (nests = pg_kernels_nests (&offload->kernels)) == NULL)
    return threads;
  offload->device->ops->get_limits (offload->device, &limits);
  struct pg_shape_facts facts = { .n_iters = n_left (offload),
				  .n_running = n_all_threads (&offload->full),
				  .together = limits.together,
				  .n_threads = limits.n_threads };
  offload->shared = pg_nests_look (nests, entry->view, entry->args, &facts, &are_free);
  struct pg_shape shape = pg_shape_choose (&facts, forced);
  offload->wish.is_free = shape.mapped == PG_MAPPED_TEAM && are_free;
  *n_turns = facts.n_collapsed;
  return shape;
}

/* Take note that the nest cannot be mapped as MAPPED.  */
static void
refuse (struct pg_offload *offload, enum pg_mapped mapped)
{
  if (mapped == PG_MAPPED_TEAM)
    offload->shared->is_refused[offload->wish.is_free] = true;
  else
    pg_kir_end (&offload->kernels.nests.collapsed);
}

/* Wish for a shape, and have the variant; the usual one, if it is not to be had.  */
static enum pg_kernels_status
wish_for_shape (struct pg_offload *offload)
{
  int64_t n_turns = 1;
  struct pg_shape shape = choose_shape (offload, &n_turns);
  enum pg_kernels_status status = have_shape (offload, &shape, n_turns) ? get_variant (offload) : PG_KERNELS_LARGE;
  if (status == PG_KERNELS_OK || shape.mapped == PG_MAPPED_THREAD)
    return status;
  if (status != PG_KERNELS_MANY)
    refuse (offload, shape.mapped);
  offload->wish.is_free = false;
  have_shape (offload, &threads, 1);
  return get_variant (offload);
}

/* What there is to wish for, for the rest of the entry.  */
static enum pg_offloaded
wish (struct pg_offload *offload)
{
  const struct pg_entry *entry = offload->entry;
  const struct pg_kernels *kernels = &offload->kernels;
  bool is_forced = pg_environment.step == PG_RUNG_L4;
  enum pg_method forced
    = pg_environment.step == PG_RUNG_L3 ? PG_METHOD_INSPECTOR : (enum pg_method) pg_environment.method;
  enum pg_objects_status status
    = pg_objects_find (&offload->objects, entry->view, &kernels->bases, kernels->uses, kernels->loop.n_refs);
  if (status != PG_OBJECTS_OK)
    return offloaded_of_objects (status);
  memset (&offload->wish, 0, sizeof offload->wish);
  pg_suspects_find (&offload->suspects, offload->is_open, entry->view, is_forced);
  if (!pg_suspects_note (&offload->suspects, &offload->wish, forced, offload->is_open, entry->view, kernels,
			 &offload->objects))
    return PG_OFFLOAD_BOUNDS;
  offload->wish.more = PG_KIR_FIND_NANS | (offload->suspects.is_stable ? 0 : PG_KIR_COUNT_ROUNDS);
  return offloaded_of_kernels (wish_for_shape (offload));
}

/* Have LEN bytes of the device's memory for this entry, each BYTE.  */
static enum pg_device_status
get (struct pg_offload *offload, uint64_t len, int byte, uint64_t *address)
{
  const struct pg_device_ops *ops = offload->device->ops;
  enum pg_device_status status = ops->alloc (offload->device, len, address);
  if (status != PG_DEVICE_OK)
    return status;
  offload->blocks[offload->n_blocks++] = *address;
  return ops->set (offload->device, *address, byte, len);
}

/* Put the logs of array A there.  */
static enum pg_device_status
put_array (struct pg_offload *offload, uint32_t a)
{
  const struct pg_suspect_array *suspect = &offload->suspects.arrays[a];
  const struct pg_object *object = &offload->objects.objects[suspect->object];
  const struct pg_method_facts *facts = &pg_methods[offload->wish.method];
  struct pg_kir_array *array = &offload->arrays[a];
  enum pg_device_status status = PG_DEVICE_OK;
  int byte = pg_kir_cleared (facts->log);
  *array = (struct pg_kir_array) { .low = object->end - suspect->len + (object->there - object->low),
				   .len = suspect->len < 8 ? 8 : suspect->len };
  if (suspect->is_noted)
    status = get (offload, pg_kir_log_len (facts->log, suspect->n_granules, false), byte, &array->writers);
  if (suspect->is_noted && status == PG_DEVICE_OK && facts->first & PG_KIR_NOTE_READS)
    status = get (offload, pg_kir_log_len (facts->log, suspect->n_granules, true), byte, &array->readers);
  return status;
}

/* Put objects and logs there.  */
static enum pg_offloaded
put (struct pg_offload *offload)
{
  enum pg_objects_status put = pg_objects_put (&offload->objects, offload->device);
  if (put != PG_OBJECTS_OK)
    return offloaded_of_objects (put);
  uint64_t n_threads = (uint64_t) n_all_threads (&offload->size) + PG_FIXED_CHUNKS + offload->size.n_threads;
  uint64_t n_partials = n_threads * (offload->kernels.loop.n_carries + 1);
  enum pg_device_status status = get (offload, VERDICT_LEN, 0, &offload->verdict);
  if (status == PG_DEVICE_OK)
    status = get (offload, n_partials * sizeof (uint64_t), 0, &offload->partials);
  for (uint32_t a = 0; a < offload->suspects.n_arrays && status == PG_DEVICE_OK; a++)
    status = put_array (offload, a);
  return offloaded_of (status);
}

/* Write the pointers on the device and the logs into the arguments.  */
static void
fill_args (struct pg_offload *offload)
{
  const struct pg_kernels *kernels = &offload->kernels;
  const struct pg_objects *objects = &offload->objects;
  char *bases = offload->args + kernels->loop.args_len - kernels->bases.n * sizeof (uint64_t);
  char *logs_there = offload->args + pg_kir_logs_offset (&kernels->loop);
  struct pg_kir_logs logs = { .verdict = offload->verdict,
			      .n_marked = offload->verdict + VERDICT_LEN / 2,
			      .first = offload->entry->done,
			      .epoch = offload->epoch,
			      .budget = ROUNDS };
  memcpy (offload->args, offload->entry->args, kernels->loop_args_len);
  for (uint32_t b = 0; b < kernels->bases.n; b++)
    {
      uint64_t pointer = 0;
      uint8_t o = objects->of_base[b];
      memcpy (&pointer, offload->args + kernels->bases.offsets[b], sizeof pointer);
      pointer = o == PG_KIR_MOST_BASES ? 0 : pointer - objects->objects[o].low + objects->objects[o].there;
      memcpy (bases + b * sizeof pointer, &pointer, sizeof pointer);
    }
  memcpy (logs_there, &logs, sizeof logs);
  memcpy (logs_there + sizeof logs, offload->arrays, offload->suspects.n_arrays * sizeof *offload->arrays);
}

/* Start the kernel of ROLE for iterations [LO, HI), its arguments in ARGS but for the launch, which is LAUNCH then.  */
static enum pg_device_status
launch (struct pg_offload *offload, enum pg_role role, char *args, int64_t lo, int64_t hi,
	struct pg_kir_launch *launched, struct pg_shape_grid *grid)
{
  const struct pg_variant *variant = offload->variant;
  const struct pg_kir_kernel *loop = &variant->loops[role];
  uint32_t offset = pg_kir_launch_offset (loop);
  bool is_fixed = variant->mappings[role] == PG_KIR_CHUNKED && pg_entry_has_fixed_grid (offload->entry);
  int64_t fixed_len = is_fixed ? pg_grid_fixed_len (offload->entry->n_iters) : 0;
  *grid = pg_shape_grid (&offload->size, offload->wish.n_members, hi - lo, fixed_len);
  *launched = (struct pg_kir_launch) { .lo = lo, .hi = hi, .chunk = grid->chunk, .partials = offload->partials };
  memcpy (args + offset, launched, sizeof *launched);
  const struct pg_device_launch asked = { .name = pg_role_name (role),
					  .n_blocks = grid->n_blocks,
					  .n_threads = offload->size.n_threads,
					  .args = args,
					  .args_len = offset + (uint32_t) sizeof *launched,
					  .limit_ms = LIMIT_MS };
  return offload->device->ops->launch (offload->device, variant->module, &asked);
}

/* Wait, and copy the carried values of the kernel of ROLE out of its grid into ARGS.  */
static enum pg_device_status
collect (struct pg_offload *offload, enum pg_role role, const struct pg_kir_launch *launched,
	 const struct pg_shape_grid *grid, char *args)
{
  const struct pg_kir_kernel *loop = &offload->variant->loops[role];
  const struct pg_device_ops *ops = offload->device->ops;
  enum pg_device_status status = ops->wait (offload->device);
  uint32_t n_teams = offload->size.n_threads / offload->wish.n_members;
  size_t len = (size_t) grid->n_blocks * n_teams * loop->n_carries * sizeof (uint64_t);
  if (status != PG_DEVICE_OK || len == 0)
    return status;
  uint64_t *partials = malloc (len);
  if (partials == NULL)
    return PG_DEVICE_NO_MEMORY;
  status = ops->copy_out (offload->device, partials, offload->partials, len);
  if (status == PG_DEVICE_OK)
    pg_kir_collect (loop, offload->variant->mappings[role], launched, grid->n_blocks, n_teams, partials, args);
  free (partials);
  return status;
}

/* Run the kernel of ROLE over the loop's iterations.  If it RUNS the loop, what this carries is then in the copy of its
   arguments.  */
static enum pg_device_status
run_role (struct pg_offload *offload, enum pg_role role, bool runs)
{
  struct pg_kir_launch launched;
  struct pg_shape_grid grid;
  const struct pg_entry *entry = offload->entry;
  enum pg_device_status status = launch (offload, role, offload->args, entry->done * offload->n_turns,
					 entry->n_iters * offload->n_turns, &launched, &grid);
  if (status != PG_DEVICE_OK)
    return status;
  return runs ? collect (offload, role, &launched, &grid, offload->args) : offload->device->ops->wait (offload->device);
}

/* Run the second kernel over the logs of each array.  */
static enum pg_device_status
scan (struct pg_offload *offload)
{
  enum pg_kir_log log = pg_methods[offload->wish.method].log;
  enum pg_device_status status = PG_DEVICE_OK;
  offload->n_marked = 0;
  for (uint32_t a = 0; a < offload->suspects.n_arrays && status == PG_DEVICE_OK; a++)
    {
      const struct pg_suspect_array *suspect = &offload->suspects.arrays[a];
      struct pg_kir_scan_args args = { .verdict = offload->verdict,
				       .writers = offload->arrays[a].writers,
				       .readers = offload->arrays[a].readers,
				       .epoch = offload->epoch };
      char room[sizeof args + sizeof (struct pg_kir_launch) + 16];
      struct pg_kir_launch launched;
      struct pg_shape_grid grid;
      if (!suspect->is_noted)
	continue;
      memcpy (room, &args, sizeof args);
      int64_t n = (int64_t) pg_kir_scan_iterations (log, suspect->n_granules);
      status = launch (offload, PG_ROLE_SECOND, room, 0, n, &launched, &grid);
      if (status == PG_DEVICE_OK)
	status = collect (offload, PG_ROLE_SECOND, &launched, &grid, room);
      memcpy (&args, room, sizeof args);
      offload->n_marked += (uint64_t) args.n_marked;
    }
  return status;
}

/* Read the *VERDICT.  */
static enum pg_device_status
read_verdict (struct pg_offload *offload, uint32_t *verdict)
{
  uint64_t words[VERDICT_LEN / sizeof (uint64_t)];
  enum pg_device_status status
    = offload->device->ops->copy_out (offload->device, words, offload->verdict, sizeof words);
  *verdict = status == PG_DEVICE_OK ? (uint32_t) words[0] : PG_KIR_CLEAN;
  if (status == PG_DEVICE_OK && pg_methods[offload->wish.method].log == PG_KIR_LOG_MARKS
      && words[1] != offload->n_marked)
    *verdict |= PG_KIR_WRITTEN_TWICE;
  return status;
}

/* Run the method's kernels; *VERDICT is what they say.  */
static enum pg_device_status
run_kernels (struct pg_offload *offload, uint32_t *verdict)
{
  const struct pg_method_facts *facts = &pg_methods[offload->wish.method];
  bool runs_last = (facts->first & PG_KIR_ADDRESSES_ONLY) != 0;
  enum pg_device_status status = run_role (offload, PG_ROLE_FIRST, !runs_last);
  *verdict = PG_KIR_CLEAN;
  if (status == PG_DEVICE_OK && facts->second != 0)
    status = facts->second == PG_METHOD_SCAN ? scan (offload) : run_role (offload, PG_ROLE_SECOND, false);
  if (status == PG_DEVICE_OK)
    status = read_verdict (offload, verdict);
  if (status != PG_DEVICE_OK || !runs_last || *verdict != PG_KIR_CLEAN)
    return status;
  status = run_role (offload, PG_ROLE_LAST, true);
  return status == PG_DEVICE_OK ? read_verdict (offload, verdict) : status;
}

/* What VERDICT means for the entry.  */
static enum pg_offloaded
judge (const struct pg_offload *offload, uint32_t verdict)
{
  const struct pg_entry *entry = offload->entry;
  if (pg_environment_inject (&pg_environment, entry->done, entry->n_iters) < entry->n_iters
      || (verdict & ~(uint32_t) PG_KIR_NAN_SEEN) != PG_KIR_CLEAN)
    return PG_OFFLOAD_CONFLICT;
  return verdict == PG_KIR_CLEAN ? PG_OFFLOAD_RAN : PG_OFFLOAD_NAN;
}

/* Run the entry, all of it being there, up to its commit.  */
static enum pg_offloaded
speculate (struct pg_offload *offload)
{
  uint32_t verdict;
  fill_args (offload);
  enum pg_offloaded result = offloaded_of (run_kernels (offload, &verdict));
  if (result == PG_OFFLOAD_RAN)
    result = judge (offload, verdict);
  if (result == PG_OFFLOAD_RAN)
    result = offloaded_of_objects (pg_objects_take (&offload->objects, offload->device));
  PG_LOG (CHECK, "%s: on the device by %s, %u threads an iteration, %lld turns: verdict %u", offload->kernels.loop.name,
	  pg_methods[offload->wish.method].name, (unsigned) offload->wish.n_members, (long long) offload->n_turns,
	  (unsigned) verdict);
  if (result != PG_OFFLOAD_RAN)
    return result;
  pg_objects_commit (&offload->objects);
  memcpy (offload->entry->args, offload->args, offload->kernels.loop_args_len);
  return PG_OFFLOAD_RAN;
}

/* Give back what the entry had.  */
static void
drop (struct pg_offload *offload)
{
  pg_objects_drop (&offload->objects, offload->device);
  while (offload->n_blocks > 0)
    offload->device->ops->free (offload->device, offload->blocks[--offload->n_blocks]);
}

/* Whether what the entry's kernels are given is more than a launch can take.  */
static bool
is_too_large (const struct pg_offload *offload)
{
  size_t len = sizeof (struct pg_kir_launch) + 8;
  for (int role = 0; role < PG_N_ROLES; role++)
    if (offload->variant->loops[role].args_len + len > MOST_ARGS_LEN)
      return true;
  return false;
}

/* Run the entry on OFFLOAD's device.  Where numbers tell that iterations conflict, there is no need to try.  */
static enum pg_offloaded
run (struct pg_offload *offload)
{
  if (pg_environment.step != PG_RUNG_L4 && pg_l1_check (offload->entry->view) == PG_L1_CONFLICT)
    return PG_OFFLOAD_CONFLICT;
  enum pg_offloaded result = have_size (offload) ? wish (offload) : PG_OFFLOAD_LARGE;
  if (result == PG_OFFLOAD_COMPILE || result == PG_OFFLOAD_LARGE)
    offload->never = result;
  if (result != PG_OFFLOAD_RAN)
    return result;
  offload->epoch = (struct pg_kir_epoch) { UINT32_MAX, UINT32_MAX };
  if (is_too_large (offload) || !pg_kir_next_epoch (&offload->epoch, (uint64_t) n_left (offload)))
    return PG_OFFLOAD_LARGE;
  result = put (offload);
  if (result == PG_OFFLOAD_RAN)
    result = speculate (offload);
  drop (offload);
  return result;
}

/* Take note that the device's RESULT stands.  */
static void
finish (struct pg_entry *entry, const struct pg_offload *offload, enum pg_offloaded result)
{
  enum pg_method method = offload->wish.method;
  if (result == PG_OFFLOAD_CONFLICT)
    {
      entry->n_conflicts++;
      entry->n_redone += entry->n_iters - entry->done;
      pg_entry_run_alone (entry, entry->n_iters);
      return;
    }
  entry->done = entry->n_iters;
  entry->used_device = true;
  entry->mapped = offload->wish.mapped;
  entry->rung = method == PG_METHOD_INSPECTOR               ? PG_RUNG_L3
		: method != PG_METHOD_PLAIN                 ? PG_RUNG_L4
		: entry->region->klass == PG_CLASS_PARALLEL ? PG_RUNG_L0
							    : PG_RUNG_L1;
}

enum pg_offloaded
pg_offload_run (struct pg_offload **offload, struct pg_entry *entry)
{
  struct pg_offload *own = have (offload, entry->region);
  if (own == NULL)
    return PG_OFFLOAD_NO_MEMORY;
  if (own->never != PG_OFFLOAD_RAN)
    return own->never;
  if (own->kernels.has_floats && !pg_join_is_standard ())
    return PG_OFFLOAD_ROUNDING;
  if (own->kernels.has_floats && pg_imports_flags ())
    return PG_OFFLOAD_FLAGS;
  own->entry = entry;
  own->device = pg_device_take ();
  if (own->device == NULL)
    return PG_OFFLOAD_NO_DEVICE;
  pg_thread_defer_signals (entry->caller);
  enum pg_offloaded result = run (own);
  if (result == PG_OFFLOAD_FAULT || result == PG_OFFLOAD_TIMEOUT || result == PG_OFFLOAD_LOST)
    PG_LOG (CHECK, "%s: device %s: %s", own->kernels.loop.name, own->device->ops->name,
	    own->device->ops->message (own->device));
  pg_device_leave (own->device);
  if (result == PG_OFFLOAD_RAN || result == PG_OFFLOAD_CONFLICT)
    finish (entry, own, result);
  return result;
}
