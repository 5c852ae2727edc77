#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loops begin a cache line in functions with guards, and in F: a guard moves loops, and none may be slower for it.  All
# other functions stay as they are, and all do where the user says how loops are aligned, or that they are not.

. "$PG_ROOT/testsuite/lib/script.sh"

[[ $("$PG_CC" -dumpmachine) == x86_64-* ]] || skip "another target than x86-64"

cat > loops.c << 'EOF'
void
before (int n, float *y)
{
  for (int i = 1; i < n; i++)
    y[i] += y[i - 1];
}

void
rows (int n, const int *row, const int *index, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[index[i]] += x[index[k]];
}

float
after (int n, const float *x)
{
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
EOF

compile ()
{
  "$PG_CC" "$@" -S loops.c -o loops.s || fail "$*: not compiled"
}

# The function whose name is $1.
code ()
{
  sed -n "/^$1:/,/\.cfi_endproc/p" loops.s | sed 's/\.L[A-Z]*[0-9]*/L/g'
}

# How many of its loops are aligned to more than GCC does.
raised ()
{
  code "$1" | grep 'p2align' | grep -cvE 'p2align [345](,|$)'
}

for level in -O2 -O3
do
  compile $level
  for name in before after
  do
    code $name > $name.plain
    [ -s $name.plain ] || fail "$name is not there"
  done
  compile $level -fplugin="$plugin"
  for name in before after
  do
    code $name | cmp -s - $name.plain || fail "$level: $name is not as it was"
  done
  [ "$(raised rows)" -ge 1 ] || fail "$level: the guarded function's loops begin no line"
  [ "$(raised 'rows\.paragon\.[0-9]*')" -ge 1 ] || fail "$level: F's loops begin no line"
  [ "$(raised '.*monitor')" = 0 ] || fail "$level: M grows"
done
for options in -O1 -Os "-O2 -fno-align-loops" "-O3 -falign-loops=16" "-O2 --param=l1-cache-line-size=16" \
  "-O2 --param=l1-cache-line-size=0" "-O2 --param=l1-cache-line-size=1000000"
do
  # shellcheck disable=SC2086 # several options
  compile $options -fplugin="$plugin"
  [ "$(raised '.*')" = 0 ] || fail "$options: $(raised '.*')"
done
