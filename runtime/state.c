/* SPDX-License-Identifier: MIT
   States of regions: how they are made, found again, and freed of threads that a fork left behind.  See region.h.

   A state, the copies of its names and its view lie in one block.  Two threads that enter a region for the first time
   both make one; the first to put it into the descriptor wins.  A descriptor without state at an address that a state
   knows is an object that was unloaded and loaded again: the state is used again, so that a program that loads and
   unloads for ever does not grow.  */
#include "arena.h"
#include "environment.h"
#include "log.h"
#include "region.h"

#include <string.h>

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
  return (env->only != NULL && !pg_environment_lists (env->only, region->file, region->line))
	 || (env->skip != NULL && pg_environment_lists (env->skip, region->file, region->line))
	 || (env->limit >= 0 && number >= env->limit);
}

/* Copy TEXT to *ROOM and move *ROOM behind it.  */
static const char *
copy_text (char **room, const char *text)
{
  size_t len = strlen (text) + 1;
  const char *copy = memcpy (*room, text, len);
  *room += len;
  return copy;
}

/* The bytes of the block with REGION's state.  */
static size_t
block_len (const struct pg_region *region)
{
  return round_up (sizeof (struct pg_state), 64) + round_up (pg_view_len (region), 64) + strlen (region->file)
	 + strlen (region->function) + strlen (region->reason) + 3;
}

static struct pg_state *
make_state (const struct pg_region *region)
{
  struct pg_state *state = pg_arena_get (block_len (region));
  if (state == NULL)
    return NULL;
  char *room = (char *) state + round_up (sizeof *state, 64);
  state->entry.view = (struct pg_view *) room;
  room += round_up (pg_view_len (region), 64);
  state->row.file = copy_text (&room, region->file);
  state->row.function = copy_text (&room, region->function);
  state->row.reason = copy_text (&room, region->reason);
  state->row.line = region->line;
  state->row.klass = region->klass;
  state->region = region;
  state->view_len = pg_view_len (region);
  state->is_filtered = is_filtered (region, atomic_fetch_add_explicit (&n_regions, 1, memory_order_relaxed));
  return state;
}

/* The state of an unloaded object's region at REGION's address, if it was the same region.  */
static struct pg_state *
find_orphan (const struct pg_region *region)
{
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      struct pg_state *state = (struct pg_state *) row;
      if (state->region == region && state->view_len == pg_view_len (region) && row->line == region->line
	  && strcmp (row->file, region->file) == 0 && strcmp (row->function, region->function) == 0)
	return state;
    }
  return NULL;
}

/* Let STATE serve REGION, which has just been loaded again: what was learned about memory is void.  */
static bool
adopt (struct pg_state *state)
{
  struct pg_thread *nobody = NULL;
  if (!atomic_compare_exchange_strong (&state->owner, &nobody, pg_thread_self ()))
    return false;
  pg_inspector_free (state->inspector);
  state->inspector = NULL;
  atomic_store (&state->owner, NULL);
  return true;
}

struct pg_state *
pg_state_of (struct pg_region *region)
{
  struct pg_state *state = __atomic_load_n ((struct pg_state **) &region->state, __ATOMIC_ACQUIRE);
  if (state != NULL)
    return state;
  struct pg_state *orphan = find_orphan (region);
  if (orphan != NULL && adopt (orphan))
    {
      void *none = NULL;
      __atomic_compare_exchange_n (&region->state, &none, orphan, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
      return region->state;
    }
  state = make_state (region);
  if (state == NULL)
    return NULL;
  void *first = NULL;
  if (!__atomic_compare_exchange_n (&region->state, &first, state, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    {
      pg_arena_put (state, block_len (region));
      return first;
    }
  pg_stats_add (&state->row);
  return state;
}

void
pg_states_forget (void)
{
  struct pg_thread *self = pg_thread_self ();
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      struct pg_state *state = (struct pg_state *) row;
      struct pg_thread *owner = atomic_load (&state->owner);
      state->offload = NULL; /* its kernels are on the parent's device */
      if (owner == NULL || owner == self)
	continue;
      /* Its thread may have been in the middle of a change: leave the inspector's memory where it is.  */
      state->inspector = NULL;
      state->plan = (struct pg_plan) { 0 };
      state->entry.chunk_args = NULL;
      state->entry.chunk_args_len = 0;
      atomic_store (&state->owner, NULL);
    }
}
