/* SPDX-License-Identifier: MIT */
//! run: threads=1,2,4
//! inject: none, every:7, random:3
//! stat: pool >= 40
//! stat: L0 >= 10
//! stat: L1 >= 30
//! stat: conflicts >= 10
//! scan: report 25 "outlined":true
/* Scalars that an iteration adds to and uses: where the next value goes, how much there was before.  Ranges of
   iterations are tallied first.  What is kept: none, all, each other, some; outputs lie beside inputs, or on them.  */
#include "print.h"

#include <limits.h>

#define N 3000

static double x[N + 8], y[2 * N + 8];
static int whole[N + 8], where[2 * N + 8], rows[N + 8];
static double fixed_in[N], fixed_out[2 * N];

struct pair
{
  double value;
  int at, half;
};
static struct pair pairs[N + 8];

KERNEL int
pack (int n, double *out, const double *in)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[count++] = in[i];
  return count;
}

/* Counted before it is stored; both arrays are known.  */
KERNEL int
pack_fixed (int n)
{
  int last = -1, i;

  for (i = 0; i < n; i++)
    if (fixed_in[i] > 0)
      {
	last++;
	fixed_out[last] = fixed_in[i];
      }
  return last;
}

KERNEL int
pack_indices (int n, int *out, const double *in, int from)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[from++] = i;
  return from;
}

/* The place is OUT + COUNT, near the largest number; where it ends, nothing has overflown.  */
KERNEL int
pack_high (int n, int *out, const double *in, int count)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[count++ - (INT_MAX - N)] = i;
  return count;
}

/* COUNT passes 2^32 on the way, and goes on at 0; the places do not.  */
KERNEL unsigned
pack_around (int n, int *out, const double *in, unsigned count)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[count++ + 500u] = i;
  return count;
}

KERNEL int *
pack_pointer (int n, int *out, const int *in)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] & 1)
      *out++ = in[i] * 3;
  return out;
}

KERNEL short
pack_short (int n, int *out, const int *in, short count)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] & 1)
      {
	out[count] = i;
	count++;
      }
  return count;
}

KERNEL int
pack_structs (int n, struct pair *out, const double *in)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      {
	out[count].value = in[i];
	out[count].at = i;
	out[count].half = i / 2;
	count++;
      }
  return count;
}

/* One or two values an iteration.  */
KERNEL int
pack_twos (int n, double *out, const double *in)
{
  int count = -1, i;

  for (i = 0; i < n; i++)
    {
      count++;
      out[count] = in[i];
      if (in[i] > 0)
	{
	  count++;
	  out[count] = -in[i];
	}
    }
  return count;
}

/* Both fields of a pair: a step of two.  */
KERNEL int
pack_strided (int n, double *out, const double *in)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      {
	out[count] = in[i];
	out[count + 1] = i;
	count += 2;
      }
  return count;
}

KERNEL int
partition (int n, double *yes, int *no, const double *in)
{
  int n_yes = 0, n_no = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      yes[n_yes++] = in[i];
    else
      no[n_no++] = i;
  return n_yes * 10000 + n_no;
}

/* Unpack: what is read goes on, where it is wanted.  */
KERNEL int
unpack (int n, double *out, const double *in, const int *wanted)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    if (wanted[i] & 1)
      out[i] = in[count++];
  return count;
}

/* How much there was before.  */
KERNEL int
scan (int n, int *out, const int *in)
{
  int sum = 0, i;

  for (i = 0; i < n; i++)
    {
      sum += in[i];
      out[i] = sum;
    }
  return sum;
}

KERNEL int
scan_in_place (int n, int *data)
{
  int sum = 0, i;

  for (i = 0; i < n; i++)
    {
      int value = data[i];
      data[i] = sum;
      sum += value;
    }
  return sum;
}

KERNEL unsigned
scan_bits (int n, unsigned *out, const unsigned *in)
{
  unsigned bits = 5;
  int i;

  for (i = 0; i < n; i++)
    {
      bits ^= in[i];
      out[i] = bits + 1;
    }
  return bits;
}

/* A sum that wraps again and again; in ranges, it starts from 0.  */
KERNEL unsigned
scan_products (int n, unsigned *out, const int *in)
{
  unsigned sum = 7;
  int i;

  for (i = 0; i < n; i++)
    {
      out[i] = sum >> 3;
      sum += (unsigned) in[i] * 123456789u;
    }
  return sum;
}

/* Rows of a sparse matrix: each has as many as it has.  */
KERNEL int
sparse_rows (int n, int m, int *from, int *column, const double *dense)
{
  int count = 0, i, j;

  for (i = 0; i < n; i++)
    {
      from[i] = count;
      for (j = 0; j < m; j++)
	if (dense[i * m + j] > 0)
	  column[count++] = j;
    }
  return count;
}

/* What is tested is stored to before, if the arrays are one.  */
KERNEL int
late_test (int n, double *out, double *marked, const double *in)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    {
      marked[i] = i % 3 - 1;
      if (in[i] > 0)
	out[count++] = in[i];
    }
  return count;
}

/* What has been kept so far, and the largest so far with where it went.  */
KERNEL int
largest_kept (int n, double *out, const double *in)
{
  int count = 0, at = -1, i;
  double most = -1;

  for (i = 0; i < n; i++)
    {
      if (in[i] > most)
	{
	  most = in[i];
	  at = count;
	}
      if (in[i] > 0)
	out[count++] = in[i];
    }
  return at * 10000 + count;
}

/* The iteration before is looked at, too.  */
KERNEL int
pack_changes (int n, int *out, const int *in)
{
  int count = 0, i;

  for (i = 1; i < n; i++)
    if (in[i] != in[i - 1] + 1)
      out[count++] = in[i];
  return count;
}

/* Where the output goes at first is where what is read begins, too, but only at first.  */
KERNEL int
pack_mirrored (int n, int last)
{
  double *out = fixed_out;
  int i;

  for (i = 0; i < n; i++)
    if (fixed_in[i] >= 0)
      *out++ = fixed_out[last - i] * 0.5 + 1;
  return (int) (out - fixed_out);
}

/* Refused: it is stored each time, and so are all that follow; */
KERNEL int
last_of_each (int n, double *out, const double *in)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    {
      out[count] = in[i];
      if (in[i] > 0)
	count++;
    }
  return count;
}

/* what is counted depends on the count; */
KERNEL int
pack_some (int n, double *out, const double *in, int most)
{
  int count = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0 && count < most)
      out[count++] = in[i];
  return count;
}

/* the count is in memory, an array of one cursor (cursors.c), and what is tested may be the output; */
KERNEL void
pack_by_memory (int n, double *out, const double *in, int *count)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[(*count)++] = in[i];
}

/* the iteration before makes what it goes by, and before that, it may lead anywhere in a constant table; */
static const unsigned char some[100] = { 1, 0, 1 };

KERNEL int
pack_made (int n, int *out, const int *in)
{
  int count = 1, i;

  for (i = 0; i < n; i++)
    if (some[in[i]] & 1)
      out[count++] = i % 3;
  return count;
}

/* it goes back; */
KERNEL int
pack_and_drop (int n, double *out, const double *in)
{
  int count = N, i;

  for (i = 0; i < n; i++)
    {
      count += in[i] > 0 ? 1 : -1;
      out[count] = in[i];
    }
  return count;
}

/* order decides the bits of a sum; */
KERNEL double
scan_sums (int n, double *out, const double *in)
{
  double sum = 0;
  int i;

  for (i = 0; i < n; i++)
    {
      sum += in[i];
      out[i] = sum;
    }
  return sum;
}

/* what is added depends on what was stored; */
KERNEL int
chain (int n, int *out, const int *in)
{
  int sum = 0, i;

  for (i = 0; i < n; i++)
    {
      out[sum & 1023] = i;
      sum += in[i] & 1 ? 1 : sum & 3;
    }
  return sum;
}

/* the two fill one array from both ends.  */
KERNEL int
both_ends (int n, double *out, const double *in)
{
  int low = 0, high = n, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[low++] = in[i];
    else
      out[--high] = in[i];
  return low;
}

static void
fill (int kind)
{
  unsigned seed = 42;
  int i;

  for (i = 0; i < N; i++)
    {
      int by_chance = next_random (&seed) % 3 == 0;
      int keep = kind < 2 ? kind : kind == 2 ? i & 1 : kind == 3 ? by_chance : i < N / 2;
      x[i] = keep ? 1 + i * 0.5 : -i;
      fixed_in[i] = x[i];
      whole[i] = keep ? 2 * i + 1 : 2 * i;
    }
  for (i = 0; i < 2 * N + 8; i++)
    y[i] = where[i] = 0;
}

static void
show (const char *name, long result)
{
  printf ("%s %ld\n", name, result);
  print_bits ("x", x, sizeof x);
  print_bits ("y", y, sizeof y);
  print_bits ("where", where, sizeof where);
  print_bits ("whole", whole, sizeof whole);
}

static void
apart (int kind)
{
  fill (kind);
  show ("pack", pack (N, y, x));
  show ("fixed", pack_fixed (N));
  print_bits ("fixed", fixed_out, sizeof fixed_out);
  show ("mirrored", pack_mirrored (N, 5 * N / 4));
  print_bits ("fixed", fixed_out, sizeof fixed_out);
  show ("indices", pack_indices (N, where, x, 5));
  show ("high", pack_high (N - 10, where, x, INT_MAX - N + 10));
  show ("short", pack_short (N, where, whole, 17));
  show ("pointer", pack_pointer (N, where, whole) - where);
  show ("structs", pack_structs (N, pairs, x));
  print_bits ("pairs", pairs, sizeof pairs);
  show ("twos", pack_twos (N, y, x));
  show ("strided", pack_strided (N, y, x));
  show ("partition", partition (N, y, where, x));
  show ("unpack", unpack (N, y, x, whole));
  show ("scan", scan (N, where, whole));
  show ("in place", scan_in_place (N, where));
  show ("bits", (long) scan_bits (N, (unsigned *) where, (const unsigned *) whole));
  show ("products", (long) scan_products (N, (unsigned *) where, whole));
  show ("rows", sparse_rows (N / 10, 10, rows, where, x));
  print_bits ("rows", rows, sizeof rows);
  show ("late", late_test (N, y, y + N + 2, x));
  show ("largest", largest_kept (N, y, x));
  show ("changes", pack_changes (N, where, whole));
  show ("last", last_of_each (N, y, x));
  show ("some", pack_some (N, y, x, 77));
  rows[0] = 3;
  pack_by_memory (N, y, x, rows);
  show ("memory", rows[0]);
  for (int i = 1; i < N; i++)
    where[i] = 0x70000000;
  where[0] = 0;
  show ("made", pack_made (3, where, where));
  for (int i = 1; i < N; i++)
    where[i] = i & 7;
  show ("drop", pack_and_drop (N, y + 4, x));
  show ("sums", (long) scan_sums (N, y, x));
  show ("chain", chain (N, where, whole));
  show ("ends", both_ends (N, y, x));
}

/* Outputs on inputs, or a little beside them.  */
static void
on_each_other (int kind)
{
  int d;

  for (d = -1; d <= 2; d++)
    {
      fill (kind);
      show ("pack on", pack (N / 2, x + 4 + d, x + 4));
      show ("partition on", partition (N / 2, x + 3, whole + 8 + d, x + N / 4));
      show ("unpack on", unpack (N / 2, x + 4 + d, x + 4, whole));
      show ("scan on", scan (N / 2, whole + 4 + d, whole + 4));
      show ("late on", late_test (N / 2, y, x + 4 + d, x + 4));
      show ("pointer on", pack_pointer (N / 2, whole + 4 + d, whole + 4) - whole);
    }
  /* As much room as is needed, just before and just behind what is read.  */
  fill (kind);
  d = pack (N / 2, y, x + N / 2);
  show ("before", pack (N / 2, x + N / 2 - d, x + N / 2));
  fill (kind);
  show ("one less", pack (N / 2, x + N / 2 - d + 1, x + N / 2));
  fill (kind);
  show ("behind", pack (N / 2, x + N / 2, x));
  fill (kind);
  show ("one back", pack (N / 2, x + N / 2 - 1, x));
}

static void
around (int kind)
{
  fill (kind);
  show ("around", (long) pack_around (N, where, x, -500u));
  show ("not around", (long) pack_around (N, where, x, 12));
}

int
main (void)
{
  int kind;

  for (kind = 0; kind < 5; kind++)
    {
      apart (kind);
      on_each_other (kind);
      around (kind);
    }
  return 0;
}
