#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is compiled beside the user's functions: F goes through no pass again that takes time and found all there was
# before the loop was outlined, but through those that come behind; M stays as small as it is.

. "$PG_ROOT/testsuite/lib/script.sh"

cat > loops.c << 'EOF'
void
add (int n, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] += 3 * x[i];
}

void
rows (int n, const int *row, const int *index, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[index[i]] += x[index[k]];
}
EOF

# Pass $1 saw $2 functions whose names match $3, of all that are compiled at -O3.
saw ()
{
  "$PG_CC" -O3 -fplugin="$plugin" "-fdump-tree-$1=seen" -c loops.c -o loops.o || exit 1
  [ "$(grep -cE "^;; Function $3 " seen)" = "$2" ] || fail "$1: $(grep '^;; Function' seen)"
}

f='(add|rows)\.paragon\.[0-9]+'
saw optimized 2 "$f"
saw optimized 1 'rows.paragon.[0-9]+.monitor'
saw cunrolli 2 '(add|rows)'
saw cunrolli 0 '.*paragon.*'
saw dom2 0 '.*paragon.*'
saw dom3 2 "$f"
saw vect 2 "$f"
saw unswitch 0 '.*monitor.*'
exit 0
