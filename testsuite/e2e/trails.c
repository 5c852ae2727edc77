/* SPDX-License-Identifier: MIT */
//! opts: default, -O2 -g, -O3 -flto
//! steps: auto, L1
//! stat: pool >= 400
//! stat: conflicts <= 40
//! scan-not: report "function":"[a-z]*_(behind|differs)".*"outlined":false
/* Variables that are one iteration behind, or two: of memory, of expressions, of the index; read afterwards, too.  A
   range of iterations begins with what the one before it left, but the first with what the program set.  The same
   where the loop writes what it reads one iteration later, or much later, or where the compiler may not know that it
   does not.  */
#include "print.h"

#define N 4200

KERNEL double
one_behind (int n, double *a, const double *b, double x)
{
  int i;

  for (i = 0; i < n; i++)
    {
      a[i] = (b[i] + x) * 0.5;
      x = b[i];
    }
  return x;
}

KERNEL double
two_behind (int n, double *a, const double *b, double x, double y)
{
  int i;

  for (i = 0; i < n; i++)
    {
      a[i] = (b[i] + x - y) * 0.25;
      y = x;
      x = b[i];
    }
  return x - y;
}

/* The third is behind by the sum of the other two.  */
KERNEL int
three_behind (int n, int *a, const int *b, int x, int y, int z)
{
  int i;

  for (i = 0; i < n; i++)
    {
      a[i] = b[i] - x + 2 * y - 3 * z;
      z = x - y;
      y = x + 7;
      x = b[i] / (i + 1);
    }
  return x - y + z;
}

KERNEL void
expression_behind (int n, double *a, const double *b, const double *c)
{
  double t = 0;
  int i;

  for (i = 0; i < n; i++)
    {
      double s = b[i] - c[i];
      a[i] = s + t;
      t = s;
    }
}

/* From the last element to the first, counted down, every other one.  */
KERNEL void
index_behind (int n, unsigned *a, const unsigned *b)
{
  long i, before = n;

  for (i = n; i >= 0; i -= 2)
    {
      a[i] = b[i] ^ b[before];
      before = i;
    }
}

KERNEL void
pointer_behind (unsigned *to, const unsigned *from, const unsigned *end)
{
  const unsigned *before = end - 1;

  while (from < end)
    {
      *to++ = *from + *before;
      before = from++;
    }
}

/* Only the first iteration is different.  */
KERNEL void
first_differs (int n, int *a, const int *b)
{
  int i, is_first = 1;

  for (i = 0; i < n; i++)
    {
      a[i] = b[i] * (is_first ? 17 : 3);
      is_first = 0;
    }
}

/* What the compiler loads anew in each iteration, behind the test, since Y may hold it.  */
KERNEL void
loaded_behind (int n, double *y, const double *a, double *scale, double value)
{
  int i;

  *scale = value;
  for (i = 0; i < n; i++)
    y[i] = y[i] + a[i] * *scale;
}

/* A row of what is behind is a function of the outer loop's iteration.  */
KERNEL void
rows_behind (int m, int n, int *a, const int *b)
{
  int i, j;

  for (i = 0; i < m; i++)
    {
      int x = -i;
      for (j = 0; j < n; j++)
	{
	  a[i * n + j] = b[i * n + j] - x;
	  x = b[i * n + j];
	}
    }
}

static double x[N], y[N], z[N];
static int w[N], v[N];
static unsigned u[N], t[N];

static void
apart (int n)
{
  printf ("%g\n", one_behind (n, y, x, 3));
  printf ("%g\n", two_behind (n, z, x, -1, 7));
  printf ("%d\n", three_behind (n, v, w, 3, -5, 11));
  print_bits ("y", y, sizeof y);
  print_bits ("z", z, sizeof z);
  expression_behind (n, z, x, y);
  index_behind (n, u, t);
  if (n > 0)
    pointer_behind (u + 1, t, t + n);
  print_bits ("u", u, sizeof u);
  first_differs (n, w, v);
  loaded_behind (n, y, x, z + 1, 0.75);
  print_bits ("y", y, sizeof y);
  rows_behind (n / 40, 40, v, w);
}

/* The same arrays, SHIFT elements apart.  */
static void
together (int n, int shift)
{
  printf ("%g\n", one_behind (n, x + 100 + shift, x + 100, 3));
  printf ("%g\n", two_behind (n, x + 100 + shift, x + 100, -1, 7));
  printf ("%d\n", three_behind (n, w + 100 + shift, w + 100, 3, -5, 11));
  expression_behind (n, z + 100, y + 100, z + 100 + shift);
  loaded_behind (n, y + 100, x, y + 100 + (shift < 0 ? n / 2 : shift), 0.875);
  index_behind (n, u + 100 + shift, u + 100);
  rows_behind (n / 40, 40, v + 100 + shift, v + 100);
}

int
main (void)
{
  static const int shifts[] = { 0, 1, 2, 3, -1, -2, 64, -64, 99, -99 };
  static const int lengths[] = { 4000, 4000, 65, 3, 2, 1, 0 };
  int i;

  for (i = 0; i < N; i++)
    {
      x[i] = i % 101 * 0.25 - i % 7;
      y[i] = i % 31 * 0.5;
      w[i] = v[i] = i * 77 % 1009 - 300;
      u[i] = t[i] = (unsigned) i * 2654435761u;
    }
  for (i = 0; i < (int) (sizeof lengths / sizeof *lengths); i++)
    apart (lengths[i]);
  for (i = 0; i < (int) (sizeof shifts / sizeof *shifts); i++)
    together (4000, shifts[i]);
  print_bits ("x", x, sizeof x);
  print_bits ("y", y, sizeof y);
  print_bits ("z", z, sizeof z);
  print_bits ("w", w, sizeof w);
  print_bits ("v", v, sizeof v);
  print_bits ("u", u, sizeof u);
  return 0;
}
