/* SPDX-License-Identifier: MIT
   Watching the program's memory.  See watch.h.

   The kernel has one bit a page, "written since it was protected", and many may want to know about the same page.  So
   each page has the tick at which it was last protected, 0 while that is being changed:

       begin (A)      protects the pages at tick 1
		      the program writes to one of them
       begin (B)      finds that page written, protects it again at tick 2
       is A's page untouched since tick 1?    the kernel says so, but the page's tick is 2: no

   Who protects a page first sets its tick to 0, and who asks reads the tick after asking the kernel: whoever sees the
   bit of a new protection sees that the old tick is gone.  (Both go through the page table's lock.)  So that nobody has
   to look at each of many pages, groups of them have the latest of their ticks, or NEVER if one is 0, which is set
   before the 0.

   Areas are mappings, never given back.  What happens to a mapping shows in the kernel's answer, and the area is gone.
   It may have been unmapped and mapped again while nobody asked: then the kernel has no record of it, until a new area
   wants one, and that makes all areas gone that it overlaps, before.

   All lies in memory that a fork wipes in the child: there, nothing is watched.  The clock goes on, so that no moment
   of the parent's is one of the child's.  */
#include "watch.h"
#include "arena.h"
#include "bypass.h"
#include "environment.h"
#include "futex.h"
#include "imports.h"
#include "log.h"
#include "pages.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum
{
  MOST_AREAS = 64,
  MOST_WIDENED = 4096, /* pages */
  GROUP = 64,          /* pages */
  N_RANGES = 16,
  FORK_TICKS = 1 << 16, /* more than pass while the kernel copies memory */
  MOST_PAUSES = 2000    /* while another thread begins to watch */
};

#define NEVER UINT32_MAX
#define HUGE_LEN ((uintptr_t) 2 << 20) /* of a huge page, on all processors of ours */

struct area
{
  uintptr_t low, end;
  size_t n_pages;
  size_t n_wanted; /* pages that were not protected and had to be; not those protected as neighbours of theirs */
  _Atomic bool is_gone;
  _Atomic pg_tick *since;  /* by page */
  _Atomic pg_tick *latest; /* by group; behind SINCE */
};

/* LOCK guards all changes but to IS_GONE.  */
struct watch
{
  atomic_flag lock;
  bool is_refused;
  _Atomic bool is_open;
  struct pg_pages pages;
  _Atomic int n_areas;
  struct area areas[MOST_AREAS];
};

static _Atomic (struct watch *) the_watch;
static _Atomic pg_tick now;
static _Atomic bool is_locked_out; /* a thread: there is no way back */
static _Atomic bool was_allowed;   /* some time */
static _Atomic uintptr_t page_len;
static _Thread_local int64_t once_ns __attribute__ ((tls_model ("initial-exec"))); /* pg_watch_once_ns */

uintptr_t
pg_watch_page_len (void)
{
  uintptr_t len = atomic_load_explicit (&page_len, memory_order_relaxed);
  if (len == 0)
    atomic_store (&page_len, len = (uintptr_t) sysconf (_SC_PAGESIZE));
  return len;
}

uintptr_t
pg_watch_page (uintptr_t address)
{
  return address / pg_watch_page_len () * pg_watch_page_len ();
}

/* The process's watch, or NULL: no memory.  */
static struct watch *
get_watch (void)
{
  struct watch *watch = atomic_load (&the_watch), *none = NULL;
  if (watch != NULL)
    return watch;
  watch = pg_arena_get (sizeof *watch);
  if (watch == NULL || madvise (watch, sizeof *watch, MADV_WIPEONFORK) != 0)
    {
      if (watch != NULL)
	munmap (watch, sizeof *watch);
      return NULL;
    }
  pg_watch_page_len ();
  if (atomic_compare_exchange_strong (&the_watch, &none, watch))
    return watch;
  munmap (watch, sizeof *watch); /* not for other uses: it is wiped */
  return none;
}

/* Not to be had, because of WHY.  */
static void
refuse (struct watch *watch, const char *why)
{
  watch->is_refused = true;
  PG_LOG (CHECK, "index data is read each time: %s", why);
}

/* Open WATCH, if it is not; false: it cannot be.  */
static bool
open_watch (struct watch *watch)
{
  const char *why;
  if (watch->is_refused)
    return false;
  if (!atomic_load (&watch->is_open))
    {
      int64_t start = pg_now ();
      bool is_open = pg_pages_open (&watch->pages, &why);
      once_ns += pg_now () - start;
      if (!is_open)
	{
	  refuse (watch, why);
	  return false;
	}
      atomic_store (&watch->is_open, true);
    }
  if (!pg_pages_are_ours (&watch->pages))
    refuse (watch, "the program closed files that are not its own");
  return !watch->is_refused;
}

/* The page of START, and the one behind that of the last of LEN bytes.  */
static uintptr_t
page_of (const void *start)
{
  return pg_watch_page ((uintptr_t) start);
}

static uintptr_t
page_behind (const void *start, size_t len)
{
  return pg_watch_page ((uintptr_t) start + len + pg_watch_page_len () - 1);
}

/* The area that holds all of [LOW, END), or NULL.  */
static struct area *
find_area (struct watch *watch, uintptr_t low, uintptr_t end)
{
  int n = atomic_load_explicit (&watch->n_areas, memory_order_acquire);
  for (int i = 0; i < n; i++)
    {
      struct area *area = &watch->areas[i];
      if (area->low <= low && end <= area->end && !atomic_load (&area->is_gone))
	return area;
    }
  return NULL;
}

/* The pages of AREA that [LOW, END) consists of, by number.  */
struct pages
{
  size_t from, to;
};

static struct pages
pages_of (const struct area *area, uintptr_t low, uintptr_t end)
{
  uintptr_t len = atomic_load_explicit (&page_len, memory_order_relaxed);
  return (struct pages) { (low - area->low) / len, (end - area->low) / len };
}

/* The end of the group of page PAGE, within [PAGE, TO).  */
static size_t
group_end (size_t page, size_t to)
{
  size_t end = (page / GROUP + 1) * GROUP;
  return end < to ? end : to;
}

/* There is a new mapping, or a changed one.  */
static void
lose_areas (struct watch *watch, const struct pg_page_range *mapping)
{
  for (int i = 0; i < watch->n_areas; i++)
    if (watch->areas[i].low < mapping->end && mapping->low < watch->areas[i].end)
      atomic_store (&watch->areas[i].is_gone, true);
}

/* Make an area of the mapping around [LOW, END), or NULL.  */
static struct area *
add_area (struct watch *watch, uintptr_t low, uintptr_t end)
{
  struct pg_page_range mapping;
  int n = atomic_load_explicit (&watch->n_areas, memory_order_relaxed);
  if (n == MOST_AREAS || !pg_pages_mapping (low, &mapping) || mapping.end < end)
    return NULL;
  lose_areas (watch, &mapping);
  struct area *area = &watch->areas[n];
  *area = (struct area) { .low = mapping.low, .end = mapping.end, .n_pages = (mapping.end - mapping.low) / page_len };
  size_t n_groups = (area->n_pages + GROUP - 1) / GROUP, len = (area->n_pages + n_groups) * sizeof *area->since;
  area->since = pg_arena_get (len);
  if (area->since == NULL || !pg_pages_record (&watch->pages, mapping.low, mapping.end))
    {
      pg_arena_put (area->since, len);
      return NULL;
    }
  area->latest = area->since + area->n_pages;
  for (size_t g = 0; g < n_groups; g++)
    atomic_store (&area->latest[g], NEVER);
  PG_LOG (CHECK, "watching %zu KiB at %p", (size_t) (mapping.end - mapping.low) >> 10, (void *) mapping.low);
  atomic_store_explicit (&watch->n_areas, n + 1, memory_order_release);
  return area;
}

/* Note in AREA that the pages of RANGE are about to be protected.  */
static void
note_written (struct area *area, struct pg_page_range range)
{
  struct pages pages = pages_of (area, range.low, range.end);
  for (size_t p = pages.from; p < pages.to; p++)
    {
      atomic_store (&area->latest[p / GROUP], NEVER);
      atomic_store (&area->since[p], 0);
    }
}

/* Is one of PAGES of AREA not protected?  */
static bool
is_one_new (const struct area *area, struct pages pages)
{
  for (size_t p = pages.from; p < pages.to; p++)
    if (atomic_load (&area->latest[p / GROUP]) != NEVER)
      p = group_end (p, pages.to) - 1;
    else if (atomic_load (&area->since[p]) == 0)
      return true;
  return false;
}

/* Note in AREA that PAGES, as far as they were not before, are protected since TICK.  */
static void
note_protected (struct area *area, struct pages pages, pg_tick tick)
{
  for (size_t p = pages.from, end; p < pages.to; p = end)
    {
      end = group_end (p, pages.to);
      if (atomic_load (&area->latest[p / GROUP]) != NEVER)
	continue;
      for (; p < end; p++)
	if (atomic_load (&area->since[p]) == 0)
	  atomic_store (&area->since[p], tick);
      size_t first = (end - 1) / GROUP * GROUP, behind = group_end (first, area->n_pages);
      pg_tick latest = 0;
      for (size_t i = first; i < behind && latest != NEVER; i++)
	{
	  pg_tick at = atomic_load (&area->since[i]);
	  latest = at == 0 ? NEVER : at > latest ? at : latest;
	}
      atomic_store (&area->latest[first / GROUP], latest);
    }
}

/* Protect the pages of RANGE that the kernel says were written, N of them at a time, or that were never protected: in
   old kernels, memory that mremap moved seems unwritten.  False: there is no record of them.  */
static bool
protect_written (struct watch *watch, struct area *area, struct pg_page_range range)
{
  struct pg_page_range ranges[N_RANGES];
  for (uintptr_t from = range.low; from < range.end;)
    {
      int n = pg_pages_find_written (&watch->pages, from, range.end, ranges, N_RANGES, 0);
      if (n < 0)
	return false;
      for (int i = 0; i < n; i++)
	note_written (area, ranges[i]);
      from = n < N_RANGES ? range.end : ranges[n - 1].end;
    }
  struct pages pages = pages_of (area, range.low, range.end);
  for (size_t p = pages.from, end; p < pages.to; p = end)
    {
      end = p + 1;
      if (atomic_load (&area->latest[p / GROUP]) != NEVER)
	end = group_end (p, pages.to);
      else if (atomic_load (&area->since[p]) == 0)
	{
	  while (end < pages.to && atomic_load (&area->since[end]) == 0)
	    end++;
	  if (!pg_pages_protect (&watch->pages, area->low + p * page_len, area->low + end * page_len))
	    return false;
	}
    }
  return true;
}

/* Protect all pages of [LOW, END) of AREA that are not.  What was pinned before that may be written unseen; what is
   pinned later is seen.  */
static pg_tick
begin (struct watch *watch, struct area *area, uintptr_t low, uintptr_t end)
{
  struct pg_page_range range = { .low = low, .end = end };
  pg_tick tick = atomic_load (&now) + 1;
  if (!protect_written (watch, area, range))
    {
      atomic_store (&area->is_gone, true);
      return 0;
    }
  struct pages pages = pages_of (area, low, end);
  if (is_one_new (area, pages) && pg_bypass_possible ())
    return 0;
  note_protected (area, pages, tick);
  atomic_store (&now, tick);
  return tick;
}

/* Widen [*LOW, *END) within AREA by pages that were never protected: of others, it is known that they are written.  To
   protect some pages takes as long as to protect many, and the more were wanted, the more will be.  */
static void
widen (struct area *area, uintptr_t *low, uintptr_t *end)
{
  struct pages pages = pages_of (area, *low, *end);
  for (size_t p = pages.from; p < pages.to; p++)
    area->n_wanted += atomic_load (&area->since[p]) == 0;
  size_t len = GROUP;
  while (len < MOST_WIDENED && len < area->n_wanted)
    len *= 2;
  size_t first = pages.from / len * len, behind = ((pages.to - 1) / len + 1) * len;
  if (behind > area->n_pages)
    behind = area->n_pages;
  while (pages.from > first && atomic_load (&area->since[pages.from - 1]) == 0)
    pages.from--;
  while (pages.to < behind && atomic_load (&area->since[pages.to]) == 0)
    pages.to++;
  *low = area->low + pages.from * page_len;
  *end = area->low + pages.to * page_len;
}

/* Has none of PAGES of AREA ever been protected?  */
static bool
are_all_new (const struct area *area, struct pages pages)
{
  for (size_t p = pages.from; p < pages.to; p++)
    if (atomic_load (&area->since[p]) != 0)
      return false;
  return true;
}

/* Whether the huge page at LOW, if there is one, can be protected as a whole, as nothing else of it was before.  */
static bool
is_whole_huge (const struct watch *watch, const struct area *area, uintptr_t low)
{
  uintptr_t end = low + HUGE_LEN;
  return low >= area->low && end <= area->end && are_all_new (area, pages_of (area, low, end))
	 && pg_pages_are_huge (&watch->pages, low, end);
}

/* Widen [*LOW, *END) within AREA so that it does not begin or end within a huge page.  */
static void
widen_to_huge (const struct watch *watch, const struct area *area, uintptr_t *low, uintptr_t *end)
{
  uintptr_t first = *low / HUGE_LEN * HUGE_LEN, last = (*end - 1) / HUGE_LEN * HUGE_LEN;
  bool ends_within = *end < last + HUGE_LEN && is_whole_huge (watch, area, last);
  if (first < *low && is_whole_huge (watch, area, first))
    *low = first;
  if (ends_within)
    *end = last + HUGE_LEN;
}

bool
pg_watch_is_wanted (void)
{
  return !pg_environment.is_watch_off && !atomic_load_explicit (&is_locked_out, memory_order_relaxed);
}

bool
pg_watch_is_allowed (void)
{
  if (!pg_watch_is_wanted ())
    return false;
  if (atomic_load_explicit (&was_allowed, memory_order_relaxed) && !pg_imports_handlers ())
    return true;
  if (prctl (PR_GET_SECCOMP) == 0)
    {
      atomic_store_explicit (&was_allowed, true, memory_order_relaxed);
      return true;
    }
  atomic_store_explicit (&is_locked_out, true, memory_order_relaxed);
  return false;
}

/* The area that holds all of [LOW, END), a new one if there is none; NULL: not to be had.  */
static struct area *
have_area (struct watch *watch, uintptr_t low, uintptr_t end)
{
  struct area *area = find_area (watch, low, end);
  if (area != NULL)
    return area;
  int64_t start = pg_now ();
  area = add_area (watch, low, end);
  once_ns += pg_now () - start;
  return area;
}

/* Begin to watch [LOW, END) in the area that there is, or a new one.  */
static pg_tick
begin_somewhere (struct watch *watch, uintptr_t low, uintptr_t end, bool is_wide)
{
  for (int n_tries = 0; n_tries < 2; n_tries++)
    {
      struct area *area = have_area (watch, low, end);
      if (area == NULL)
	return 0;
      uintptr_t from = low, to = end;
      if (is_wide)
	{
	  widen (area, &from, &to);
	  widen_to_huge (watch, area, &from, &to);
	}
      pg_tick tick = begin (watch, area, from, to);
      if (tick != 0 || !atomic_load (&area->is_gone))
	return tick;
    }
  return 0;
}

/* Take WATCH's lock; false: whoever has it takes too long, or was left by a jump.  */
static bool
lock (struct watch *watch)
{
  for (int n = 0; n < MOST_PAUSES; n++)
    {
      if (!atomic_flag_test_and_set_explicit (&watch->lock, memory_order_acquire))
	return true;
      pg_pause ();
    }
  return false;
}

pg_tick
pg_watch_begin (const void *start, size_t len, bool is_wide)
{
  struct watch *watch = get_watch ();
  if (watch == NULL || !lock (watch))
    return 0;
  pg_tick tick = 0;
  if (atomic_load (&now) < NEVER - 1 && open_watch (watch))
    tick = begin_somewhere (watch, page_of (start), page_behind (start, len), is_wide);
  atomic_flag_clear_explicit (&watch->lock, memory_order_release);
  return tick;
}

/* Are all PAGES of AREA, none of which was written since it was last protected, protected since TICK?  */
static bool
are_since (const struct area *area, struct pages pages, pg_tick tick)
{
  const _Atomic pg_tick *since = area->since, *latest = area->latest;
  if (since == NULL || latest == NULL)
    return false; /* a signal's handler has forked just now */
  for (size_t p = pages.from; p < pages.to; p++)
    {
      pg_tick at = atomic_load_explicit (&since[p], memory_order_acquire);
      if (atomic_load_explicit (&latest[p / GROUP], memory_order_acquire) <= tick)
	p = group_end (p, pages.to) - 1;
      else if (at == 0 || at > tick)
	return false;
    }
  return true;
}

bool
pg_watch_is_untouched (const void *start, size_t len, pg_tick tick)
{
  struct watch *watch = atomic_load (&the_watch);
  struct pg_page_range written;
  if (tick == 0 || watch == NULL || !atomic_load (&watch->is_open))
    return false;
  uintptr_t low = page_of (start), end = page_behind (start, len);
  struct area *area = find_area (watch, low, end);
  if (area == NULL)
    return false;
  int n = pg_pages_find_written (&watch->pages, low, end, &written, 1, 1);
  if (n < 0)
    atomic_store (&area->is_gone, true);
  return n == 0 && are_since (area, pages_of (area, low, end), tick);
}

/* No tick changes: as after any write, it is the kernel that says so.  */
void
pg_watch_release (const void *start, size_t len)
{
  struct watch *watch = atomic_load (&the_watch);
  uintptr_t low = page_behind (start, 0), end = page_of ((const char *) start + len);
  if (low < end && watch != NULL && atomic_load (&watch->is_open) && pg_pages_are_ours (&watch->pages)
      && find_area (watch, low, end) != NULL)
    pg_pages_release (&watch->pages, low, end);
}

int64_t
pg_watch_once_ns (void)
{
  return once_ns;
}

bool
pg_watch_is_next (const void *end, const void *start)
{
  return page_of (start) <= page_behind (end, 0);
}

void
pg_watch_forget (void)
{
  pg_tick last = atomic_load (&now);
  atomic_store (&now, last < UINT32_MAX - FORK_TICKS ? last + FORK_TICKS : UINT32_MAX);
}
