#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make deb, in a Debian that has a compiler and nothing else: apt finds what the package depends on, the compiler finds
# the plugin, the program the library; what is removed leaves nothing.
#
# Needs debootstrap, root and the mirror that apt knows.  e2e/deb.sh does with an empty root what can be done there.

: "${PG_ROOT:=$(cd "$(dirname "$0")/.." && pwd)}" "${PG_BUILD:=$PG_ROOT/build}" "${PG_CC:=gcc}"
work=$(mktemp -d) || exit 1
root=$work/root
clean_up ()
{
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM
export TMPDIR=$work
. "$PG_ROOT/testsuite/lib/script.sh"

command -v debootstrap > /dev/null || skip "check-deb: skipped: no debootstrap: apt-get install debootstrap"
[ "$(id -u)" = 0 ] || skip "check-deb: skipped: only root makes a root"
suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  sed -n "s/^$suite main //p" | head -n 1)
[ -n "$mirror" ] || skip "check-deb: skipped: apt knows no mirror of $suite"

make -C "$PG_ROOT" --no-print-directory -s "PLUGIN_GCC=$PG_CC" deb > log 2>&1 || fail "deb: $(cat log)"
file=$PG_ROOT/$(tail -n 1 log)
package=$(dpkg-deb -f "$file" Package)
depends=$(dpkg-deb -f "$file" Depends)
compiler=${depends%% *} version=${depends#*= }
version=${version%%)*}

TMPDIR=/tmp debootstrap --variant=minbase "$suite" "$root" "$mirror" > log 2>&1 ||
  skip "check-deb: skipped: debootstrap: $(tail -n 1 log)"
mount -t proc proc "$root/proc" || skip "check-deb: skipped: /proc cannot be mounted"

inside ()
{
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv DEBIAN_FRONTEND=noninteractive "$@"
}

installs ()
{
  inside apt-get install -y --no-install-recommends "$@" > log 2>&1 || fail "apt-get install $*: $(tail -n 5 log)"
}

# What there is, but for the packages that apt keeps.
list ()
{
  find "$root" -xdev ! -path "$root/var/cache/apt/*" | sort
}

[ -n "$(inside apt-cache show "$compiler=$version" 2> /dev/null)" ] ||
  skip "check-deb: skipped: $mirror has no $compiler $version"
installs "$compiler=$version" gcc libc6-dev
list > before
cp "$file" "$root/srv/package.deb" || exit 1
installs /srv/package.deb
rm "$root/srv/package.deb"

mkdir "$root/srv/work" && sample && cp sample.c "$root/srv/work/x.c" || exit 1
inside sh -c 'cd /srv/work && gcc x.c -o plain && ./plain' > plain || fail "the compiler does not work"
inside sh -c 'cd /srv/work && gcc -fplugin=paragon x.c && ./a.out' 2> log | diff plain - ||
  fail "gcc -fplugin=paragon x.c && ./a.out: $(cat log)"
inside sh -c 'cd /srv/work && gcc -O2 -fplugin=paragon -fplugin-arg-paragon-threshold=0 x.c && PARAGON_THREADS=2 \
  PARAGON_PLAN=pool PARAGON_STATS=stats.json ./a.out' | diff plain - || fail "with -O2, another answer"
[ "$(stat_sum pool "$root/srv/work/stats.json")" -ge 1 ] || fail "no loop is handed over"
inside paragon doctor > log || fail "$(cat log)"
grep -qE '^x\.c:[0-9]+: mix: possibly parallel' <(inside paragon explain x.c srv/work/a.out) || fail "paragon explain"
rm -r "$root/srv/work"

inside apt-get purge -y --auto-remove "$package" > log 2>&1 || fail "apt-get purge: $(tail -n 5 log)"
list | diff before - || fail "something is left, or gone"
echo "check-deb: passed: $(basename "$file") in a $suite of debootstrap's, from $mirror"
