# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The programs by name, for scripts in this folder, which have a function die (programs.mk):
#
#     program-NAME = SOURCES | ARGUMENTS OF A TEST | ARGUMENTS OF A BENCHMARK       SIZE=test, SIZE=bench
#     SIZE-NAME = ARGUMENTS                                                         of other sizes

size=${SIZE:-bench}

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
  case $size in
    test) ;;
    bench) arguments=$bench_arguments ;;
    *) arguments=$(sed -n "s/^$size-$1 *= *//p" programs.mk) ;;
  esac
  [ -n "$arguments" ] || die "no SIZE=$size of $1 in programs.mk"
}

# Lines FILE:LINE of the main loops in $sources: the line after each that says so.
main_loops ()
{
  local file
  for file in $sources
  do
    awk '/\/\* main loop \*\// { print FILENAME ":" FNR + 1 }' "$file"
  done
}
