#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Test, then measure everything on the GPU of this machine: run it in the folder that `make gpu-bundle` packed
# (bundle.sh), or by its path from anywhere.  Without a GPU, all of it runs under emu, and the results say so.
#
#     ./run.sh [-s] [-e] [-t SECONDS] [RESULT.json]       -s: little of each; -e: under emu, whatever there is;
#                                                         -t: all of it in so many seconds, default 480
#
# The steps (step.sh), each with a limit of its own; one that fails or takes too long is reported, and the next begins:
#
#     gpu          if a GPU is seen, a loop runs on it
#     unit         unit tests of what makes and runs kernels
#     device       the suite of that name: programs against their plain builds, by each method, with forced conflicts
#     memcheck     the benchmark programs at a small size under compute-sanitizer
#     racecheck    the same
#     measure      the benchmark programs: plain, on the host's pool, on the device, and there with logs and checks
#
# RESULT.json (default: polybench/results/gpu.json in the bundle) says what came of each, RESULT.log what steps printed
# that did not pass.  Exit status: 0 if each step passed, or was left out for a reason that is said.

set -u -o pipefail
here=$(dirname "$(readlink -f "$0")") || exit 2
root=${here%/testsuite/gpu}
limit=480 is_emu='' seconds=''
export SHORT=''
while getopts set: option
do
  case $option in
    s) SHORT=yes ;;
    e) is_emu=yes ;;
    t) limit=$OPTARG seconds=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

for name in ${!PARAGON*} ${!OMP_*} ${!GOMP_*}
do
  unset "$name"
done
export PG_ROOT=$root PG_BUILD=$root/build PG_KEPT=$root/build/kept PG_DEVICE=emu PG_CC=cc PG_CXX=g++ LC_ALL=C
export LD_LIBRARY_PATH=$root/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PATH=$PATH:/usr/local/cuda/bin
WORK=$(mktemp -d) || exit 2
export WORK FACTS=$WORK/facts XDG_CACHE_HOME=$WORK
child=''
trap 'end_child; rm -rf "$WORK"' EXIT
trap 'exit 1' HUP INT TERM

result=$(readlink -m "${1:-$root/polybench/results/gpu.json}") log=${result%.json}.log
mkdir -p "$(dirname "$result")" && : > "$FACTS" && : > "$result" && : > "$log" || exit 2

# Note a line of fields for result.awk.
put ()
{
  local IFS=$'\t'
  printf '%s\n' "$*" >> "$FACTS"
}

# End what the step that runs, a session of its own, has left.
end_child ()
{
  [ -z "$child" ] || pkill -KILL -s "$child"
  child=''
}

# step NAME SECONDS: run the step for so long at most; sets STATUS.  Its last line is what there is to say.
step ()
{
  local name=$1 most=$2 start=$SECONDS said
  [ $((limit - SECONDS)) -ge "$most" ] || most=$((limit - SECONDS))
  if [ "$most" -gt 0 ]
  then
    LIMIT=$most setsid timeout -k 5 "$most" "$here/step.sh" "$name" > "$WORK/out" 2>&1 < /dev/null &
    child=$!
    wait "$child"
    status=$?
    end_child
  else
    status=77
    echo "no time left" > "$WORK/out"
  fi
  said=$(tail -n 1 "$WORK/out" | tr -cd '[:alnum:] :.,/()=-' | cut -c 1-200)
  case $status in
    0) status=passed ;;
    77) status="left out" ;;
    124 | 137) status=late said="not done in $most s: $said" ;;
    *) status=failed ;;
  esac
  put step "$name" "$status" $((SECONDS - start)) "$said"
  awk -f "$here/result.awk" "$FACTS" > "$result"
  echo "$name: $status: $said"
  case $status in
    failed | late)
      n_failed=$((n_failed + 1))
      { echo "== $name: $status"; head -c 500000 "$WORK/out"; } >> "$log" ;;
  esac
}

n_failed=0 gpu="no GPU seen"
[ -z "$is_emu" ] || gpu="no GPU asked for"
if [ -z "$is_emu" ] && { [ -e /dev/nvidia0 ] || [ -e /dev/dxg ]; }
then
  PG_DEVICE=cuda
  step gpu 90
  if [ "$status" != passed ]
  then
    PG_DEVICE=emu gpu="seen, but not used"
  else
    gpu=$(timeout 20 nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | head -n 1)
  fi
else
  put step gpu "left out" 0 "$gpu"
fi
put fact date "$(date -u +%FT%RZ)"
put fact command "make gpu-bundle; ./run.sh${SHORT:+ -s}${is_emu:+ -e}${seconds:+ -t $seconds}"
put fact version "$(cat "$root/version")"
put fact machine "$(sed -n 's/^model name[^:]*: *//p;T;q' /proc/cpuinfo), $(nproc) CPUs, Linux $(uname -r)"
put fact gpu "${gpu:-its name is not known}"
put fact device "$PG_DEVICE"
put fact nvcc "$(nvcc --version 2> /dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
step unit 90
step device $((limit * 3 / 5))
step memcheck 90
step racecheck 90
step measure 480
echo "$gpu; $n_failed steps failed; $result"
[ $n_failed = 0 ]
