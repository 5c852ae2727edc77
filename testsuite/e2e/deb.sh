#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make deb: the package names the compiler that it is for, is installed into an empty root, works there, and leaves
# nothing behind when it is removed.

. "$PG_ROOT/testsuite/lib/script.sh"
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture
do
  command -v $tool > /dev/null || skip "no $tool"
done
[ "$(id -u)" = 0 ] || skip "only root installs packages"
make -C "$PG_ROOT" --no-print-directory -s "PLUGIN_GCC=$PG_CC" deb > log 2>&1 || fail "deb: $(cat log)"
package=$PG_ROOT/$(tail -n 1 log)
name=gcc-$gcc_major-plugin-paragon
dpkg-deb -f "$package" > control || fail "no package: $(cat log)"
grep -q "^Package: $name\$" control && grep -qE "^Depends: gcc-$gcc_major \(= [^)]+\), .*libc6" control ||
  fail "$(cat control)"

mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info root/var/lib/dpkg/triggers
: > root/var/lib/dpkg/status
: > root/var/lib/dpkg/available
find root ! -path 'root/var/*' | sort > before
dpkg --root="$PWD/root" --force-depends -i "$package" > log 2>&1 || fail "dpkg -i: $(cat log)"
find root -type l -printf '%P %l\n' | while read -r link to
do
  [ -e "root/$link" ] || fail "$link leads nowhere: $to"
done || exit 1
for file in bin/paragon bin/paragon-gcc lib/libparagon.so.1 lib/paragon/path/gcc/gcc share/man/man1/paragon.1.gz \
  "share/doc/$name/copyright"
do
  [ -s "root/usr/$file" ] || fail "no $file"
done
sample
installed=$(realpath root/usr/lib/paragon/paragon.so)
"$PG_CC" -O2 "-fplugin=$installed" -fplugin-arg-paragon-threshold=0 sample.c -o sample || exit 1
run_with_stats ./sample > /dev/null
[ "$(stat_sum pool stats.json)" -ge 1 ] || fail "the package's library was not found"
dpkg --root="$PWD/root" -P "$name" > log 2>&1 || fail "dpkg -P: $(cat log)"
find root ! -path 'root/var/*' | sort | diff before - || fail "something is left"
