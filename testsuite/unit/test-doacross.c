/* SPDX-License-Identifier: MIT
   Doacross: whatever iterations need of earlier ones, they find it.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "pick.h"

#include <string.h>

enum
{
  N_CELLS = 4000,
  MIDDLE = N_CELLS / 2,
  ROWS = 40
};

/* for (i < n)
     {
       cell[end] += i;
       for (j <= from + grow * i) cell[write] = 3 * cell[read] + cell[other] + i;
       for (j <= more) cell[again] ^= cell[read_again];
     }
   where each place is a linear function of i and j.  */
struct place
{
  int64_t start, row, turn;
};

struct step_args
{
  int64_t *cells;
  struct place end, write, read, other, again, read_again;
  int64_t from, grow, more;
  int64_t left; /* a live-out */
};

static _Atomic int n_asked;

static int64_t *
cell (const struct step_args *p, const struct place *place, int64_t i, int64_t j)
{
  return &p->cells[place->start + place->row * i + place->turn * j];
}

/* Where the next turn is to be asked for, if TURN is the limit.  */
static int64_t
ask (struct pg_doacross *doacross, int64_t dim, int64_t turn, int64_t limit)
{
  if (doacross == NULL || turn < limit)
    return limit;
  atomic_fetch_add (&n_asked, 1);
  return doacross->pass (doacross, dim, turn);
}

static int64_t
step_doacross (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct step_args *p = args;
  for (int64_t i = lo; i < hi; i++)
    {
      int64_t limit = 0;
      *cell (p, &p->end, i, 0) += i;
      for (int64_t j = 0; j <= p->from + p->grow * i; j++)
	{
	  limit = ask (ctx, 1, j, limit);
	  *cell (p, &p->write, i, j) = 3 * *cell (p, &p->read, i, j) + *cell (p, &p->other, i, j) + i;
	}
      if (p->from + p->grow * i >= 0)
	ask (ctx, 1, INT64_MAX, limit);
      limit = 0;
      for (int64_t j = 0; j <= p->more; j++)
	{
	  limit = ask (ctx, 2, j, limit);
	  *cell (p, &p->again, i, j) ^= *cell (p, &p->read_again, i, j);
	}
      ask (ctx, 2, INT64_MAX, limit);
      p->left = 7 * i;
    }
  return 0;
}

static int64_t
step_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) ctx;
  return step_doacross (args, lo, hi, NULL);
}

/* Nodes of a member of a place in bytes: the number, 8 times it, and for a start, that behind the cells.  */
#define SIGNED(member)                                                                                           \
  {                                                                                                              \
    .op = PG_NODE_ARG, .size = 8, .is_signed = 1, .value = offsetof (struct step_args, member), .a = -1, .b = -1 \
  }
#define TIMES_8(node)                    \
  {                                      \
    .op = PG_NODE_MUL, .a = 0, .b = node \
  }
#define BEHIND_CELLS(node)               \
  {                                      \
    .op = PG_NODE_ADD, .a = 1, .b = node \
  }
#define PLACE(at, member)                                                                            \
  SIGNED (member.start), TIMES_8 (at), BEHIND_CELLS (at + 1), SIGNED (member.row), TIMES_8 (at + 3), \
    SIGNED (member.turn), TIMES_8 (at + 5)
enum
{
  END = 2,
  WRITE = 9,
  READ = 16,
  OTHER = 23,
  AGAIN = 30,
  READ_AGAIN = 37,
  FROM = 44
};

static const struct pg_node step_nodes[]
  = { CONSTANT (8),       ARG (step_args, cells), PLACE (END, end),     PLACE (WRITE, write),
      PLACE (READ, read), PLACE (OTHER, other),   PLACE (AGAIN, again), PLACE (READ_AGAIN, read_again),
      SIGNED (from),      SIGNED (grow),          SIGNED (more) };
static const struct pg_dim step_dims[] = { { .parent = -1, .last = LINEAR (-1, -1) },
					   { .parent = 0, .last = LINEAR (FROM, FROM + 1) },
					   { .parent = 0, .last = LINEAR (FROM + 2, -1) } };
#define REF(at, which, kind)                                                                                   \
  {                                                                                                            \
    .address = { at + 2, { at + 4, which == 1 ? at + 6 : -1, which == 2 ? at + 6 : -1, -1, -1, -1, -1, -1 } }, \
    .dim = which, .flags = kind | PG_REF_AFFINE, .group = 0, .len = 8                                          \
  }
static const struct pg_ref step_refs[] = { REF (END, 0, PG_REF_READ | PG_REF_WRITE),
					   REF (WRITE, 1, PG_REF_WRITE),
					   REF (READ, 1, PG_REF_READ),
					   REF (OTHER, 1, PG_REF_READ),
					   REF (AGAIN, 2, PG_REF_READ | PG_REF_WRITE),
					   REF (READ_AGAIN, 2, PG_REF_READ) };
static const struct pg_field step_live_outs[] = { { .offset = offsetof (struct step_args, left), .len = 8 } };

static struct pg_descriptor *
a_step_region (void)
{
  return a_new_region ((struct pg_region) { .file = "src/loops.c",
					    .function = "step",
					    .line = 80,
					    .frame_len = 256,
					    .klass = PG_CLASS_POSSIBLY,
					    .reason = PG_WHY_DISTANCE,
					    .flags = PG_REGION_ALL_AFFINE,
					    .body = step_body,
					    .doacross = step_doacross,
					    .args_len = sizeof (struct step_args),
					    TABLE (nodes, step_nodes),
					    TABLE (dims, step_dims),
					    TABLE (refs, step_refs),
					    TABLE (live_outs, step_live_outs) });
}

static struct place
pick_place (void)
{
  static const int64_t rows[] = { 0, 1, -1, 8, 8, 8, 8, -8, -8, 12, 3 };
  return (struct place) { MIDDLE + pick (-30, 30), rows[pick (0, 10)], pick (0, 5) == 0 ? pick (-9, 9) : pick (0, 1) };
}

static struct step_args
pick_args (void)
{
  struct place write = pick_place (), read = write, other = write;
  read.start += pick (-30, 30);
  other.start += pick (-10, 10);
  return (struct step_args) { .cells = a,
			      .end = pick_place (),
			      .write = write,
			      .read = pick (0, 3) > 0 ? read : pick_place (),
			      .other = pick (0, 3) > 0 ? other : pick_place (),
			      .again = pick_place (),
			      .read_again = pick_place (),
			      .from = pick (-3, 25),
			      .grow = pick (0, 2) > 0 ? 0 : pick (-1, 1),
			      .more = pick (0, 12) };
}

/* Run ARGS on the pool and compare.  Whether that was a doacross.  */
static bool
check_step (struct pg_descriptor *region, struct step_args args, int64_t n)
{
  static int64_t before[N_CELLS], expected[N_CELLS];
  struct step_args serial = args;
  for (int i = 0; i < N_CELLS; i++)
    a[i] = i * 7919 % 1009;
  memcpy (before, a, sizeof before);
  step_body (&serial, 0, n, NULL);
  memcpy (expected, a, sizeof expected);
  memcpy (a, before, sizeof before);
  atomic_store (&n_asked, 0);
  if (__paragon_enter_v1 (region, &args, n) != 1)
    step_body (&args, 0, n, NULL);
  assert_memory_equal (a, expected, sizeof expected);
  assert_int_equal (args.left, serial.left);
  return atomic_load (&n_asked) > 0;
}

static void
iterations_find_what_they_need (void **state)
{
  struct pg_descriptor *region = a_step_region ();
  int n_doacross = 0;
  (void) state;
  for (int round = 0; round < 3000; round++)
    n_doacross += check_step (region, pick_args (), pick (2, ROWS));
  assert_true (n_doacross > 1000);
  assert_int_equal (row_of (region)->n_doacross, n_doacross);
}

static void
forced_conflicts_change_nothing (void **state)
{
  struct pg_descriptor *region = a_step_region ();
  (void) state;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_EVERY;
  for (int round = 0; round < 300; round++)
    {
      pg_environment.inject_number = 1 + round % 11;
      check_step (region, pick_args (), pick (2, ROWS));
    }
  assert_true (row_of (region)->n_conflicts > 0);
}

/* a[i][j] = 3 * a[i-1][j+1] + a[i][j-1] + i  */
static struct step_args
a_sweep (void)
{
  struct place here = { 100, 50, 1 }, above = { 100 - 49, 50, 1 }, left = { 99, 50, 1 }, away = { 0, 0, 0 };
  return (struct step_args) { a, away, here, above, left, { 4, 0, 0 }, { 5, 0, 0 }, 47, 0, 0, 0 };
}

static void
one_thread_and_many (void **state)
{
  struct pg_descriptor *region = a_step_region ();
  (void) state;
  for (int n_threads = 1; n_threads <= 9; n_threads += 2)
    {
      force_pool (n_threads);
      for (int n = 2; n < ROWS; n++)
	assert_true (check_step (region, a_sweep (), n));
    }
}

/* Where the loops inside are free, they run in parallel, not this one.  */
static void
free_loops_inside_are_better (void **state)
{
  struct pg_descriptor *region = a_step_region ();
  struct step_args args = a_sweep ();
  (void) state;
  args.other = args.read;
  args.again = (struct place) { 3000, 0, 1 };
  args.read_again = (struct place) { 3500, 0, 1 };
  args.more = 20;
  assert_false (check_step (region, args, ROWS));
  assert_int_equal (row_of (region)->n_statuses[PG_CONFLICT], 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (iterations_find_what_they_need, set_up),
    cmocka_unit_test_setup (forced_conflicts_change_nothing, set_up),
    cmocka_unit_test_setup (one_thread_and_many, set_up),
    cmocka_unit_test_setup (free_loops_inside_are_better, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
