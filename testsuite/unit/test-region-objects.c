/* SPDX-License-Identifier: MIT
   Objects that come and go, with regions at addresses where others were.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"

/* An object that is unloaded and loaded again brings a fresh descriptor to the same address.  */
static void
a_reloaded_region_finds_its_row (void **state)
{
  struct pg_descriptor *region = a_scatter_region (), fresh = *region;
  (void) state;
  check_scatter (region);
  void *first = region->state;
  *region = fresh;
  check_scatter (region);
  assert_ptr_equal (region->state, first);
}

static int64_t
other_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  return scatter_body (args, lo, hi, ctx);
}

/* Another object may have been loaded there.  */
static void
another_region_at_the_same_address_has_its_own_row (void **state)
{
  static const char other_file[] = "other.c";
  static const unsigned char kernel[] = { 1 };
  struct pg_region with_kernel = scatter_region, row = scatter_region;
  with_kernel.kir = kernel;
  with_kernel.kir_len = sizeof kernel;
  row.line++;
  struct pg_descriptor *region = a_new_region (with_kernel), fresh = *region;
  const struct pg_descriptor *other = a_new_region (row);
  uint32_t len;
  unsigned char *packed = (unsigned char *) pg_descriptor_packed (region, &len);
  (void) state;
  for (int way = 0; way < 6; way++)
    {
      *region = fresh;
      set_packed (region, packed, len);
      check_scatter (region);
      void *first = region->state;
      *region = fresh;
      if (way == 0)
	region->packed = offset_of (region, (uintptr_t) pg_descriptor_at (other, other->packed));
      else if (way == 1)
	set_packed (region, packed, len - (uint32_t) sizeof kernel);
      else if (way == 2)
	region->file = offset_of (region, (uintptr_t) other_file);
      else if (way == 3)
	region->others[0] = 0;
      else if (way == 4)
	{
	  region->flags |= PG_DESCRIPTOR_NOALIAS;
	  region->others[1] = region->others[0];
	  region->others[0] = offset_of (region, (uintptr_t) other_body);
	}
      else
	region->body = other_body;
      struct scatter_args args = { b, c };
      memset (c, 0, sizeof c);
      __paragon_enter_v1 (region, &args, N);
      assert_ptr_not_equal (region->state, first);
    }
}

/* Statistics are written when the object may be gone.  */
static void
rows_outlive_objects (void **state)
{
  static char file[] = "gone.c";
  struct pg_region gone = scatter_region;
  gone.file = file;
  struct pg_descriptor *region = a_new_region (gone);
  const struct pg_state *kept;
  (void) state;
  check_scatter (region);
  kept = state_of (region);
  memset (file, 'x', sizeof file);
  uint32_t len;
  unsigned char *packed = (unsigned char *) pg_descriptor_packed (region, &len);
  memset (packed, 'x', len);
  memset (region, 'x', sizeof *region);
  assert_string_equal (kept->row.file, "gone.c");
  assert_string_equal (kept->row.function, "scatter");
  assert_string_equal (kept->row.reason, "indirect");
  assert_int_equal (kept->row.line, gone.line);
  assert_int_equal (kept->row.klass, PG_CLASS_POSSIBLY);
  assert_string_equal (kept->region.file, "gone.c");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (a_reloaded_region_finds_its_row, set_up),
    cmocka_unit_test_setup (another_region_at_the_same_address_has_its_own_row, set_up),
    cmocka_unit_test_setup (rows_outlive_objects, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
