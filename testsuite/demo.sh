#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Rebuild a solver with the plugin and nothing else, run it on real matrices, show what became of its loops.
#
# Three builds of polybench/sparse/solve: as it is, with -fplugin, and with -fopenmp, where the programmer says which
# loops are parallel and nothing is checked.  They run in turn on two matrices and a Laplacian.  Exit status 1 if any
# residual history differs from the plain build's, in any digit.

set -u
: "${PG_ROOT:=$(cd "$(dirname "$0")/.." && pwd)}" "${PG_BUILD:=$PG_ROOT/build}" "${PG_CC:=gcc}"
export LC_ALL=C
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
for name in $(env | sed -n 's/^\(PARAGON[A-Z_]*\|OMP_[A-Z_]*\|GOMP_[A-Z_]*\)=.*/\1/p')
do
  unset "$name"
done

threads=$(nproc)
OMP_NUM_THREADS=$threads
export OMP_NUM_THREADS

fail ()
{
  echo "demo: $*" >&2
  exit 1
}

cd "$PG_ROOT/polybench" || exit 1
sources=$(sed -n 's/^program-solve *= *\([^|]*[^ |]\) *|.*/\1/p' programs.mk)

build ()
{
  output=$1
  shift
  # shellcheck disable=SC2086
  "$PG_CC" -O3 "$@" $sources -lm -o "$work/$output" || fail "$output does not build"
}

tables ()
{
  awk -F '\t' -v show="$1" -f bench-json.awk -f "$PG_ROOT/testsuite/demo.awk" "$2"
}

echo "polybench/sparse/solve: ILU(0)-preconditioned CG and BiCGSTAB, legacy C, $threads threads"
echo "  plain    gcc -O3"
echo "  Paragon  gcc -O3 -fplugin=paragon.so          nothing else: no pragma, no restrict, no link flag"
echo "  OpenMP   gcc -O3 -fopenmp                     pragmas, nothing checked"
"$PG_CC" -O2 bench-run.c -o "$work/run" || fail "bench-run does not build"
build plain
build paragon -fplugin="$PG_BUILD/paragon.so" -fplugin-arg-paragon-report="$work/report.json"
build openmp -fopenmp

n_same=0 n_matrices=0
for matrix in data/bcsstk16.mtx data/cryg2500.mtx "--laplacian 100"
do
  n_matrices=$((n_matrices + 1))
  echo
  # shellcheck disable=SC2086
  echo "$matrix: $("$work/plain" --iterations 1 $matrix | head -n 1)"
  "$work/run" -r 3 -b 15 -l 60 plain="exec $work/plain -t $matrix" \
    paragon="PARAGON_STATS=$work/stats.json exec $work/paragon -t $matrix" \
    openmp="exec $work/openmp -t $matrix" | sed "s,^,$n_matrices	," > "$work/runs"
  cat "$work/runs" >> "$work/all"
  [ ! -f "$work/stats.json" ] || tables ran "$work/stats.json"
  rm -f "$work/stats.json"
  if awk -F '\t' '$2 == "plain" { want = $10 } $2 != "openmp" && ($4 != "ok" || $10 != want) { exit 1 }' "$work/runs"
  then
    n_same=$((n_same + 1))
    printf '  iterations: %s\n' "$(tables times "$work/runs")"
  else
    echo "  FAILED or DIFFERS (build, round, status, hash of the history):"
    cut -f 2-4,10 "$work/runs" | sed 's/^/    /'
  fi
done

echo
echo "loops of the solver that stay as they are:"
tables refused "$work/report.json"

echo
echo "residual histories: $([ $n_same = $n_matrices ] && echo identical || echo DIFFERENT) ($n_same of $n_matrices)"
echo "total time: $(tables times "$work/all")"
[ $n_same = $n_matrices ]
