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
  local mark='//!'
  [ "${1##*.}" != f90 ] || mark='!!!'
  sed -n "s,^$mark *\([a-z-]*\): *\(.*[^ ]\) *\$,\1\t\2,p; t; s,^$mark *\(.*\),?\t\1,p" "$1"
}

# Values of directive $2 of the test $1, one a line.
directive ()
{
  directives "$1" | sed -n "s/^$2\t//p"
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
