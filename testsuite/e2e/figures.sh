#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The figures of what was measured: they show each program of the JSON that they are given, on a GPU if that was
# measured on one, and the table its numbers; what was not measured is named; and so is a file that is missing.

. "$PG_ROOT/testsuite/lib/script.sh"
draw=$PG_ROOT/polybench/figures.sh

# refused NAME TARGET: without the file NAME one line says that TARGET makes it.
refused ()
{
  local out
  mv "results/$1" kept
  out=$(RESULTS=results OUT=drawn "$draw" 2>&1)
  [ $? -eq 1 ] && [ "$out" = "figures: no $TMPDIR/results/$1: make $2 writes it" ] || fail "without $1: $out"
  mv kept "results/$1"
}

# Members as the measuring programs write them.
ratio ()
{
  printf '{"speedup": {"median": %s, "low": %s, "high": %s, "rounds": 5}}' "$@"
}

extra ()
{
  printf '"extra_bytes": {"iteration": %s, "inner": %s, "granule": %s}}' "$@"
}

took ()
{
  printf '"%s": {"times": 1, "seconds": %s, "bytes": 8}' "$@"
}

mkdir results
cat > results/bench.json << JSON
{
  "machine": "some machine",
  "date": "2026-01-02T03:04Z",
  "programs": [
    {"program": "vadd", "group": "pointer", "loops": 1,
     "times": {
      "paragon": $(ratio 1.7500 1.5000 2.0000),
      "openmp": $(ratio 1.8000 1.7000 1.9000)}},
    {"program": "csc", "group": "sparse", "loops": 1,
     "times": {
      "paragon": $(ratio 0.9000 0.8000 1.1000)}}
  ]
}
JSON
cat > results/kernels.json << JSON
{
"date": "2026-02-03T04:05Z", "command": "make kernels-report",
"compilers": "nvcc 0.0, gcc 0.0",
"kernels": [
  {"kernel": "csc_csc_mv_12", "method": "plain", $(extra 0 0 0),
  {"kernel": "csc_csc_mv_12", "method": "full", $(extra 2 24 20),
  {"kernel": "csc_csc_mv_12", "method": "none", $(extra 1 8 0),
  {"kernel": "csc_csc_mv_13", "method": "full", $(extra 77 0 20)
]
}
JSON
# The copy in takes as long as the kernel with its check, the copy out half of that, the host four times as long.
there="$(took check 0.05), $(took "copy in" 0.2), $(took "copy out" 0.1), $(took kernel 0.15)"
cat > results/gpu.json << JSON
{
"date": "2026-03-04T05:06Z",
"machine": "some host",
"gpu": "some GPU",
"device": "cuda",
"programs": [
  {"program": "vadd", "arguments": "1 2", "runs": {
    "sequential": {"rounds": 1, "total": 0.8, "same": true},
    "device": {"rounds": 1, "total": 0.1, "entries": {"ran": 3, "conflict": 0, "all": 3}, "device": {$there}}}},
  {"program": "csc", "arguments": "1 2", "runs": {
    "sequential": {"rounds": 1, "total": 0.8, "same": true},
    "device": {"rounds": 1, "total": 0.4, "entries": {"ran": 0, "conflict": 3, "all": 3}}}}
]
}
JSON

refused bench.json bench
refused kernels.json kernels-report
refused gpu.json gpu-bundle
command -v gnuplot > /dev/null || skip "no gnuplot"
RESULTS=results OUT=drawn "$draw" > said 2> errors || fail "it fails: $(cat said errors)"
[ ! -s errors ] || fail "it says: $(cat errors)"
cmp said drawn/figures.txt || fail "the table is not what is said"

# row WORD...: a line of the table.
row ()
{
  awk -v expected="$*" '{ $1 = $1 } $0 == expected { n++ } END { exit n != 1 }' said || fail "no row $*: $(cat said)"
}

row vadd 1.7500 1.5000 2.0000 1.8000 - - 8.0000
row csc 0.9000 0.8000 1.1000 - - - 2.0000
row csc_csc_mv_12 9 17 20
# As the paper has it, with the loop on the host and on the device: 0.8 and 0.5, 1.1 and 0.2, 0.9 and 0.3, 1.0 and 0.4.
row vadd 1.60000 5.50000 3.00000 2.50000
row csc - - - -
grep -q '^not in bench.json: jacobi1d, .*, lattice$' said || fail "it does not name what was not measured: $(cat said)"
! grep -q csc_mv_13 said || fail "a loop that is none of the main ones: $(cat said)"

# shows FIGURE WORD...: it is well-formed, and each is in a text of it.
shows ()
{
  local figure=drawn/$1.svg word
  shift
  if command -v python3 > /dev/null
  then
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse (sys.argv[1])' "$figure" || fail "$figure"
  fi
  for word
  do
    grep -q ">.*$word.*<" "$figure" || fail "$figure does not show $word"
  done
}

shows speedup vadd csc 'some machine' 2026-01-02T03:04Z 'Paragon on a GPU' 'not in bench.json: jacobi1d'
shows overhead csc_csc_mv_12 'nvcc 0.0' 2026-02-03T04:05Z '20 bytes a granule'
shows scenarios vadd csc 'some host' 'some GPU' 2026-03-04T05:06Z

# A device without a GPU says nothing about one.
sed -i 's/cuda/emu/' results/gpu.json
RESULTS=results OUT=drawn "$draw" > said 2> errors || fail "it fails: $(cat said errors)"
row vadd 1.7500 1.5000 2.0000 1.8000 - - -
shows scenarios 'emu, no GPU'
! grep -q 'on a GPU' drawn/speedup.svg || fail "emu is shown as a GPU"
exit 0
