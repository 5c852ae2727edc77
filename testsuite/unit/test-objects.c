//! link: -Wl,--wrap=pg_mapping_find
/* SPDX-License-Identifier: MIT
   Which memory belongs together: by an entry's bounds, and where there are none, by mappings; and what of it is written
   back.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "mappings.h"
#include "objects.h"

enum
{
  N_REFS = 3,
  HEAP = 0x100000,
  HEAP_END = 0x900000
};

/* Everything is in one mapping.  */
__typeof__ (pg_mapping_find) __wrap_pg_mapping_find;

bool
__wrap_pg_mapping_find (uint64_t address, uint64_t *low, uint64_t *end)
{
  *low = HEAP;
  *end = HEAP_END;
  return HEAP <= address && address < HEAP_END;
}

/* Reference R goes by base R: read, written, read.  Numbers tell of none.  */
static const struct pg_kir_bases bases = { .n = N_REFS, .offsets = { 0, 8, 16 } };
static const struct pg_kir_use uses[N_REFS] = { { .bases = 1, .is_read = true },
						{ .bases = 2, .is_written = true, .grain = 8 },
						{ .bases = 4, .is_read = true } };
static const struct pg_region region = { .n_refs = N_REFS };
static uint64_t pointers[N_REFS] = { 0x200000, 0x300000, 0x400000 };
static struct pg_place places[N_REFS];
static struct pg_objects objects;

/* Find the objects of OF_REGION by BOUNDS, or NULL.  */
static void
find_in (const struct pg_region *of_region, const struct pg_bound *bounds, const struct pg_kir_use *used,
	 enum pg_objects_status expected)
{
  const struct pg_view view
    = { .region = of_region, .args = pointers, .n_iters = 10, .places = places, .bounds = bounds };
  assert_int_equal (pg_objects_find (&objects, &view, &bases, used, N_REFS), expected);
}

static void
find (const struct pg_bound *bounds, const struct pg_kir_use *used)
{
  find_in (&region, bounds, used, PG_OBJECTS_OK);
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
      assert_int_equal (objects.objects[objects.of_base[b]].grain, b == 1 ? 8 : 0);
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
  assert_int_equal (objects.objects[0].grain, 8);
}

/* What is written in pieces of several lengths, in one object, may be changed by single bytes.  */
static void
grains_that_differ_are_none (void **state)
{
  static const struct pg_bound bounds[N_REFS]
    = { { 0x200000, 0x200800 }, { 0x2007ff, 0x300900 }, { 0x200700, 0x300800 } };
  (void) state;
  for (uint8_t other = 0; other <= 8; other = other == 0 ? 1 : (uint8_t) (2 * other))
    {
      const struct pg_kir_use mixed[N_REFS]
	= { { .bases = 1, .is_written = true, .grain = 8 },
	    { .bases = 2, .is_written = other > 0, .is_read = true, .grain = other },
	    { .bases = 4, .is_read = true } };
      find (bounds, mixed);
      assert_int_equal (objects.n, 1);
      assert_int_equal (objects.objects[0].grain, other == 0 || other == 8 ? 8 : 1);
    }
}

/* The first two go by the same pointer.  */
static const struct pg_kir_use shared[N_REFS]
  = { { .bases = 1, .is_read = true }, { .bases = 1, .is_written = true }, { .bases = 4, .is_read = true } };

/* A reference without bounds is touched by nobody, or another one by the same pointer speaks for it.  */
static void
what_has_no_bounds_is_the_others (void **state)
{
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

/* Objects that become one leave what has none without.  */
static void
what_is_not_accessed_stays_without (void **state)
{
  static const struct pg_bound bounds[N_REFS] = { { 0, 0 }, { 0x300000, 0x300800 }, { 0x3007ff, 0x300900 } };
  (void) state;
  find (bounds, uses);
  assert_int_equal (objects.n, 1);
  assert_int_equal (objects.of_base[0], PG_KIR_MOST_BASES);
  assert_object (1, 0x300000, 0x300900);
  assert_object (2, 0x300000, 0x300900);
}

/* Bounds and mappings know no better; what touches nothing has no object.  */
static void
numbers_come_first (void **state)
{
  static const struct pg_bound bounds[N_REFS]
    = { { 0x200000, 0x200800 }, { 0x300000, 0x300800 }, { 0x400000, 0x400800 } };
  (void) state;
  places[0] = (struct pg_place) { .is_affine = true, .window = { { 0x200010, 8 }, { 0x200018, 8 } } };
  places[1] = (struct pg_place) { .is_affine = true, .window = { { 0x300000, 0 }, { 0x300000, 0 } } };
  places[2] = (struct pg_place) { .is_affine = true, .is_never = true };
  for (int has_bounds = 0; has_bounds < 2; has_bounds++)
    {
      find (has_bounds ? bounds : NULL, uses);
      assert_int_equal (objects.n, 1);
      assert_object (0, 0x200010, 0x200060);
      assert_int_equal (objects.of_base[1], PG_KIR_MOST_BASES);
      assert_int_equal (objects.of_base[2], PG_KIR_MOST_BASES);
      find (has_bounds ? bounds : NULL, shared);
      assert_object (0, 0x200010, 0x200060);
    }
  memset (places, 0, sizeof places);
}

/* A kernel may say that it has more references than the region: nothing is known of these but their pointers.  */
static void
what_the_region_does_not_list_is_a_mapping (void **state)
{
  static const struct pg_bound bounds[N_REFS] = { { 0x10, 0x20 }, { 0x300000, 0x300800 }, { 0x400000, 0x400800 } };
  static const struct pg_region small = { .n_refs = 1 };
  (void) state;
  for (int is_affine = 0; is_affine < 2; is_affine++)
    {
      for (int r = 1; r < N_REFS; r++)
	places[r] = (struct pg_place) { .is_affine = is_affine, .is_never = true };
      find_in (&small, bounds, uses, PG_OBJECTS_OK);
      assert_int_equal (objects.n, 2);
      assert_object (0, 0x10, 0x20);
      assert_object (1, HEAP, HEAP_END);
      assert_object (2, HEAP, HEAP_END);
    }
  memset (places, 0, sizeof places);
}

/* A loop that goes down may begin there.  What points farther away is in no object.  */
static void
a_pointer_behind_a_mapping_is_of_it (void **state)
{
  (void) state;
  pointers[0] = HEAP_END;
  find (NULL, uses);
  assert_object (0, HEAP, HEAP_END);
  pointers[0] = HEAP_END + 1;
  find_in (&region, NULL, uses, PG_OBJECTS_UNKNOWN);
  pointers[0] = HEAP - 1;
  find_in (&region, NULL, uses, PG_OBJECTS_UNKNOWN);
  pointers[0] = 0x200000;
}

/* ---- what is written back */

static uint32_t random_state = 1;

static uint32_t
pick (uint32_t n)
{
  random_state = random_state * 1664525 + 1013904223;
  return (random_state >> 8) % n;
}

/* Let a chunk change some of the LEN bytes at THERE, and at EXPECTED: none, a few, halves of words, or nearly all.  */
static void
change (char *there, char *expected, size_t len, bool *is_changed)
{
  uint32_t kind = pick (4);
  for (size_t i = 0; i < len; i++)
    {
      bool is_here = kind == 0   ? false
		     : kind == 1 ? pick (100) == 0
		     : kind == 2 ? i % 8 < 4 + pick (2)
				 : pick (100) != 0;
      if (!is_here)
	continue;
      there[i] = expected[i] = (char) (there[i] + 1);
      is_changed[i] = true;
    }
}

/* Exactly what chunks changed is written, for all lengths of objects and wherever they are: a program's other threads
   have changed all the rest meanwhile.  Another object's mirror holds this one and what lies around it.  */
static void
what_chunks_change_is_written (void **state)
{
  static char memory[20000], expected[20000];
  static bool is_changed[20000];
  static const size_t lens[] = { 1, 7, 8, 9, 63, 64, 4095, 4096, 4097, 12288, 19000 };
  (void) state;
  pg_environment_defaults (&pg_environment);
  reset_device ();
  device.base.ops = &pg_device_emu;
  for (int t = 0; t < 400; t++)
    {
      size_t len = lens[pick (sizeof lens / sizeof *lens)], low = pick (20);
      int64_t n_copied = 0;
      struct pg_mirror *whole;
      enum pg_device_status status;
      struct pg_objects of_one = { .n = 1 };
      struct pg_object *object = &of_one.objects[0];
      *object = (struct pg_object) { .low = (uintptr_t) memory + low, .is_read = true, .is_written = true };
      object->end = object->low + len;
      for (size_t i = 0; i < sizeof memory; i++)
	memory[i] = expected[i] = (char) pick (256);
      memset (is_changed, 0, sizeof is_changed);
      uint64_t start = (uintptr_t) memory, end = start + sizeof memory;
      assert_int_equal (pg_mirror_use (&device.base, start, end, &whole), PG_DEVICE_OK);
      assert_true (pg_mirror_refresh (whole, start, end, &device.base, &status, &n_copied));
      assert_int_equal (pg_objects_look (&of_one, &device.base), PG_OBJECTS_OK);
      assert_ptr_equal (object->mirror, whole);
      assert_int_equal (pg_objects_put (&of_one, &device.base, &n_copied), PG_OBJECTS_OK);
      for (int chunk = 0; chunk < 2; chunk++)
	{
	  pg_objects_let_run (&of_one);
	  change ((char *) (uintptr_t) pg_object_there (object), expected + low, len, is_changed + low);
	  assert_int_equal (pg_objects_take (&of_one, &device.base, &n_copied), PG_OBJECTS_OK);
	}
      for (size_t i = 0; i < sizeof memory; i++)
	if (!is_changed[i])
	  memory[i] = expected[i] = (char) (memory[i] ^ 85);
      pg_objects_commit (&of_one);
      pg_objects_drop (&of_one, &device.base, true);
      pg_mirror_leave (whole, &device.base);
      assert_memory_equal (memory, expected, sizeof memory);
    }
  pg_mirrors_drop (&device.base);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_mapping_is_one_object),
    cmocka_unit_test (bounds_make_objects_of_it),
    cmocka_unit_test (bounds_that_meet_are_one_object),
    cmocka_unit_test (what_has_no_bounds_is_the_others),
    cmocka_unit_test (grains_that_differ_are_none),
    cmocka_unit_test (one_of_two_pointers_is_both),
    cmocka_unit_test (what_is_not_accessed_stays_without),
    cmocka_unit_test (numbers_come_first),
    cmocka_unit_test (what_the_region_does_not_list_is_a_mapping),
    cmocka_unit_test (a_pointer_behind_a_mapping_is_of_it),
    cmocka_unit_test (what_chunks_change_is_written),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
