/* SPDX-License-Identifier: MIT
   What the objects of a process import: this program imports what it names below.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "imports.h"

#include <dlfcn.h>

static void
imports_are_found (void **state)
{
  static const char *const there[] = { "no_such_function", "cmocka_set_test_filter" };
  static const char *const nowhere[] = { "no_such_function", "pg_imports_any", "cmocka" };
  (void) state;
  cmocka_set_test_filter (NULL);
  assert_true (pg_imports_any (there, 2));
  assert_false (pg_imports_any (there, 1));
  assert_false (pg_imports_any (nowhere, 3));
  assert_false (pg_imports_any (NULL, 0));
}

/* Nothing here asks for floating-point exceptions, nor do the libraries of Fortran and CUDA for somebody else.  */
static void
libraries_that_leave_no_trace_do_not_count (void **state)
{
  (void) state;
  assert_false (pg_imports_flags ());
  void *fortran = dlopen ("libgfortran.so.5", RTLD_NOW | RTLD_LOCAL);
  assert_false (pg_imports_flags ());
  if (fortran != NULL)
    dlclose (fortran);
  void *cuda = dlopen ("libnvrtc.so", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  assert_false (pg_imports_flags ());
  if (cuda != NULL)
    dlclose (cuda);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (imports_are_found),
    cmocka_unit_test (libraries_that_leave_no_trace_do_not_count),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
