/* SPDX-License-Identifier: MIT
   The trace: what happened when, on which thread, for a person to look at (PARAGON_TRACE), and as ranges for a profiler
   that knows NVTX (nvtx.h).

     int64_t start = pg_trace_begin (PG_TRACE_CHUNK, region);
     ...
     PG_TRACE (CHUNK, start, region, .numbers = { lo, hi });

   One predictable branch each when off.  When on, nothing is locked or waited for, malloc is not called, and signals
   may come at any time; memory is the runtime's own, so much at most: what does not fit any more is counted.  */
#ifndef PARAGON_TRACE_H
#define PARAGON_TRACE_H

#include "paragon_region.h"

#include <stdbool.h>
#include <stdint.h>

enum pg_track
{
#define PG_TRACK(id, name) PG_TRACK_##id,
#include "trace.def"
};

enum pg_trace_kind
{
#define PG_TRACE_KIND(id, name, shape, on, number_1, number_2, word_1, word_2) PG_TRACE_##id,
#include "trace.def"
};

/* What an event tells, in the order of trace.def.  Words are not copied: they stay.  NULL: left out.  */
struct pg_trace_facts
{
  int64_t numbers[2];
  const char *words[2];
};

/* Written only while the library is loaded.  */
extern bool pg_trace_is_on __attribute__ ((visibility ("hidden")));

int64_t pg_trace_open (enum pg_trace_kind kind, const struct pg_region *region);
void pg_trace_add (enum pg_trace_kind kind, int64_t start, const struct pg_region *region,
		   const struct pg_trace_facts *facts);

/* Begin an event of KIND about REGION, which stays for good; NULL: the one that the thread's last event was about.
   Returns when that was, for PG_TRACE.  */
static inline int64_t
pg_trace_begin (enum pg_trace_kind kind, const struct pg_region *region)
{
  return __builtin_expect (pg_trace_is_on, 0) ? pg_trace_open (kind, region) : 0;
}

/* An event of KIND about REGION ends that began at START, on the same thread, the last one of those that began; if it
   is a mark, it is now, and START is 0.  The rest are members of its pg_trace_facts.  May change errno.  */
#define PG_TRACE(kind, start, region, ...)                                                             \
  do                                                                                                   \
    {                                                                                                  \
      if (__builtin_expect (pg_trace_is_on, 0))                                                        \
	pg_trace_add (PG_TRACE_##kind, start, region, &(const struct pg_trace_facts) { __VA_ARGS__ }); \
    }                                                                                                  \
  while (0)

/* Say what the calling thread is; at first, it is a working one.  */
void pg_trace_thread (enum pg_track track);

/* The events that the calling thread has begun will not end: it left them by a jump.  */
void pg_trace_abandon (void);

/* Have a trace if FILE, or else a profiler, asks for one.  Called while the library is loaded.  */
void pg_trace_start (const char *file);

/* Write the trace as JSON (the Trace Event Format, for ui.perfetto.dev) into the file that WHERE names, %p in it being
   the process id.  Nothing if there is no event.  Threads may go on meanwhile.  */
void pg_trace_write (const char *where);

/* In the child of a fork: the events so far are the parent's.  */
void pg_trace_forget (void);

#endif
