/* SPDX-License-Identifier: MIT
   Unit tests of what the KIR fuzzer is made of: testsuite/fuzz-kir/mutate.c.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "testsuite/fuzz-kir/mutate.c"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
  N_CHANGED = 4000
};

static const char text[] = "kernel \"x\" args 40 dims 1 refs 1\n"
			   "carry i32 add 32\n"
			   "b0:\n"
			   "  v1 = carry i32 0\n"
			   "  v2 = arg ptr 0\n"
			   "  v3 = load i32 v2 ref 0\n"
			   "  v4 = add i32 v1 v3\n"
			   "  next void v4 carry 0\n"
			   "  v5 = const i32 7\n"
			   "  switch void v4 v5 b1 b2\n"
			   "b1:\n"
			   "  jump void b2\n"
			   "b2:\n"
			   "  v6 = phi i32 [b0 v3] [b1 v5]\n"
			   "  store void v2 v6 ref 0\n"
			   "  return void\n"
			   "end\n";

/* Bytes of whole pages in which LEN bytes and a page behind them lie.  */
static size_t
guarded_len (size_t len)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  return (len + page - 1) / page * page + page;
}

/* The end of memory of LEN bytes that begins at BLOCK, a page that is nobody's.  */
static char *
guard_of (const char *block, size_t len)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  uintptr_t end = (uintptr_t) block + len;
  return (char *) ((end + page - 1) / page * page);
}

/* Like realloc; what is behind the memory is no memory.  */
static void *
resize_guarded (void *old, size_t old_len, size_t len)
{
  char *block = NULL;
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  if (len > 0)
    {
      char *start = mmap (NULL, guarded_len (len), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (start == MAP_FAILED)
	return NULL;
      char *guard = start + guarded_len (len) - page;
      mprotect (guard, page, PROT_NONE);
      block = guard - len;
      if (old != NULL)
	memcpy (block, old, old_len < len ? old_len : len);
    }
  if (old != NULL)
    munmap (guard_of (old, old_len) + page - guarded_len (old_len), guarded_len (old_len));
  return block;
}

/* One change may break what the next one looks at.  */
static void
changes_stay_in_the_kernels_memory (void **state)
{
  (void) state;
  for (uint64_t seed = 0; seed < N_CHANGED; seed++)
    {
      struct pg_kir_kernel kernel;
      struct pg_kir_error error = { .at = 0 };
      struct fk_random random = { seed };
      pg_kir_begin (&kernel, resize_guarded);
      assert_true (pg_kir_read (&kernel, text, strlen (text), &error));
      fk_mutate (&kernel, &random);
      pg_kir_verify (&kernel, &error);
      pg_kir_end (&kernel);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (changes_stay_in_the_kernels_memory),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
