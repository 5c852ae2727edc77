#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A short loop beside a guard lies in one cache line wherever its function begins, and is filled up before only where it
# would not.  All other loops stay as they are, and all do where the user says how loops are aligned, or that they are
# not.

. "$PG_ROOT/testsuite/lib/script.sh"

[[ $("$PG_CC" -dumpmachine) == x86_64-* ]] || skip "another target than x86-64"
command -v objdump > /dev/null || skip "no objdump"

cat > loops.c << 'SOURCE'
void
before (int n, float *y)
{
  for (int i = 1; i < n; i++)
    y[i] += y[i - 1];
}

void
add (int n, const double *x, const double *y, double *z)
{
  for (int i = 0; i < n; i++)
    z[i] = x[i] + y[i];
}

void
steps (int n, double factor, const double *x, double *y)
{
  for (int k = 1; k < n; k++)
    {
      for (int i = 0; i < k; i++)
        y[i] = y[i] + factor * x[k - i];
      factor = 0.5 * factor + y[0];
    }
}

void
rows (int n, const int *row, const int *index, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
        sum += x[index[k]];
      y[i] = sum;
    }
}

void
sums (int n, const int *x, const double *y, double *z)
{
  for (int i = 0; i < n; i++)
    {
      z[x[i]] += y[i] * y[i + 1] / (y[i + 2] + y[i + 3]);
      z[x[i] + 1] += y[i + 4] * y[i + 5] / (y[i + 6] + y[i + 7]);
    }
}

float
after (int n, const float *x)
{
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
SOURCE

compile ()
{
  "$PG_CC" "$@" -S loops.c -o loops.s || fail "$*: not compiled"
}

# The function whose name is $1.
code ()
{
  sed -n "/^$1:/,/\.cfi_endproc/p" loops.s | sed 's/\.L[A-Z]*[0-9]*/L/g'
}

# How many of its labels may be filled up before until a line begins.
filled ()
{
  code "$1" | grep -c 'p2align 6'
}

# The last loop of `add` in the object $1: the bytes from the beginning of its first line to its end.
extent ()
{
  objdump -d --no-show-raw-insn "$1" | awk '
    function number(hex,  i, n) {
      for (i = 1; i <= length (hex); i++)
        n = n * 16 + index ("123456789abcdef", substr (hex, i, 1))
      return n
    }
    /^[0-9a-f]+ </ { inside = $2 == "<add>:" }
    inside && /^ / {
      at = number(substr ($1, 1, length ($1) - 1))
      if (to != "") { print to % 64 + at - to; exit }
      if ($2 ~ /^j/ && number($3) < at) to = number($3)
    }'
}

compile -O2
for name in before after
do
  code $name > $name.plain
  [ -s $name.plain ] || fail "$name is not there"
done
compile -O2 -fplugin="$plugin"
for name in before after
do
  code $name | cmp -s - $name.plain || fail "$name is not as it was"
done
for name in add steps
do
  [ "$(filled $name)" = 1 ] || fail "the loop beside the guard of $name is not kept in a line"
done
for name in rows sums
do
  grep -q "^$name.paragon" loops.s || fail "$name has no guard"
  [ "$(filled $name)" = 0 ] || fail "$name: $(code $name)"
done

for offset in 16 32 48 64
do
  { printf '\t.text\n\t.p2align 6\n\t.skip %d\n' $offset; cat loops.s; } > moved.s
  "$PG_CC" -c moved.s || fail "not assembled"
  bytes=$(extent moved.o)
  [ -n "$bytes" ] || fail "the loop of add was not found"
  [ "$bytes" -le 64 ] || fail "$offset: the loop of add ends $bytes bytes behind its line"
done

for options in -O1 -Os "-O2 -fno-align-loops" "-O3 -falign-loops=16" "-O2 --param=l1-cache-line-size=16" \
  "-O2 --param=l1-cache-line-size=0" "-O2 --param=l1-cache-line-size=1000000"
do
  # shellcheck disable=SC2086 # several options
  compile $options -fplugin="$plugin"
  [ "$(filled '.*')" = 0 ] || fail "$options: $(filled '.*')"
done
