#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The runtime library is gone, empty, cut off, or something else; another one of its name lies in the working directory
# or below it.  The program runs its original loops, in silence, and loads nothing from where it happens to stand.

. "$PG_ROOT/testsuite/lib/script.sh"
parts=$PG_ROOT/testsuite/host/parts
soname=$(basename "$library")
mkdir tools elsewhere
cp "$plugin" "$library" tools/
"$PG_CC" -O2 "$parts/rounds.c" -o plain || exit 1
"$PG_CC" -O2 -fplugin=tools/paragon.so -fplugin-arg-paragon-threshold=0 "$parts/rounds.c" -o parallel || exit 1
expected=$(./plain)
program=$PWD/parallel

# Run the program from directory $1: the plain answer, nothing else on stdout or stderr.
check ()
{
  local output
  output=$(cd "$1" && timeout -k 5 20 env PARAGON_PLAN=pool "$program" 2>&1) || fail "$2: status $?: $output"
  [ "$output" = "$expected" ] || fail "$2: another answer: $output"
}

for directory in / /tmp . elsewhere
do
  rm -f stats.json
  output=$(cd $directory && run_with_stats PARAGON_STATS="$TMPDIR/stats.json" "$program") ||
    fail "$directory: status $?"
  [ "$output" = "$expected" ] || fail "$directory: another answer"
  [ -f stats.json ] || fail "the library is not found from $directory"
done

# A library of that name that says so when it is loaded, in the working directory and below it.
cat > evil.c << 'EVIL'
#include <unistd.h>

__attribute__ ((constructor)) static void
say (void)
{
  if (write (2, "loaded\n", 7) != 7)
    _exit (1);
}
EVIL
mkdir elsewhere/tools
"$PG_CC" -fPIC -shared evil.c -o "elsewhere/$soname" || exit 1
cp "elsewhere/$soname" elsewhere/tools/
cp "elsewhere/$soname" "elsewhere/paragon.so"
check elsewhere "a foreign library in the working directory"
mv "tools/$soname" tools/renamed
check elsewhere "no library, and a foreign one in the working directory"
check / "no library"
: > "tools/$soname"
check / "an empty library"
printf 'not a library\n' > "tools/$soname"
check / "a text file as library"
head -c 64 tools/renamed > "tools/$soname"
check / "the first bytes of a library"
rm "tools/$soname"
printf 'int unrelated;\n' > other.c
"$PG_CC" -fPIC -shared other.c -o "tools/$soname" || exit 1
check / "a library without the entry point"
