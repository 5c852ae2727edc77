/* SPDX-License-Identifier: MIT
   Statistics: one row a region, printed when the process ends (PARAGON_STATS).

   A row outlives the object that its region lies in: it holds copies.  */
#ifndef PARAGON_STATS_H
#define PARAGON_STATS_H

#include "status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Counters are atomic and relaxed: written by the thread inside the region or by a refused one, read at exit.  */
struct pg_row
{
  struct pg_row *next; /* set before the row is added */
  const char *file, *function, *reason;
  uint32_t line;
  uint8_t klass;                /* enum pg_class */
  _Atomic int64_t n_entries;    /* entries by what ran them: */
  _Atomic int64_t n_device;     /* the device */
  _Atomic int64_t n_pool;       /* the pool, for a part at least */
  _Atomic int64_t n_sequential; /* F, all of it on the caller */
  _Atomic int64_t n_original;   /* the original loop */
  _Atomic int64_t n_statuses[PG_N_STATUSES];
  _Atomic int64_t n_rungs[PG_N_RUNGS];
  _Atomic int64_t n_offloaded[PG_N_OFFLOADED];       /* entries for which a device was asked for */
  _Atomic int64_t n_mapped[PG_N_MAPPED];             /* those that the device ran */
  _Atomic int64_t n_device_plans[PG_N_DEVICE_PLANS]; /* entries that were planned with a device */
  _Atomic int64_t n_copied_in, n_copied_out;         /* bytes of the program's memory, to a device and back */
  _Atomic int64_t n_doacross;                        /* of n_pool: iterations followed each other (doacross.h) */
  _Atomic int64_t n_conflicts;
  _Atomic int64_t n_redone; /* iterations run in order because of a conflict */
  _Atomic int64_t n_iters;
  _Atomic int64_t ns;         /* inside entries that ran */
  _Atomic int64_t saved_ns;   /* against the same on one thread, as measured in each entry; may be below zero */
  _Atomic int64_t n_compared; /* PARAGON=compare */
  _Atomic int64_t n_uncompared;
  _Atomic int64_t n_differences;
};

/* Add N to COUNTER.  */
static inline void
pg_count (_Atomic int64_t *counter, int64_t n)
{
  if (n != 0)
    atomic_fetch_add_explicit (counter, n, memory_order_relaxed);
}

/* Add ROW.  Keeps a pointer to it, for good.  Threads: any.  */
void pg_stats_add (struct pg_row *row);

/* The row added last; all others follow by NEXT.  */
struct pg_row *pg_stats_rows (void);

/* Count an entry whose descriptor cannot be read, as STATUS says: it has no row.  */
void pg_stats_foreign (enum pg_status status);

/* The class of ROW's region, as it is called in the statistics.  */
const char *pg_class_name (const struct pg_row *row);

/* Forget all counts: in the child of a fork, they are the parent's.  */
void pg_stats_clear (void);

/* Write the table where WHERE says: "1" for stderr, else a file, %p in its name being the process id; JSON if the name
   ends in .json.  Nothing if no region was entered.  */
void pg_stats_write (const char *where);

#endif
