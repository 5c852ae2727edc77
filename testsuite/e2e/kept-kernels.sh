#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What keeps kernels for tests (lib/kept.c): the same text is compiled once, another one again, and what fails is not
# kept.

. "$PG_ROOT/testsuite/lib/script.sh"
[ -x "$PG_BUILD/keeping/g++" ] || skip "no $PG_BUILD/keeping/g++"
mkdir compiler
cat > compiler/g++ << 'COMPILER'
#!/bin/sh
echo "$*" >> calls
[ "${LD_PRELOAD-}" = '' ] || echo "LD_PRELOAD" >> calls
grep -v wrong text > "$5" && cp text "$5"
COMPILER
chmod +x compiler/g++
export PATH=$PWD/compiler:$PATH
keep_kernels

# compile TEXT CALLS STATUS: OUTPUT is what the compiler makes of it, after so many calls.
compile ()
{
  local status
  echo "$1" > text
  rm -f output
  LD_PRELOAD=/none g++ -x c++ text -o output 2> said
  status=$?
  [ $status -eq "$3" ] || fail "status $status of '$1': $(cat said)"
  [ "$(wc -l < calls)" -eq "$2" ] || fail "'$1': $(cat calls)"
  [ "$3" -ne 0 ] || cmp text output || fail "'$1' became something else"
}

compile first 1 0
compile first 1 0
compile other 2 0
compile first 2 0
compile wrong 3 1
compile wrong 4 1
exit 0
