#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A GPU that is asked for where there is none is missed in one line, and in nothing else; a program that does not ask
# for it opens nothing of CUDA.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
"$PG_CC" -O2 sample.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$PG_BUILD/paragon.so" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir sample.c \
  -o parallel || exit 1
expected=$(./plain)

[ "$(LD_DEBUG=files LD_DEBUG_OUTPUT=files ./parallel)" = "$expected" ] || fail "another answer"
grep -q 'libparagon' files.* || fail "not even the library is opened: $(head files.*)"
grep -E 'file=lib(cuda|nvrtc|sqlite)' files.* && fail "a library that nobody asked for"

got=$(PARAGON_DEVICE=cuda PARAGON_PLAN=device PARAGON_STATS=stats.json ./parallel 2> messages)
[ "$got" = "$expected" ] || fail "another answer: $(cat messages)"
grep -q 'device cuda: no driver: libcuda.so.1 is not found' messages || skip "there is a driver: $(cat messages)"
[ "$(grep -c . messages)" -eq 1 ] || fail "more than one line: $(cat messages)"
[ "$(stat_sum no-device stats.json)" -ge 1 ] || fail "no entry missed it: $(cat stats.json)"
