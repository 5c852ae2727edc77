#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Draw the figures of the Paragon paper's evaluation from what was measured, and nothing else:
#
#     speedup.svg    Fig. 10: programs against their sequential build, beside unsafe OpenMP, other compilers and a GPU
#     overhead.svg   Fig. 11: what noting writes and reads and checking the notes adds to each main loop's kernel
#     scenarios.svg  Fig. 12: loops on the device, where what is before and after them runs on host or device
#     figures.txt    the numbers in a table, and what was not measured
#
#     [RESULTS=FOLDER] [OUT=FOLDER] polybench/figures.sh
#
# RESULTS holds bench.json, kernels.json and gpu.json (make bench, kernels-report, gpu-bundle).  Exit status 1: one of
# them is missing, or gnuplot is.

set -u -o pipefail
root=${PG_ROOT:-$(cd "$(dirname "$0")/.." && pwd)}
results=$(readlink -m "${RESULTS:-$root/polybench/results}")
out=$(readlink -m "${OUT:-$results}")
export LC_ALL=C

die ()
{
  echo "figures: $*" >&2
  exit 1
}

# need FILE TARGET: it is there, or TARGET makes it.
need ()
{
  [ -f "$results/$1" ] || die "no $results/$1: make $2 writes it"
}

need bench.json bench
need kernels.json kernels-report
need gpu.json gpu-bundle
command -v gnuplot > /dev/null || die "no gnuplot: please install what Debian calls gnuplot-nox"
cd "$root/polybench" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

. ./programs.sh
while read -r name
do
  find_program "$name"
  main_loops
done < <(program_names) > "$work/loops"
touch "$work/speedup-pointer" "$work/speedup-indirect"
awk -v work="$work" -f bench-json.awk -f figures.awk "$work/loops" "$results/bench.json" "$results/kernels.json" \
  "$results/gpu.json" > "$work/table" || exit 1
left_out=$(program_names | grep -vxFf <(cut -d ' ' -f 1 "$work/scenarios"))
left_out=${left_out:+not in bench.json: ${left_out//$'\n'/, }}
echo "left_out = \"${left_out:+\n$left_out}\"" >> "$work/titles"
[ -z "$left_out" ] || printf '\n%s\n' "$left_out" >> "$work/table"
mkdir -p "$out"
# It warns of columns that nobody measured.
gnuplot -e "work = '$work'; out = '$out'" figures.gp 2> "$work/log" || die "gnuplot fails: $(cat "$work/log")"
cp "$work/table" "$out/figures.txt"
cat "$work/table"
