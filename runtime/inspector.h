/* SPDX-License-Identifier: MIT
   The inside of an inspector, for the files that make it up:

     inspect.c	the passes and their order
     layout.c	which pairs of references are open, and where in the tables their bytes have cells
     scout.c	a pass: the monitor run by jobs
     telling.c	what becomes of what it tells
     feed.c	what the monitor reads, from the traces that an inspection leaves behind
     verdict.c	the verdict cache  */
#ifndef PG_INSPECTOR_H
#define PG_INSPECTOR_H

#include "hash.h"
#include "inspect.h"
#include "shadow.h"
#include "sieve.h"

/* The largest gap between two touches of a reference for which all bytes in between are surely mapped: both ends'
   pages are, and a gap of less than a page has no page in between.  */
#define PG_DENSE_STEP 2048

/* Runs of one reference that a job follows at a time: the columns of a matrix, the fields of a structure.  */
#define PG_STREAMS 16

/* COUNT pieces of memory of LEN bytes each, STRIDE > LEN apart if there is more than one.  */
struct pg_strided
{
  uintptr_t low;
  uintptr_t len, count, stride;
};

/* The bytes that a reference touched.  */
struct pg_range
{
  uintptr_t low, end; /* end == 0: never touched */
  uintptr_t bits;     /* all addresses, lengths and strides, or-ed: their common alignment */
};

/* How a reference's range moves on from one iteration to the next: LOW and END bytes in N_ITERS; 0: unknown.  */
struct pg_drift
{
  intptr_t low, end;
  int64_t n_iters;
  bool stays; /* on the whole it does not: ranges far apart in time have bytes in common */
};

/* What a gather's integers, from INDEX on, make addresses of (struct pg_monitor).  */
struct pg_gather
{
  uintptr_t index, base;
  int64_t form;
};

/* What one job's iterations touched through one reference, as far as it was traced.  */
struct pg_trace
{
  uintptr_t low, end, bits; /* as a pg_range's */
  struct pg_strided marked; /* the latest mark in the sieve, and its iteration; count 0: none */
  int64_t marked_iter;
  uintptr_t last, last_len; /* the latest touch, with PG_ROLE_FEED */
  uint32_t order;           /* references that the job had touched before this one's first touch */
  uint8_t stream;           /* the latest run */
  uint8_t n_vain;           /* times, on balance, that all streams were asked and none went on */
  uint8_t n_unasked;        /* touches, since, that did not seem worth it; wraps */
  bool is_sparse;           /* some gap was longer than PG_DENSE_STEP */
  struct pg_gather gather;  /* the one that may go on, while the monitor's tail of it has an end */
  struct                    /* the present runs, with PG_ROLE_RUNS; end == 0: none */
  {
    uintptr_t low, end;
  } streams[PG_STREAMS];
};

enum pg_ref_role_flags
{
  PG_ROLE_TRACE = 1, /* touches are traced */
  PG_ROLE_MARK = 2,  /* writes: marked in the area */
  PG_ROLE_CHECK = 4, /* reads: compared with the area's marks, or in the sieve marked, too */
  PG_ROLE_EARLY = 8, /* the monitor reads it before the loop writes: its own iteration's mark conflicts too */
  PG_ROLE_FEED = 16, /* traced for the verdict cache too */
  PG_ROLE_RUNS = 32, /* with runs */
  PG_ROLE_JUMPS = 64 /* found to jump by an earlier inspection */
};

/* How far the pages that a jumping reference reads from are watched, rather than its runs read: as long as other data
   on them are not found to be written meanwhile.  */
enum pg_caution
{
  PG_WATCH_PAGES,
  PG_WATCH_INNER_PAGES, /* not the outermost two: other data are there */
  PG_WATCH_NO_PAGES
};

/* A reference's part in the inspection.  References of one AREA may conflict with each other; the area has a cell for
   each 1 << SHIFT bytes of [LOW, END), from cell FIRST on.  With OWN_LEN, a reference of the area surely writes that
   many bytes at OWN_BASE + iteration * OWN_STEP, others in each iteration.  */
struct pg_ref_role
{
  uintptr_t low, end;
  size_t first;
  uintptr_t own_base, own_step, own_len;
  uint32_t area;
  uint8_t shift;
  uint8_t what; /* enum pg_ref_role_flags */
};

/* How writes are marked.  */
enum pg_marking
{
  PG_MARK_NOT,
  PG_MARK_SIEVE,
  PG_MARK_SHADOW
};

struct pg_verdicts; /* in verdict.c */

struct pg_inspector
{
  const struct pg_region *region;
  size_t len; /* bytes of this block, tables included */

  struct pg_ref_role *roles; /* n_refs; MARK, CHECK and areas are the last layout's */
  struct pg_range *totals;   /* n_refs; all jobs' traces in one */
  bool has_totals;           /* there was an inspection */
  struct pg_drift *drifts;   /* n_refs; by the latest inspection of more than one job */
  struct pg_range *guess;    /* n_refs; what the next inspection may find */
  struct pg_bound *bounds;   /* n_refs; pg_inspector_bounds */
  bool has_bounds;           /* the last inspection was for these */
  uint32_t *areas;           /* n_refs; the area of each reference, while a layout is made */
  uint8_t *open;             /* n_refs * n_refs bits: pairs that are not settled, first <= second */
  uint8_t *likely;           /* the same, by the guess */
  size_t n_cells;            /* of the last layout; 0: none */
  size_t most_new_len;       /* bytes by which a table may grow now */
  int64_t once_ns;           /* pg_inspector_once_ns */
  int64_t work_ns;           /* of the loop itself, in what is inspected; 0: unknown */

  enum pg_caution caution;
  bool may_watch;    /* in the last inspection */
  int64_t few_iters; /* too few for the pages that they read from */

  struct pg_shadow shadow;
  struct pg_sieve sieve;
  size_t n_listed;      /* words of the sieve's lists, of one kind, after LISTED_ITERS iterations; learned */
  int64_t listed_iters; /* 0: unknown */
  int n_misfits;        /* inspections, one after the other, that the last layout was of no use for */
  int n_doubts;         /* likewise, that the sieve could not tell clean, up to a limit */
  int sieve_rest;       /* inspections for which the sieve is not tried */

  char *seats; /* what a thread uses while it runs a job, SEATS_LEN bytes: see scout.c */
  size_t seats_len;
  char *jobs; /* scouts and their traces, JOBS_LEN bytes */
  size_t jobs_len;
  size_t job_stride;
  struct pg_run *runs; /* MAX_RUNS a job, RUNS_LEN bytes */
  size_t runs_len;
  uint32_t max_runs;
  uint32_t runs_an_iter; /* room for so many; learned */
  int64_t iter_ps;       /* what the monitor takes for an iteration; 0: unknown */

  int64_t lo, hi;   /* the last inspection, if it left traces */
  int64_t n_traced; /* its jobs; 0: none */

  struct pg_verdicts *verdicts; /* verdict.c's own, or NULL */
};

/* verdict.c: Give back the verdicts of INSPECTOR.  */
void pg_verdicts_free (struct pg_inspector *inspector);

#endif
