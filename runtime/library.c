/* SPDX-License-Identifier: MIT
   The library's front door: what generated code calls, and what happens when the library is loaded, the process forks,
   and the process ends.

   Loading reads the environment and nothing else: no thread, no file, unless a profiler brings them
   (nvtx.h) or a cache is asked for (costs.h).  */
#include "costs.h"
#include "device-hints.h"
#include "device.h"
#include "environment.h"
#include "imports.h"
#include "log.h"
#include "manager.h"
#include "pool.h"
#include "region.h"
#include "stats.h"
#include "trace.h"
#include "watch.h"

#include "paragon_region.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum
{
  REST_NS = 200000000
};

#define PG_ABI_FUNCTION(type, name, arguments) __attribute__ ((visibility ("default"))) type name arguments;
#include "paragon_abi.def"
#undef PG_ABI_FUNCTION

int
__paragon_enter_v1 (struct pg_descriptor *descriptor, void *args, int64_t n_iters)
{
  if (descriptor->abi != PG_ABI_VERSION)
    {
      pg_stats_foreign (PG_ABI);
      PG_LOG (ENTER, "a descriptor of ABI %u, this library has %d", (unsigned) descriptor->abi, PG_ABI_VERSION);
      return 0;
    }
  if (n_iters <= 0)
    return 0;
  if (pg_environment.mode == PG_MODE_OFF)
    {
      __atomic_store_n (&descriptor->threshold, INT64_MAX, __ATOMIC_RELAXED);
      return 0;
    }
  return pg_region_run (descriptor, args, n_iters);
}

int64_t
__paragon_enter_v2 (struct pg_descriptor *descriptor, void *args, int64_t n_iters)
{
  if (__paragon_enter_v1 (descriptor, args, n_iters))
    return 1;
  if (!(descriptor->flags & PG_DESCRIPTOR_F_IF_REFUSED))
    return 0;
  return descriptor->body (args, 0, n_iters, NULL);
}

/* In the child of a fork only the calling thread is left.  */
static void
forget_threads (void)
{
  pg_pool_forget ();
  pg_states_forget ();
  pg_stats_clear ();
  pg_costs_forget ();
  pg_trace_forget ();
  pg_watch_forget ();
  pg_manager_forget ();
  pg_device_forget ();
}

/* The program has a function of its own called NAME.  All that this library does next may call it: it does nothing but
   say so to who asked for a word on stderr.  */
static void
stay_away (const char *name)
{
  pg_environment_defaults (&pg_environment);
  pg_environment.mode = PG_MODE_OFF;
  const char *stats = getenv ("PARAGON_STATS");
  bool is_asked = getenv ("PARAGON_LOG") != NULL || (stats != NULL && strcmp (stats, "1") == 0);
  if (is_asked && !getauxval (AT_SECURE))
    fprintf (stderr, "paragon: the program has a function `%s' of its own: its loops run as they were\n", name);
}

__attribute__ ((constructor)) static void
load (void)
{
  const char *replaced = pg_imports_replaced ();
  if (replaced != NULL)
    {
      stay_away (replaced);
      return;
    }
  if (getauxval (AT_SECURE))
    pg_environment_defaults (&pg_environment);
  else
    {
      pg_environment_read (&pg_environment);
      pg_trace_start (pg_environment.trace);
      pg_costs_start ();
    }
  pg_log_mask = pg_environment.log;
  pg_imports_start ();
  if (pg_environment.mode == PG_MODE_HELP)
    pg_environment_help ();
  pthread_atfork (pg_costs_settle, NULL, forget_threads);
}

/* A manager at work for nobody is given time to leave the device: one that is in use cannot be closed.  */
__attribute__ ((destructor)) static void
unload (void)
{
  pg_manager_rest (REST_NS);
  if (pg_environment.stats != NULL)
    pg_stats_write (pg_environment.stats);
  if (pg_environment.trace != NULL)
    pg_trace_write (pg_environment.trace);
  pg_device_close (); /* before costs are written: SQLite has one user */
  pg_costs_write ();
  pg_device_hints_write ();
}
