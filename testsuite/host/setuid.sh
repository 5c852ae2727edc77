#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A set-user-id program, run by somebody else: the environment is ignored, and the library beside the plugin, too, for
# whoever builds is not whoever runs.  Needs root, to have two users.

. "$PG_ROOT/testsuite/lib/script.sh"
[ "$(id -u)" = 0 ] || skip "not root"
command -v setpriv > /dev/null || skip "no setpriv"
parts=$PG_ROOT/testsuite/host/parts
"$PG_CC" -O2 "$parts/rounds.c" -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 "$parts/rounds.c" -o parallel || exit 1
expected=$(./plain)
as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
where=$(mktemp -d -p /var/tmp) || exit 1
trap 'rm -rf "$where"' EXIT
cp plain parallel "$library" "$where"
chmod 777 "$where"
chmod 4755 "$where/parallel"
cd "$where" || exit 1
grep -q nosuid <(findmnt -n -o OPTIONS -T "$where" 2> /dev/null) && skip "$where is mounted nosuid"
"${as_nobody[@]}" ./plain > out || skip "nobody cannot run a program in $where"

# A library that says so when it is loaded.
cat > evil.c << 'EVIL'
#include <unistd.h>

__attribute__ ((constructor)) static void
say (void)
{
  if (write (2, "loaded\n", 7) != 7)
    _exit (1);
}
EVIL
"$PG_CC" -fPIC -shared evil.c -o evil.so || exit 1
chmod 755 evil.so "$(basename "$library")"
[ "$(PARAGON_LIBRARY=$where/evil.so ./plain 2>&1)" = "$expected" ] || fail "the plain program loads a library"
[ "$(PARAGON_LIBRARY=$where/evil.so "${as_nobody[@]}" ./parallel 2>&1)" = "$expected" ] ||
  fail "PARAGON_LIBRARY is believed in a set-user-id program"
[ "$(PARAGON=help PARAGON_LOG=all PARAGON_PLAN=pool PARAGON_STATS=$where/stats.json \
  PARAGON_TRACE=$where/trace.json PARAGON_CACHE=$where/cache NVTX_INJECTION64_PATH=$where/evil.so \
  "${as_nobody[@]}" ./parallel 2>&1)" = "$expected" ] || fail "the environment is believed in a set-user-id program"
[ ! -e stats.json ] && [ ! -e trace.json ] && [ ! -e cache ] || fail "a set-user-id program writes where the user says"

# The same program without the bit does believe it.
chmod 755 parallel
out=$(PARAGON_LIBRARY=$where/evil.so "${as_nobody[@]}" ./parallel 2>&1)
[[ $out == *loaded* ]] || fail "PARAGON_LIBRARY is not believed by anybody: this test shows nothing"
