#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An inner loop that stores is compiled in versions, which round differently: with vectors, where what it refers to
# turns out to have nothing in common, and without.  Its loop is handed over where the same one runs in both.

. "$PG_ROOT/testsuite/lib/script.sh"

need_fused_multiply_add

cat > loops.c << 'EOC'
#include <stdio.h>
#include <string.h>
enum { N = 67, M = 90 };
static double x[4 * M * N], a[M], out[N];

/* The compiler can tell nothing apart.  */
__attribute__ ((noipa)) static void
alike (int m, int n, double (*c)[N], double (*b)[N], double *a, double *out)
{
  for (int j = 0; j < n; j++) /* alike */
    {
      double s = 0;
      for (int k = 0; k < m; k++)
	{
	  c[k][j] += 1.7 * a[k];
	  s += b[k][j] * a[k];
	}
      out[j] = s;
    }
}

/* It can tell c from all else.  */
__attribute__ ((noipa)) static void
apart (int m, int n, double (*restrict c)[N], double (*b)[N], double *a, double *out)
{
  for (int j = 0; j < n; j++) /* apart */
    {
      double s = 0;
      for (int k = 0; k < m; k++)
	{
	  c[k][j] += 1.7 * a[k];
	  s += b[k][j] * a[k];
	}
      out[j] = s;
    }
}

/* It can tell c from some.  */
__attribute__ ((noipa)) static void
some_apart (int m, int n, double (*c)[N], double (*restrict b)[N], double *a, double *out)
{
  for (int j = 0; j < n; j++) /* some apart */
    {
      double s = 0;
      for (int k = 0; k < m; k++)
	{
	  c[k][j] += 1.7 * a[k];
	  s += b[k][j] * a[k];
	}
      out[j] = s;
    }
}

static void
fill (unsigned seed)
{
  for (int i = 0; i < 4 * M * N; i++)
    x[i] = (double) ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.4;
  for (int i = 0; i < M; i++)
    a[i] = (double) ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.3;
}

static unsigned long long
add (unsigned long long hash, const double *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      unsigned long long bits;
      memcpy (&bits, x + i, sizeof bits);
      hash = hash * 31 + bits;
    }
  return hash;
}

typedef void loop (int m, int n, double (*c)[N], double (*b)[N], double *a, double *out);

/* LOOP for N columns, and inner loops of each length; the second array begins AT.  */
static void
run (const char *name, loop *loop, int at, int n)
{
  for (int m = 0; m < 43; m++)
    {
      fill (m + 1);
      loop (m, n, (double (*)[N]) x, (double (*)[N]) (x + at), a, out);
      printf ("%s %d %d %llx\n", name, at, m, add (add (0, out, N), x, 4 * M * N));
    }
}

int
main (void)
{
  static const int ats[] = { 2 * M * N, M * N, 0, 1, N, 3 * N };
  for (int i = 0; i < 6; i++)
    run ("alike", alike, ats[i], N - 1);
  run ("apart", apart, 2 * M * N, N - 1);
  run ("some apart", some_apart, 2 * M * N, N - 1);
  /* Other columns of the same rows: nothing in common, but each begins before the other ends.  */
  run ("alike", alike, N / 2, N / 2);
  run ("apart", apart, N / 2, N / 2);
  run ("some apart", some_apart, N / 2, N / 2);
  return 0;
}
EOC

# FLAGS...: compile with them, with and without the plugin; all is as the plain build has it, on any number of threads.
compare ()
{
  "$PG_CC" -O3 -mfma "$@" loops.c -o plain || exit 1
  "$PG_CC" -O3 -mfma -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 "$@" loops.c -o program || exit 1
  ./plain > expected
  for n in 1 2 3
  do
    PARAGON_PLAN=pool PARAGON_THREADS=$n PARAGON_STATS=stats ./program > answer || fail "exit status $?"
    cmp expected answer || fail "$* on $n threads: $(diff expected answer | head)"
  done
  grep -q "$(line_of alike) .* pool " stats || fail "$*: not handed over: $(cat stats)"
}

line_of ()
{
  echo "loops.c:$(grep -n "/\* $1 \*/" loops.c | cut -d: -f1)"
}

compare
compare -mavx2
compare -mavx2 -mtune=intel
compare -march=native
exit 0
