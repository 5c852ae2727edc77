/* SPDX-License-Identifier: MIT */
//! run: threads=1,2,4
//! args: 0, 1
//! opts: -O1, -O2, -O3, -O3 -march=native, -Os
//! inject: none, every:7
//! stat: pool >= 17
//! stat: L1 >= 17
//! stat: conflicts >= 9
//! scan: report 14 "depth":1,.*"form":"cursors".*"class":"possibly parallel".*"outlined":true
//! scan: report 11 "function":"not_[a-z_]*","depth":1,.*"class":"sequential"
//! scan: report 1 "function":"not_of_its_own_making","depth":1,.*"reason":"stale-address"
/* Cursors: elements of an array that count, and tell where values go, as a counting sort's buckets.  The command line
   says whether they begin in order, or in another one.  Then some are in each other's way.  In `not_...' something else
   is made of them.  */
#include <limits.h>
#include <string.h>
#include "print.h"

#define N 6000
#define M 64
#define ROOM 400

struct item
{
  int at;
  double weight, left;
};

static unsigned char key[N], given[N];
static int big_key[N];
static long long_key[N];
static int next[M], other[M], from[N / 4 + 1], rank[N], to[M * ROOM + 8], where[M * ROOM + 8];
static unsigned unsigned_next[M];
static long long_next[M];
static unsigned long unsigned_long_next[M];
static unsigned short short_next[M];
static struct item items[M * ROOM + 8];
static struct
{
  int before, cursor[M], behind;
} inside = { 7, { 0 }, 7 };
static double x[N];
static char bytes[8 * M * ROOM];
static int how, seen;

KERNEL void
sort (int n)
{
  for (int i = 0; i < n; i++)
    to[next[key[i]]++] = i;
}

KERNEL void
sort_backwards (int n)
{
  for (int i = n - 1; i >= 0; i--)
    to[--unsigned_next[key[i]]] += i;
}

/* Neither what was there nor what is.  */
KERNEL void
sort_behind (int n)
{
  for (int i = 0; i < n; i++)
    to[next[key[i]]++ + 3] = i;
}

/* Eight times what they pass, which is the same for cursors far apart.  */
KERNEL void
sort_around (int n)
{
  for (int i = 0; i < n; i++)
    bytes[unsigned_long_next[key[i]]++ * 8] = (char) i;
}

/* A stable rank; no value goes by it.  */
KERNEL void
ranks (int n)
{
  for (int i = 0; i < n; i++)
    rank[i] = next[key[i]]++;
}

/* Two arrays, one of structures; every other item.  */
KERNEL int
structures (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (i % 3 != 1)
      {
	long at = long_next[key[i]]++;
	items[at].at = i;
	items[at].weight = x[i];
	where[at] = (int) at;
	sum += i;
      }
  return sum;
}

/* By two, and both places are filled.  */
KERNEL void
pairs (int n)
{
  for (int i = 0; i < n; i++)
    {
      unsigned long at = unsigned_long_next[key[i]];
      to[at] = i;
      to[at + 1] = -i;
      unsigned_long_next[key[i]] = at + 2;
    }
}

/* As a sparse matrix is turned: rows are ranges, and an iteration takes several steps.  */
KERNEL void
turn (int n)
{
  for (int i = 0; i < n; i++)
    for (int k = from[i]; k < from[i + 1]; k++)
      {
	int at = next[key[k]]++;
	where[at] = i;
	items[at].weight = x[k];
      }
}

/* In the midst of a structure, beside counts of another array and a sum.  */
KERNEL int
beside_counts (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      other[key[i] / 2]++;
      to[inside.cursor[key[i]]++] = i;
      sum += key[i];
    }
  return sum;
}

/* Two arrays of cursors.  */
KERNEL void
both_ways (int n)
{
  for (int i = 0; i < n; i++)
    {
      to[next[key[i]]++] = i;
      where[--long_next[key[n - 1 - i]]] = i;
    }
}

/* An array of nobody knows what length, and an index that tells.  */
KERNEL void
masked (int n, int *restrict cursor, const unsigned char *restrict keys, int *restrict out)
{
  for (int i = 0; i < n; i++)
    out[cursor[keys[i] & 31]++] = i;
}

/* Only the numbers tell that what is read is elsewhere.  */
KERNEL void
by_numbers (int n, int *restrict out, const double *in, double *copy)
{
  for (int i = 0; i < n; i++)
    {
      copy[i] = in[i] * 2;
      out[next[big_key[i]]++] = i;
    }
}

/* Two that go down.  */
KERNEL void
fill_down (int n, int *out, const int *in)
{
  for (int i = 0; i < n; i++)
    out[--next[long_key[i] & 1]] = in[i] & 63;
}

/* What is passed is read.  */
KERNEL unsigned
fetch (int n)
{
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum += (unsigned) where[next[key[i]]++] * (unsigned) i;
  return sum;
}

/* They wrap around, and nobody can tell how often.  */
KERNEL void
not_as_short (int n)
{
  for (int i = 0; i < n; i++)
    to[short_next[key[i]]++] = i;
}

KERNEL void
not_by_what_they_are (int n)
{
  for (int i = 0; i < n; i++)
    {
      int at = next[key[i]];
      next[key[i]] = at + 1;
      if (at & 1)
	to[at] = i;
    }
}

/* The next one goes there, too.  */
KERNEL void
not_a_step_away (int n)
{
  for (int i = 0; i < n; i++)
    {
      int at = next[key[i]]++;
      to[at] = i;
      to[at + 1] = -i;
    }
}

/* Some iterations take no step, and go to the same place.  */
KERNEL void
not_each_time (int n)
{
  for (int i = 0; i < n; i++)
    {
      int at = next[key[i]];
      if (rank[i] & 1)
	{
	  next[key[i]] = at + 1;
	  where[i] = i;
	}
      to[at] = i;
    }
}

KERNEL void
not_by_any_step (int n)
{
  for (int i = 0; i < n; i++)
    {
      to[next[key[i]]] = i;
      next[key[i]] += rank[i] & 3;
    }
}

KERNEL void
not_behind_the_loop (int n)
{
  int at = 0;
  for (int i = 0; i < n; i++)
    {
      at = next[key[i]]++;
      to[at] = i;
    }
  seen = at;
}

/* Which cursor it is depends on where one points.  */
KERNEL void
not_by_each_other (int n)
{
  for (int i = 0; i < n; i++)
    to[next[rank[next[key[i]] & 7] & (M - 1)]++] = i;
}

/* The loop may change its keys: before it does, the index may be anything, whatever the compiler knows of it.  */
KERNEL void
not_of_its_own_making (int n, unsigned short *keys, unsigned short *out)
{
  for (int i = 0; i < n; i++)
    out[next[(keys[i] * keys[i]) >> 26]++] = 0;
}

KERNEL void
not_both_at_once (int n)
{
  for (int i = 0; i < n; i++)
    {
      to[next[key[i]]++] = i;
      to[other[key[i]]++] = -i;
    }
}

KERNEL void
not_in_two_places (int n)
{
  for (int i = 0; i < n; i++)
    if (key[i] & 1)
      to[next[key[i]]++] = i;
    else
      next[key[i] + 1]++;
}

KERNEL void
not_set_as_well (int n)
{
  for (int i = 0; i < n; i++)
    {
      to[next[key[i]]++] = i;
      next[i & (M - 1)] = 3;
    }
}

/* Where cursor B begins, that goes down if it IS_DOWN.  */
static int
beginning (int b, int is_down)
{
  if (how == 2)
    return 40 * b + (is_down ? ROOM : 0);
  return (how == 1 ? (b * 11 + 5) % M : b) * ROOM + (is_down ? ROOM : 0);
}

static void
begin (void)
{
  for (int b = 0; b < M; b++)
    {
      next[b] = other[b] = inside.cursor[b] = beginning (b, 0);
      unsigned_next[b] = (unsigned) beginning (b, 1);
      long_next[b] = beginning (b, 0);
      unsigned_long_next[b] = (unsigned long) beginning (b, 0);
      short_next[b] = (unsigned short) beginning (b, 0);
    }
}

static void
print_all (const char *name)
{
  puts (name);
  print_bits ("to", to, sizeof to);
  print_bits ("bytes", bytes, sizeof bytes);
  print_bits ("where", where, sizeof where);
  print_bits ("items", items, sizeof items);
  print_bits ("rank", rank, sizeof rank);
  print_bits ("next", next, sizeof next);
  print_bits ("other", other, sizeof other);
  print_bits ("inside", &inside, sizeof inside);
  print_bits ("unsigned", unsigned_next, sizeof unsigned_next);
  print_bits ("long", long_next, sizeof long_next);
  print_bits ("unsigned long", unsigned_long_next, sizeof unsigned_long_next);
  print_bits ("short", short_next, sizeof short_next);
  begin ();
}

static void
fill (void)
{
  unsigned seed = 1;
  for (int i = 0; i < N; i++)
    {
      key[i] = given[i] = (unsigned char) (next_random (&seed) % (M - 3)); /* some are never met */
      big_key[i] = key[i];
      long_key[i] = key[i];
      x[i] = i * 0.25;
    }
  for (int i = 0; i <= N / 4; i++)
    from[i] = i * 4 - (i & 3);
}

static void
apart (void)
{
  sort (N / 2);
  sort (N - N / 2);
  print_all ("sorted twice");
  sort (N);
  print_all ("sort");
  sort_backwards (N);
  print_all ("sort_backwards");
  sort_behind (N);
  print_all ("sort_behind");
  sort_around (N / 16);
  print_all ("sort_around");
  ranks (N);
  print_all ("ranks");
  printf ("%d\n", structures (N));
  print_all ("structures");
  pairs (N);
  print_all ("pairs");
  turn (N / 4);
  print_all ("turn");
  printf ("%d\n", beside_counts (N));
  print_all ("beside_counts");
  for (int b = 0; b < M; b++)
    long_next[b] += ROOM;
  both_ways (N / 2);
  print_all ("both_ways");
  masked (N / 2, other, given, to);
  print_all ("masked");
  by_numbers (N / 2, to, x, x + N / 2);
  by_numbers (N / 2, to + 4, x, x + 1);
  print_bits ("x", x, sizeof x);
  print_all ("by_numbers");
  printf ("%u\n", fetch (N));
  print_all ("fetch");
  for (int less = 0; less < 2; less++) /* TO + N is not passed, TO + N - 1 is */
    {
      next[0] = N;
      next[1] = N / 2;
      fill_down (N / 4, to, to + N - less);
      print_all ("fill_down");
    }
}

static void
refused (void)
{
  not_as_short (N);
  print_all ("not_as_short");
  not_by_what_they_are (N);
  print_all ("not_by_what_they_are");
  not_a_step_away (N);
  print_all ("not_a_step_away");
  not_each_time (N);
  print_all ("not_each_time");
  not_by_any_step (N);
  print_all ("not_by_any_step");
  not_behind_the_loop (N);
  printf ("%d\n", seen);
  print_all ("not_behind_the_loop");
  not_by_each_other (N / 8);
  print_all ("not_by_each_other");
  for (int i = 1; i < N; i++)
    ((unsigned short *) to)[i] = 65000;
  *(unsigned short *) to = 0;
  next[0] = 1;
  not_of_its_own_making (N, (unsigned short *) to, (unsigned short *) to);
  print_all ("not_of_its_own_making");
  not_both_at_once (N / 2);
  print_all ("not_both_at_once");
  not_in_two_places (N);
  print_all ("not_in_two_places");
  not_set_as_well (N / 16);
  print_all ("not_set_as_well");
}

/* In each other's way, by what is passed or by where that is.  */
static void
meeting (void)
{
  for (int b = 0; b < M; b++)
    unsigned_long_next[b] = (unsigned long) b << 61;
  sort_around (N);
  print_all ("sort_around");
  how = 2;
  begin ();
  sort (N);
  print_all ("sort");
  sort_backwards (N);
  print_all ("sort_backwards");
  ranks (N);
  print_all ("ranks");
}

int
main (int argc, char **argv)
{
  how = argc > 1 ? atoi (argv[1]) : 0;
  fill ();
  begin ();
  apart ();
  refused ();
  meeting ();
  return 0;
}
