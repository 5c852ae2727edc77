# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# A dump test: compile, do not run, and look at what the plugin said.
#
#     //! scan: TARGET COUNT "REGEX"     exactly COUNT lines match the extended regular expression
#     //! scan-not: TARGET "REGEX"       no line does
#
# TARGET is report (the JSON lines), remarks (-fopt-info-loop), stderr (the compiler's, with the plugin) or the name of
# a dump of ours.  The quotes around REGEX may be left out; those within it need no backslash.

compiler_of ()
{
  case $1 in
    *.c) echo "$PG_CC" ;;
    *.cc) echo "$PG_CXX" ;;
    *.f90) echo "$PG_FC" ;;
  esac
}

# The file that holds TARGET.
scan_file ()
{
  local files
  case $1 in
    report | remarks | stderr)
      : >> "$1"
      echo "$1" ;;
    *)
      files=(*t."$1")
      [ ! -f "${files[0]}" ] || echo "${files[0]}" ;;
  esac
}

# Check each scan directive of the test against what a compilation left in this directory; sets WHY and returns 1
# where one does not hold.
scans_hold ()
{
  local key value target count regex file n
  for value in "${directives[@]}"
  do
    key=${value%%$'\t'*}
    value=${value#*$'\t'}
    case $key in
      scan | scan-not) ;;
      *) continue ;;
    esac
    target=${value%% *}
    regex=${value#* }
    count=0
    if [ "$key" = scan ]
    then
      count=${regex%% *}
      regex=${regex#* }
    fi
    case $regex in
      \"*\") regex=${regex:1:${#regex}-2} ;;
    esac
    file=$(scan_file "$target")
    why="$key: $value"
    [ -n "$file" ] || { why="$why: no such dump"; return 1; }
    n=$(grep -cE -e "$regex" "$file")
    [ "$n" = "$count" ] || { why="$why: found $n times"; scanned=$file; return 1; }
  done
}

run_dump ()
{
  local compiler why scanned='' dump=''
  local -a opts flags
  read_directives "$item_file"
  directives_wrong opts flags scan scan-not xfail
  [ -z "$why" ] || result ERROR "$why"
  [ -n "${said[scan]-}${said[scan-not]-}" ] || result ERROR "nothing to scan for"
  [ -f "$PG_BUILD/paragon.so" ] || result SKIP "no $PG_BUILD/paragon.so"
  compiler=$(compiler_of "$item_file")
  command -v "$compiler" > /dev/null || result SKIP "no $compiler"
  read -r -a opts <<< "$item_variant"
  read -r -d '' -a flags <<< "${said[flags]-}"
  dump=$(grep -om1 '^pg[a-z]*' <<< "${said[scan]-}"$'\n'"${said[scan-not]-}")
  set -- "$compiler" "-fplugin=$PG_BUILD/paragon.so" -fplugin-arg-paragon-report=report "${opts[@]}" "${flags[@]}" \
    -fopt-info-loop-optimized-missed=remarks ${dump:+"-fplugin-arg-paragon-dump=tree-$dump"} -c "$item_file" -o test.o
  repeat="$*"
  limited 120 "$@" 2> stderr
  case $? in
    0) ;;
    124 | 137) result ERROR "timeout of the compiler" stderr ;;
    *) result FAIL "does not compile" stderr ;;
  esac
  scans_hold || result FAIL "$why" "$scanned"
  result PASS
}
