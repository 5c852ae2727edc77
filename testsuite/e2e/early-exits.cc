// SPDX-License-Identifier: MIT
//! args: 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024
//! stat: pool >= 17
//! scan: report 1 "function":"asserted".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"at".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"converted".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"around_zero".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"down".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"from_to".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"narrow".*"without":"note".*"outlined":true
//! scan: report 1 "function":"nest","depth":1,.*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"flat","depth":1,.*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"strict".*"without":"an early exit".*"outlined":true
//! scan: report 1 "function":"two".*"without":"note".*"outlined":true
//! scan: report 1 "function":"rows".*"without":"note".*"outlined":true
//! scan: report 1 "function":"search".*"reason":"many-exits".*"outlined":false
// Exits, and calls of what is not known, that numbers tell on entry never to be come to: tests of indices against
// bounds.  Where they are, the loop runs as it was, up to there.
#include "print.h"

#include <vector>

static const int n_elements = 5000, n_cols = 60;

static double x[n_elements], y[n_elements];
static int whole[n_elements];
static long noted;

KERNEL void
note (long what)
{
  noted = noted * 31 + what;
}

[[noreturn]] KERNEL void
give_up (const char *text, long i)
{
  printf ("%s %ld %ld\n", text, i, noted);
  print_bits ("y", y, sizeof y);
  exit (3);
}

KERNEL void
asserted (int n, int len, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (i >= len)
	give_up ("asserted", i);
      b[i] += a[i];
    }
}

// The bounds are loaded, the second one from what may not be there where the first fails.
KERNEL void
at (std::size_t n, const std::vector<double> *a, std::vector<double> *b)
{
  for (std::size_t i = 0; i < n; i++)
    {
      if (i >= a->size ())
	give_up ("read", i);
      double value = (*a)[i];
      if (i >= b->size ())
	give_up ("write", i);
      (*b)[i] += value;
    }
}

// The index is an int, and may be less than 0; what it is compared with is loaded each time.
KERNEL void
converted (int from, int n, const std::vector<double> *a, std::vector<double> *b)
{
  for (int i = from; i < n; i++)
    {
      if ((std::size_t) i >= a->size ())
	give_up ("converted", i);
      if ((std::size_t) i >= b->size ())
	give_up ("converted, too", i);
      (*b)[i] += (*a)[i];
    }
}

// Less than 0, it is converted to what is large.
KERNEL int
around_zero (int from, int to, std::size_t least, int *a)
{
  for (int i = from; i < to; i++)
    {
      if ((std::size_t) i < least)
	return i;
      a[i + 4] += 5;
    }
  return -9;
}

KERNEL int
down (int n, int least, double *a)
{
  for (int i = n - 1; i >= 0; i -= 2)
    {
      if (i < least)
	return i;
      a[i] *= 2;
    }
  return -5;
}

// Turns may wrap.
KERNEL unsigned
from_to (unsigned from, unsigned to, unsigned len, int *a)
{
  unsigned i;
  for (i = from; i != to; i++)
    {
      if (i >= len)
	return i * 2;
      a[i] += 3;
    }
  return i;
}

// What is tested wraps long before the counter does.
KERNEL void
narrow (int n, signed char most, int *a)
{
  for (int i = 0; i < n; i++)
    {
      if ((signed char) i > most)
	note (i);
      a[i] ^= i;
    }
}

KERNEL int
nest (int n, int m, int most, double (*a)[n_cols])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	if (j > most)
	  return i;
	a[i][j] += i - j;
      }
  return -1;
}

// Two counters make the index, the inner one's step is only known when it runs; both may go down.
KERNEL void
flat (int n, int first, int row_len, std::vector<double> *a, const std::vector<double> *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
	std::size_t at = first + i * row_len + j;
	if (at >= a->size ())
	  give_up ("flat", at);
	if (std::size_t (j) >= b->size ())
	  give_up ("flat, b", j);
	(*a)[at] += (*b)[j];
      }
}

// Under a flag, and by what data say.
KERNEL int
strict (int n, int is_strict, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (is_strict && a[i] > 24)
	return i;
      b[i] += a[i];
    }
  return -1;
}

// Both ways of one test are calls: one of the two is.
KERNEL void
two (int n, int mode, int is_loud, int *a)
{
  for (int i = 0; i < n; i++)
    {
      if (is_loud)
	{
	  if (mode)
	    note (1);
	  else
	    note (2);
	}
      a[i] += 7;
    }
}

// Two ways lead to the end of the row.
KERNEL void
rows (int n, int m, int is_loud, int (*a)[n_cols])
{
  for (int i = 0; i < n; i++)
    {
      if (is_loud > 1)
	{
	  for (int j = 0; j < m; j++)
	    note (j);
	  note (-1);
	}
      for (int j = 0; j < n_cols; j++)
	a[i][j] += j;
    }
}

// Only data tell.
KERNEL int
search (int n, const int *a, int what)
{
  for (int i = 0; i < n; i++)
    if (a[i] == what)
      return i;
  return -1;
}

int
main (int argc, char **argv)
{
  int flags = argc > 1 ? atoi (argv[1]) : 0;
  static double cells[100][n_cols];
  static int counts[100][n_cols];
  std::vector<double> none, from (n_elements, 1.5), to (flags & 1 ? n_elements - 1 : n_elements);
  fill_numbers (x, y, whole, n_elements);
  for (int times = 0; times < 3; times++)
    {
      int bad = times == 2 ? flags : 0;
      asserted (n_elements, bad & 2 ? 4711 : n_elements, x, y);
      printf ("%d", down (n_elements, bad & 4 ? 100 : -1, y));
      printf (" %u", from_to (bad & 8 ? -3 : 5, 4000, 4000, whole));
      narrow (bad & 16 ? 200 : 100, 100, whole);
      printf (" %d %d", around_zero (-3, 1000, 0, whole), around_zero (-3, 1000, times, whole));
      printf (" %d", nest (100, 50, bad & 32 ? 48 : 49, cells));
      printf (" %d", strict (n_elements, bad & 64, x, y));
      two (n_elements, flags & 1, bad & 2, whole);
      rows (100, flags & 1 ? 30 : 0, bad & 2, counts);
      printf (" %d %ld\n", search (n_elements, whole, 9), noted);
      at (0, nullptr, nullptr);
      if (times == 2)
	{
	  converted (0, n_elements - 1, &from, &to);
	  at (n_elements, &from, &to);
	  flat (70, 0, 70, &from, &from);
	  flat (70, n_elements - 70, -71, &from, &from);
	  flat (0, 0, 70, nullptr, nullptr);
	  if (flags & 1024)
	    at (5, &none, nullptr);
	  if (flags & 256)
	    flat (2, 69, -70, &from, &from);
	  if (flags & 512)
	    flat (71, 31, 70, &from, &from);
	  converted (flags & 128 ? -1 : 0, n_elements, &from, &from);
	}
      print_bits ("y", y, sizeof y);
      print_bits ("whole", whole, sizeof whole);
      print_bits ("cells", cells, sizeof cells);
      print_bits ("counts", counts, sizeof counts);
      print_bits ("to", &to[0], (n_elements - 1) * sizeof to[0]);
    }
  return 0;
}
