/* SPDX-License-Identifier: MIT
   States of regions: how they are made, found again, and freed of threads that a fork left behind.  See region.h.

   A state, its region's names and tables, and its view lie in one block.  Two threads that enter a region for the first
   time both make one; the first to put it into the descriptor wins.  A descriptor without state at an address that a
   state knows is an object that was unloaded and loaded again: the state is used again, so that a program that loads
   and unloads for ever does not grow.  */
#include "arena.h"
#include "descriptor.h"
#include "environment.h"
#include "log.h"
#include "places.h"
#include "region.h"

#include <errno.h>
#include <string.h>

static const char *const reason_names[] = {
#define PG_REASON(id, klass, name, text, remedy) name,
#include "reasons.def"
#undef PG_REASON
};

/* Regions seen so far, for PARAGON_LIMIT.  Relaxed.  */
static _Atomic int64_t n_regions;

static size_t
round_up (size_t len, size_t align)
{
  return (len + align - 1) / align * align;
}

/* Whether the environment leaves REGION, first entered as number NUMBER, out.  */
static bool
is_filtered (const struct pg_region *region, int64_t number)
{
  const struct pg_environment *env = &pg_environment;
  return (env->only != NULL && !pg_places_have (env->only, region->file, region->line))
	 || (env->skip != NULL && pg_places_have (env->skip, region->file, region->line))
	 || (env->limit >= 0 && number >= env->limit);
}

/* Where the parts of a state's block begin.  */
struct block
{
  size_t view, tables, packed, file, end;
};

/* The block for DESCRIPTOR, whose region begins like REGION.  */
static struct block
lay_out (const struct pg_region *region, const struct pg_descriptor *descriptor)
{
  struct block block;
  uint32_t packed_len;
  pg_descriptor_packed (descriptor, &packed_len);
  block.view = round_up (sizeof (struct pg_state), 64);
  block.tables = block.view + round_up (pg_view_len (region), 64);
  block.packed = block.tables + pg_descriptor_tables_len (region);
  block.file = block.packed + packed_len;
  block.end = block.file + strlen (region->file) + 1;
  return block;
}

/* Make STATE, in BLOCK, that of DESCRIPTOR.  */
static bool
fill_in (struct pg_state *state, const struct pg_descriptor *descriptor, const struct block *block)
{
  struct pg_region *region = &state->region;
  char *start = (char *) state;
  uint32_t packed_len;
  const unsigned char *object = pg_descriptor_packed (descriptor, &packed_len);
  const unsigned char *packed = memcpy (start + block->packed, object, packed_len);
  if (!pg_descriptor_unpack (region, descriptor, packed, start + block->tables))
    return false;
  region->file = strcpy (start + block->file, region->file);
  state->descriptor = descriptor;
  state->packed = packed;
  state->packed_len = packed_len;
  state->entry.view = (struct pg_view *) (start + block->view);
  state->row.file = region->file;
  state->row.function = region->function;
  state->row.reason = reason_names[region->reason];
  state->row.line = region->line;
  state->row.klass = region->klass;
  state->is_filtered = is_filtered (region, atomic_fetch_add_explicit (&n_regions, 1, memory_order_relaxed));
  return true;
}

/* Whether STATE was made of a descriptor that was where DESCRIPTOR is and said the same.  */
static bool
is_same (const struct pg_state *state, const struct pg_descriptor *descriptor)
{
  struct pg_region region;
  uint32_t packed_len;
  const unsigned char *packed = pg_descriptor_packed (descriptor, &packed_len);
  return state->descriptor == descriptor && pg_descriptor_begin (&region, descriptor) && state->packed_len == packed_len
	 && memcmp (state->packed, packed, packed_len) == 0 && strcmp (region.file, state->region.file) == 0
	 && region.body == state->region.body && region.body_noalias == state->region.body_noalias
	 && region.monitor == state->region.monitor && region.doacross == state->region.doacross
	 && region.free_part == state->region.free_part && region.ordered_part == state->region.ordered_part
	 && region.tally == state->region.tally;
}

/* The state of an unloaded object's region at DESCRIPTOR's address, if it was the same region.  */
static struct pg_state *
find_orphan (const struct pg_descriptor *descriptor)
{
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    if (is_same ((struct pg_state *) row, descriptor))
      return (struct pg_state *) row;
  return NULL;
}

/* Let STATE serve its region, which has just been loaded again: what was learned about memory is void.  */
static bool
adopt (struct pg_state *state)
{
  struct pg_thread *nobody = NULL;
  if (!atomic_compare_exchange_strong (&state->owner, &nobody, pg_thread_self ()))
    return false;
  pg_inspector_free (state->inspector);
  pg_inspector_free (state->bounds);
  state->inspector = state->bounds = NULL;
  pg_alike_free (state->entry.alike);
  state->entry.alike = NULL;
  atomic_store (&state->owner, NULL);
  return true;
}

/* Tell who asked (PARAGON_LIST) that the region of ROW was entered.  */
static void
list (const struct pg_row *row)
{
  static atomic_flag has_failed = ATOMIC_FLAG_INIT;
  const char *path = pg_environment.list;
  if (!pg_places_append (path, row->file, row->line, row->function, pg_class_name (row))
      && !atomic_flag_test_and_set (&has_failed))
    pg_log_say ("PARAGON_LIST=%s: %s", path, strerror (errno));
}

/* Make a state for DESCRIPTOR, or set *STATE to one that another thread has put there meanwhile.  */
static enum pg_status
make_state (struct pg_descriptor *descriptor, struct pg_state **state)
{
  struct pg_region region;
  if (!pg_descriptor_begin (&region, descriptor))
    return PG_MALFORMED;
  const struct block block = lay_out (&region, descriptor);
  struct pg_state *made = pg_arena_get (block.end);
  if (made == NULL)
    return PG_MEMORY;
  enum pg_status status = fill_in (made, descriptor, &block) ? PG_OK : PG_MALFORMED;
  void *first = NULL;
  if (status == PG_OK
      && __atomic_compare_exchange_n (&descriptor->state, &first, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    {
      pg_stats_add (&made->row);
      if (pg_environment.list != NULL && !made->is_filtered)
	list (&made->row);
      *state = made;
      return PG_OK;
    }
  pg_arena_put (made, block.end);
  *state = first;
  return status;
}

/* The same for the first entry of DESCRIPTOR's region.  */
static enum pg_status
make_or_adopt (struct pg_descriptor *descriptor, struct pg_state **state)
{
  struct pg_state *orphan = find_orphan (descriptor);
  if (orphan == NULL || !adopt (orphan))
    return make_state (descriptor, state);
  void *none = NULL;
  __atomic_compare_exchange_n (&descriptor->state, &none, orphan, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  *state = descriptor->state;
  return PG_OK;
}

/* A program may have a memcpy of its own, which is called here, too, and whose loop may be a region: a thread that
   makes a state makes no other meanwhile.  A signal handler that might jump out of it waits.  */
enum pg_status
pg_state_of (struct pg_descriptor *descriptor, struct pg_state **state)
{
  struct pg_thread *self = pg_thread_self ();
  *state = __atomic_load_n ((struct pg_state **) &descriptor->state, __ATOMIC_ACQUIRE);
  if (*state != NULL)
    return PG_OK;
  if (self->makes_state)
    return PG_NESTED;
  bool deferred = pg_thread_defer_signals (self);
  self->makes_state = true;
  enum pg_status status = make_or_adopt (descriptor, state);
  self->makes_state = false;
  pg_thread_restore_signals (self, deferred);
  return status;
}

void
pg_states_forget (void)
{
  struct pg_thread *self = pg_thread_self ();
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      struct pg_state *state = (struct pg_state *) row;
      struct pg_thread *owner = atomic_load (&state->owner);
      state->speculation = NULL; /* its kernels are on the parent's device */
      state->entry.cooperation.phase = PG_COOPERATES_NOT;
      if (owner == NULL || owner == self)
	continue;
      /* Its thread may have been in the middle of a change: leave the inspectors' memory where it is.  */
      state->inspector = state->bounds = NULL;
      pg_view_forget (state->entry.view);
      state->plan = (struct pg_plan) { 0 };
      state->entry.chunk_args = NULL;
      state->entry.chunk_args_len = 0;
      state->entry.alike = NULL;
      state->entry.steps = NULL;
      state->entry.work = (struct pg_work) { .blocks = NULL };
      state->entry.parts = (struct pg_parts) { .memory = NULL };
      atomic_store (&state->owner, NULL);
    }
}
