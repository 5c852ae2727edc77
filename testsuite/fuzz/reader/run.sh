#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Fuzz the readers of KIR, of text and of packed kernels, for $1 seconds in all: libFuzzer makes up bytes from those in
# testsuite/kir/corpus and says if check.h's checks or a sanitizer do.  What is found stays below $PG_BUILD/fuzz/found;
# reduced, it belongs to the corpus.
#
#     text: 812345 runs, 13539 a second, 1544 of 3001 edges
#     packed: ...
#     1624690 runs, 0 crashes, 0 hangs, 0 leaks
#
# In: PG_ROOT, PG_BUILD.  Exits 1 if anything was found.

set -u
case ${1-} in
  '' | *[!0-9]* | 0 | 1)
    echo "fuzz-kir-reader: T=${1-}: not a number of seconds from 2 on" >&2
    exit 2 ;;
esac
seconds=$(($1 / 2))
corpus=$PG_ROOT/testsuite/kir/corpus
found=$PG_BUILD/fuzz/found
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
rm -rf "$found"
mkdir -p "$found"

# Words of KIR's text as libFuzzer reads them: the names in its lists, and what the form has besides.
words ()
{
  sed -n 's/^PG_KIR_[A-Z]* ([A-Z0-9_]*, \("[a-z0-9-]*"\).*/\1/p' "$PG_ROOT"/runtime/kir/kir-*.def
  printf '"%s"\n' kernel args dims refs threads shared ref carry line end 'b0:' 'b1:' b1 v1 ' = ' '[b0 v1]' 0x '\x0a'
}

n_runs=0
for form in text packed
do
  options=(-max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=1024 -print_final_stats=1
    -artifact_prefix="$found/$form-")
  if [ $form = text ]
  then
    words > "$scratch/words"
    options+=(-dict="$scratch/words")
  fi
  mkdir "$scratch/$form"
  "$PG_BUILD/fuzz/read-$form" "${options[@]}" "$scratch/$form" "$corpus/$form" > "$scratch/log" 2>&1
  status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log")
  if [ $status != 0 ]
  then
    cp "$scratch/log" "$found/$form.log"
    grep -E '^(SUMMARY|ERROR|==[0-9]*==ERROR)|runtime error' "$scratch/log" || tail -n 3 "$scratch/log"
  fi
  [ $status = 0 ] || ls "$found/$form-"* 2> /dev/null || exit 1
  n_runs=$((n_runs + ${runs:-0}))
  rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$scratch/log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$scratch/log" | tail -n 1)
  all=$(sed -n 's/^INFO: Loaded .*(\([0-9]*\) inline 8-bit counters).*/\1/p' "$scratch/log")
  echo "$form: ${runs:-0} runs, ${rate:-0} a second, ${edges:-0} of ${all:-0} edges"
done

count ()
{
  find "$found" -name "*-$1-*" | wc -l
}

n_crashes=$(($(count crash) + $(count oom)))
n_hangs=$(count timeout)
n_leaks=$(count leak)
echo "$n_runs runs, $n_crashes crashes, $n_hangs hangs, $n_leaks leaks"
[ $((n_crashes + n_hangs + n_leaks)) = 0 ]
