/* SPDX-License-Identifier: MIT
   The trace.  See trace.h.

   Each thread has blocks of its own that it fills, one after the other; a block is in the list of all from its start
   on, and is never freed: a thread's events outlive it.  A place in a block is taken before it is filled in, so that a
   signal's handler that comes in between takes the next one.  What is not filled in when the trace is written has no
   kind yet, and is left out.

   The first events are kept, not the last: what an entry's first time costs is what a trace is mostly asked for.  */
#include "trace.h"
#include "arena.h"
#include "budget.h"
#include "futex.h"
#include "log.h"
#include "nvtx.h"
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

enum
{
  BLOCK_LEN = 64 << 10,
  MOST_BLOCKS = 512,
  SHARE = 16,          /* at most 1/SHARE of the available memory */
  DEVICE_TID = 1 << 30 /* no thread has that */
};

struct event
{
  int64_t start, ns;
  const struct pg_region *region; /* or NULL */
  struct pg_trace_facts facts;
  _Atomic int kind; /* and 1; 0: not filled in.  Release when set, acquire when read.  */
};

struct block
{
  struct block *next; /* set before the block is in the list */
  pid_t tid;
  enum pg_track track;
  bool is_first;    /* of its thread */
  _Atomic size_t n; /* places taken, and perhaps tried for; relaxed */
  struct event events[];
};

enum
{
  N_EVENTS = (BLOCK_LEN - sizeof (struct block)) / sizeof (struct event)
};

enum shape
{
  SPAN,
  MARK
};

enum on
{
  OWN,
  DEVICE
};

static const struct
{
  const char *name;
  enum shape shape;
  enum on on;
  const char *numbers[2], *words[2];
} kinds[] = {
#define PG_TRACE_KIND(id, name, shape, on, number_1, number_2, word_1, word_2) \
  { name, shape, on, { number_1, number_2 }, { word_1, word_2 } },
#include "trace.def"
};

static const char *const track_names[] = {
#define PG_TRACK(id, name) name,
#include "trace.def"
};

bool pg_trace_is_on;
static bool has_file, has_profiler; /* likewise */

/* All blocks, newest first: only ever pushed.  Release when pushed, acquire when read.  */
static _Atomic (struct block *) blocks;

/* Relaxed.  */
static _Atomic size_t n_blocks, most_blocks; /* 0: not yet known */
static _Atomic int64_t n_dropped;

/* What a thread has.  Initial-exec: a thread's first access must not allocate.  */
static _Thread_local struct
{
  struct block *block; /* that it fills, or NULL */
  enum pg_track track;
  const struct pg_region *region; /* of its last event */
  int n_ranges;                   /* begun, and not ended, for the profiler */
} own __attribute__ ((tls_model ("initial-exec")));

/* Count one block more.  False: there are enough.  */
static bool
count_block (void)
{
  size_t most = atomic_load_explicit (&most_blocks, memory_order_relaxed);
  if (most == 0)
    {
      uint64_t share = pg_budget_available () / SHARE / BLOCK_LEN;
      most = share == 0 ? 1 : share < MOST_BLOCKS ? (size_t) share : MOST_BLOCKS;
      atomic_store_explicit (&most_blocks, most, memory_order_relaxed);
    }
  if (atomic_fetch_add_explicit (&n_blocks, 1, memory_order_relaxed) < most)
    return true;
  atomic_fetch_sub_explicit (&n_blocks, 1, memory_order_relaxed);
  return false;
}

/* A new block of the calling thread; NULL: there is no room.  */
static struct block *
new_block (void)
{
  struct block *block = count_block () ? pg_arena_get (BLOCK_LEN) : NULL;
  if (block == NULL)
    return NULL;
  block->tid = gettid ();
  block->track = own.track;
  block->is_first = own.block == NULL;
  block->next = atomic_load (&blocks);
  while (!atomic_compare_exchange_weak (&blocks, &block->next, block))
    continue;
  return own.block = block;
}

/* A place for an event of the calling thread, or NULL.  */
static struct event *
take_place (void)
{
  for (struct block *block = own.block; block != NULL || (block = new_block ()) != NULL; block = new_block ())
    {
      size_t place = atomic_fetch_add_explicit (&block->n, 1, memory_order_relaxed);
      if (place < N_EVENTS)
	return &block->events[place];
    }
  return NULL;
}

/* Put what an event of KIND about REGION is called into TEXT.  */
static const char *
name_event (enum pg_trace_kind kind, const struct pg_region *region, char *text, size_t len)
{
  if (region == NULL)
    return kinds[kind].name;
  snprintf (text, len, "%s %s:%u", kinds[kind].name, region->file, (unsigned) region->line);
  return text;
}

int64_t
pg_trace_open (enum pg_trace_kind kind, const struct pg_region *region)
{
  char text[256];
  if (region != NULL)
    own.region = region;
  if (has_profiler)
    {
      own.n_ranges++;
      pg_nvtx_push (name_event (kind, own.region, text, sizeof text));
    }
  return pg_now ();
}

/* Let the profiler know that a span of KIND about REGION ends, or a mark.  */
static void
tell_profiler (enum pg_trace_kind kind, const struct pg_region *region)
{
  char text[256];
  if (kinds[kind].shape == MARK)
    pg_nvtx_mark (name_event (kind, region, text, sizeof text));
  else
    {
      own.n_ranges--;
      pg_nvtx_pop ();
    }
}

void
pg_trace_add (enum pg_trace_kind kind, int64_t start, const struct pg_region *region,
	      const struct pg_trace_facts *facts)
{
  int64_t now = pg_now ();
  if (region == NULL)
    region = own.region;
  if (has_profiler)
    tell_profiler (kind, region);
  if (!has_file)
    return;
  struct event *event = take_place ();
  if (event == NULL)
    {
      atomic_fetch_add_explicit (&n_dropped, 1, memory_order_relaxed);
      return;
    }
  event->start = kinds[kind].shape == MARK ? now : start;
  event->ns = now - event->start;
  event->region = region;
  event->facts = *facts;
  atomic_store_explicit (&event->kind, (int) kind + 1, memory_order_release);
}

void
pg_trace_thread (enum pg_track track)
{
  own.track = track;
}

void
pg_trace_abandon (void)
{
  for (; own.n_ranges > 0; own.n_ranges--)
    pg_nvtx_pop ();
}

void
pg_trace_start (const char *file)
{
  has_file = file != NULL;
  has_profiler = pg_nvtx_open ();
  pg_trace_is_on = has_file || has_profiler;
}

void
pg_trace_forget (void)
{
  own.block = NULL;
  atomic_store (&blocks, NULL);
  atomic_store (&n_blocks, 0);
  atomic_store (&most_blocks, 0);
  atomic_store (&n_dropped, 0);
}

/* NS nanoseconds in microseconds, as member NAME.  */
static void
write_time (FILE *out, const char *name, int64_t ns)
{
  fprintf (out, ",\"%s\":%lld.%03lld", name, (long long) (ns / 1000), (long long) (ns % 1000));
}

/* Begin the object of an event, of shape PH, on the track TID.  */
static void
begin_object (FILE *out, const char *ph, long tid)
{
  fprintf (out, ",\n{\"ph\":\"%s\",\"pid\":%ld,\"tid\":%ld", ph, (long) getpid (), tid);
}

/* What EVENT, of kind KIND, tells.  */
static void
write_facts (FILE *out, const struct event *event, enum pg_trace_kind kind)
{
  const char *comma = "";
  fputs (",\"args\":{", out);
  if (event->region != NULL)
    {
      fputs ("\"file\":", out);
      pg_report_string (out, event->region->file);
      fprintf (out, ",\"line\":%u,\"function\":", (unsigned) event->region->line);
      pg_report_string (out, event->region->function);
      comma = ",";
    }
  for (int i = 0; i < 2; i++)
    if (*kinds[kind].numbers[i] != '\0')
      {
	fprintf (out, "%s\"%s\":%lld", comma, kinds[kind].numbers[i], (long long) event->facts.numbers[i]);
	comma = ",";
      }
  for (int i = 0; i < 2; i++)
    if (*kinds[kind].words[i] != '\0' && event->facts.words[i] != NULL)
      {
	fprintf (out, "%s\"%s\":", comma, kinds[kind].words[i]);
	pg_report_string (out, event->facts.words[i]);
	comma = ",";
      }
  fputs ("}}", out);
}

static void
write_event (FILE *out, const struct event *event, enum pg_trace_kind kind, pid_t tid)
{
  char text[256];
  bool is_mark = kinds[kind].shape == MARK;
  begin_object (out, is_mark ? "i" : "X", kinds[kind].on == DEVICE ? DEVICE_TID : tid);
  fprintf (out, ",\"cat\":\"%s\",\"name\":", kinds[kind].name);
  pg_report_string (out, name_event (kind, event->region, text, sizeof text));
  write_time (out, "ts", event->start);
  if (is_mark)
    fputs (",\"s\":\"t\"", out);
  else
    write_time (out, "dur", event->ns);
  write_facts (out, event, kind);
}

/* The name of track TID.  */
static void
write_track (FILE *out, enum pg_track track, long tid)
{
  begin_object (out, "M", tid);
  fprintf (out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}", track_names[track]);
  begin_object (out, "M", tid);
  fprintf (out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}", (int) track);
}

/* The events of BLOCK.  Whether one is the device's.  */
static bool
write_block (FILE *out, const struct block *block)
{
  bool is_of_device = false;
  size_t n = atomic_load_explicit (&block->n, memory_order_relaxed);
  if (block->is_first)
    write_track (out, block->track, block->tid);
  for (size_t i = 0; i < n && i < N_EVENTS; i++)
    {
      int kind = atomic_load_explicit (&block->events[i].kind, memory_order_acquire);
      if (kind == 0)
	continue;
      write_event (out, &block->events[i], (enum pg_trace_kind) (kind - 1), block->tid);
      is_of_device |= kinds[kind - 1].on == DEVICE;
    }
  return is_of_device;
}

void
pg_trace_write (const char *where)
{
  struct pg_report report;
  const struct block *block = atomic_load (&blocks);
  if (block == NULL || !pg_report_begin (&report, "trace", where))
    return;
  bool has_device = false;
  fputs ("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", report.out);
  fprintf (report.out, "{\"ph\":\"M\",\"pid\":%ld,\"name\":\"process_name\",\"args\":{\"name\":", (long) getpid ());
  pg_report_string (report.out, program_invocation_short_name);
  fputs ("}}", report.out);
  for (; block != NULL; block = block->next)
    has_device |= write_block (report.out, block);
  if (has_device)
    write_track (report.out, PG_TRACK_DEVICE, DEVICE_TID);
  int64_t n = atomic_load_explicit (&n_dropped, memory_order_relaxed);
  fprintf (report.out, "\n],\"otherData\":{\"dropped\":%lld}}\n", (long long) n);
  if (n > 0)
    pg_log_say ("trace: %s: no room for %lld events", report.path, (long long) n);
  pg_report_end (&report);
}
