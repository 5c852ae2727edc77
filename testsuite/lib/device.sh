# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Loops on the device without a GPU: each e2e program and each benchmark program, at a small size, built with
# -fplugin-arg-paragon-kir, runs with PARAGON_PLAN=device, and must print what the plain build prints: with each method
# that finds conflicts (e2e programs: with two), where numbers settle them and where nothing is believed, with forced
# conflicts, and while the caller goes on with the loop: the device is first, the host is, or it depends.  All of that
# is with the last command line, of the longest loops; some of it with the others.  The variant is the first one whose
# kernels are interpreted (kir.sh): a kernel's text is tested against that elsewhere.
#
#     //! device: NAME          what becomes of at least one entry there (runtime/status.def); default: ran
#     //! mapped: LIST          it runs so, too, by PARAGON_MAP, and each of these becomes of at least one entry then;
#                               of a benchmark program: mapped-NAME in polybench/programs.mk
#
# PG_DEVICE: another device, cuda, by fewer settings: to begin with a GPU takes long, and one process after the other
# does.  For machines that cannot build (testsuite/gpu): PG_KEEP, a folder where programs are
# kept, and not run; PG_KEPT, such a folder, from which they are taken.

. "$lib/kir.sh"

# The settings of the runs with METHODS and as MAPPED, one a line; SOME: not all of them.
device_settings ()
{
  local method map
  echo PARAGON_METHOD=auto
  if [ -n "$some" ]
  then
    echo PARAGON_PLAN=cooperate PARAGON_RACE=random:$RANDOM PARAGON_INJECT=every:7
    return
  fi
  echo PARAGON_METHOD=auto PARAGON_INJECT=every:7
  echo PARAGON_PLAN=cooperate PARAGON_RACE=device PARAGON_INJECT=every:7
  if [ "${PG_DEVICE:-emu}" = emu ]
  then
    echo PARAGON_PLAN=cooperate PARAGON_RACE=device
    echo PARAGON_PLAN=cooperate PARAGON_RACE=host
    echo PARAGON_PLAN=cooperate PARAGON_RACE=random:$RANDOM
    echo PARAGON_PLAN=pool PARAGON_RACE=random:$RANDOM PARAGON_THREADS=2
  fi
  for method in $methods
  do
    echo "PARAGON_METHOD=$method PARAGON_STEP=L4"
  done
  for map in $mapped
  do
    echo "PARAGON_MAP=$map"
  done
}

# Sets N_COUNTED to the count of $2 in the statistics' objects "$1", all regions together.
count_in ()
{
  local text='' object objects="\"$1\":\\{([^}]*)\\}(.*)" counts="\"($2)\":([0-9]+)(.*)"
  n_counted=0
  IFS= read -r -d '' text < stats.json
  while [[ $text =~ $objects ]]
  do
    object=${BASH_REMATCH[1]}
    text=${BASH_REMATCH[2]}
    while [[ $object =~ $counts ]]
    do
      n_counted=$((n_counted + BASH_REMATCH[2]))
      object=${BASH_REMATCH[3]}
    done
  done
}

# The folder in folder $1 for the programs of this item.
kept_in ()
{
  printf '%s/%s' "$1" "$(printf '%s' "$name:$item_variant" | tr -c 'A-Za-z0-9.-' _)"
}

keep_programs ()
{
  local to
  to=$(kept_in "$PG_KEEP")
  mkdir -p "$to"
  cp plain parallel "$to" && printf 'device/%s:%s\n' "$name" "$item_variant" > "$to/item" ||
    result ERROR "cannot be kept in $to"
  item_file=$name
  result PASS
}

take_programs ()
{
  local from
  from=$(kept_in "$PG_KEPT")
  ln -s "$from/plain" "$from/parallel" . && [ -x plain ] && [ -x parallel ] || result SKIP "not in $from"
  build_command="cd $from"
}

# Run one command line under all settings.
run_on_device ()
{
  local line n=0 n_counted
  local -a arguments
  read -r -a arguments <<< "$args"
  setting=()
  attempt expected ./plain "${arguments[@]}"
  while IFS= read -r line
  do
    n=$((n + 1))
    read -r -a setting <<< "PARAGON_EMU=seed:$n PARAGON_PLAN=device PARAGON_STATS=stats.json $line"
    setting+=("PARAGON_DEVICE=${PG_DEVICE:-emu}")
    [ -z "${PG_KEPT-}" ] || setting+=("PARAGON_LIBRARY=$PG_BUILD/libparagon.so.1")
    : > stats.json
    attempt got -e expected ./parallel "${arguments[@]}" || fail_differs
    case $line in
      PARAGON_MAP=*)
        count_in mapped "${line#*=}"
        [ "$n_counted" -gt 0 ] ||
          result FAIL "$line: nothing was mapped so" stats.json ;;
    esac
    [ -s stats.json ] || continue
    count_in offloaded "$there"
    n_there=$((n_there + n_counted))
  done < <(device_settings)
}

run_device ()
{
  local compiler why='' oracle=plain threshold=-fplugin-arg-paragon-threshold=0 build_command args all_args
  local name=$item_file n_there=0 n_lines some there mapped methods='full selective' more=-fplugin-arg-paragon-kir
  local -a flags=() link=() sources=() opts setting=()
  [ -f "$PG_BUILD/paragon.so" ] || result SKIP "no $PG_BUILD/paragon.so"
  case $item_file in
    *.*)
      take_e2e
      there=${said[device]-}
      mapped=${said[mapped]-} ;;
    *)
      take_program
      methods='full atomic reduction selective none inspector'
      there='ran|conflict'
      all_args=$(sed -n "s/^small-$item_file *= *//p" "$PG_ROOT/polybench/programs.mk")
      mapped=$(sed -n "s/^mapped-$item_file *= *//p" "$PG_ROOT/polybench/programs.mk") ;;
  esac
  : "${there:=ran}"
  if [ -n "${PG_KEPT-}" ]
  then
    take_programs
  else
    command -v "$compiler" > /dev/null || result SKIP "no $compiler"
    read -r -a opts <<< "$item_variant"
    build_both "$compiler" "${opts[@]}" "${flags[@]}" "${sources[@]}" "${link[@]}"
  fi
  [ -z "${PG_KEEP-}" ] || keep_programs
  n_lines=$(printf '%s\n' "$all_args" | wc -l)
  mkdir modules
  export PG_MODULES=$PWD/modules PATH=$PG_BUILD/keeping:$PATH
  while IFS= read -r args
  do
    n_lines=$((n_lines - 1))
    some=$([ $n_lines = 0 ] || echo yes)
    run_on_device
  done <<< "$all_args"
  item_file=$name
  [ $n_there -gt 0 ] || result FAIL "$there never became of an entry on the device" stats.json
  result PASS
}
