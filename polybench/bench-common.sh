# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the measuring scripts share: a clean environment, a folder for builds, programs by name.

root=${PG_ROOT:-$(cd "$(dirname "$0")/.." && pwd)}
build=${PG_BUILD:-$root/build} cc=${PG_CC:-gcc}
threads=${THREADS:-2} flags=${FLAGS:--O3 -march=native}
export LC_ALL=C

for name in ${!PARAGON*} ${!OMP_*} ${!GOMP_*}
do
  unset "$name"
done
# What all teams of threads go by, Paragon's too.
export OMP_NUM_THREADS=$threads

cd "$root/polybench" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

die ()
{
  echo "${0##*/}: $*" >&2
  exit 1
}

. ./programs.sh

# Compile $sources into $work/$1 with the flags that follow.
# shellcheck disable=SC2086
build_program ()
{
  local output=$1
  shift
  "$cc" $flags "$@" $sources -o "$work/$output" -lm
}

# build_tool NAME SOURCES...: one of our own, into $work/NAME.
build_tool ()
{
  local name=$1
  shift
  "$cc" -O2 "$@" -o "$work/$name" || die "$1 does not build"
}

build_tool run bench-run.c
