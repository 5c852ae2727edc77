#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon explain: what the plugin said of a loop is found in objects, libraries, programs, reports and folders, and is
# told once; whatever else it is given gets one line, and status 2.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
mkdir src build other
cat > src/dot.c << 'PROGRAM'
double
dot (int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

void
scale (int n, int m, double (*x)[100], const int *index)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[index[i]][j] *= 2;
}
PROGRAM
echo 'int main (void) { return 0; }' > main.c
compile=("$PG_CC" -O2 "-fplugin=$plugin")
"${compile[@]}" -fPIC -fplugin-arg-paragon-report=loops.json -c src/dot.c -o build/dot.o && sleep 0.01 &&
  "$PG_CC" main.c build/dot.o -o program && "$PG_CC" -shared build/dot.o -o libdot.so &&
  ar rc libdot.a build/dot.o && ar rcT libthin.a build/dot.o || exit 1

explains ()
{
  "$paragon" explain "$@" > out 2> messages || fail "status $?: explain $*: $(cat messages)"
  [ ! -s messages ] || fail "on stderr: explain $*: $(cat messages)"
}

# It says this in one line, and nothing else: refuses PATTERN ARGUMENTS...
refuses ()
{
  local pattern=$1 status
  shift
  "$paragon" explain "$@" > out 2> messages
  status=$?
  [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < messages)" = 1 ] ||
    fail "status $status: explain $*: $(cat out messages)"
  grep -qE -e "^paragon: $pattern" messages || fail "explain $*: not $pattern: $(cat messages)"
}

cat > expected << 'LINES'
src/dot.c:5: dot: sequential, stays as it is
            for (int i = 0; i < n; i++)
  why       fp-order: a floating-point reduction whose order fixes its bits: sum
  where     src/dot.c:6
            sum += x[i] * y[i];
  to do     allow with -fassociative-math
LINES
for where in build/dot.o program libdot.so loops.json build
do
  explains src/dot.c:5 "$where"
  grep -v '^  said by' out | diff expected - || fail "explain src/dot.c:5 $where"
  grep -qE "^  said by   $where(/dot\.o)?\$" out || fail "it does not say where it has it from: $(cat out)"
done
explains src/dot.c:5 libdot.a
grep -qxF '  said by   libdot.a(dot.o)' out || fail "a library: $(cat out)"

# Names: as short as they are clear, longer than the compiler had, as the compiler prints them.  All inputs at once.
for name in dot.c:5 "$PWD/src/dot.c:5" ./src/dot.c:5:3: dot.c:5:3 ../src/dot.c:5
do
  explains "$name"
  [ "$(grep -c '^src/dot' out)" = 1 ] && grep -q '^src/dot.c:5: ' out || fail "explain $name: $(cat out)"
done
explains dot.c
[ "$(sed -n 's/^src.dot.c:\([0-9]*\): .*/\1/p' out | paste -sd ,)" = 5,13,14 ] ||
  fail "explain dot.c: $(cat out)"

# A loop that is handed over.
explains dot.c:13 program
grep -qE '^src/dot.c:13: scale: possibly parallel, handed over from [0-9]+ iterations on, and checked' out &&
  grep -q '^  why       indirect: an address is loaded' out && grep -q '^  nest      with line 14$' out &&
  grep -q 'line 15: update of x, 8 bytes, where is known only when it runs$' out || fail "explain dot.c:13: $(cat out)"
refuses 'src/dot.c:9: no loop begins there; the nearest: line 5 \(dot\) and line 13 \(scale\)$' dot.c:9 program
refuses 'src/dot.c:99: no loop .* line 14 \(scale\)$' dot.c:99 program

# What was inlined from another file is there, not at that line of this one; all in order, once; a file without a name.
cat > inlined.h << 'INLINED'
void work (int);
static inline void
one (int *x, int i, const char *p)
{
  x[i] = p[i];
}
static inline void
two (int *x, int i)
{
  x[i] *= 5; work (i);
}
INLINED
cat > inlines.c << 'INLINES'
#include "inlined.h"

void f (int n, int *x, const char *p)
{
  for (int i = 0; i < n; i++)
    one (x, i, p);
  for (int i = 0; i < n; i++)
    two (x, i);
}

void g (int n, int *restrict x, int *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = y[i]; x[i + 1] = y[i + 1];
      y[i] = x[i]; x[i + 1] += y[i];
    }
}
INLINES
printf '#line 7 ""\nvoid f (int n, int *x) { for (int i = 0; i < n; i++) x[i] = 3 * i; }\n' > unnamed.c
sleep 0.01
"${compile[@]}" -c inlines.c -o inlines.o && "${compile[@]}" -c unnamed.c -o unnamed.o || exit 1
explains inlines.c:5 inlines.o
sed -n '/^  where/,/^  said by/{/^  said by/!p}' out > told
diff told - << 'TOLD' || fail "what was inlined"
  where     inlined.h:5
            x[i] = p[i];
  to do     say restrict where they never do, to save the check
  memory    inlined.h:5: read of p, 1 byte
            inlined.h:5: write of x, 4 bytes
TOLD
explains inlines.c:7 inlines.o
grep -qx '  where     inlined.h:10' out && grep -qx '            x\[i\] \*= 5; work (i);' out || fail "$(cat out)"
explains inlines.c:13 inlines.o
sed -n 's/.*\(line [0-9]*: .*\)/\1/p' out > told
LC_ALL=C sort -u told | cmp -s - told && [ "$(wc -l < told)" -gt 3 ] || fail "not in order, or twice: $(cat out)"
! grep -E '^PG_REASON .*(POSSIBLY|SEQUENTIAL),.*, ""\)' "$PG_ROOT/include/reasons.def" || fail "reasons without advice"
explains '<no name>:7' unnamed.o
grep -qx '  to do     nothing' out || fail "nothing is to be done: $(cat out)"
grep -q '^<no name>:7: f: parallel' out || fail "a file without a name: $(cat out)"
rm inlines.o unnamed.o

# The source was changed since: it is not shown.
touch -d '+1 minute' src/dot.c
explains dot.c:5 program
! grep -q 'sum +=' out || fail "it shows a source that is newer: $(cat out)"

# What is not there, is not known, or is none of ours.
cp src/dot.c other/dot.c
# What a loop is handed over without, and what it would be refused for besides.
cat > noisy.c << 'PROGRAM'
int printf (const char *, ...);

double
scale (int n, double *x, int verbose)
{
  double last = 0;
  for (int i = 0; i < n; i++)
    {
      if (verbose)
	printf ("%d\n", i);
      x[i] *= 2;
    }
  for (int i = 0; i < n; i++)
    {
      if (verbose)
	printf ("%d\n", i);
      last = last * .5 + x[i];
    }
  return last;
}
PROGRAM
"${compile[@]}" -c noisy.c -o noisy.o || exit 1
explains noisy.c:7 noisy.o
grep -q '^  unless    line 9 asks for printf: then it runs as it was$' out || fail "nothing is left out: $(cat out)"
explains noisy.c:13 noisy.o
grep -q '^  why       call: .*: printf, without which it is carried-scalar: last$' out || fail "one reason: $(cat out)"

"${compile[@]}" -c other/dot.c -o other/dot.o || exit 1
refuses 'dot.c: may be (src|other)/dot.c or (src|other)/dot.c: say more' dot.c:5
explains other/dot.c:5
"$PG_CC" -c main.c -o plain.o || exit 1
: > empty
echo '[1, 2]' > list.json
echo '{"file":"a.c"}' > half.json
head -c 100 loops.json > cut.json
refuses 'explain: no FILE'
refuses 'explain: .*--nonsense: no such option' --nonsense
refuses 'none.o: No such file' dot.c none.o
refuses 'plain.o: no verdicts in it' dot.c plain.o
refuses 'empty: no verdicts in it' dot.c empty
refuses 'main.c: neither an object' dot.c main.c
refuses 'list.json: neither an object' dot.c list.json
refuses 'half.json: line 1 is no verdict' dot.c half.json
refuses 'cut.json: cut short in line 1$' dot.c cut.json
refuses 'libthin.a: a thin library' dot.c libthin.a
refuses '/dev/null: not a file' dot.c /dev/null
refuses 'none.c: no loop of that file; there are some of src/dot.c' none.c program
mkfifo pipe
refuses 'pipe: not a file' dot.c pipe

# Cut anywhere: one line, or what can still be read.
for input in build/dot.o libdot.a loops.json
do
  len=$(wc -c < "$input")
  for ((at = 0; at < len; at += 1 + len / 40))
  do
    head -c $at "$input" > piece
    "$paragon" explain dot.c:5 piece > out 2> messages
    case $? in
      0) [ -s out ] ;;
      2) [ ! -s out ] && [ "$(wc -l < messages)" = 1 ] ;;
      *) false ;;
    esac || fail "$input, $at bytes: $(cat out messages)"
  done
done
"$paragon" explain dot.c program > /dev/full 2> messages && fail "what cannot be written is not noticed"
grep -q '^paragon: stdout' messages || fail "it says: $(cat messages)"
