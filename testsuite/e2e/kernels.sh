#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Kernels where they are asked for, and nothing of them where they are not: the report says what became of each, the
# object has them, packed, and the folder has files for a person, the CUDA text being C++ that compiles.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
cat >> sample.c << 'MORE'
#include <math.h>

unsigned
least (int n, const unsigned *x, int *most, double *last)
{
  unsigned low = 9;
  double value = 0;
  int high = -9, i;

  for (i = 0; i < n; i++)
    {
      low = x[i] < low ? x[i] : low;
      high = (int) x[i] > high ? (int) x[i] : high;
      value = x[i] * 0.5;
    }
  *last = value;
  *most = high;
  return low;
}

void
waves (int n, double *x)
{
  int i;

  for (i = 0; i < n; i++)
    x[i] = sin (x[i]);
}

struct __attribute__ ((packed, aligned (4))) record
{
  double value;
  int count, flag : 1;
  short code;
};
typedef int loose_int __attribute__ ((aligned (1)));

void
records (int n, struct record *x, const loose_int *y)
{
  int i;

  for (i = 0; i < n; i++)
    {
      x[i].count += 5; /* fits: 4 of 4 */
      x[i].value *= 2; /* 8 of 4 */
      x[i].flag = 1;
      x[i].code = y[i]; /* to 2 at an odd address, from 4 of 1 */
    }
}

void
points (int n, double *x)
{
  int i;

  for (i = 1; i < n; i += 3)
    x[i] = 1;
}

void
numbers (int first, int n, double *x)
{
  int i;

  for (i = first; i < n; i++)
    x[i] = 1;
}

void
far (int n, int *x)
{
  int i, k;

  for (i = -2147483647 - 1, k = 0; k < n; i += 1048576, k++)
    x[k] = i;
}

void
around (int n, short first, int *x)
{
  short i;
  int k;

  for (i = first, k = 0; k < (n & 16383); i++, k++)
    x[k] = i;
}
MORE

compile ()
{
  "$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-report=report -c sample.c "$@"
}

compile -o without.o || exit 1
grep -q '"kernel"' report && fail "a kernel that nobody asked for: $(cat report)"
rm report

# The bytes that say what regions are.
packed_len ()
{
  readelf -sW "$1" | awk '$8 ~ /^paragon\.packed\./ { n += $3 } END { print n; exit !n }'
}

mkdir kernels
compile -fplugin-arg-paragon-kir -fplugin-arg-paragon-cuda=kernels -o with.o 2> messages || fail "$(cat messages)"
[ ! -s messages ] || fail "the compiler says something: $(cat messages)"
grep -q '"kernel":"lifted"' <(grep '"function":"mix"' report) || fail "mix has no kernel: $(cat report)"
grep -q '"kernel":"math"' <(grep '"function":"waves"' report) || fail "waves is not refused by name: $(cat report)"
packed_len with.o > with.len && packed_len without.o > without.len || exit 1
[ "$(cat with.len)" -gt $(($(cat without.len) + 100)) ] || fail "the object has no kernels: $(cat with.len without.len)"
grep -a -q 'sample.c:[0-9]* mix' with.o && fail "kernels have names, which the runtime can tell"
line=$(grep -n 'y\[i\] \* 3' sample.c | cut -d : -f 1)
grep -q "store void v[0-9]* v[0-9]* ref [01] line $line\$" kernels/sample.kir || fail "$(cat kernels/sample.kir)"
grep -q "\*(pg_i32 \*) v[0-9]* = v[0-9]*; // sample.c:$line\$" kernels/sample.cu || fail "$(cat kernels/sample.cu)"
for carry in 'i32 umin' 'i32 max' 'i32 last'
do
  grep -q "^carry $carry [0-9]*\$" kernels/sample.kir || fail "nothing is carried as $carry: $(cat kernels/sample.kir)"
done
sed -n '/^kernel .* records/,/^end/p' kernels/sample.kir > records
grep -E -o '(load|store)(-bytes)? [a-z0-9]*' records | sort -u | tr '\n' ' ' > accesses
grep -q '^load i32 load i8 load-bytes f64 load-bytes i32 store void store-bytes void $' accesses ||
  fail "other accesses: $(cat accesses records)"

# Arithmetic does not wrap where GCC says so.
grep -q '= add-nw i32' records || fail "numbers with a sign wrap: $(cat records)"
for loop in points numbers far around
do
  sed -n "/^kernel .* $loop.paragon/,/^end/p" kernels/sample.kir > "$loop"
done

# Where a range of iterations starts is part of that, unless there may be more iterations, or they may be further apart,
# than fits the type, or it wraps.
grep -q '= mul-nw i32' points && grep -q '= add-nw i32' points || fail "starts wrap: $(cat points)"
for loop in 'numbers add i32' 'far mul i32' 'around add i16'
do
  grep -q "= ${loop#* }" "${loop%% *}" || fail "no $loop: $(cat "${loop%% *}")"
done
grep -q -e '-nw' numbers far around && fail "starts that may wrap do not: $(cat numbers far around)"

mkdir wrapping
compile -fwrapv -fplugin-arg-paragon-kir -fplugin-arg-paragon-cuda=wrapping -o wrapping.o || exit 1
grep -q -e '-nw' wrapping/sample.kir && fail "nothing wraps with -fwrapv: $(cat wrapping/sample.kir)"
"$PG_CXX" -x c++ -Wall -Wno-unused-function -Wno-unused-variable -Wno-unused-but-set-variable -Werror -fsyntax-only \
  kernels/sample.cu || fail "the CUDA text does not compile"

# Each loop as grids, too: what runs it, what notes writes, what tests reads of what was noted, and stores nothing.
for grid in kernel execution checking
do
  sed -n "/^PG_KERNEL (mix_paragon_[0-9]*_$grid,/,/^}/p" kernels/sample.cu > "$grid"
  [ -s "$grid" ] || fail "mix has no grid of kind $grid: $(cat kernels/sample.cu)"
done
grep -q atomicMin execution || fail "writes are not noted: $(cat execution)"
grep -q 'v[0-9]* \* 3u; // sample.c' execution || fail "what notes writes does not compute: $(cat execution)"
grep -q 'atomicMin\|^  \*(pg_i32' checking && fail "what tests reads writes: $(cat checking)"
grep -q atomic kernel && fail "what runs the loop notes something: $(cat kernel)"
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc)
if [ -n "$nvcc" ]
then
  "$nvcc" -arch=sm_90 -cubin -w kernels/sample.cu -o sample.cubin || fail "nvcc does not compile the CUDA text"
fi

compile -fplugin-arg-paragon-kir -o again.o && compile -fplugin-arg-paragon-kir -o once-more.o || exit 1
cmp again.o once-more.o || fail "objects differ"

compile -fplugin-arg-paragon-cuda=nowhere -o with.o 2> messages && fail "a folder that is not there is no error"
grep -q 'paragon: cannot write the kernels .nowhere/sample.kir' messages || fail "not named: $(cat messages)"

# What F's loop knows of inner loops: where the test of the first turn is outside, and nowhere else.
cat > known.c << 'KNOWN'
void
outside (int n, int m, double *x)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      x[i * m + j] = x[i * m + j] * 2 + 1;
}

void
down (int n, long m, long k, double *x)
{
  long i, j;

  for (i = 0; i < n; i++)
    for (j = m; j > k; j -= 3)
      x[i * m + j] = x[i * m + j] * 2 + 1;
}

void
inside (int n, int m, double *x, double *y)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      y[i] = 0;
      for (j = 0; j < m; j++)
	x[i * m + j] = x[i * m + j] * 2 + 1;
    }
}

void
nowhere (int n, int m, double *x)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      j = 0;
      do
	x[i * m + j] = x[i * m + j] * 2 + 1;
      while (++j < m);
    }
}
KNOWN
"$PG_CC" -O3 "-fplugin=$plugin" -fplugin-arg-paragon-cuda=kernels -c known.c || exit 1
awk '/^kernel/ { name = $3 } /known void/ { print name }' kernels/known.kir | sed 's/\.paragon.*//' | sort |
  tr '\n' ' ' > knows
grep -q '^down outside $' knows || fail "something else is known: $(cat knows kernels/known.kir)"
exit 0
