/* SPDX-License-Identifier: MIT
   The plan.  See plan.h.

   Whether the pool helps is judged by the clock on the wall: what entries took on the pool against what entries of
   the same size took on the caller alone, while the other threads rested.  What the caller's own share of a pool's
   entry took would say more about this moment, but less about the pool: where threads wait for the same memory, each
   of them is slower than one alone.  It is asked only whether there is reason to doubt.

   Entries alone come for some milliseconds, all of the region's, ever more rarely, and only the second half is
   measured: in the first, data still come home from the other threads' caches.  Of long entries, which bring home all
   that they touch, three will do: the first is not measured; of very long ones, parts.  What entries cost the program
   after they have ended counts too (after.h).  A pool that loses is left alone for 1, 2, 4 ...  1024 entries of the
   size.

   The guard's threshold is only ever raised, in steps of at most 16, after several small entries in a row, and from the
   dearest cost seen lately: an entry that it shuts out can never be measured again.  Where iterations have inner loops,
   whose turns may be more from entry to entry, as in a triangular nest, it is not raised while they grow dearer.  */
#include "plan.h"
#include "grid.h"

#include <string.h>

/* Some years.  */
#define LONGEST_NS (INT64_MAX / 64)

enum
{
  MOST_SKIPPED = 1024,
  SMALL_IN_A_ROW = 8,
  SURE_NS = 200000,
  SMALL_REPROBE = 16,  /* every so many small entries, one is measured again */
  UNSEEN_REPROBE = 64, /* likewise, of larger ones that are refused */
  HOPELESS = 4,        /* entries in a row that conflict by their numbers, before some are not looked at, */
  MOST_HOPELESS = 14,  /* twice as many with each more, up to this */
  LARGEST_STEP = 16,
  PS_A_NS = 1000,
  MEMORY_NS = 1000000, /* measurements are halved when they come to more, and to so many iterations */
  MEMORY_ITERS = 16,
  MOST_LATE_NS = 50000,
  LATE_STEP_NS = 250,  /* more than so much says that a run was disturbed, and no more than that others are late */
  EARN_SHARE = 20,     /* a purse gets 1/EARN_SHARE of the work, */
  HALF_TIMES = 8,      /* and half of what came so often and has no verdict yet, */
  YOUNG_NS = 20000000, /* which can be spent when so much work came again */
  SPREE = 8,           /* a purse is opened when it has enough for so many inspections */
  SPREE_NS = 1000000,  /* or so much, and then emptied: each is cheaper right after another */
  WARM_SHARE = 32,     /* by which what is known of the cheapest inspection rises with each dearer one */
  GAIN_SHARE = 2,      /* and 1/GAIN_SHARE of what verdicts save */
  MOST_THRIFT = 10,
  REUSED_THRIFT = 2,       /* one verdict that holds makes up for so many inspections */
  CONFLICT_THRIFT = 2,     /* one conflict counts for so many more */
  UNKNOWN_INSPECT = 16,    /* an inspection costs so many times the work of a thread, as long as nothing is known */
  LONG_INSPECT_NS = 50000, /* work; an inspection tells as much as one of so little for each of it, or an iteration */
  FEW_INSPECTED = 64,      /* iterations: where no inspection was of so many, */
  FEW_GROWTH = 8,          /* the next is of so many times as many as the last, and not of all */
  PART_GROWTH = 4,         /* of a part of a doacross that won: the next has so many times the work */
  PIECE_NS = 5000,         /* what an entry loses by each piece but the first */
  NEW_BYTES_A_NS = 4,
  FIRST_INSPECT_NS = 1000000, /* and so much once: threads, memory, what is to be watched */
  LEAST_SHORT_NS = 100000,
  SEARCH_SHARE = 20, /* of the work, spent on a search for verdicts that hold, is too much */
  MOST_SEARCHED_NS = 50000,
  MARGIN_PERCENT = 3,        /* the pool has to be so much faster than one thread to be called faster */
  CLEAR_PERCENT = 15,        /* and so much to be forgiven what it lost before */
  SURE_PERCENT = 30,         /* and so much to be believed for long */
  ALONE_NS = 4000000,        /* a while alone; and at least two entries, or a very long one */
  LONG_ALONE_NS = 300000,    /* of an entry that brings its data home by itself: */
  LONG_SAMPLED_NS = 2000000, /* of one of which a part will do */
  ENOUGH_HOME = 2,           /* so many, measured after one, end a while alone */
  ENOUGH_ALONE = 4,          /* refused entries of a size measured, to know what they take */
  MOST_ALONE_NS = 20000000,  /* the same, as long as some size has not been measured yet */
  ALONE_AFTER = 4,           /* entries on the pool before a while alone, */
  ALONE_SHARE = 16,          /* and so many times as long as the last one, */
  ALONE_AFTER_NS = 10000000, /* and so long at first, */
  ALONE_LATER = 4,           /* and then so many times longer, */
  SURE_LATER = 16,           /* and where the pool is believed for long, so many times that */
  MOST_ALONE_AFTER = 2000000000,
  GROWN_SHARE = 4,  /* of what it took the pool when it was last alone, a rise that calls for another while */
  LEAST_JUDGED = 2, /* entries */
  LAST_REFUSED = 4, /* of a rest: after these, it is measured what comes then */
  ROW_NS = 300000,  /* of entries on the pool, before one is typical: threads sleep, data are in another one's cache */
  MOST_STRAY_NS = 50000000, /* unless there are never so many in a row */
  FIRST_TOUCHES = 2048,     /* that are looked at while costs are unknown */
  TOUCH_NS = 16,            /* of work for each touch looked at, which takes a quarter of that, */
  TOUCH_ENTRIES = 16,       /* saved up over so many entries */
  EFFORT_NS = 512,          /* of work for each inequality looked at, which takes some */
  FIRST_EFFORT = 512,       /* inequalities, in some 10 us, as long as nothing is known, */
  MOST_FIRST_EFFORT = 8192, /* or as numbers say how many turns there are, */
  TURNS_A_NS = 4,           /* of which so many take a nanosecond at least: a vector's */
  MOST_EFFORT_THRIFT = 20,
  LEAST_A_THREAD = 4, /* iterations in a run: when threads end at different times, a quarter of their work is lost */
  SURE_GAIN = 3       /* no need for an entry alone where the caller's share says that the pool is so much faster */
};

int64_t
pg_plan_share (int64_t a, int64_t b, int64_t c)
{
  uint64_t small;
  if (!__builtin_mul_overflow ((uint64_t) a, (uint64_t) b, &small))
    return small / (uint64_t) c > INT64_MAX ? INT64_MAX : (int64_t) (small / (uint64_t) c);
  unsigned __int128 value = (unsigned __int128) a * (unsigned __int128) b / (unsigned __int128) c;
  return value > INT64_MAX ? INT64_MAX : (int64_t) value;
}

int64_t
pg_plan_ns (const struct pg_plan *plan, int64_t n_iters)
{
  return pg_plan_share (plan->alone_ps, n_iters, PS_A_NS);
}

int64_t
pg_plan_iters (const struct pg_plan *plan, int64_t ns, int64_t fallback)
{
  if (plan->alone_ps == 0)
    return fallback;
  int64_t iters = pg_plan_share (ns, PS_A_NS, plan->alone_ps);
  return iters < 1 ? 1 : iters;
}

int64_t
pg_plan_team_iters (const struct pg_plan *plan, int64_t ns, int n_threads, int64_t fallback)
{
  int64_t iters = pg_plan_iters (plan, ns * n_threads, fallback), least = (int64_t) LEAST_A_THREAD * n_threads;
  return iters < least ? least : iters;
}

/* COST, an average that three quarters stay of, after N_ITERS iterations in NS.  */
static int64_t
average (int64_t cost, int64_t n_iters, int64_t ns)
{
  int64_t now = pg_plan_share (ns, PS_A_NS, n_iters);
  if (now < 1)
    now = 1;
  return cost == 0 ? now : cost - cost / 4 + now / 4;
}

/* A measurement comes: if *COST was a hint, it is unknown from now on.  */
static void
drop_hint (int64_t *cost, bool *is_hint)
{
  *cost = *is_hint ? 0 : *cost;
  *is_hint = false;
}

/* N_ITERS iterations at COST picoseconds, in nanoseconds that can be added up.  */
static int64_t
cost_ns (int64_t cost, int64_t n_iters)
{
  int64_t ns = pg_plan_share (cost, n_iters, PS_A_NS);
  return ns < LONGEST_NS ? ns : LONGEST_NS;
}

/* NS for N_ITERS iterations that usually take COST each, as far as it may be taken seriously: a thread that had to wait
   for its CPU tells nothing about the pool, unless it happens again and again.  */
static int64_t
usual (int64_t cost, int64_t n_iters, int64_t ns)
{
  int64_t usual_ns = cost_ns (cost, n_iters), most_ns = usual_ns < ROW_NS ? usual_ns + usual_ns / 4 : 2 * usual_ns;
  return cost > 0 && ns > most_ns ? most_ns : ns;
}

/* The size of N_ITERS iterations, as an index.  */
static int
size_of (int64_t n_iters)
{
  return n_iters > 0 ? 63 - __builtin_clzll ((unsigned long long) n_iters) : 0;
}

/* An entry of N_ITERS iterations is refused.  */
static void
learn_quiet (struct pg_plan *plan, int64_t n_iters)
{
  plan->quiet_ns += plan->quiet_ns < ALONE_NS ? cost_ns (plan->alone_ps, n_iters) : 0;
}

/* An entry of N_ITERS iterations comes.  Is it so much larger than all before that what is known of an iteration may
   say little?  They may have inner loops, whose turns have become more, too.  Not so where enough is known to call it
   worth the pool in any case, or something of this size.  */
static bool
is_unsure (struct pg_plan *plan, int64_t n_iters)
{
  int size = size_of (n_iters), n_known = plan->n_known_sizes;
  if (size < n_known)
    return false;
  plan->n_known_sizes = size + 1;
  return n_known > 0 && plan->sizes[size].alone_ps == 0 && plan->sizes[size].pool_ps == 0
	 && pg_plan_ns (plan, n_iters) < SURE_NS;
}

enum pg_choice
pg_plan_choose (struct pg_plan *plan, int64_t n_iters)
{
  struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  int64_t *skip = plan->skip > 0 ? &plan->skip : &size->skip;
  if (*skip > 0)
    {
      --*skip;
      plan->row_ns = 0;
      learn_quiet (plan, n_iters);
      return PG_CHOOSE_ORIGINAL;
    }
  if (is_unsure (plan, n_iters) || plan->alone_ps == 0)
    return PG_CHOOSE_PROBE;
  if (pg_plan_ns (plan, n_iters) >= PG_PLAN_LEAST_NS)
    {
      plan->n_small = 0;
      return plan->is_alone ? PG_CHOOSE_ALONE : PG_CHOOSE_POOL;
    }
  return plan->n_small % SMALL_REPROBE == SMALL_REPROBE - 1 ? PG_CHOOSE_PROBE : PG_CHOOSE_SMALL;
}

/* Are data home, as they are in a while alone, because all entries were refused?  */
static bool
is_quiet (const struct pg_plan *plan)
{
  return plan->quiet_ns >= ALONE_NS / 2;
}

int64_t
pg_plan_host_ns (const struct pg_plan *plan, int64_t n_iters)
{
  const struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  int64_t alone_ps = size->alone_ps > 0 ? size->alone_ps : plan->alone_ps;
  int64_t pool_ps = size->pool_ps > 0 ? size->pool_ps : plan->pool_ps;
  return cost_ns (pool_ps > 0 && pool_ps < alone_ps ? pool_ps : alone_ps, n_iters);
}

int64_t
pg_plan_effort (const struct pg_plan *plan, int64_t n_iters, int64_t n_turns)
{
  int64_t first_ns
    = n_turns / TURNS_A_NS < MOST_FIRST_EFFORT * EFFORT_NS ? n_turns / TURNS_A_NS : MOST_FIRST_EFFORT * EFFORT_NS;
  int64_t ns = plan->alone_ps == 0 ? first_ns : cost_ns (plan->alone_ps, n_iters);
  return ns / EFFORT_NS >> plan->effort_thrift;
}

/* Change THRIFT after an effort that was in vain, unless it HELD.  */
static void
learn_thrift (int *thrift, bool held)
{
  if (held)
    *thrift = 0;
  else
    *thrift += *thrift < MOST_EFFORT_THRIFT;
}

void
pg_plan_learn_effort (struct pg_plan *plan, bool held)
{
  learn_thrift (&plan->effort_thrift, held);
}

int64_t
pg_plan_touches (struct pg_plan *plan, int64_t n_iters)
{
  if (plan->alone_ps == 0)
    return FIRST_TOUCHES;
  int64_t share = cost_ns (plan->alone_ps, n_iters) / TOUCH_NS >> plan->effort_thrift;
  int64_t most = share > INT64_MAX / TOUCH_ENTRIES ? INT64_MAX : share * TOUCH_ENTRIES;
  plan->touches = plan->touches > most - share ? most : plan->touches + share;
  return plan->touches;
}

void
pg_plan_learn_touches (struct pg_plan *plan, int64_t n_touches, bool held)
{
  plan->touches = n_touches > plan->touches ? 0 : plan->touches - n_touches;
  learn_thrift (&plan->effort_thrift, held);
}

int64_t
pg_plan_pieces_effort (const struct pg_plan *plan, int64_t n_iters)
{
  return (plan->alone_ps == 0 ? FIRST_EFFORT : cost_ns (plan->alone_ps, n_iters) / EFFORT_NS) >> plan->pieces_thrift;
}

void
pg_plan_learn_pieces (struct pg_plan *plan, bool are_found)
{
  learn_thrift (&plan->pieces_thrift, are_found);
}

bool
pg_plan_asks (struct pg_plan *plan, int64_t n_iters)
{
  int64_t n = ++plan->n_unseen;
  learn_quiet (plan, n_iters);
  return (n & (n - 1)) == 0 || n % UNSEEN_REPROBE == 0
	 || (is_quiet (plan) && plan->sizes[size_of (n_iters)].n_alone < ENOUGH_ALONE);
}

bool
pg_plan_is_hopeless (const struct pg_plan *plan)
{
  return plan->n_hopeless >= HOPELESS;
}

void
pg_plan_hopeful (struct pg_plan *plan)
{
  plan->n_hopeless = 0;
}

/* One that is measured is lost to the inner loops, but the guard shuts out those that are too small.  */
bool
pg_plan_hopeless (struct pg_plan *plan, int64_t n_iters)
{
  plan->n_hopeless += plan->n_hopeless < MOST_HOPELESS;
  if (!pg_plan_is_hopeless (plan))
    return false;
  if (pg_plan_ns (plan, n_iters) < PG_PLAN_LEAST_NS)
    return true;
  plan->skip = (int64_t) 1 << (plan->n_hopeless - HOPELESS);
  return false;
}

/* As in a while alone, though none was begun: the first one is not needed then.  */
void
pg_plan_learn_refused (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  pg_plan_learn (plan, n_iters, ns);
  if (!is_quiet (plan))
    return;
  drop_hint (&size->alone_ps, &size->alone_is_hint);
  size->alone_ps = average (size->alone_ps, n_iters, ns);
  size->then_ps = 0;
  size->n_alone += size->n_alone < ENOUGH_ALONE;
  if (plan->alone_after_ns == 0)
    plan->alone_after_ns = ALONE_AFTER_NS * ALONE_LATER;
}

void
pg_plan_learn (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  if (n_iters <= 0)
    return;
  int64_t cost = average (0, n_iters, ns);
  plan->seen_ns += ns < LONGEST_NS ? ns : LONGEST_NS;
  plan->seen_iters += n_iters < LONGEST_NS ? n_iters : LONGEST_NS;
  plan->alone_ps = average (0, plan->seen_iters, plan->seen_ns);
  while (plan->seen_ns > MEMORY_NS && plan->seen_iters > MEMORY_ITERS)
    {
      plan->seen_ns /= 2;
      plan->seen_iters /= 2;
    }
  plan->is_growing = plan->latest_ps > 0 && cost > plan->latest_ps + plan->latest_ps / 4;
  plan->latest_ps = cost;
  plan->dearest_ps -= plan->dearest_ps / 4;
  if (plan->dearest_ps < cost)
    plan->dearest_ps = cost;
}

void
pg_plan_learn_warm (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  plan->seen_ns = plan->seen_iters = 0;
  pg_plan_learn (plan, n_iters, ns);
}

void
pg_plan_learn_pool (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  drop_hint (&plan->pool_ps, &plan->pool_is_hint);
  plan->pool_ps = average (plan->pool_ps, n_iters, ns);
  plan->quiet_ns = 0;
}

static void
fill (int64_t *purse_ns, int64_t ns)
{
  *purse_ns += ns;
  if (*purse_ns > LONGEST_NS)
    *purse_ns = LONGEST_NS;
}

/* So much of NS as is worth spending on verdicts about entries of SIZE: all, if the pool halves them, or nobody knows;
   less, if it saves less.  */
static int64_t
worth (const struct pg_plan_size *size, int64_t ns)
{
  if (size->alone_ps == 0 || size->pool_ps == 0)
    return ns;
  int64_t saved_ps = size->alone_ps - size->pool_ps;
  return saved_ps <= 0 ? 0 : saved_ps < size->alone_ps / 2 ? pg_plan_share (ns, saved_ps, size->alone_ps / 2) : ns;
}

/* Put 1/2^THRIFT of what NS for entries of N_ITERS iterations are worth into a PURSE of PLAN.  */
static void
earn (const struct pg_plan *plan, int64_t n_iters, int64_t ns, int thrift, int64_t *purse_ns)
{
  const struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  thrift += size_of (size->skip_next); /* it lost */
  fill (purse_ns, worth (size, ns) >> (thrift < MOST_THRIFT ? thrift : MOST_THRIFT));
}

void
pg_plan_earn (struct pg_plan *plan, int64_t n_iters)
{
  earn (plan, n_iters, cost_ns (plan->alone_ps, n_iters) / EARN_SHARE, plan->thrift + plan->new_thrift,
	&plan->purse_ns);
}

/* What came often will come often again.  */
void
pg_plan_earn_again (struct pg_plan *plan, int64_t n_iters, int n_times)
{
  int64_t ns = cost_ns (plan->alone_ps, n_iters);
  earn (plan, n_iters, pg_plan_share (ns, n_times, n_times + HALF_TIMES), plan->thrift,
	plan->again_ns < YOUNG_NS ? &plan->young_purse_ns : &plan->purse_ns);
  if (n_times == 0 || plan->again_ns >= YOUNG_NS)
    return;
  plan->again_ns += ns;
  if (plan->again_ns < YOUNG_NS)
    return;
  fill (&plan->purse_ns, plan->young_purse_ns);
  plan->young_purse_ns = 0;
}

/* What N_ITERS iterations lose by an inspection of NS and N_THREADS then.  */
static int64_t
loss (const struct pg_plan *plan, int64_t n_iters, int n_threads, int64_t ns)
{
  int64_t pool_ps = plan->pool_ps == 0 ? plan->alone_ps / n_threads : plan->pool_ps;
  return ns + cost_ns (pool_ps, n_iters) - cost_ns (plan->alone_ps, n_iters);
}

/* What has to be in the purse before it is opened for an inspection that loses LOSS_NS: it shall do for all of
   WANTED_ITERS, or as long as little is known about what that costs, for a few.  */
static int64_t
spree_ns (const struct pg_plan *plan, int64_t wanted_iters, int n_threads, int64_t loss_ns)
{
  int64_t most_ns = loss_ns > SPREE_NS ? loss_ns : SPREE_NS;
  int64_t some_ns = loss_ns < most_ns / SPREE ? loss_ns * SPREE : most_ns;
  if (plan->n_inspected < SPREE)
    return some_ns;
  int64_t wanted_ns = loss (plan, wanted_iters, n_threads, cost_ns (plan->warm_inspect_ps, wanted_iters));
  return wanted_ns > some_ns ? wanted_ns : some_ns;
}

/* What an inspection of N_ITERS iterations by N_THREADS is expected to lose.  */
static int64_t
expected_loss (const struct pg_plan *plan, int64_t n_iters, int n_threads)
{
  int64_t ns = cost_ns (plan->inspect_ps, n_iters);
  if (plan->inspect_ps == 0)
    ns = cost_ns (plan->alone_ps, n_iters) * UNKNOWN_INSPECT / n_threads + FIRST_INSPECT_NS;
  return loss (plan, n_iters, n_threads, ns);
}

bool
pg_plan_gains (const struct pg_plan *plan, int64_t n_iters, int n_threads)
{
  return expected_loss (plan, n_iters, n_threads) <= 0;
}

/* Does PLAN's purse hold what has to be in it since an inspection came to nothing?  It may be empty otherwise.  */
static bool
is_filled (const struct pg_plan *plan)
{
  return plan->least_purse_ns == 0 || plan->purse_ns >= plan->least_purse_ns;
}

bool
pg_plan_affords (struct pg_plan *plan, int64_t n_iters, int64_t wanted_iters, int n_threads)
{
  int64_t loss_ns = expected_loss (plan, n_iters, n_threads);
  if (loss_ns <= 0)
    return is_filled (plan);
  if (plan->is_on_spree)
    plan->is_on_spree = loss_ns <= plan->purse_ns + plan->credit_ns;
  else
    {
      int64_t needed_ns = spree_ns (plan, wanted_iters, n_threads, loss_ns);
      plan->is_on_spree = needed_ns <= plan->purse_ns;
      plan->credit_ns = plan->n_inspected < SPREE ? 0 : needed_ns;
    }
  return plan->is_on_spree && is_filled (plan);
}

int64_t
pg_plan_trial (const struct pg_plan *plan, int n_threads)
{
  if (plan->inspect_iters > 0 && plan->inspect_iters < FEW_INSPECTED)
    return FEW_GROWTH * plan->inspect_iters;
  int64_t least = 2 * plan->inspect_iters, loss_ns = loss (plan, least, n_threads, cost_ns (plan->inspect_ps, least));
  if (plan->inspect_ps == 0 || loss_ns <= 0 || plan->purse_ns < plan->least_purse_ns || plan->purse_ns < loss_ns)
    return 0;
  return pg_plan_share (least, plan->purse_ns, loss_ns);
}

bool
pg_plan_pays (const struct pg_plan *plan, int64_t n_iters, int n_threads)
{
  int64_t loss_ns = loss (plan, n_iters, n_threads, cost_ns (plan->inspect_ps, n_iters));
  return plan->n_inspected == SPREE && !plan->has_conflicted
	 && (loss_ns <= 0 || (plan->is_on_spree && loss_ns <= plan->purse_ns));
}

void
pg_plan_pay (struct pg_plan *plan, int64_t ns)
{
  plan->purse_ns -= ns;
}

void
pg_plan_in_pieces (struct pg_plan *plan, int n_pieces)
{
  fill (&plan->pieces_ns, (int64_t) (n_pieces - 1) * PIECE_NS);
}

bool
pg_plan_joins (struct pg_plan *plan, int64_t n_iters, int64_t wanted_iters, int n_threads)
{
  if (plan->pieces_ns == 0 || plan->pieces_ns < cost_ns (plan->inspect_ps, n_iters) || plan->has_conflicted
      || !pg_plan_affords (plan, n_iters, wanted_iters, n_threads))
    return false;
  plan->pieces_ns = 0;
  return true;
}

size_t
pg_plan_new_len (const struct pg_plan *plan, int64_t n_iters)
{
  int64_t ns = cost_ns (plan->alone_ps, n_iters) + (plan->purse_ns > 0 ? plan->purse_ns : 0);
  return (size_t) ns * NEW_BYTES_A_NS;
}

void
pg_plan_inspected (struct pg_plan *plan, int64_t n_iters, int n_threads, int64_t ns, bool has_result, bool is_new)
{
  drop_hint (&plan->inspect_ps, &plan->inspect_is_hint);
  if (has_result && plan->inspect_iters >= FEW_INSPECTED)
    ns = usual (plan->inspect_ps, n_iters, ns);
  int64_t loss_ns = has_result ? loss (plan, n_iters, n_threads, ns) : ns;
  plan->row_ns = 0;
  plan->purse_ns -= loss_ns > 0 ? loss_ns : 0;
  plan->is_on_spree = plan->is_on_spree && plan->purse_ns + plan->credit_ns > loss_ns;
  if (!has_result)
    {
      int64_t purse_ns = plan->purse_ns > LEAST_SHORT_NS ? plan->purse_ns : LEAST_SHORT_NS;
      plan->least_purse_ns = 2 * purse_ns;
      plan->is_scattered = true;
      return;
    }
  plan->least_purse_ns = 0;
  int64_t n_told = 1 + cost_ns (plan->alone_ps, n_iters) / LONG_INSPECT_NS;
  if (n_told > n_iters)
    n_told = n_iters;
  plan->n_inspected = n_told < SPREE - plan->n_inspected ? plan->n_inspected + (int) n_told : SPREE;
  int64_t ps = average (0, n_iters, ns), risen_ps = plan->warm_inspect_ps + plan->warm_inspect_ps / WARM_SHARE;
  plan->warm_inspect_ps = risen_ps > 0 && risen_ps < ps ? risen_ps : ps;
  bool is_larger = plan->inspect_ps > 0 && n_iters / 2 >= plan->inspect_iters;
  if (plan->inspect_ps == 0 || is_larger)
    plan->inspect_iters = n_iters;
  plan->inspect_ps = is_larger ? ps : average (plan->inspect_ps, n_iters, plan->inspect_ps == 0 ? ns / 2 : ns);
  plan->new_thrift += is_new && loss_ns > 0 && plan->new_thrift < MOST_THRIFT;
}

void
pg_plan_conflict (struct pg_plan *plan)
{
  plan->has_conflicted = true;
  plan->thrift = plan->thrift + CONFLICT_THRIFT < MOST_THRIFT ? plan->thrift + CONFLICT_THRIFT : MOST_THRIFT;
}

static int64_t
clamp (int64_t value, int64_t least, int64_t most)
{
  return value < least ? least : value > most ? most : value;
}

void
pg_plan_learn_late (struct pg_plan *plan, int64_t late_ns, bool is_gated)
{
  int64_t *kept_ns = &plan->late_ns[is_gated];
  *kept_ns = clamp (*kept_ns + clamp (late_ns, -LATE_STEP_NS, LATE_STEP_NS), -MOST_LATE_NS, MOST_LATE_NS);
}

int64_t
pg_plan_ahead (const struct pg_plan *plan, int64_t n_iters, int n_threads, bool is_gated)
{
  if (plan->alone_ps == 0)
    return 0;
  int64_t n = plan->late_ns[is_gated] * PS_A_NS / plan->alone_ps;
  return clamp (n, -(n_iters / n_threads / PG_FIRST_SHARE), n_iters / 2);
}

void
pg_plan_changed (struct pg_plan *plan)
{
  plan->thrift += plan->thrift < MOST_THRIFT;
}

int64_t
pg_plan_alone_ns (const struct pg_plan *plan, int64_t n_iters)
{
  return cost_ns (plan->sizes[size_of (n_iters)].alone_ps, n_iters);
}

void
pg_plan_reused (struct pg_plan *plan)
{
  plan->thrift = plan->thrift > REUSED_THRIFT ? plan->thrift - REUSED_THRIFT : 0;
  plan->skip_next /= 2;
  plan->new_thrift = plan->new_thrift > REUSED_THRIFT ? plan->new_thrift - REUSED_THRIFT : 0;
}

void
pg_plan_gained (struct pg_plan *plan, int64_t n_iters, int64_t wall_ns)
{
  int64_t alone_ns = pg_plan_alone_ns (plan, n_iters);
  if (alone_ns > wall_ns)
    fill (&plan->purse_ns, (alone_ns - wall_ns) / GAIN_SHARE);
}

/* Leave entries alone, twice as many each time.  */
static void
rest (int64_t *skip, int64_t *skip_next)
{
  *skip = *skip_next > 0 ? *skip_next : 1;
  *skip_next = *skip * 2 < MOST_SKIPPED ? *skip * 2 : MOST_SKIPPED;
}

/* Is A not faster than B by PERCENT?  */
static bool
is_no_faster (int64_t a, int64_t b, int percent)
{
  return a > b - b / 100 * percent;
}

/* What SIZE takes the pool, and the program because of it.  */
static int64_t
full_pool_ps (const struct pg_plan_size *size)
{
  return size->pool_ps + size->after.charge_ps;
}

/* Is it known for SIZE that the pool wins clearly?  */
static bool
is_sure (const struct pg_plan_size *size)
{
  return size->alone_ps > 0 && size->n_judged >= LEAST_JUDGED
	 && !is_no_faster (full_pool_ps (size), size->alone_ps, SURE_PERCENT);
}

/* Begin a while alone.  */
static void
begin_alone (struct pg_plan *plan)
{
  plan->is_alone = true;
  plan->phase_ns = plan->n_home = 0;
  for (size_t i = 0; i < sizeof plan->sizes / sizeof *plan->sizes; i++)
    pg_after_pause (&plan->sizes[i].after);
}

/* Is there a size of which it is only known what the pool takes?  */
static bool
is_size_missing (const struct pg_plan *plan)
{
  bool is_missing = false;
  for (size_t i = 0; i < sizeof plan->sizes / sizeof *plan->sizes; i++)
    is_missing |= plan->sizes[i].n_judged > 0 && plan->sizes[i].alone_ps == 0;
  return is_missing;
}

/* End it, if it has lasted long enough.  Where entries of SIZE take the pool clearly less, the next comes later.  */
static void
end_alone (struct pg_plan *plan, const struct pg_plan_size *size)
{
  bool is_enough = plan->phase_ns >= ALONE_NS || plan->n_home >= ENOUGH_HOME;
  if (!is_enough || (plan->phase_ns < MOST_ALONE_NS && is_size_missing (plan)))
    return;
  int64_t last_ns = plan->alone_after_ns > 0 ? plan->alone_after_ns : ALONE_AFTER_NS / ALONE_LATER;
  int64_t after_ns = last_ns * ALONE_LATER * (is_sure (size) ? SURE_LATER : 1);
  plan->is_alone = false;
  plan->pooled_ns = plan->n_pooled = 0;
  plan->alone_least_ns = plan->phase_ns * ALONE_SHARE;
  plan->alone_after_ns = after_ns < MOST_ALONE_AFTER ? after_ns : MOST_ALONE_AFTER;
}

/* Is it time for a while alone, by an entry of SIZE?  With a DOUBT, sooner; much later where refused entries have told
   what one would tell.  */
static bool
is_due (const struct pg_plan *plan, const struct pg_plan_size *size, bool doubt)
{
  bool was_told = size->n_alone >= ENOUGH_ALONE && is_sure (size);
  int64_t after_ns = plan->alone_after_ns / (doubt ? ALONE_LATER : 1) * (was_told ? SURE_LATER : 1);
  return plan->n_pooled >= ALONE_AFTER && plan->pooled_ns >= after_ns && plan->pooled_ns >= plan->alone_least_ns;
}

/* Is what SIZE takes alone out of date?  The pool takes clearly more than it did then: an iteration's inner loops may
   have more turns from entry to entry.  */
static bool
has_grown (const struct pg_plan_size *size)
{
  return size->then_ps > 0 && size->pool_ps - size->then_ps > size->then_ps / GROWN_SHARE;
}

/* Pass judgement on the pool by what PLAN knows about SIZE.  */
static void
judge (struct pg_plan *plan, struct pg_plan_size *size)
{
  if (size->alone_ps == 0 || size->n_judged < LEAST_JUDGED)
    return;
  size->then_ps = size->then_ps > 0 ? size->then_ps : size->pool_ps;
  if (!is_no_faster (full_pool_ps (size), size->alone_ps, CLEAR_PERCENT))
    size->skip_next /= 2;
  else if (!is_no_faster (full_pool_ps (size), size->alone_ps, MARGIN_PERCENT))
    return;
  else if (is_due (plan, size, true) || has_grown (size))
    begin_alone (plan); /* times may have changed */
  else
    {
      rest (&size->skip, &size->skip_next);
      size->pool_ps = size->n_judged = 0;
      pg_after_pause (&size->after);
    }
}

void
pg_plan_learn_alone (struct pg_plan *plan, int64_t n_iters, int64_t ns, bool is_sample)
{
  struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  bool is_late = plan->phase_ns + ns >= ALONE_NS / 2 && (plan->phase_ns > 0 || ns >= 2 * ALONE_NS);
  bool is_home = is_sample || (ns >= LONG_ALONE_NS && plan->phase_ns >= ns / 2);
  pg_plan_learn (plan, n_iters, ns);
  plan->phase_ns += ns;
  plan->n_home += is_home;
  if (!is_late && !is_home)
    return;
  plan->left.n_iters = is_sample ? 0 : n_iters; /* the data are not home */
  plan->left.was_alone = true;
  drop_hint (&size->alone_ps, &size->alone_is_hint);
  size->alone_ps = average (size->alone_ps, n_iters, ns);
  size->then_ps = 0;
  end_alone (plan, size);
  if (!plan->is_alone)
    judge (plan, size);
}

/* Are N iterations most of N_ITERS?  */
static bool
is_most (int64_t n, int64_t n_iters)
{
  return n > n_iters / 2;
}

/* Does an entry of SIZE that took the pool WALL_NS say what others will take?  */
static bool
is_typical (struct pg_plan *plan, struct pg_plan_size *size, int64_t wall_ns)
{
  bool is_stray = plan->row_ns < ROW_NS && wall_ns < ROW_NS && size->stray_ns < MOST_STRAY_NS;
  plan->row_ns += plan->row_ns < ROW_NS ? wall_ns : 0;
  if (plan->row_ns >= ROW_NS)
    size->stray_ns = 0;
  else
    size->stray_ns += is_stray ? wall_ns : 0;
  return !is_stray;
}

void
pg_plan_judge (struct pg_plan *plan, int64_t n_iters, int64_t n_pooled, int64_t wall_ns, int64_t caller_ns)
{
  struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  if (!is_most (n_pooled, n_iters) || !is_typical (plan, size, wall_ns))
    return;
  drop_hint (&size->pool_ps, &size->pool_is_hint);
  /* The first entry finds memory that is new, or in another one's cache.  */
  if (size->n_judged == 1 && wall_ns < cost_ns (size->pool_ps, n_pooled))
    size->pool_ps = 0;
  size->pool_ps = average (size->pool_ps, n_pooled, usual (size->pool_ps, n_pooled, wall_ns));
  size->n_judged += size->n_judged < LEAST_JUDGED;
  plan->left.n_iters = n_iters;
  plan->n_pooled++;
  plan->pooled_ns += wall_ns < LONGEST_NS ? wall_ns : LONGEST_NS;
  if (plan->pooled_ns > LONGEST_NS)
    plan->pooled_ns = LONGEST_NS;
  bool is_slow = caller_ns > 0 && is_no_faster (wall_ns, caller_ns, MARGIN_PERCENT) && !is_sure (size);
  bool is_unknown = size->alone_ps == 0 && size->n_judged == LEAST_JUDGED;
  bool is_much_faster = caller_ns / SURE_GAIN >= wall_ns;
  if (!is_much_faster && is_due (plan, size, is_slow || is_unknown))
    begin_alone (plan);
  else
    judge (plan, size);
}

void
pg_plan_leave (struct pg_plan *plan, int64_t ns)
{
  plan->left.ns = ns;
}

/* PLAN has left an entry, or is going to, and the next one begins at NS.  */
static void
learn_after (struct pg_plan *plan, int64_t ns)
{
  int64_t n_iters = plan->left.n_iters, passed_ns = ns - plan->left.ns;
  struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  int64_t entry_ps = size->alone_ps > 0 ? size->alone_ps : plan->alone_ps;
  if (plan->left.was_refused)
    passed_ns -= cost_ns (entry_ps, n_iters);
  int64_t ps = passed_ns > 0 ? pg_plan_share (passed_ns, PS_A_NS, n_iters) : 0;
  if (plan->left.was_alone || plan->left.was_refused)
    pg_after_alone (&size->after, ps, entry_ps);
  else
    pg_after_pool (&size->after, ps, entry_ps);
}

void
pg_plan_begin (struct pg_plan *plan, int64_t ns)
{
  if (plan->left.n_iters > 0 && ns != 0)
    learn_after (plan, ns);
  memset (&plan->left, 0, sizeof plan->left);
}

bool
pg_plan_samples (const struct pg_plan *plan, int64_t n_iters)
{
  return pg_plan_ns (plan, n_iters) >= LONG_SAMPLED_NS;
}

bool
pg_plan_wants_begin (const struct pg_plan *plan, int64_t n_iters)
{
  const struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  return size->after.pool_ps > 0 && size->alone_ps > 0 && size->skip < LAST_REFUSED && is_quiet (plan);
}

void
pg_plan_refuse (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  pg_plan_begin (plan, ns);
  if (ns == 0)
    return;
  plan->left.n_iters = n_iters;
  plan->left.ns = ns;
  plan->left.was_refused = true;
}

void
pg_plan_back_off (struct pg_plan *plan)
{
  rest (&plan->skip, &plan->skip_next);
}

int64_t
pg_plan_first_part (struct pg_plan *plan)
{
  plan->part_ns = clamp (plan->part_ns, PG_PLAN_PART_NS, PART_GROWTH * PG_PLAN_PART_NS);
  return plan->part_ns;
}

int64_t
pg_plan_next_part (struct pg_plan *plan, bool has_won)
{
  plan->part_ns
    = has_won ? clamp (PART_GROWTH * plan->part_ns, PG_PLAN_PART_NS, PG_PLAN_MOST_PART_NS) : PG_PLAN_PART_NS;
  return plan->part_ns;
}

void
pg_plan_learn_parts (struct pg_plan *plan, int64_t n_iters, int64_t n_pooled, int64_t pool_ns, int64_t alone_ns)
{
  struct pg_plan_size *size = &plan->sizes[size_of (n_iters)];
  if (!is_most (n_pooled, n_iters) && pool_ns > alone_ns)
    rest (&size->skip, &size->skip_next);
}

void
pg_plan_searched (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  int64_t most_ns = cost_ns (plan->alone_ps, n_iters) / SEARCH_SHARE;
  plan->is_dear = ns > most_ns;
  plan->row_ns = 0;
  plan->searched_ns += ns - most_ns;
  if (plan->searched_ns < 0)
    plan->searched_ns = 0;
  if (plan->searched_ns <= MOST_SEARCHED_NS)
    return;
  plan->searched_ns = 0;
  pg_plan_back_off (plan);
}

int64_t
pg_plan_raise (struct pg_plan *plan, int64_t threshold, bool may_grow)
{
  plan->n_small++;
  if (plan->n_small < SMALL_IN_A_ROW || plan->dearest_ps == 0
      || (may_grow && (plan->is_growing || plan->n_small < SMALL_REPROBE)))
    return threshold;
  int64_t needed = pg_plan_share (PG_PLAN_LEAST_NS, PS_A_NS, plan->dearest_ps);
  int64_t most = pg_plan_share (threshold > 1 ? threshold : 1, LARGEST_STEP, 1);
  int64_t raised = needed < most ? needed : most;
  if (raised <= threshold)
    return threshold;
  plan->n_small = 0;
  return raised;
}
