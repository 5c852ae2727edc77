/* SPDX-License-Identifier: MIT
   Traces of runs.  See timelines.h.

       {"displayTimeUnit":"ns","traceEvents":[
	{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"pool"}},
	{"ph":"X","pid":1,"tid":2,"cat":"chunk","name":"chunk dot.c:7","ts":12.345,"dur":6.789,
	 "args":{"file":"dot.c","line":7,"function":"dot","from":0,"to":9}},
	...],"otherData":{"dropped":0}}

   As objects, all of a large trace would take more memory than there may be.  So events are read one by one, and of
   each it is only noted when it was and where it stands; those that are shown are read once more.  What nothing is
   known of is passed over.  */
#include "timelines.h"
#include "command.h"
#include "member.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  DEPTH_MOST = 8,     /* of an event; what the library writes has 2 */
  SPANS_MOST = 20000, /* of a run that are shown */
  MARKS_MOST = 4000   /* likewise */
};

static const double us_most = 1e15; /* of a time: sums of two, in nanoseconds, are numbers yet */

/* Kinds of spans in which a thread does nothing; what an event tells of its loop.  */
static const char *const waits[] = { "join", "wait", "parked" };
static const char *const place_names[] = { "file", "line", "function" };

enum
{
  N_WAITS = sizeof waits / sizeof *waits,
  N_PLACE_NAMES = sizeof place_names / sizeof *place_names
};

enum shape
{
  SPAN,
  MARK,
  N_SHAPES
};

struct event
{
  int64_t start, ns; /* of a mark, 0 */
  const char *at;    /* its text */
  bool waits;
};

struct events
{
  struct event *all;
  size_t n, room;
};

struct track
{
  int64_t tid, order;
  char *name; /* or NULL */
  struct events events[N_SHAPES];
};

struct trace
{
  const char *text, *end, *at; /* AT: what is read next */
  struct json_tokener *tokener;
  struct track *tracks;
  size_t n_tracks, last; /* LAST: the track that was asked for last */
  char *process;         /* its name, or NULL */
  int64_t pid, dropped;
};

/* ---- reading */

/* Pass blanks.  Is that the end of TRACE?  */
static bool
is_at_end (struct trace *trace)
{
  while (trace->at < trace->end && isspace ((unsigned char) *trace->at))
    trace->at++;
  return trace->at == trace->end;
}

/* Is C what comes next in TRACE, but for blanks?  Then it is passed.  */
static bool
pass (struct trace *trace, char c)
{
  bool is_next = !is_at_end (trace) && *trace->at == c;
  trace->at += is_next;
  return is_next;
}

/* Read what comes next in TRACE into *VALUE, which the caller frees.  False: it is no JSON.  */
static bool
read_value (struct trace *trace, struct json_object **value)
{
  ptrdiff_t len = trace->end - trace->at;
  json_tokener_reset (trace->tokener);
  *value = json_tokener_parse_ex (trace->tokener, trace->at, len < INT32_MAX ? (int) len : INT32_MAX);
  trace->at += json_tokener_get_parse_end (trace->tokener);
  return json_tokener_get_error (trace->tokener) == json_tokener_success;
}

/* The whole number NAME of OBJECT; 0: it has none.  */
static int64_t
number_of (struct json_object *object, const char *name)
{
  struct json_object *member = json_object_object_get (object, name);
  return json_object_is_type (member, json_type_int) ? json_object_get_int64 (member) : 0;
}

/* Put the time NAME of EVENT into *NS.  False: it has none.  */
static bool
read_time (struct json_object *event, const char *name, int64_t *ns)
{
  struct json_object *time = json_object_object_get (event, name);
  bool is_number = json_object_is_type (time, json_type_double) || json_object_is_type (time, json_type_int);
  double us = is_number ? json_object_get_double (time) : -1;
  if (!(us >= 0 && us <= us_most))
    return false;
  *ns = (int64_t) (us * 1000 + 0.5);
  return true;
}

/* The track that EVENT is on.  */
static struct track *
track_of (struct trace *trace, struct json_object *event)
{
  int64_t tid = number_of (event, "tid");
  if (trace->last < trace->n_tracks && trace->tracks[trace->last].tid == tid)
    return &trace->tracks[trace->last];
  for (trace->last = 0; trace->last < trace->n_tracks; trace->last++)
    if (trace->tracks[trace->last].tid == tid)
      return &trace->tracks[trace->last];
  trace->tracks = pg_grow (trace->tracks, (trace->n_tracks + 1) * sizeof *trace->tracks);
  trace->tracks[trace->n_tracks] = (struct track) { .tid = tid };
  return &trace->tracks[trace->n_tracks++];
}

/* Have a copy of NAME in *PLACE, if there is a name.  */
static void
keep_name (char **place, const char *name)
{
  if (name == NULL)
    return;
  *place = pg_grow (*place, strlen (name) + 1);
  strcpy (*place, name);
}

/* Note what EVENT says of a process or a thread.  */
static void
note_name (struct trace *trace, struct json_object *event)
{
  const char *what = pg_member_text (event, "name");
  struct json_object *args = json_object_object_get (event, "args");
  if (what == NULL)
    return;
  if (strcmp (what, "process_name") == 0)
    {
      keep_name (&trace->process, pg_member_text (args, "name"));
      trace->pid = number_of (event, "pid");
    }
  else if (strcmp (what, "thread_name") == 0)
    keep_name (&track_of (trace, event)->name, pg_member_text (args, "name"));
  else if (strcmp (what, "thread_sort_index") == 0)
    track_of (trace, event)->order = number_of (args, "sort_index");
}

/* Is NAME one of the N NAMES?  */
static bool
is_one_of (const char *name, const char *const *names, size_t n)
{
  size_t i = 0;
  while (i < n && strcmp (names[i], name) != 0)
    i++;
  return i < n;
}

/* Note EVENT, of SHAPE, which stands at AT.  False: it is not what the library writes.  */
static bool
note_moment (struct trace *trace, struct json_object *event, enum shape shape, const char *at)
{
  struct event noted = { .at = at };
  const char *kind = pg_member_text (event, "cat");
  if (kind == NULL || !read_time (event, "ts", &noted.start) || (shape == SPAN && !read_time (event, "dur", &noted.ns)))
    return false;
  noted.waits = is_one_of (kind, waits, N_WAITS);
  struct events *events = &track_of (trace, event)->events[shape];
  if (events->n == events->room)
    {
      events->room = 2 * events->room + 64;
      events->all = pg_grow (events->all, events->room * sizeof *events->all);
    }
  events->all[events->n++] = noted;
  return true;
}

/* Read the event that comes next.  False: it is not what the library writes.  */
static bool
read_event (struct trace *trace)
{
  struct json_object *event;
  const char *at = trace->at;
  bool is_event = read_value (trace, &event);
  const char *shape = pg_member_text (event, "ph");
  if (!is_event || shape == NULL)
    is_event = false;
  else if (strcmp (shape, "X") == 0)
    is_event = note_moment (trace, event, SPAN, at);
  else if (strcmp (shape, "i") == 0)
    is_event = note_moment (trace, event, MARK, at);
  else if (strcmp (shape, "M") == 0)
    note_name (trace, event);
  json_object_put (event);
  return is_event;
}

static bool
read_events (struct trace *trace)
{
  if (!pass (trace, '['))
    return false;
  if (pass (trace, ']'))
    return true;
  do
    if (!read_event (trace))
      return false;
  while (pass (trace, ','));
  return pass (trace, ']');
}

/* Read the member that comes next; set *HAS_EVENTS if that is the list of events.  False: it is not what the library
   writes.  */
static bool
read_member (struct trace *trace, bool *has_events)
{
  struct json_object *name, *value;
  bool is_member = read_value (trace, &name) && json_object_is_type (name, json_type_string) && pass (trace, ':');
  if (is_member && strcmp (json_object_get_string (name), "traceEvents") == 0)
    *has_events = is_member = read_events (trace);
  else if (is_member)
    {
      is_member = read_value (trace, &value);
      if (strcmp (json_object_get_string (name), "otherData") == 0)
	trace->dropped = number_of (value, "dropped");
      json_object_put (value);
    }
  json_object_put (name);
  return is_member;
}

/* Read TRACE.  False: it is not what the library writes.  */
static bool
read_trace (struct trace *trace)
{
  bool has_events = false;
  if (!pass (trace, '{'))
    return false;
  do
    if (!read_member (trace, &has_events))
      return false;
  while (pass (trace, ','));
  return has_events && pass (trace, '}') && is_at_end (trace);
}

/* ---- what is shown */

/* Those that begin first, and of these the longest: so an event comes behind the one that it is in.  */
static int
compare_events (const void *a, const void *b)
{
  const struct event *event_a = a, *event_b = b;
  if (event_a->start != event_b->start)
    return event_a->start < event_b->start ? -1 : 1;
  return (event_a->ns < event_b->ns) - (event_a->ns > event_b->ns);
}

/* In the order that is wanted, and of these, in that of their numbers.  */
static int
compare_tracks (const void *a, const void *b)
{
  const struct track *track_a = a, *track_b = b;
  if (track_a->order != track_b->order)
    return track_a->order < track_b->order ? -1 : 1;
  return (track_a->tid > track_b->tid) - (track_a->tid < track_b->tid);
}

/* The largest first.  */
static int
compare_worths (const void *a, const void *b)
{
  int64_t worth_a = *(const int64_t *) a, worth_b = *(const int64_t *) b;
  return (worth_a < worth_b) - (worth_a > worth_b);
}

/* How long at least one of EVENTS lasts, which are in order; if ONLY_WAITS, one of those that wait.  */
static int64_t
covered (const struct events *events, bool only_waits)
{
  int64_t total = 0, end = 0;
  for (size_t e = 0; e < events->n; e++)
    {
      const struct event *event = &events->all[e];
      int64_t from = event->start > end ? event->start : end, to = event->start + event->ns;
      if ((only_waits && !event->waits) || to <= from)
	continue;
      total += to - from;
      end = to;
    }
  return total;
}

/* What makes EVENT, of SHAPE, worth to be shown: that it is long, that it comes early.  */
static int64_t
worth_of (const struct event *event, enum shape shape)
{
  return shape == SPAN ? event->ns : -event->start;
}

/* Leave out the events of SHAPE of TRACE but for the N_MOST that are worth most.  Returns how many were left out.  */
static size_t
leave_out (struct trace *trace, enum shape shape, size_t n_most)
{
  size_t n = 0, n_least = 0;
  for (size_t t = 0; t < trace->n_tracks; t++)
    n += trace->tracks[t].events[shape].n;
  if (n <= n_most)
    return 0;
  int64_t *worths = pg_grow (NULL, n * sizeof *worths), *next = worths;
  for (size_t t = 0; t < trace->n_tracks; t++)
    for (size_t e = 0; e < trace->tracks[t].events[shape].n; e++)
      *next++ = worth_of (&trace->tracks[t].events[shape].all[e], shape);
  qsort (worths, n, sizeof *worths, compare_worths);
  int64_t least = worths[n_most - 1];
  while (n_least < n_most && worths[n_most - 1 - n_least] == least)
    n_least++;
  free (worths);
  for (size_t t = 0; t < trace->n_tracks; t++)
    {
      struct events *events = &trace->tracks[t].events[shape];
      size_t n_kept = 0;
      for (size_t e = 0; e < events->n; e++)
	{
	  int64_t worth = worth_of (&events->all[e], shape);
	  if (worth > least || (worth == least && n_least > 0 && n_least-- > 0))
	    events->all[n_kept++] = events->all[e];
	}
      events->n = n_kept;
    }
  return n - n_most;
}

/* ---- for the page */

/* Where in the list NAME of TIMELINES VALUE is, which is there once.  Takes VALUE.  */
static int64_t
place_in (struct pg_timelines *timelines, const char *name, struct json_object *value)
{
  struct json_object *list = json_object_object_get (timelines->data, name), *place;
  struct json_object *listed = json_object_object_get (timelines->listed, name);
  const char *key = json_object_to_json_string_ext (value, JSON_C_TO_STRING_PLAIN);
  int64_t n = (int64_t) json_object_array_length (list);
  if (json_object_object_get_ex (listed, key, &place))
    {
      n = json_object_get_int64 (place);
      json_object_put (value);
      return n;
    }
  json_object_object_add (listed, key, json_object_new_int64 (n));
  json_object_array_add (list, value);
  return n;
}

/* Where in the list of places what ARGS say of the loop is; -1: they say nothing of it.  */
static int64_t
place_of (struct pg_timelines *timelines, struct json_object *args)
{
  struct json_object *place = json_object_new_object (), *member;
  for (size_t p = 0; p < N_PLACE_NAMES; p++)
    if (json_object_object_get_ex (args, place_names[p], &member))
      json_object_object_add (place, place_names[p], json_object_get (member));
  if (pg_member_text (place, "file") != NULL && pg_member_text (place, "function") != NULL)
    return place_in (timelines, "places", place);
  json_object_put (place);
  return -1;
}

static void
add_number (struct json_object *list, int64_t number)
{
  json_object_array_add (list, json_object_new_int64 (number));
}

/* EVENT of TRACE, whose first began at FIRST, as a list.  */
static struct json_object *
list_event (struct pg_timelines *timelines, struct trace *trace, const struct event *event, int64_t first)
{
  struct json_object *list = json_object_new_array (), *kind = json_object_new_object (), *read;
  struct json_object *numbers = json_object_new_array (), *words = json_object_new_array ();
  struct json_object *told = json_object_new_array (), *said = json_object_new_array ();
  trace->at = event->at;
  read_value (trace, &read);
  struct json_object *args = json_object_object_get (read, "args");
  if (json_object_is_type (args, json_type_object))
    {
      json_object_object_foreach (args, name, value)
      {
	if (is_one_of (name, place_names, N_PLACE_NAMES))
	  continue;
	if (json_object_is_type (value, json_type_int))
	  {
	    json_object_array_add (numbers, json_object_new_string (name));
	    json_object_array_add (told, json_object_get (value));
	  }
	else if (json_object_is_type (value, json_type_string))
	  {
	    json_object_array_add (words, json_object_new_string (name));
	    add_number (said, place_in (timelines, "words", json_object_get (value)));
	  }
      }
    }
  json_object_object_add (kind, "name", json_object_get (json_object_object_get (read, "cat")));
  json_object_object_add (kind, "waits", json_object_new_boolean (event->waits));
  json_object_object_add (kind, "numbers", numbers);
  json_object_object_add (kind, "words", words);
  add_number (list, event->start - first);
  add_number (list, event->ns);
  add_number (list, place_in (timelines, "kinds", kind));
  add_number (list, place_of (timelines, args));
  for (size_t n = 0; n < json_object_array_length (told); n++)
    json_object_array_add (list, json_object_get (json_object_array_get_idx (told, n)));
  for (size_t n = 0; n < json_object_array_length (said); n++)
    json_object_array_add (list, json_object_get (json_object_array_get_idx (said, n)));
  json_object_put (told);
  json_object_put (said);
  json_object_put (read);
  return list;
}

static const char *
name_of (const struct track *track)
{
  return track->name != NULL ? track->name : "thread";
}

/* What TRACK of TRACE is called: numbered, if others are called the same.  */
static struct json_object *
name_track (const struct trace *trace, const struct track *track)
{
  size_t n = 0, number = 0;
  char text[160];
  for (const struct track *other = trace->tracks; other < trace->tracks + trace->n_tracks; other++)
    if (strcmp (name_of (other), name_of (track)) == 0)
      {
	n++;
	number += other <= track;
      }
  snprintf (text, sizeof text, n > 1 ? "%.120s %zu" : "%.120s", name_of (track), number);
  return json_object_new_string (text);
}

/* Put the events of TRACE in order.  Returns when the first of them begins; *NS is how long it is from there to the end
   of the last.  */
static int64_t
sort_events (struct trace *trace, int64_t *ns)
{
  int64_t first = INT64_MAX, end = 0;
  if (trace->n_tracks > 0)
    qsort (trace->tracks, trace->n_tracks, sizeof *trace->tracks, compare_tracks);
  for (size_t t = 0; t < trace->n_tracks; t++)
    for (int s = 0; s < N_SHAPES; s++)
      {
	const struct events *events = &trace->tracks[t].events[s];
	if (events->n > 0)
	  qsort (events->all, events->n, sizeof *events->all, compare_events);
	for (size_t e = 0; e < events->n; e++)
	  {
	    const struct event *event = &events->all[e];
	    first = event->start < first ? event->start : first;
	    end = event->start + event->ns > end ? event->start + event->ns : end;
	  }
      }
  *ns = end > first ? end - first : 0;
  return first;
}

/* What is said of TRACK of TRACE before some of its events are left out.  */
static struct json_object *
sum_up (const struct trace *trace, const struct track *track)
{
  struct json_object *object = json_object_new_object ();
  int64_t n_waited = covered (&track->events[SPAN], true);
  json_object_object_add (object, "name", name_track (trace, track));
  json_object_object_add (object, "n_spans", json_object_new_int64 ((int64_t) track->events[SPAN].n));
  json_object_object_add (object, "n_marks", json_object_new_int64 ((int64_t) track->events[MARK].n));
  json_object_object_add (object, "busy", json_object_new_int64 (covered (&track->events[SPAN], false) - n_waited));
  json_object_object_add (object, "waits", json_object_new_int64 (n_waited));
  return object;
}

/* Add the run of TRACE, that of the file PATH.  */
static void
add_run (struct pg_timelines *timelines, struct trace *trace, const char *path)
{
  static const char *const names[N_SHAPES] = { [SPAN] = "spans", [MARK] = "marks" };
  struct json_object *run = json_object_new_object (), *tracks = json_object_new_array ();
  int64_t ns, first = sort_events (trace, &ns);
  char name[160];
  for (size_t t = 0; t < trace->n_tracks; t++)
    json_object_array_add (tracks, sum_up (trace, &trace->tracks[t]));
  size_t n_spans = leave_out (trace, SPAN, SPANS_MOST), n_marks = leave_out (trace, MARK, MARKS_MOST);
  for (size_t t = 0; t < trace->n_tracks; t++)
    for (int s = 0; s < N_SHAPES; s++)
      {
	const struct events *events = &trace->tracks[t].events[s];
	struct json_object *list = json_object_new_array ();
	for (size_t e = 0; e < events->n; e++)
	  json_object_array_add (list, list_event (timelines, trace, &events->all[e], first));
	json_object_object_add (json_object_array_get_idx (tracks, t), names[s], list);
      }
  snprintf (name, sizeof name, "%.120s %lld", trace->process != NULL ? trace->process : "process",
	    (long long) trace->pid);
  json_object_object_add (run, "name", json_object_new_string (name));
  json_object_object_add (run, "file", json_object_new_string (path));
  json_object_object_add (run, "ns", json_object_new_int64 (ns));
  json_object_object_add (run, "tracks", tracks);
  json_object_object_add (run, "left_out", json_object_new_int64 ((int64_t) n_spans));
  json_object_object_add (run, "marks_left_out", json_object_new_int64 ((int64_t) n_marks));
  json_object_object_add (run, "dropped", json_object_new_int64 (trace->dropped));
  json_object_array_add (json_object_object_get (timelines->data, "runs"), run);
}

/* Have the text of TRACE, that of the file PATH; none, if that is empty or no file.  False: it cannot be read, which
   was said.  */
static bool
map_text (struct trace *trace, const char *path)
{
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_read = fd >= 0 && fstat (fd, &status) == 0;
  if (is_read && S_ISREG (status.st_mode) && status.st_size > 0)
    {
      char *text = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      is_read = text != MAP_FAILED;
      trace->text = trace->at = is_read ? text : NULL;
      trace->end = is_read ? text + status.st_size : NULL;
    }
  if (!is_read)
    pg_say ("%s: %s", path, strerror (errno));
  if (fd >= 0)
    close (fd);
  return is_read;
}

static void
free_trace (struct trace *trace)
{
  for (size_t t = 0; t < trace->n_tracks; t++)
    {
      for (int s = 0; s < N_SHAPES; s++)
	free (trace->tracks[t].events[s].all);
      free (trace->tracks[t].name);
    }
  free (trace->tracks);
  free (trace->process);
  json_tokener_free (trace->tokener);
  if (trace->text != NULL)
    munmap ((void *) trace->text, (size_t) (trace->end - trace->text));
}

bool
pg_timelines_read (struct pg_timelines *timelines, const char *path)
{
  struct trace trace = { .tokener = json_tokener_new_ex (DEPTH_MOST) };
  bool is_open = map_text (&trace, path), is_trace = is_open && read_trace (&trace);
  if (is_trace)
    add_run (timelines, &trace, path);
  else if (is_open)
    pg_say ("%s: not what a program writes with PARAGON_TRACE=FILE", path);
  free_trace (&trace);
  return is_trace;
}

void
pg_timelines_make (struct pg_timelines *timelines)
{
  static const char *const lists[] = { "kinds", "places", "words", "runs" };
  *timelines = (struct pg_timelines) { json_object_new_object (), json_object_new_object () };
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    {
      json_object_object_add (timelines->data, lists[l], json_object_new_array ());
      json_object_object_add (timelines->listed, lists[l], json_object_new_object ());
    }
}

size_t
pg_timelines_count (const struct pg_timelines *timelines)
{
  return json_object_array_length (json_object_object_get (timelines->data, "runs"));
}

void
pg_timelines_free (struct pg_timelines *timelines)
{
  json_object_put (timelines->data);
  json_object_put (timelines->listed);
}
