#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What compiling with the plugin and its kernels costs, against compiling without it: the objects' text and data, which
# may double, and the compiler's time, which may grow by three tenths, of all programs together: some are hardly more
# than a loop, which a region has two or three times, and the stub.  Those are marked.  Times are the least of $RUNS,
# taken in turn; COST=instructions counts the compiler's and the assembler's instead, in thousands of millions, once,
# which takes 25 minutes.
# Of what is added, the second line of a program says where it is: kernels as KIR, and code, of which there are F and
# its variants (*.paragon*).
#
#     [COST=seconds|instructions] [RUNS=N] [ONLY=PROGRAM,...] [FLAGS=...] polybench/bench-size.sh
#
# Exit status 1 if text and data of all are too large; times depend on what else the machine does.

set -u -o pipefail
. "$(dirname "$0")/bench-common.sh"
plugin=("-fplugin=$build/paragon.so") kir=-fplugin-arg-paragon-kir
cost=${COST:-seconds}
case $cost in
  seconds) ;;
  instructions)
    command -v valgrind > /dev/null || die "COST=$cost: no valgrind"
    runs=1 ;;
  *) die "COST=$cost is not known; known: seconds, instructions" ;;
esac
export TIMEFORMAT='%U %S'

# compile FOLDER FLAGS...: $sources, each to an object there.
compile ()
{
  local folder=$work/$1 source
  shift
  mkdir -p "$folder"
  for source in $sources
  do
    # shellcheck disable=SC2086
    "$cc" $flags "$@" -c "$source" -o "$folder/${source//\//-}.o" > "$work/log" 2>&1 ||
      die "$source does not compile: $(cat "$work/log")"
    cat "$work/log"
  done
}

# The same; prints what it cost.
measure ()
{
  case $cost in
    seconds) { time compile "$@" > "$work/times"; } 2>&1 |
      awk '/^[0-9.]+ [0-9.]+$/ { print $1 + $2; next } { print > "/dev/stderr" }' ;;
    instructions)
      compile "$@" -wrapper valgrind,--tool=callgrind,--callgrind-out-file=/dev/null |
        awk '/Collected :/ { n += $4 } END { print n / 1e9 }' ;;
  esac
}

# Text and data of the objects of folder $1.
bytes ()
{
  size "$work/$1"/*.o | awk 'NR > 1 { n += $1 + $2 } END { print n }'
}

# What the plugin put into the objects of folder $1, kernels being $2 bytes of it.
parts ()
{
  readelf -sW "$work/$1"/*.o | awk -v kernels="$2" '
    $4 == "FUNC" && $8 ~ /\.paragon\./ {
      kind = $8 ~ /\.noalias/ ? "no-alias F" : $8 ~ /\.monitor/ ? "monitor" : "F"
      n[kind] += $3
    }
    $4 == "FUNC" && $8 ~ /^__paragon/ { n["stub"] += $3 }
    $4 == "OBJECT" && $8 ~ /paragon/ { n["tables"] += $3 }
    END {
      n["kernels"] = kernels
      n["tables"] -= kernels
      printf "          "
      for (i = split ("F,no-alias F,monitor,tables,kernels,stub", kinds, ","); i > 0; i--)
        printf " %s %d", kinds[i], n[kinds[i]]
      print ""
    }'
}

# One line of the table, of lines `NAME WHAT BYTES COST' with plain's and with's sums.  1: it is too large.
row ()
{
  awk -v name="$1" '
    { bytes[$2] += $3; cost[$2] += $4 }
    END {
      over = bytes["with"] > 2 * bytes["plain"]
      printf "%-10s %8d %8d %6.3f %12.3f %12.3f %6.3f%s\n", name, bytes["plain"], bytes["with"],
        bytes["with"] / bytes["plain"], cost["plain"], cost["with"], cost["with"] / cost["plain"], over ? "  over" : ""
      exit over
    }'
}

printf '%-10s %8s %8s %6s %12s %12s %6s\n' program bytes with ratio "$cost" with ratio
for name in $(program_names)
do
  find_program "$name"
  rm -rf "$work/plain" "$work/with" "$work/without"
  for run in $(seq "$runs")
  do
    plain=$(measure plain) && with=$(measure with "${plugin[@]}" $kir) || exit
    printf '%s\n' "plain $plain" "with $with"
  done > "$work/costs"
  compile without "${plugin[@]}"
  for what in plain with
  do
    echo "$name $what $(bytes $what) $(awk -v what=$what '$1 == what { print $2 }' "$work/costs" | sort -g | head -1)"
  done > "$work/row"
  row "$name" < "$work/row"
  cat "$work/row" >> "$work/all"
  parts with $(($(bytes with) - $(bytes without)))
done
row all < "$work/all"
