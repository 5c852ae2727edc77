/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 70, 3999
//! opts: -O1, -O2, -O3, -O3 -march=native, -Ofast
//! link: -lm
//! stat: pool >= 10
//! stat: L1 >= 10
//! scan: report 9 "depth":1,.*"form":"array-reduction".*"outlined":true
//! scan: report 0 "function":"not_[a-z_]*".*"outlined":true
/* Sums, minima and maxima that a loop keeps in memory at one place, by pointers that could point anywhere; GCC has some
   of them in a register, too, as long as the loop runs.  The command line says how far into memory that is also read
   pointers point.  What is only compared may be read-only.  Sums of floating-point numbers are of such that any order
   has the same bits.  */
#include "print.h"

#include <math.h>

#define N 4000
#define M 60

int total = 3;
unsigned long long seen_bits;
int largest_so_far = -5;
static int count[256];

KERNEL void
sum_at (int n, const int *a, int *sum)
{
  int i;

  for (i = 0; i < n; i++)
    *sum += a[i];
}

KERNEL int
sum_and_tell (int n, const int *a, int *sum)
{
  int i;

  *sum = 7;
  for (i = 0; i < n; i++)
    *sum -= a[i];
  return *sum;
}

KERNEL int
sum_in_global (int n, const int *a)
{
  int i;

  for (i = 0; i < n; i++)
    total += a[i] * 3;
  return total + n;
}

KERNEL void
sum_some (int n, const int *a, int *sum)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] & 4)
      *sum += a[i];
}

KERNEL void
collect_bits (int n, const unsigned long long *a)
{
  int i;

  for (i = 0; i < n; i++)
    seen_bits ^= a[i] * 5;
}

KERNEL void
largest_in_global (int n, const int *a)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > largest_so_far)
      largest_so_far = a[i];
}

KERNEL void
largest_at (int n, const double *x, double *m)
{
  int i;

  for (i = 0; i < n; i++)
    if (x[i] > *m)
      *m = x[i];
}

KERNEL double
smallest_of_rows (int n, int m, const double *x, double *least)
{
  int i, j;

  *least = 1e30;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      if (x[i * m + j] < *least)
	*least = x[i * m + j];
  return *least;
}

KERNEL void
largest_and_all (int n, int m, const double *x, double *most, int *whole, int *sum)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      {
	double v = fabs (x[i * m + j]);
	*sum += (int) v;
	whole[i * m + j] = (int) x[i * m + j];
	if (v > *most)
	  *most = v;
      }
}

KERNEL void
weigh (int n, const double *x, double *weight)
{
  int i;

  for (i = 0; i < n; i++)
    *weight += x[i];
}

/* No place at all, for kernels.  */
KERNEL void
halve (int n, double *x)
{
  int i;

  for (i = 0; i < n; i++)
    x[i] *= 0.5;
}

/* What is compared is what the place was before.  */
KERNEL void
not_so_fresh (int n, const int *a, const int *b, int *m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      int was = *m;
      if (a[i] > was)
	*m = a[i];
      if (b[i] > was)
	*m = b[i];
    }
}

/* Something else comes of the test.  */
KERNEL void
not_only_that (int n, const int *a, int *records, int *m)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > *m)
      {
	*m = a[i];
	records[i] = i;
      }
}

/* All it has been on the way.  */
KERNEL void
not_on_the_way (int n, const int *a, int *sums, int *sum)
{
  int i;

  for (i = 0; i < n; i++)
    {
      *sum += a[i] * i;
      sums[i] = *sum % 100;
    }
}

KERNEL void
not_so_far (int n, const int *a, int *so_far, int *m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (a[i] > *m)
	*m = a[i];
      so_far[i] = *m;
    }
}

/* The program has it in a variable, too, and stores go by other names.  */
KERNEL int
not_by_another_pointer (int n, const int *a, int *sum, int *out)
{
  int kept = *sum, i;

  for (i = 0; i < n; i++)
    {
      kept += a[i];
      *sum = kept;
      out[i] = i;
    }
  return kept;
}

KERNEL int
not_by_an_index (int n, const int *a, const unsigned char *key)
{
  int kept = count[0], i;

  for (i = 0; i < n; i++)
    {
      kept += a[i];
      count[0] = kept;
      count[key[i]] += 100;
    }
  return kept;
}

KERNEL int
not_even_before (int n, const int *a, const unsigned char *key)
{
  int kept = count[0], i;

  for (i = 0; i < n; i++)
    {
      count[key[i]] += 100;
      kept += a[i];
      count[0] = kept;
    }
  return kept;
}

KERNEL void
not_since_then (int n, const int *a, const int *b, const unsigned char *key)
{
  int i;

  for (i = 0; i < n; i++)
    {
      int was = count[0];
      if (b[i] > count[key[i]])
	count[key[i]] = b[i];
      if (a[i] > was)
	count[0] = a[i];
    }
}

/* One place, two operations.  */
KERNEL void
not_two_ways (int n, const int *a, int *m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (a[i] > *m)
	*m = a[i];
      *m += 1;
    }
}

static int a[N + 100], b[N + 100], whole[N], sums[N], records[N];
static unsigned long long bits[N];
static double x[N + 100];
static const double limit = 1e300;

int
main (int argc, char **argv)
{
  int at = argc > 1 ? atoi (argv[1]) : 0, i, t, sum = 1, some = 2, all = 0, m = -1;
  double most = -INFINITY, least, weight = 0, unknown = NAN, zero = -0.0, none = INFINITY;
  unsigned seed = 11;

  for (i = 0; i < N + 100; i++)
    {
      a[i] = (int) (next_random (&seed) % 2000) - 1000;
      b[i] = (int) (next_random (&seed) % 3000) - 1000;
      x[i] = (double) (next_random (&seed) % 4096) * 0.0625 - 100;
    }
  for (i = 0; i < N; i++)
    bits[i] = (unsigned long long) next_random (&seed) * 77777777777ull;
  x[50] = x[900] = NAN;
  for (t = 0; t < 3; t++)
    {
      sum_at (N, a, at ? a + at : &sum);
      printf ("told %d\n", sum_and_tell (N, b, at == 70 ? b + 70 : &sum));
      printf ("total %d\n", sum_in_global (N - t, a));
      sum_some (N, a, at == 1 ? a + 1 : &some);
      collect_bits (N, bits);
      largest_in_global (N - 100 + 50 * t, a);
      largest_at (N, x, at == 3999 ? x + at : &most);
      largest_at (N, x, (double *) &limit);
      largest_at (N, x, &unknown);
      x[700] = 0.0;
      largest_at (500 * (t == 2), x + 600, &zero);
      largest_at (N, x, &none);
      printf ("least %.17g\n", smallest_of_rows (N / M, M, x, at == 70 ? x + at : &least));
      largest_and_all (N / M, M, x, at == 1 ? (double *) whole + 5 : &most, whole, at == 70 ? whole + 70 : &all);
      x[50] = x[900] = 0;
      weigh (N, x, at == 1 ? x + 1 : &weight);
      not_so_fresh (N, a, b, &m);
      not_only_that (N, a, records, at == 1 ? records + 1 : &m);
      not_on_the_way (N, a, sums, at == 1 ? sums + 1 : &some);
      printf ("kept %d", not_by_another_pointer (N, a, at ? whole + at : &sum, whole));
      printf (" and %d\n", not_by_an_index (N, a, (const unsigned char *) a));
      printf ("before %d\n", not_even_before (N, a, (const unsigned char *) b));
      for (i = 0; i < N; i++)
	sums[i] = i == 2345 ? 5000 : 0;
      count[0] = 5;
      not_since_then (N, a, sums, (const unsigned char *) whole);
      print_bits ("count", count, sizeof count);
      m = -2000;
      not_so_far (N, a, records, at == 1 ? records + 1 : &m);
      print_bits ("so far", records, sizeof records);
      not_two_ways (N, a, &m);
      printf ("sum %d some %d all %d m %d %d %llu\n", sum, some, all, m, largest_so_far, seen_bits);
      printf ("most %.17g %.17g %d %d %.17g\n", most, weight, unknown != unknown, signbit (zero) != 0, none);
      halve (N, x);
      print_bits ("a", a, sizeof a);
      print_bits ("b", b, sizeof b);
      print_bits ("x", x, sizeof x);
      print_bits ("whole", whole, sizeof whole);
      print_bits ("sums", sums, sizeof sums);
      print_bits ("records", records, sizeof records);
    }
  return 0;
}
