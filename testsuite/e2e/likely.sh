#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Iterations of a nest that are not likely to meet, whatever the lengths of rows are, have no doacross F, no monitor
# that looks at each element, and no third loop that is handed over; where rows or columns go on from those before, up
# or down, there are.  Where each iteration is certain to meet the next one, there is no monitor, and nothing at all if
# they cannot follow each other.

. "$PG_ROOT/testsuite/lib/script.sh"

cat > nests.c << 'EOC'
void
columns (int first, int n, int m, long ld, double *b)
{
  for (int j = 0; j < n; j++)
    for (int k = first + 1; k < m; k++)
      b[first * ld + j] += b[k * ld + j];
}

void
steps (int n, int m, long ld, double *b)
{
  for (int j = 0; j < n; j++)
    for (int k = 1; k < m; k++)
      b[k * ld + 2 * j] += b[(k - 1) * ld + 2 * j];
}

void
ahead (int n, int m, long ld, double *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = i + 1; k < n; k++)
	b[i * ld + j] += b[k * ld + j];
}

void
behind (int n, int m, long ld, double *b)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < i; k++)
	b[i * ld + j] += b[k * ld + j];
}

void
crossed (int n, int m, long ld, double *b)
{
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      b[i * ld + j] += b[(i - 1) * ld + j + 1] + b[i * ld + j - 1];
}

void
square (int n, double *b)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < i; k++)
	b[i * n + j] += b[k * n + j];
}

void
diagonals (int n, int m, double *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      b[i + j] += b[i + j - 1];
}

void
rows (long n, double *b)
{
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      b[j] += b[(n - k) * n + j + 1];
}

void
triangle (int n, long ld, double *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i * ld + j] += b[i * ld + j + n];
}

void
eliminate (int n, int k, long ld, double *b)
{
  for (int i = 0; i < n; i++)
    if (i != k)
      for (int j = 0; j < n; j++)
	b[i * ld + j] -= b[k * ld + j];
}

void
cube (int n, long ld, long area, double *b, double *c)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
	b[i * area + j * ld + k] += c[i * area + j * ld + k];
}

void
solve (int n, long ld, double *x, const double *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[i * ld + j] * x[j];
}

void
turned (int n, long ld, double *x, const double *a)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++)
      x[i] -= a[j * ld + i] * x[j];
}

void
packed (int n, double *x, const double *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[i * (i + 1L) / 2 + j] * x[j];
}

void
first (int n, long ld, double *x)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 20; j++)
      x[i * ld + j] -= x[j];
}

void
seldom (int n, int m, long step, double *x, const int *when)
{
  for (int i = 1; i < n; i++)
    if (when[i] > m)
      x[i * step] += x[(i - 1) * step];
}
EOC

"$PG_CC" -O2 -fplugin="$plugin" -c nests.c -o nests.o || exit 1
nm nests.o | sed -nE 's/.* (.*)\.paragon\.[0-9]+\.doacross$/\1/p' | sort -u > have
printf '%s\n' ahead behind crossed diagonals eliminate first rows solve square turned > expected
diff expected have || fail "doacross F's: $(nm nests.o)"
nm nests.o | sed -nE 's/.* (.*)\.paragon\.[0-9]+\.monitor$/\1/p' | sort -u > have
printf '%s\n' crossed eliminate seldom > expected
diff expected have || fail "monitors: $(nm nests.o)"
for loop in columns:1 steps:1 triangle:2 cube:2 solve:1 packed:0
do
  n=$(nm nests.o | grep -c " ${loop%:*}\\.paragon\\.[0-9]*\$")
  [ "$n" = "${loop#*:}" ] || fail "$loop, not $n: $(nm nests.o)"
done
exit 0
