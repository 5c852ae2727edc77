#!/bin/bash
# SPDX-License-Identifier: MIT
# The harness that measures: runs are interleaved, forth and back, ended when late, and told apart by what they print;
# figures are those of numbers worked out by hand.  A benchmark nobody checks is worth nothing.
set -u
cd "$(dirname "$0")/../../polybench" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

failed=0
# expect WHAT WANTED GOT
expect ()
{
  [ "$2" = "$3" ] && return
  printf '%s: wanted\n%s\ngot\n%s\n' "$1" "$2" "$3"
  failed=1
}

for part in run stat ratio
do
  "${PG_CC:-gcc}" -O1 -Wall -Wextra -Wundef -Wshadow -Werror "bench-$part.c" ../runtime/cli/ratio.c -o "$work/$part" ||
    exit 1
done

got=$("$work/run" -r 2 a='echo 1; echo total 3 first 1 later 2 >&2' b='exit 3' c='kill -9 $$' | cut -f 1-3,6-8)
expect order "$(printf '%s\n' $'a\t0\tok\t3\t1\t2' $'b\t0\texit-3\t-\t-\t-' $'c\t0\tsignal-9\t-\t-\t-' \
  $'c\t1\tsignal-9\t-\t-\t-' $'b\t1\texit-3\t-\t-\t-' $'a\t1\tok\t3\t1\t2')" "$got"
expect late late "$("$work/run" -r 1 -l 1 a='sleep 30 & wait' | cut -f 3)"
expect copies "xxx" "$("$work/run" -r 1 -c 3 a="printf x >> $work/copies" > /dev/null; cat "$work/copies")"
expect budget 1 "$("$work/run" -r 9 -b 0 a=true | wc -l)"
expect 'first round' 'b1 a1 a2 b2 ' "$("$work/run" -r 2 -f 1 a=true b=true | awk '{ printf "%s%s ", $1, $2 }')"
expect 'round of a command' 'exit-3 exit-4 ' "$("$work/run" -r 2 -f 3 a='exit $ROUND' | awk '{ printf "%s ", $3 }')"
expect hash 2 "$("$work/run" -r 2 a='echo 1' b='echo 2' | cut -f 9 | sort -u | wc -l)"

# Three rounds: sequential takes 2, 4 and 6 s, Paragon half of it.
sample ()
{
  printf 'sample\tp\t%s\t%s\tok\t9\t9\t%s\t%s\t%s\t%s\n' "$@"
}
{
  printf 'fact\tmachine\ta "fast" one\n'
  printf 'missing\tpolly\tno clang\n'
  printf 'program\tp\tpointer\t2\t1\tpossibly\tL1\tpool\t0\n'
  for round in 0 1 2
  do
    sample sequential $round $((2 * round + 2)) 1 1 abc
    sample paragon $round $((round + 1)) 2 1 abc
    sample openmp $round 1 1 1 other
  done
} > "$work/gathered"
"$work/stat" "$work/json" < "$work/gathered" > "$work/table"
expect status 0 $?
expect row 'p 1/2 possibly L1 pool 4.000 2.00' "$(awk '$1 == "p" { print $1, $2, $3, $4, $5, $6, $7 }' "$work/table")"
expect 'first entries' '2.00 (2.00) > 1.15' "$(grep -o '2.00 (2.00) > 1.15' "$work/table")"
expect over '1 programs, 0 within all limits, 0 open, 1 over, 0 wrong' "$(tail -n 1 "$work/table")"
expect 'not open' '' "$("$work/stat" --open < "$work/gathered")"
expect other 'p: openmp differs' "$(grep '^p:' "$work/table")"
expect missing 'no polly: no clang' "$(grep '^no ' "$work/table")"
expect json 1 "$(grep '"total": {"limit": 1.05' "$work/json" |
  grep -c '{"median": 0.5000, "low": 0.5000, "high": 0.5000, "rounds": 3}')"
expect quotes 1 "$(grep -c '"machine": "a \\"fast\\" one"' "$work/json")"

# First entries of 1, 1 and 2 s: the limit lies in the interval.
sed 's/\(sample.p.paragon.[01].ok.9.9.[12]\).2/\1\t1/' "$work/gathered" > "$work/unsure"
expect open 'p openmp first' "$("$work/stat" --open < "$work/unsure")"
"$work/stat" "$work/json" < "$work/unsure" > "$work/table"
expect 'a limit in the interval' '1.00 (2.00) ~ 1.15' "$(grep -o '1.00 (2.00) ~ 1.15' "$work/table")"
expect 'verdict open' '1 programs, 0 within all limits, 1 open, 0 over, 0 wrong' "$(tail -n 1 "$work/table")"

# Rounds of which only first entries count settle that, and nothing else.
awk -F '\t' -v OFS='\t' '$3 == "paragon" { $8 = 1 } 1' "$work/unsure" > "$work/quick"
expect 'first entries open' 'p first' "$("$work/stat" --open < "$work/quick")"
{
  cat "$work/quick"
  for round in {3..12}
  do
    sample sequential "$round" - 1 - -
    sample paragon "$round" - 1 - -
  done
} > "$work/sure"
"$work/stat" "$work/json" < "$work/sure" > "$work/table"
expect 'no limit in the interval' '1.00 (1.00) <=1.15' "$(grep -o '1.00 (1.00) <=1.15' "$work/table")"
expect 'verdict kept' '1 programs, 1 within all limits, 0 open, 0 over, 0 wrong' "$(tail -n 1 "$work/table")"
expect 'rounds of all' 1 "$(grep -c '"total": {"limit": 1.05, "ratio": {.*"rounds": 3}' "$work/json")"

# A build that failed is wrong, not within all limits; what has not run is open.
{
  grep -v paragon "$work/gathered"
  printf 'sample\tp\tparagon\t0\tno-build\t0\t0\t-\t-\t-\t-\n'
  printf 'program\tq\tpointer\t1\t1\tpossibly\tL1\tpool\t0\n'
} > "$work/failed"
"$work/stat" "$work/json" < "$work/failed" > "$work/table"
expect 'status of a build that failed' 1 $?
expect 'no more rounds of what is wrong' q "$("$work/stat" --open < "$work/failed")"
expect 'no build' '2 programs, 0 within all limits, 1 open, 0 over, 1 wrong' "$(tail -n 1 "$work/table")"
expect 'not run' 'q - open' "$(awk '$1 == "q" { print $1, $6, $NF }' "$work/table")"

# Wall times of three rounds.
rounds ()
{
  local round
  for round in 0 1 2
  do
    printf 'plain\t%s\tok\t2\t1\t-\t-\t-\tabc\nplugin\t%s\t%s\t%s\t1\t-\t-\t-\tabc\n' $round $round "$1" "$2"
    shift 2
  done
}
expect 'ratio kept' '1.000 0.900 1.050 ok' "$(rounds ok 2 ok 2.1 ok 1.8 | "$work/ratio" plugin plain 4 1.05)"
expect 'ratio open' '1.000 0.900 1.050 open' "$(rounds ok 2 ok 2.1 ok 1.8 | "$work/ratio" plugin plain 4 1.04)"
expect 'ratio over' '1.000 0.900 1.050 over' "$(rounds ok 2 ok 2.1 ok 1.8 | "$work/ratio" plugin plain 4 0.89)"
rounds ok 2 exit-1 2 ok 2 | "$work/ratio" plugin plain 4 1.05
expect 'a run that failed' 1 $?

# A program lies at another place in each round, and a folder's name may hold a blank.
mkdir "$work/a b"
places=$(
  export TMPDIR="$work/a b"
  . ./bench-common.sh
  sources="pointer/vadd.c pointer/vadd-main.c common.c"
  build_program vadd "$cc" && "$work/run" -r 5 a="nm $(place_of vadd) | grep ' T vadd$'" | cut -f 3,9)
expect 'all ran' 5 "$(grep -c ok <<< "$places")"
expect 'places' 4 "$(sort -u <<< "$places" | wc -l)"

sed 's/\(paragon.*\)abc/\1abd/' "$work/gathered" | "$work/stat" "$work/json" > "$work/table"
expect 'status of a wrong answer' 1 $?
expect 'wrong answer' 1 "$(grep -c 'differs$' <(grep '^p ' "$work/table"))"
exit $failed
