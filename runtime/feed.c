/* SPDX-License-Identifier: MIT
   The memory that feeds a region's monitor, laid out for reading again.

   Reading it must be safe even if this time the loop would not touch it: it may have been unmapped since.  So it is
   read in stages.  What is read unconditionally, at addresses that depend on the entry's numbers alone, comes first;
   then one reference after the other, in the order in which the inspection first met them.  A load that decides about
   the address or the execution of another one comes before it in each iteration, hence in the iteration in which the
   other one is first met, hence in this order: once all earlier stages are found unchanged, the loop will read this
   one.

       for (k) { row = level[k];		stage 0: level, one block
	 for (j = ptr[row]; ...; j++)		stage 1: ptr, 4 bytes each at scattered places: runs
	   x[row] -= a[j] * x[col[j]]; }	stage 2: col, runs of a row's length each

   Where a reference goes through memory in small steps, all from the lowest to the highest byte is read, in one stream:
   what lies between is mapped, because both ends of a step are, and it is less than a page.  Where it jumps, all pages
   from the lowest to the highest byte are watched (watch.h), and never read.  That tells nothing if other data there
   are written all the time.  They mostly are on the outermost pages, so then these are read and the others watched; and
   if that does not help, the inspection keeps a list of runs of bytes that follow each other, and only these are read.
   A reference is found to jump by an inspection, and its runs, if they are needed, are kept from the next one on.

   Long runs are blocks of their own; short ones, spans, are copied together to be hashed.

   What a reference reads is cut into shares as the loop's iterations are (grid.h): a thread mostly hashes what it then
   works with, and finds in its cache.  */
#include "feed.h"
#include "arena.h"
#include "layout.h"
#include "scout.h"

#include <string.h>

enum
{
  SHARE_LEN = 8 << 10,   /* the least of a share */
  ROUNDS = 8,            /* of shares for all threads, as grid.c cuts a loop */
  WATCHED_LEN = 1 << 20, /* the most in a block that is only watched */
  MOST_RUNS = 65536      /* that room is made for, an iteration */
};

struct range
{
  const char *start;
  size_t len;
};

/* Scratch for laying out.  */
struct layout
{
  struct pg_inspector *inspector;
  const struct pg_view *view;
  struct pg_feed *feed;
  struct range *ranges;  /* room for one a job and reference */
  struct range *watched; /* room for one a reference */
  uint32_t n_watched;
  uint32_t *refs;    /* of the present stage */
  uint8_t *is_taken; /* by reference */
};

/* Does [LOW, END) meet LEN bytes at START?  */
static bool
meets (uintptr_t low, uintptr_t end, uintptr_t start, size_t len)
{
  return low < start + len && start < end;
}

/* Does [LOW, END) meet a byte of FEED?  */
static bool
holds_byte_of (const struct pg_feed *feed, uintptr_t low, uintptr_t end)
{
  for (size_t b = 0; b < feed->n_blocks; b++)
    if (feed->blocks[b].n_spans == 0 && meets (low, end, (uintptr_t) feed->blocks[b].start, feed->blocks[b].reach))
      return true;
  for (size_t i = 0; i < feed->n_spans; i++)
    if (meets (low, end, (uintptr_t) pg_span_start (feed->spans[i]), pg_span_len (feed->spans[i])))
      return true;
  return false;
}

bool
pg_feed_is_written (const struct pg_feed *feed, const struct pg_inspector *inspector, const struct pg_view *view)
{
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      int64_t low, end;
      if (!(view->region->refs[r].flags & PG_REF_WRITE) || view->places[r].is_never)
	continue;
      if (inspector->roles[r].what & PG_ROLE_TRACE)
	{
	  low = (int64_t) inspector->totals[r].low;
	  end = (int64_t) inspector->totals[r].end;
	}
      else
	pg_place_extent (view, r, inspector->lo, inspector->hi, &low, &end);
      if (holds_byte_of (feed, (uintptr_t) low, (uintptr_t) end))
	return true;
    }
  return false;
}

/* Fill in LAYOUT's references of stage STAGE: all that are read for certain, or the first met of those not yet taken.
   Returns their number.  Jobs are in the order of their iterations.  */
static uint32_t
next_stage (struct layout *layout, uint32_t stage)
{
  const struct pg_region *region = layout->view->region;
  uint32_t n = 0;
  for (uint32_t r = 0; stage == 0 && r < region->n_refs; r++)
    if ((region->refs[r].flags & (PG_REF_FEEDS | PG_REF_CONDITIONAL)) == PG_REF_FEEDS && region->refs[r].level == 0)
      {
	layout->is_taken[r] = 1;
	layout->refs[n++] = r;
      }
  for (int64_t j = 0; stage > 0 && n == 0 && j < layout->inspector->n_traced; j++)
    {
      const struct pg_trace *traces = pg_scout_traces (layout->inspector, j);
      for (uint32_t r = 0; r < region->n_refs; r++)
	if ((region->refs[r].flags & PG_REF_FEEDS) && !layout->is_taken[r] && traces[r].end != 0
	    && (n == 0 || traces[r].order < traces[layout->refs[0]].order))
	  {
	    layout->refs[0] = r;
	    n = 1;
	  }
    }
  if (stage > 0 && n > 0)
    layout->is_taken[layout->refs[0]] = 1;
  return n;
}

/* Append BLOCK.  */
static void
add_block (struct pg_feed *feed, struct pg_block block)
{
  if (feed->blocks != NULL)
    feed->blocks[feed->n_blocks] = block;
  feed->n_blocks++;
}

/* Runs did not fit: learn how many there are, for the next inspection.  */
static bool
lose_runs (struct pg_inspector *inspector)
{
  int64_t n_iters = (inspector->hi - inspector->lo + inspector->n_traced - 1) / inspector->n_traced;
  for (int64_t j = 0; j < inspector->n_traced; j++)
    {
      size_t n_runs;
      pg_scout_runs (inspector, j, &n_runs);
      size_t need = n_runs / (size_t) n_iters + 1;
      if (need > inspector->runs_an_iter)
	inspector->runs_an_iter = need < MOST_RUNS ? (uint32_t) need : MOST_RUNS;
    }
  return false;
}

/* References were found to jump too far: have those that do traced as runs in the next inspection, unless it watches
   their pages.  */
static bool
want_runs (struct pg_inspector *inspector)
{
  int64_t n_iters = inspector->hi - inspector->lo;
  inspector->few_iters = n_iters > inspector->few_iters ? n_iters : inspector->few_iters;
  for (int64_t j = 0; j < inspector->n_traced; j++)
    for (uint32_t r = 0; r < inspector->region->n_refs; r++)
      if (pg_scout_traces (inspector, j)[r].is_sparse)
	inspector->roles[r].what |= PG_ROLE_JUMPS;
  return false;
}

/* The shares that COST bytes' worth of work of FEED is cut into: the same number for each thread, or a single one.  */
static size_t
count_shares (const struct pg_feed *feed, size_t cost)
{
  size_t n_rounds = ROUNDS;
  while (n_rounds > 0 && cost < n_rounds * feed->n_threads * SHARE_LEN)
    n_rounds /= 2;
  return n_rounds > 0 ? n_rounds * feed->n_threads : 1;
}

/* Append LEN bytes at START in shares.  */
static void
add_bytes (struct pg_feed *feed, const char *start, size_t len)
{
  size_t n = count_shares (feed, len), piece = (len + n - 1) / n;
  for (; len > piece; start += piece, len -= piece)
    add_block (feed, (struct pg_block) { .start = start, .reach = piece, .len = piece });
  add_block (feed, (struct pg_block) { .start = start, .reach = len, .len = len });
}

/* Append the pages of [LOW, END), only to be watched, unless they are watched already.  */
static void
add_pages (struct layout *layout, uintptr_t low, uintptr_t end)
{
  for (uint32_t i = 0; i < layout->n_watched; i++)
    if ((uintptr_t) layout->watched[i].start <= low
	&& end - (uintptr_t) layout->watched[i].start <= layout->watched[i].len)
      return;
  layout->watched[layout->n_watched++] = (struct range) { .start = (const char *) low, .len = end - low };
  for (; low < end; low += WATCHED_LEN)
    {
      size_t len = end - low < WATCHED_LEN ? end - low : WATCHED_LEN;
      add_block (layout->feed, (struct pg_block) { .start = (const char *) low, .reach = len, .is_unread = true });
    }
}

/* Append RANGE, whose pages are to be watched.  */
static void
add_watched (struct layout *layout, const struct pg_range *range)
{
  layout->feed->is_wide = true;
  uintptr_t low = pg_watch_page (range->low), end = pg_watch_page (range->end - 1) + pg_watch_page_len ();
  if (layout->inspector->caution == PG_WATCH_PAGES)
    {
      add_pages (layout, low, end);
      return;
    }
  uintptr_t inner_low = pg_watch_page (range->low + pg_watch_page_len () - 1), inner_end = pg_watch_page (range->end);
  if (inner_low >= inner_end)
    {
      add_bytes (layout->feed, (const char *) range->low, range->end - range->low);
      return;
    }
  if (inner_low > range->low)
    add_bytes (layout->feed, (const char *) range->low, inner_low - range->low);
  if (range->end > inner_end)
    add_bytes (layout->feed, (const char *) inner_end, range->end - inner_end);
  add_pages (layout, inner_low, inner_end);
}

/* Note where the spans of BLOCK lie.  */
static void
find_reach (const struct pg_feed *feed, struct pg_block *block)
{
  const char *low = pg_span_start (feed->spans[block->first_span]), *end = low;
  for (size_t i = block->first_span; i < block->first_span + block->n_spans; i++)
    {
      const char *start = pg_span_start (feed->spans[i]), *span_end = start + pg_span_len (feed->spans[i]);
      low = start < low ? start : low;
      end = span_end > end ? span_end : end;
    }
  block->start = low;
  block->reach = (size_t) (end - low);
}

/* Append the last N spans, of LEN bytes, in shares.  */
static void
add_spans (struct pg_feed *feed, size_t n, size_t len)
{
  size_t n_shares = count_shares (feed, len + n * PG_SPAN_COST), piece = (n + n_shares - 1) / n_shares;
  for (size_t left = n; left > 0;)
    {
      struct pg_block block = { .first_span = feed->n_spans - left, .n_spans = left < piece ? left : piece };
      block.len = len / n * block.n_spans;
      if (feed->spans != NULL)
	find_reach (feed, &block);
      add_block (feed, block);
      left -= block.n_spans;
    }
}

/* Append the runs of REF, of all jobs.  False: some were lost.  */
static bool
add_runs (struct layout *layout, uint32_t ref)
{
  struct pg_feed *feed = layout->feed;
  size_t n_spans = 0, len = 0;
  for (int64_t j = 0; j < layout->inspector->n_traced; j++)
    {
      size_t n_runs;
      const struct pg_run *runs = pg_scout_runs (layout->inspector, j, &n_runs);
      if (runs == NULL)
	return lose_runs (layout->inspector);
      for (size_t i = 0; i < n_runs; i++)
	{
	  if (runs[i].ref != ref)
	    continue;
	  if (runs[i].len > PG_SPAN_MOST)
	    {
	      add_bytes (feed, (const char *) runs[i].start, runs[i].len);
	      continue;
	    }
	  if (feed->spans != NULL)
	    feed->spans[feed->n_spans] = pg_span_of (runs[i].start, runs[i].len);
	  feed->n_spans++;
	  n_spans++;
	  len += runs[i].len;
	}
    }
  if (n_spans > 0)
    add_spans (feed, n_spans, len);
  return true;
}

/* Insert [LOW, END) into the N sorted RANGES.  */
static void
insert (struct range *ranges, size_t *n, uintptr_t low, uintptr_t end)
{
  size_t at = (*n)++;
  for (; at > 0 && (uintptr_t) ranges[at - 1].start > low; at--)
    ranges[at] = ranges[at - 1];
  ranges[at] = (struct range) { .start = (const char *) low, .len = end - low };
}

/* Append the N sorted RANGES, those that overlap as one, cut into pieces.  */
static void
add_ranges (struct pg_feed *feed, const struct range *ranges, size_t n)
{
  for (size_t i = 0; i < n;)
    {
      const char *start = ranges[i].start, *end = start + ranges[i].len;
      for (i++; i < n && ranges[i].start <= end; i++)
	if (ranges[i].start + ranges[i].len > end)
	  end = ranges[i].start + ranges[i].len;
      add_bytes (feed, start, (size_t) (end - start));
    }
}

/* Does REF jump, by its traces?  */
static bool
jumps (const struct pg_inspector *inspector, uint32_t ref)
{
  for (int64_t j = 0; j < inspector->n_traced; j++)
    if (pg_scout_traces (inspector, j)[ref].is_sparse)
      return true;
  return false;
}

/* Append what the N references of the present stage read: as numbers say, as runs or the pages around them, or job by
   job from end to end.  */
static bool
add_stage (struct layout *layout, uint32_t n)
{
  struct pg_inspector *inspector = layout->inspector;
  size_t n_ranges = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t ref = layout->refs[i];
      if (!(inspector->roles[ref].what & PG_ROLE_TRACE))
	{
	  int64_t low, end;
	  pg_place_extent (layout->view, ref, inspector->lo, inspector->hi, &low, &end);
	  insert (layout->ranges, &n_ranges, (uintptr_t) low, (uintptr_t) end);
	  continue;
	}
      if (inspector->roles[ref].what & PG_ROLE_RUNS)
	{
	  if (!add_runs (layout, ref))
	    return false;
	  continue;
	}
      if (jumps (inspector, ref))
	{
	  if (!pg_layout_watches_pages (inspector, ref, inspector->hi - inspector->lo))
	    return want_runs (inspector);
	  add_watched (layout, &inspector->totals[ref]);
	  continue;
	}
      for (int64_t j = 0; j < inspector->n_traced; j++)
	{
	  const struct pg_trace *part = &pg_scout_traces (inspector, j)[ref];
	  if (part->end != 0)
	    insert (layout->ranges, &n_ranges, part->low, part->end);
	}
    }
  add_ranges (layout->feed, layout->ranges, n_ranges);
  return true;
}

/* Append all stages.  */
static bool
add_stages (struct layout *layout)
{
  struct pg_feed *feed = layout->feed;
  for (feed->n_stages = 0;; feed->n_stages++)
    {
      uint32_t n = next_stage (layout, feed->n_stages);
      if (feed->n_stages > 0 && n == 0)
	return true;
      if (feed->n_stages == PG_FEED_STAGES || !add_stage (layout, n) || feed->n_blocks > UINT32_MAX)
	return false;
      feed->stage_end[feed->n_stages] = (uint32_t) feed->n_blocks;
    }
}

/* Have LEN bytes in ROOM; false: no memory.  */
static bool
have_room (struct pg_feed_room *room, size_t len)
{
  if (len > room->len)
    {
      pg_feed_room_free (room);
      room->bytes = pg_arena_get (len);
      room->len = room->bytes == NULL ? 0 : len;
    }
  return len <= room->len;
}

void
pg_feed_room_free (struct pg_feed_room *room)
{
  pg_arena_put (room->bytes, room->len);
  *room = (struct pg_feed_room) { .bytes = NULL };
}

bool
pg_feed_lay_out (struct pg_inspector *inspector, const struct pg_view *view, struct pg_feed_room *room,
		 struct pg_feed *feed)
{
  uint32_t n_refs = view->region->n_refs;
  size_t ranges_len = (size_t) inspector->n_traced * n_refs * sizeof (struct range);
  size_t watched_len = n_refs * sizeof (struct range);
  if (!have_room (room, ranges_len + watched_len + n_refs * (sizeof (uint32_t) + 1)))
    return false;
  struct layout layout = {
    .inspector = inspector,
    .view = view,
    .feed = feed,
    .ranges = (struct range *) room->bytes,
    .watched = (struct range *) (room->bytes + ranges_len),
    .refs = (uint32_t *) (room->bytes + ranges_len + watched_len),
  };
  layout.is_taken = (uint8_t *) (layout.refs + n_refs);
  memset (layout.is_taken, 0, n_refs);
  feed->n_blocks = feed->n_spans = 0;
  feed->is_wide = false;
  return add_stages (&layout);
}
