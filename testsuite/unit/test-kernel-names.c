/* SPDX-License-Identifier: MIT
   Objects have kernels without names: they get those of their regions.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels.h"

#include <stdlib.h>
#include <string.h>

/* The name that a nameless kernel of a loop in FUNCTION gets.  */
static const char *
name_in (const char *function)
{
  static const char text[] = "kernel \"\" args 8 dims 1 refs 1\n"
			     "b0:\n"
			     "  v1 = arg ptr 0\n"
			     "  v2 = const i8 1\n"
			     "  store void v1 v2 ref 0\n"
			     "  return void\n"
			     "end\n";
  static char name[PG_KIR_NAME_LEN];
  struct pg_kernels kernels;
  unsigned char packed[200];
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_read (&kernel, text, strlen (text), &error));
  struct pg_region region = { .file = "src/loops.c", .function = function, .line = 20, .args_len = 8, .kir = packed };
  region.kir_len = pg_kir_pack (&kernel, packed, sizeof packed);
  pg_kir_end (&kernel);
  assert_int_equal (pg_kernels_begin (&kernels, &region), PG_KERNELS_OK);
  memcpy (name, kernels.loop.name, sizeof name);
  pg_kir_end (&kernels.loop);
  free (kernels.uses);
  return name;
}

static void
kernels_are_named_after_their_regions (void **state)
{
  (void) state;
  assert_string_equal (name_in ("sum"), "src/loops.c:20 sum");
}

/* Names stand in texts, between quotes and in comments of a line.  */
static void
what_ends_a_name_is_no_part_of_it (void **state)
{
  (void) state;
  assert_string_equal (name_in ("operator\"\"_km\n"), "src/loops.c:20 operator___km_");
}

static void
long_names_are_cut (void **state)
{
  char function[2 * PG_KIR_NAME_LEN];
  (void) state;
  memset (function, 'f', sizeof function);
  function[sizeof function - 1] = '\0';
  assert_int_equal (strlen (name_in (function)), PG_KIR_NAME_LEN - 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (kernels_are_named_after_their_regions),
    cmocka_unit_test (what_ends_a_name_is_no_part_of_it),
    cmocka_unit_test (long_names_are_cut),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
