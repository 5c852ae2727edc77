#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What compiling with the plugin and its kernels costs, against compiling without it: the objects' text and data, which
# may double, and the compiler's time, which may grow by three tenths.  Times are the least of $RUNS, taken in turn.
# Of what is added, the second line of a program says where it is: kernels as KIR, and code, of which there are F and
# its variants (*.paragon*).
#
#     [RUNS=N] [ONLY=PROGRAM,...] [FLAGS=...] polybench/bench-size.sh
#
# Exit status 1 if an object is too large; times depend on what else the machine does.

set -u -o pipefail
. "$(dirname "$0")/bench-common.sh"
plugin=("-fplugin=$build/paragon.so") kir=-fplugin-arg-paragon-kir
failed=0
export TIMEFORMAT='%U %S'

# compile FOLDER FLAGS...: $sources, each to an object there; prints the seconds that this took.
compile ()
{
  local folder=$work/$1 source
  shift
  mkdir -p "$folder"
  {
    time for source in $sources
    do
      # shellcheck disable=SC2086
      "$cc" $flags "$@" -c "$source" -o "$folder/${source//\//-}.o" > "$work/log" 2>&1 || cat "$work/log"
    done
  } 2>&1 | awk '{ print $1 + $2 }'
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

printf '%-10s %8s %8s %6s %10s %10s %6s\n' program bytes with ratio seconds with ratio
for name in $(program_names)
do
  find_program "$name"
  rm -rf "$work/plain" "$work/with" "$work/without"
  for run in $(seq "$runs")
  do
    echo "plain $(compile plain)"
    echo "with $(compile with "${plugin[@]}" $kir)"
  done > "$work/times"
  compile without "${plugin[@]}" > "$work/log"
  plain=$(bytes plain) with=$(bytes with)
  awk -v name="$name" -v plain="$plain" -v with="$with" '
    !($1 in least) || $2 < least[$1] { least[$1] = $2 }
    END {
      printf "%-10s %8d %8d %6.2f %10.3f %10.3f %6.2f%s\n", name, plain, with, with / plain, least["plain"],
        least["with"], least["with"] / least["plain"], (with > 2 * plain ? "  over" : "")
      exit (with > 2 * plain)
    }' "$work/times" || failed=1
  parts with $((with - $(bytes without)))
done
exit $failed
