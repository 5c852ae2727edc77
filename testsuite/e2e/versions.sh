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
static double x[4 * M * N], y[60000], a[2 * M], out[N];

#define LOOP(name, c_restrict, b_restrict)                                                                             \
  __attribute__ ((noipa)) static void name (int m, int n, double (*c_restrict c)[N], double (*b_restrict b)[N],        \
					    double *a, double *out)                                                    \
  {                                                                                                                    \
    for (int j = 0; j < n; j++)                                                                                        \
      {                                                                                                                \
	double s = 0;                                                                                                  \
	for (int k = 0; k < m; k++)                                                                                    \
	  {                                                                                                            \
	    c[k][j] += 1.7 * a[k];                                                                                     \
	    s += b[k][j] * a[k];                                                                                       \
	  }                                                                                                            \
	out[j] = s;                                                                                                    \
      }                                                                                                                \
  }
/* The compiler can tell nothing apart; c from all else; c from some.  */
LOOP (alike, , )
LOOP (apart, restrict, )
LOOP (some_apart, , restrict)

/* It compares c with all from b to q.  */
__attribute__ ((noipa)) static void
merged (int m, int n, double *c, double *b, double *a, double *out)
{
  double *q = b + 20000;
  for (int j = 0; j < n; j++)
    {
      double s = 0;
      for (int k = 0; k < m; k++)
	{
	  c[j * N + k] += 1.7 * a[k];
	  s += b[j * N + k] * q[j * N + k];
	}
      out[j] = s + q[j];
    }
}

struct pointer
{
  double *to;
};

__attribute__ ((noipa)) static void
start (double *t, double *a)
{
  for (int k = 0; k < 2 * M; k++)
    t[k] = a[k] * 0.5;
}

/* It knows how t is aligned, so that vectors of every second number read nothing behind it.  */
__attribute__ ((noipa)) static void
gaps (int m, int n, struct pointer *pointer, double *a, double *out)
{
  double t[3000], *c = pointer->to;
  start (t, a);
  for (int j = 0; j < n; j++)
    {
      double s = 0;
      for (int k = 0; k < m; k++)
	{
	  c[j * N + k] += 1.7 * a[k];
	  s += t[2 * k] * a[k];
	}
      out[j] = s;
    }
}

/* F has its own w, a column of the rows of b.  */
__attribute__ ((noipa)) static void
own (int m, int n, double *w, double *b, double *a, double *out)
{
  for (int j = 0; j < n; j++)
    {
      double s = 0, u = 0;
      for (int k = 0; k < m; k++)
	{
	  w[k * N] = b[k * N + j] * 1.5 + a[k];
	  s += b[k * N + j] * a[k];
	}
      for (int k = m - 1; k >= 0; k--)
	u += w[k * N] * a[k];
      out[j] = s + u;
    }
}

/* Where alignment is dear, some iterations come before those that are aligned, by one of both arrays.  */
__attribute__ ((noipa)) static void
aligned (int m, int n, double *c, double *b, double *a, double *out)
{
  out[N - 1] = b[3] + c[2] + a[0];
  for (int j = 0; j < n; j++)
    {
      double s = 0;
      for (int k = 0; k < m; k++)
	s += c[j * N + k] * b[j * N + k];
      out[j] = s;
    }
}

static void
fill (unsigned seed)
{
  double *const arrays[] = { x, y, a };
  static const int n[] = { 4 * M * N, 60000, 2 * M };
  for (int array = 0; array < 3; array++)
    for (int i = 0; i < n[array]; i++)
      arrays[array][i] = (double) ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.4;
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

typedef void flat_loop (int m, int n, double *c, double *b, double *a, double *out);

/* LOOP for N rows; the arrays begin at C and B.  */
static void
run_flat (const char *name, flat_loop *loop, int c, int b, int n)
{
  for (int m = 1; m < 64; m++)
    {
      fill (m);
      loop (m, n, y + c, y + b, a, out);
      printf ("%s %d %d %d %llx\n", name, c, b, m, add (add (0, out, N), y, 60000));
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
  for (int at = 1; at < 4; at++)
    {
      run_flat ("merged", merged, 10000 + at, 0, N - 1);
      run_flat ("own", own, N - at, 0, N - at);
      run_flat ("aligned", aligned, 8192 + at, 1, N - 1);
    }
  for (int m = 0; m < 64; m++)
    {
      struct pointer pointer = { y };
      fill (m);
      gaps (m, N - 1, &pointer, a, out);
      printf ("gaps %d %llx\n", m, add (add (0, out, N), y, 60000));
    }
  return 0;
}
EOC

# FLAGS...: compile with them, with and without the plugin; all is as the plain build has it, on any number of threads.
compare ()
{
  "$PG_CC" -mfma "$@" loops.c -o plain || exit 1
  "$PG_CC" -mfma -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 "$@" loops.c -o program || exit 1
  ./plain > expected
  for n in 1 2 3
  do
    PARAGON_PLAN=pool PARAGON_THREADS=$n PARAGON_STATS=stats ./program > answer || fail "exit status $?"
    cmp expected answer || fail "$* on $n threads: $(diff expected answer | head)"
  done
}

# A doacross stops at turns of the loop over j, and has the one over k as it is.
cat > rows.c << 'EOC'
#include <stdio.h>
enum { N = 203 };
static double a[N][N];

__attribute__ ((noipa)) static void
eliminate (int n, double (*a)[N])
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
	{
	  double w = a[i][j];
	  for (int k = 0; k < j; k++)
	    w -= a[i][k] * a[k][j];
	  a[i][j] = w / a[j][j];
	}
      for (int j = i; j < n; j++)
	{
	  double w = a[i][j];
	  for (int k = 0; k < i; k++)
	    w -= a[i][k] * a[k][j];
	  a[i][j] = w;
	}
    }
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i == j ? 3 + i : 1 / (1.0 + (i * 7 + j * 3) % 11);
  eliminate (N - 1, a);
  for (int i = 0; i < N; i++)
    printf ("%a\n", a[N - 2][i]);
}
EOC

"$PG_CC" -O3 -mfma -mavx2 rows.c -o plain || exit 1
"$PG_CC" -O3 -mfma -mavx2 -fplugin="$plugin" -fplugin-arg-paragon-threshold=0 rows.c -o program || exit 1
./plain > expected
PARAGON_PLAN=pool PARAGON_THREADS=2 PARAGON_STATS=rows.json ./program > answer || fail "exit status $?"
cmp expected answer || fail "rows: another answer"
[ "$(stat_sum doacross rows.json)" -gt 0 ] || fail "rows: no doacross: $(cat rows.json)"

line=$(grep -n "^LOOP (alike" loops.c | cut -d: -f1)
for flags in "" -mavx2 -march=native
do
  compare -O3 ${flags:+"$flags"}
  grep -q "loops.c:$line .* pool " stats || fail "$flags: not handed over: $(cat stats)"
  compare -O2 -ftree-vectorize ${flags:+"$flags"}
done
compare -O3 -mavx2 -mtune=intel
exit 0
