/* SPDX-License-Identifier: MIT
   What the tests of the device without a GPU share: one device with one module, which has the kernels of
   testsuite/kir/emu-few.cu and emu.cu, and those of testsuite/kir that are printed.  */
#ifndef EMU_KERNELS_H
#define EMU_KERNELS_H

#include "cuda/print.h"
#include "emu-device.h"
#include "kir-kernels.h"
#include "kir-run.h"

enum
{
  MOST_KERNELS = 64,
  N_INTS = 5000
};

static struct pg_emu_module *module;
static char text[1 << 17];
static const char *names[MOST_KERNELS];
static size_t n_names;

/* Of these, emu-few.cu's.  */
static char few_text[1 << 14];
static size_t n_few;

/* What a kernel is given that takes struct ints.  */
struct ints
{
  uint64_t in, out;
  uint64_t n;
};

static int numbers[N_INTS];

/* What is asked for must fail as STATUS, with WORDS in its message.  */
static inline void
assert_failed (enum pg_emu_status status, enum pg_emu_status expected, const char *words)
{
  assert_int_equal (status, expected);
  if (strstr (pg_emu_message (emu), words) == NULL)
    fail_msg ("no \"%s\" in \"%s\"", words, pg_emu_message (emu));
  assert_null (strchr (pg_emu_message (emu), '\n'));
}

static inline struct pg_emu_launch
launch_of (const char *kernel, uint32_t n_blocks, uint32_t n_threads, const void *args, size_t args_len)
{
  return (struct pg_emu_launch) { .kernel = kernel,
				  .grid = { n_blocks, 1, 1 },
				  .block = { n_threads, 1, 1 },
				  .args = args,
				  .args_len = (uint32_t) args_len,
				  .limit_ms = LIMIT_MS };
}

static enum pg_emu_status
run_launch (const struct pg_emu_launch *launch)
{
  enum pg_emu_status status = pg_emu_launch (emu, module, launch);
  return status == PG_EMU_OK ? pg_emu_wait (emu) : status;
}

static enum pg_emu_status
run (const char *kernel, uint32_t n_blocks, uint32_t n_threads, const void *args, size_t args_len)
{
  struct pg_emu_launch launch = launch_of (kernel, n_blocks, n_threads, args, args_len);
  return run_launch (&launch);
}

/* Find the names of the kernels FROM on: the first words of lines behind "__global__ void".  */
static inline void
find_names (char *from)
{
  for (char *at = strstr (from, "__global__ void"); at != NULL; at = strstr (at, "__global__ void"))
    {
      at = strchr (at, '\n') + 1;
      assert_true (n_names < MOST_KERNELS);
      names[n_names++] = strndup (at, strcspn (at, " "));
    }
}

/* Append to TEXT what prints, in CUDA C, the KIR kernel NAME as the kernel kir_NAME, of one thread an iteration.  */
static inline void
append_printed (const char *name, size_t args_len)
{
  struct pg_kir_kernel kernel = read_kernel (golden (name));
  size_t at = strlen (text);
  at += (size_t) snprintf (text + at, sizeof text - at, "#define loop loop_%s\n", name);
  at += pg_cuda_print (&kernel, "loop", text + at, sizeof text - at);
  snprintf (text + at, sizeof text - at,
	    "struct args_%s { __align__ (8) char bytes[%zu]; };\n"
	    "extern \"C\" __global__ void\n"
	    "kir_%s (const __grid_constant__ struct args_%s args, pg_i64 n)\n"
	    "{\n"
	    "  pg_i64 i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	    "  if (i < n)\n"
	    "    loop (args.bytes, i%s);\n"
	    "}\n"
	    "#undef loop\n",
	    name, args_len, name, name, kernel.n_dims > 1 ? ", n - 1 - i" : "");
  pg_kir_end (&kernel);
}

/* Read testsuite/kir/NAME into TO of LEN bytes, more than it has.  */
static inline void
read_text (const char *name, char *to, size_t len)
{
  char path[4200];
  snprintf (path, sizeof path, "%s/testsuite/kir/%s", root (), name);
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  to[fread (to, 1, len - 1, file)] = '\0';
  fclose (file);
}

static inline int
set_up (void **state)
{
  struct pg_emu_setup setup = setup_of ("seed:1");
  (void) state;
  emu = open_device (&setup);
  read_text ("emu-few.cu", few_text, sizeof few_text);
  find_names (few_text);
  n_few = n_names;
  read_text ("emu.cu", text, sizeof text);
  append_printed ("axpy", sizeof axpy);
  append_printed ("spmv", sizeof spmv);
  append_printed ("kinds", 16);
  append_printed ("loose", 32);
  find_names (text);
  memmove (text + strlen (few_text), text, strlen (text) + 1);
  memcpy (text, few_text, strlen (few_text));
  if (pg_emu_compile (emu, text, names, n_names, &module) != PG_EMU_OK)
    {
      print_error ("%s\n%s", pg_emu_message (emu), pg_emu_log (emu));
      return -1;
    }
  fill_data ();
  return 0;
}

static inline int
tear_down (void **state)
{
  (void) state;
  pg_emu_close (emu);
  for (size_t i = 0; i < n_names; i++)
    free ((char *) names[i]);
  return 0;
}

/* Give NUMBERS and N_OUT zeros as struct ints.  */
static inline struct ints
give_ints (size_t n, size_t n_out)
{
  for (int i = 0; i < N_INTS; i++)
    numbers[i] = i * 7919 % 1000;
  return (struct ints) { give (numbers, n * sizeof *numbers), give (NULL, n_out * sizeof (int)), n };
}

static inline void
take_ints (const struct ints *args, int *out, size_t n_out)
{
  assert_ok (pg_emu_free (emu, args->in));
  take (out, args->out, n_out * sizeof *out);
}

static inline int
sum_of (const int *from, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += from[i];
  return sum;
}

/* ---- what is wrong */

/* Nothing was lost and the next launch runs.  */
static inline void
assert_goes_on (void)
{
  struct ints args = give_ints (N_INTS, 1);
  int out;
  assert_ok (run ("sum_blocks", 1, 256, &args, sizeof args));
  take_ints (&args, &out, 1);
  assert_int_equal (out, sum_of (numbers, N_INTS));
}

#endif
