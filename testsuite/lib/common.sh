# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What all kinds of tests share: where things are, directives, results.

: "${PG_BUILD:=$PG_ROOT/build}" "${PG_CC:=gcc}" "${PG_CXX:=g++}" "${PG_FC:=gfortran}"
export PG_ROOT PG_BUILD PG_CC PG_CXX PG_FC

# The test's name in results: its path below testsuite/, and its variant.
test_name ()
{
  local name=${1#"$PG_ROOT"/}
  case $item_kind in
    programs | kir | device) name=$item_kind/${1##*/} ;;
  esac
  printf '%s' "${name#testsuite/}${2:+:$2}"
}

# Print `KEY<tab>VALUE` for each directive of the test $1: a comment line of its own that begins with //! or, in
# Fortran, with !!! .
directives ()
{
  local mark='//!' line lines pattern
  [ "${1##*.}" != f90 ] || mark='!!!'
  pattern="^$mark *([a-z-]*): *(.*[^ ]) *\$"
  mapfile -t lines < "$1"
  for line in "${lines[@]}"
  do
    case $line in
      "$mark"*)
        if [[ $line =~ $pattern ]]
        then
          printf '%s\t%s\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        else
          printf '?\t%s\n' "${line#"$mark"}"
        fi ;;
    esac
  done
}

# Sets DIRECTIVES to what the function above prints of the test $1, and SAID[KEY] to the values of each, one a line.
read_directives ()
{
  local line key
  mapfile -t directives < <(directives "$1")
  declare -gA said=()
  for line in "${directives[@]}"
  do
    key=${line%%$'\t'*}
    said[$key]+=${said[$key]+$'\n'}${line#*$'\t'}
  done
}

# Sets WHY to the first reason why the directives are wrong: keys other than those in $1..., or none at all.
directives_wrong ()
{
  local line
  why=
  [ ${#directives[@]} -gt 0 ] || why="no directive"
  for line in "${directives[@]}"
  do
    case " $* " in
      *" ${line%%$'\t'*} "*) ;;
      *)
        why="unknown directive: ${line/$'\t'/: }"
        return ;;
    esac
  done
}

# Items of the list $1, one a line: they are separated by a comma and a space.
list_items ()
{
  local rest="$1, "
  while [ -n "$rest" ]
  do
    printf '%s\n' "${rest%%, *}"
    rest=${rest#*, }
  done
}

# Report the result of this item: result STATUS "what" [FILE whose first lines tell more].  A test with the directive
# `xfail: ISSUE reason` is expected to fail.
result ()
{
  local status=$1 why=${2-} more=${3-} xfail=
  case $item_kind in
    dump | e2e) xfail=${said[xfail]-} ;;
  esac
  if [ -n "$xfail" ]
  then
    case $status in
      PASS) status=XPASS ;;
      FAIL) status=XFAIL more= ;;
    esac
    why="${why:+$why; }$xfail"
  fi
  {
    echo "$status: $(test_name "$item_file" "$item_variant")${why:+: $why}"
    case $status in
      FAIL | ERROR)
        [ -z "$more" ] || head -c 3000 "$more" | head -n 30 | sed 's/^/    /'
        [ -z "${repeat-}" ] || printf '    command: %s\n' "$repeat"
        printf '    repeat: %s\n' "testsuite/lib/run.sh '$(test_name "$item_file" "$item_variant")'" ;;
    esac
  } > "$work/.result"
  cat "$work/.result"
  exit 0
}
