#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How the benchmark programs' loops run on a device: as they are, with no log, where numbers settle that pointers lead
# apart; and where writes alone may meet, as an index list or the like says where they go, with a bit for each granule
# and one atomic operation for each write (runtime/kir/instrument.h).

. "$PG_ROOT/testsuite/lib/script.sh"
cd "$PG_ROOT/polybench" || exit 1
. ./programs.sh

# run_by METHOD PROGRAM [LOOP...]: its main loops, or those LOOPs, run there, each time by METHOD.
run_by ()
{
  local method=$1 name=$2 loop methods
  local -a files small loops
  shift 2
  find_program "$name"
  read -r -a files <<< "$sources"
  read -r -a small < <(sed -n "s/^small-$name *= *//p" programs.mk)
  "$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-kir -fplugin-arg-paragon-threshold=0 "${files[@]}" \
    -o "$TMPDIR/$name" -lm || fail "$name does not build"
  PARAGON_LIBRARY=$library PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_LOG=check "$TMPDIR/$name" "${small[@]}" \
    > /dev/null 2> "$TMPDIR/log" || fail "$name fails: $(cat "$TMPDIR/log")"
  [ $# -gt 0 ] || mapfile -t loops < <(main_loops)
  for loop in "$@" "${loops[@]}"
  do
    methods=$(sed -n "s|.*check: $loop .* on the device by \([a-z]*\),.*|\1|p" "$TMPDIR/log" | sort -u)
    [ "$methods" = "$method" ] || fail "$loop runs by '$methods', not by $method: $(cat "$TMPDIR/log")"
  done
}

for name in vadd jacobi1d jacobi2d fdtd2d gemm tmv
do
  run_by plain $name
done
run_by none ipvec sparse/ipvec.c:23
run_by none rayleigh sparse/solve/rayleigh.c:13
run_by none lattice
exit 0
