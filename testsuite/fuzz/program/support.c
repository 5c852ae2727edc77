/* SPDX-License-Identifier: MIT
   The part of a generated loop program that is always the same: data, checksums, output.

   Built once, without the plugin.  After each call of a kernel the program prints a hash over all that kernels may
   have written, so a wrong byte shows in the first line after it came about.  */

#include "support.h"

#include <stdbool.h>
#include <stdio.h>

enum
{
  MAX_BUFFERS = 96
};

static struct
{
  void *data;
  unsigned long len;
  enum kind kind;
} buffers[MAX_BUFFERS];

static int n_buffers;
static unsigned long random_state = 88172645463325252ul;
static struct record *all_records;
static unsigned long n_records;

unsigned long int_out;
double fp_out;

static unsigned long
next_random (void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* A multiple of 1/8 within -100 .. 100.  */
static double
random_double (void)
{
  return ((double) (next_random () % 1601) - 800.0) * 0.125;
}

/* Fold LEN bytes at DATA into the program's integer result.  */
void
mix (const void *data, unsigned long len)
{
  const unsigned char *at = data;
  unsigned long word, i;

  for (i = 0; i + 8 <= len; i += 8)
    {
      memcpy (&word, at + i, 8);
      int_out = (int_out ^ word) * 0x9e3779b97f4a7c15ul;
      int_out ^= int_out >> 29;
    }
  for (; i < len; i++)
    int_out = (int_out ^ at[i]) * 0x9e3779b97f4a7c15ul;
}

/* Fill LEN bytes at DATA; if kernels may write there, hash them in every report.  */
void
buffer (void *data, unsigned long len, enum kind kind)
{
  bool is_float = kind == FLOATS || kind == CONST_FLOATS, is_double = kind == DOUBLES || kind == CONST_DOUBLES;

  for (unsigned long i = 0; is_float && i < len / sizeof (float); i++)
    ((float *) data)[i] = (float) random_double ();
  for (unsigned long i = 0; is_double && i < len / sizeof (double); i++)
    ((double *) data)[i] = random_double ();
  for (unsigned long i = 0; kind == INTS && i < len; i++)
    ((unsigned char *) data)[i] = (unsigned char) next_random ();
  if (kind == CONST_FLOATS || kind == CONST_DOUBLES)
    return;
  if (n_buffers == MAX_BUFFERS)
    abort ();
  buffers[n_buffers].data = data;
  buffers[n_buffers].len = len;
  buffers[n_buffers++].kind = kind;
}

void
buffer_records (struct record *records, unsigned long n)
{
  buffer (records, n * sizeof *records, INTS);
  for (unsigned long i = 0; i < n; i++)
    {
      records[i].e = random_double ();
      records[i].x = (float) random_double ();
    }
  all_records = records;
  n_records = n;
}

void
buffer_columns (struct columns *columns)
{
  buffer (columns->e, sizeof columns->e, DOUBLES);
  buffer (columns->a, sizeof columns->a, INTS);
  buffer (columns->u, sizeof columns->u, INTS);
  buffer (columns->b, sizeof columns->b, INTS);
  buffer (columns->x, sizeof columns->x, FLOATS);
  buffer (columns->l, sizeof columns->l, INTS);
}

/* Bring X back to where every kernel may start from; what is not finite has no way back.  */
static double
tame (double x)
{
  if (x - x != 0)
    return 0;
  while (x > 1000.0 || x < -1000.0)
    x *= 0.03125;
  return x;
}

/* Print one line on the call of NAME, which just returned.  */
void
report (const char *name)
{
  mix (&fp_out, sizeof fp_out);
  for (int b = 0; b < n_buffers; b++)
    {
      float *floats = buffers[b].data;
      double *doubles = buffers[b].data;

      mix (buffers[b].data, buffers[b].len);
      for (unsigned long i = 0; buffers[b].kind == FLOATS && i < buffers[b].len / sizeof *floats; i++)
	floats[i] = (float) tame (floats[i]);
      for (unsigned long i = 0; buffers[b].kind == DOUBLES && i < buffers[b].len / sizeof *doubles; i++)
	doubles[i] = tame (doubles[i]);
    }
  for (unsigned long i = 0; i < n_records; i++)
    {
      all_records[i].e = tame (all_records[i].e);
      all_records[i].x = (float) tame (all_records[i].x);
    }
  printf ("%s %016lx %a\n", name, int_out, fp_out);
  fp_out = 0;
}

static void
put (void *data, int size, unsigned long i, unsigned long value)
{
  memcpy ((char *) data + i * (unsigned long) size, &value, (size_t) size);
}

/* Fill the N SIZE-byte integers at DATA with values within 0 .. TOP.  PATTERN: 0 ascending, 1 descending,
   2 permuted, 3 random, 4 all equal, 5 permuted with one repetition at DISTANCE, 6 with many.  */
void
fill_index (void *data, int size, unsigned long n, unsigned long top, int pattern, unsigned long distance)
{
  unsigned long values = top + 1, source;

  for (unsigned long i = 0; i < n; i++)
    switch (pattern)
      {
      case 0:
	put (data, size, i, i % values);
	break;
      case 1:
	put (data, size, i, top - i % values);
	break;
      case 3:
	put (data, size, i, next_random () % values);
	break;
      case 4:
	put (data, size, i, distance % values);
	break;
      default:
	source = i;
	if ((pattern == 5 && i == distance + 3) || (pattern == 6 && i >= distance && i % 7 == 3))
	  source = i - distance;
	/* A prime above any TOP here: a permutation.  */
	put (data, size, i, source * 48611 % values);
	break;
      }
}

/* Fill the N SIZE-byte integers at DATA with the starts of rows that end at TOP or before: even rows, or uneven
   ones, some of them empty.  */
void
fill_rows (void *data, int size, unsigned long n, unsigned long top, int pattern)
{
  unsigned long at = 0;

  for (unsigned long i = 0; i < n; i++)
    {
      put (data, size, i, at);
      at += pattern & 1 ? next_random () % 12 : top / n;
      if (at > top)
	at = top;
    }
}
