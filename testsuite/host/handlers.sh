#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Signals are deferred during runs where something could handle them, and only there: the log says so, and what it is.

. "$PG_ROOT/testsuite/lib/script.sh"
parts=$PG_ROOT/testsuite/host/parts
none='signals are not deferred: nothing handles them'
some='signals are deferred while other threads are at work: they may be handled by'

# Build program NAME by compiler CC with the options given.
build ()
{
  local name=$1 cc=$2
  shift 2
  "$cc" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 "$@" -o "$name" || fail "$name: not built"
}

# What the log of a run of the program given says about that.
ask ()
{
  PARAGON_PLAN=pool PARAGON_THREADS=2 PARAGON_LOG=pool timeout -k 5 20 "$@" 2>&1 > /dev/null |
    sed -n 's/^paragon: pool: \(signals\)/\1/p'
}

# The log of a run of the program given says LINES.
expect ()
{
  local lines=$1 got
  shift
  got=$(ask "$@")
  [ "$got" = "$lines" ] || fail "$*: '$got' instead of '$lines'"
}

build quiet "$PG_CC" "$parts/handles.c"
case $("$PG_CC" -dumpmachine) in
  x86_64-*) expect "$none" ./quiet ;;
  *) expect "$some the program" ./quiet ;;
esac
for how in BY_SIGACTION BY_SIGNAL BY_NAME BY_SYSCALL BY_INSTRUCTION BY_PRCTL BY_NAMESPACE BY_LOADING
do
  build $how "$PG_CC" -DHOW=$how "$parts/handles.c"
  expect "$some the program" ./$how
done

# A library that does.
echo '#include <signal.h>
void handle (void (*handler) (int)) { signal (SIGUSR1, handler); }' > library.c
"$PG_CC" -O2 -fPIC -shared library.c -o library.so || fail 'library.so: not built'
expect "$some ./library.so" env LD_PRELOAD=./library.so ./quiet
