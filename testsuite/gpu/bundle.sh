#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pack what a machine with a GPU needs to test and measure everything: it has a driver, CUDA's run-time parts and the
# usual commands, but neither this compiler nor what else a build takes.
#
#     [ONLY=ITEM,...] testsuite/gpu/bundle.sh [FILE.tar.gz]           default: $PG_BUILD/paragon-gpu.tar.gz
#
# It unpacks to a folder that looks as this one does, as far as tests and benchmarks read it:
#
#     run.sh                             tests, then measures: see there
#     build/                             the plugin, the library and what it looks for beside itself
#     build/unit, build/lib              unit tests of what makes and runs kernels, and the library that they need
#     build/kept/ITEM/{plain,parallel}   the programs of the suite `device`, built both ways (testsuite/lib/device.sh)
#     build/bench/NAME/...               the benchmark programs for measuring, likewise; and what runs them in turn
#     cuda, testsuite, polybench         text that tests compile, tests, scripts, data
#
# ONLY: items of the suite (device/vadd:-O2, device/saxpy.c) instead of all, and of the benchmarks those named there.

set -u -o pipefail
PG_ROOT=${PG_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
: "${PG_BUILD:=$PG_ROOT/build}" "${PG_CC:=gcc}"
export PG_ROOT PG_BUILD PG_CC
out=${1:-$PG_BUILD/paragon-gpu.tar.gz} most_bytes=$((64 << 20))
unit_tests="device device-cuda nvrtc cache kernels offload offload-nests shape"
unit_tests+=" emu emu-device emu-faults emu-grids emu-notes"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
bundle=$work/paragon-gpu

die ()
{
  echo "bundle.sh: $*" >&2
  exit 1
}

# Copy the files $2... of the repository or the build in $1 to where they are there.
take ()
{
  local from=$1 to
  shift
  case $from in
    "$PG_BUILD") to=$bundle/build ;;
    *) to=$bundle ;;
  esac
  (cd "$from" && tar cf - "$@") | (mkdir -p "$to" && cd "$to" && tar xf -) || die "cannot copy $*"
}

take_build ()
{
  local test
  local -a tests=()
  for test in $unit_tests
  do
    tests+=("unit/test-$test")
    take "$PG_ROOT" "testsuite/unit/test-$test.c"
  done
  take "$PG_BUILD" paragon.so libparagon.so.1 paragon emu-device emu-device-ucontext attempt keeping/g++ \
    "${tests[@]}"
  mkdir -p "$bundle/build/lib"
  cp "$(ldd "$PG_BUILD/unit/test-device" | sed -n 's/.*libcmocka[^ ]* => \([^ ]*\) .*/\1/p')" "$bundle/build/lib/" ||
    die "no libcmocka"
}

# Fortran programs stay behind, as do their libraries.
suite_items ()
{
  if [ -n "${ONLY-}" ]
  then
    printf '%s\n' "${ONLY//,/$'\n'}"
  else
    "$PG_ROOT/testsuite/lib/run.sh" -l device | grep -v '\.f90'
  fi
}

# Programs are built by the suite itself.
take_suite ()
{
  local -a items
  mapfile -t items < <(suite_items)
  mkdir -p "$bundle/build/kept"
  PG_KEEP=$bundle/build/kept "$PG_ROOT/testsuite/lib/run.sh" "${items[@]}" > "$work/log" 2>&1 ||
    { cat "$work/log"; die "programs of the suite cannot be built"; }
}

# Build the benchmark program $1 of the sources $2... both ways.
build_bench ()
{
  local name=$1
  shift
  mkdir "$bundle/build/bench/$name"
  "$PG_CC" -O3 "$@" -o "$bundle/build/bench/$name/plain" -lm &&
    "$PG_CC" -O3 "-fplugin=$PG_BUILD/paragon.so" -fplugin-arg-paragon-kir "$@" \
      -o "$bundle/build/bench/$name/parallel" -lm || die "$name cannot be built"
}

take_benchmarks ()
{
  local name sources
  local -a files
  mkdir -p "$bundle/build/bench"
  cd "$PG_ROOT/polybench" || exit 1
  while read -r name sources
  do
    [ -z "${ONLY-}" ] || [[ ",$ONLY" == *",device/$name:"* ]] || continue
    read -r -a files <<< "$sources"
    build_bench "$name" "${files[@]}"
  done < <(sed -n 's/^program-\([a-z0-9]*\) *=\([^|]*\)|.*/\1\2/p' programs.mk)
  "$PG_CC" -O2 bench-run.c -o "$bundle/build/bench/run" || die "bench-run.c does not build"
  cd - > /dev/null || exit 1
}

take_build
take_suite
take_benchmarks
find "$bundle/build" -type f -perm -u+x -exec strip -g {} + 2> /dev/null
cd "$PG_ROOT" || exit 1
take "$PG_ROOT" testsuite/{lib,e2e,gpu} testsuite/kir/*.{kir,cu} cuda/prelude.cuh cuda/emu
take "$PG_ROOT" polybench/{programs.mk,data} LICENSE LICENSES
mkdir -p "$bundle/polybench/results"
ln -s testsuite/gpu/run.sh "$bundle/run.sh"
git -C "$PG_ROOT" log -1 --format='%cs %s' 2> /dev/null | sed 's/[\\"]//g' > "$bundle/version"
git -C "$PG_ROOT" diff --quiet HEAD 2> /dev/null || sed -i 's/$/, and what was changed since/' "$bundle/version"
tar czf "$out" -C "$work" paragon-gpu || die "cannot pack"
len=$(wc -c < "$out")
echo "$out: $((len >> 10)) KiB"
[ "$len" -le "$most_bytes" ] || die "$len bytes, more than $most_bytes"
