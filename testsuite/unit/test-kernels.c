/* SPDX-License-Identifier: MIT
   A region's kernels: what each method makes of a loop, which variants are kept, and what becomes of those that cannot
   be made.  */
//! link: -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free -Wl,--wrap=pg_log_say
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels.h"
#include "kir-run.h"
#include "kir/pack.h"
#include "log.h"

enum
{
  N_THREADS = 64,
  MOST_VARIANTS = 16,
  PACKED_LEN = 4096
};

/* ---- memory, of which N_LEFT more blocks can be had, if it is not negative */

static int n_live, n_left = -1;
static bool no_calloc;

void *__real_calloc (size_t n, size_t len);
void *__real_realloc (void *block, size_t len);
void __real_free (void *block);
void *__wrap_calloc (size_t n, size_t len);
void *__wrap_realloc (void *block, size_t len);
void __wrap_free (void *block);
__typeof__ (pg_log_say) __wrap_pg_log_say;

static bool
is_scarce (void)
{
  if (n_left == 0)
    return true;
  n_left -= n_left > 0;
  return false;
}

void *
__wrap_calloc (size_t n, size_t len)
{
  void *block = no_calloc || is_scarce () ? NULL : __real_calloc (n, len);
  n_live += block != NULL;
  return block;
}

void *
__wrap_realloc (void *block, size_t len)
{
  void *grown = is_scarce () ? NULL : __real_realloc (block, len);
  n_live += block == NULL && grown != NULL;
  return grown;
}

void
__wrap_free (void *block)
{
  n_live -= block != NULL;
  __real_free (block);
}

/* ---- a device that compiles */

static struct
{
  int n_calls;
  bool fails;
  size_t n_kernels;
  char names[PG_N_ROLES][16], texts[PG_N_ROLES][TEXT_LEN]; /* of the latest */
} compiled;

static char said[1024];

void
__wrap_pg_log_say (const char *format, ...)
{
  va_list more;
  va_start (more, format);
  vsnprintf (said, sizeof said, format, more);
  va_end (more);
}

static enum pg_device_status
compile (struct pg_device *asked, const struct pg_device_kernel *kernels, size_t n_kernels, struct pg_module **module)
{
  int n_were_left = n_left;
  (void) asked;
  n_left = -1;
  compiled.n_calls++;
  compiled.n_kernels = n_kernels;
  for (size_t k = 0; k < n_kernels; k++)
    {
      verify_kernel (kernels[k].kernel);
      snprintf (compiled.names[k], sizeof compiled.names[k], "%s", kernels[k].name);
      pg_kir_write (kernels[k].kernel, compiled.texts[k], TEXT_LEN);
    }
  n_left = n_were_left;
  *module = (struct pg_module *) &compiled;
  return compiled.fails ? PG_DEVICE_NOT_COMPILED : PG_DEVICE_OK;
}

static const char *
message (const struct pg_device *asked)
{
  (void) asked;
  return "it is too hard";
}

static const struct pg_device_ops ops = { .name = "fake", .compile = compile, .message = message };
static struct pg_device device = { &ops };

/* ---- the loops */

#define HEAD(args) "kernel \"loop\" args " args " dims 1 refs 3\n"
#define INDEX                                                                                                        \
  "v1 = iter i64 0\nv2 = const i64 3\nv3 = shl i64 v1 v2\nv4 = arg ptr 8\nv5 = address ptr v4 v3\nv6 = load i64 v5 " \
  "ref 0\nv7 = shl i64 v6 v2\nv8 = arg ptr 0\nv9 = address ptr v8 v7\n"

/* y[idx[i]] *= 2^m, by additions.  */
static const char scatter[]
  = HEAD ("24") "b0:\n" INDEX "v10 = const i64 0\nv11 = const i64 1\nv12 = arg i64 16\nv13 = load f64 v9 ref 1\n"
		"jump void b1\nb1:\nv14 = phi i64 [b0 v10] [b1 v16]\nv15 = phi f64 [b0 v13] [b1 v17]\n"
		"v17 = fadd f64 v15 v15\nv16 = add i64 v14 v11\nv18 = slt i8 v16 v12\nbranch void v18 b1 b2\n"
		"b2:\nstore void v9 v17 ref 2\nreturn void\nend\n";

/* y[n] += i, n++: where that is depends on the iterations before.  */
static const char append[] = HEAD (
  "24") "carry i64 add 16\nb0:\nv1 = iter i64 0\nv2 = const i64 3\nv3 = carry i64 0\nv4 = shl i64 v3 v2\n"
	"v5 = arg ptr 0\nv6 = address ptr v5 v4\nv9 = load i64 v6 ref 1\nv10 = add i64 v9 v1\nstore void v6 v10 ref 2\n"
	"v7 = const i64 1\nv8 = add i64 v3 v7\nnext void v8 carry 0\nreturn void\nend\n";

/* The region of the kernel in TEXT, which need not be a good one.  */
static struct pg_region
region_of (const char *text, uint32_t args_len)
{
  static unsigned char packed[PACKED_LEN];
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .at = 0 };
  struct pg_region region = { .file = "a.c", .function = "loop", .line = 5, .args_len = args_len, .kir = packed };
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_read (&kernel, text, strlen (text), &error))
    fail_msg ("%s%u: %s", text, (unsigned) error.at, error.text);
  region.kir_len = pg_kir_pack (&kernel, packed, sizeof packed);
  assert_in_range (region.kir_len, 1, sizeof packed);
  pg_kir_end (&kernel);
  return region;
}

static struct pg_kernels
kernels_of (const char *text, uint32_t args_len)
{
  struct pg_region region = region_of (text, args_len);
  struct pg_kernels kernels;
  assert_int_equal (pg_kernels_begin (&kernels, &region), PG_KERNELS_OK);
  assert_int_equal (kernels.loop_args_len, args_len);
  assert_non_null (kernels.uses);
  return kernels;
}

/* Give back all that KERNELS keep; nothing else is left.  */
static void
forget (struct pg_kernels *kernels)
{
  for (size_t v = 0; v < kernels->n_variants; v++)
    {
      for (int role = 0; role < PG_N_ROLES; role++)
	pg_kir_end (&kernels->variants[v]->loops[role]);
      free (kernels->variants[v]);
    }
  free (kernels->variants);
  free (kernels->uses);
  pg_kir_end (&kernels->loop);
  assert_int_equal (n_live, 0);
}

/* A wish for METHOD: y is in one array, and idx in none.  */
static struct pg_wish
wish_of (enum pg_method method)
{
  static struct pg_wish wish;
  memset (&wish, 0, sizeof wish);
  wish.method = method;
  wish.mapping = PG_KIR_STRIDED;
  wish.n_threads = N_THREADS;
  wish.n_arrays = 1;
  wish.array_of[0] = PG_KIR_NOT_LOGGED;
  wish.shift_of[0] = 3;
  return wish;
}

static int
set_up (void **state)
{
  (void) state;
  n_live = 0;
  n_left = -1;
  no_calloc = false;
  memset (&compiled, 0, sizeof compiled);
  return 0;
}

/* ---- the tests */

static void
floats_are_seen (void **state)
{
  static const struct
  {
    const char *code;
    bool is_float;
  } all[] = { { "v10 = add i64 v6 v6\n", false },
	      { "v10 = load f64 v5 ref 0\nv11 = bits i64 v10\n", false },
	      { "v10 = load f64 v5 ref 0\nv11 = fneg f64 v10\n", true },
	      { "v10 = load f64 v5 ref 0\nv11 = fmul f64 v10 v10\n", true },
	      { "v10 = load f64 v5 ref 0\nv11 = flt i8 v10 v10\n", true },
	      { "v10 = stof f64 v6\n", true },
	      { "v10 = load f64 v5 ref 0\nv11 = ftos i64 v10\n", true },
	      { "v10 = load f64 v5 ref 0\nv11 = ftof f32 v10\n", true } };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      char text[1000];
      snprintf (text, sizeof text, HEAD ("16") "b0:\n" INDEX "%sstore void v9 v6 ref 2\nreturn void\nend\n",
		all[i].code);
      struct pg_kernels kernels = kernels_of (text, 16);
      if (kernels.has_floats != all[i].is_float)
	fail_msg ("%s", text);
      forget (&kernels);
    }
}

static void
bad_kernels_are_refused (void **state)
{
  static const struct
  {
    const char *text;
    uint32_t args_len;
    enum pg_kernels_status status;
  } all[] = {
    { HEAD ("16") "b0:\nreturn void\nend\n", 24, PG_KERNELS_NONE },
    { HEAD ("16") "b0:\nv1 = const i64 1\nv2 = load i64 v1 ref 0\nreturn void\nend\n", 16, PG_KERNELS_NONE },
    { "kernel \"x\" args 16 dims 2 refs 3\nb0:\nreturn void\nend\n", 16, PG_KERNELS_NONE },
    { "kernel \"x\" args 16 dims 1 refs 3 threads 8 shared 0\nb0:\nreturn void\nend\n", 16, PG_KERNELS_NONE },
    { HEAD ("16") "b0:\n" INDEX "v10 = load ptr v9 ref 1\nstore void v10 v6 ref 2\nreturn void\nend\n", 16,
      PG_KERNELS_ADDRESS },
    { HEAD ("65528") "b0:\n" INDEX "store void v9 v6 ref 2\nreturn void\nend\n", 65528, PG_KERNELS_LARGE },
  };
  struct pg_kernels kernels;
  struct pg_region region;
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      region = region_of (all[i].text, all[i].args_len);
      assert_int_equal (pg_kernels_begin (&kernels, &region), all[i].status);
      assert_null (kernels.uses);
      forget (&kernels);
    }
  region.kir_len--;
  assert_int_equal (pg_kernels_begin (&kernels, &region), PG_KERNELS_NONE);
  forget (&kernels);
  region.kir = NULL;
  assert_int_equal (pg_kernels_begin (&kernels, &region), PG_KERNELS_NONE);
  forget (&kernels);
}

/* What the kernel of a role does.  */
struct part
{
  enum
  {
    NOTHING,
    LOOP,      /* it runs the loop, and more is wished for of it */
    ADDRESSES, /* it does not */
    SCAN
  } kind;
  unsigned what;
};

/* Compare ROLE of VARIANT, of KERNELS, and what was compiled for it, the Kth, with what PART and its wish say.  */
static void
check_role (const struct pg_kernels *kernels, const struct pg_variant *variant, int role, size_t k,
	    const struct part *part)
{
  static char text[TEXT_LEN], expected[TEXT_LEN];
  const struct pg_wish *wish = &variant->wish;
  const uint8_t log = (uint8_t) pg_methods[wish->method].log;
  unsigned more = part->kind == LOOP ? wish->more : wish->more & PG_KIR_COUNT_ROUNDS;
  const struct pg_kir_logging logging = {
    .what = part->what | more, .n_arrays = 1, .array_of = wish->array_of, .shift_of = wish->shift_of, .log_of = &log
  };
  enum pg_kir_mapping mapping = part->kind == LOOP                          ? wish->mapping
				: part->kind == ADDRESSES && wish->is_short ? PG_KIR_STRIDED_I32
									    : PG_KIR_STRIDED;
  struct pg_kir_kernel loop, spmd;
  struct pg_kir_error error;
  pg_kir_begin (&loop, NULL);
  if (part->kind == SCAN)
    assert_true (pg_kir_scan (&loop, (enum pg_kir_log) log, &error));
  else
    assert_true (pg_kir_instrument (&loop, &kernels->loop, &logging, &error));
  pg_kir_write (&loop, expected, sizeof expected);
  pg_kir_write (&variant->loops[role], text, sizeof text);
  assert_string_equal (text, expected);
  assert_int_equal (variant->mappings[role], mapping);
  spmd = map_kernel (&loop, mapping, N_THREADS);
  pg_kir_write (&spmd, expected, sizeof expected);
  assert_string_equal (compiled.texts[k], expected);
  assert_string_equal (compiled.names[k], pg_role_name ((enum pg_role) role));
  pg_kir_end (&spmd);
  pg_kir_end (&loop);
}

static void
methods_have_their_kernels (void **state)
{
  enum
  {
    W = PG_KIR_NOTE_WRITES,
    R = PG_KIR_NOTE_READS,
    T = PG_KIR_TEST_READS,
    A = PG_KIR_ADDRESSES_ONLY
  };
  static const struct part parts[PG_N_METHODS][PG_N_ROLES] = {
    [PG_METHOD_PLAIN] = { { LOOP, 0 } },
    [PG_METHOD_FULL] = { { LOOP, W | R }, { SCAN, 0 } },
    [PG_METHOD_ATOMIC] = { { LOOP, W | R }, { SCAN, 0 } },
    [PG_METHOD_REDUCTION] = { { LOOP, W | R }, { SCAN, 0 } },
    [PG_METHOD_SELECTIVE] = { { LOOP, W }, { ADDRESSES, T | A } },
    [PG_METHOD_NONE] = { { LOOP, W } },
    [PG_METHOD_INSPECTOR] = { { ADDRESSES, W | A }, { ADDRESSES, T | A | PG_KIR_NOT_RUN_YET }, { LOOP, 0 } },
  };
  struct pg_kernels kernels = kernels_of (scatter, 24);
  (void) state;
  for (int method = 0; method < PG_N_METHODS; method++)
    for (int i = 0; i < 2; i++)
      {
	struct pg_wish wish = wish_of ((enum pg_method) method);
	struct pg_variant *variant;
	size_t k = 0;
	wish.is_short = i > 0;
	wish.mapping = i > 0 ? PG_KIR_CHUNKED : PG_KIR_STRIDED_I32;
	wish.more = i > 0 ? PG_KIR_COUNT_ROUNDS | PG_KIR_FIND_NANS : 0;
	assert_int_equal (pg_kernels_get (&kernels, &wish, &device, &variant), PG_KERNELS_OK);
	assert_ptr_equal (variant->module, &compiled);
	for (int role = 0; role < PG_N_ROLES; role++)
	  if (parts[method][role].kind == NOTHING)
	    assert_int_equal (variant->loops[role].n_blocks, 0);
	  else
	    check_role (&kernels, variant, role, k++, &parts[method][role]);
	assert_int_equal (compiled.n_kernels, k);
      }
  forget (&kernels);
}

static void
variants_are_kept (void **state)
{
  struct pg_kernels kernels = kernels_of (scatter, 24);
  struct pg_variant *variants[MOST_VARIANTS], *variant;
  struct pg_wish wish = wish_of (PG_METHOD_FULL);
  (void) state;
  for (int round = 0; round < 2; round++)
    for (uint32_t v = 0; v < MOST_VARIANTS; v++)
      {
	wish.n_threads = v + 1;
	variant = NULL;
	assert_int_equal (pg_kernels_get (&kernels, &wish, &device, &variant), PG_KERNELS_OK);
	assert_int_equal (variant->wish.n_threads, v + 1);
	if (round == 1)
	  assert_ptr_equal (variant, variants[v]);
	variants[v] = variant;
      }
  assert_int_equal (compiled.n_calls, MOST_VARIANTS);
  wish.n_threads = MOST_VARIANTS + 1;
  assert_int_equal (pg_kernels_get (&kernels, &wish, &device, &variant), PG_KERNELS_MANY);
  assert_int_equal (compiled.n_calls, MOST_VARIANTS);
  forget (&kernels);
}

/* What KERNELS come to by WISH, which is not met; nothing is left of that.  */
static enum pg_kernels_status
status_of (struct pg_kernels *kernels, const struct pg_wish *wish)
{
  size_t n_variants = kernels->n_variants;
  struct pg_variant *variant;
  int n_before = n_live;
  enum pg_kernels_status status = pg_kernels_get (kernels, wish, &device, &variant);
  assert_int_not_equal (status, PG_KERNELS_OK);
  assert_int_equal (n_live, n_before);
  assert_int_equal (kernels->n_variants, n_variants);
  return status;
}

static void
what_cannot_be_made_has_a_status (void **state)
{
  struct pg_kernels kernels = kernels_of (append, 24);
  struct pg_wish wish = wish_of (PG_METHOD_FULL);
  struct pg_variant *variant;
  (void) state;
  assert_int_equal (pg_kernels_get (&kernels, &wish, &device, &variant), PG_KERNELS_OK);
  wish.n_threads = 0;
  assert_int_equal (status_of (&kernels, &wish), PG_KERNELS_LARGE);
  wish = wish_of (PG_METHOD_FULL);
  wish.n_arrays = PG_KIR_MOST_ARRAYS + 1;
  assert_int_equal (status_of (&kernels, &wish), PG_KERNELS_LARGE);
  wish = wish_of (PG_METHOD_SELECTIVE);
  assert_int_equal (status_of (&kernels, &wish), PG_KERNELS_METHOD);
  assert_int_equal (compiled.n_calls, 1);
  wish = wish_of (PG_METHOD_NONE);
  compiled.fails = true;
  assert_int_equal (status_of (&kernels, &wish), PG_KERNELS_FAILED);
  assert_string_equal (said, "a.c:5 loop: its kernels cannot be compiled: it is too hard");
  compiled.fails = false;
  assert_int_equal (pg_kernels_get (&kernels, &wish, &device, &variant), PG_KERNELS_OK);
  forget (&kernels);
}

/* Each allocation fails once.  */
static void
without_memory_nothing_is_left (void **state)
{
  struct pg_region region = region_of (scatter, 24);
  struct pg_wish wish = wish_of (PG_METHOD_PLAIN);
  struct pg_kernels kernels;
  struct pg_variant *variant;
  (void) state;
  no_calloc = true;
  assert_int_equal (pg_kernels_begin (&kernels, &region), PG_KERNELS_NO_MEMORY);
  no_calloc = false;
  forget (&kernels);
  for (int n = 0; n == 0 || n_left == 0; n++)
    {
      n_left = n;
      enum pg_kernels_status status = pg_kernels_begin (&kernels, &region);
      if (n_left > 0)
	assert_int_equal (status, PG_KERNELS_OK);
      else if (status != PG_KERNELS_OK)
	assert_null (kernels.uses);
      if (n_left == 0)
	forget (&kernels);
    }
  n_left = -1;
  assert_int_equal (pg_kernels_get (&kernels, &wish, &device, &variant), PG_KERNELS_OK);
  wish = wish_of (PG_METHOD_INSPECTOR);
  no_calloc = true;
  assert_int_equal (status_of (&kernels, &wish), PG_KERNELS_NO_MEMORY);
  no_calloc = false;
  n_left = 0;
  assert_int_equal (status_of (&kernels, &wish), PG_KERNELS_NO_MEMORY);
  int n_calls = compiled.n_calls;
  for (int n = 1; compiled.n_calls == n_calls; n++)
    {
      n_left = n;
      if (pg_kernels_get (&kernels, &wish, &device, &variant) != PG_KERNELS_OK)
	{
	  n_left = n;
	  status_of (&kernels, &wish);
	}
    }
  n_left = -1;
  forget (&kernels);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (floats_are_seen, set_up),
    cmocka_unit_test_setup (bad_kernels_are_refused, set_up),
    cmocka_unit_test_setup (methods_have_their_kernels, set_up),
    cmocka_unit_test_setup (variants_are_kept, set_up),
    cmocka_unit_test_setup (what_cannot_be_made_has_a_status, set_up),
    cmocka_unit_test_setup (without_memory_nothing_is_left, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
