#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Set-up on a machine that has everything prints nothing and needs no root; a GCC of another version is refused by name.

. "$PG_ROOT/testsuite/lib/script.sh"
out=$("$PG_ROOT/.ci/setup" 2>&1) || fail "setup fails: $out"
[ -z "$out" ] || fail "setup says: $out"
mkdir bin
printf '#!/bin/sh\necho 13\n' > bin/gcc-13
chmod +x bin/gcc-13
out=$(PATH=$PWD/bin:$PATH PLUGIN_GCC=gcc-13 "$PG_ROOT/.ci/setup" 2>&1) && fail "GCC 13 is accepted"
case $out in
  *gcc-13*13*12*) ;;
  *) fail "it does not say why: $out" ;;
esac

# Something is missing: root installs it without being asked anything, others are told the line.
printf '#!/bin/sh\necho "$USER_ID"\n' > bin/id
printf '#!/bin/sh\nexit 1\n' > bin/sudo
printf '#!/bin/sh\necho "$DEBIAN_FRONTEND: $*" >> calls\n' > bin/apt-get
chmod +x bin/*
out=$(USER_ID=1000 PATH=$PWD/bin:$PATH FC=no-such-fortran "$PG_ROOT/.ci/setup" 2>&1) && fail "without root: succeeds"
[ "${out##*$'\n'}" = "apt-get install gfortran" ] || fail "without root, it says: $out"
[ ! -f calls ] || fail "without root, it calls apt-get"
out=$(USER_ID=0 PATH=$PWD/bin:$PATH FC=no-such-fortran "$PG_ROOT/.ci/setup" 2>&1) && fail "nothing installed: succeeds"
[ "$(cat calls)" = "noninteractive: install -y --no-install-recommends gfortran" ] || fail "root calls: $(cat calls)"
