/* SPDX-License-Identifier: MIT
   The bytes of testsuite/kir/corpus, from which `make fuzz-kir-reader` starts and where what it found is kept, do no
   harm to the readers of KIR; and the kernels among them are read as they were when they were packed.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testsuite/fuzz/reader/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PATH_LEN = 4096,
  LEAST_FILES = 10 /* there are more of each form */
};

/* The bytes of the file NAME of folder FOLDER of the corpus, to be freed, and how many there are in *LEN; NULL: there
   is no such file.  */
static unsigned char *
bytes_of (const char *folder, const char *name, size_t *len)
{
  char path[PATH_LEN];
  const char *root = getenv ("PG_ROOT") == NULL ? "." : getenv ("PG_ROOT");
  snprintf (path, sizeof path, "%s/testsuite/kir/corpus/%s/%s", root, folder, name);
  FILE *file = fopen (path, "rb");
  if (file == NULL)
    return NULL;
  fseek (file, 0, SEEK_END);
  *len = (size_t) ftell (file);
  rewind (file);
  unsigned char *bytes = malloc (*len + 1);
  assert_int_equal (fread (bytes, 1, *len, file), *len);
  fclose (file);
  return realloc (bytes, *len > 0 ? *len : 1); /* so that a sanitizer sees its end */
}

/* Call TRY for each file of FOLDER.  */
static void
for_each_file (const char *folder, void (*try) (const char *name, const unsigned char *bytes, size_t len))
{
  char path[PATH_LEN];
  const char *root = getenv ("PG_ROOT") == NULL ? "." : getenv ("PG_ROOT");
  snprintf (path, sizeof path, "%s/testsuite/kir/corpus/%s", root, folder);
  DIR *files = opendir (path);
  assert_non_null (files);
  size_t n_files = 0;
  for (const struct dirent *file; (file = readdir (files)) != NULL;)
    if (file->d_name[0] != '.')
      {
	size_t len;
	unsigned char *bytes = bytes_of (folder, file->d_name, &len);
	assert_non_null (bytes);
	try (file->d_name, bytes, len);
	free (bytes);
	n_files++;
      }
  closedir (files);
  assert_in_range (n_files, LEAST_FILES, 10000);
}

static void
try_text (const char *name, const unsigned char *bytes, size_t len)
{
  const char *what = check_text (bytes, len);
  if (what != NULL)
    fail_msg ("%s: %s", name, what);
}

static void
texts_do_no_harm (void **state)
{
  (void) state;
  for_each_file ("text", try_text);
}

static void
try_packed (const char *name, const unsigned char *bytes, size_t len)
{
  const char *what = check_packed (bytes, len);
  if (what != NULL)
    fail_msg ("%s: %s", name, what);
}

static void
packed_kernels_do_no_harm (void **state)
{
  (void) state;
  for_each_file ("packed", try_packed);
}

static size_t n_compared;

/* Compare the packed kernel NAME.packed with text/NAME.kir, if it has a name of that kind.  */
static void
compare_with_text (const char *name, const unsigned char *bytes, size_t len)
{
  const char *end = strstr (name, ".packed");
  char text_name[PATH_LEN];
  size_t text_len;
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  if (end == NULL)
    return;
  snprintf (text_name, sizeof text_name, "%.*s.kir", (int) (end - name), name);
  unsigned char *expected = bytes_of ("text", text_name, &text_len);
  assert_non_null (expected);
  pg_kir_begin (&kernel, counted_resize);
  if (!pg_kir_unpack (&kernel, bytes, len, &error) || !pg_kir_verify (&kernel, &error))
    fail_msg ("%s: %u: %s", name, (unsigned) error.at, error.text);
  char *text = text_of (&kernel);
  assert_int_equal (strlen (text), text_len);
  assert_memory_equal (text, expected, text_len);
  free (text);
  free (expected);
  pg_kir_end (&kernel);
  n_compared++;
}

/* Objects are older than the library that reads them: what was packed once, each operation, type and way to combine
   among it, stays what it was.  A file here is not packed anew when the form changes: that has a new version.  */
static void
what_was_packed_once_stays_readable (void **state)
{
  (void) state;
  for_each_file ("packed", compare_with_text);
  assert_in_range (n_compared, 8, 10000);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (texts_do_no_harm),
    cmocka_unit_test (packed_kernels_do_no_harm),
    cmocka_unit_test (what_was_packed_once_stays_readable),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
