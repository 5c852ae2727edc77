/* SPDX-License-Identifier: MIT
   Mirrors.  See mirrors.h.

   Memory is read by a system call that says so where there is none: another thread may unmap its own part of a mapping
   meanwhile.  It says the same where the memory is a device's, which the program can read, and may be forbidden
   altogether: what cannot be read is not taken for anything.  */
#include "mirrors.h"
#include "budget.h"
#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum
{
  PAGE_LEN = 4096,
  PART_LEN = 16 * PAGE_LEN,
  MOST_MIRRORS = 1024, /* a loop may be entered for many parts of its arrays, one after the other */
  MOST_LOSSES = 2,
  FORGIVEN_AFTER = 64 /* uses */
};

static struct
{
  struct pg_mirror *first;
  int n;
  uint64_t n_uses;
} mirrors;

bool
pg_mirror_read (char *to, uint64_t low, size_t len)
{
  while (len > 0)
    {
      struct iovec local = { to, len }, remote = { (void *) (uintptr_t) low, len };
      ssize_t done = process_vm_readv (getpid (), &local, 1, &remote, 1, 0);
      if (done <= 0)
	return false;
      to += done;
      low += (size_t) done;
      len -= (size_t) done;
    }
  return true;
}

static size_t
n_parts (const struct pg_mirror *mirror)
{
  return (mirror->end - mirror->low + PART_LEN - 1) / PART_LEN;
}

/* Where the bytes of part PART of MIRROR begin; of the one behind the last: where they end.  */
static size_t
part_start (const struct pg_mirror *mirror, size_t part)
{
  size_t len = mirror->end - mirror->low;
  return part * PART_LEN < len ? part * PART_LEN : len;
}

/* Parts of a mirror.  */
struct parts
{
  size_t from, to;
};

/* Those of MIRROR that have a byte of [LOW, END).  */
static struct parts
parts_of (const struct pg_mirror *mirror, uint64_t low, uint64_t end)
{
  return (struct parts) { (low - mirror->low) / PART_LEN, (end - mirror->low + PART_LEN - 1) / PART_LEN };
}

/* ---- memory */

/* LEN bytes that DEVICE copies from and to, or NULL.  */
static char *
get_pinned (struct pg_device *device, size_t len)
{
  char *bytes = pg_budget_get (len);
  if (bytes != NULL && device->ops->pin != NULL)
    device->ops->pin (device, bytes, len);
  return bytes;
}

static void
put_pinned (struct pg_device *device, char *bytes, size_t len)
{
  if (bytes != NULL && device->ops->unpin != NULL)
    device->ops->unpin (device, bytes);
  pg_budget_put (bytes, len);
}

/* The bytes of a room for LEN bytes that say what has changed.  */
static size_t
changed_len (size_t len)
{
  return (len + 7) / 8;
}

/* Give back MIRROR's memory; it is remembered that there was a use of it.  */
static void
empty (struct pg_mirror *mirror, struct pg_device *device)
{
  size_t len = mirror->end - mirror->low;
  put_pinned (device, mirror->staged, len);
  put_pinned (device, mirror->room.fresh, len);
  pg_budget_put (mirror->room.changed, changed_len (len));
  mirror->room = (struct pg_mirror_room) { NULL, NULL };
  pg_budget_put (mirror->ticks, n_parts (mirror) * sizeof *mirror->ticks);
  if (mirror->block != 0)
    device->ops->free (device, mirror->block);
  mirror->staged = NULL;
  mirror->ticks = NULL;
  mirror->block = 0;
}

/* The mirror that was used least recently of those that are not in use and, with HAS_MEMORY, have memory; or NULL.  */
static struct pg_mirror *
find_oldest (bool has_memory)
{
  struct pg_mirror *oldest = NULL;
  for (struct pg_mirror *mirror = mirrors.first; mirror != NULL; mirror = mirror->next)
    if (mirror->n_users == 0 && (mirror->block != 0 || !has_memory) && (oldest == NULL || mirror->used < oldest->used))
      oldest = mirror;
  return oldest;
}

static void
drop (struct pg_mirror *dropped, struct pg_device *device)
{
  struct pg_mirror **link = &mirrors.first;
  while (*link != dropped)
    link = &(*link)->next;
  *link = dropped->next;
  mirrors.n--;
  empty (dropped, device);
  free (dropped);
}

/* Have memory for MIRROR, once.  */
static enum pg_device_status
get_memory (struct pg_mirror *mirror, struct pg_device *device)
{
  size_t len = mirror->end - mirror->low, pad = mirror->low % PAGE_LEN;
  mirror->staged = get_pinned (device, len);
  mirror->ticks = pg_budget_get (n_parts (mirror) * sizeof *mirror->ticks);
  enum pg_device_status status = PG_DEVICE_NO_MEMORY;
  if (mirror->staged != NULL && mirror->ticks != NULL)
    status = device->ops->alloc (device, pad + len, &mirror->block);
  if (status == PG_DEVICE_OK)
    {
      mirror->there = mirror->block + pad;
      return status;
    }
  mirror->block = 0;
  empty (mirror, device);
  return status;
}

/* The longest mirror that has all of [LOW, END) and memory, or that of just this span, made if there is none; NULL: no
   memory.  */
static struct pg_mirror *
find (struct pg_device *device, uint64_t low, uint64_t end)
{
  struct pg_mirror *found = NULL;
  for (struct pg_mirror *mirror = mirrors.first; mirror != NULL; mirror = mirror->next)
    if (mirror->low <= low && end <= mirror->end && (mirror->block != 0 || (mirror->low == low && mirror->end == end))
	&& (found == NULL || mirror->end - mirror->low > found->end - found->low))
      found = mirror;
  if (found != NULL)
    return found;
  struct pg_mirror *oldest = mirrors.n >= MOST_MIRRORS ? find_oldest (false) : NULL;
  if (oldest != NULL)
    drop (oldest, device);
  struct pg_mirror *made = calloc (1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->low = low;
  made->end = end;
  made->next = mirrors.first;
  mirrors.first = made;
  mirrors.n++;
  return made;
}

enum pg_device_status
pg_mirror_use (struct pg_device *device, uint64_t low, uint64_t end, struct pg_mirror **used)
{
  struct pg_mirror *mirror = find (device, low, end), *oldest;
  enum pg_device_status status = PG_DEVICE_OK;
  if (mirror == NULL)
    return PG_DEVICE_NO_MEMORY;
  mirror->n_users++;
  mirror->used = ++mirrors.n_uses;
  if (mirror->block == 0)
    while ((status = get_memory (mirror, device)) == PG_DEVICE_NO_MEMORY && (oldest = find_oldest (true)) != NULL)
      empty (oldest, device);
  if (status != PG_DEVICE_OK)
    mirror->n_users--;
  *used = status == PG_DEVICE_OK ? mirror : NULL;
  return status;
}

static bool
has_room (const struct pg_mirror_room *room)
{
  return room->fresh != NULL && room->changed != NULL;
}

/* Is [LOW, END) all of MIRROR, so that its own room serves it?  */
static bool
is_all (const struct pg_mirror *mirror, uint64_t low, uint64_t end)
{
  return mirror->low == low && mirror->end == end;
}

bool
pg_mirror_get_room (struct pg_mirror *mirror, struct pg_device *device, uint64_t low, uint64_t end,
		    struct pg_mirror_room *room)
{
  size_t len = end - low;
  struct pg_mirror_room *own = &mirror->room;
  if (!is_all (mirror, low, end) || mirror->is_room_taken)
    {
      *room = (struct pg_mirror_room) { pg_budget_get (len), pg_budget_get (changed_len (len)) };
      return has_room (room);
    }
  if (own->changed != NULL)
    memset (own->changed, 0, changed_len (len));
  else
    own->changed = pg_budget_get (changed_len (len));
  if (own->fresh == NULL)
    own->fresh = get_pinned (device, len);
  mirror->is_room_taken = true;
  *room = *own;
  return has_room (room);
}

void
pg_mirror_put_room (struct pg_mirror *mirror, uint64_t low, uint64_t end, struct pg_mirror_room *room)
{
  if (room->fresh == mirror->room.fresh && room->changed == mirror->room.changed)
    mirror->is_room_taken = false;
  else
    {
      pg_budget_put (room->fresh, end - low);
      pg_budget_put (room->changed, changed_len (end - low));
    }
  *room = (struct pg_mirror_room) { NULL, NULL };
}

/* ---- what is equal */

/* Whether MIRROR's memory is to be watched from now on.  */
static bool
is_watched (const struct pg_mirror *mirror)
{
  return mirror->n_uses > 0 && mirror->n_losses < MOST_LOSSES && !pg_environment.is_mirrors_off
	 && pg_watch_is_allowed ();
}

static void
set_ticks (struct pg_mirror *mirror, size_t from, size_t to, pg_tick tick)
{
  for (size_t part = from; part < to; part++)
    mirror->ticks[part] = tick;
}

/* A moment before now since when parts [FROM, TO) of MIRROR are watched; 0: they are not.  */
static pg_tick
watch (const struct pg_mirror *mirror, size_t from, size_t to)
{
  size_t start = part_start (mirror, from), end = part_start (mirror, to);
  return is_watched (mirror) ? pg_watch_begin ((const char *) (uintptr_t) mirror->low + start, end - start, false) : 0;
}

/* Set the ticks of those of MIRROR's parts [FROM, TO), which have one and the same, that were written, to 0.  */
static void
find_written (struct pg_mirror *mirror, size_t from, size_t to)
{
  size_t start = part_start (mirror, from), end = part_start (mirror, to);
  if (pg_watch_is_untouched ((const char *) (uintptr_t) mirror->low + start, end - start, mirror->ticks[from]))
    return;
  if (to - from == 1)
    {
      mirror->ticks[from] = 0;
      return;
    }
  find_written (mirror, from, from + (to - from) / 2);
  find_written (mirror, from + (to - from) / 2, to);
}

/* The end of the parts from FROM on, below END, that have one and the same tick.  */
static size_t
run_end (const struct pg_mirror *mirror, size_t from, size_t end)
{
  size_t to = from + 1;
  while (to < end && mirror->ticks[to] == mirror->ticks[from])
    to++;
  return to;
}

/* If most of what was known was written, to watch it was no use.  */
void
pg_mirror_look (struct pg_mirror *mirror, uint64_t low, uint64_t end)
{
  struct parts parts = parts_of (mirror, low, end);
  size_t n_known = 0, n_lost = 0, to;
  for (size_t from = parts.from; from < parts.to; from = to)
    {
      to = run_end (mirror, from, parts.to);
      if (mirror->ticks[from] == 0)
	continue;
      find_written (mirror, from, to);
      for (size_t part = from; part < to; part++)
	n_lost += mirror->ticks[part] == 0;
      n_known += to - from;
    }
  if (n_known > 0)
    mirror->n_losses = 2 * n_lost > n_known ? mirror->n_losses + 1 : 0;
}

int64_t
pg_mirror_missing (const struct pg_mirror *mirror, uint64_t low, uint64_t end)
{
  struct parts parts = parts_of (mirror, low, end);
  int64_t len = 0;
  for (size_t part = parts.from; part < parts.to; part++)
    if (mirror->ticks[part] == 0)
      len += (int64_t) (part_start (mirror, part + 1) - part_start (mirror, part));
  return len;
}

bool
pg_mirror_refresh (struct pg_mirror *mirror, uint64_t low, uint64_t end, struct pg_device *device,
		   enum pg_device_status *status, int64_t *n_copied)
{
  struct parts parts = parts_of (mirror, low, end);
  size_t to;
  *status = PG_DEVICE_OK;
  for (size_t from = parts.from; from < parts.to; from = to)
    {
      to = run_end (mirror, from, parts.to);
      if (mirror->ticks[from] != 0)
	continue;
      size_t start = part_start (mirror, from), len = part_start (mirror, to) - start;
      pg_tick tick = watch (mirror, from, to);
      if (!pg_mirror_read (mirror->staged + start, mirror->low + start, len))
	return false;
      *status = device->ops->copy_in (device, mirror->there + start, mirror->staged + start, len);
      if (*status != PG_DEVICE_OK)
	return false;
      set_ticks (mirror, from, to, tick);
      *n_copied += (int64_t) len;
    }
  return true;
}

void
pg_mirror_spoil (struct pg_mirror *mirror, uint64_t low, uint64_t end)
{
  struct parts parts = parts_of (mirror, low, end);
  set_ticks (mirror, parts.from, parts.to, 0);
}

/* Does CHANGED, about the words of [LOW, END), say that a byte of part PART of MIRROR is another than before?  */
static bool
is_changed (const struct pg_mirror *mirror, uint64_t low, uint64_t end, const uint8_t *changed, size_t part)
{
  uint64_t first = mirror->low + part_start (mirror, part), behind = mirror->low + part_start (mirror, part + 1);
  size_t from = first > low ? (first - low) / 8 : 0, to = ((behind < end ? behind : end) - low + 7) / 8;
  return changed[from] != 0 || memcmp (changed + from, changed + from + 1, to - from - 1) != 0;
}

/* Set PARTS to the next of MIRROR in a row, behind them, that have a tick, and have changed; false: there are none.  */
static bool
next_changed (const struct pg_mirror *mirror, uint64_t low, uint64_t end, const uint8_t *changed, struct parts *parts)
{
  size_t behind = parts_of (mirror, low, end).to, part = parts->to;
  while (part < behind && !(mirror->ticks[part] != 0 && is_changed (mirror, low, end, changed, part)))
    part++;
  parts->from = part;
  while (part < behind && mirror->ticks[part] != 0 && is_changed (mirror, low, end, changed, part))
    part++;
  parts->to = part;
  return parts->from < part;
}

void
pg_mirror_release (const struct pg_mirror *mirror, uint64_t low, uint64_t end, const uint8_t *changed)
{
  struct parts parts = { .to = parts_of (mirror, low, end).from };
  if (!pg_watch_is_allowed ())
    return;
  while (next_changed (mirror, low, end, changed, &parts))
    {
      size_t start = part_start (mirror, parts.from), len = part_start (mirror, parts.to) - start;
      pg_watch_release ((const char *) (uintptr_t) mirror->low + start, len);
    }
}

/* Whether MIRROR has the bytes of part PART as they are in memory.  */
static bool
is_equal (const struct pg_mirror *mirror, size_t part)
{
  static char room[PART_LEN];
  size_t start = part_start (mirror, part), len = part_start (mirror, part + 1) - start;
  return pg_mirror_read (room, mirror->low + start, len) && memcmp (room, mirror->staged + start, len) == 0;
}

void
pg_mirror_settle (struct pg_mirror *mirror, uint64_t low, uint64_t end, const uint8_t *changed)
{
  struct parts parts = { .to = parts_of (mirror, low, end).from };
  while (next_changed (mirror, low, end, changed, &parts))
    {
      pg_tick tick = watch (mirror, parts.from, parts.to);
      for (size_t part = parts.from; part < parts.to; part++)
	mirror->ticks[part] = tick != 0 && is_equal (mirror, part) ? tick : 0;
    }
}

void
pg_mirror_leave (struct pg_mirror *mirror, struct pg_device *device)
{
  bool is_kept = mirror->n_uses > 0 && !pg_environment.is_mirrors_off;
  for (size_t part = 0; part < n_parts (mirror) && !is_kept; part++)
    is_kept = mirror->ticks[part] != 0;
  mirror->n_users--;
  if (!is_kept && mirror->n_users == 0)
    empty (mirror, device);
  if (++mirror->n_uses % FORGIVEN_AFTER == 0)
    mirror->n_losses = 0;
}

void
pg_mirrors_drop (struct pg_device *device)
{
  while (mirrors.first != NULL)
    drop (mirrors.first, device);
}

void
pg_mirrors_forget (void)
{
  mirrors.first = NULL;
  mirrors.n = 0;
}
