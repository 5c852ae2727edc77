#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Does the KIR fuzzer find what it is for, and make it small?  check-driver.sh FUZZ-KIR
#
# In the compiler's place stands one that changes the printed kernels as a bad printer would print them.

set -u
fuzz=${1:?usage: check-driver.sh FUZZ-KIR}
PG_ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export MODE PG_ROOT
status=0

cat > "$work/cxx" << 'END'
#!/bin/sh
case $MODE in
  good) change= ;;
  wrong | grids) change='s/ \^ / | /' ;;
  build) change='s/^{/{ error;/' ;;
  crash) change='s/^  return;/  __builtin_trap ();/' ;;
  hang) change='s/^  return;/  for (;;) __asm__ volatile ("");/' ;;
esac
for word
do
  case $MODE:$word in
    grids:*/kernels.cu) ;;
    *.cu) sed -i "$change" "$word" ;;
  esac
done
exec g++ "$@"
END
chmod +x "$work/cxx"

# expect MODE N STATUS TEXT [OPTION...]: N kernels under MODE end with STATUS, and what is printed has TEXT.
expect ()
{
  MODE=$1 n=$2 wanted=$3 text=$4
  shift 4
  "$fuzz" --cc "$work/cxx" --cxx "$work/cxx" --keep "$work/$MODE" --timeout 1 -n "$n" -j 1 "$@" > "$work/out" 2>&1
  got=$?
  if [ "$got" != "$wanted" ] || ! grep -q "$text" "$work/out"
  then
    echo "check-driver: $MODE: status $got, not $wanted, or no '$text' in:"
    cat "$work/out"
    status=1
  fi
}

expect good 2 0 '^2 kernels, 0 differences'
expect build 1 1 'seed 1: C++ -O1: does not compile: .*error' --reduce 0
expect crash 1 1 'seed 1: C++ -O2: crashes' --reduce 0
expect hang 1 1 'seed 1: C++ -O2: does not end' --reduce 0
expect grids 40 1 '^seed .*: grid on emu: .*, expected ' --reduce 1
expect wrong 20 1 '^seed .*: C++ -O1: .*, expected ' --reduce 1

# What is kept reads as a kernel, and the smaller one has little more than what is wrong.
for mode in wrong grids
do
  small=$(find "$work/$mode" -name '*-small.kir' | head -n 1)
  if [ -z "$small" ] || ! grep -q ' xor ' "$small" || [ "$(grep -c . "$small")" -gt 30 ]
  then
    echo "check-driver: $mode: no small kernel with the failure:"
    [ -z "$small" ] || cat "$small"
    status=1
  fi
done

# The same seed is the same kernel.
same=$("$fuzz" --seed 7 -n 1 --show | cksum)
[ "$same" = "$("$fuzz" --seed 7 -n 1 --show | cksum)" ] || { echo "check-driver: seed 7 varies"; status=1; }
[ "$same" != "$("$fuzz" --seed 8 -n 1 --show | cksum)" ] || { echo "check-driver: seeds 7 and 8 agree"; status=1; }
exit $status
