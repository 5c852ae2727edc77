/* SPDX-License-Identifier: MIT
   NVRTC compiles printed kernels for each GPU that is known, once if there is a cache, says what is wrong with a text,
   and is not missed where there is none.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/compile.h"
#include "cuda/print.h"
#include "kir-run.h"

static struct pg_nvrtc *nvrtc;
static char why[PG_NVRTC_TEXT_LEN];
static char text[1 << 18] = "#include \"prelude.cuh\"\n";

static const char ok_text[] = "extern \"C\" __global__ void k (int *p) { *p = 1; }";
static const char *const ok_kernels[] = { "k" };

static int
set_up (void **state)
{
  (void) state;
  if (pg_nvrtc_open (NULL, &nvrtc, why) != PG_NVRTC_OK)
    {
      assert_null (nvrtc);
      print_message ("skipped: %s\n", why);
    }
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_nvrtc_close (nvrtc);
  return 0;
}

static void
need_nvrtc (void)
{
  if (nvrtc == NULL)
    skip ();
}

/* Compile FROM for TARGET; *LEN bytes, which must begin with START.  */
static char *
compile (const char *from, const char *const *kernels, size_t n_kernels, const char *target, const char *start,
	 size_t *len)
{
  char *bytes;
  if (pg_nvrtc_compile (nvrtc, from, kernels, n_kernels, target, &bytes, len) != PG_NVRTC_OK)
    fail_msg ("%s\n%s", pg_nvrtc_message (nvrtc), pg_nvrtc_log (nvrtc));
  assert_true (*len > strlen (start));
  assert_memory_equal (bytes, start, strlen (start));
  return bytes;
}

static void
assert_not_compiled (const char *from, const char *const *kernels, size_t n_kernels, const char *target,
		     enum pg_nvrtc_status status, const char *message)
{
  char *bytes = why;
  size_t len;
  assert_int_equal (pg_nvrtc_compile (nvrtc, from, kernels, n_kernels, target, &bytes, &len), status);
  assert_null (bytes);
  assert_null (strchr (pg_nvrtc_message (nvrtc), '\n'));
  if (strstr (pg_nvrtc_message (nvrtc), message) == NULL)
    fail_msg ("\"%s\" is not in \"%s\"", message, pg_nvrtc_message (nvrtc));
}

/* Add the loop NAME, mapped, to the text.  */
static void
add_grid (const char *name, enum pg_kir_mapping mapping, char *kernel_name)
{
  struct pg_kir_kernel loop = read_kernel (golden (name)), spmd = map_kernel (&loop, mapping, 256);
  size_t at = strlen (text);
  sprintf (kernel_name, "%s_%d", name, (int) mapping);
  assert_true (pg_cuda_print (&spmd, kernel_name, text + at, sizeof text - at) < sizeof text - at);
  pg_kir_end (&spmd);
  pg_kir_end (&loop);
}

static void
printed_kernels_compile_for_each_gpu (void **state)
{
  static const char *const loops[] = { "axpy", "spmv", "sum" };
  static const char *const targets[] = { "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120" };
  char names[9][32];
  const char *kernels[9];
  size_t len;
  (void) state;
  need_nvrtc ();
  for (int k = 0; k < 9; k++)
    add_grid (loops[k / 3], (enum pg_kir_mapping) (k % 3), names[k]), kernels[k] = names[k];
  for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
    free (compile (text, kernels, 9, targets[t], "\177ELF", &len));
  free (compile (text, kernels, 9, "compute_75", "//", &len));
}

/* A cubin and PTX have the names; they are C's, so that a launch finds them.  */
static void
kernels_are_found_by_name (void **state)
{
  size_t len;
  (void) state;
  need_nvrtc ();
  char *bytes = compile (ok_text, ok_kernels, 1, "compute_75", "//", &len);
  assert_non_null (strstr (bytes, ".entry k("));
  free (bytes);
}

/* Else sums would differ from the host's in the last bit.  */
static void
products_are_rounded_before_they_are_added (void **state)
{
  static const char from[] = "extern \"C\" __global__ void k (float *p) { p[0] = p[1] * p[2] + p[3]; }";
  size_t len;
  (void) state;
  need_nvrtc ();
  char *bytes = compile (from, ok_kernels, 1, "compute_75", "//", &len);
  assert_null (strstr (bytes, "fma"));
  free (bytes);
}

/* What C has no division for is no branch, either.  */
static void
divisions_are_single_instructions (void **state)
{
  static const char from[] = "#include \"prelude.cuh\"\n"
			     "extern \"C\" __global__ void k (pg_i64 *p)\n"
			     "{\n"
			     "  p[0] = pg_sdiv_8 (p[1], p[2]) + pg_sdiv_32 (p[3], p[4]) + pg_sdiv_64 (p[5], p[6]);\n"
			     "  p[1] = pg_srem_16 (p[1], p[2]) + pg_srem_32 (p[3], p[4]) + pg_srem_64 (p[5], p[6]);\n"
			     "}\n";
  static const char *const instructions[] = { "div.s32", "div.s64", "rem.s32", "rem.s64" };
  size_t len;
  (void) state;
  need_nvrtc ();
  char *bytes = compile (from, ok_kernels, 1, "compute_75", "//", &len);
  for (int i = 0; i < 4; i++)
    assert_non_null (strstr (bytes, instructions[i]));
  assert_null (strstr (bytes, "setp"));
  free (bytes);
}

static void
wrong_texts_are_said_to_be (void **state)
{
  static const char *const other[] = { "other" }, *const no_name[] = { "k; int x" };
  (void) state;
  need_nvrtc ();
  assert_not_compiled ("\nint x = y;", NULL, 0, "compute_75", PG_NVRTC_NOT_COMPILED, "kernels.cu(2): error");
  assert_non_null (strstr (pg_nvrtc_log (nvrtc), "\"y\" is undefined"));
  assert_not_compiled (ok_text, other, 1, "compute_75", PG_NVRTC_NOT_COMPILED, "\"other\" is undefined");
  assert_not_compiled ("#include <stdio.h>\n", NULL, 0, "compute_75", PG_NVRTC_NOT_COMPILED, "stdio.h");
  assert_not_compiled ("__global__ void k () { asm (\"no such\"); }", NULL, 0, "sm_75", PG_NVRTC_NOT_COMPILED, "ptxas");
  assert_not_compiled (ok_text, ok_kernels, 1, "sm_9999", PG_NVRTC_NO_TARGET, "sm_9999: ");
  assert_not_compiled (ok_text, ok_kernels, 1, "sm_75 -use_fast_math", PG_NVRTC_BAD_ARGUMENT, "is no target");
  assert_not_compiled (ok_text, ok_kernels, 1, "sm_", PG_NVRTC_BAD_ARGUMENT, "is no target");
  assert_not_compiled (ok_text, no_name, 1, "sm_75", PG_NVRTC_BAD_ARGUMENT, "is no kernel's name");
  size_t len;
  free (compile (ok_text, ok_kernels, 1, "sm_75", "\177ELF", &len));
  assert_true (pg_nvrtc_version (nvrtc) >= 11000);
}

/* The key of the text with the kernel NAME for TARGET.  */
static struct pg_cache_key
key_of (const char *name, const char *target)
{
  return pg_cuda_key (nvrtc, ok_text, &name, 1, target);
}

static void
keys_tell_what_matters (void **state)
{
  (void) state;
  need_nvrtc ();
  const struct pg_cache_key keys[] = {
    key_of ("k", "sm_75"),
    key_of ("k", "sm_80"),
    key_of ("j", "sm_75"),
    pg_cuda_key (nvrtc, ok_text, NULL, 0, "sm_75"),
    pg_cuda_key (nvrtc, ok_text + 1, ok_kernels, 1, "sm_75"),
  };
  struct pg_cache_key again = key_of ("k", "sm_75");
  assert_memory_equal (keys, &again, sizeof again);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    for (size_t j = 0; j < i; j++)
      assert_memory_not_equal (keys + i, keys + j, sizeof *keys);
}

/* What was planted for the text tells a hit from a compilation.  */
static void
what_was_compiled_is_not_compiled_again (void **state)
{
  char folder[] = "/tmp/paragon-nvrtc-XXXXXX", command[64];
  char *bytes;
  size_t len;
  (void) state;
  need_nvrtc ();
  assert_non_null (mkdtemp (folder));
  struct pg_cache *cache = pg_cache_open (&(struct pg_cache_setup) { folder, "libsqlite3.so.0", 1 << 20 }, why);
  if (cache != NULL)
    {
      assert_int_equal (pg_cuda_compile (nvrtc, cache, ok_text, ok_kernels, 1, "sm_75", &bytes, &len), PG_NVRTC_OK);
      free (bytes);
      assert_true (pg_cache_find (cache, key_of ("k", "sm_75"), &bytes, &len));
      assert_memory_equal (bytes, "\177ELF", 4);
      free (bytes);
      pg_cache_keep (cache, key_of ("k", "sm_75"), "planted", 8);
      assert_int_equal (pg_cuda_compile (nvrtc, cache, ok_text, ok_kernels, 1, "sm_75", &bytes, &len), PG_NVRTC_OK);
      assert_string_equal (bytes, "planted");
      free (bytes);
    }
  assert_int_equal (pg_cuda_compile (nvrtc, NULL, ok_text, ok_kernels, 1, "sm_75", &bytes, &len), PG_NVRTC_OK);
  free (bytes);
  assert_int_equal (pg_cuda_compile (nvrtc, cache, "int x = y;", NULL, 0, "sm_75", &bytes, &len),
		    PG_NVRTC_NOT_COMPILED);
  assert_null (bytes);
  pg_cache_close (cache);
  snprintf (command, sizeof command, "rm -rf %s", folder);
  assert_int_equal (system (command), 0);
}

static void
no_library_is_a_status (void **state)
{
  struct pg_nvrtc *none;
  (void) state;
  assert_int_equal (pg_nvrtc_open ("/nowhere/libnvrtc.so", &none, why), PG_NVRTC_NO_LIBRARY);
  assert_null (none);
  assert_non_null (strstr (why, "/nowhere/libnvrtc.so"));
  assert_int_equal (pg_nvrtc_open ("libm.so.6", &none, why), PG_NVRTC_NO_LIBRARY);
  assert_string_equal (why, "no NVRTC: the library lacks nvrtcVersion");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (printed_kernels_compile_for_each_gpu),
    cmocka_unit_test (kernels_are_found_by_name),
    cmocka_unit_test (products_are_rounded_before_they_are_added),
    cmocka_unit_test (divisions_are_single_instructions),
    cmocka_unit_test (wrong_texts_are_said_to_be),
    cmocka_unit_test (keys_tell_what_matters),
    cmocka_unit_test (what_was_compiled_is_not_compiled_again),
    cmocka_unit_test (no_library_is_a_status),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
