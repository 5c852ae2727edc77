/* SPDX-License-Identifier: MIT
   The process's device: opened once, by who takes it first, for one user at a time.  */
//! link: -Wl,--wrap=pg_log_say
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device.h"
#include "environment.h"
#include "log.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static struct
{
  struct pg_device base;
  int n_opened, n_closed, n_said;
  enum pg_device_status status; /* of opening it */
  const char *why;
  char said[PG_DEVICE_TEXT_LEN];
} fake;

__typeof__ (pg_log_say) __wrap_pg_log_say;

void
__wrap_pg_log_say (const char *format, ...)
{
  va_list more;
  va_start (more, format);
  vsnprintf (fake.said, sizeof fake.said, format, more);
  va_end (more);
  fake.n_said++;
}

static enum pg_device_status
open_device (struct pg_device **opened, char *why)
{
  fake.n_opened++;
  fake.base.ops = &pg_device_emu;
  *opened = &fake.base;
  snprintf (why, PG_DEVICE_TEXT_LEN, "%s", fake.why);
  return fake.status;
}

static void
close_device (struct pg_device *closed)
{
  assert_ptr_equal (closed, &fake.base);
  fake.n_closed++;
}

const struct pg_device_ops pg_device_emu = { .name = "fake", .open = open_device, .close = close_device };

static int
set_up (void **state)
{
  (void) state;
  pg_device_forget ();
  pg_environment_defaults (&pg_environment);
  pg_environment.device = 1;
  fake.n_opened = fake.n_closed = fake.n_said = 0;
  fake.status = PG_DEVICE_OK;
  fake.why = "";
  return 0;
}

static void
one_user_has_it_at_a_time (void **state)
{
  (void) state;
  pg_environment.device = 0;
  assert_null (pg_device_take ());
  assert_int_equal (fake.n_opened, 0);
  pg_environment.device = 1;
  for (int i = 0; i < 3; i++)
    {
      assert_ptr_equal (pg_device_take (), &fake.base);
      assert_null (pg_device_take ());
      pg_device_leave (&fake.base);
    }
  assert_int_equal (fake.n_opened, 1);
  assert_int_equal (fake.n_said, 0);
}

/* Even if something was made of it before it failed.  */
static void
what_is_not_opened_is_not_tried_again (void **state)
{
  (void) state;
  fake.status = PG_DEVICE_LOST;
  fake.why = "it is not there";
  for (int i = 0; i < 3; i++)
    assert_null (pg_device_take ());
  pg_device_close ();
  assert_int_equal (fake.n_opened, 1);
  assert_int_equal (fake.n_closed, 0);
  assert_int_equal (fake.n_said, 1);
  assert_string_equal (fake.said, "device fake: it is not there");
}

static void
what_it_takes_no_notice_of_is_said (void **state)
{
  (void) state;
  fake.why = "no option \"x\"";
  assert_non_null (pg_device_take ());
  assert_int_equal (fake.n_said, 1);
  assert_string_equal (fake.said, "device fake: no option \"x\"");
}

/* At the end of the process, nobody takes it any more.  A thread that has it still may be about to use it.  */
static void
it_is_closed_if_nobody_has_it (void **state)
{
  (void) state;
  pg_device_close ();
  assert_int_equal (fake.n_closed, 0);
  assert_non_null (pg_device_take ());
  pg_device_close ();
  assert_int_equal (fake.n_closed, 0);
  pg_device_leave (&fake.base);
  pg_device_close ();
  assert_int_equal (fake.n_closed, 1);
  assert_null (pg_device_take ());
}

/* Whatever became of the parent's, and whoever has that.  */
static void
a_child_opens_its_own (void **state)
{
  (void) state;
  assert_non_null (pg_device_take ());
  pg_device_forget ();
  assert_non_null (pg_device_take ());
  assert_int_equal (fake.n_opened, 2);
  pg_device_leave (&fake.base);
  fake.status = PG_DEVICE_LOST;
  pg_device_forget ();
  assert_null (pg_device_take ());
  fake.status = PG_DEVICE_OK;
  pg_device_forget ();
  assert_non_null (pg_device_take ());
  assert_int_equal (fake.n_opened, 4);
  assert_int_equal (fake.n_closed, 0);
}

/* With CUDA, a child has none: a program may have many.  */
static void
a_child_does_not_say_it_again (void **state)
{
  (void) state;
  assert_non_null (pg_device_take ());
  pid_t child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    {
      fake.status = PG_DEVICE_LOST;
      fake.why = "it is the parent's";
      pg_device_forget ();
      _exit (pg_device_take () == NULL && fake.n_said == 0 ? 0 : 1);
    }
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (one_user_has_it_at_a_time, set_up),
    cmocka_unit_test_setup (what_is_not_opened_is_not_tried_again, set_up),
    cmocka_unit_test_setup (what_it_takes_no_notice_of_is_said, set_up),
    cmocka_unit_test_setup (it_is_closed_if_nobody_has_it, set_up),
    cmocka_unit_test_setup (a_child_opens_its_own, set_up),
    cmocka_unit_test_setup (a_child_does_not_say_it_again, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
