/* SPDX-License-Identifier: MIT
   What a thread carries beside memory, taken to the jobs of a loop and back: rounding and other floating-point control,
   raised floating-point flags, errno.

     pg_join_open (caller)  ->  each job: pg_join_begin, the job's work, pg_join_end  ->  pg_join_close (caller)

   A job starts with the caller's floating-point environment.  The caller ends up with every flag that a job raised, and
   with the errno of the last job, in the order of the loop, that set it: what one thread alone would have.  A loop
   that is handed over never reads errno (refuse.cc, region.c), so each job starts from zero, which no failure sets: a
   job that sets what was there before is told from one that sets nothing.  */
#ifndef PARAGON_JOIN_H
#define PARAGON_JOIN_H

#include <fenv.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pg_join
{
  fenv_t env;                  /* the caller's; read-only while jobs run */
  uint64_t run;                /* the number of this run; likewise */
  int caller_errno;            /* the caller's only */
  _Atomic int flags;           /* raised by jobs; relaxed, ordered by the pool's run */
  _Atomic uint64_t last_errno; /* (job number + 1) << 32 | errno of the last job that set it; relaxed */
};

/* Before a run of jobs: note the caller's environment.  */
void pg_join_open (struct pg_join *join);

/* Around the work of job INDEX, on the thread that runs it, which keeps the environment from job to job.  */
void pg_join_begin (const struct pg_join *join);
void pg_join_end (struct pg_join *join, int64_t index);

/* After the run, on the caller: hand over flags and errno.  */
void pg_join_close (struct pg_join *join);

/* Whether the calling thread rounds floating-point numbers to nearest, and does not take small ones for 0.  */
bool pg_join_is_standard (void);

/* Whether a floating-point exception would trap on the calling thread.  */
bool pg_join_traps (void);

#endif
