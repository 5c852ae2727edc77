#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What nvcc makes of the kernels of the benchmark programs, by each method, for each GPU: instructions, registers and
# spills, beside those of hand/*.cu, and the memory traffic that a method adds, and what its logs take.  A table on
# stdout, all of it in $OUT.  Exit status 1: a plain kernel spills, or has more than 1.10 times the instructions of the
# one written by hand, for each load and store (see report.awk).  77: there is no nvcc.
#
#     TARGETS="sm_90" SOURCES="pointer/vadd.c" OUT=vadd.json testsuite/kernels-report/report.sh

set -u -o pipefail
root=${PG_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PG_BUILD:-$root/build}
here=$root/testsuite/kernels-report report=$build/kernels-report/kernels-report
out=${OUT:-$root/polybench/results/kernels.json}
targets=${TARGETS:-sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120}
sources=${SOURCES:-$(sed -n 's/^program-[a-z0-9]* *=\([^|]*\)|.*/\1/p' "$root/polybench/programs.mk" | tr ' ' '\n' |
  grep -v '^common.c$' | sort -u)}
export LC_ALL=C

nvcc=
for folder in "${CUDA_HOME:+$CUDA_HOME/bin/}" "" /usr/local/cuda/bin/
do
  [ -n "$nvcc" ] || nvcc=$(command -v "${folder}nvcc")
done
if [ -z "$nvcc" ]
then
  echo "kernels-report: no nvcc is found" >&2
  exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# assemble TARGET TEXT FOLDER: a line "TARGET NAME REGISTERS SPILLED-BYTES SHARED-BYTES INSTRUCTIONS" for each kernel.
assemble ()
{
  "$nvcc" "-arch=$1" -cubin -fmad=false -w -Xptxas -v "-I$3" "$2" -o "$work/cubin" 2> "$work/log" ||
    { cat "$work/log" >&2; return 1; }
  "$report" count "$work/cubin" > "$work/counts" || return 1
  awk -v target="$1" -f "$here/figures.awk" "$work/counts" "$work/log"
}

cd "$root/polybench" || exit 1
mkdir "$work/kernels"
for source in $sources
do
  "${PG_CC:-gcc}" -O3 "-fplugin=$build/paragon.so" "-fplugin-arg-paragon-cuda=$work/kernels" -c "$source" \
    -o "$work/object" || exit 1
done
"$report" print "$work/kernels.cu" "$work/table" "$work"/kernels/*.kir || exit 1
cat "$here"/hand/*.cu > "$work/hand.cu"
for target in $targets
do
  assemble "$target" "$work/kernels.cu" "$root/cuda" >> "$work/figures" || exit 1
  assemble "$target" "$work/hand.cu" "$here/hand" >> "$work/hand" || exit 1
done
version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
awk -v json="$out" -v date="$(date -u +%FT%RZ)" -v version="$version" -v gcc="$("${PG_CC:-gcc}" -dumpfullversion)" \
  -v targets="$targets" -f "$here/report.awk" "$work/figures" "$work/hand" "$work/table"
