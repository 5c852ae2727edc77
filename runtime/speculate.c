/* SPDX-License-Identifier: MIT
   Speculation.  See speculate.h.

   The arguments of a kernel, one part after the other:

       the loop's | its pointers on the device | logs, arrays | launch

   What the loop carries goes from chunk to chunk in the loop's part.  Logs are of one chunk: iterations of two chunks
   cannot conflict.  */
#include "speculate.h"
#include "futex.h"
#include "grid.h"
#include "imports.h"
#include "log.h"
#include "reduce.h"
#include "shape.h"

#include <stdlib.h>
#include <string.h>

enum
{
  ROUNDS = 1 << 22, /* that an iteration may go in inner loops, where their ends may be out of date */
  LIMIT_MS = 120000,
  VERDICT_LEN = 16
};

/* All there are: they are kept for good, which tools that look for lost memory see from here.  The manager's.  */
static struct pg_speculation *speculations;

enum pg_offloaded
pg_offloaded_of (enum pg_device_status status)
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

enum pg_offloaded
pg_offloaded_of_kernels (enum pg_kernels_status status)
{
  static const enum pg_offloaded results[]
    = { [PG_KERNELS_OK] = PG_OFFLOAD_RAN,          [PG_KERNELS_NONE] = PG_OFFLOAD_NO_KERNEL,
	[PG_KERNELS_ADDRESS] = PG_OFFLOAD_ADDRESS, [PG_KERNELS_LARGE] = PG_OFFLOAD_LARGE,
	[PG_KERNELS_MANY] = PG_OFFLOAD_LARGE,      [PG_KERNELS_METHOD] = PG_OFFLOAD_LARGE,
	[PG_KERNELS_FAILED] = PG_OFFLOAD_COMPILE,  [PG_KERNELS_NO_MEMORY] = PG_OFFLOAD_NO_MEMORY };
  return results[status];
}

enum pg_offloaded
pg_offloaded_of_objects (enum pg_objects_status status)
{
  static const enum pg_offloaded results[] = { [PG_OBJECTS_OK] = PG_OFFLOAD_RAN,
					       [PG_OBJECTS_UNKNOWN] = PG_OFFLOAD_BOUNDS,
					       [PG_OBJECTS_NO_MEMORY] = PG_OFFLOAD_NO_MEMORY,
					       [PG_OBJECTS_LOST] = PG_OFFLOAD_LOST };
  return results[status];
}

struct pg_speculation *
pg_speculation_new (const struct pg_region *region, struct pg_row *row)
{
  struct pg_speculation *made = calloc (1, sizeof *made + region->n_refs);
  if (made == NULL)
    return NULL;
  made->region = region;
  made->row = row;
  made->is_open = (uint8_t *) (made + 1);
  made->never = region->flags & PG_REGION_MAY_SET_ERRNO
		  ? PG_OFFLOAD_ERRNO
		  : pg_offloaded_of_kernels (pg_kernels_begin (&made->kernels, region));
  made->next = speculations;
  speculations = made;
  return made;
}

enum pg_offloaded
pg_speculation_refused (const struct pg_speculation *spec)
{
  if (spec->never == PG_OFFLOAD_RAN && spec->kernels.has_floats && !pg_join_is_standard ())
    return PG_OFFLOAD_ROUNDING;
  if (spec->never == PG_OFFLOAD_RAN && spec->kernels.has_floats && pg_imports_flags ())
    return PG_OFFLOAD_FLAGS;
  return spec->never;
}

/* RESULT, of which the log has what SPEC's device says, if that has failed.  */
static enum pg_offloaded
logged (const struct pg_speculation *spec, enum pg_offloaded result)
{
  if (result == PG_OFFLOAD_FAULT || result == PG_OFFLOAD_TIMEOUT || result == PG_OFFLOAD_LOST)
    PG_LOG (CHECK, "%s: device %s: %s", spec->kernels.loop.name, spec->device->ops->name,
	    spec->device->ops->message (spec->device));
  return result;
}

/* Have LEN bytes of the device's memory for this entry.  */
static enum pg_device_status
get (struct pg_speculation *spec, uint64_t len, uint64_t *address)
{
  enum pg_device_status status = spec->device->ops->alloc (spec->device, len, address);
  if (status == PG_DEVICE_OK)
    spec->blocks[spec->n_blocks++] = *address;
  return status;
}

/* The bytes of the writers' or the readers' log of array A.  */
static uint64_t
log_len (const struct pg_speculation *spec, uint32_t a, bool is_of_readers)
{
  return pg_kir_log_len (pg_methods[spec->wish.method].log, spec->suspects.arrays[a].n_granules, is_of_readers);
}

/* Put the logs of array A there.  */
static enum pg_device_status
put_array (struct pg_speculation *spec, uint32_t a)
{
  const struct pg_suspect_array *suspect = &spec->suspects.arrays[a];
  const struct pg_object *object = &spec->objects.objects[suspect->object];
  struct pg_kir_array *array = &spec->arrays[a];
  enum pg_device_status status = PG_DEVICE_OK;
  *array = (struct pg_kir_array) { .low = object->end - suspect->len + (pg_object_there (object) - object->low),
				   .len = suspect->len < 8 ? 8 : suspect->len };
  if (suspect->is_noted)
    status = get (spec, log_len (spec, a, false), &array->writers);
  if (suspect->is_noted && status == PG_DEVICE_OK && pg_methods[spec->wish.method].first & PG_KIR_NOTE_READS)
    status = get (spec, log_len (spec, a, true), &array->readers);
  return status;
}

/* Write the pointers on the device into the arguments.  */
static void
fill_args (struct pg_speculation *spec, const void *args)
{
  const struct pg_kernels *kernels = &spec->kernels;
  const struct pg_objects *objects = &spec->objects;
  char *bases = spec->args + kernels->loop.args_len - kernels->bases.n * sizeof (uint64_t);
  memcpy (spec->args, args, kernels->loop_args_len);
  for (uint32_t b = 0; b < kernels->bases.n; b++)
    {
      uint64_t pointer = 0;
      uint8_t o = objects->of_base[b];
      memcpy (&pointer, spec->args + kernels->bases.offsets[b], sizeof pointer);
      pointer = o == PG_KIR_MOST_BASES ? 0 : pointer - objects->objects[o].low + pg_object_there (&objects->objects[o]);
      memcpy (bases + b * sizeof pointer, &pointer, sizeof pointer);
    }
}

/* The look that began at START is the first of what the entry takes there, or comes after a choice.  */
static void
begin_sample (struct pg_speculation *spec, int64_t start)
{
  spec->sample
    = (struct pg_device_sample) { .entry_iters = spec->view->n_iters,
				  .is_checked = spec->wish.method != PG_METHOD_PLAIN,
				  .other_ns = spec->choose_ns > 0 ? spec->choose_ns + pg_now () - start : 0 };
  spec->choose_ns = 0;
  for (uint32_t o = 0; o < spec->objects.n; o++)
    spec->sample.all_len += (int64_t) (spec->objects.objects[o].end - spec->objects.objects[o].low);
}

enum pg_offloaded
pg_speculation_look (struct pg_speculation *spec)
{
  int64_t start = pg_now ();
  enum pg_objects_status looked = pg_objects_look (&spec->objects, spec->device);
  begin_sample (spec, start);
  return logged (spec, pg_offloaded_of_objects (looked));
}

int64_t
pg_speculation_ns (struct pg_speculation *spec, int64_t n_iters)
{
  int64_t in_len = 0;
  for (uint32_t o = 0; o < spec->objects.n; o++)
    {
      const struct pg_object *object = &spec->objects.objects[o];
      in_len += pg_mirror_missing (object->mirror, object->low, object->end);
    }
  return pg_device_costs_look (&spec->costs, n_iters, in_len, spec->sample.is_checked);
}

enum pg_offloaded
pg_speculation_put (struct pg_speculation *spec, const void *args)
{
  int64_t start = pg_now ();
  enum pg_objects_status put = pg_objects_put (&spec->objects, spec->device, &spec->n_in);
  spec->sample.in_ns = pg_now () - start;
  spec->sample.in_len = spec->n_in;
  if (put != PG_OBJECTS_OK)
    return logged (spec, pg_offloaded_of_objects (put));
  uint64_t n_threads = (uint64_t) pg_speculation_threads (&spec->size) + PG_FIXED_CHUNKS + spec->size.n_threads;
  uint64_t partials_len = n_threads * (spec->kernels.loop.n_carries + 1) * sizeof (uint64_t);
  enum pg_device_status status = get (spec, VERDICT_LEN, &spec->verdict);
  if (status == PG_DEVICE_OK)
    status = get (spec, partials_len, &spec->partials);
  if (status == PG_DEVICE_OK)
    status = spec->device->ops->set (spec->device, spec->partials, 0, partials_len);
  for (uint32_t a = 0; a < spec->suspects.n_arrays && status == PG_DEVICE_OK; a++)
    status = put_array (spec, a);
  spec->epoch = (struct pg_kir_epoch) { 0, 0 };
  fill_args (spec, args);
  return logged (spec, pg_offloaded_of (status));
}

/* Clear the logs of array A.  */
static enum pg_device_status
clear_array (const struct pg_speculation *spec, uint32_t a)
{
  const struct pg_device_ops *ops = spec->device->ops;
  const struct pg_kir_array *array = &spec->arrays[a];
  int byte = pg_kir_cleared (pg_methods[spec->wish.method].log);
  enum pg_device_status status = PG_DEVICE_OK;
  if (array->writers != 0)
    status = ops->set (spec->device, array->writers, byte, log_len (spec, a, false));
  if (array->readers != 0 && status == PG_DEVICE_OK)
    status = ops->set (spec->device, array->readers, byte, log_len (spec, a, true));
  return status;
}

/* Have empty logs for iterations [LO, HI), of which there are not too many, and a verdict, and write them into the
   arguments.  */
static enum pg_device_status
renew_logs (struct pg_speculation *spec, int64_t lo, int64_t hi)
{
  enum pg_kir_log log = pg_methods[spec->wish.method].log;
  char *there = spec->args + pg_kir_logs_offset (&spec->kernels.loop);
  enum pg_device_status status = spec->device->ops->set (spec->device, spec->verdict, 0, VERDICT_LEN);
  if (log != PG_KIR_LOG_ITERATIONS || !pg_kir_next_epoch (&spec->epoch, (uint64_t) (hi - lo)))
    {
      for (uint32_t a = 0; a < spec->suspects.n_arrays && status == PG_DEVICE_OK; a++)
	status = clear_array (spec, a);
      spec->epoch = (struct pg_kir_epoch) { UINT32_MAX, UINT32_MAX };
      pg_kir_next_epoch (&spec->epoch, (uint64_t) (hi - lo));
    }
  struct pg_kir_logs logs = { .verdict = spec->verdict,
			      .n_marked = spec->verdict + VERDICT_LEN / 2,
			      .first = lo,
			      .epoch = spec->epoch,
			      .budget = ROUNDS };
  memcpy (there, &logs, sizeof logs);
  memcpy (there + sizeof logs, spec->arrays, spec->suspects.n_arrays * sizeof *spec->arrays);
  return status;
}

/* How many teams, or single threads, a block of SPEC's has.  */
static uint32_t
teams_a_block (const struct pg_speculation *spec)
{
  return spec->size.n_threads / spec->wish.n_members;
}

/* Start the kernel of ROLE for iterations [LO, HI), its arguments in ARGS but for the launch, which is LAUNCH then.  */
static enum pg_device_status
launch (struct pg_speculation *spec, enum pg_role role, char *args, int64_t lo, int64_t hi,
	struct pg_kir_launch *launched, uint32_t *n_blocks)
{
  const struct pg_variant *variant = spec->variant;
  const struct pg_kir_kernel *loop = &variant->loops[role];
  uint32_t offset = pg_kir_launch_offset (loop);
  enum pg_kir_mapping mapping = variant->mappings[role];
  bool is_fixed = mapping == PG_KIR_CHUNKED && pg_region_has_fixed_grid (spec->region);
  int64_t fixed_len = is_fixed ? pg_region_grid_len (spec->region, spec->view->n_iters) : 0;
  *n_blocks = pg_shape_blocks (&spec->size, spec->wish.n_members, hi - lo, fixed_len);
  int64_t n_teams = (int64_t) *n_blocks * teams_a_block (spec);
  int64_t stride = is_fixed ? fixed_len : pg_kir_stride (mapping, hi - lo, n_teams);
  *launched = (struct pg_kir_launch) { .lo = lo, .hi = hi, .stride = stride, .partials = spec->partials };
  memcpy (args + offset, launched, sizeof *launched);
  const struct pg_device_launch asked = { .name = pg_role_name (role),
					  .n_blocks = *n_blocks,
					  .n_threads = spec->size.n_threads,
					  .args = args,
					  .args_len = offset + (uint32_t) sizeof *launched,
					  .limit_ms = LIMIT_MS };
  return spec->device->ops->launch (spec->device, variant->module, &asked);
}

/* Wait, and copy the carried values of the kernel of ROLE out of its grid into ARGS.  They go on from those in CARRIED,
   if it is not NULL.  */
static enum pg_device_status
collect (struct pg_speculation *spec, enum pg_role role, const struct pg_kir_launch *launched, uint32_t n_blocks,
	 const char *carried, char *args)
{
  const struct pg_kir_kernel *loop = &spec->variant->loops[role];
  const struct pg_device_ops *ops = spec->device->ops;
  enum pg_device_status status = ops->wait (spec->device);
  uint32_t n_teams = teams_a_block (spec);
  size_t len = (size_t) n_blocks * n_teams * loop->n_carries * sizeof (uint64_t);
  if (status != PG_DEVICE_OK || len == 0)
    return status;
  uint64_t *partials = malloc (len);
  if (partials == NULL)
    return PG_DEVICE_NO_MEMORY;
  status = ops->copy_out (spec->device, partials, spec->partials, len);
  if (status == PG_DEVICE_OK && carried != NULL)
    pg_kir_continue (loop, (int64_t) n_blocks * n_teams, partials, carried);
  if (status == PG_DEVICE_OK)
    pg_kir_collect (loop, spec->variant->mappings[role], launched, n_blocks, n_teams, partials, args);
  free (partials);
  return status;
}

/* Run the kernel of ROLE over iterations [LO, HI).  If it RUNS the loop, what this carries is then in the copy of its
   arguments.  On a fixed grid each chunk but the loop's first begins with the identity, as on the host.  */
static enum pg_device_status
run_role (struct pg_speculation *spec, enum pg_role role, int64_t lo, int64_t hi, bool runs)
{
  struct pg_kir_launch launched;
  uint32_t n_blocks;
  char carried[PG_DEVICE_ARGS_LEN];
  bool goes_on = runs && lo > 0 && pg_region_has_fixed_grid (spec->region);
  if (goes_on)
    {
      memcpy (carried, spec->args, spec->kernels.loop_args_len);
      pg_reduce_start (spec->region, spec->args, carried, lo);
    }
  enum pg_device_status status
    = launch (spec, role, spec->args, lo * spec->n_turns, hi * spec->n_turns, &launched, &n_blocks);
  if (status != PG_DEVICE_OK)
    return status;
  if (!runs)
    return spec->device->ops->wait (spec->device);
  return collect (spec, role, &launched, n_blocks, goes_on ? carried : NULL, spec->args);
}

/* Run the second kernel over the logs of each array.  */
static enum pg_device_status
scan (struct pg_speculation *spec)
{
  enum pg_kir_log log = pg_methods[spec->wish.method].log;
  enum pg_device_status status = PG_DEVICE_OK;
  spec->n_marked = 0;
  for (uint32_t a = 0; a < spec->suspects.n_arrays && status == PG_DEVICE_OK; a++)
    {
      const struct pg_suspect_array *suspect = &spec->suspects.arrays[a];
      struct pg_kir_scan_args args = { .verdict = spec->verdict,
				       .writers = spec->arrays[a].writers,
				       .readers = spec->arrays[a].readers,
				       .epoch = spec->epoch };
      char room[sizeof args + sizeof (struct pg_kir_launch) + 16];
      struct pg_kir_launch launched;
      uint32_t n_blocks;
      if (!suspect->is_noted)
	continue;
      memcpy (room, &args, sizeof args);
      int64_t n = (int64_t) pg_kir_scan_iterations (log, suspect->n_granules);
      status = launch (spec, PG_ROLE_SECOND, room, 0, n, &launched, &n_blocks);
      if (status == PG_DEVICE_OK)
	status = collect (spec, PG_ROLE_SECOND, &launched, n_blocks, NULL, room);
      memcpy (&args, room, sizeof args);
      spec->n_marked += (uint64_t) args.n_marked;
    }
  return status;
}

/* Read the *VERDICT.  */
static enum pg_device_status
read_verdict (struct pg_speculation *spec, uint32_t *verdict)
{
  uint64_t words[VERDICT_LEN / sizeof (uint64_t)];
  enum pg_device_status status = spec->device->ops->copy_out (spec->device, words, spec->verdict, sizeof words);
  *verdict = status == PG_DEVICE_OK ? (uint32_t) words[0] : PG_KIR_CLEAN;
  if (status == PG_DEVICE_OK && pg_methods[spec->wish.method].log == PG_KIR_LOG_MARKS && words[1] != spec->n_marked)
    *verdict |= PG_KIR_WRITTEN_TWICE;
  return status;
}

/* Run the method's kernels over iterations [LO, HI); *VERDICT is what they say.  */
static enum pg_device_status
run_kernels (struct pg_speculation *spec, int64_t lo, int64_t hi, uint32_t *verdict)
{
  const struct pg_method_facts *facts = &pg_methods[spec->wish.method];
  bool runs_last = (facts->first & PG_KIR_ADDRESSES_ONLY) != 0;
  enum pg_device_status status = renew_logs (spec, lo, hi);
  *verdict = PG_KIR_CLEAN;
  if (status == PG_DEVICE_OK)
    status = run_role (spec, PG_ROLE_FIRST, lo, hi, !runs_last);
  if (status == PG_DEVICE_OK && facts->second != 0)
    status = facts->second == PG_METHOD_SCAN ? scan (spec) : run_role (spec, PG_ROLE_SECOND, lo, hi, false);
  if (status == PG_DEVICE_OK)
    status = read_verdict (spec, verdict);
  if (status != PG_DEVICE_OK || !runs_last || *verdict != PG_KIR_CLEAN)
    return status;
  status = run_role (spec, PG_ROLE_LAST, lo, hi, true);
  return status == PG_DEVICE_OK ? read_verdict (spec, verdict) : status;
}

/* What VERDICT means for iterations [LO, HI).  */
static enum pg_offloaded
judge (uint32_t verdict, int64_t lo, int64_t hi)
{
  if (pg_environment_inject (&pg_environment, lo, hi) < hi || (verdict & ~(uint32_t) PG_KIR_NAN_SEEN) != PG_KIR_CLEAN)
    return PG_OFFLOAD_CONFLICT;
  if (pg_speculation_is_unsafe ())
    return PG_OFFLOAD_UNSAFE;
  return verdict == PG_KIR_CLEAN ? PG_OFFLOAD_RAN : PG_OFFLOAD_NAN;
}

/* Add a chunk that ran and was copied back, N_ITERS long, to the sample.  */
static void
add_sample (struct pg_speculation *spec, int64_t n_iters, int64_t kernel_ns, int64_t out_ns)
{
  struct pg_device_sample *sample = &spec->sample;
  sample->n_iters += n_iters;
  sample->n_chunks++;
  sample->kernel_ns += kernel_ns;
  sample->out_ns += out_ns;
  sample->out_len = spec->n_out;
}

enum pg_offloaded
pg_speculation_run (struct pg_speculation *spec, int64_t lo, int64_t hi)
{
  uint32_t verdict = PG_KIR_CLEAN;
  if (hi - lo >= UINT32_MAX)
    return PG_OFFLOAD_LARGE;
  int64_t start = pg_now ();
  pg_objects_let_run (&spec->objects);
  enum pg_offloaded result = pg_offloaded_of (run_kernels (spec, lo, hi, &verdict));
  if (result == PG_OFFLOAD_RAN)
    result = judge (verdict, lo, hi);
  int64_t ran = pg_now ();
  if (result == PG_OFFLOAD_RAN)
    result = pg_offloaded_of_objects (pg_objects_take (&spec->objects, spec->device, &spec->n_out));
  if (result == PG_OFFLOAD_RAN)
    {
      memcpy (spec->staged_args, spec->args, spec->kernels.loop_args_len);
      add_sample (spec, hi - lo, ran - start, pg_now () - ran);
    }
  PG_LOG (CHECK, "%s: %lld to %lld on the device by %s, %u threads an iteration, %lld turns: verdict %u",
	  spec->kernels.loop.name, (long long) lo, (long long) hi, pg_methods[spec->wish.method].name,
	  (unsigned) spec->wish.n_members, (long long) spec->n_turns, (unsigned) verdict);
  return logged (spec, result);
}

void
pg_speculation_commit (struct pg_speculation *spec, void *args)
{
  int64_t start = pg_now ();
  pg_objects_commit (&spec->objects);
  spec->sample.out_ns += pg_now () - start;
  spec->sample.is_committed = true;
  memcpy (args, spec->staged_args, spec->kernels.loop_args_len);
}

void
pg_speculation_drop (struct pg_speculation *spec)
{
  pg_objects_drop (&spec->objects, spec->device, spec->sample.is_committed);
  if (spec->sample.n_iters > 0)
    pg_device_costs_note (&spec->costs, &spec->sample);
  spec->sample = (struct pg_device_sample) { .n_iters = 0 };
  pg_count (&spec->row->n_copied_in, spec->n_in);
  pg_count (&spec->row->n_copied_out, spec->n_out);
  spec->n_in = spec->n_out = 0;
  while (spec->n_blocks > 0)
    spec->device->ops->free (spec->device, spec->blocks[--spec->n_blocks]);
}
