#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Iterations of a nest that are not likely to meet, whatever the lengths of rows are, have no doacross F, no monitor
# that looks at each element, and no third loop that is handed over; where rows or columns go on from those before, up
# or down, there are.

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
EOC

"$PG_CC" -O2 -fplugin="$plugin" -c nests.c -o nests.o || exit 1
nm nests.o | sed -nE 's/.* (.*)\.paragon\.[0-9]+\.doacross$/\1/p' | sort -u > have
printf '%s\n' ahead behind crossed diagonals eliminate square > expected
diff expected have || fail "doacross F's: $(nm nests.o)"
nm nests.o | sed -nE 's/.* (triangle|eliminate)\.paragon\.[0-9]+\.monitor$/\1/p' | sort -u > have
[ "$(cat have)" = eliminate ] || fail "monitors: $(nm nests.o)"
for loop in columns:1 steps:2 triangle:2 cube:2
do
  n=$(nm nests.o | grep -c " ${loop%:*}\\.paragon\\.[0-9]*\$")
  [ "$n" = "${loop#*:}" ] || fail "$loop, not $n: $(nm nests.o)"
done
exit 0
