#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon doctor tells what is there and what is not, with something to do; paragon run is the program itself, and a
# table behind it.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
sample
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o sample || exit 1

CC=$PG_CC "$paragon" doctor > out 2> messages || fail "status $?: $(cat out messages)"
[ ! -s messages ] || fail "on stderr: $(cat messages)"
grep -q "^ok    compiler  $PG_CC is GCC $gcc_major\." out || fail "the compiler: $(cat out)"
grep -q '^ok    plugin    -fplugin=.*/paragon\.so$' out || fail "the plugin: $(cat out)"
grep -qxF "ok    library   $(realpath "$library")" out || fail "the library: $(cat out)"
[ "$(grep -cE '^(ok|--)    (watch|cache|GPU|NVRTC) +[^ ]' out)" = 4 ] || fail "what it can do without: $(cat out)"
! grep -vq '^                [^ ]' <(grep -A 1 '^--' out | grep -v '^--') || fail "no advice: $(cat out)"
[ -z "$(find "$TMPDIR" -name 'paragon-*')" ] || fail "it leaves files behind: $(find "$TMPDIR" -name 'paragon-*')"

# What it can do without, each named with what would help: here nothing is in these.
mkdir unusable
: > empty.c
for name in libcuda.so.1 libnvrtc.so
do
  "$PG_CC" -shared -fPIC empty.c -o unusable/$name || exit 1
done
LD_LIBRARY_PATH=$PWD/unusable CC=$PG_CC "$paragon" doctor > out 2> messages || fail "status $?: $(cat out messages)"
while read -r what remedy
do
  grep -qF "$remedy" <(grep -A 1 "^--    $what " out) || fail "no $what: $(cat out)"
done << 'EOF'
GPU it needs a GPU and NVIDIA's driver
NVRTC the CUDA toolkit's run-time compiler, libnvrtc
EOF

# What is needed, and is not there.
printf '#!/bin/sh\necho 13.1.0\n' > gcc-13
chmod +x gcc-13
lacks ()
{
  local what=$1
  shift
  "$paragon" doctor "$@" > out 2> messages
  [ $? = 1 ] && grep -q '^                needed' <(grep -A 1 "^no    $what " out) ||
    fail "doctor $*: $(cat out messages)"
}
lacks compiler --compiler ./gcc-13
lacks compiler --compiler ./no-such-compiler
lacks plugin --plugin ./no-such-plugin.so
mkdir alone
cp "$plugin" alone/
lacks library --plugin "$PWD/alone/paragon.so"

# paragon run: same output, same status, same input; the table is behind it.
export PARAGON_PLAN=pool PARAGON_THREADS=2
"$paragon" run ./sample > out 2> table || fail "run: status $?"
./sample | diff - out || fail "run: another output"
grep -qE '^paragon: sample\.c:[0-9]+ mix ' table || fail "run: no table: $(cat table)"
"$paragon" run -o stats.json -- ./sample > out 2> messages || fail "run: status $?"
[ ! -s messages ] && [ "$(stat_sum pool stats.json)" -ge 1 ] || fail "run -o: $(cat messages)"
[ "$(echo word | "$paragon" run cat)" = word ] || fail "run: another input"
"$paragon" run sh -c 'exit 7'
[ $? = 7 ] || fail "run: another status"
"$paragon" run ./no-such-program 2> messages
[ $? = 127 ] && grep -q '^paragon: ./no-such-program: No such' messages || fail "run: $(cat messages)"
"$paragon" run ./sample.c 2> messages
[ $? = 126 ] && grep -q '^paragon: ./sample.c: Permission' messages || fail "run: $(cat messages)"
"$paragon" run 2> messages
[ $? = 2 ] || fail "run without a program"
