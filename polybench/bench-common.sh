# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the measuring scripts share: a clean environment, a folder for builds, programs by name.
#
#     program-NAME = SOURCES | ARGUMENTS OF A TEST | ARGUMENTS OF A BENCHMARK       (programs.mk)

root=${PG_ROOT:-$(cd "$(dirname "$0")/.." && pwd)}
build=${PG_BUILD:-$root/build} cc=${PG_CC:-gcc}
threads=${THREADS:-2} flags=${FLAGS:--O3 -march=native} size=${SIZE:-bench}
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

# Names of the programs that ONLY asks for, or of all.
program_names ()
{
  if [ -n "${ONLY-}" ]
  then
    printf '%s\n' "${ONLY//,/$'\n'}"
  else
    sed -n 's/^program-\([a-z0-9]*\) *=.*/\1/p' programs.mk
  fi
}

# Set sources and arguments of the program $1.
find_program ()
{
  local line bench_arguments
  line=$(sed -n "s/^program-$1 *= *//p" programs.mk)
  [ -n "$line" ] || die "no program $1 in programs.mk"
  IFS='|' read -r sources arguments bench_arguments <<< "$line"
  [ "$size" = test ] || arguments=$bench_arguments
}

# Compile $sources into $work/$1 with the flags that follow.
# shellcheck disable=SC2086
build_program ()
{
  local output=$1
  shift
  "$cc" $flags "$@" $sources -o "$work/$output" -lm
}

"$cc" -O2 bench-run.c -o "$work/run" || die "bench-run.c does not build"
