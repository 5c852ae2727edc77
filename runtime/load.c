/* SPDX-License-Identifier: MIT
   What else runs on this machine.  See load.h.

   The kernel counts the threads that run or wait for a CPU: the fourth field of /proc/loadavg, "2/78".  It is the state
   of one moment, in which some service may have woken up for a moment only.  So more of them than before have to be
   seen several times in a row; fewer, once.  */
#include "load.h"
#include "cgroup.h"
#include "futex.h"
#include "thread.h"

#include <limits.h>
#include <stdio.h>

enum
{
  HOLDS_NS = 1000000,  /* an answer; to ask takes some microseconds */
  STALE_NS = 50000000, /* what was seen so long ago tells nothing about now */
  IN_A_ROW = 3
};

/* Relaxed: answers of threads that ask at once may mix, and each is one that could be.  */
static struct
{
  _Atomic int64_t looked; /* a moment of pg_now */
  _Atomic int n_others;   /* -1: unknown */
  _Atomic int n_above;    /* looks in a row that saw more */
} load;

int
pg_load_running (const char *proc)
{
  char text[128];
  int n;
  if (!pg_cgroup_read (proc, "loadavg", text, sizeof text) || sscanf (text, "%*s %*s %*s %d/", &n) != 1 || n < 0)
    return 0;
  return n;
}

/* Take a look: N threads run, N_OWN of them known.  */
static void
take (int n, int n_own, bool is_stale)
{
  int n_others = n == 0 ? -1 : n > n_own ? n - n_own : 0;
  bool is_more = n_others > atomic_load_explicit (&load.n_others, memory_order_relaxed);
  int n_above = is_more && !is_stale ? atomic_load_explicit (&load.n_above, memory_order_relaxed) + 1 : 0;
  bool is_believed = !is_more || is_stale || n_above == IN_A_ROW;
  atomic_store_explicit (&load.n_above, is_believed ? 0 : n_above, memory_order_relaxed);
  if (is_believed)
    atomic_store_explicit (&load.n_others, n_others, memory_order_relaxed);
}

int
pg_load_cpus (int n_own)
{
  static _Atomic int n_online;
  int64_t now = pg_now (), age = now - atomic_load_explicit (&load.looked, memory_order_relaxed);
  if (age >= HOLDS_NS)
    {
      struct pg_thread *self = pg_thread_self ();
      int loop_errno = errno;
      bool deferred = pg_thread_defer_signals (self);
      atomic_store_explicit (&load.looked, now, memory_order_relaxed);
      if (atomic_load_explicit (&n_online, memory_order_relaxed) == 0)
	atomic_store_explicit (&n_online, (int) sysconf (_SC_NPROCESSORS_ONLN), memory_order_relaxed);
      take (pg_load_running ("/proc"), n_own, age >= STALE_NS);
      pg_thread_restore_signals (self, deferred);
      errno = loop_errno;
    }
  int n = atomic_load_explicit (&n_online, memory_order_relaxed);
  int n_others = atomic_load_explicit (&load.n_others, memory_order_relaxed);
  return n < 1 || n_others < 0 ? INT_MAX : n > n_others ? n - n_others : 1;
}
