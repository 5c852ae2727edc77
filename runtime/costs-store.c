/* SPDX-License-Identifier: MIT
   Where costs are kept.  See costs.h.

     nothing  ->  a reader is at work  ->  it has ended: HINTS are there, or there are none
		  (from load to then)

   The reader loads SQLite, so it may hold the dynamic linker's lock and malloc's, and wait for another process: a child
   that was forked off meanwhile might find half of what it did.  So a fork waits for it, as does the program's end,
   which would take its code away.  */
#include "costs.h"
#include "environment.h"
#include "futex.h"
#include "log.h"
#include "pool.h"

#include "cgroup.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum
{
  READER_STACK_LEN = 1 << 20,
  MOST_WAIT_NS = 200000000,
  CPUINFO_LEN = 4096
};

enum reading
{
  NOTHING,
  AT_WORK,
  ENDED
};

/* Release when set, acquire when read.  */
static _Atomic uint32_t reading;

/* Of the reader; others': when ENDED.  */
static char *hints;
static size_t hints_len;

/* The key of this program's entry: what it is, and where it runs.  False: that cannot be said.  */
static bool
find_key (struct pg_cache_key *key)
{
  char program[PATH_MAX], cpu[CPUINFO_LEN] = "", n_threads[24];
  struct utsname system;
  ssize_t len = readlink ("/proc/self/exe", program, sizeof program - 1);
  if (len <= 0 || uname (&system) != 0)
    return false;
  program[len] = '\0';
  pg_cgroup_read ("/proc", "cpuinfo", cpu, sizeof cpu);
  char *model = strstr (cpu, "model name");
  if (model != NULL)
    model[strcspn (model, "\n")] = '\0';
  snprintf (n_threads, sizeof n_threads, "%d", pg_pool_threads ());
  const char *const parts[] = { "costs 1", program, system.nodename, model == NULL ? "" : model, n_threads };
  *key = pg_cache_key ((struct pg_cache_key) { 0, 0 }, parts, sizeof parts / sizeof *parts);
  return true;
}

/* Whether costs are to be kept: only where the user asks for it.  */
static bool
is_wanted (void)
{
  return pg_environment.cache != NULL && strcmp (pg_environment.cache, "off") != 0;
}

struct pg_cache *
pg_costs_open (char *why)
{
  char path[PG_CACHE_PATH_LEN];
  struct pg_cache_setup setup;
  snprintf (why, PG_CACHE_TEXT_LEN, "no cache: no folder for it");
  return is_wanted () && pg_cache_defaults (&setup, path) ? pg_cache_open (&setup, why) : NULL;
}

static void *
read_hints (void *unused)
{
  char why[PG_CACHE_TEXT_LEN];
  struct pg_cache_key key;
  struct pg_cache *cache = pg_costs_open (why);
  if (cache != NULL && find_key (&key))
    pg_cache_find (cache, key, &hints, &hints_len);
  pg_cache_close (cache);
  atomic_store (&reading, ENDED);
  pg_futex_wake (&reading, INT_MAX);
  return unused;
}

void
pg_costs_start (void)
{
  sigset_t all, before;
  pthread_attr_t attr;
  pthread_t thread;
  if (!is_wanted () || pthread_attr_init (&attr) != 0)
    return;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attr, READER_STACK_LEN);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  atomic_store (&reading, AT_WORK);
  if (pthread_create (&thread, &attr, read_hints, NULL) != 0)
    atomic_store (&reading, NOTHING);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  pthread_attr_destroy (&attr);
}

void
pg_costs_hint (struct pg_state *state)
{
  struct pg_plan_costs costs;
  if (state->has_hints || atomic_load_explicit (&reading, memory_order_acquire) != ENDED)
    return;
  state->has_hints = true;
  if (hints != NULL && pg_costs_find (hints, hints_len, pg_costs_key (state), &costs))
    {
      PG_LOG (PLAN, "region %s:%u: costs of an earlier run, %lld ps alone", state->row.file, (unsigned) state->row.line,
	      (long long) costs.alone_ps);
      pg_plan_hint (&state->plan, &costs);
    }
}

/* Whether what was measured is what the loops usually cost.  */
static bool
is_usual (void)
{
  const struct pg_environment *env = &pg_environment;
  return env->mode == PG_MODE_ON && env->plan == PG_PLAN_AUTO && env->step < 0 && !env->inject;
}

/* Put what the plans know into *RECORDS, *LEN bytes.  What a thread is in the middle of is left out.  Whether there is
   anything.  */
static bool
add_plans (char **records, size_t *len)
{
  struct pg_plan_costs costs;
  bool is_any = false;
  for (struct pg_row *row = pg_stats_rows (); row != NULL; row = row->next)
    {
      struct pg_state *state = (struct pg_state *) row;
      struct pg_thread *nobody = NULL;
      if (!atomic_compare_exchange_strong (&state->owner, &nobody, pg_thread_self ()))
	continue;
      if (pg_plan_tell (&state->plan, &costs))
	is_any |= pg_costs_put (records, len, pg_costs_key (state), &costs);
      atomic_store (&state->owner, NULL);
    }
  return is_any;
}

/* What other processes wrote meanwhile stays, but for the regions that are known here.  */
void
pg_costs_write (void)
{
  char why[PG_CACHE_TEXT_LEN], *records = NULL;
  size_t len = 0;
  struct pg_cache_key key;
  if (!is_wanted () || !is_usual () || pg_stats_rows () == NULL)
    return;
  pg_costs_settle ();
  if (atomic_load (&reading) == AT_WORK)
    return;
  struct pg_cache *cache = pg_costs_open (why);
  if (cache == NULL)
    {
      pg_log_say ("%s", why);
      return;
    }
  if (find_key (&key))
    {
      pg_cache_find (cache, key, &records, &len);
      if (add_plans (&records, &len))
	pg_cache_keep (cache, key, records, len);
      free (records);
    }
  pg_cache_close (cache);
}

void
pg_costs_settle (void)
{
  int64_t until = pg_now () + MOST_WAIT_NS, left;
  while (atomic_load (&reading) == AT_WORK && (left = until - pg_now ()) > 0)
    pg_futex_wait (&reading, AT_WORK, left);
}

void
pg_costs_forget (void)
{
  if (atomic_load (&reading) == AT_WORK)
    atomic_store (&reading, NOTHING);
}
