/* SPDX-License-Identifier: MIT
   The pilot.  See pilot.h.

   The monitor is run over iteration 0 until it has told of some writes, then over iteration 1, and left by a jump when
   enough is known.  What goes to a log is told when that is full, so some more than that is kept.  */
#include "pilot.h"
#include "budget.h"
#include "inspector.h"
#include "log.h"
#include "telling.h"
#include "work-arrays.h"

#include <errno.h>
#include <fenv.h>
#include <setjmp.h>

enum
{
  MOST_KEPT = 4 * PG_LOG_ENTRIES,
  MOST_ASKED = 2 * PG_LOG_ENTRIES
};

struct piece
{
  uintptr_t low, end;
};

struct pilot
{
  struct pg_monitor monitor; /* first: what the monitor sees */
  const struct pg_region *region;
  struct pg_log_entry *logs;
  bool is_second;      /* iteration 1 runs */
  bool meets;          /* and wrote what iteration 0 did */
  int n_kept, n_asked; /* pieces of iteration 0 and of iteration 1 */
  struct piece kept[MOST_KEPT];
  jmp_buf out;
};

/* Iteration 0 writes PIECE.  */
static void
keep (struct pilot *pilot, struct piece piece)
{
  pilot->kept[pilot->n_kept++] = piece;
  if (pilot->n_kept == MOST_KEPT)
    longjmp (pilot->out, 1);
}

/* Iteration 1 writes PIECE.  */
static void
ask (struct pilot *pilot, struct piece piece)
{
  for (int k = 0; k < pilot->n_kept; k++)
    pilot->meets |= piece.low < pilot->kept[k].end && pilot->kept[k].low < piece.end;
  if (pilot->meets || ++pilot->n_asked == MOST_ASKED)
    longjmp (pilot->out, 1);
}

static void
tell (struct pilot *pilot, int64_t ref, const void *address, int64_t len)
{
  struct piece piece = { (uintptr_t) address, (uintptr_t) address + (uintptr_t) len };
  if (pilot->monitor.next[ref] != NULL)
    (pilot->is_second ? ask : keep) (pilot, piece);
}

static void
touch (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  if (len > 0)
    tell ((struct pilot *) monitor, ref, address, len);
}

/* The first piece tells enough.  */
static void
touch_row (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len, int64_t count, int64_t stride)
{
  (void) stride;
  if (count > 0)
    touch (monitor, ref, address, len);
}

static void
drain (struct pg_monitor *monitor, int64_t ref)
{
  struct pilot *pilot = (struct pilot *) monitor;
  const struct pg_log_entry *end = monitor->next[ref];
  monitor->next[ref] = pg_log_first (monitor->next[ref]);
  for (const struct pg_log_entry *e = monitor->next[ref]; e < end; e++)
    tell (pilot, ref, e->address, pilot->region->refs[ref].len);
}

/* Empty all logs.  Only what is written, and is not each iteration's own, is wanted.  */
static void
begin_logs (struct pilot *pilot)
{
  const struct pg_region *region = pilot->region;
  for (uint32_t r = 0; r < region->n_refs; r++)
    {
      bool is_wanted = (region->refs[r].flags & PG_REF_WRITE) && !pg_is_work_group (region, region->refs[r].group);
      pilot->monitor.next[r] = is_wanted ? pilot->logs + r * PG_LOG_ENTRIES : NULL;
    }
}

/* Run the monitor of PILOT over iteration I with ARGS, as far as it is of use.  */
static __attribute__ ((noinline)) void
run (struct pilot *pilot, const void *args, int64_t i)
{
  pilot->monitor.iter = i;
  begin_logs (pilot);
  if (setjmp (pilot->out) != 0)
    return;
  pilot->region->monitor ((void *) (uintptr_t) args, i, i + 1, pilot);
  for (uint32_t r = 0; r < pilot->region->n_refs; r++)
    if (!pg_log_at_end (pilot->monitor.next[r]))
      drain (&pilot->monitor, r);
}

/* Make PILOT ready.  Each touch is told, as no tail is set.  False: no memory.  */
static bool
equip (struct pilot *pilot, struct pg_inspector *inspector)
{
  const struct pg_region *region = inspector->region;
  size_t logs_len = region->n_refs * PG_LOG_LEN, tails_len = region->n_refs * sizeof (struct pg_tail);
  size_t next_len = region->n_refs * sizeof (struct pg_log_entry *);
  inspector->seats = pg_budget_grow (inspector->seats, &inspector->seats_len, logs_len + tails_len + next_len);
  if (inspector->seats == NULL)
    return false;
  pilot->region = region;
  pilot->logs = (struct pg_log_entry *) inspector->seats;
  pilot->is_second = pilot->meets = false;
  pilot->n_kept = pilot->n_asked = 0;
  pilot->monitor = (struct pg_monitor) {
    .touch = touch,
    .touch_row = touch_row,
    .drain = drain,
    .tails = (struct pg_tail *) (inspector->seats + logs_len),
    .next = (struct pg_log_entry **) (inspector->seats + logs_len + tails_len),
  };
  for (uint32_t r = 0; r < region->n_refs; r++)
    pilot->monitor.tails[r] = (struct pg_tail) { .end = (const void *) UINTPTR_MAX };
  return true;
}

bool
pg_pilot_meets (struct pg_inspector *inspector, const struct pg_view *view)
{
  struct pilot pilot;
  fenv_t env;
  int saved_errno = errno;
  if (!equip (&pilot, inspector))
    return false;
  fegetenv (&env);
  run (&pilot, view->args, 0);
  pilot.is_second = true;
  run (&pilot, view->args, 1);
  fesetenv (&env);
  errno = saved_errno;
  if (pilot.meets)
    PG_LOG (CHECK, "region %s:%u: iterations 0 and 1 write the same", view->region->file, view->region->line);
  return pilot.meets;
}
