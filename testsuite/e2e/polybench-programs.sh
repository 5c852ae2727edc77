#!/bin/bash
# SPDX-License-Identifier: MIT
# The benchmark programs as they are, compiled by nothing but the compiler: each prints the same with -O2, and with -O3
# and OpenMP, is clean under sanitizers, takes the smallest sizes, and says no to bad arguments.  What is measured and
# compared elsewhere rests on this.
set -u
cd "$(dirname "$0")/../../polybench" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=2

failed=0
complain ()
{
  echo "$*"
  failed=1
}

# build OUTPUT FLAGS...: the program whose sources are in SOURCES.
build ()
{
  local output=$1
  shift
  # shellcheck disable=SC2086
  "${PG_CC:-gcc}" -ffp-contract=off -Wall -Wextra -Wundef -Wshadow -Wno-unknown-pragmas -Werror "$@" $sources -lm \
    -o "$work/$output"
}

# same_as OUTPUT BUILD ARGUMENTS...: it prints that and nothing on stderr.
same_as ()
{
  local want=$1 build=$2
  shift 2
  timeout 60 "$work/$build" "$@" > "$work/got" 2> "$work/err" || complain "$name: $build fails"
  [ ! -s "$work/err" ] || complain "$name: $build: $(cat "$work/err")"
  cmp -s "$want" "$work/got" || complain "$name: $build prints something else"
}

# refused PATTERN COMMAND...: it prints one line on stderr, which PATTERN matches as a whole, and exits with 2.
refused ()
{
  local pattern=$1
  shift
  timeout 60 "$@" > "$work/out" 2> "$work/err"
  if [ $? -ne 2 ] || [ -s "$work/out" ] || [ "$(wc -l < "$work/err")" -ne 1 ] || ! grep -qxE "$pattern" "$work/err"
  then
    complain "$*: not refused with: $pattern"
  fi
}

while IFS='|' read -r name sources arguments _
do
  build plain -O2 && build omp -O3 -march=native -fopenmp \
    && build checked -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
    || { complain "$name: does not build"; continue; }

  # shellcheck disable=SC2086
  timeout 60 "$work/plain" -t $arguments > "$work/out" 2> "$work/times" || complain "$name: fails"
  grep -qxE 'total [0-9.]+ first [0-9.]+ later [0-9.]+' "$work/times" || complain "$name: times"
  # shellcheck disable=SC2086
  same_as "$work/out" omp $arguments
  while IFS= read -r small
  do
    # shellcheck disable=SC2086
    timeout 60 "$work/plain" $small > "$work/out" || complain "$name: fails for $small"
    # shellcheck disable=SC2086
    same_as "$work/out" checked $small
  done < <(sed -n "s/^small-$name *= *//p" programs.mk)

  for size in paper gpu
  do
    [ "$(sed -n "s/^$size-$name *= *//p" programs.mk | wc -w)" = "$(wc -w <<< "$arguments")" ] ||
      complain "$name: no arguments of size $size"
  done

  # What follows is the common reading of numbers; solve has its own.
  [ "$name" = solve ] && continue
  count=$(wc -w <<< "$arguments")
  smallest=$(printf '1 %.0s' $(seq "$count"))
  [ "$name" = lattice ] && smallest='4 2 2 2 1'
  # shellcheck disable=SC2086
  timeout 60 "$work/checked" $smallest > "$work/got" 2> "$work/err" || complain "$name: fails for $smallest"
  # shellcheck disable=SC2086
  for bad in '' "$smallest 1"
  do
    refused 'plain: usage: plain \[-t\] [a-z_ ]+' "$work/plain" $bad
  done
  for bad in 0 -1 x 1x 2147483648 99999999999999999999
  do
    # shellcheck disable=SC2086
    refused "plain: [a-z]+ must be a number from 1 to 2147483647, not '$bad'" "$work/plain" $bad ${smallest#* }
  done
  case $name in
    vadd)
      (ulimit -v 1000000; refused 'plain: out of memory' "$work/plain" 2000000000 1; exit $failed) || failed=1 ;;
    jacobi2d | rbgs | seidel)
      refused 'plain: n is too large' "$work/plain" 46341 1 ;;
    fdtd2d)
      refused 'plain: nx \* ny is too large' "$work/plain" 46341 46341 1 ;;
    gemm)
      refused 'plain: matrix of 2 x 2147483647 is too large' "$work/plain" 2 1 2147483647 1 ;;
    tmv)
      refused 'plain: m \* n is too large' "$work/plain" 2147483647 2 1 ;;
    saxpy | house)
      refused 'plain: nz must not exceed n' "$work/plain" 4 5 1 ;;
    ipvec)
      refused 'plain: n must not exceed [0-9]+' "$work/plain" 2147483647 1 ;;
    spmv | ger | gemver | csc | fwdelim)
      refused 'plain: a matrix of 2147483647 rows with 1 entries each is too large' "$work/plain" 2147483647 1 1 ;;
    sor)
      refused 'plain: m is too large' "$work/plain" 20000 1 ;;
    rayleigh)
      refused 'plain: m must not exceed 674' "$work/plain" 675 1 1 1 ;;
    lattice)
      refused 'plain: the lattice is too large' "$work/plain" 1000 1000 1000 1000 1
      refused 'plain: nx must be a multiple of 4; .*' "$work/plain" 2 2 2 2 1 ;;
  esac
done < <(sed -n 's/^program-\([a-z0-9]*\) = \([^|]*\)|\([^|]*\)|\(.*\)/\1|\2|\3|\4/p' programs.mk)
exit $failed
