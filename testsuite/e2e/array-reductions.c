/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 5, 64
//! opts: -O1, -O2, -O3, -O3 -march=native, -Ofast
//! stat: pool >= 40
//! scan: report 17 "depth":1,.*"form":"array-reduction".*"outlined":true
//! scan: report 6 "function":"not_[a-z_]*","depth":1,.*"reason":"indirect".*"outlined":true
//! scan: report 1 "function":"not_alone","depth":1,.*"class":"sequential"
/* Arrays that a loop does nothing with but to add to elements, or the like: each range has its own.  Elements are where
   a number in a byte says, a masked one, or a declared array's; or where inner loops go.  The command line says where
   pointers point into the memory that is also read.  Sums of floating-point numbers are of such that any order has the
   same bits.  */
#include "print.h"

#define N 4000
#define M 48

static int count[256], large[8192];
static double weight[64];
static struct
{
  long before;
  unsigned short low[16], high[16];
  long behind;
} pair;

KERNEL void
count_bytes (int n, const unsigned char *key, int *counts)
{
  int i;

  for (i = 0; i < n; i++)
    counts[key[i]]++;
}

KERNEL void
count_in_static (int n, const unsigned *key)
{
  int i;

  for (i = 0; i < n; i++)
    count[key[i] % 256] += i;
}

KERNEL void
count_where_told (int n, const unsigned *key)
{
  int i;

  for (i = 0; i < n; i++)
    large[key[i]] -= (int) key[i];
}

KERNEL void
count_signed (int n, const signed char *key, short *middle)
{
  int i;

  for (i = 0; i < n; i++)
    middle[key[i]] += 3;
}

KERNEL void
count_in_members (int n, const unsigned *key)
{
  int i;

  for (i = 0; i < n; i++)
    {
      pair.low[key[i] & 15]++;
      pair.high[key[i] >> 4 & 15] += 2;
    }
}

KERNEL void
count_twice (int n, const unsigned *a, const unsigned *b, unsigned char *counts)
{
  int i;

  for (i = 0; i < n; i++)
    {
      unsigned at = a[i] & 63, behind = b[i] & 63;
      unsigned char first = counts[at], second = counts[behind];
      counts[at] = (unsigned char) (first + 5);
      counts[behind] = (unsigned char) (second + 7);
    }
}

KERNEL void
count_some (int n, const unsigned *key, unsigned *counts)
{
  int i;

  for (i = 0; i < n; i++)
    if (key[i] & 1024)
      counts[key[i] & 127] ^= key[i];
    else if (key[i] & 2048)
      counts[key[i] >> 2 & 127] ^= 77u;
}

KERNEL void
sum_columns (int n, int m, const int *a, long *sums)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      sums[j] += a[i * m + j];
}

KERNEL void
largest_of_columns (int n, int m, const int *a, int *most, int *least)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      {
	most[j] = most[j] > a[i * m + j] ? most[j] : a[i * m + j];
	least[j] = least[j] < a[i * m + j] ? least[j] : a[i * m + j];
      }
}

KERNEL void
multiply_columns (int n, int m, const int *a, unsigned *products)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      products[j] *= (unsigned) a[i * m + j] | 1u;
}

KERNEL void
mask_bits (int n, const unsigned *key, unsigned long long *all, unsigned long long *any)
{
  int i;

  for (i = 0; i < n; i++)
    {
      all[key[i] & 7] &= key[i] | 0xffff0000ffffff00ull;
      any[key[i] & 7] |= (unsigned long long) key[i] << 20;
    }
}

/* One sum a row goes to a place that is loaded; a scalar and a filled array beside it.  */
KERNEL long
sum_rows (int n, int m, const unsigned *key, const int *a)
{
  int row[M], i, j;
  long total = 0;

  for (i = 0; i < n; i++)
    {
      int sum = count[key[i] & 255];
      for (j = 0; j < m; j++)
	row[j] = a[i * m + j] * 3;
      for (j = 0; j < m; j++)
	sum += row[m - 1 - j] ^ j;
      count[key[i] & 255] = sum;
      total += row[0];
    }
  return total;
}

KERNEL void
one_place (int n, const int *a, unsigned *sum)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] & 1)
      *sum += (unsigned) a[i];
}

KERNEL void
weigh (int n, const unsigned *key, const double *x)
{
  int i;

  for (i = 0; i < n; i++)
    weight[key[i] & 63] += x[i];
}

/* Where Q is COUNTS, iterations meet there only within themselves.  */
KERNEL void
also_read (int n, const unsigned char *key, int *counts, const int *q, int *out)
{
  int i;

  for (i = 0; i < n; i++)
    {
      counts[key[i]]++;
      counts[i + 300] += 7;
      out[i] = q[i + 300];
    }
}

/* The types say 16, the program means 256.  */
KERNEL void
count_past_rows (int n, const unsigned char *key)
{
  static int table[16][16];
  int i;

  for (i = 0; i < n; i++)
    table[0][key[i]]++;
  print_bits ("table", table, sizeof table);
}

/* Elements are where OFFSET says, in bytes: at multiples of 4, but nobody says so.  */
KERNEL void
not_in_phase (int n, const unsigned *offset, int *counts)
{
  int i;

  for (i = 0; i < n; i++)
    {
      unsigned long o = offset[i] > 200 ? 8 : offset[i];
      *(int *) ((char *) counts + (o < 2 ? 2 : o)) += 40000;
    }
}

KERNEL void
not_as_stored (int n, const unsigned char *key)
{
  static struct
  {
    int of;
  } __attribute__ ((scalar_storage_order ("big-endian"))) swapped[256];
  int i;

  for (i = 0; i < n; i++)
    swapped[key[i]].of += 200;
  print_bits ("swapped", swapped, sizeof swapped);
}

/* The definition elsewhere has more elements than the declaration says.  */
int defined[1 + 256];
extern struct
{
  int n;
  int of[];
} declared __asm__("defined");

KERNEL void
not_as_declared (int n, const int *place)
{
  int i;

  for (i = 0; i < n; i++)
    declared.of[place[i]] += 5;
}

/* How far it goes is told before, by a number without a sign.  */
KERNEL void
count_remainders (int n, const unsigned char *key, int *counts)
{
  int i;

  for (i = 0; i < n; i++)
    {
      unsigned rest = key[i] % 60u;
      counts[rest * 2]++;
    }
}

/* The index tells.  */
KERNEL void
declared_elsewhere (int n, const unsigned char *key)
{
  int i;

  for (i = 0; i < n; i++)
    declared.of[key[i] % 200u] += 7;
}

static __attribute__ ((noinline)) void
store_count (int *out, int at)
{
  *out = count[at & 255];
}

/* A function reads it, too.  */
KERNEL void
not_as_called (int n, const unsigned char *key, int *out)
{
  int i;

  for (i = 0; i < n; i++)
    {
      count[key[i]]++;
      store_count (&out[i], i);
    }
}

/* What is read is more than what is added to.  */
KERNEL void
not_that_way (int n, const unsigned *key, unsigned *counts)
{
  int i;

  for (i = 0; i < n; i++)
    counts[key[i] & 127] = key[i] - counts[key[i] & 127];
}

KERNEL void
not_with_two (int n, const unsigned *key, unsigned *counts)
{
  int i;

  for (i = 0; i < n; i++)
    {
      counts[key[i] & 127] += 5;
      counts[key[i] >> 4 & 127] *= 3;
    }
}

KERNEL void
not_elsewhere (int n, const unsigned *key, unsigned *counts)
{
  int i;

  for (i = 0; i < n; i++)
    counts[key[i] & 127] += counts[i & 127];
}

KERNEL void
not_of_a_neighbour (int n, const unsigned *key, unsigned *counts)
{
  int i;

  for (i = 0; i < n; i++)
    counts[key[i] & 127] = counts[(key[i] & 127) ^ 1] + 1;
}

KERNEL unsigned
not_alone (int n, const unsigned *key, unsigned *counts)
{
  unsigned seen = 1;
  int i;

  for (i = 0; i < n; i++)
    {
      counts[key[i] & 127] += 1;
      seen = seen * 31 + counts[key[i] & 127];
    }
  return seen;
}

int
main (int argc, char **argv)
{
  static unsigned key[N + 256], other[N + 256], counts[256], offset[N];
  static int places[N];
  static int both[N + 300], out[N];
  static int a[N * M];
  static short shorts[256];
  static unsigned char bytes[64];
  static double x[N];
  unsigned long long all[8], any[8] = { 0 };
  long sums[M] = { 0 };
  int most[M] = { 0 }, least[M] = { 0 };
  unsigned products[M], seed = 5, place = 1;
  int at = argc > 1 ? atoi (argv[1]) : 0, i, t;

  for (i = 0; i < N + 256; i++)
    {
      key[i] = next_random (&seed) % 5000;
      places[i] = key[i] % 256;
      other[i] = next_random (&seed) % 5000;
    }
  for (i = 0; i < N * M; i++)
    a[i] = (int) (next_random (&seed) % 2000) - 1000;
  for (i = 0; i < N; i++)
    offset[i] = 4 + other[i] % 49 * 4;
  for (i = 0; i < N; i++)
    x[i] = (double) (next_random (&seed) % 4096) * 0.0625;
  for (i = 0; i < M; i++)
    products[i] = (unsigned) i + 1;
  for (i = 0; i < 8; i++)
    all[i] = ~0ull;
  for (t = 0; t < 2; t++)
    {
      count_bytes (N, (const unsigned char *) key, at ? (int *) key + at : count);
      count_in_static (N, key);
      count_where_told (N - at, other);
      count_signed (N, (const signed char *) key, shorts + 128);
      count_in_members (N, key);
      count_twice (N, key, other, at == 5 ? (unsigned char *) (key + 9) : bytes);
      count_some (N, other, at == 64 ? other + 1 : counts);
      sum_columns (N, M - at % M, a, sums);
      largest_of_columns (N, M, a, most, at == 1 ? most : least);
      multiply_columns (N, M, a, products);
      mask_bits (N, key, all, any);
      print_bits ("sums", sums, sizeof sums);
      printf ("total %ld\n", sum_rows (N, M, key, a));
      one_place (N, a, at == 64 ? (unsigned *) a + 70 : &place);
      weigh (N, key, x);
      also_read (N - 1, (const unsigned char *) key, (int *) both, at == 5 ? (const int *) both : a, out);
      print_bits ("both", both, sizeof both);
      count_past_rows (N, (const unsigned char *) key);
      not_in_phase (N, offset, (int *) both);
      not_as_stored (N, (const unsigned char *) key);
      count_remainders (N, (const unsigned char *) key, (int *) both);
      print_bits ("both", both, sizeof both);
      not_as_declared (N, places);
      declared_elsewhere (N, (const unsigned char *) key);
      print_bits ("defined", defined, sizeof defined);
      not_as_called (N, (const unsigned char *) key, out);
      print_bits ("out", out, sizeof out);
      not_that_way (N, key, counts);
      not_with_two (N, key, counts);
      not_elsewhere (N, key, counts);
      not_of_a_neighbour (N, key, counts);
      printf ("seen %u, place %u\n", not_alone (N, key, counts), place);
      print_bits ("count", count, sizeof count);
      print_bits ("large", large, sizeof large);
      print_bits ("shorts", shorts, sizeof shorts);
      print_bits ("pair", &pair, sizeof pair);
      print_bits ("bytes", bytes, sizeof bytes);
      print_bits ("counts", counts, sizeof counts);
      print_bits ("key", key, sizeof key);
      print_bits ("most", most, sizeof most);
      print_bits ("least", least, sizeof least);
      print_bits ("products", products, sizeof products);
      print_bits ("all", all, sizeof all);
      print_bits ("any", any, sizeof any);
      print_bits ("weight", weight, sizeof weight);
    }
  return 0;
}
