/* SPDX-License-Identifier: MIT
   The pool: one team of threads a process, that helps whichever thread calls.

   pg_pool_run (job, arg, n) runs job (arg, 0) .. job (arg, n - 1), each once, in any order, on the caller and on
   whatever workers show up, and returns when all have ended.  What a job did happens before the return.  Job i comes to
   thread i % pg_pool_queues () if that one is there in time, so the same job finds the same cache in each run.

   No thread exists before the first run that has use for one, nor for long after the last.  The caller never waits for
   a worker that has not taken a job: where workers are late, missing, or busy for another caller, it does everything
   itself.

   While workers may be at work, the caller defers its signals (thread.h).  Now and then, after jobs 0 .. i have ended
   and before others begin, those that have come are delivered.  */
#ifndef PARAGON_POOL_H
#define PARAGON_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  PG_POOL_MOST_QUEUES = 64
};

typedef void pg_job_fn (void *arg, int64_t index);

/* What a run's caller saw, in nanoseconds.  */
struct pg_pool_times
{
  int64_t worked_ns; /* it was itself at work on jobs */
  int64_t late_ns;   /* after it, another thread ended the last of its own jobs; below 0: before; 0 also: unknown */
  bool is_whole;     /* no signal was delivered on the way */
};

/* Run jobs 0 .. N_JOBS - 1 of JOB.  Threads: any, jobs may not call it.  Keeps neither JOB nor ARG.
   Does not change the caller's rounding beyond what jobs do on the caller.  May leave its signals deferred.  */
struct pg_pool_times pg_pool_run (pg_job_fn *job, void *arg, int64_t n_jobs);

/* The same, but signals wait until all jobs have ended.  */
struct pg_pool_times pg_pool_run_whole (pg_job_fn *job, void *arg, int64_t n_jobs);

/* Have workers, awake, so that the next run, if it is soon, need neither start nor wake them.  */
void pg_pool_start (void);

/* Whether NS of one thread's work is for the pool.  Where workers are asleep, or there are none, there has to be more
   of it, in a row or all in all: they take some time to wake up or start.  */
bool pg_pool_is_worth (int64_t ns);

/* The threads that a run can hope for, the caller's included; at least 1.  */
int pg_pool_threads (void);

/* No fewer than those: as many, if they have been counted, which takes longer than many loops run.  For questions of
   cost that come before a run or an inspection is decided on.  */
int pg_pool_most_threads (void);

/* Those of them that would find a CPU, as far as can be seen; at least 1.  Takes some microseconds now and then.  */
int pg_pool_free_threads (void);

/* Wake those workers up that there are: a run will come soon.  */
void pg_pool_wake (void);

/* The queues that jobs are dealt out to, job i to queue i % pg_pool_queues (): one a thread, but not too many.  */
int pg_pool_queues (void);

/* From the next run on, workers have FRAME_LEN bytes of stack beyond the usual.  */
void pg_pool_reserve (size_t frame_len);

/* Learn that a run took NS longer than its caller alone would have.  If that is more than to wake workers up can take,
   something else wants the CPUs.  A loss may be told more than once, when it is seen and when all is added up.  */
void pg_pool_lost (int64_t ns);

/* Whether to do without the pool for now.  A single loss costs as much time again without it; where they go on, a
   sixteenth of all time at most is lost to runs that did not pay.  */
bool pg_pool_is_crowded (void);

/* In the child of a fork: there are no workers, and no run is in progress but the calling thread's own, if a signal's
   handler forked in the middle of it.  */
void pg_pool_forget (void);

/* After the calling thread left a run of its own by a jump (siglongjmp out of a signal handler): end that run.  */
void pg_pool_abandon (void);

#endif
