#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon cache: what a program kept is counted, and is gone when it was cleared; a file that is no cache is named.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
export XDG_CACHE_HOME=$TMPDIR/home
unset PARAGON_CACHE
file=$TMPDIR/home/paragon/compiled-1.db

# This on stdout, and nothing on stderr: tells PATTERN ARGUMENTS...
tells ()
{
  local pattern=$1
  shift
  "$paragon" cache "$@" > out 2> messages || fail "status $?: cache $*: $(cat messages)"
  [ ! -s messages ] && grep -qxE -e "$pattern" out || fail "cache $*: $(cat out messages)"
}

# This on stderr, and status 2: refuses PATTERN ARGUMENTS...
refuses ()
{
  local pattern=$1 status
  shift
  "$paragon" cache "$@" > out 2> messages
  status=$?
  [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < messages)" = 1 ] && grep -qE -e "^paragon: $pattern" messages ||
    fail "status $status: cache $*: $(cat out messages)"
}

tells "$TMPDIR/home/paragon: nothing is kept" list
tells "$TMPDIR/home/paragon: nothing is kept" clear
[ ! -e home ] || fail "looking makes a folder"
refuses 'cache: list or clear;'
refuses 'cache: list or clear;' show
refuses 'cache: list or clear;' list clear
PARAGON_CACHE=off refuses 'there is no cache: PARAGON_CACHE is off' list
mkdir home && mkdir -m 700 home/paragon || exit 1
head -c 5000 /dev/urandom > "$file" && chmod 600 "$file"
python3 -c 'import ctypes; ctypes.CDLL ("libsqlite3.so.0")' 2> /dev/null || skip "no SQLite"
refuses "$file: it is damaged" list
chmod 755 home/paragon
refuses "no cache in $TMPDIR/home/paragon: others may use it, too" list
chmod 700 home/paragon
tells "$file: removed" clear
[ ! -e "$file" ] || fail "it is still there"

# Of a program.
sample
sed 's/3000/300000/g; s/mix (300000, a, b);/for (i = 0; i < 1000; i++)\n    &/' sample.c > long.c
"$PG_CC" -O2 "-fplugin=$plugin" long.c -o long || exit 1
PARAGON_CACHE=on PARAGON_THREADS=2 ./long > /dev/null || fail "status $?"
tells "$file: entries: 1, bytes: [1-9][0-9]*" list
cp "$file" other.db
PARAGON_CACHE=$TMPDIR/elsewhere tells "$TMPDIR/elsewhere: nothing is kept" list
tells "$file: removed" clear
tells "$TMPDIR/home/paragon: nothing is kept" list
