#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon build: whatever compiler a build calls has the plugin, if it takes one, and else what it would have without;
# then the loops are counted.  What is not compiled, tests of a configure step, and other compilers are left alone.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
unset CC CXX FC PARAGON_CC PARAGON_CXX PARAGON_FC PARAGON_ARGS

# The compiler of this build, by its usual name, and nothing else of the kind; what make needs.
mkdir bin tree && ln -s "$(command -v "$PG_CC")" bin/gcc && ln -s gcc bin/cc || exit 1
for program in sh make as ld ar rm touch cat env echo sleep
do
  ln -s "$(command -v $program)" bin/ || exit 1
done
sample
mv sample.c tree/ && cd tree || exit 1
cat > other.c << 'OTHER'
int
count (int n)
{
  int i;

  for (i = 0; n != 1; i++)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return i;
}
OTHER

# This on stderr, and this status: builds STATUS ARGUMENTS...  What the command itself says is in out.
builds ()
{
  local wanted=$1 status
  shift
  PATH=$TMPDIR/bin "$paragon" build "$@" > out 2> messages
  status=$?
  [ $status = "$wanted" ] || fail "status $status, not $wanted: build $*: $(cat out messages)"
}

says ()
{
  grep -qE -e "^paragon: $1" messages || fail "not $1: $(cat out messages)"
}

# Names that a Makefile has chosen, many units at a time.
cat > Makefile << 'MAKE'
CC = gcc
all: sample
sample: sample.o other.o
	cc sample.o other.o -o sample
%.o: %.c
	$(CC) -O2 -c $<
clean:
	rm -f *.o sample
MAKE
builds 0 -a threshold=0 -o loops.json -- make -s -j4
says 'units: 2, loops: [0-9]+: [0-9]+ parallel, 1 possibly parallel, [0-9]+ sequential; handed over: [0-9]+$'
says ' +1 uncountable: '
says 'next: paragon report'
[ ! -s out ] || fail "on stdout: $(cat out)"
run_with_stats ./sample > one && [ "$(stat_sum pool stats.json)" -ge 1 ] || fail "the build has no plugin"
"$paragon" explain sample.c loops.json > out || fail "the report is none: $(cat loops.json)"
[ "$("$paragon" explain sample.c sample.o)" = "$(sed 's/loops.json/sample.o/' out)" ] ||
  fail "another report: $(cat out)"
"$PG_CC" -O2 sample.c other.c -o plain && ./plain | cmp -s - one || fail "another answer"

# Nothing to do; its own status; by its own hand.
builds 0 make
says 'nothing was compiled by way of the plugin'
builds 3 -- sh -c 'gcc -O2 -c other.c; exit 3'
says 'units: 1, '
builds 137 sh -c 'kill -9 $$'
builds 127 no-such-program
says 'no-such-program: No such'
builds 126 ./Makefile
says './Makefile: Permission'
builds 2
says 'build: no COMMAND'
builds 2 -o none/loops.json gcc -O2 -c other.c
says 'none/loops.json: No such'
builds 2 --arg treshold=0 gcc -c other.c
says 'gcc is left alone: cc1: error: paragon: unknown option'
says 'no compiler that takes the plugin'

# It is the same compiler: what it says, what it returns, where nothing is compiled, what it makes then.
plain ()
{
  PATH=$TMPDIR/bin "$@" > plain.out 2> plain.messages
  echo $? > plain.status
}
same ()
{
  plain "$@"
  builds "$(cat plain.status)" -- "$@"
  cmp -s out plain.out || fail "another output of $*: $(cat out)"
  sed '/^paragon: /d' messages | cmp -s - plain.messages || fail "other messages of $*: $(cat messages)"
}
printf 'int f (void) { return 1 }\n' > wrong.c
printf '.globl f\nf:\n' > text.s
for arguments in --version -v -dumpmachine -print-search-dirs '' '-E sample.c' '-MM sample.c' '-c text.s' '-c wrong.c' \
  '-c sample.c' '-O0 -Wall -c other.c' '-c none.c' '-fsyntax-only sample.c' '-nonsense'
do
  # shellcheck disable=SC2086
  same gcc $arguments
done
builds 0 gcc -c sample.c
says 'units without -O, where nothing is handed over: 1, as .*/tree/sample.c'
builds 0 sh -c 'echo "int x;" > conftest.c; gcc -O2 -c conftest.c; rm conftest.*'
says 'nothing was compiled but tests'
builds 0 sh -c 'gcc -O2 -c sample.c -o temporary.o; ar rc library.a temporary.o; rm temporary.o'
says 'objects that are no longer there: 1'
builds 0 gcc -O2 sample.c other.c
says 'units: 2, loops: [1-9]'
[ -x a.out ] || fail "no a.out"
builds 0 sh -c 'gcc -O2 -flto -c sample.c; gcc -O2 -flto -c other.c; cc -O2 -flto sample.o other.o -o linked'
says 'units: 2, loops: [1-9]'
builds 0 sh -c 'printf "int x;\n" > all.h; gcc -O2 all.h
  printf "#include \"all.h\"\n" > uses.c; gcc -O2 -Winvalid-pch -Werror -include all.h -c uses.c'
mkdir -p libtool/.libs libtool/.git && builds 0 gcc -O2 -fPIC -c other.c -o libtool/.libs/other.o
"$paragon" explain other.c libtool > out || fail "libtool's objects are not found"
mv libtool/.libs/other.o libtool/.git/ && "$paragon" explain other.c libtool > out 2>&1 && fail "hidden: $(cat out)"
mkdir 'a b' && cp other.c 'a b/' && builds 0 sh -c 'cd "a b" && gcc -O2 -c other.c -oother.o'
says 'units: 1, loops: 1'

# The user's own CC: as it is, where a name stands for it; by a wrapper, behind other words or by a path; or not at all.
printf '#!%s\nexec "$@"\n' "$TMPDIR/bin/sh" > ../bin/cache
export CC=gcc
builds 0 sh -c 'echo $CC; $CC -O2 -c other.c'
[ "$(cat out)" = gcc ] && says 'units: 1, '
chmod +x ../bin/cache
for CC in 'cache gcc' "$TMPDIR/bin/gcc"
do
  builds 0 sh -c 'echo $CC; $CC -O2 -c other.c'
  [ "$(cat out)" = paragon-gcc ] || fail "CC is $(cat out)"
  says 'units: 1, '
done
CC=$TMPDIR/gcc-13
cat > "$TMPDIR/gcc-13" << END
#!$TMPDIR/bin/sh
[ "\$1" = -dumpfullversion ] && echo 13.1.0 && exit
[ "\$1" = -O2 ] || { echo "cc1: error: another plugin" >&2; exit 1; }
echo called: "\$@"
END
chmod +x "$TMPDIR/gcc-13"
builds 0 sh -c '$CC -O2 -c other.c'
says "CC=$TMPDIR/gcc-13 is left alone: cc1: error: another plugin"
[ "$(cat out)" = 'called: -O2 -c other.c' ] || fail "another compiler gets: $(cat out messages)"
unset CC

# A wrapper by itself.
wrapper=$PG_BUILD/bin/paragon-gcc
PARAGON_CC=$PG_CC PARAGON_ARGS=threshold=0 "$wrapper" -O2 sample.c other.c -o alone 2> messages ||
  fail "$(cat messages)"
[ ! -s messages ] && grep -q 'handed over from 1 iterations' <("$paragon" explain sample.c alone) || fail "no plugin"
PARAGON_CC=$TMPDIR/gcc-13 "$wrapper" -O2 -c other.c > out 2> messages || fail "$(cat messages)"
said="paragon: $TMPDIR/gcc-13 is GCC 13.1.0, and the plugin is for GCC $gcc_major: it is called without it"
grep -qx "$said" messages &&
  [ "$(cat out)" = 'called: -O2 -c other.c' ] || fail "another version: $(cat out messages)"
PARAGON_CC=$TMPDIR/gcc-13 PARAGON_STORE=$PWD/store "$wrapper" -O2 -c other.c > out 2> messages ||
  fail "$(cat messages)"
[ ! -s messages ] && grep -q 13.1.0 store || fail "another version, noted: $(cat messages)"
PARAGON_CC=none "$wrapper" -c other.c 2> messages
[ $? = 127 ] &&
  [ "$(cat messages)" = 'paragon: none: the compiler that it calls is not there' ] || fail "$(cat messages)"
PARAGON_CC=$wrapper "$wrapper" -O2 -c other.c 2> messages
[ $? = 127 ] || fail "it calls itself: $(cat messages)"
PARAGON_CC=$PG_CC "$wrapper" "-fplugin=$plugin" -O2 -c other.c || fail "the plugin is given twice"
[ -z "$(find "$TMPDIR" -maxdepth 1 -name 'paragon-*')" ] || fail "it leaves files behind: $(ls "$TMPDIR")"
