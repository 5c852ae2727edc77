/* SPDX-License-Identifier: MIT
   What threads and the device did when, as runs wrote it with PARAGON_TRACE=FILE, for the report page to draw:

       {"kinds":[{"name":"entry","waits":false,"numbers":["iterations","conflicts"],"words":["plan","result"]},...],
	"places":[{"file":"dot.c","line":7,"function":"dot"},...],
	"words":["pool",...],
	"runs":[{"name":"dot 4711","file":"trace.json","ns":81234,
		  "tracks":[{"name":"pool 2","n_spans":12,"n_marks":0,"busy":61234,"waits":1200,
			     "spans":[[START,NS,KIND,PLACE,NUMBER...,WORD...],...],"marks":[...]},...],
		  "left_out":0,"marks_left_out":0,"dropped":0},...]}

   KIND, PLACE and WORD are places in these lists; PLACE may be -1.  Times are nanoseconds, START since the run's first
   event.  Of a run with many events, the longest spans and the first marks are there, and it says how many are not;
   what is said of a track counts all.  A thread that has a span waits in it, or is busy.  */
#ifndef PARAGON_CLI_TIMELINES_H
#define PARAGON_CLI_TIMELINES_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

struct pg_timelines
{
  struct json_object *data;   /* as above */
  struct json_object *listed; /* for each of its lists, where what is */
};

/* Make TIMELINES empty.  */
void pg_timelines_make (struct pg_timelines *timelines);

/* Add the run whose trace is in the file PATH to TIMELINES.  False: it is no such file, which was said.  */
bool pg_timelines_read (struct pg_timelines *timelines, const char *path);

/* How many runs TIMELINES has.  */
size_t pg_timelines_count (const struct pg_timelines *timelines);

void pg_timelines_free (struct pg_timelines *timelines);

#endif
