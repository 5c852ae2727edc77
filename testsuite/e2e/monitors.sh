#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loops have a monitor where numbers known on entry cannot say all about their accesses, and none where they can.

. "$PG_ROOT/testsuite/lib/script.sh"

cat > loops.c <<'EOF'
/* Two arrays, overlapping as a whole or not at all.  */
void
numbers (int n, int stride, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (x[i] > 0)
	y[stride * i + j] = 2 * x[i + n * j];
}

/* One array: the pivot's row is read, all others are written.  */
void
pivot (int n, int k, double *a)
{
  for (int i = 0; i < n; i++)
    if (i != k)
      for (int j = 0; j < n; j++)
	a[i * n + j] -= a[k * n + j];
}

/* One array: rows of the lower triangle are written, columns of the upper one are read.  */
void
triangle (int n, double *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] = a[j * n + i];
}

void
scatter (int n, const int *index, double *y)
{
  for (int i = 0; i < n; i++)
    y[index[i]] = i;
}
EOF

"$PG_CC" -O2 -fplugin="$plugin" -c loops.c -o loops.o || exit 1
outermost='numbers|pivot|triangle|scatter'
monitors=$(nm loops.o | sed -nE "s/.* ($outermost)\.paragon\.[0-9]+\.monitor.*/\1/p" | sort -u | tr '\n' ' ')
[ "$monitors" = 'pivot scatter triangle ' ] || fail "of $(nm loops.o): $monitors"
exit 0
