#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Set-up on a machine that has everything prints nothing and needs no root; a GCC of another version is refused by name;
# what is missing is installed, or the line that does it is printed.

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

# Package lists are fetched where it takes them, and only there.  What may be run through sudo is.
cat > bin/apt-get << 'APT'
#!/bin/sh
echo "${SUDO_COMMAND-} $1" >> calls
[ "$1" != update ] || touch lists
[ -f lists ]
APT
printf '#!/bin/sh\nshift\n[ "$1" = true ] || SUDO_COMMAND=sudo exec "$@"\n' > bin/sudo
rm calls
out=$(USER_ID=1000 PATH=$PWD/bin:$PATH FC=no-such-fortran "$PG_ROOT/.ci/setup" 2>&1) && fail "sudo: succeeds"
[ "$(tr '\n' ',' < calls)" = "sudo install,sudo update,sudo install," ] || fail "sudo calls: $(cat calls)"
[ "${out##*$'\n'}" = "paragon: still missing after installation: gfortran" ] || fail "it says: $out"
printf '#!/bin/sh\nexit 1\n' > bin/apt-get
out=$(USER_ID=0 PATH=$PWD/bin:$PATH FC=no-such-fortran "$PG_ROOT/.ci/setup" 2>&1) && fail "apt fails: succeeds"
[ "${out##*$'\n'}" = "paragon: this failed: apt-get install gfortran" ] || fail "apt fails, it says: $out"
out=$(USER_ID=0 PATH=$PWD/bin:$PATH FC=/opt/bin/gfortran-12 "$PG_ROOT/.ci/setup" 2>&1) && fail "apt fails: succeeds"
[ "${out##*$'\n'}" = "paragon: this failed: apt-get install gfortran-12" ] || fail "it calls the package: $out"

# A machine with next to nothing: one line says it all, of set-up and of a build without set-up.
mkdir bare
for tool in sh make env sed uname tr grep
do
  ln -s "$(command -v "$tool")" bare/
done
all="gcc g++ gfortran binutils gcc-12-plugin-dev libc6-dev libcmocka-dev libxxhash-dev libjson-c-dev libelf-dev spin"
out=$(PATH=$PWD/bare "$PG_ROOT/.ci/setup" 2>&1) && fail "bare: succeeds"
[ "$out" = "paragon: please install what Debian calls: $all" ] || fail "bare, it says: $out"
none=$PWD/none
out=$(TOOLS=gcovr PATH=$PWD/bare "$PG_ROOT/.ci/setup" 2>&1) && fail "bare, one tool more: succeeds"
[ "$out" = "paragon: please install what Debian calls: $all gcovr" ] || fail "bare, one tool more, it says: $out"
out=$(PATH=$PWD/bare MAKEFLAGS='' make -s --no-print-directory -C "$PG_ROOT" BUILD="$none" "$none/plugin/work.o" 2>&1)
[ "${out%%$'\n'*}" = "paragon: no gcc: run make setup" ] || fail "bare, a build says: $out"
