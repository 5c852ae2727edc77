/* SPDX-License-Identifier: MIT
   What must be true of any bytes that a reader of KIR is given: libFuzzer makes them up (fuzz.c), and a unit test tries
   those that are kept in testsuite/kir/corpus.

       read --> error with a position, no memory kept
	    --> kernel --> refused by the verifier, with a reason
		       --> good: written and read again, packed and unpacked, it is the same; it is printed as CUDA C;
				 it runs some iterations, and accesses nothing but what it may

   Accesses and memory that was not given back are found by a sanitizer and by counting.  */
#ifndef READER_CHECK_H
#define READER_CHECK_H

#include "cuda/print.h"
#include "runtime/kir/interpret.h"

#include <stdlib.h>
#include <string.h>

enum
{
  BYTES_FOR_BYTE = 256, /* most memory that a byte of a packed kernel may cost */
  ARENA_LEN = 4096,     /* what kernels may access */
  MOST_STEPS = 1000,
  N_ITERATIONS = 3,
  MOST_THREADS = 3 /* of a block */
};

/* Memory, counted: now, and the most there was.  */
static size_t n_bytes, most_bytes;

static inline void *
counted_resize (void *block, size_t old_len, size_t len)
{
  n_bytes += len - (block == NULL ? 0 : old_len);
  most_bytes = n_bytes > most_bytes ? n_bytes : most_bytes;
  if (len > 0)
    return realloc (block, len);
  free (block);
  return NULL;
}

/* KERNEL as text, to be freed.  */
static inline char *
text_of (const struct pg_kir_kernel *kernel)
{
  size_t len = pg_kir_write (kernel, NULL, 0);
  char *text = malloc (len + 1);
  return pg_kir_write (kernel, text, len + 1) == len ? text : NULL;
}

/* Does AGAIN, which was read from another form of what is written as TEXT, and was if IS_READ, say the same?  Ends
   AGAIN.  */
static inline bool
is_same (struct pg_kir_kernel *again, bool is_read, const char *text)
{
  struct pg_kir_error error;
  bool is_good = is_read && pg_kir_verify (again, &error);
  char *other = is_good ? text_of (again) : NULL;
  is_good = is_good && strcmp (text, other) == 0;
  free (other);
  pg_kir_end (again);
  return is_good;
}

static inline bool
is_same_from_text (const char *text)
{
  struct pg_kir_kernel again;
  struct pg_kir_error error;
  size_t len = strlen (text);
  char *copy = malloc (len); /* so that a sanitizer sees its end */
  memcpy (copy, text, len);
  pg_kir_begin (&again, counted_resize);
  bool is_read = pg_kir_read (&again, copy, len, &error);
  free (copy);
  return is_same (&again, is_read, text);
}

static inline bool
is_same_from_bytes (const struct pg_kir_kernel *kernel, const char *text)
{
  struct pg_kir_kernel again;
  struct pg_kir_error error;
  size_t len = pg_kir_pack (kernel, NULL, 0);
  unsigned char *bytes = malloc (len);
  bool is_read = pg_kir_pack (kernel, bytes, len) == len;
  pg_kir_begin (&again, counted_resize);
  is_read = is_read && pg_kir_unpack (&again, bytes, len, &error);
  free (bytes);
  return is_same (&again, is_read, text);
}

static inline bool
is_printed (const struct pg_kir_kernel *kernel)
{
  size_t len = pg_cuda_print (kernel, "loop", NULL, 0);
  char *text = malloc (len + 1);
  bool is_good = pg_cuda_print (kernel, "loop", text, len + 1) == len && strlen (text) == len;
  free (text);
  return is_good;
}

/* Run some iterations of MACHINE's kernel, or as a grid of some threads, in order and shuffled.  */
static inline bool
runs_on (struct pg_kir_machine *machine)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  bool is_good = true;
  for (int i = 0; i < N_ITERATIONS; i++)
    {
      struct pg_kir_grid grid = { { 1, 1, 1 }, { 1, 1, 1 }, (uint64_t) i };
      int64_t iters[PG_KIR_MOST_DIMS];
      for (int d = 0; d < PG_KIR_MOST_DIMS; d++)
	iters[d] = d == 0 ? i : i * 1000003 - d;
      grid.n_blocks[kernel->n_dims % PG_KIR_MOST_GRID_DIMS] = 2;
      grid.n_threads[0] = kernel->n_threads < MOST_THREADS ? kernel->n_threads : MOST_THREADS;
      is_good &= (kernel->n_threads > 0 ? pg_kir_interpret_grid (machine, &grid) : pg_kir_interpret (machine, iters))
		 != PG_KIR_NO_MEMORY;
    }
  return is_good;
}

/* Run KERNEL, whose arguments are all addresses of the arena.  */
static inline bool
runs (const struct pg_kir_kernel *kernel)
{
  static char arena[ARENA_LEN];
  const struct pg_kir_space space = { arena, sizeof arena, true };
  struct pg_kir_machine machine;
  char *args = malloc (kernel->args_len + 1);
  for (uint32_t i = 0; i < kernel->args_len; i++)
    {
      uintptr_t address = (uintptr_t) (arena + i * 5 % (ARENA_LEN - 8));
      args[i] = (char) (address >> i % 8 * 8);
    }
  bool is_good = pg_kir_machine_begin (&machine, kernel);
  machine.args = args;
  machine.spaces = &space;
  machine.n_spaces = 1;
  machine.most_steps = MOST_STEPS;
  is_good = is_good && runs_on (&machine);
  pg_kir_machine_end (&machine);
  free (args);
  return is_good;
}

/* What is wrong with KERNEL, which is verified; NULL: nothing.  */
static inline const char *
check_kernel (const struct pg_kir_kernel *kernel)
{
  char *text = text_of (kernel);
  const char *what = text == NULL                         ? "written, it is of another length"
		     : !is_same_from_text (text)          ? "written and read, it is another"
		     : !is_same_from_bytes (kernel, text) ? "packed and unpacked, it is another"
		     : !is_printed (kernel)               ? "printed, it is of another length"
		     : !runs (kernel)                     ? "it does not run"
							  : NULL;
  free (text);
  return what;
}

/* The same for KERNEL, which a reader has left so: if IS_READ as a kernel, else with ERROR, the last position being
   END.  Ends KERNEL.  */
static inline const char *
check_read (struct pg_kir_kernel *kernel, bool is_read, struct pg_kir_error *error, size_t end)
{
  const char *what = NULL;
  if (!is_read && (error->text[0] == '\0' || error->at > end))
    what = "refused without a reason or position";
  else if (!is_read && kernel->n_blocks > 0)
    what = "refused, but not empty";
  else if (is_read && pg_kir_verify (kernel, error))
    what = check_kernel (kernel);
  else if (error->text[0] == '\0')
    what = "refused by the verifier without a reason";
  pg_kir_end (kernel);
  return what == NULL && n_bytes > 0 ? "memory is not given back" : what;
}

/* The same for the LEN bytes of a text.  */
static inline const char *
check_text (const unsigned char *bytes, size_t len)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .text = "" };
  size_t n_lines = 1;
  for (size_t i = 0; i < len; i++)
    n_lines += bytes[i] == '\n';
  n_bytes = 0;
  pg_kir_begin (&kernel, counted_resize);
  bool is_read = pg_kir_read (&kernel, (const char *) bytes, len, &error);
  return check_read (&kernel, is_read, &error, n_lines);
}

/* The same for the LEN bytes of a packed kernel.  */
static inline const char *
check_packed (const unsigned char *bytes, size_t len)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .text = "" };
  n_bytes = most_bytes = 0;
  pg_kir_begin (&kernel, counted_resize);
  bool is_read = pg_kir_unpack (&kernel, bytes, len, &error);
  size_t most = most_bytes;
  const char *what = check_read (&kernel, is_read, &error, len);
  return what == NULL && most > BYTES_FOR_BYTE * (len + 1) ? "more memory than its length allows" : what;
}

#endif
