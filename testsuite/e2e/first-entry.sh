#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The first entry of a loop, of which nothing is known: once its first iterations say that it is long, numbers are asked
# whether others are free, before iterations follow one another.  (Rows of a triangle and its columns: that they do not
# meet takes some thousand inequalities.)

. "$PG_ROOT/testsuite/lib/script.sh"

# Build FILE plainly and with the plugin; the first says what to expect.
build ()
{
  "$PG_CC" -O2 "$1" -o plain && "$PG_CC" -O2 -fplugin="$plugin" "$1" -o ours && ./plain > expected
}

cat > triangle.c << 'EOF'
#include <stdio.h>

enum { N = 1200, LEN = 100 };

static double x[LEN][N], c[N][N];

__attribute__ ((noipa)) static void
correlate (int n, int len, double (*data)[N], double (*out)[N])
{
  for (int i = 0; i < n - 1; i++)
    for (int j = i + 1; j < n; j++)
      {
	out[i][j] = 0;
	for (int k = 0; k < len; k++)
	  out[i][j] += data[k][i] * data[k][j];
	out[j][i] = out[i][j];
      }
}

int
main (void)
{
  for (int k = 0; k < LEN; k++)
    for (int i = 0; i < N; i++)
      x[k][i] = (k * 7 + i * 3) % 11 - 5;
  correlate (N, LEN, x, c);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += c[i][j] * (i - 2 * j);
  printf ("%.17g\n", sum);
}
EOF

build triangle.c || exit 1
PARAGON_THREADS=2 PARAGON_LOG=check,plan PARAGON_STATS=stats.json ./ours > out 2> log || exit 1
cmp out expected || fail "another answer"
grep -q 'triangle.c:10: .*: no two iterations conflict' log || fail "$(cat log)"
! grep -q 'doacross took' log || fail "$(cat log)"
[ "$(stat_sum doacross stats.json)" = 0 ] || fail "$(cat stats.json)"

# Where numbers show that iterations follow one another, and doacross is possible, nothing is run before they are asked:
# the loop is left to its inner loops.
cat > product.c << 'EOC'
#include <stdio.h>

enum { N = 600 };

static double a[N][N], b[N][N];

__attribute__ ((noipa)) static void
multiply (int n, double (*a)[N], double (*b)[N])
{
  for (int i = 0; i < n; i++) /* outer */
    for (int j = 0; j < n; j++)
      {
	for (int k = i + 1; k < n; k++)
	  b[i][j] += a[k][i] * b[k][j];
	b[i][j] *= 0.5;
      }
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	a[i][j] = (i * 7 + j * 3) % 11 - 5;
	b[i][j] = (i * 5 + j * 2) % 13 - 6;
      }
  multiply (N, a, b);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += b[i][j] * (i - 2 * j);
  printf ("%.17g\n", sum);
}
EOC

build product.c || exit 1
PARAGON_THREADS=2 PARAGON_LOG=enter ./ours > out 2> log || exit 1
cmp out expected || fail "another answer"
outer=$(grep -n "/\* outer \*/" product.c | cut -d: -f1)
grep -q "product.c:$outer, 600 iterations: conflict" log || fail "$(grep "product.c:$outer," log)"
