#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The program's first loop waits for the library to be loaded: it brings no other library along than the C library,
# which is there, no constructor but its own, and is mapped in two pieces.

. "$PG_ROOT/testsuite/lib/script.sh"
[ "$(uname -m)" = x86_64 ] || skip "written for x86-64"
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.so' -e '^ld-linux')
[ -z "$needed" ] || fail "needs $needed"
nm "$library" | grep -w __cpu_indicator_init && fail "asks the processor with CPUID at its start"
segments=$(readelf -lW "$library" | grep -c ' LOAD ')
[ "$segments" = 2 ] || fail "$segments segments"
grep -q 'RWE' <(readelf -lW "$library" | grep ' LOAD ') && fail "memory that is both writable and executable"
exit 0
