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

# Values of directive $2 of the test $1, one a line.
directive ()
{
  local key value
  while IFS=$'\t' read -r key value
  do
    [ "$key" != "$2" ] || printf '%s\n' "$value"
  done < <(directives "$1")
}

# Print the first reason why the directives of the test $1 are wrong: keys other than those in $2..., or none at all.
directives_wrong ()
{
  local file=$1 key value any=
  shift
  while IFS=$'\t' read -r key value
  do
    any=yes
    case " $* " in
      *" $key "*) ;;
      *)
        echo "unknown directive: $key: $value"
        return ;;
    esac
  done < <(directives "$file")
  [ -n "$any" ] || echo "no directive"
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
    dump | e2e) xfail=$(directive "$item_file" xfail) ;;
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
