#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The report on kernels: what a method adds to memory traffic is counted right, outside of inner loops, inside, and in
# slices, which read only what addresses need, and what its logs take; each main loop of the benchmark programs has a
# kernel by hand; and where there is an nvcc, plain kernels are as short as these.

. "$PG_ROOT/testsuite/lib/script.sh"
report=$PG_BUILD/kernels-report/kernels-report
[ -x "$report" ] || skip "no $report"

mkdir kernels
for source in pointer/vadd.c pointer/fdtd2d.c sparse/csc.c sparse/fwdelim.c sparse/ipvec.c
do
  (cd "$PG_ROOT/polybench" && "$PG_CC" -O3 "-fplugin=$plugin" "-fplugin-arg-paragon-cuda=$TMPDIR/kernels" -c "$source" \
    -o "$TMPDIR/object") || exit 1
done
"$report" print all.cu table kernels/*.kir || exit 1

# expect KERNEL METHOD BYTES-AN-ITERATION BYTES-AN-INNER-ONE BYTES-A-GRANULE BITS-OF-LOGS
expect ()
{
  awk -v expected="$*" '$1 " " $2 " " $4 " " $5 " " $6 " " $7 == expected { n++ } END { exit n != 1 }' table ||
    fail "not in the table: $*$(echo; cat table)"
}

# One write is noted: an atomic operation on 4 bytes, whether these are an iteration or 32 bits.
expect vadd_vadd_12 plain 0 0 0 0
expect vadd_vadd_12 none 8 0 0 1
# A scan reads three words of a granule that was written; of bits, two words of 8 bytes for 64 granules.
expect vadd_vadd_12 full 8 0 12 96
expect vadd_vadd_12 atomic 8 0 0.25 2
# A mark is a byte, and marks are counted by one atomic operation on 8 bytes; a scan reads both marks of a granule.
expect vadd_vadd_12 reduction 17 0 2 16
# Each iteration writes one place and reads it.  Noting a read is two atomic operations, testing one is one load.
expect fdtd2d_fdtd_2d_16 full 0 24 12 96
expect fdtd2d_fdtd_2d_16 selective 0 12 0 32
# The inspector reads the index, 4 bytes, twice: nothing was loaded for it before.
expect ipvec_scatter_23 inspector 12 0 0 32
# Rows are read once for each column, elements not at all.
expect csc_csc_mv_12 inspector 16 20 0 32

# Kernels are paired by name, so a loop that moves to another line loses its own.
by_hand=$(sed -n 's/^KERNEL (\([a-z0-9_]*\)).*/\1/p' "$PG_ROOT"/testsuite/kernels-report/hand/*.cu)
cd "$PG_ROOT/polybench" || exit 1
. ./programs.sh
for name in $(program_names)
do
  find_program "$name"
  for loop in $(main_loops)
  do
    stem=$(basename "${loop%.c:*}")
    grep -qx "${stem}_[a-z0-9_]*_${loop##*:}" <<< "$by_hand" || fail "no kernel by hand: $loop"
  done
done
cd "$TMPDIR" || exit 1

target=$(TARGETS="sm_75 sm_90" SOURCES="pointer/vadd.c sparse/csc.c nonlinear/lattice.c" OUT=$TMPDIR/kernels.json \
  "$PG_ROOT/testsuite/kernels-report/report.sh" 2>&1)
status=$?
[ $status -eq 77 ] && skip "$target"
[ $status -eq 0 ] || fail "$target"
grep -q '"vadd_vadd_12", "method": "plain".*"instructions": [1-9].*"by_hand": {"instructions": [1-9]' kernels.json ||
  fail "$(cat kernels.json)"
grep -q '"accesses": 0\|nan' kernels.json && fail "loads and stores are not recognized: $(cat kernels.json)"
exit 0
