/* SPDX-License-Identifier: MIT
   What a thread carries beside memory.  See join.h.  */
#include "join.h"
#include "thread.h"

#include <errno.h>

/* Runs so far, in all threads.  Relaxed.  */
static _Atomic uint64_t n_runs;

void
pg_join_open (struct pg_join *join)
{
  fegetenv (&join->env);
  join->run = atomic_fetch_add_explicit (&n_runs, 1, memory_order_relaxed) + 1;
  pg_thread_self ()->joined = join->run;
  join->caller_errno = errno;
  atomic_store_explicit (&join->flags, 0, memory_order_relaxed);
  atomic_store_explicit (&join->last_errno, 0, memory_order_relaxed);
}

void
pg_join_begin (const struct pg_join *join)
{
  struct pg_thread *self = pg_thread_self ();
  if (self->joined != join->run)
    fesetenv (&join->env);
  self->joined = join->run;
  errno = 0;
}

void
pg_join_end (struct pg_join *join, int64_t index)
{
  int raised = fetestexcept (FE_ALL_EXCEPT);
  if ((raised & ~atomic_load_explicit (&join->flags, memory_order_relaxed)) != 0) /* mostly known: inexact */
    atomic_fetch_or_explicit (&join->flags, raised, memory_order_relaxed);
  if (errno == 0)
    return;
  uint64_t mine = (uint64_t) (index + 1) << 32 | (uint32_t) errno;
  uint64_t last = atomic_load_explicit (&join->last_errno, memory_order_relaxed);
  while (last < mine
	 && !atomic_compare_exchange_weak_explicit (&join->last_errno, &last, mine, memory_order_relaxed,
						    memory_order_relaxed))
    continue;
}

void
pg_join_close (struct pg_join *join)
{
  uint64_t last = atomic_load_explicit (&join->last_errno, memory_order_relaxed);
  feraiseexcept (atomic_load_explicit (&join->flags, memory_order_relaxed)); /* nothing traps: pg_join_traps */
  errno = last == 0 ? join->caller_errno : (int) (uint32_t) last;
}

bool
pg_join_traps (void)
{
#if defined __x86_64__
  /* fegetexcept reads the x87 word only; bits 7 to 12 of MXCSR mask the SSE exceptions.  */
  if ((__builtin_ia32_stmxcsr () & 0x1f80) != 0x1f80)
    return true;
#endif
  return fegetexcept () != 0;
}

bool
pg_join_is_standard (void)
{
#ifdef __x86_64__
  enum
  {
    ROUNDING = 0x6000,
    SMALL_ARE_0 = 0x8040 /* results, operands */
  };
  return (__builtin_ia32_stmxcsr () & (ROUNDING | SMALL_ARE_0)) == 0;
#else
  return fegetround () == FE_TONEAREST;
#endif
}
