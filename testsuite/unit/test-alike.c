/* SPDX-License-Identifier: MIT
   One iteration tells of all: what is apart once it is moved on, what a work array is, what is kept, what is too
   much.  */
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alike.h"
#include "work-arrays.h"

enum
{
  READ,      /* moves by STEP */
  WRITE,     /* moves by STEP, of another group */
  FIXED,     /* read without a step */
  WORK_READ, /* of a work array */
  WORK_WRITE,
  OTHER, /* written, moves by another step */
  AGAIN, /* written without a step */
  ALSO,  /* read, of the array that WRITE is to */
  N_REFS,
  N_NODES = 2,
  MANY = 1 << 20
};

static _Alignas(4096) char memory[1 << 16];
static char table[64], work[20000];
static const struct pg_ref refs[N_REFS] = {
  [READ] = { .flags = PG_REF_READ, .len = 8, .group = 0, .address = { -1, { 0 } } },
  [WRITE] = { .flags = PG_REF_WRITE, .len = 8, .group = 1, .address = { -1, { 0 } } },
  [FIXED] = { .flags = PG_REF_READ, .len = 8, .group = 2, .address = { -1, { -1 } } },
  [WORK_READ] = { .flags = PG_REF_READ, .len = 8, .group = 3, .address = { -1, { -1 } } },
  [WORK_WRITE] = { .flags = PG_REF_WRITE, .len = 8, .group = 3, .address = { -1, { -1 } } },
  [OTHER] = { .flags = PG_REF_WRITE, .len = 8, .group = 4, .address = { -1, { 1 } } },
  [AGAIN] = { .flags = PG_REF_WRITE, .len = 8, .group = 5, .address = { -1, { -1 } } },
  [ALSO] = { .flags = PG_REF_READ, .len = 8, .group = 1, .address = { -1, { 0 } } },
};
static const struct pg_work_array work_array = { .group = 3 };
static const struct pg_field live_in = { 0, 8 };
static struct pg_region region = { .file = "a.c",
				   .flags = PG_REGION_ALIKE,
				   .n_refs = N_REFS,
				   .refs = refs,
				   .n_work_arrays = 1,
				   .work_arrays = &work_array,
				   .n_live_ins = 1,
				   .live_ins = &live_in,
				   .n_dims = 1,
				   .n_nodes = N_NODES };
static struct pg_number nodes[N_NODES] = { { 0, true }, { 16, true } };
static struct pg_place places[N_REFS];
static int64_t args[2];

/* What a monitor's iteration does: touches of LEN bytes, the end marked by a LEN of 0.  */
struct script
{
  int ref;
  void *address;
  int64_t len;
};
static const struct script *script;
static int n_runs;

static int64_t
run_script (void *given, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  assert_ptr_equal (given, args);
  assert_int_equal (lo, 0);
  assert_int_equal (hi, 1);
  n_runs++;
  errno = EDOM;
  feraiseexcept (FE_OVERFLOW);
  for (const struct script *s = script; s->len != 0; s++)
    monitor->touch (monitor, s->ref, s->address, s->len);
  return 0;
}

static enum pg_l1
ask (struct pg_alike **alike, const struct script *s, int64_t step, int64_t n_iters, int64_t most, struct pg_view *view)
{
  script = s;
  region.monitor = run_script;
  nodes[0] = (struct pg_number) { step, true };
  *view = (struct pg_view) { .region = &region, .args = args, .n_iters = n_iters, .nodes = nodes, .places = places };
  return pg_alike_check (alike, view, most);
}

/* What SCRIPT tells about 10 iterations STEP bytes apart.  */
static enum pg_l1
tell (const struct script *s, int64_t step)
{
  struct pg_alike *alike = NULL;
  struct pg_view view;
  return ask (&alike, s, step, 10, MANY, &view);
}

static void
rows_are_apart_if_a_step_is_as_long (void **state)
{
  (void) state;
  static const struct script s[]
    = { { WRITE, memory + 30000, 8 }, { READ, memory + 30016, 8 }, { WRITE, memory + 30008, 8 }, { 0 } };
  assert_int_equal (tell (s, 24), PG_L1_CLEAN);
  assert_int_equal (tell (s, -24), PG_L1_CLEAN);
  assert_int_equal (tell (s, 23), PG_L1_UNSETTLED);
  assert_int_equal (tell (s, -16), PG_L1_UNSETTLED);
  assert_int_equal (tell (s, 8), PG_L1_UNSETTLED);
}

static void
columns_are_apart_if_there_are_no_more_of_them_than_a_row_is_long (void **state)
{
  (void) state;
  static const struct script fits[]
    = { { WRITE, memory, 8 }, { WRITE, memory + 80, 8 }, { WRITE, memory + 240, 8 }, { 0 } };
  static const struct script meets[] = { { WRITE, memory, 8 }, { WRITE, memory + 72, 8 }, { 0 } };
  static const struct script read[]
    = { { READ, memory, 8 }, { READ, memory + 8, 8 }, { WRITE, memory + 1000, 8 }, { 0 } };
  static const struct script behind[] = { { READ, memory + 8, 8 }, { WRITE, memory, 8 }, { 0 } };
  static const struct script other[]
    = { { READ, memory + 4000, 8 }, { WRITE, memory, 8 }, { WRITE, memory + 80, 8 }, { 0 } };
  assert_int_equal (tell (fits, 8), PG_L1_DISJOINT);
  assert_int_equal (tell (fits, -8), PG_L1_DISJOINT);
  assert_int_equal (tell (meets, 8), PG_L1_UNSETTLED);
  assert_int_equal (tell (read, 8), PG_L1_DISJOINT);
  assert_int_equal (tell (behind, 8), PG_L1_UNSETTLED);
  assert_int_equal (tell (other, 8), PG_L1_DISJOINT);
}

/* All in one page, and no byte is new to it but for being written.  */
static void
what_was_read_may_be_written_later (void **state)
{
  (void) state;
  static const struct script s[]
    = { { WRITE, memory + 400, 8 }, { ALSO, memory + 8, 8 }, { WRITE, memory + 8, 8 }, { ALSO, memory, 8 }, { 0 } };
  assert_int_equal (tell (s, 8), PG_L1_UNSETTLED);
  assert_int_equal (tell (s + 3, 8), PG_L1_DISJOINT);
}

static void
what_moves_otherwise_is_apart_as_a_whole (void **state)
{
  (void) state;
  static const struct script apart[] = { { WRITE, memory, 8 }, { OTHER, memory + 80, 8 }, { FIXED, table, 8 }, { 0 } };
  static const struct script meets[] = { { WRITE, memory, 8 }, { OTHER, memory + 79, 8 }, { 0 } };
  static const struct script fixed[] = { { WRITE, memory, 8 }, { FIXED, memory + 76, 8 }, { 0 } };
  static const struct script again[] = { { AGAIN, table, 8 }, { 0 } };
  assert_int_equal (tell (apart, 8), PG_L1_DISJOINT);
  assert_int_equal (tell (meets, 8), PG_L1_UNSETTLED);
  assert_int_equal (tell (fixed, 8), PG_L1_UNSETTLED);
  assert_int_equal (tell (again, 8), PG_L1_CONFLICT);
  nodes[1].known = false;
  assert_int_equal (tell (apart, 8), PG_L1_UNSETTLED);
  nodes[1].known = true;
}

static void
work_arrays_are_written_before_they_are_read (void **state)
{
  (void) state;
  static const struct script first[]
    = { { WORK_WRITE, work + 1, 4094 }, { WORK_WRITE, work + 4095, 9 }, { WORK_READ, work + 1, 4103 }, { 0 } };
  static const struct script behind[] = { { WORK_WRITE, work, 16 }, { WORK_READ, work + 9, 8 }, { 0 } };
  static const struct script before[] = { { WORK_WRITE, work + 1, 16 }, { WORK_READ, work, 8 }, { 0 } };
  static const struct script early[] = { { WORK_READ, work, 8 }, { WORK_WRITE, work, 8 }, { 0 } };
  static const struct script meets[] = { { WORK_WRITE, memory, 8 }, { READ, memory, 8 }, { 0 } };
  assert_int_equal (tell (first, 8), PG_L1_DISJOINT);
  assert_int_equal (tell (behind, 8), PG_L1_CONFLICT);
  assert_int_equal (tell (before, 8), PG_L1_CONFLICT);
  assert_int_equal (tell (early, 8), PG_L1_CONFLICT);
  assert_int_equal (tell (meets, 8), PG_L1_UNSETTLED);
}

static void
how_far_a_work_array_goes_is_told (void **state)
{
  (void) state;
  static const struct script s[] = { { WORK_WRITE, work + 5000, 8 },
				     { WORK_WRITE, work + 90, 4 },
				     { WORK_READ, work + 91, 2 },
				     { WRITE, memory, 8 },
				     { 0 } };
  struct pg_alike *alike = NULL;
  struct pg_view view;
  int64_t low, end;
  assert_int_equal (ask (&alike, s, 8, 10, MANY, &view), PG_L1_DISJOINT);
  assert_true (pg_work_extent (&view, 3, &low, &end));
  assert_int_equal (low, (intptr_t) work + 90);
  assert_int_equal (end, (intptr_t) work + 5008);
  assert_int_equal (view.bounds[WRITE].low, (uintptr_t) memory);
  assert_int_equal (view.bounds[WRITE].end, (uintptr_t) memory + 80);
  assert_int_equal (view.bounds[FIXED].end, 0);
}

/* A loop inside may have no turn.  */
static void
what_no_iteration_touches_has_no_extent (void **state)
{
  (void) state;
  static const struct script untouched[] = { { WRITE, memory, 8 }, { 0 } };
  struct pg_alike *alike = NULL;
  struct pg_view view;
  int64_t low, end;
  assert_int_equal (ask (&alike, untouched, 8, 10, MANY, &view), PG_L1_DISJOINT);
  assert_true (pg_work_extent (&view, 3, &low, &end));
  assert_int_equal (low, 0);
  assert_int_equal (end, 0);
  struct pg_window window = { .low = { .base = (intptr_t) work + 8 }, .end = { .base = (intptr_t) work + 16 } };
  places[WORK_READ] = (struct pg_place) { .is_affine = true, .window = window };
  assert_true (pg_work_extent (&view, 3, &low, &end));
  places[WORK_READ] = (struct pg_place) { 0 };
  assert_int_equal (low, (intptr_t) work + 8);
  assert_int_equal (end, (intptr_t) work + 16);
}

static void
what_was_told_is_kept (void **state)
{
  (void) state;
  static const struct script s[] = { { WORK_WRITE, work, 8 }, { WORK_READ, work, 8 }, { WRITE, memory, 8 }, { 0 } };
  struct pg_alike *alike = NULL;
  struct pg_view view;
  n_runs = 0;
  assert_int_equal (ask (&alike, s, 8, 10, MANY, &view), PG_L1_DISJOINT);
  assert_int_equal (pg_alike_touches (alike), 3);
  assert_int_equal (ask (&alike, s, 8, 10, MANY, &view), PG_L1_DISJOINT);
  assert_non_null (view.bounds);
  assert_int_equal (pg_alike_touches (alike), 0);
  assert_int_equal (n_runs, 1);
  ask (&alike, s, 8, 11, MANY, &view);
  ask (&alike, s, 9, 11, MANY, &view);
  args[0]++;
  ask (&alike, s, 9, 11, MANY, &view);
  args[1]++; /* feeds nothing */
  ask (&alike, s, 9, 11, MANY, &view);
  assert_int_equal (n_runs, 4);
  pg_alike_forget (alike);
  ask (&alike, s, 9, 11, MANY, &view);
  assert_int_equal (n_runs, 5);
  pg_alike_free (alike);
}

static void
too_much_is_left_until_more_may_be_spent (void **state)
{
  (void) state;
  static const struct script s[] = { { WORK_WRITE, work, 8 }, { WORK_READ, work, 8 }, { WRITE, memory, 8 }, { 0 } };
  struct pg_alike *alike = NULL;
  struct pg_view view;
  n_runs = 0;
  assert_int_equal (ask (&alike, s, 8, 10, 2, &view), PG_L1_UNSETTLED);
  assert_null (view.bounds);
  assert_true (pg_alike_wants_more (alike));
  assert_int_equal (pg_alike_touches (alike), 2);
  assert_int_equal (ask (&alike, s, 8, 10, 2, &view), PG_L1_UNSETTLED);
  assert_int_equal (n_runs, 1);
  assert_int_equal (ask (&alike, s, 8, 10, 3, &view), PG_L1_UNSETTLED);
  assert_int_equal (n_runs, 1);
  assert_int_equal (ask (&alike, s, 8, 10, 4, &view), PG_L1_DISJOINT);
  assert_false (pg_alike_wants_more (alike));
  assert_int_equal (n_runs, 2);
}

static uintptr_t pieces_apart; /* bytes from one piece to the next, */
static int64_t n_pieces;       /* and so many pieces */

static int64_t
run_scattered (void *given, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) given, (void) lo, (void) hi;
  for (int64_t i = 0; i < n_pieces; i++)
    monitor->touch (monitor, WRITE, (char *) 0x10000000 + (uintptr_t) i * pieces_apart, 8);
  return 0;
}

/* What an iteration of N pieces tells of two, 8 bytes apart.  */
static enum pg_l1
tell_scattered (struct pg_alike **alike, int64_t n, uintptr_t apart)
{
  struct pg_view view = { .region = &region, .args = args, .n_iters = 2, .nodes = nodes, .places = places };
  region.monitor = run_scattered;
  nodes[0].value = 8;
  args[0]++; /* another entry */
  n_pieces = n;
  pieces_apart = apart;
  return pg_alike_check (alike, &view, INT64_MAX);
}

static void
what_is_without_number_is_too_much (void **state)
{
  struct pg_alike *alike = NULL;
  (void) state;
  assert_int_equal (tell_scattered (&alike, 5000, 4096), PG_L1_DISJOINT);
  assert_int_equal (tell_scattered (&alike, MANY, 4096), PG_L1_UNSETTLED);
  assert_int_equal (tell_scattered (&alike, 10, 4096), PG_L1_DISJOINT);
  assert_int_equal (tell_scattered (&alike, 1 << 15, 16), PG_L1_DISJOINT);
  assert_int_equal (tell_scattered (&alike, 1 << 17, 16), PG_L1_UNSETTLED);
  pg_alike_free (alike);
}

static void
errno_and_flags_stay (void **state)
{
  (void) state;
  static const struct script s[] = { { WRITE, memory, 8 }, { 0 } };
  errno = EINTR;
  feclearexcept (FE_ALL_EXCEPT);
  assert_int_equal (tell (s, 8), PG_L1_DISJOINT);
  assert_int_equal (errno, EINTR);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (rows_are_apart_if_a_step_is_as_long),
    cmocka_unit_test (columns_are_apart_if_there_are_no_more_of_them_than_a_row_is_long),
    cmocka_unit_test (what_was_read_may_be_written_later),
    cmocka_unit_test (what_moves_otherwise_is_apart_as_a_whole),
    cmocka_unit_test (work_arrays_are_written_before_they_are_read),
    cmocka_unit_test (how_far_a_work_array_goes_is_told),
    cmocka_unit_test (what_no_iteration_touches_has_no_extent),
    cmocka_unit_test (what_was_told_is_kept),
    cmocka_unit_test (too_much_is_left_until_more_may_be_spent),
    cmocka_unit_test (what_is_without_number_is_too_much),
    cmocka_unit_test (errno_and_flags_stay),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
