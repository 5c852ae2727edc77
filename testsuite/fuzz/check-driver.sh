#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does the fuzzer's driver find what it is for?  check-driver.sh DRIVE
#
# In the plugin's place stands a compiler wrapper that does to the second build what a bad plugin would: nothing, a
# wrong answer, a failing build, a crash, an endless loop.  DRIVE is the driver's binary with `generate` beside it.

set -u
drive=${1:?usage: check-driver.sh DRIVE}
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
plugin="$work/a folder/plugin.so"
mkdir "$work/a folder"
: > "$plugin"
status=0

# What MODE does to the build with the plugin; each program calls report after each kernel.
cat > "$work/cc" << 'END'
#!/bin/sh
for word
do
  shift
  case $word in
    -fplugin=*) is_second=1 ;;
    -fplugin-arg-*) ;;
    *) set -- "$@" "$word" ;;
  esac
done
case ${is_second-}$MODE in
  1wrong) set -- "$@" -include "$HEADERS/wrong.h" ;;
  1build) echo 'internal compiler error' >&2; exit 1 ;;
  1crash) set -- "$@" -include "$HEADERS/crash.h" ;;
  1hang) set -- "$@" -include "$HEADERS/hang.h" ;;
esac
exec gcc "$@"
END
chmod +x "$work/cc"

# The wrong answer depends on the threads, for programs whose two builds may differ.
for mode in wrong crash hang
do
  echo '#include "support.h"' > "$work/$mode.h"
done
echo '#define report(x) (int_out += (unsigned long) *getenv ("PARAGON_THREADS"), (report) (x))' >> "$work/wrong.h"
echo '#define report(x) __builtin_trap ()' >> "$work/crash.h"
echo '#define report(x) do __asm__ volatile (""); while (1)' >> "$work/hang.h"
export MODE HEADERS="$work"

# expect MODE STATUS TEXT: two programs under MODE end with STATUS and the summary has TEXT.
expect ()
{
  MODE=$1 PG_ROOT=$root "$drive" --cc "$work/cc" --plugin "$plugin" --keep "$work/$1" --timeout 2 -n 2 -j 1 \
    > "$work/out" 2>&1
  got=$?
  if [ "$got" != "$2" ] || ! grep -q "$3" <(tail -n 1 "$work/out")
  then
    echo "check-driver: $1: status $got, not $2, or no '$3' in:"
    cat "$work/out"
    status=1
  fi
}

expect good 0 '2 programs: 0 differences, 0 crashes, 0 hangs'
expect wrong 1 '2 differences, 0 crashes, 0 hangs'
expect build 1 '0 differences, 2 crashes, 0 hangs'
expect crash 1 '0 differences, 2 crashes, 0 hangs'
expect hang 1 '0 differences, 0 crashes, 2 hangs'

# Asked to end, it ends with the programs at hand, and says what it has done.
MODE=good PG_ROOT=$root TMPDIR=$work "$drive" --cc "$work/cc" --plugin "$plugin" --keep "$work/ended" -n 9999 \
  -j 2 > "$work/out" 2>&1 &
until ls "$work"/paragon-fuzz-*/0/prog.c > /dev/null 2>&1
do
  sleep 0.1
done
kill -TERM $!
wait $!
got=$?
if [ $got != 1 ] || ! grep -q 'ended by a signal' "$work/out" || ! grep -q '0 differences' <(tail -n 1 "$work/out") ||
  grep -q '^9999 programs' <(tail -n 1 "$work/out") || ls "$work"/paragon-fuzz-* > /dev/null 2>&1
then
  echo "check-driver: ended: status $got, or no summary, or its folder is left:"
  cat "$work/out"
  status=1
fi

# A kept failure repeats itself.
for file in prog.c support.h support.c expected got
do
  [ -s "$work/wrong/seed-1/$file" ] || { echo "check-driver: no $file is kept"; status=1; }
done
MODE=wrong "$work/wrong/seed-1/command.sh" > "$work/out" 2>&1
grep -q differ "$work/out" || { echo "check-driver: command.sh does not repeat it"; cat "$work/out"; status=1; }

# The same seed is the same program.
generate=$(dirname "$drive")/generate
same=$("$generate" 7 | cksum)
[ "$same" = "$("$generate" 7 | cksum)" ] || { echo "check-driver: seed 7 varies"; status=1; }
[ "$same" != "$("$generate" 8 | cksum)" ] || { echo "check-driver: seeds 7 and 8 agree"; status=1; }
exit $status
