/* SPDX-License-Identifier: MIT
   The trace: what was noted is what is written, whoever notes it and whenever, up to a limit.  */
//! link: -Wl,--wrap=pg_budget_available -Wl,--wrap=pg_log_say
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "budget.h"
#include "futex.h"
#include "log.h"
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Children of forks start threads of their own, which this sanitizer does not like.  */
const char *__tsan_default_options (void);
const char *
__tsan_default_options (void)
{
  return "die_after_fork=0";
}

enum
{
  MANY = 5000, /* more than a block has room for */
  N_THREADS = 4
};

static char directory[] = "/tmp/test-trace-XXXXXX";
static char path[100], said[500];
static char *text; /* what was written, or "" */
static uint64_t available;

static const struct pg_region scale = { .file = "src/loops.c", .function = "scale", .line = 10 };
static const struct pg_region quoted = { .file = "a\"b\\c\n\xff.c", .function = "f\xc3\xa9", .line = 7 };

__typeof__ (pg_budget_available) __wrap_pg_budget_available;
__typeof__ (pg_log_say) __wrap_pg_log_say;

uint64_t
__wrap_pg_budget_available (void)
{
  return available;
}

void
__wrap_pg_log_say (const char *format, ...)
{
  va_list more;
  va_start (more, format);
  vsnprintf (said, sizeof said, format, more);
  va_end (more);
}

/* Write the trace and read it.  */
static void
write_and_read (void)
{
  free (text);
  text = strdup ("");
  pg_trace_write (path);
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return;
  size_t len = 0;
  free (text);
  text = NULL;
  FILE *all = open_memstream (&text, &len);
  for (int c; (c = getc (file)) != EOF;)
    putc (c, all);
  fclose (all);
  fclose (file);
  unlink (path);
}

/* How often the text has PART.  A sanitizer's strstr reads all of it each time.  */
static int
count (const char *part)
{
  size_t len = strlen (part);
  int n = 0;
  for (const char *p = text; *p != '\0'; p++)
    n += *p == *part && strncmp (p, part, len) == 0;
  return n;
}

static void
add_chunk (int64_t lo)
{
  int64_t start = pg_trace_begin (PG_TRACE_CHUNK, &scale);
  PG_TRACE (CHUNK, start, &scale, .numbers = { lo, lo + 1 });
}

static int
set_up (void **state)
{
  (void) state;
  pg_trace_forget ();
  available = UINT64_C (1) << 40;
  *said = '\0';
  unsetenv ("NVTX_INJECTION64_PATH");
  pg_trace_start (path);
  return 0;
}

static void
off_means_off (void **state)
{
  (void) state;
  pg_trace_start (NULL);
  assert_false (pg_trace_is_on);
  int64_t start = pg_trace_begin (PG_TRACE_CHUNK, &scale);
  assert_int_equal (start, 0);
  PG_TRACE (CHUNK, start, &scale, .numbers = { 1 / start });
  write_and_read ();
  assert_string_equal (text, "");
}

static void
nothing_noted_writes_nothing (void **state)
{
  (void) state;
  assert_true (pg_trace_is_on);
  write_and_read ();
  assert_string_equal (text, "");
  assert_string_equal (said, "");
}

/* Times are microseconds with three digits behind the point.  */
static void
an_event_says_where_when_and_what (void **state)
{
  char own[200];
  (void) state;
  int64_t before = pg_now (), start = pg_trace_begin (PG_TRACE_ENTRY, &scale);
  assert_true (start >= before && start <= pg_now ());
  PG_TRACE (ENTRY, 1234567, &scale, .numbers = { -5, 2 }, .words = { "probe", "pool" });
  PG_TRACE (CONFLICT, 0, &scale, .numbers = { 3 });
  write_and_read ();
  snprintf (own, sizeof own,
	    "\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"cat\":\"entry\",\"name\":\"entry "
	    "src/loops.c:10\",\"ts\":1234.567,\"dur\":",
	    getpid (), gettid ());
  assert_int_equal (count (own), 1);
  assert_int_equal (count ("\"args\":{\"file\":\"src/loops.c\",\"line\":10,\"function\":\"scale\",\"iterations\":-5,"
			   "\"conflicts\":2,\"plan\":\"probe\",\"result\":\"pool\"}}"),
		    1);
  assert_int_equal (count ("{\"ph\":\"i\","), 1);
  assert_int_equal (
    count ("\"s\":\"t\",\"args\":{\"file\":\"src/loops.c\",\"line\":10,\"function\":\"scale\",\"iteration\":3}}"), 1);
  assert_int_equal (count ("\"name\":\"thread_name\",\"args\":{\"name\":\"working thread\"}"), 1);
  assert_int_equal (count ("\"name\":\"process_name\",\"args\":{\"name\":\"test-trace\"}"), 1);
  assert_int_equal (count ("\n],\"otherData\":{\"dropped\":0}}\n"), 1);
  assert_string_equal (said, "");
}

static void
names_are_escaped (void **state)
{
  (void) state;
  PG_TRACE (REFUSED, 0, &quoted, .numbers = { 1 }, .words = { "a\"b" });
  write_and_read ();
  assert_int_equal (count ("\"name\":\"refused a\\\"b\\\\c\\u000a\\u00ff.c:7\""), 1);
  assert_int_equal (count ("\"file\":\"a\\\"b\\\\c\\u000a\\u00ff.c\",\"line\":7,\"function\":\"f\xc3\xa9\""), 1);
  assert_int_equal (count ("\"reason\":\"a\\\"b\"}}"), 1);
}

/* A long name is cut, perhaps in the middle of a character.  */
static void
long_names_fit (void **state)
{
  static char name[2002] = "x";
  const struct pg_region even = { .file = name + 1, .function = "f" }, odd = { .file = name, .function = "f" };
  (void) state;
  for (int i = 0; i < 1000; i++)
    memcpy (name + 1 + 2 * i, "\xc3\xa9", 2);
  PG_TRACE (DROP, 0, &even);
  write_and_read ();
  assert_int_equal (count ("\xc3\xa9\",\"ts\""), 1);
  PG_TRACE (DROP, 0, &odd);
  write_and_read ();
  assert_int_equal (count ("\xc3\xa9\\u00c3\",\"ts\""), 1);
}

static void *
add_joins (void *unused)
{
  PG_TRACE (JOIN, pg_trace_begin (PG_TRACE_JOIN, NULL), NULL, .numbers = { 1 });
  add_chunk (0);
  PG_TRACE (JOIN, pg_trace_begin (PG_TRACE_JOIN, NULL), NULL, .numbers = { 2 });
  return unused;
}

/* What is about nothing in particular is about what the thread was last at.  */
static void
events_inherit_the_region (void **state)
{
  pthread_t thread;
  (void) state;
  assert_int_equal (pthread_create (&thread, NULL, add_joins, NULL), 0);
  pthread_join (thread, NULL);
  write_and_read ();
  assert_int_equal (count ("\"name\":\"join\""), 1);
  assert_int_equal (count ("\"name\":\"join src/loops.c:10\""), 1);
}

static void
the_device_has_a_track_of_its_own (void **state)
{
  char own[100];
  (void) state;
  add_chunk (0);
  write_and_read ();
  assert_int_equal (count ("{\"name\":\"device\"}"), 0);
  PG_TRACE (COPY_IN, pg_trace_begin (PG_TRACE_COPY_IN, NULL), NULL, .numbers = { 4096 });
  write_and_read ();
  assert_int_equal (count ("\"tid\":1073741824,\"name\":\"thread_name\",\"args\":{\"name\":\"device\"}"), 1);
  assert_int_equal (count ("\"tid\":1073741824,\"cat\":\"copy in\""), 1);
  assert_int_equal (count ("\"bytes\":4096"), 1);
  snprintf (own, sizeof own, "\"tid\":%d,\"cat\"", gettid ());
  assert_int_equal (count (own), 1);
}

static void *
add_many (void *unused)
{
  pg_trace_thread (PG_TRACK_POOL);
  for (int i = 0; i < MANY; i++)
    add_chunk (i);
  return unused;
}

static void
threads_lose_nothing (void **state)
{
  pthread_t threads[N_THREADS];
  (void) state;
  for (int t = 0; t < N_THREADS; t++)
    assert_int_equal (pthread_create (&threads[t], NULL, add_many, NULL), 0);
  write_and_read (); /* whatever there is so far */
  for (int t = 0; t < N_THREADS; t++)
    pthread_join (threads[t], NULL);
  add_chunk (MANY);
  write_and_read ();
  assert_int_equal (count ("\"cat\":\"chunk\""), N_THREADS * MANY + 1);
  assert_int_equal (count ("\"from\":4711,"), N_THREADS);
  assert_int_equal (count ("\"args\":{\"name\":\"pool\"}"), N_THREADS);
  assert_int_equal (count ("\"args\":{\"name\":\"working thread\"}"), 1);
  assert_int_equal (count ("\"dropped\":0}"), 1);
}

/* A sixteenth of what is available: one block, of 64 KiB; events take 72 bytes, at most.  */
static void
what_does_not_fit_is_counted (void **state)
{
  char told[100], dropped[100];
  (void) state;
  available = 0;
  for (int i = 0; i < MANY; i++)
    add_chunk (i);
  write_and_read ();
  int n = count ("\"cat\":\"chunk\"");
  assert_in_range (n, 65536 / 72 - 2, 65536 / 64);
  assert_int_equal (count ("\"from\":0,"), 1);
  snprintf (dropped, sizeof dropped, "\"otherData\":{\"dropped\":%d}", MANY - n);
  assert_int_equal (count (dropped), 1);
  snprintf (told, sizeof told, ": no room for %d events", MANY - n);
  assert_non_null (strstr (said, told));
}

static void
memory_in_all_is_limited (void **state)
{
  (void) state;
  available = UINT64_C (3) * 16 * 65536;
  for (int i = 0; i < MANY; i++)
    add_chunk (i);
  write_and_read ();
  int n = count ("\"cat\":\"chunk\"");
  assert_in_range (n, 3 * (65536 / 72 - 2), 3 * 65536 / 64);
}

static volatile sig_atomic_t n_handled;
static const struct itimerval soon = { .it_value = { 0, 200 } }, never;

static void
add_in_handler (int signal)
{
  (void) signal;
  int saved = errno;
  for (int i = 0; i < 10; i++)
    PG_TRACE (DROP, 0, &quoted, .words = { "handler" });
  n_handled++;
  setitimer (ITIMER_REAL, &soon, NULL);
  errno = saved;
}

/* Wherever a handler comes in between.  */
static void
signals_lose_nothing (void **state)
{
  struct sigaction action = { .sa_handler = add_in_handler, .sa_flags = SA_RESTART }, before;
  (void) state;
  n_handled = 0;
  sigaction (SIGALRM, &action, &before);
  setitimer (ITIMER_REAL, &soon, NULL);
  for (int i = 0; i < 20 * MANY; i++)
    add_chunk (i);
  setitimer (ITIMER_REAL, &never, NULL);
  sigaction (SIGALRM, &before, NULL);
  write_and_read ();
  assert_int_equal (count ("\"cat\":\"chunk\""), 20 * MANY);
  assert_int_equal (count ("\"cat\":\"drop\""), 10 * n_handled);
}

static void
a_child_starts_anew (void **state)
{
  char own[100];
  int status;
  (void) state;
  add_chunk (1);
  pid_t child = fork ();
  if (child == 0)
    {
      pg_trace_forget ();
      write_and_read ();
      bool is_empty = *text == '\0';
      add_chunk (2);
      write_and_read ();
      snprintf (own, sizeof own, "\"pid\":%d,\"tid\":%d,\"cat\"", getpid (), getpid ());
      _exit (is_empty && count (own) == 1 && count ("\"cat\"") == 1 ? 0 : 1);
    }
  waitpid (child, &status, 0);
  assert_int_equal (status, 0);
  write_and_read ();
  assert_int_equal (count ("\"from\":1,"), 1);
  assert_int_equal (count ("\"cat\""), 1);
}

static void
a_file_that_cannot_be_written_is_named (void **state)
{
  (void) state;
  add_chunk (1);
  pg_trace_write ("/nonexistent/trace");
  assert_string_equal (said, "trace: /nonexistent/trace: No such file or directory");
}

static int
make_directory (void **state)
{
  (void) state;
  if (mkdtemp (directory) == NULL)
    return -1;
  snprintf (path, sizeof path, "%s/trace", directory);
  return 0;
}

static int
remove_directory (void **state)
{
  (void) state;
  free (text);
  return rmdir (directory);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (off_means_off, set_up),
    cmocka_unit_test_setup (nothing_noted_writes_nothing, set_up),
    cmocka_unit_test_setup (an_event_says_where_when_and_what, set_up),
    cmocka_unit_test_setup (names_are_escaped, set_up),
    cmocka_unit_test_setup (long_names_fit, set_up),
    cmocka_unit_test_setup (events_inherit_the_region, set_up),
    cmocka_unit_test_setup (the_device_has_a_track_of_its_own, set_up),
    cmocka_unit_test_setup (threads_lose_nothing, set_up),
    cmocka_unit_test_setup (what_does_not_fit_is_counted, set_up),
    cmocka_unit_test_setup (memory_in_all_is_limited, set_up),
    cmocka_unit_test_setup (signals_lose_nothing, set_up),
    cmocka_unit_test_setup (a_child_starts_anew, set_up),
    cmocka_unit_test_setup (a_file_that_cannot_be_written_is_named, set_up),
  };
  return cmocka_run_group_tests (tests, make_directory, remove_directory);
}
