/* SPDX-License-Identifier: MIT
   KIR: what is written is what was read, what is wrong is refused with a reason, and the interpreter computes what C
   does.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir/evaluate.h"
#include "kir-kernels.h"
#include "kir/interpret.h"
#include "kir/prune.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is counted, and ends after N_LEFT more blocks.  */
static size_t n_bytes;
static int n_left = -1;

static void *
counted (void *block, size_t old_len, size_t len)
{
  if (len == 0)
    {
      n_bytes -= block == NULL ? 0 : old_len;
      free (block);
      return NULL;
    }
  if (n_left == 0)
    return NULL;
  n_left -= n_left > 0;
  void *grown = realloc (block, len);
  n_bytes += len - (block == NULL ? 0 : old_len);
  return grown;
}

static struct pg_kir_kernel
read_golden (const char *name)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .at = 0 };
  const char *text = golden (name);
  pg_kir_begin (&kernel, counted);
  bool is_good = pg_kir_read (&kernel, text, strlen (text), &error) && pg_kir_verify (&kernel, &error);
  if (!is_good)
    print_message ("%s: %u: %s\n", name, (unsigned) error.at, error.text);
  assert_true (is_good);
  return kernel;
}

static const char *const names[] = { "axpy", "spmv", "kinds", "sum", "loose" };

enum
{
  N_NAMES = sizeof names / sizeof *names
};

static void
what_is_read_is_written (void **state)
{
  static char text[TEXT_LEN];
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      struct pg_kir_kernel kernel = read_golden (names[i]);
      size_t len = pg_kir_write (&kernel, text, sizeof text);
      assert_int_equal (len, strlen (text));
      assert_string_equal (text, golden (names[i]));
      char little[8] = "";
      assert_int_equal (pg_kir_write (&kernel, little, sizeof little), len);
      assert_string_equal (little, "kernel ");
      pg_kir_end (&kernel);
      assert_int_equal (n_bytes, 0);
    }
}

/* Names in a text need not be in order.  */
static void
names_are_free (void **state)
{
  static const char text[] = " ; first\n\nkernel \"x\" args 0 dims 1 refs 0 ; x\nb7: \n  v90 = const i8 -1\r\n"
			     "jump void b3\nb3:\n\tv4 = add i8 v90 v90\n return void line 5\nend\n";
  static const char written[] = "kernel \"x\" args 0 dims 1 refs 0\nb0:\n  v1 = const i8 -1\n  jump void b1\nb1:\n"
				"  v3 = add i8 v1 v1\n  return void line 5\nend\n";
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  char again[256];
  (void) state;
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_read (&kernel, text, strlen (text), &error));
  assert_true (pg_kir_verify (&kernel, &error));
  pg_kir_write (&kernel, again, sizeof again);
  assert_string_equal (again, written);
  pg_kir_end (&kernel);
}

#define HEAD "kernel \"x\" args 16 dims 1 refs 1\n"

/* Each with the line and a word of the message.  */
static void
bad_texts_are_refused_where_they_are_bad (void **state)
{
  static const struct
  {
    const char *text, *message;
    unsigned line;
  } bad[] = {
    { "", "no kernel", 1 },
    { "\n\n; nothing\n", "no kernel", 4 },
    { "colonel \"x\"\n", "expected \"kernel\"", 1 },
    { "kernel \"x\" args 65537 dims 1 refs 1\n", "\"args\"", 1 },
    { "kernel \"x\" args -1 dims 1 refs 1\n", "\"args\"", 1 },
    { "kernel \"x\" args 1 dims 9 refs 1\n", "\"dims\"", 1 },
    { "kernel \"x\" args 1 dims 1 refs 99999999999999999999\n", "\"refs\"", 1 },
    { HEAD, "expected \"end\"", 2 },
    { HEAD "return void\nend\n", "name of a block", 2 },
    { HEAD "carry i9 add 0\nend\n", "type of a carried", 2 },
    { HEAD "carry i8\nend\n", "is combined", 2 },
    { HEAD "carry i8 both 0\nend\n", "is combined", 2 },
    { HEAD "carry i8 add\nend\n", "a number below", 2 },
    { HEAD "b0:\nv1 = const i8 1\nnext void v1 carry x\nend\n", "a carried value", 4 },
    { HEAD "x1:\nend\n", "not the name of a block", 2 },
    { HEAD "b0:\nreturn void\nb0:\nend\n", "b0 is defined twice", 4 },
    { HEAD "b0:\nv1 = const i8 1\nv1 = const i8 1\nend\n", "v1 is defined twice", 4 },
    { HEAD "b0:\nv1 const i8 1\nend\n", "\"=\"", 3 },
    { HEAD "b0:\nv1 = twice i8 1\nend\n", "no operation \"twice\"", 3 },
    { HEAD "b0:\nv1 = const i9 1\nend\n", "a type", 3 },
    { HEAD "b0:\nv1 = return void\nend\n", "a type", 3 },
    { HEAD "b0:\nconst i8 1\nend\n", "a type", 3 },
    { HEAD "b0:\nv1 = const i8 x\nend\n", "a constant", 3 },
    { HEAD "b0:\nv1 = const i64 99999999999999999999\nend\n", "a constant", 3 },
    { HEAD "b0:\nv1 = arg i8 70000\nend\n", "a number below", 3 },
    { HEAD "b0:\nv1 = add i8 v2 v2\nend\n", "no \"v2\"", 3 },
    { HEAD "b0:\njump void b1\nend\n", "no \"b1\"", 3 },
    { HEAD "b0:\nv1 = add i8 3 v1\nend\n", "no \"3\"", 3 },
    { HEAD "b0:\nreturn void line x\nend\n", "a line", 3 },
    { HEAD "b0:\nv1 = load i8 v1 ref\nend\n", "a reference", 3 },
    { HEAD "b0:\nreturn void\n", "expected \"end\"", 4 },
    { HEAD "b0:\n\"\"\nend\n", "no operation", 3 },
  };
  (void) state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      struct pg_kir_kernel kernel;
      struct pg_kir_error error = { .at = 0 };
      pg_kir_begin (&kernel, counted);
      assert_false (pg_kir_read (&kernel, bad[i].text, strlen (bad[i].text), &error));
      if (strstr (error.text, bad[i].message) == NULL || error.at != bad[i].line)
	fail_msg ("\"%s\": %u: %s", bad[i].text, (unsigned) error.at, error.text);
      assert_int_equal (kernel.n_blocks, 0);
      assert_int_equal (n_bytes, 0);
    }
}

/* Whatever is lost or changed in a text, the reader and the verifier say something, and keep no memory.  */
static void
damaged_texts_do_no_harm (void **state)
{
  static const char letters[] = "b0v9 :=[]\n\";-x\xff";
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      static char text[TEXT_LEN];
      strcpy (text, golden (names[i]));
      size_t len = strlen (text);
      for (size_t at = 0; at < len; at++)
	for (size_t l = 0; l <= sizeof letters; l++)
	  {
	    struct pg_kir_kernel kernel;
	    struct pg_kir_error error;
	    char *copy = malloc (len); /* so that a sanitizer sees its end */
	    size_t left = l == sizeof letters ? at : len;
	    memcpy (copy, text, len);
	    copy = realloc (copy, left + 1);
	    if (l < sizeof letters)
	      copy[at] = letters[l];
	    pg_kir_begin (&kernel, counted);
	    if (pg_kir_read (&kernel, copy, left, &error))
	      pg_kir_verify (&kernel, &error);
	    pg_kir_end (&kernel);
	    free (copy);
	    assert_int_equal (n_bytes, 0);
	  }
    }
}

#define B0 HEAD "b0:\n"
#define CARRY HEAD "carry i16 add 0\nb0:\n"

/* Each with a word of the verifier's message.  */
static void
bad_kernels_are_refused (void **state)
{
  static const char *const bad[][2] = {
    { HEAD "end\n", "no blocks" },
    { "kernel \"x\" args 0 dims 0 refs 0\nb0:\nreturn void\nend\n", "no dimensions" },
    { B0 "end\n", "block 0 is empty" },
    { B0 "v1 = const i8 1\nend\n", "does not end" },
    { B0 "return void\nreturn void\nend\n", "does not end" },
    { B0 "v1 = const i8 1\nv2 = add i8 v1\nreturn void\nend\n", "1 operands" },
    { B0 "v1 = const i8 1\nv2 = add i16 v1 v1\nreturn void\nend\n", "add: types" },
    { B0 "v1 = const f32 0x0\nv2 = add f32 v1 v1\nreturn void\nend\n", "add: types" },
    { B0 "v1 = const i8 1\nv2 = fadd i8 v1 v1\nreturn void\nend\n", "fadd: types" },
    { B0 "v1 = const f32 0x0\nv2 = fneg f64 v1\nreturn void\nend\n", "fneg: types" },
    { B0 "v1 = const i8 1\nv2 = slt i16 v1 v1\nreturn void\nend\n", "slt: types" },
    { B0 "v1 = const f32 0x0\nv2 = slt i8 v1 v1\nreturn void\nend\n", "slt: types" },
    { B0 "v1 = const i8 1\nv2 = flt i8 v1 v1\nreturn void\nend\n", "flt: types" },
    { B0 "v1 = const i8 1\nv2 = trunc i8 v1\nreturn void\nend\n", "trunc: types" },
    { B0 "v1 = const i8 1\nv2 = sext i8 v1\nreturn void\nend\n", "sext: types" },
    { B0 "v1 = const i8 1\nv2 = stof i8 v1\nreturn void\nend\n", "stof: types" },
    { B0 "v1 = const i8 1\nv2 = ftos i8 v1\nreturn void\nend\n", "ftos: types" },
    { B0 "v1 = const f32 0x0\nv2 = ftof f32 v1\nreturn void\nend\n", "ftof: types" },
    { B0 "v1 = const i8 1\nv2 = bits f32 v1\nreturn void\nend\n", "bits: types" },
    { B0 "v1 = const i32 1\nv2 = bits i32 v1\nreturn void\nend\n", "bits: types" },
    { B0 "v1 = const i8 1\nv2 = const f32 0x0\nv3 = select f32 v1 v2 v1\nreturn void\nend\n", "select: types" },
    { B0 "v1 = arg ptr 0\nv2 = address ptr v1 v1\nreturn void\nend\n", "address: types" },
    { B0 "v1 = arg i64 0\nv2 = load i8 v1 ref 0\nreturn void\nend\n", "load: types" },
    { B0 "v1 = arg i64 0\nstore void v1 v1 ref 0\nreturn void\nend\n", "store: types" },
    { B0 "v1 = iter i32 0\nreturn void\nend\n", "iter: types" },
    { B0 "v1 = iter i64 1\nreturn void\nend\n", "iter: the number" },
    { B0 "v1 = arg i64 9\nreturn void\nend\n", "arg: the number" },
    { B0 "v1 = arg ptr 0\nv2 = load i8 v1 ref 1\nreturn void\nend\n", "load: the number" },
    { B0 "v1 = const i8 1\njump void b1 v1\nb1:\nreturn void\nend\n", "1 operands" },
    { B0 "v1 = const i32 1\nbranch void v1 b1 b1\nb1:\nreturn void\nend\n", "branch: types" },
    { B0 "v1 = const i32 1\nknown void v1\nreturn void\nend\n", "known: types" },
    { B0 "v1 = const i8 1\nv2 = add i8 v1 v1\nswitch void v1 b1 b1 v2\nb1:\nreturn void\nend\n", "switch: types" },
    { B0 "v1 = const i8 1\nswitch void v1 b1 b1\nb1:\nreturn void\nend\n", "switch: types" },
    { HEAD "carry void last 0\nb0:\nreturn void\nend\n", "no such type" },
    { HEAD "carry f32 xor 0\nb0:\nreturn void\nend\n", "not combined by \"xor\"" },
    { HEAD "carry ptr add 0\nb0:\nreturn void\nend\n", "not combined by \"add\"" },
    { HEAD "carry i64 add 9\nb0:\nreturn void\nend\n", "not in the arguments" },
    { HEAD "carry i16 add 2\ncarry i16 add 3\nb0:\nreturn void\nend\n", "carry 1: bytes of another" },
    { HEAD "carry i8 add 3\ncarry i8 add 5\ncarry i32 add 0\nb0:\nreturn void\nend\n", "carry 2: bytes of another" },
    { HEAD "carry i16 last 2\nb0:\nv1 = arg i16 2\nreturn void\nend\n", "arg: of bytes" },
    { HEAD "carry i16 last 2\nb0:\nv1 = arg i16 1\nreturn void\nend\n", "arg: of bytes" },
    { HEAD "carry i16 last 2\nb0:\nv1 = arg i8 3\nreturn void\nend\n", "arg: of bytes" },
    { HEAD "carry i16 last 2\nb0:\nv1 = arg i64 0\nreturn void\nend\n", "arg: of bytes" },
    { B0 "v1 = carry i8 0\nreturn void\nend\n", "carry: the number" },
    { CARRY "v1 = carry i8 0\nreturn void\nend\n", "carry: the number" },
    { CARRY "v1 = const i8 1\nnext void v1 carry 0\nreturn void\nend\n", "next: the number" },
    { CARRY "v1 = const i16 1\nnext void v1 carry 1\nreturn void\nend\n", "next: the number" },
    { CARRY "v1 = const i16 1\nnext void v1 carry 0\nv3 = carry i16 0\nreturn void\nend\n", "behind a \"next\"" },
    { CARRY "jump void b1\nb1:\nv2 = carry i16 0\nreturn void\nend\n", "not in the first block" },
    { B0 "jump void b0\nend\n", "leads back to the first" },
    { B0 "return void\nb1:\nreturn void\nend\n", "not reached" },
    { B0 "v1 = add i8 v2 v2\nv2 = const i8 1\nreturn void\nend\n", "v2 is used before" },
    { B0 "v1 = const i8 1\nbranch void v1 b1 b2\nb1:\nv2 = const i8 1\njump void b2\nb2:\nv3 = add i8 v2 v2\nreturn "
	 "void\nend\n",
      "is used before" },
    { B0 "jump void b1\nb1:\nv1 = const i8 1\nv2 = phi i8 [b0 v1]\nreturn void\nend\n", "behind other" },
    { B0 "v1 = const i8 1\njump void b1\nb1:\nv2 = phi i8 [b0 v1] [b1 v1]\nreturn void\nend\n", "2 values after 1" },
    { B0 "v1 = const i8 1\njump void b1\nb1:\nv2 = phi i8 [b1 v1]\nreturn void\nend\n", "is not before" },
    { B0
      "v1 = const i8 1\nbranch void v1 b1 b2\nb1:\njump void b2\nb2:\nv2 = phi i8 [b0 v1] [b0 v1]\nreturn void\nend\n",
      "or twice" },
    { B0 "v1 = const i8 1\njump void b1\nb1:\nv2 = phi i16 [b0 v1]\nreturn void\nend\n", "phi: types" },
    { B0 "v1 = const i8 1\nbranch void v1 b1 b2\nb1:\nv3 = const i8 1\njump void b2\nb2:\nv2 = phi i8 [b0 v3] [b1 v1]\n"
	 "return void\nend\n",
      "is not known in block 0" },
  };
  (void) state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      struct pg_kir_kernel kernel;
      struct pg_kir_error error = { .at = 0 };
      pg_kir_begin (&kernel, counted);
      if (!pg_kir_read (&kernel, bad[i][0], strlen (bad[i][0]), &error))
	fail_msg ("\"%s\" is not read: %s", bad[i][0], error.text);
      if (pg_kir_verify (&kernel, &error) || strstr (error.text, bad[i][1]) == NULL)
	fail_msg ("\"%s\": %s", bad[i][0], error.text);
      pg_kir_end (&kernel);
    }
}

/* Arguments and carried values that only touch are apart.  */
static void
neighbours_in_the_arguments_are_right (void **state)
{
  static const char text[] = HEAD "carry i16 add 2\ncarry i32 add 4\ncarry i8 last 1\nb0:\nv1 = arg i8 0\nreturn void\n"
				  "end\n";
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  (void) state;
  pg_kir_begin (&kernel, counted);
  assert_true (pg_kir_read (&kernel, text, sizeof text - 1, &error) && pg_kir_verify (&kernel, &error));
  pg_kir_end (&kernel);
}

/* What a kernel in memory has no way to say in text.  */
static void
bad_numbers_are_refused (void **state)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  (void) state;
  for (int i = 0; i < 11; i++)
    {
      pg_kir_begin (&kernel, counted);
      kernel.args_len = 8;
      pg_kir_block_number block = pg_kir_add_block (&kernel);
      pg_kir_value arg = pg_kir_add_simple (&kernel, block, PG_KIR_OP_ARG, PG_KIR_I64, 0, 0, 0);
      pg_kir_value one = pg_kir_add_simple (&kernel, block, PG_KIR_OP_CONST, PG_KIR_I8, 257, 0, 0);
      assert_int_equal (kernel.instrs[one].number, 1);
      pg_kir_value two = pg_kir_add_simple (&kernel, block, PG_KIR_OP_ADD, PG_KIR_I8, 0, one, one);
      pg_kir_add_simple (&kernel, block, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
      assert_true (pg_kir_verify (&kernel, &error));
      if (i == 0)
	kernel.instrs[one].op = PG_KIR_N_OPS;
      else if (i == 1)
	kernel.instrs[one].type = PG_KIR_N_TYPES;
      else if (i == 2)
	kernel.instrs[two].first = kernel.n_pool - 1;
      else if (i == 3)
	kernel.blocks[block].code[0] = 77;
      else if (i == 4)
	kernel.blocks[block].code[0] = two;
      else if (i == 5)
	kernel.instrs[one].number = 256;
      else if (i == 6)
	kernel.instrs[arg].number = INT64_MAX;
      else if (i == 7)
	kernel.instrs[two].line = PG_KIR_MOST_LINES;
      else if (i == 8)
	kernel.args_len = PG_KIR_MOST_ARGS_LEN + 1;
      else if (i == 9)
	kernel.n_refs = PG_KIR_MOST_REFS + 1;
      else
	memset (kernel.name, 'x', sizeof kernel.name);
      assert_false (pg_kir_verify (&kernel, &error));
      pg_kir_end (&kernel);
    }
}

/* A kernel that is too large is broken, and stays so.  */
static void
there_are_limits (void **state)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  (void) state;
  pg_kir_begin (&kernel, counted);
  for (int i = 0; i < PG_KIR_MOST_BLOCKS; i++)
    pg_kir_add_block (&kernel);
  assert_false (kernel.is_broken);
  pg_kir_add_block (&kernel);
  assert_true (kernel.is_broken);
  assert_int_equal (kernel.n_blocks, PG_KIR_MOST_BLOCKS);
  assert_int_equal (pg_kir_add_simple (&kernel, 0, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0), 0);
  assert_false (pg_kir_verify (&kernel, &error));
  pg_kir_end (&kernel);
  assert_int_equal (n_bytes, 0);
}

/* Blocks in a row, and a value of the first that is used again and again in the last: what takes too long to check is
   refused, soon.  */
static void
a_kernel_made_to_take_long_is_refused (void **state)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_value one = 0;
  (void) state;
  for (int n_uses = 100; n_uses <= 100000; n_uses *= 1000)
    {
      pg_kir_begin (&kernel, counted);
      for (pg_kir_block_number b = 0; b < PG_KIR_MOST_BLOCKS; b++)
	{
	  pg_kir_block_number next = b + 1;
	  pg_kir_add_block (&kernel);
	  if (b == 0)
	    one = pg_kir_add_simple (&kernel, b, PG_KIR_OP_CONST, PG_KIR_I8, 1, 0, 0);
	  if (next < PG_KIR_MOST_BLOCKS)
	    pg_kir_add (&kernel, b, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &next, 1);
	}
      for (int i = 0; i < n_uses; i++)
	pg_kir_add_simple (&kernel, PG_KIR_MOST_BLOCKS - 1, PG_KIR_OP_ADD, PG_KIR_I8, 0, one, one);
      pg_kir_add_simple (&kernel, PG_KIR_MOST_BLOCKS - 1, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
      assert_int_equal (pg_kir_verify (&kernel, &error), n_uses == 100);
      if (n_uses > 100)
	assert_non_null (strstr (error.text, "too long"));
      pg_kir_end (&kernel);
    }
}

/* What asks where an instruction's operands are may do so for one that has none.  */
static void
there_is_a_pool_without_operands (void **state)
{
  struct pg_kir_kernel kernel;
  (void) state;
  pg_kir_begin (&kernel, counted);
  pg_kir_value end = pg_kir_add_simple (&kernel, pg_kir_add_block (&kernel), PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  assert_non_null (pg_kir_operands (&kernel, &kernel.instrs[end]));
  pg_kir_end (&kernel);
}

/* Wherever memory ends, nothing is lost, and somebody says so.  */
static void
without_memory_nothing_is_lost (void **state)
{
  (void) state;
  for (int i = 0; i < N_NAMES; i++)
    {
      static char text[TEXT_LEN];
      bool is_good = false;
      strcpy (text, golden (names[i]));
      for (int n = 0; !is_good; n++)
	{
	  struct pg_kir_kernel kernel;
	  struct pg_kir_machine machine;
	  struct pg_kir_error error = { .text = "" };
	  n_left = n;
	  pg_kir_begin (&kernel, counted);
	  bool is_read = pg_kir_read (&kernel, text, strlen (text), &error) && pg_kir_verify (&kernel, &error);
	  is_good = is_read && pg_kir_machine_begin (&machine, &kernel);
	  if (is_good)
	    pg_kir_machine_end (&machine);
	  else if (!is_read)
	    assert_non_null (strstr (error.text, "memory"));
	  pg_kir_end (&kernel);
	  assert_int_equal (n_bytes, 0);
	  assert_true (n < 1000);
	}
    }
  n_left = -1;
}

/* Run all iterations of NAME with ARGS, accessing SPACES, and its own second dimension being INNER.  */
static void
run (const char *name, void *args, const struct pg_kir_space *spaces, size_t n_spaces, int64_t n, int64_t inner)
{
  struct pg_kir_kernel kernel = read_golden (name);
  struct pg_kir_machine machine;
  assert_true (pg_kir_machine_begin (&machine, &kernel));
  machine.args = args;
  machine.spaces = spaces;
  machine.n_spaces = n_spaces;
  machine.most_steps = 10000;
  for (int64_t i = 0; i < n; i++)
    assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { i, inner }), PG_KIR_DONE);
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);
}

static void
loops_compute_what_c_does (void **state)
{
  (void) state;
  fill_data ();
  const struct pg_kir_space spaces[] = {
    { (char *) x, sizeof x, false },
    { (char *) y, sizeof y, true },
    { (char *) start, sizeof start, false },
    { (char *) column, sizeof column, false },
    { (char *) element, sizeof element, false },
  };
  run ("axpy", &axpy, spaces, 2, N, 0);
  for (int i = 0; i < N; i++)
    assert_true (y[i] == 2.5 * x[i]);

  run ("spmv", &spmv, spaces, 5, N, 0);
  for (int i = 0; i < N; i++)
    {
      volatile double row = 0.0;
      for (int k = start[i]; k < start[i + 1]; k++)
	row += element[k] * x[column[k]];
      assert_true (y[i] == row);
    }
}

/* What testsuite/kir/sum.kir says.  */
static void
carried_values_go_from_iteration_to_iteration (void **state)
{
  const struct pg_kir_space space = { (char *) x, sizeof x, false };
  (void) state;
  fill_data ();
  struct sum_args sum = { .x = x, .sum = 100.5, .last = -1, .count = 7 };
  run ("sum", &sum, &space, 1, N, 0);
  volatile double expected = 100.5;
  int count = 7;
  for (int i = 0; i < N; i++)
    if (x[i] > 5.0)
      expected += x[i], count++;
  assert_true (sum.sum == expected);
  assert_int_equal (sum.count, count);
  assert_int_equal (sum.last, N - 1);
  run ("sum", &sum, &space, 1, 1, 0); /* an iteration that changes none of them */
  assert_true (sum.sum == expected);
  assert_int_equal (sum.count, count);
  assert_int_equal (sum.last, N - 1);
}

/* What testsuite/kir/kinds.kir says.  */
static int64_t
kinds (int64_t i, int64_t n)
{
  int32_t number = (int32_t) i == -1 ? -1 : (int32_t) i == 2 ? 7 : (int32_t) i;
  float positive = fabsf (-(float) number);
  double both = sqrt ((double) positive) + (double) positive, back;
  uint64_t bits;
  memcpy (&bits, &both, sizeof bits);
  int64_t n_turns = n > 0 ? n : 0;
  if (n_turns % 2)
    bits = bits << 32 | bits >> 32;
  memcpy (&back, &bits, sizeof back);
  int64_t whole = both < 32768.0 ? (int16_t) both : INT16_MIN;
  return (back == both ? 0 : (int64_t) bits) + whole;
}

static void
every_shape_computes_what_c_does (void **state)
{
  static int64_t results[N];
  struct
  {
    int64_t unused, *results;
  } args = { 0, results };
  const struct pg_kir_space space = { (char *) results, sizeof results, true };
  struct pg_kir_kernel kernel = read_golden ("kinds");
  struct pg_kir_machine machine;
  static const int64_t numbers[] = { -1, 0, 1, 2, 3, 40000, 1000000, -((int64_t) 1 << 31), (int64_t) 5 << 32 };
  (void) state;
  assert_true (pg_kir_machine_begin (&machine, &kernel));
  machine.args = (char *) &args;
  machine.spaces = &space;
  machine.n_spaces = 1;
  machine.most_steps = 10000;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (int64_t n = 0; n < N; n += 7)
      {
	assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { numbers[i], n }), PG_KIR_DONE);
	assert_int_equal (results[n], kinds (numbers[i], n));
      }
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);
}

static uint32_t touched[8];
static size_t n_touched;

static void
note_touch (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write)
{
  assert_ptr_equal (context, touched);
  assert_int_equal (len, 8);
  assert_int_equal (address % 8, 0);
  assert_int_equal (is_write, ref == 1);
  touched[n_touched++] = ref;
}

/* It stops, at the instruction, and says why.  */
static void
what_must_not_be_is_not_done (void **state)
{
  struct pg_kir_space spaces[] = { { (char *) x, 4 * sizeof *x, false }, { (char *) y, 4 * sizeof *y, true } };
  struct pg_kir_kernel kernel = read_golden ("axpy");
  struct pg_kir_machine machine;
  (void) state;
  assert_true (pg_kir_machine_begin (&machine, &kernel));
  machine.args = (char *) &axpy;
  machine.spaces = spaces;
  machine.n_spaces = 2;
  machine.most_steps = 12;
  machine.touch = note_touch;
  machine.context = touched;
  n_touched = 0;
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 3 }), PG_KIR_DONE);
  assert_int_equal (n_touched, 2);
  assert_int_equal (touched[0], 0);
  assert_int_equal (touched[1], 1);
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 4 }), PG_KIR_OUTSIDE);
  assert_int_equal (machine.at, 6);
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { -1 }), PG_KIR_OUTSIDE);
  spaces[0].len--;
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 3 }), PG_KIR_OUTSIDE);
  spaces[1].is_writable = false;
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 0 }), PG_KIR_OUTSIDE);
  assert_int_equal (machine.at, 11);
  machine.most_steps = 11;
  spaces[1].is_writable = true;
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 0 }), PG_KIR_TOO_LONG);
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);

  static const char text[] = B0 "v1 = iter i64 0\nv2 = sdiv i64 v1 v1\nreturn void\nend\n";
  struct pg_kir_error error;
  pg_kir_begin (&kernel, counted);
  assert_true (pg_kir_read (&kernel, text, sizeof text - 1, &error) && pg_kir_verify (&kernel, &error));
  assert_true (pg_kir_machine_begin (&machine, &kernel));
  machine.most_steps = 10;
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 0 }), PG_KIR_DIVIDED_BY_ZERO);
  assert_int_equal (machine.at, 2);
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 1 }), PG_KIR_DONE);
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);
}

/* Whoever compiles a kernel relies on it.  */
static void
what_is_known_is_so (void **state)
{
  static const char text[] = B0 "v1 = iter i64 0\nv2 = trunc i8 v1\nknown void v2\nreturn void\nend\n";
  struct pg_kir_kernel kernel;
  struct pg_kir_machine machine;
  struct pg_kir_error error;
  (void) state;
  pg_kir_begin (&kernel, counted);
  assert_true (pg_kir_read (&kernel, text, sizeof text - 1, &error) && pg_kir_verify (&kernel, &error));
  assert_true (pg_kir_prune (&kernel));
  assert_true (pg_kir_machine_begin (&machine, &kernel));
  machine.most_steps = 10;
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 0 }), PG_KIR_UNTRUE);
  assert_int_equal (machine.at, 3);
  assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 2 }), PG_KIR_DONE);
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);
}

/* Of the load and the store of each type, at each address: one that does not fit the type stops a strict machine before
   the access, and only there; byte by byte, none does.  */
static void
misaligned_accesses_stop_a_strict_machine (void **state)
{
  static const char form[] = "kernel \"x\" args 16 dims 1 refs 1\nb0:\n"
			     "v1 = arg ptr 0\nv2 = arg ptr 8\nv3 = load%s %s v1 ref 0\n"
			     "store%s void v2 v3 ref 0\nreturn void\nend\n";
  (void) state;
  for (int type = PG_KIR_VOID + 1; type < PG_KIR_N_TYPES; type++)
    for (int at = 0; at < 4 * 8 * 8; at++)
      {
	uint64_t bytes[4] = { 0x0102030405060708, 0x090a0b0c0d0e0f00, 0, 0 };
	unsigned from = at % 8, to = at / 8 % 8, len = pg_kir_types[type].len;
	const char *load = at / 64 % 2 ? "" : "-bytes", *store = at / 128 ? "" : "-bytes";
	char text[256], *args[2] = { (char *) bytes + from, (char *) bytes + 16 + to };
	const struct pg_kir_space space = { (char *) bytes, sizeof bytes, true };
	bool load_fits = *load != '\0' || from % len == 0, store_fits = *store != '\0' || to % len == 0;
	snprintf (text, sizeof text, form, load, pg_kir_types[type].name, store);
	struct pg_kir_kernel kernel;
	struct pg_kir_machine machine;
	struct pg_kir_error error;
	pg_kir_begin (&kernel, counted);
	assert_true (pg_kir_read (&kernel, text, strlen (text), &error) && pg_kir_verify (&kernel, &error));
	assert_true (pg_kir_machine_begin (&machine, &kernel));
	machine.args = (char *) args;
	machine.spaces = &space;
	machine.n_spaces = 1;
	machine.most_steps = 10;
	machine.is_strict = true;
	enum pg_kir_outcome outcome = pg_kir_interpret (&machine, (int64_t[]) { 0 });
	assert_int_equal (outcome, load_fits && store_fits ? PG_KIR_DONE : PG_KIR_MISALIGNED);
	assert_int_equal (bytes[2] == 0 && bytes[3] == 0, outcome != PG_KIR_DONE);
	if (outcome != PG_KIR_DONE)
	  assert_int_equal (machine.at, load_fits ? 4 : 3);
	machine.is_strict = false;
	assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { 0 }), PG_KIR_DONE);
	assert_memory_equal ((char *) bytes + 16 + to, (char *) bytes + from, len);
	pg_kir_machine_end (&machine);
	pg_kir_end (&kernel);
      }
}

/* OP of two integers of 8 bits.  */
static int
expected_int (enum pg_kir_op op, int a, int b)
{
  int8_t sa = (int8_t) a, sb = (int8_t) b;
  switch (op)
    {
    case PG_KIR_OP_ADD:
    case PG_KIR_OP_ADD_NW:
      return a + b;
    case PG_KIR_OP_SUB:
    case PG_KIR_OP_SUB_NW:
      return a - b;
    case PG_KIR_OP_MUL:
    case PG_KIR_OP_MUL_NW:
      return a * b;
    case PG_KIR_OP_SDIV:
      return sa / sb;
    case PG_KIR_OP_UDIV:
      return a / b;
    case PG_KIR_OP_SREM:
      return sa % sb;
    case PG_KIR_OP_UREM:
      return a % b;
    case PG_KIR_OP_AND:
      return a & b;
    case PG_KIR_OP_OR:
      return a | b;
    case PG_KIR_OP_XOR:
      return a ^ b;
    case PG_KIR_OP_SHL:
      return a << b % 8;
    case PG_KIR_OP_LSHR:
      return a >> b % 8;
    case PG_KIR_OP_ASHR:
      return sa >> b % 8;
    case PG_KIR_OP_SMIN:
      return sa < sb ? sa : sb;
    case PG_KIR_OP_SMAX:
      return sa > sb ? sa : sb;
    case PG_KIR_OP_UMIN:
      return a < b ? a : b;
    case PG_KIR_OP_UMAX:
      return a > b ? a : b;
    case PG_KIR_OP_EQ:
      return a == b;
    case PG_KIR_OP_NE:
      return a != b;
    case PG_KIR_OP_SLT:
      return sa < sb;
    case PG_KIR_OP_SLE:
      return sa <= sb;
    case PG_KIR_OP_ULT:
      return a < b;
    case PG_KIR_OP_ULE:
      return a <= b;
    default:
      fail ();
      return 0;
    }
}

static void
all_integers_of_eight_bits (void **state)
{
  (void) state;
  for (unsigned op = 0; op < PG_KIR_N_OPS; op++)
    {
      if (pg_kir_ops[op].shape != PG_KIR_INT2 && pg_kir_ops[op].shape != PG_KIR_CMP_INT)
	continue;
      bool divides = op >= PG_KIR_OP_SDIV && op <= PG_KIR_OP_UREM;
      for (int a = 0; a < 256; a++)
	for (int b = 0; b < 256; b++)
	  {
	    uint64_t result, operands[3] = { (uint64_t) a, (uint64_t) b, 0 };
	    bool is_defined = pg_kir_evaluate (op, PG_KIR_I8, PG_KIR_I8, operands, &result);
	    assert_int_equal (is_defined, !divides || b != 0);
	    if (is_defined)
	      assert_int_equal (result, (uint8_t) expected_int (op, a, b));
	  }
    }
}

static uint64_t
bits_of (double value)
{
  uint64_t bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static uint64_t
evaluate (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from, uint64_t a, uint64_t b)
{
  uint64_t result, operands[3] = { a, b, 0 };
  assert_true (pg_kir_evaluate (op, type, from, operands, &result));
  return result;
}

static void
the_limits_of_numbers (void **state)
{
  const uint64_t least = (uint64_t) 1 << 63, nan = bits_of (NAN), inf = bits_of (INFINITY);
  (void) state;
  assert_int_equal (evaluate (PG_KIR_OP_SDIV, PG_KIR_I64, PG_KIR_I64, least, UINT64_MAX), least);
  assert_int_equal (evaluate (PG_KIR_OP_SREM, PG_KIR_I64, PG_KIR_I64, least, UINT64_MAX), 0);
  assert_int_equal (evaluate (PG_KIR_OP_SHL, PG_KIR_I64, PG_KIR_I64, 1, 65), 2);
  assert_int_equal (evaluate (PG_KIR_OP_FTOS, PG_KIR_I32, PG_KIR_F64, bits_of (2147483648.0), 0), (uint64_t) 1 << 31);
  assert_int_equal (evaluate (PG_KIR_OP_FTOS, PG_KIR_I32, PG_KIR_F64, bits_of (2147483647.9), 0), INT32_MAX);
  assert_int_equal (evaluate (PG_KIR_OP_FTOS, PG_KIR_I32, PG_KIR_F64, bits_of (-2147483648.9), 0), (uint64_t) 1 << 31);
  assert_int_equal (evaluate (PG_KIR_OP_FTOS, PG_KIR_I64, PG_KIR_F64, nan, 0), least);
  assert_int_equal (evaluate (PG_KIR_OP_FTOS, PG_KIR_I64, PG_KIR_F64, inf, 0), least);
  assert_int_equal (evaluate (PG_KIR_OP_FTOS, PG_KIR_I8, PG_KIR_F64, bits_of (-3.9), 0), 253);
  assert_int_equal (evaluate (PG_KIR_OP_FTOU, PG_KIR_I64, PG_KIR_F64, bits_of (18446744073709549568.0), 0),
		    18446744073709549568u);
  assert_int_equal (evaluate (PG_KIR_OP_FTOU, PG_KIR_I64, PG_KIR_F64, bits_of (18446744073709551616.0), 0), 0);
  assert_int_equal (evaluate (PG_KIR_OP_FTOU, PG_KIR_I64, PG_KIR_F64, bits_of (-1.0), 0), 0);
  assert_int_equal (evaluate (PG_KIR_OP_UTOF, PG_KIR_F64, PG_KIR_I64, least, 0), bits_of (9223372036854775808.0));
  assert_int_equal (evaluate (PG_KIR_OP_STOF, PG_KIR_F64, PG_KIR_I64, least, 0), bits_of (-9223372036854775808.0));
  assert_int_equal (evaluate (PG_KIR_OP_UTOF, PG_KIR_F64, PG_KIR_I8, 255, 0), bits_of (255.0));
  assert_int_equal (evaluate (PG_KIR_OP_STOF, PG_KIR_F64, PG_KIR_I8, 255, 0), bits_of (-1.0));
  /* rounded once: by way of a double it would be the float below */
  assert_int_equal (
    evaluate (PG_KIR_OP_STOF, PG_KIR_F32, PG_KIR_I64, ((uint64_t) 1 << 54) + ((uint64_t) 1 << 30) + 1, 0), 0x5a800001);
  assert_int_equal (evaluate (PG_KIR_OP_FNEG, PG_KIR_F64, PG_KIR_F64, nan, 0), nan ^ least);
  assert_int_equal (evaluate (PG_KIR_OP_FABS, PG_KIR_F64, PG_KIR_F64, nan | least, 0), nan & ~least);
  assert_int_equal (evaluate (PG_KIR_OP_FEQ, PG_KIR_I8, PG_KIR_F64, nan, nan), 0);
  assert_int_equal (evaluate (PG_KIR_OP_FNE, PG_KIR_I8, PG_KIR_F64, nan, nan), 1);
  assert_int_equal (evaluate (PG_KIR_OP_FLT, PG_KIR_I8, PG_KIR_F64, nan, inf), 0);
  assert_int_equal (evaluate (PG_KIR_OP_FLE, PG_KIR_I8, PG_KIR_F64, inf, inf), 1);
  assert_int_equal (evaluate (PG_KIR_OP_FUNO, PG_KIR_I8, PG_KIR_F64, inf, nan), 1);
  assert_int_equal (evaluate (PG_KIR_OP_FDIV, PG_KIR_F32, PG_KIR_F32, 0x3f800000, 0x40400000), 0x3eaaaaab);
  /* the square's last bit is left: rounded, it would be gone */
  const uint64_t square[] = { bits_of (1 + DBL_EPSILON), bits_of (1 + DBL_EPSILON), bits_of (-1 - 2 * DBL_EPSILON) };
  const uint64_t less[] = { 0x3f800001, 0x3f800001, 0xbf800002 };
  uint64_t left;
  assert_true (pg_kir_evaluate (PG_KIR_OP_FMA, PG_KIR_F64, PG_KIR_F64, square, &left));
  assert_int_equal (left, bits_of (DBL_EPSILON * DBL_EPSILON));
  assert_true (pg_kir_evaluate (PG_KIR_OP_FMA, PG_KIR_F32, PG_KIR_F32, less, &left));
  assert_int_equal (left, 0x28800000);
  assert_int_equal (evaluate (PG_KIR_OP_FFLOOR, PG_KIR_F64, PG_KIR_F64, bits_of (-2.5), 0), bits_of (-3.0));
  assert_int_equal (evaluate (PG_KIR_OP_FCEIL, PG_KIR_F64, PG_KIR_F64, bits_of (-0.5), 0), bits_of (-0.0));
  assert_int_equal (evaluate (PG_KIR_OP_FTRUNC, PG_KIR_F64, PG_KIR_F64, bits_of (-2.5), 0), bits_of (-2.0));
  assert_int_equal (evaluate (PG_KIR_OP_FRINT, PG_KIR_F64, PG_KIR_F64, bits_of (2.5), 0), bits_of (2.0));
  assert_int_equal (evaluate (PG_KIR_OP_FROUND, PG_KIR_F64, PG_KIR_F64, bits_of (-2.5), 0), bits_of (-3.0));
  assert_int_equal (evaluate (PG_KIR_OP_FROUND, PG_KIR_F32, PG_KIR_F32, 0x40200000, 0), 0x40400000);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_is_read_is_written),
    cmocka_unit_test (names_are_free),
    cmocka_unit_test (bad_texts_are_refused_where_they_are_bad),
    cmocka_unit_test (damaged_texts_do_no_harm),
    cmocka_unit_test (bad_kernels_are_refused),
    cmocka_unit_test (neighbours_in_the_arguments_are_right),
    cmocka_unit_test (bad_numbers_are_refused),
    cmocka_unit_test (there_are_limits),
    cmocka_unit_test (a_kernel_made_to_take_long_is_refused),
    cmocka_unit_test (there_is_a_pool_without_operands),
    cmocka_unit_test (without_memory_nothing_is_lost),
    cmocka_unit_test (loops_compute_what_c_does),
    cmocka_unit_test (carried_values_go_from_iteration_to_iteration),
    cmocka_unit_test (every_shape_computes_what_c_does),
    cmocka_unit_test (what_must_not_be_is_not_done),
    cmocka_unit_test (what_is_known_is_so),
    cmocka_unit_test (misaligned_accesses_stop_a_strict_machine),
    cmocka_unit_test (all_integers_of_eight_bits),
    cmocka_unit_test (the_limits_of_numbers),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
