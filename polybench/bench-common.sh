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

runs=${RUNS:-5}
[[ $runs = [1-9]* && $runs != *[!0-9]* ]] || die "RUNS=$runs: how many rounds, 1 or more"

. ./programs.sh

# Where its code happens to lie makes a small loop faster or slower by some per cent, and whatever else is in the
# program moves it.  So programs are linked in so many ways, each with the code 16 bytes further on, and rounds take
# them in turn.
n_places=4

# build_program NAME COMPILER FLAGS...: compile $sources and link them into $work/NAME-0, $work/NAME-1 ...
# shellcheck disable=SC2086
build_program ()
{
  local name=$1 compiler=$2 source place
  local -a objects=()
  shift 2
  for source in $sources
  do
    objects+=("$work/$name-${source//\//-}.o")
    "$compiler" $flags "$@" -c "$source" -o "${objects[-1]}" || return
  done
  for ((place = 0; place < n_places; place++))
  do
    "$compiler" $flags "$@" "$work/place-$place.o" "${objects[@]}" -o "$work/$name-$place" -lm || return
  done
}

# place_of NAME: the program NAME, as the shell of bench-run finds that of its round.
place_of ()
{
  echo "\"$work/$1-\$((ROUND % $n_places))\""
}

# build_tool NAME SOURCES...: one of our own, into $work/NAME.
build_tool ()
{
  local name=$1
  shift
  "$cc" -O2 "$@" -o "$work/$name" || die "$1 does not build"
}

build_tool run bench-run.c
for ((place = 0; place < n_places; place++))
do
  echo ".text; .p2align 4; .skip $((16 * place + 16)), 0x90; .section .note.GNU-stack" |
    "$cc" -c -x assembler - -o "$work/place-$place.o" || die "no assembler"
done
