//! link: -Wl,--wrap=pg_mapping_find
/* SPDX-License-Identifier: MIT
   Which memory belongs together: by an entry's bounds, and where there are none, by mappings.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "objects.h"

enum
{
  N_REFS = 3,
  HEAP = 0x100000,
  HEAP_END = 0x900000
};

/* Everything is in one mapping.  */
bool __wrap_pg_mapping_find (uint64_t address, uint64_t *low, uint64_t *end);

bool
__wrap_pg_mapping_find (uint64_t address, uint64_t *low, uint64_t *end)
{
  *low = HEAP;
  *end = HEAP_END;
  return HEAP <= address && address < HEAP_END;
}

/* Reference R goes by base R: read, written, read.  Numbers tell of none.  */
static const struct pg_kir_bases bases = { .n = N_REFS, .offsets = { 0, 8, 16 } };
static const struct pg_kir_use uses[N_REFS]
  = { { .bases = 1, .is_read = true }, { .bases = 2, .is_written = true }, { .bases = 4, .is_read = true } };
static const struct pg_region region = { .n_refs = N_REFS };
static uint64_t pointers[N_REFS] = { 0x200000, 0x300000, 0x400000 };
static struct pg_place places[N_REFS];
static struct pg_objects objects;

/* Find the objects by BOUNDS, or NULL.  */
static void
find (const struct pg_bound *bounds, const struct pg_kir_use *used)
{
  const struct pg_view view
    = { .region = &region, .args = pointers, .n_iters = 10, .places = places, .bounds = bounds };
  assert_int_equal (pg_objects_find (&objects, &view, &bases, used, N_REFS), PG_OBJECTS_OK);
}

static void
assert_object (uint32_t base, uint64_t low, uint64_t end)
{
  assert_in_range (objects.of_base[base], 0, objects.n - 1);
  assert_int_equal (objects.objects[objects.of_base[base]].low, low);
  assert_int_equal (objects.objects[objects.of_base[base]].end, end);
}

static void
a_mapping_is_one_object (void **state)
{
  (void) state;
  find (NULL, uses);
  assert_int_equal (objects.n, 1);
  assert_object (0, HEAP, HEAP_END);
  assert_true (objects.objects[0].is_read && objects.objects[0].is_written);
  assert_true (pg_objects_meet (&objects, &bases, &uses[0], &uses[1]));
}

static void
bounds_make_objects_of_it (void **state)
{
  static const struct pg_bound bounds[N_REFS]
    = { { 0x200000, 0x200800 }, { 0x2fff00, 0x300008 }, { 0x300008, 0x400001 } };
  (void) state;
  find (bounds, uses);
  assert_int_equal (objects.n, 3);
  for (uint32_t b = 0; b < N_REFS; b++)
    {
      assert_object (b, bounds[b].low, bounds[b].end);
      assert_int_equal (objects.objects[objects.of_base[b]].is_written, b == 1);
      assert_int_equal (objects.objects[objects.of_base[b]].is_read, b != 1);
    }
  assert_false (pg_objects_meet (&objects, &bases, &uses[0], &uses[1]));
  assert_false (pg_objects_meet (&objects, &bases, &uses[1], &uses[2]));
}

static void
bounds_that_meet_are_one_object (void **state)
{
  static const struct pg_bound bounds[N_REFS]
    = { { 0x200000, 0x200800 }, { 0x3007ff, 0x300900 }, { 0x200700, 0x300800 } };
  (void) state;
  find (bounds, uses);
  assert_int_equal (objects.n, 1);
  assert_object (1, 0x200000, 0x300900);
  assert_true (pg_objects_meet (&objects, &bases, &uses[0], &uses[1]));
}

/* A reference without bounds is touched by nobody, or another one by the same pointer speaks for it.  */
static void
what_has_no_bounds_is_the_others (void **state)
{
  static const struct pg_kir_use shared[N_REFS]
    = { { .bases = 1, .is_read = true }, { .bases = 1, .is_written = true }, { .bases = 4, .is_read = true } };
  static const struct pg_bound bounds[N_REFS] = { { 0x200000, 0x200800 }, { 0, 0 }, { 0, 0 } };
  (void) state;
  find (bounds, shared);
  assert_int_equal (objects.n, 1);
  assert_object (0, 0x200000, 0x200800);
  assert_true (objects.objects[0].is_written);
  assert_int_equal (objects.of_base[2], PG_KIR_MOST_BASES);
  assert_true (pg_objects_meet (&objects, &bases, &shared[0], &shared[1]));
  assert_false (pg_objects_meet (&objects, &bases, &shared[1], &shared[2]));
}

/* An access by one of two pointers is in the objects of both.  */
static void
one_of_two_pointers_is_both (void **state)
{
  static const struct pg_kir_use either[N_REFS]
    = { { .bases = 3, .is_read = true }, { .bases = 2, .is_written = true }, { .bases = 4, .is_read = true } };
  static const struct pg_bound bounds[N_REFS]
    = { { 0x200000, 0x200800 }, { 0x300000, 0x300800 }, { 0x400000, 0x400800 } };
  (void) state;
  find (bounds, either);
  assert_int_equal (objects.n, 2);
  assert_object (0, 0x200000, 0x300800);
  assert_object (1, 0x200000, 0x300800);
  assert_true (pg_objects_meet (&objects, &bases, &either[0], &either[1]));
  assert_false (pg_objects_meet (&objects, &bases, &either[0], &either[2]));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_mapping_is_one_object),         cmocka_unit_test (bounds_make_objects_of_it),
    cmocka_unit_test (bounds_that_meet_are_one_object), cmocka_unit_test (what_has_no_bounds_is_the_others),
    cmocka_unit_test (one_of_two_pointers_is_both),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
