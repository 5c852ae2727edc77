/* SPDX-License-Identifier: MIT
   Loop program generator: `generate SEED > prog.c`.

   The same seed gives the same text on every machine.  The first line names the flags that the program needs:

     / * seed 12, flags: -fno-strict-aliasing * /

   Nothing in the program has undefined behaviour under these flags (see generate.h for how that is kept).  */

#include "generate.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct fz_program fz_program;

const char *const fz_type_name[FZ_N_TYPES]
  = { "signed char", "unsigned char", "short",         "unsigned short", "int",
      "unsigned",    "long",          "unsigned long", "float",          "double" };

const char *const fz_type_tag[FZ_N_TYPES] = { "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64" };

static uint64_t random_state;

/* SplitMix64: any seed is a good one.  */
static uint64_t
next_random (void)
{
  uint64_t z = random_state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Return one of 0 .. N-1.  */
unsigned
fz_pick (unsigned n)
{
  return (unsigned) (next_random () % n);
}

/* Return one of LO .. HI.  */
int
fz_range (int lo, int hi)
{
  return lo + (int) fz_pick ((unsigned) (hi - lo + 1));
}

bool
fz_chance (unsigned percent)
{
  return fz_pick (100) < percent;
}

bool
fz_is_float (enum fz_type type)
{
  return type == FZ_F32 || type == FZ_F64;
}

/* Return formatted text, which lives as long as the process: programs are small.  */
const char *
fz_text (const char *format, ...)
{
  va_list args;
  char *text;
  int len;

  va_start (args, format);
  len = vsnprintf (NULL, 0, format, args);
  va_end (args);
  text = malloc ((size_t) len + 1);
  if (!text)
    {
      perror ("generate");
      exit (2);
    }
  va_start (args, format);
  vsnprintf (text, (size_t) len + 1, format, args);
  va_end (args);
  return text;
}

static void
choose_program (void)
{
  fz_program.puns = fz_chance (50);
  fz_program.n_palette = fz_range (2, 4);
  fz_program.palette[0] = fz_chance (60) ? FZ_F64 : FZ_F32;
  fz_program.palette[1] = fz_chance (60) ? FZ_I32 : (enum fz_type) fz_pick (FZ_F32);
  for (int i = 2; i < fz_program.n_palette; i++)
    fz_program.palette[i] = (enum fz_type) fz_pick (FZ_N_TYPES);
}

int
main (int argc, char **argv)
{
  enum
  {
    MAX_KERNELS = 6
  };
  static struct fz_kernel kernels[MAX_KERNELS];
  uint64_t seed;
  char *end;
  int n_kernels;

  errno = 0;
  seed = argc == 2 ? strtoull (argv[1], &end, 0) : 0;
  if (argc != 2 || errno || end == argv[1] || *end)
    {
      fputs ("usage: generate SEED > prog.c\n", stderr);
      return 2;
    }
  random_state = seed * UINT64_C (0x2545f4914f6cdd1d);
  next_random ();
  choose_program ();
  fz_program.is_crowded = seed % FZ_CROWD_EVERY == FZ_CROWD_EVERY / 2;
  n_kernels = fz_range (3, MAX_KERNELS);
  for (int i = 0; i < n_kernels; i++)
    fz_make_kernel (&kernels[i], i);

  printf ("/* seed %llu, flags:%s%s%s%s */\n", (unsigned long long) seed,
	  fz_program.puns ? " -fno-strict-aliasing" : "", fz_program.wants_simd ? " -fopenmp-simd" : "",
	  fz_program.wants_openmp ? " -fopenmp" : "",
	  fz_program.wants_filling ? " -ftrivial-auto-var-init=pattern" : "");
  fz_print_support (stdout, kernels, n_kernels);
  for (int i = 0; i < n_kernels; i++)
    fz_print_kernel (&kernels[i], stdout);
  if (fz_program.is_crowded)
    fz_print_crowd (stdout);
  fz_print_main (stdout, kernels, n_kernels);
  return fflush (stdout) || ferror (stdout) ? 2 : 0;
}
