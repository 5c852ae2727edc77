# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# In which variants a test runs: sets of compiler options.
#
#     //! opts: default                 one row of optimisation levels
#     //! opts: full                    every level x {plain, -g, -fPIC, -flto}: for a few programs of each language
#     //! opts: default, -O2 -static    a set and one more; lines of opts add up

levels=("-O1" "-O2" "-O3" "-Os" "-O3 -march=native" "-Ofast")

variants_of_word ()
{
  local level
  case $1 in
    default)
      printf '%s\n' "${levels[@]}" ;;
    full)
      for level in "${levels[@]}"
      do
        printf '%s\n' "$level" "$level -g" "$level -fPIC" "$level -flto"
      done ;;
    *)
      printf '%s\n' "$1" ;;
  esac
}

# The variants of the test $1 of kind $2, one a line, without repetition.
variants_of ()
{
  local opts line word
  read_directives "$1"
  opts=${said[opts]-}
  if [ -z "$opts" ]
  then
    [ "$2" = dump ] && opts=-O2 || opts=default
  fi
  while IFS= read -r line
  do
    list_items "$line" | while IFS= read -r word
    do
      variants_of_word "$word"
    done
  done <<< "$opts" | awk '!seen[$0]++'
}

# Benchmark programs (polybench/programs.mk), as items.
program_items ()
{
  local name variant
  [ -f "$PG_ROOT/polybench/programs.mk" ] || return 0
  sed -n 's/^program-\([^ ]*\) *=.*/\1/p' "$PG_ROOT/polybench/programs.mk" | while read -r name
  do
    for variant in -O2 -O3
    do
      printf 'programs\t%s\t%s\n' "$name" "$variant"
    done
  done
}
