/* SPDX-License-Identifier: MIT
   Packed KIR: what is unpacked is what was packed, it is small, what was packed once stays readable, and no bytes do
   harm.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-golden.h"
#include "kir/kir.h"
#include "testsuite/fuzz/reader/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PACKED_LEN = 1 << 12
};

static const char *const names[] = { "axpy", "kinds", "spmv", "sum", "axpy-strided", "sum-tree", "loose" };

enum
{
  N_NAMES = sizeof names / sizeof *names
};

/* The kernel that TEXT says, verified.  */
static struct pg_kir_kernel
kernel_of (const char *text)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, counted_resize);
  if (!pg_kir_read (&kernel, text, strlen (text), &error) || !pg_kir_verify (&kernel, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  return kernel;
}

/* Pack the kernel that TEXT says into BYTES, PACKED_LEN of them; the length.  */
static size_t
packed (const char *text, unsigned char *bytes)
{
  struct pg_kir_kernel kernel = kernel_of (text);
  size_t len = pg_kir_pack (&kernel, bytes, PACKED_LEN);
  assert_in_range (len, 1, PACKED_LEN);
  pg_kir_end (&kernel);
  return len;
}

/* Unpack LEN BYTES, from memory that ends there.  */
static bool
unpack (struct pg_kir_kernel *kernel, const unsigned char *bytes, size_t len, struct pg_kir_error *error)
{
  unsigned char *copy = malloc (len);
  memcpy (copy, bytes, len);
  *error = (struct pg_kir_error) { .text = "" };
  pg_kir_begin (kernel, counted_resize);
  bool is_good = pg_kir_unpack (kernel, copy, len, error);
  free (copy);
  return is_good;
}

/* LEN BYTES are a good kernel, which is written as TEXT.  */
static void
assert_unpacked (const unsigned char *bytes, size_t len, const char *text)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  if (!unpack (&kernel, bytes, len, &error) || !pg_kir_verify (&kernel, &error))
    fail_msg ("byte %u: %s", (unsigned) error.at, error.text);
  char *again = text_of (&kernel);
  assert_string_equal (again, text);
  free (again);
  pg_kir_end (&kernel);
}

static void
what_is_packed_is_unpacked (void **state)
{
  unsigned char bytes[PACKED_LEN];
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      size_t len = packed (golden (names[i]), bytes);
      assert_unpacked (bytes, len, golden (names[i]));
      assert_int_equal (n_bytes, 0);
    }
}

/* What pack.h shows, so that it is true, and so that what is in objects today is read tomorrow.  */
static void
the_form_is_as_described (void **state)
{
  static const char text[] = "kernel \"x\" args 8 dims 1 refs 1\nb0:\n  v1 = iter i64 0\n  v2 = arg ptr 0\n"
			     "  v3 = address ptr v2 v1\n  v4 = load i8 v3 ref 0 line 4\n"
			     "  store void v3 v4 ref 0 line 4\n  return void\nend\n";
  static const unsigned char form[]
    = { 0x01, 0x01, 0x78, 0x08, 0x01, 0x01, 0x00, 0x00, 0x01, 0x03, 0x00, 0x02, 0x07, 0x00,
	0x06, 0x01, 0x02, 0x87, 0x09, 0x01, 0x01, 0x00, 0x08, 0x02, 0x01, 0x00, 0x8d, 0x00 };
  unsigned char bytes[PACKED_LEN];
  (void) state;
  assert_int_equal (packed (text, bytes), sizeof form);
  assert_memory_equal (bytes, form, sizeof form);
  assert_unpacked (form, sizeof form, text);
}

/* The length is of all of it, and nothing is put behind the room there is.  */
static void
room_is_respected (void **state)
{
  unsigned char bytes[PACKED_LEN], little[PACKED_LEN];
  struct pg_kir_kernel kernel = kernel_of (golden ("axpy"));
  size_t len = pg_kir_pack (&kernel, bytes, sizeof bytes);
  (void) state;
  assert_int_equal (pg_kir_pack (&kernel, NULL, 0), len);
  for (size_t room = 0; room < len; room++)
    {
      memset (little, 0x55, sizeof little);
      assert_int_equal (pg_kir_pack (&kernel, little, room), len);
      assert_memory_equal (little, bytes, room);
      assert_int_equal (little[room], 0x55);
    }
  pg_kir_end (&kernel);
}

/* Instructions of kernels that passes have changed are in any order, and some are nowhere.  */
static void
values_are_numbered_in_order (void **state)
{
  unsigned char bytes[PACKED_LEN];
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  (void) state;
  pg_kir_begin (&kernel, counted_resize);
  pg_kir_block_number first = pg_kir_add_block (&kernel), second = pg_kir_add_block (&kernel);
  pg_kir_add_simple (&kernel, second, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  pg_kir_value gone = pg_kir_add_simple (&kernel, first, PG_KIR_OP_CONST, PG_KIR_I8, 7, 0, 0);
  pg_kir_value one = pg_kir_add_simple (&kernel, first, PG_KIR_OP_CONST, PG_KIR_I16, -5, 0, 0);
  pg_kir_add_simple (&kernel, first, PG_KIR_OP_ADD, PG_KIR_I16, 0, one, one);
  pg_kir_add (&kernel, first, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &second, 1);
  assert_int_equal (kernel.blocks[first].code[0], gone);
  kernel.blocks[first].n--;
  memmove (kernel.blocks[first].code, kernel.blocks[first].code + 1,
	   kernel.blocks[first].n * sizeof *kernel.blocks[first].code);
  assert_true (pg_kir_verify (&kernel, &error));
  size_t len = pg_kir_pack (&kernel, bytes, sizeof bytes);
  assert_unpacked (bytes, len,
		   "kernel \"\" args 0 dims 1 refs 0\nb0:\n  v1 = const i16 -5\n  v2 = add i16 v1 v1\n"
		   "  jump void b1\nb1:\n  return void\nend\n");
  pg_kir_end (&kernel);
  assert_int_equal (n_bytes, 0);
}

/* A kernel of OP with a result of TYPE and OPERANDS, PG_KIR_VOID: not there; a grid of N_THREADS if that is not 0.
   False: there is none.  */
static bool
is_kernel (struct pg_kir_kernel *kernel, enum pg_kir_op op, enum pg_kir_type type, const enum pg_kir_type *operands,
	   uint32_t n_threads)
{
  struct pg_kir_error error;
  pg_kir_value values[3];
  unsigned n = 0;
  pg_kir_begin (kernel, counted_resize);
  kernel->args_len = 16;
  kernel->n_refs = 1;
  kernel->n_threads = n_threads;
  kernel->shared_len = n_threads;
  pg_kir_block_number block = pg_kir_add_block (kernel);
  if (n_threads == 0)
    pg_kir_add_carry (kernel, type == PG_KIR_VOID ? operands[0] : type, PG_KIR_COMBINE_LAST, 0);
  for (; n < 3 && operands[n] != PG_KIR_VOID; n++)
    values[n] = pg_kir_add_simple (kernel, block, PG_KIR_OP_ARG, operands[n], 8, 0, 0);
  pg_kir_add (kernel, block, op, type, 0, values, n, NULL, 0);
  if (pg_kir_ops[op].shape < PG_KIR_JUMP)
    pg_kir_add_simple (kernel, block, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  return pg_kir_verify (kernel, &error);
}

/* Of any types that it may be of, in both forms.  Operations whose blocks are more than one are in testsuite/kir.  */
static void
every_operation_is_unpacked (void **state)
{
  bool is_seen[PG_KIR_N_OPS] = { [PG_KIR_OP_PHI] = true, true, true, true, true };
  const unsigned n = PG_KIR_N_TYPES;
  (void) state;
  for (unsigned at = 0; at < 2 * PG_KIR_N_OPS * n * n * n * n; at++)
    {
      struct pg_kir_kernel kernel;
      enum pg_kir_type types[4];
      unsigned rest = at / 2;
      for (int i = 0; i < 4; i++, rest /= n)
	types[i] = (enum pg_kir_type) (rest % n);
      if (is_kernel (&kernel, (enum pg_kir_op) rest, types[0], types + 1, at % 2 * 64))
	{
	  char *text = text_of (&kernel);
	  is_seen[rest] = true;
	  if (!is_same_from_bytes (&kernel, text))
	    fail_msg ("%s", text);
	  free (text);
	}
      pg_kir_end (&kernel);
    }
  for (int op = 0; op < PG_KIR_N_OPS; op++)
    if (!is_seen[op])
      fail_msg ("%s", pg_kir_ops[op].name);
  assert_int_equal (n_bytes, 0);
}

/* Numbers at the limits of the form, and of types.  */
static void
every_number_is_unpacked (void **state)
{
  static const enum pg_kir_type types[]
    = { PG_KIR_I8, PG_KIR_I16, PG_KIR_I32, PG_KIR_I64, PG_KIR_F32, PG_KIR_F64, PG_KIR_PTR };
  (void) state;
  for (int bit = 0; bit <= 64; bit++)
    for (int about = -2; about <= 2; about++)
      for (size_t t = 0; t < sizeof types / sizeof *types; t++)
	{
	  struct pg_kir_kernel kernel;
	  uint64_t bits = (bit == 64 ? 0 : (uint64_t) 1 << bit) + (uint64_t) about;
	  pg_kir_begin (&kernel, counted_resize);
	  pg_kir_block_number block = pg_kir_add_block (&kernel);
	  pg_kir_add_simple (&kernel, block, PG_KIR_OP_CONST, types[t], (int64_t) bits, 0, 0);
	  pg_kir_value end = pg_kir_add_simple (&kernel, block, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
	  kernel.instrs[1].line = (uint32_t) bits & (PG_KIR_MOST_LINES - 1);
	  kernel.instrs[end].line = (uint32_t) (bits >> 32) & (PG_KIR_MOST_LINES - 1);
	  char *text = text_of (&kernel);
	  if (!is_same_from_bytes (&kernel, text) || !is_same_from_text (text))
	    fail_msg ("%s", text);
	  free (text);
	  pg_kir_end (&kernel);
	}
}

/* Four bytes at most, as an object has one for each of its loops.  */
static void
kernels_are_small (void **state)
{
  unsigned char bytes[PACKED_LEN];
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      struct pg_kir_kernel kernel = kernel_of (golden (names[i]));
      size_t n_instrs = kernel.n_instrs - 1, len = pg_kir_pack (&kernel, bytes, sizeof bytes);
      size_t text_len = strlen (golden (names[i])), header_len = 9 + strlen (kernel.name);
      print_message ("%s: %zu instructions, %zu bytes, %.2f an instruction besides the header; text %zu\n", names[i],
		     n_instrs, len, (double) (len - header_len) / (double) n_instrs, text_len);
      assert_true (len - header_len <= 4 * n_instrs);
      pg_kir_end (&kernel);
    }
}

/* Each with the byte and words of the message.  */
static void
bad_bytes_are_refused_where_they_are_bad (void **state)
{
#define HEAD "\x01\x01x\x08\x01\x01\x00"
  static const struct
  {
    const char *bytes;
    size_t len;
    const char *message;
    unsigned at;
  } bad[] = {
#define BAD(bytes, message, at) { bytes, sizeof bytes - 1, message, at }
    BAD ("", "ends before the version", 0),
    BAD ("\x02\x01x", "version 2, not 1", 0),
    BAD ("\x01\x05xxxx", "within the name", 1),
    BAD ("\x01\xa0\x01", "160 is more than 159", 1),
    BAD ("\x01\x01x\x81\x80\x04", "arguments' length: 65537 is more than 65536", 3),
    BAD ("\x01\x01x\x00\x09", "dimensions: 9 is more than 8", 4),
    BAD ("\x01\x01x\x00\x01\x81\x20", "references: 4097 is more than 4096", 5),
    BAD ("\x01\x01x\x00\x01\x01\x81\x08", "threads: 1025 is more than 1024", 6),
    BAD ("\x01\x01x\x00\x01\x01\x01\x81\x80\x03", "shared memory: 49153 is more than 49152", 7),
    BAD (HEAD "\x81\x02", "carried values: 257 is more than 256", 7),
    BAD (HEAD "\x01\x63", "no type 99", 8),
    BAD (HEAD "\x01\x04\x63", "no way 99 to combine", 9),
    BAD (HEAD "\x01\x04\x00\x81\x80\x04", "an offset: 65537", 10),
    BAD (HEAD "\x00\x81\x80\x04", "blocks: 65537", 8),
    BAD (HEAD "\x00\x01", "ends before an operation", 9),
    BAD (HEAD "\x00\x01\x7f", "no operation 127", 9),
    BAD (HEAD "\x00\x01\x00", "no operation 0", 9),
    BAD (HEAD "\x00\x01\x8d\x02", "no line -1", 10),
    BAD (HEAD "\x00\x01\x83\x03\x00\x8d\x04", "no line -1", 13),
    BAD (HEAD "\x00\x01\x8d\xff\xff\xff\xff\x0f", "a line: 4294967295 is more", 10),
    BAD (HEAD "\x00\x01\x03\x81\x80\x04", "a number: 65537", 10),
    BAD (HEAD "\x00\x01\x02\x63", "no type 99", 10),
    BAD (HEAD "\x00\x01\x01\x04\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", "not a number of 64 bits", 11),
    BAD (HEAD "\x00\x01\x0f\x01", "an operand: 1 before instruction 1", 10),
    BAD (HEAD "\x00\x01\x0f\x00", "ends before an operand", 11),
    BAD (HEAD "\x00\x01\x0a\x02", "no block 1", 10),
    BAD (HEAD "\x00\x01\x0a\x01", "no block -1", 10),
    BAD (HEAD "\x00\x01\x09\xff\x1f", "operands: 4095 is more than", 10),
    BAD (HEAD "\x00\x01\x0d\x0d", "something follows", 10),
  };
  (void) state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      struct pg_kir_kernel kernel;
      struct pg_kir_error error;
      bool is_good = unpack (&kernel, (const unsigned char *) bad[i].bytes, bad[i].len, &error);
      if (is_good || strstr (error.text, bad[i].message) == NULL || error.at != bad[i].at)
	fail_msg ("%zu: byte %u: %s", i, (unsigned) error.at, error.text);
      assert_int_equal (kernel.n_blocks, 0);
      assert_int_equal (n_bytes, 0);
    }
}

/* What is verified can be packed, and unpacked again.  */
static void
more_threads_than_there_may_be_are_not_verified (void **state)
{
  struct pg_kir_error error;
  (void) state;
  for (int i = 0; i < 3; i++)
    {
      struct pg_kir_kernel kernel = kernel_of (golden ("axpy-strided"));
      if (i == 0)
	kernel.n_threads = PG_KIR_MOST_THREADS + 1;
      else if (i == 1)
	kernel.shared_len = PG_KIR_MOST_SHARED_LEN + 1;
      assert_int_equal (pg_kir_verify (&kernel, &error), i == 2);
      pg_kir_end (&kernel);
    }
}

/* A form that ends too early is never taken for another kernel.  */
static void
truncated_forms_are_refused (void **state)
{
  unsigned char bytes[PACKED_LEN];
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      size_t len = packed (golden (names[i]), bytes);
      for (size_t left = 0; left < len; left++)
	{
	  struct pg_kir_kernel kernel;
	  struct pg_kir_error error;
	  assert_false (unpack (&kernel, bytes, left, &error));
	  assert_in_range (error.at, 0, left);
	  assert_true (error.text[0] != '\0');
	  assert_int_equal (n_bytes, 0);
	}
    }
}

/* Each byte replaced by every seventh other: an error, or a kernel that is refused or is like any other.  */
static void
damaged_forms_do_no_harm (void **state)
{
  static unsigned char bytes[PACKED_LEN];
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      size_t len = packed (golden (names[i]), bytes);
      for (size_t at = 0; at < len; at++)
	for (unsigned change = 1 + at % 7; change < 256; change += 7)
	  {
	    unsigned char *copy = malloc (len);
	    memcpy (copy, bytes, len);
	    copy[at] ^= (unsigned char) change;
	    const char *what = check_packed (copy, len);
	    if (what != NULL)
	      fail_msg ("%s, byte %zu changed by %02x: %s", names[i], at, change, what);
	    free (copy);
	  }
    }
}

/* Memory that ends after N_LEFT more blocks.  */
static int n_left;

static void *
scarce (void *block, size_t old_len, size_t len)
{
  if (len > 0 && n_left-- == 0)
    return NULL;
  return counted_resize (block, old_len, len);
}

static void
without_memory_nothing_is_lost (void **state)
{
  unsigned char bytes[PACKED_LEN];
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      size_t len = packed (golden (names[i]), bytes);
      bool is_good = false;
      for (int n = 0; !is_good; n++)
	{
	  struct pg_kir_kernel kernel;
	  struct pg_kir_error error = { .text = "" };
	  n_left = n;
	  pg_kir_begin (&kernel, scarce);
	  is_good = pg_kir_unpack (&kernel, bytes, len, &error);
	  if (!is_good)
	    assert_non_null (strstr (error.text, "memory"));
	  else
	    {
	      n_left = 0;
	      assert_int_equal (pg_kir_pack (&kernel, bytes, len), 0);
	    }
	  pg_kir_end (&kernel);
	  assert_int_equal (n_bytes, 0);
	  assert_true (n < 1000);
	}
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_is_packed_is_unpacked),
    cmocka_unit_test (the_form_is_as_described),
    cmocka_unit_test (room_is_respected),
    cmocka_unit_test (values_are_numbered_in_order),
    cmocka_unit_test (every_operation_is_unpacked),
    cmocka_unit_test (every_number_is_unpacked),
    cmocka_unit_test (kernels_are_small),
    cmocka_unit_test (bad_bytes_are_refused_where_they_are_bad),
    cmocka_unit_test (more_threads_than_there_may_be_are_not_verified),
    cmocka_unit_test (truncated_forms_are_refused),
    cmocka_unit_test (damaged_forms_do_no_harm),
    cmocka_unit_test (without_memory_nothing_is_lost),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
