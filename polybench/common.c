/* SPDX-License-Identifier: MIT
   Arguments, memory, random numbers, checksums and lap times of the benchmark programs (see common.h).  */
#include "common.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *program = "?";	/* as the user called it, without folders */
static int times_wanted;		/* -t was given */

static uint64_t random_state = 88172645463325252u;

/* What stands before each block of allocate; as large as the strictest alignment.  */
union block
{
  union block *next;
  max_align_t align;
};

static union block *blocks;		/* all of them, latest first */

static double *laps;			/* seconds of each lap */
static size_t n_laps, max_laps;
static struct timespec lap_begin;

void
set_program (const char *name)
{
  const char *slash = strrchr (name, '/');

  program = slash ? slash + 1 : name;
}

void
show_times (void)
{
  times_wanted = 1;
}

void
fail (const char *format, ...)
{
  va_list args;

  fprintf (stderr, "%s: ", program);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (2);
}

void
fail_at (const char *file, long line, const char *format, ...)
{
  va_list args;

  fprintf (stderr, "%s: %s:%ld: ", program, file, line);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (2);
}

void
arguments (int argc, char **argv, const char *names, ...)
{
  const char *name = names;
  int i = 1;
  va_list args;

  set_program (argv[0]);
  if (i < argc && strcmp (argv[i], "-t") == 0)
    {
      show_times ();
      i++;
    }

  va_start (args, names);
  while (*name)
    {
      int *value = va_arg (args, int *);
      int name_len = (int) strcspn (name, " ");
      char *end;
      long number;

      if (i == argc)
	fail ("usage: %s [-t] %s", program, names);
      errno = 0;
      number = strtol (argv[i], &end, 10);
      if (errno != 0 || end == argv[i] || *end != '\0' || number < 1 || number > INT_MAX)
	fail ("%.*s must be a number from 1 to %d, not '%s'", name_len, name, INT_MAX, argv[i]);
      *value = (int) number;
      name += name_len;
      name += strspn (name, " ");
      i++;
    }
  va_end (args);
  if (i < argc)
    fail ("usage: %s [-t] %s", program, names);
}

void *
allocate (size_t n, size_t size)
{
  union block *block;

  if (n > (PTRDIFF_MAX - sizeof *block) / size)
    fail ("out of memory");
  block = malloc (sizeof *block + n * size);
  if (!block)
    fail ("out of memory");
  /* Not zero: compilers would turn the pair into calloc, whose pages the first lap would have to fault in.  */
  memset (block, 1, sizeof *block + n * size);
  block->next = blocks;
  blocks = block;
  return block + 1;
}

static uint64_t
random_bits (void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

double
random_double (void)
{
  return (double) (random_bits () >> 11) * 0x1p-53;
}

int
random_below (int n)
{
  return (int) ((random_bits () >> 32) * (uint64_t) n >> 32);
}

void
random_permutation (int n, int *p)
{
  int i;

  for (i = 0; i < n; i++)
    p[i] = i;
  for (i = n - 1; i > 0; i--)
    {
      int other = random_below (i + 1);
      int t = p[i];

      p[i] = p[other];
      p[other] = t;
    }
}

uint64_t
hash_bytes (uint64_t hash, const void *p, size_t len)
{
  const unsigned char *byte = p;
  size_t i;

  for (i = 0; i < len; i++)
    hash = (hash ^ byte[i]) * 0x100000001b3u;
  return hash;
}

void
print_doubles (const char *name, const double *v, long n)
{
  uint64_t hash = hash_bytes (HASH_START, v, (size_t) n * sizeof *v);
  double sum = 0.0;
  long i;

  for (i = 0; i < n; i++)
    sum += v[i];
  printf ("%s %016llx %.17g\n", name, (unsigned long long) hash, sum);
}

void
print_floats (const char *name, const float *v, long n)
{
  uint64_t hash = hash_bytes (HASH_START, v, (size_t) n * sizeof *v);
  double sum = 0.0;
  long i;

  for (i = 0; i < n; i++)
    sum += v[i];
  printf ("%s %016llx %.17g\n", name, (unsigned long long) hash, sum);
}

void
lap_start (void)
{
  clock_gettime (CLOCK_MONOTONIC, &lap_begin);
}

void
lap_stop (void)
{
  struct timespec end;

  clock_gettime (CLOCK_MONOTONIC, &end);
  if (n_laps == max_laps)
    {
      max_laps = max_laps ? 2 * max_laps : 256;
      laps = realloc (laps, max_laps * sizeof *laps);
      if (!laps)
	fail ("out of memory");
    }
  laps[n_laps++] = (double) (end.tv_sec - lap_begin.tv_sec) + 1e-9 * (double) (end.tv_nsec - lap_begin.tv_nsec);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_laps (void)
{
  double total = 0.0, first = laps[0];
  double *later = n_laps > 1 ? laps + 1 : laps;
  size_t i, n_later = n_laps > 1 ? n_laps - 1 : 1;

  for (i = 0; i < n_laps; i++)
    total += laps[i];
  qsort (later, n_later, sizeof *later, compare_doubles);
  fprintf (stderr, "total %.9f first %.9f later %.9f\n", total, first, later[n_later / 2]);
}

void
finish (void)
{
  if (times_wanted && n_laps > 0)
    print_laps ();
  free (laps);
  while (blocks)
    {
      union block *next = blocks->next;

      free (blocks);
      blocks = next;
    }
}
