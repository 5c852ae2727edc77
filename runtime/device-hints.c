/* SPDX-License-Identifier: MIT
   What entries cost on a device, kept.  See device-hints.h.

       the device's costs | key, a loop's costs | key, a loop's costs | ...

   Rows stand in the order in which they were written; the first ones make room.  */
#include "device-hints.h"
#include "cache.h"
#include "environment.h"
#include "manager.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum
{
  MOST_ROWS = 250
};

struct row
{
  struct pg_costs_key key;
  struct pg_loop_costs costs;
};

/* All but N is what is written.  */
struct kept
{
  size_t n;
  struct pg_device_costs device;
  struct row rows[MOST_ROWS + 1]; /* room for one before another goes */
};

static const size_t head_len = offsetof (struct kept, rows) - offsetof (struct kept, device);

static char *
written (struct kept *kept)
{
  return (char *) kept + offsetof (struct kept, device);
}

/* The device's user's.  */
static char identity[PG_DEVICE_TEXT_LEN]; /* empty: no device was opened, or it does not say what it is */
static struct kept *hints;

static bool
find_key (struct pg_cache_key *key)
{
  struct utsname system;
  if (*identity == '\0' || uname (&system) != 0)
    return false;
  const char *const parts[] = { "device costs 1", identity, system.nodename };
  *key = pg_cache_key ((struct pg_cache_key) { 0, 0 }, parts, sizeof parts / sizeof *parts);
  return true;
}

/* Make KEPT what CACHE has for KEY; nothing, if that is not what is written here.  */
static void
read_kept (struct pg_cache *cache, struct pg_cache_key key, struct kept *kept)
{
  char *bytes = NULL;
  size_t len = 0;
  *kept = (struct kept) { .n = 0 };
  if (!pg_cache_find (cache, key, &bytes, &len))
    return;
  size_t n = len < head_len ? 0 : (len - head_len) / sizeof *kept->rows;
  if (n <= MOST_ROWS && len == head_len + n * sizeof *kept->rows)
    {
      memcpy (written (kept), bytes, len);
      kept->n = n;
    }
  free (bytes);
}

void
pg_device_hints_read (struct pg_device *device)
{
  char why[PG_CACHE_TEXT_LEN];
  struct pg_cache_key key;
  *identity = '\0';
  if (device->ops->identify != NULL)
    device->ops->identify (device, identity);
  struct pg_cache *cache = find_key (&key) ? pg_costs_open (why) : NULL;
  if (cache != NULL && hints == NULL)
    hints = malloc (sizeof *hints);
  if (cache != NULL && hints != NULL)
    {
      read_kept (cache, key, hints);
      pg_device_costs_hint (&hints->device);
    }
  pg_cache_close (cache);
}

/* The row of KEY in KEPT, or KEPT->n.  */
static size_t
find_row (const struct kept *kept, struct pg_costs_key key)
{
  size_t r = 0;
  while (r < kept->n && (kept->rows[r].key.low != key.low || kept->rows[r].key.high != key.high))
    r++;
  return r;
}

/* Data are not there any more.  */
void
pg_device_hints_give (struct pg_costs_key key, struct pg_loop_costs *costs)
{
  size_t r = hints == NULL ? 0 : find_row (hints, key);
  if (hints == NULL || r == hints->n)
    return;
  *costs = hints->rows[r].costs;
  pg_loop_costs_bound (costs);
  costs->in_len = costs->all_len;
}

/* Make COSTS those of KEY in KEPT.  */
static void
put_row (struct kept *kept, struct pg_costs_key key, const struct pg_loop_costs *costs)
{
  size_t r = find_row (kept, key);
  if (r < kept->n)
    memmove (kept->rows + r, kept->rows + r + 1, (--kept->n - r) * sizeof *kept->rows);
  kept->rows[kept->n++] = (struct row) { key, *costs };
  if (kept->n > MOST_ROWS)
    memmove (kept->rows, kept->rows + 1, --kept->n * sizeof *kept->rows);
}

/* Put what is known of all loops into KEPT.  Threads: who has claimed the manager.  Whether there is anything.  */
static bool
put_rows (struct kept *kept)
{
  bool is_any = false;
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      struct pg_state *state = (struct pg_state *) row;
      struct pg_thread *nobody = NULL;
      struct pg_loop_costs loop = { .n_iters = 0 };
      if (!atomic_compare_exchange_strong (&state->owner, &nobody, pg_thread_self ()))
	continue;
      if (state->speculation != NULL && pg_device_costs_read (&kept->device, &loop, &state->speculation->costs)
	  && loop.n_iters > 0)
	{
	  put_row (kept, pg_costs_key (state), &loop);
	  is_any = true;
	}
      atomic_store (&state->owner, NULL);
    }
  return is_any;
}

/* What other processes wrote meanwhile stays, but for the loops that are known here.  */
void
pg_device_hints_write (void)
{
  char why[PG_CACHE_TEXT_LEN];
  struct pg_cache_key key;
  if (pg_environment.mode != PG_MODE_ON || pg_environment.inject || !find_key (&key) || !pg_manager_claim ())
    return;
  struct pg_cache *cache = pg_costs_open (why);
  struct kept *kept = cache == NULL ? NULL : malloc (sizeof *kept);
  if (kept != NULL)
    {
      read_kept (cache, key, kept);
      if (put_rows (kept))
	pg_cache_keep (cache, key, written (kept), head_len + kept->n * sizeof *kept->rows);
    }
  free (kept);
  pg_cache_close (cache);
  pg_manager_release ();
}
