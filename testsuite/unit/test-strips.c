/* SPDX-License-Identifier: MIT
   Strips: what is ordered is done in the order of iterations, and only where nothing else touches it.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "pick.h"

#include <sched.h>
#include <string.h>

enum
{
  N_CELLS = 6000,
  MOST_ITERS = 300
};

/* for (i < n)
     {
       for (j <= last)  t[i * row] = 3 * t[i * row] + x[i + j];
       for (j <= more)  y[j * turn] = 5 * y[j * turn] + t[i * row];
     }
   with all three in one array of cells.  The second loop is ordered.  */
struct rows_args
{
  int64_t *t, *x, *y;
  int64_t row, turn, last, more;
};

static _Atomic int n_free, n_ordered;
static _Atomic int64_t next_ordered;

static void
add_row (const struct rows_args *p, int64_t i)
{
  for (int64_t j = 0; j <= p->last; j++)
    p->t[i * p->row] = 3 * p->t[i * p->row] + p->x[i + j];
}

static void
add_to_y (const struct rows_args *p, int64_t sum)
{
  for (int64_t j = 0; j <= p->more; j++)
    p->y[j * p->turn] = 5 * p->y[j * p->turn] + sum;
}

static int64_t
rows_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  const struct rows_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      add_row (p, i);
      add_to_y (p, p->t[i * p->row]);
    }
  return 0;
}

/* Hands the sum on, and not only by memory that both parts know.  */
static int64_t
rows_free (void *args, int64_t lo, int64_t hi, void *ctx)
{
  const struct rows_args *p = args;
  for (int64_t i = lo; i < hi; i++)
    {
      add_row (p, i);
      memcpy ((char *) ctx + (i - lo) * PG_ORDERED_LEN + 8, &p->t[i * p->row], sizeof (int64_t));
    }
  if (lo % 4 == 0)
    sched_yield ();
  atomic_fetch_add (&n_free, 1);
  return 0;
}

static int64_t
rows_ordered (void *args, int64_t lo, int64_t hi, void *ctx)
{
  for (int64_t i = lo; i < hi; i++)
    {
      int64_t sum;
      memcpy (&sum, (char *) ctx + (i - lo) * PG_ORDERED_LEN + 8, sizeof sum);
      add_to_y (args, sum);
    }
  assert_int_equal (atomic_exchange (&next_ordered, hi), lo);
  atomic_fetch_add (&n_ordered, 1);
  return 0;
}

#define SIGNED(member)                                                                                           \
  {                                                                                                              \
    .op = PG_NODE_ARG, .size = 8, .is_signed = 1, .value = offsetof (struct rows_args, member), .a = -1, .b = -1 \
  }
#define TIMES_8(node)                    \
  {                                      \
    .op = PG_NODE_MUL, .a = 0, .b = node \
  }

static const struct pg_node rows_nodes[]
  = { CONSTANT (8), ARG (rows_args, t), ARG (rows_args, x), ARG (rows_args, y), SIGNED (row),
      TIMES_8 (4),  SIGNED (turn),      TIMES_8 (6),        SIGNED (last),      SIGNED (more) };
static const struct pg_dim rows_dims[] = { { .parent = -1, .last = LINEAR (-1, -1) },
					   { .parent = 0, .last = LINEAR (8, -1) },
					   { .parent = 0, .last = LINEAR (9, -1) } };
#define REF(base_node, row_node, turn_1, turn_2, in, kind, number)                         \
  {                                                                                        \
    .address = { base_node, { row_node, turn_1, turn_2, -1, -1, -1, -1, -1 } }, .dim = in, \
    .flags = (kind) | PG_REF_AFFINE, .group = number, .len = 8                             \
  }
static const struct pg_ref rows_refs[]
  = { REF (1, 5, -1, -1, 1, PG_REF_READ | PG_REF_WRITE, 0), REF (2, 0, 0, -1, 1, PG_REF_READ, 1),
      REF (1, 5, -1, -1, 2, PG_REF_READ, 0), REF (3, -1, -1, 7, 2, PG_REF_READ | PG_REF_WRITE | PG_REF_OWN, 2) };

static struct pg_descriptor *
a_rows_region (void)
{
  return a_new_region ((struct pg_region) { .file = "src/loops.c",
					    .function = "rows",
					    .line = 90,
					    .frame_len = 256,
					    .klass = PG_CLASS_POSSIBLY,
					    .reason = PG_WHY_ORDERED,
					    .flags = PG_REGION_ALL_AFFINE | PG_REGION_SLICE_STABLE,
					    .body = rows_body,
					    .free_part = rows_free,
					    .ordered_part = rows_ordered,
					    .args_len = sizeof (struct rows_args),
					    TABLE (nodes, rows_nodes),
					    TABLE (dims, rows_dims),
					    TABLE (refs, rows_refs) });
}

/* Arrays that are apart, or that overlap now and then.  */
static struct rows_args
pick_args (int64_t n)
{
  static const int64_t rows[] = { 1, 1, 1, 2, -1, 3, 0 };
  int64_t row = rows[pick (0, 6)], turn = pick (0, 4) == 0 ? pick (-2, 2) : 1;
  return (struct rows_args) { .t = a + 1000 + (row < 0 ? n : 0) + (pick (0, 7) == 0 ? pick (0, 900) : 0),
			      .x = a + 2000 + (pick (0, 7) == 0 ? pick (-600, 600) : 0),
			      .y = a + 4000 + (pick (0, 7) == 0 ? pick (-2500, 100) : 0),
			      .row = row,
			      .turn = turn,
			      .last = pick (0, 9) == 0 ? pick (-2, 1) : pick (1, 20),
			      .more = pick (-1, 60) };
}

/* Run ARGS on the pool and compare.  Whether strips ran.  */
static bool
check_rows (struct pg_descriptor *region, struct rows_args args, int64_t n)
{
  static int64_t before[N_CELLS], expected[N_CELLS];
  struct rows_args serial = args;
  for (int i = 0; i < N_CELLS; i++)
    a[i] = i * 7919 % 1009;
  memcpy (before, a, sizeof before);
  rows_body (&serial, 0, n, NULL);
  memcpy (expected, a, sizeof expected);
  memcpy (a, before, sizeof before);
  atomic_store (&n_free, 0);
  atomic_store (&n_ordered, 0);
  atomic_store (&next_ordered, 0);
  if (__paragon_enter_v1 (region, &args, n) != 1)
    rows_body (&args, 0, n, NULL);
  assert_memory_equal (a, expected, sizeof expected);
  assert_int_equal (atomic_load (&n_free), atomic_load (&n_ordered));
  return atomic_load (&n_free) > 0;
}

static void
order_is_kept (void **state)
{
  struct pg_descriptor *region = a_rows_region ();
  int n_ran = 0;
  (void) state;
  for (int round = 0; round < 3000; round++)
    {
      int64_t n = pick (2, MOST_ITERS);
      n_ran += check_rows (region, pick_args (n), n);
    }
  assert_in_range (n_ran, 1000, 2500);
  assert_int_equal (row_of (region)->n_doacross, n_ran);
}

static struct rows_args
three_arrays (void)
{
  return (struct rows_args) { a + 1000, a + 2000, a + 4000, 1, 1, 10, 50 };
}

static void
one_thread_and_many (void **state)
{
  struct pg_descriptor *region = a_rows_region ();
  (void) state;
  for (int n_threads = 1; n_threads <= 9; n_threads += 2)
    {
      force_pool (n_threads);
      for (int n = 2; n < 100; n++)
	assert_true (check_rows (region, three_arrays (), n));
    }
}

/* What is ordered must have nothing in common with anything else, not even in the same iteration.  */
static void
ordered_groups_are_apart (void **state)
{
  struct pg_descriptor *region = a_rows_region ();
  struct rows_args args = three_arrays ();
  (void) state;
  assert_true (check_rows (region, args, 50));
  args.y = args.x + 40;
  assert_false (check_rows (region, args, 50));
  args.y = args.t + 49;
  assert_false (check_rows (region, args, 50));
  args.y = args.t + 50;
  assert_true (check_rows (region, args, 50));
  args.row = 0;
  assert_false (check_rows (region, args, 50));
}

/* Where the loops inside are free, they run in parallel, not this one.  */
static void
free_loops_inside_are_better (void **state)
{
  struct pg_descriptor *region = a_rows_region ();
  struct rows_args args = three_arrays ();
  (void) state;
  args.last = 0;
  assert_false (check_rows (region, args, 50));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (order_is_kept, set_up),
    cmocka_unit_test_setup (one_thread_and_many, set_up),
    cmocka_unit_test_setup (ordered_groups_are_apart, set_up),
    cmocka_unit_test_setup (free_loops_inside_are_better, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
