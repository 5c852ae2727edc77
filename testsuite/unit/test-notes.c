/* SPDX-License-Identifier: MIT
   Notes of compilers that ran at the same time: each is read as it was written, and one that was cut short is not.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  N_WRITERS = 8,
  N_EACH = 50
};

static void
notes_of_many_are_whole (void **state)
{
  char path[] = "notes-XXXXXX", source[32];
  struct pg_notes notes;
  int sum = 0;
  (void) state;
  close (mkstemp (path));
  for (int w = 0; w < N_WRITERS; w++)
    if (fork () == 0)
      {
	for (int i = 0; i < N_EACH; i++)
	  {
	    snprintf (source, sizeof source, "%d", w * N_EACH + i);
	    const struct pg_note note = { PG_NOTE_COMPILED, "", "/a folder", "out\n", source };
	    if (!pg_note_write (&note, path))
	      _exit (1);
	  }
	_exit (0);
      }
  for (int w = 0, status; w < N_WRITERS; w++)
    assert_true (wait (&status) > 0 && status == 0);
  assert_true (pg_notes_read (&notes, path));
  assert_int_equal (notes.n, N_WRITERS * N_EACH);
  for (size_t n = 0; n < notes.n; n++)
    {
      assert_int_equal (notes.all[n].kind, PG_NOTE_COMPILED);
      assert_string_equal (notes.all[n].folder, "/a folder");
      assert_string_equal (notes.all[n].output, "out\n");
      sum += atoi (notes.all[n].source);
    }
  assert_int_equal (sum, N_WRITERS * N_EACH * (N_WRITERS * N_EACH - 1) / 2);
  pg_notes_free (&notes);
  unlink (path);
}

static void
what_is_cut_short_is_left_out (void **state)
{
  char path[] = "notes-XXXXXX";
  const struct pg_note note = { PG_NOTE_OTHER, "why", "f", "o", "s" };
  struct pg_notes notes;
  int fd = mkstemp (path);
  (void) state;
  assert_true (pg_note_write (&note, path) && pg_note_write (&note, path));
  for (off_t len = lseek (fd, 0, SEEK_END), whole = len / 2; len >= 0; len--)
    {
      assert_return_code (ftruncate (fd, len), 0);
      assert_true (pg_notes_read (&notes, path));
      assert_int_equal (notes.n, len / whole);
      if (notes.n > 0)
	assert_string_equal (notes.all[0].text, "why");
      pg_notes_free (&notes);
    }
  close (fd);
  unlink (path);
  assert_true (pg_notes_read (&notes, path) && notes.n == 0);
  pg_notes_free (&notes);
  assert_false (pg_note_write (&note, "/no-such-folder/notes"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (notes_of_many_are_whole),
    cmocka_unit_test (what_is_cut_short_is_left_out),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
