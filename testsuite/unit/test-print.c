/* SPDX-License-Identifier: MIT
   Printed kernels, compiled for the host, compute what the interpreter computes: the kernels of testsuite/kir, and each
   operation of each type on numbers at the limits.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/print.h"
#include "kir-kernels.h"
#include "kir-run.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  PATH_LEN = 4096,
  MOST_KERNELS = 512,
  N_GOLDEN = 6 /* the first ones are those of testsuite/kir */
};

typedef void loop_fn (char *args, uint64_t iter0, uint64_t iter1);

static char folder[] = "/tmp/paragon-print-XXXXXX";
static char text[TEXT_LEN];
static struct pg_kir_kernel kernels[MOST_KERNELS];
static loop_fn *loops[MOST_KERNELS];
static int n_kernels;

/* Add KERNEL, which must be right.  */
static void
add (struct pg_kir_kernel kernel)
{
  assert_true (n_kernels < MOST_KERNELS);
  verify_kernel (&kernel);
  kernels[n_kernels++] = kernel;
}

/* Begin KERNEL, with one block, of OP of TYPE.  */
static void
begin_operation (struct pg_kir_kernel *kernel, enum pg_kir_op op, enum pg_kir_type type, const char *of)
{
  pg_kir_begin (kernel, NULL);
  snprintf (kernel->name, sizeof kernel->name, "%s %s of %s", pg_kir_ops[op].name, pg_kir_types[type].name, of);
  kernel->args_len = 32;
  kernel->n_refs = 1;
  kernel->n_dims = 2;
  pg_kir_add_block (kernel);
}

/* Add KERNEL, which stores RESULT.  */
static void
add_stored (struct pg_kir_kernel kernel, pg_kir_value result)
{
  pg_kir_value there = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_ARG, PG_KIR_PTR, 0, 0, 0);
  pg_kir_add_simple (&kernel, 0, PG_KIR_OP_STORE, PG_KIR_VOID, 0, there, result);
  pg_kir_add_simple (&kernel, 0, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  add (kernel);
}

/* Add "*(TYPE *) arg 0 = OP (args 8, 16, 24)", the operands being of types A, B and C, PG_KIR_VOID: not there.  */
static void
add_operation (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type a, enum pg_kir_type b, enum pg_kir_type c)
{
  struct pg_kir_kernel kernel;
  const enum pg_kir_type types[] = { a, b, c };
  pg_kir_value operands[4] = { 0 };
  unsigned n = 0;
  begin_operation (&kernel, op, type, pg_kir_types[a].name);
  for (; n < 3 && types[n] != PG_KIR_VOID; n++)
    operands[n] = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_ARG, types[n], 8 + 8 * (int64_t) n, 0, 0);
  add_stored (kernel, pg_kir_add (&kernel, 0, op, type, 0, operands, n, NULL, 0));
}

/* Add divisions of numbers of TYPE by constants.  */
static void
add_divisions (enum pg_kir_op op, enum pg_kir_type type)
{
  static const int64_t divisors[] = { 0, 1, 2, 7, -1, -2, -7, INT8_MIN, INT64_MIN };
  for (size_t i = 0; i < sizeof divisors / sizeof *divisors; i++)
    {
      struct pg_kir_kernel kernel;
      uint64_t bits = pg_kir_cut (type, (uint64_t) divisors[i]);
      begin_operation (&kernel, op, type, "a constant");
      pg_kir_value number = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_ARG, type, 8, 0, 0);
      pg_kir_value by = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_CONST, type, (int64_t) bits, 0, 0);
      add_stored (kernel, pg_kir_add_simple (&kernel, 0, op, type, 0, number, by));
    }
}

static bool
is_of (enum pg_kir_type type, enum pg_kir_kind kind)
{
  return pg_kir_types[type].kind == kind;
}

/* Add OP of an operand of type A, with a result of type TYPE, if there is such an operation.  */
static void
add_if_fits (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type a)
{
  unsigned len = pg_kir_types[type].len, len_a = pg_kir_types[a].len;
  bool is_int = is_of (type, PG_KIR_KIND_INT), is_int_a = is_of (a, PG_KIR_KIND_INT);
  bool is_float = is_of (type, PG_KIR_KIND_FLOAT), is_float_a = is_of (a, PG_KIR_KIND_FLOAT);
  enum pg_kir_shape shape = pg_kir_ops[op].shape;
  if (type == PG_KIR_VOID || a == PG_KIR_VOID)
    return;
  if ((shape == PG_KIR_INT2 && is_int && type == a) || (shape == PG_KIR_FLOAT2 && is_float && type == a)
      || (shape == PG_KIR_CMP_INT && type == PG_KIR_I8 && !is_float_a)
      || (shape == PG_KIR_CMP_FLOAT && type == PG_KIR_I8 && is_float_a))
    add_operation (op, type, a, a, PG_KIR_VOID);
  if ((shape == PG_KIR_FLOAT1 && is_float && type == a) || (shape == PG_KIR_NARROW && is_int && is_int_a && len < len_a)
      || (shape == PG_KIR_WIDEN && is_int && is_int_a && len > len_a)
      || (shape == PG_KIR_INT_FLOAT && is_float && is_int_a) || (shape == PG_KIR_FLOAT_INT && is_int && is_float_a)
      || (shape == PG_KIR_FLOAT_FLOAT && is_float && is_float_a && type != a)
      || (shape == PG_KIR_BITS && len == len_a && type != a))
    add_operation (op, type, a, PG_KIR_VOID, PG_KIR_VOID);
  if (shape == PG_KIR_FLOAT3 && is_float && type == a)
    add_operation (op, type, a, a, a);
  if (shape == PG_KIR_SELECT && a == PG_KIR_I8)
    add_operation (op, type, a, type, type);
  if (shape == PG_KIR_ADDRESS && type == PG_KIR_PTR && a == PG_KIR_PTR)
    add_operation (op, type, a, PG_KIR_I64, PG_KIR_VOID);
}

/* Print all kernels into FILE.  */
static void
print_all (FILE *file)
{
  fprintf (file, "#include \"%s/cuda/prelude.cuh\"\n", root ());
  for (int k = 0; k < n_kernels; k++)
    {
      char name[32];
      snprintf (name, sizeof name, "loop_%d", k);
      size_t len = pg_cuda_print (&kernels[k], name, text, sizeof text);
      assert_true (len < sizeof text);
      assert_int_equal (len, strlen (text));
      fprintf (file, "%svoid start_%d (char *args, pg_i64 i, pg_i64 j) { %s (args", text, k, name);
      for (uint32_t c = 0; c < kernels[k].n_carries; c++)
	fprintf (file, ", (pg_%s *) (args + %u)", pg_kir_types[kernels[k].carries[c].type].name,
		 (unsigned) kernels[k].carries[c].offset);
      fprintf (file, ", i%s); }\n", kernels[k].n_dims > 1 ? ", j" : "");
    }
}

/* Compile all kernels with LANGUAGE's rules, and load them.  */
static void
compile_all (const char *language)
{
  char path[PATH_LEN], command[4 * PATH_LEN];
  const char *cc = getenv ("PG_CC") == NULL ? "gcc" : getenv ("PG_CC");
  snprintf (path, sizeof path, "%s/%s.text", folder, language);
  FILE *file = fopen (path, "w");
  assert_non_null (file);
  print_all (file);
  fclose (file);
  snprintf (command, sizeof command,
	    "sed 's/^void start/EXTERN void start/' %s | %s -x %s -DEXTERN='%s' -O2 -ffp-contract=off "
	    "-fno-strict-aliasing -fwrapv"
	    " -shared -fPIC - -o %s/%s.so",
	    path, cc, language, language[1] == '\0' ? "" : "extern \"C\"", folder, language);
  assert_int_equal (system (command), 0);
  snprintf (path, sizeof path, "%s/%s.so", folder, language);
  void *library = dlopen (path, RTLD_NOW);
  assert_non_null (library);
  for (int k = 0; k < n_kernels; k++)
    {
      char name[32];
      snprintf (name, sizeof name, "start_%d", k);
      loops[k] = (loop_fn *) dlsym (library, name);
      assert_non_null (loops[k]);
    }
}

static int
set_up (void **state)
{
  (void) state;
  if (mkdtemp (folder) == NULL)
    return -1;
  add (read_kernel (golden ("axpy")));
  add (read_kernel (golden ("spmv")));
  add (read_kernel (golden ("kinds")));
  add (read_kernel (golden ("sum")));
  add (read_kernel (golden ("overlap")));
  add (read_kernel (golden ("loose")));
  for (int op = 0; op < PG_KIR_N_OPS; op++)
    for (int type = 0; type < PG_KIR_N_TYPES; type++)
      for (int a = 0; a < PG_KIR_N_TYPES; a++)
	add_if_fits (op, type, a);
  for (int type = 0; type < PG_KIR_N_TYPES; type++)
    if (is_of (type, PG_KIR_KIND_INT))
      {
	add_divisions (PG_KIR_OP_SDIV, type);
	add_divisions (PG_KIR_OP_SREM, type);
      }
  return 0;
}

static int
tear_down (void **state)
{
  char command[PATH_LEN];
  (void) state;
  for (int k = 0; k < n_kernels; k++)
    pg_kir_end (&kernels[k]);
  snprintf (command, sizeof command, "rm -r %s", folder);
  return system (command);
}

/* Numbers at the limits, as bits.  */
static size_t
numbers (uint64_t *bits)
{
  static const double floats[] = { 0.0,
				   -0.0,
				   1.0,
				   -1.0,
				   0.5,
				   -0.999,
				   127.9,
				   128.0,
				   -128.9,
				   -129.0,
				   32768.0,
				   2147483647.5,
				   2147483648.0,
				   -2147483649.0,
				   9223372036854774784.0,
				   9223372036854775808.0,
				   -9223372036854775808.0,
				   18446744073709549568.0,
				   1e300,
				   4.9e-324,
				   1e-310,
				   3.4e38,
				   INFINITY,
				   -INFINITY };
  static const uint64_t ints[] = { 2,
				   3,
				   7,
				   8,
				   31,
				   63,
				   127,
				   128,
				   255,
				   256,
				   32767,
				   32768,
				   65535,
				   0x7fffffff,
				   0x80000000,
				   0xffffffff,
				   0x7fffffffffffffff,
				   0x8000000000000000,
				   0xffffffffffffffff,
				   0x123456789abcdef0,
				   0x7fc00000,
				   0x7ff8000000000000 };
  size_t n = 0;
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
    bits[n++] = ints[i];
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    {
      float small = (float) floats[i];
      uint32_t small_bits;
      memcpy (&small_bits, &small, sizeof small_bits);
      bits[n++] = small_bits;
      memcpy (&bits[n++], &floats[i], sizeof *bits);
    }
  return n;
}

static bool
is_nan (enum pg_kir_type type, uint64_t bits)
{
  uint64_t inf = type == PG_KIR_F32 ? 0x7f800000 : 0x7ff0000000000000;
  uint64_t sign = type == PG_KIR_F32 ? 0x80000000 : 0x8000000000000000;
  return (type == PG_KIR_F32 || type == PG_KIR_F64) && (bits & ~sign) > inf;
}

/* Run operation K on OPERANDS both ways.  */
static void
compare_operation (int k, struct pg_kir_machine *machine, const uint64_t *operands)
{
  uint64_t expected = 0, result = 0;
  const struct pg_kir_instr *instr = &kernels[k].instrs[kernels[k].n_instrs - 4];
  struct
  {
    uint64_t *result, operands[3];
  } args = { &expected, { operands[0], operands[1], operands[2] } };
  struct pg_kir_space space = { (char *) &expected, sizeof expected, true };
  machine->args = (char *) &args;
  machine->spaces = &space;
  enum pg_kir_outcome outcome = pg_kir_interpret (machine, (int64_t[]) { 0, 0 });
  if (outcome == PG_KIR_DIVIDED_BY_ZERO)
    return;
  assert_int_equal (outcome, PG_KIR_DONE);
  args.result = &result;
  loops[k]((char *) &args, 0, 0);
  if (result != expected && !(is_nan (instr->type, result) && is_nan (instr->type, expected)))
    fail_msg ("%s (%llx, %llx, %llx): %llx, not %llx", kernels[k].name, (unsigned long long) operands[0],
	      (unsigned long long) operands[1], (unsigned long long) operands[2], (unsigned long long) result,
	      (unsigned long long) expected);
}

static void
compare_operations (void)
{
  static uint64_t bits[128];
  size_t n = numbers (bits);
  for (int k = N_GOLDEN; k < n_kernels; k++)
    {
      struct pg_kir_machine machine;
      assert_true (pg_kir_machine_begin (&machine, &kernels[k]));
      machine.n_spaces = 1;
      machine.most_steps = 100;
      for (size_t a = 0; a < n; a++)
	for (size_t b = 0; b < n; b++)
	  compare_operation (k, &machine, (uint64_t[]) { bits[a], bits[b], bits[(a + b) % n] });
      pg_kir_machine_end (&machine);
    }
}

/* Run kernel K with ARGS both ways, N iterations of its first dimension, on OUT, LEN bytes.  */
static void
compare_loop (int k, void *args, const struct pg_kir_space *spaces, size_t n_spaces, char *out, size_t len)
{
  char *expected = malloc (len), *before = malloc (len);
  memcpy (before, out, len);
  struct pg_kir_machine machine;
  assert_true (pg_kir_machine_begin (&machine, &kernels[k]));
  machine.args = args;
  machine.spaces = spaces;
  machine.n_spaces = n_spaces;
  machine.most_steps = 100000;
  for (int64_t i = 0; i < N; i++)
    assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { i, N - 1 - i }), PG_KIR_DONE);
  memcpy (expected, out, len);
  memcpy (out, before, len);
  for (uint64_t i = 0; i < N; i++)
    loops[k](args, i, N - 1 - i);
  assert_memory_equal (out, expected, len);
  pg_kir_machine_end (&machine);
  free (expected);
  free (before);
}

static void
compare_loops (void)
{
  static int64_t results[N];
  struct
  {
    int64_t unused, *results;
  } kinds = { 0, results };
  const struct pg_kir_space spaces[] = {
    { (char *) y, sizeof y, true },
    { (char *) x, sizeof x, false },
    { (char *) start, sizeof start, false },
    { (char *) column, sizeof column, false },
    { (char *) element, sizeof element, true },
    { (char *) results, sizeof results, true },
  };
  compare_loop (0, &axpy, spaces, 6, (char *) y, sizeof y);
  compare_loop (1, &spmv, spaces, 6, (char *) y, sizeof y);
  compare_loop (2, &kinds, spaces, 6, (char *) results, sizeof results);
  struct sum_args sum = { .x = x, .sum = 1.5, .last = -1, .count = 3 };
  compare_loop (3, &sum, spaces, 6, (char *) &sum, sizeof sum);
  double *overlap = y;
  compare_loop (4, &overlap, spaces, 6, (char *) y, sizeof y);
  struct loose_args loose = { (char *) element + 1, .more = 0.7 };
  compare_loop (5, &loose, spaces, 6, (char *) element, sizeof element);
}

/* What a grid becomes, for people to read.  */
static void
grids_look_like_this (void **state)
{
  struct pg_kir_kernel grid = read_kernel (golden ("sum-tree"));
  (void) state;
  pg_cuda_print (&grid, "sum_tree", text, sizeof text);
  assert_string_equal (text, golden_file ("sum-tree.cu"));
  pg_kir_end (&grid);
}

/* C's pointers stay in objects: an address is computed as one only where nothing but an access depends on it.  */
static void
pointers_that_are_seen_are_integers (void **state)
{
  static const char from[] = "kernel \"x\" args 32 dims 1 refs 1\nb0:\n"
			     "v1 = arg ptr 0\nv2 = arg i64 8\n"
			     "v3 = address ptr v1 v2\nv4 = load i64 v3 ref 0\n" /* accessed only */
			     "v5 = address ptr v1 v4\nv6 = address ptr v5 v2\nv7 = ule i8 v1 v6\n"
			     "v8 = address ptr v1 v2\nstore void v3 v8 ref 0\nreturn void\nend\n";
  struct pg_kir_kernel kernel = read_kernel (from);
  (void) state;
  pg_cuda_print (&kernel, "name", text, sizeof text);
  assert_non_null (strstr (text, "v3 = v1 + (pg_s64) v2;"));
  assert_non_null (strstr (text, "v5 = (pg_ptr) ((pg_i64) v1 + v4);"));
  assert_non_null (strstr (text, "v6 = (pg_ptr) ((pg_i64) v5 + v2);"));
  assert_non_null (strstr (text, "v8 = (pg_ptr) ((pg_i64) v1 + v2);"));
  pg_kir_end (&kernel);
}

/* Compilers take it that numbers with a sign do not overflow.  */
static void
what_does_not_wrap_has_signs (void **state)
{
  static const char from[] = "kernel \"x\" args 32 dims 1 refs 1\nb0:\n"
			     "v1 = arg i32 0\nv2 = const i32 -3\nv3 = arg i64 8\n"
			     "v4 = add-nw i32 v1 v2\nv5 = sub-nw i64 v3 v3\nv6 = mul-nw i32 v4 v1\n"
			     "v7 = add i32 v1 v2\nv8 = mul i32 v4 v1\nreturn void\nend\n";
  struct pg_kir_kernel kernel = read_kernel (from);
  (void) state;
  pg_cuda_print (&kernel, "name", text, sizeof text);
  assert_non_null (strstr (text, "v4 = (pg_i32) ((pg_s32) v1 + -3);"));
  assert_non_null (strstr (text, "v5 = (pg_i64) ((pg_s64) v3 - (pg_s64) v3);"));
  assert_non_null (strstr (text, "v6 = (pg_i32) ((pg_s32) v4 * (pg_s32) v1);"));
  assert_non_null (strstr (text, "v7 = v1 + -3u;"));
  assert_non_null (strstr (text, "v8 = v4 * v1;"));
  pg_kir_end (&kernel);
}

/* What is known stands where it is, for compilers to rely on.  */
static void
what_is_known_is_told (void **state)
{
  static const char from[] = "kernel \"x\" args 32 dims 1 refs 1\nb0:\n"
			     "v1 = arg i8 0\nknown void v1 line 3\nreturn void\nend\n";
  struct pg_kir_kernel kernel = read_kernel (from);
  (void) state;
  pg_cuda_print (&kernel, "name", text, sizeof text);
  assert_non_null (strstr (text, "  PG_KNOWN (v1); // line:3\n"));
  pg_kir_end (&kernel);
}

/* A constant that is added to an element's number, of 32 bits, or to its address, counts elements too.  */
static void
elements_beside_others_are_counted (void **state)
{
  static const struct
  {
    const char *offset; /* v9, of v4, a number of 64 bits that had 32, v5 to v8, and v3, which had more */
    const char *text;
  } cases[] = {
    { "v9 = mul i64 v4 v5\n", "((pg_i64 *) v1 + (pg_s64) v4)" },
    { "v10 = add i64 v4 v6\nv9 = mul i64 v10 v5\n", "((pg_i64 *) v1 + ((pg_s64) v4 - 16))" },
    { "v10 = add-nw i64 v4 v5\nv9 = mul i64 v10 v5\n", "((pg_i64 *) v1 + ((pg_s64) v4 + 8))" },
    { "v10 = mul i64 v4 v5\nv9 = add i64 v10 v6\n", "((pg_i64 *) v1 + ((pg_s64) v4 - 2))" },
    { "v10 = add i64 v4 v5\nv11 = mul i64 v10 v5\nv9 = add i64 v11 v6\n", "((pg_i64 *) v1 + ((pg_s64) v4 + 6))" },
    { "v10 = add i64 v4 v5\nv11 = mul i64 v10 v5\nv12 = const i64 -64\nv9 = add i64 v11 v12\n",
      "((pg_i64 *) v1 + (pg_s64) v4)" },
    { "v10 = mul i64 v4 v5\nv9 = add i64 v10 v7\n", NULL }, /* between two elements */
    { "v10 = add i64 v4 v8\nv9 = mul i64 v10 v5\n", NULL }, /* may wrap around */
    { "v10 = mul i64 v4 v5\nv9 = add i64 v10 v8\n", NULL }, /* the same */
    { "v10 = add i64 v3 v6\nv9 = mul i64 v10 v5\n", NULL }, /* the same */
    { "v10 = sub i64 v4 v6\nv9 = mul i64 v10 v5\n", NULL },
    { "v10 = mul i64 v4 v5\nv9 = add i64 v10 v10\n", NULL },
  };
  static char from[1024];
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      snprintf (from, sizeof from,
		"kernel \"x\" args 32 dims 1 refs 1\nb0:\nv1 = arg ptr 0\nv2 = arg i32 8\nv3 = arg i64 16\n"
		"v4 = sext i64 v2\nv5 = const i64 8\nv6 = const i64 -16\nv7 = const i64 4\n"
		"v8 = const i64 0x4000000000000000\n%sv20 = address ptr v1 v9\nv21 = load f64 v20 ref 0\n"
		"return void\nend\n",
		cases[c].offset);
      struct pg_kir_kernel kernel = read_kernel (from);
      pg_cuda_print (&kernel, "name", text, sizeof text);
      const char *expected = cases[c].text == NULL ? "= v1 + (pg_s64) v" : cases[c].text;
      if (strstr (text, expected) == NULL)
	fail_msg ("%s%s", from, text);
      pg_kir_end (&kernel);
    }
}

/* nvcc takes it that numbers of elements do not wrap around: pointers are to elements only where that is known.  */
static void
elements_are_counted_where_nothing_wraps (void **state)
{
  static const struct
  {
    const char *number; /* v9, of v3, v4 and v5, a phi that V10 goes to */
    bool is_known;
  } cases[] = {
    { "v10 = add-nw i32 v5 v4\nv9 = load i32 v1 ref 0\n", true },
    { "v10 = add i32 v5 v4\nv9 = add-nw i32 v3 v5\n", false },
    { "v10 = add i32 v5 v3\nv9 = add-nw i32 v3 v5\n", true },
    { "v10 = add-nw i32 v5 v4\nv9 = add-nw i32 v5 v4\n", true },
    { "v10 = add-nw i32 v5 v4\nv9 = sub-nw i32 v5 v4\n", true },
    { "v10 = add-nw i32 v5 v4\nv9 = add i32 v5 v4\n", false },
    { "v10 = add-nw i32 v5 v4\nv9 = sub i32 v5 v4\n", false },
    { "v10 = add-nw i32 v5 v4\nv9 = xor i32 v5 v4\n", false },
    { "v10 = add-nw i32 v5 v4\nv11 = add i32 v5 v4\nv9 = add-nw i32 v3 v11\n", false },
    { "v10 = add-nw i32 v5 v4\nv11 = add-nw i32 v5 v4\nv9 = mul-nw i32 v3 v11\n", true },
    { "v10 = add-nw i32 v5 v4\nv11 = add-nw i32 v5 v4\nv9 = mul i32 v3 v11\n", false },
    { "v10 = add-nw i32 v5 v4\nv9 = mul i32 v3 v5\n", true },
    { "v10 = add-nw i32 v5 v4\nv9 = mul i32 v3 v4\n", false },
    { "v10 = add-nw i32 v5 v4\nv11 = sext i64 v5\nv12 = add i64 v11 v11\nv9 = trunc i32 v12\n", false },
  };
  static char from[1024];
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      snprintf (from, sizeof from,
		"kernel \"x\" args 32 dims 1 refs 1\nb0:\nv1 = arg ptr 0\nv2 = const i64 8\nv3 = arg i32 8\n"
		"v4 = const i32 5\njump void b1\nb1:\nv5 = phi i32 [b0 v3] [b2 v10]\n%s"
		"v20 = sext i64 v9\nv21 = mul i64 v20 v2\nv22 = address ptr v1 v21\nv23 = load f64 v22 ref 0\n"
		"v24 = address ptr v1 v21\nstore void v1 v24 ref 0\nv25 = slt i8 v10 v3\nbranch void v25 b2 b3\n"
		"b2:\njump void b1\nb3:\nreturn void\nend\n",
		cases[c].number);
      struct pg_kir_kernel kernel = read_kernel (from);
      pg_cuda_print (&kernel, "name", text, sizeof text);
      if ((strstr (text, "(pg_ptr) ((pg_i64 *) v1 + (pg_s64) v") != NULL) != cases[c].is_known)
	fail_msg ("%s%s", from, text);
      assert_non_null (strstr (text, "(pg_ptr) ((pg_i64) v1 + v")); /* what is seen */
      pg_kir_end (&kernel);
    }
}

/* Names and their files stand in comments.  */
static void
names_end_no_comment (void **state)
{
  struct pg_kir_kernel kernel;
  (void) state;
  pg_kir_begin (&kernel, NULL);
  snprintf (kernel.name, sizeof kernel.name, "a\nb?\?/\r*/.c:1 f");
  pg_kir_add_block (&kernel);
  pg_kir_value end = pg_kir_add_simple (&kernel, 0, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  kernel.instrs[end].line = 7;
  kernel.n_dims = 1;
  pg_cuda_print (&kernel, "name", text, sizeof text);
  assert_memory_equal (text, "/* a_b__/__/.c:1 f */\n", 22);
  assert_non_null (strstr (text, ":7\n}\n"));
  assert_null (strstr (text, "\nb"));
  assert_null (strchr (text, '\r'));
  pg_kir_end (&kernel);
}

/* Many cases that lead to many phis.  */
static void
text_is_as_long_as_the_kernel (void **state)
{
  enum
  {
    N_CASES = 4000,
    N_PHIS = 1000
  };
  static pg_kir_value operands[N_CASES + 1];
  static pg_kir_block_number targets[N_CASES + 1];
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  (void) state;
  pg_kir_begin (&kernel, NULL);
  pg_kir_block_number first = pg_kir_add_block (&kernel), second = pg_kir_add_block (&kernel);
  for (unsigned i = 0; i <= N_CASES; i++)
    {
      operands[i] = pg_kir_add_simple (&kernel, first, PG_KIR_OP_CONST, PG_KIR_I32, i, 0, 0);
      targets[i] = second;
    }
  pg_kir_add (&kernel, first, PG_KIR_OP_SWITCH, PG_KIR_VOID, 0, operands, N_CASES + 1, targets, N_CASES + 1);
  for (unsigned i = 0; i < N_PHIS; i++)
    pg_kir_add (&kernel, second, PG_KIR_OP_PHI, PG_KIR_I32, 0, operands, 1, &first, 1);
  pg_kir_add_simple (&kernel, second, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  assert_true (pg_kir_verify (&kernel, &error));
  assert_in_range (pg_cuda_print (&kernel, "name", NULL, 0), 1, 100 * (kernel.n_instrs + kernel.n_pool));
  pg_kir_end (&kernel);
}

static void
printed_c_computes_the_same (void **state)
{
  (void) state;
  compile_all ("c");
  compare_operations ();
  compare_loops ();
}

static void
printed_cpp_computes_the_same (void **state)
{
  (void) state;
  compile_all ("c++");
  compare_operations ();
  compare_loops ();
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (grids_look_like_this),
    cmocka_unit_test (pointers_that_are_seen_are_integers),
    cmocka_unit_test (what_does_not_wrap_has_signs),
    cmocka_unit_test (elements_are_counted_where_nothing_wraps),
    cmocka_unit_test (elements_beside_others_are_counted),
    cmocka_unit_test (what_is_known_is_told),
    cmocka_unit_test (names_end_no_comment),
    cmocka_unit_test (text_is_as_long_as_the_kernel),
    cmocka_unit_test (printed_c_computes_the_same),
    cmocka_unit_test (printed_cpp_computes_the_same),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
