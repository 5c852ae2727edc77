#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon bisect: the loop that makes a test fail is named, in few runs, whatever order threads and processes enter
# loops in.  No loop is wrong, to be found: a test here fails if the statistics of one of its programs have a certain
# loop on the pool.

. "$PG_ROOT/testsuite/lib/script.sh"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"

# Two programs of a few loops each, in order, in the order of their arguments, or each in a thread of its own.
n_loops=11
for program in one two
do
  {
    printf '%s\n' '#include <pthread.h>' '#include <stdlib.h>' 'static unsigned data[64][3000];'
    for ((k = 0; k < n_loops; k++))
    do
      printf '%s\n' 'static void *' "loop$k (void *to)" '{' '  unsigned *x = to;' \
        '  for (int i = 0; i < 3000; i++)' "    x[i] = x[i] * $((k + 3)) + 1;" '  return NULL;' '}'
    done
    echo 'static void *(*const loops[]) (void *) = {'
    for ((k = 0; k < n_loops; k++))
    do
      echo "  loop$k,"
    done
    cat << 'MAIN'
};
enum { N = sizeof loops / sizeof *loops };
int
main (int argc, char **argv)
{
  pthread_t threads[64];
  for (int k = 1; k < argc; k++)
    loops[atoi (argv[k])] (data[k]);
  for (int k = 0; argc == 1 && k < N; k++)
    if (pthread_create (&threads[k], NULL, loops[k], data[k]) != 0)
      abort ();
  for (int k = 0; argc == 1 && k < N; k++)
    pthread_join (threads[k], NULL);
  return 0;
}
MAIN
  } > $program.c
  "$PG_CC" -O2 -pthread "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 $program.c -o $program || exit 1
done

# The line of loop $2 of program $1.
line_of ()
{
  awk "/^loop$2 /{ print NR + 3 }" "$1.c"
}

# ./check FILE:LINE... fails if one of these is on the pool in one of its programs.
cat > check << 'TEST'
#!/bin/bash
folder=$(mktemp -d) || exit 125
export PARAGON_STATS=$folder/%p.json
echo "$*" >> runs
./two & ./one $(seq 0 10 | shuf) & ./one & ./two $(seq 0 10 | shuf) & ./one 3 1 &
wait
for place
do
  cat "$folder"/*.json 2> /dev/null |
    grep -qE '"pool":[1-9]' <(grep -E "\"file\":\"${place%:*}\",\"line\":${place#*:},") && status=1
done
rm -rf "$folder"
[ "${status-0}" = 0 ] || echo wrong
exit "${status-0}"
TEST
chmod +x check
export PARAGON_PLAN=pool PARAGON_THREADS=2

# Bisect and leave what is said in out and messages, and the status in `status`.
bisect ()
{
  rm -f runs
  timeout 200 "$paragon" bisect "$@" > out 2> messages
  status=$?
  [ -z "$(find "$TMPDIR" -name 'paragon-*')" ] || fail "it leaves files behind: $(find "$TMPDIR" -name 'paragon-*')"
}

# 22 loops: two runs first, at most log2 (22), rounded up, and one more.
for wrong in "one $((RANDOM % n_loops))" "two $((RANDOM % n_loops))" "one 0"
do
  read -r program k <<< "$wrong"
  place=$program.c:$(line_of "$program" "$k")
  bisect -- ./check "$place"
  [ $status = 0 ] || fail "$place: status $status: $(cat messages)"
  printf '%s\n' "$place loop$k (parallel): it fails when this loop is handed over" \
    "PARAGON_THREADS=2 PARAGON_PLAN=pool PARAGON_ONLY=$place ./check $place" | diff - out ||
    fail "$place: $(cat messages)"
  [ "$(wc -l < runs)" -le 8 ] || fail "$(wc -l < runs) runs for $place: $(cat messages)"
  [ "$(wc -l < messages)" = "$(wc -l < runs)" ] || fail "not a line for each run: $(cat messages)"
  PARAGON=off ./check "$place" > /dev/null || fail "the line that passes fails"
  env -u PARAGON_PLAN -u PARAGON_THREADS bash -c "$(tail -n 1 out)" > /dev/null &&
    fail "the line that fails passes: $(tail -n 1 out)"
done

# A word of the command is quoted as a shell needs it.
bisect -v -- sh -c './check "$1" && echo "it is right"' 'a b' "$place"
[ "$(sed -n 's/.*\(PARAGON_ONLY=\)/\1/p' out)" = \
  "PARAGON_ONLY=$place sh -c './check \"\$1\" && echo \"it is right\"' 'a b' $place" ] ||
  fail "the command line: $(cat out)"
[ "$(grep -c '^wrong$' messages)" -ge 2 ] && grep -q '^it is right$' messages ||
  fail "what the test writes is not shown: $(cat messages)"

# Loops that fail together only.
printf '%s\n' '#!/bin/sh' '! { ! ./check "$1" && ! ./check "$2"; }' > both
chmod +x both
bisect -- ./both "one.c:$(line_of one 2)" "two.c:$(line_of two 7)"
[ $status = 0 ] && grep -q 'it fails when this loop is, too, after some' out ||
  fail "status $status: $(cat out messages)"
grep -q '^paragon: alone it passes; .*--repeat' messages || fail "together, it says: $(cat messages)"
eval "$(tail -n 1 out)" > /dev/null && fail "together: the line that fails passes: $(tail -n 1 out)"

# Nothing to find, or not to be told.
says ()
{
  local expected=$1 pattern=$2
  shift 2
  bisect "$@"
  [ $status = "$expected" ] && [ ! -s out ] || fail "status $status: bisect $*: $(cat out messages)"
  grep -qE -e "^paragon: $pattern" messages || fail "bisect $*: it says: $(cat messages)"
}
says 1 'it passes with Paragon, which was asked to hand over 22 of its loops' -- ./check none.c:1
PARAGON_SKIP=$place says 1 'it passes with Paragon, which was asked to hand over 21 of its loops' -- ./check "$place"
PARAGON_ONLY=two.c:$(line_of two 4) says 1 'it passes with Paragon, .* 1 of its loops' -- ./check "$place"
says 125 'it fails without Paragon' -- false
says 125 'run 1, .*: status 125: it cannot be tested' -- sh -c 'exit 125'
says 125 '\./no-such-test: No such file' -- ./no-such-test
says 125 'it fails with Paragon, but has not come to a loop' -- sh -c '[ "$PARAGON" = off ]'
says 125 'it fails although no loop' -- sh -c './one; [ "$PARAGON" = off ]'
says 2 'bisect: no COMMAND' --
says 2 'bisect: --repeat' -n 0 -- true
says 2 'bisect: --nonsense: no such option' --nonsense -- true

# It fails now and then: every third time that it should.
cat > flaky << 'TEST'
#!/bin/bash
./check "$1" && exit 0
echo >> flakes
[ $(($(wc -l < flakes) % 3)) != 0 ]
TEST
chmod +x flaky
place=one.c:$(line_of one 5)
bisect --repeat 3 -- ./flaky "$place"
[ $status = 0 ] && grep -q "^$place loop5 " out || fail "now and then: status $status: $(cat out messages)"

# A crash is a failure; who asks it to end ends the test, too.
bisect -- bash -c './check "$1" || kill -SEGV $$' crash "$place"
[ $status = 0 ] && grep -q "^$place loop5 " out && grep -q 'fails: signal 11' messages ||
  fail "a crash: status $status: $(cat out messages)"
"$paragon" bisect -- sh -c 'echo $$ > pid; exec sleep 100' > out 2> messages &
bisection=$!
until [ -s pid ]
do
  sleep 0.1
done
kill $bisection
wait $bisection
[ $? = 125 ] && grep -q 'stopped by signal 15' messages || fail "asked to end: $(cat messages)"
! kill -0 "$(cat pid)" 2> /dev/null || fail "the test goes on"
[ -z "$(find "$TMPDIR" -name 'paragon-*')" ] || fail "asked to end, it leaves files behind"
