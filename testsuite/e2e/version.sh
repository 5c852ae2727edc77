#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A plugin built for another compiler says so, with both versions, and nothing is compiled.  The other compiler is this
# one: in a copy of the plugin the version that it was built for is changed.

. "$PG_ROOT/testsuite/lib/script.sh"

sample
version=$("$PG_CC" -dumpfullversion)
other=$(tr 0-9 1-90 <<< "$version")
mkdir copy
LC_ALL=C sed "s/\x00${version//./\\.}\x00/\x00$other\x00/g" "$plugin" > copy/paragon.so
cmp -s "$plugin" copy/paragon.so && fail "the version was not found in the plugin"
"$PG_CC" -O2 -fplugin=copy/paragon.so -c sample.c -o sample.o 2> messages && fail "accepted"
grep -qF "built for GCC $other" messages && grep -qF "loaded into GCC $version" messages || fail "$(cat messages)"
[ ! -f sample.o ] || fail "an object was made"
