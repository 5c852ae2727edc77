# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# An e2e test: compile the same source plain and with the plugin, run both, compare stdout, stderr and exit status.
#
#     //! opts: LIST          variants (variants.sh)              //! args: LIST      command lines; default: one, empty
#     //! flags: FLAGS        for both builds, every variant      //! run: threads=N,...           default 1,2,4
#     //! link: FLAGS         at the end of both command lines    //! inject: LIST                 default none, every:7
#     //! sources: FILES      compiled and linked too             //! steps: LIST                  default auto
#     //! stat: KEY OP N      holds in each run with several threads, no forced conflict, step auto
#     //! stat-inject: ...    holds in each run with several threads and forced conflicts
#     //! stat-read: ...      holds in runs with several threads that read index data, not watch them: there are some.
#                             Where they are watched, the caller goes on until somebody asks (runtime/gate.h)
#     //! no-stat: LIST       variants in which the compiler leaves the judge no such loop: results are compared only
#     //! scan: ...           as in dump tests, in the variant -O2
#     //! plain: no           there is no plain oracle: runs with the plugin are compared with each other
#     //! kernels: LIST       for kir.sh                          //! device: NAME     for device.sh
#     //! mapped: LIST        for device.sh
#
# At least one stat or scan: a loop that is silently refused would pass everything.  Every program is also run with
# PARAGON=off.  With -Ofast the user leaves the bits free: the first run is the oracle of all others.

. "$lib/dump.sh"
. "$lib/stats.sh"

# Check the lines `KEY OP N` in $1 against the statistics of the run just made; sets WHY.
stats_hold ()
{
  local key op bound n
  while read -r key op bound
  do
    [ -n "$key" ] || continue
    n=$(stat_sum "$key" stats.json)
    case $op in
      '>=') [ "$n" -ge "$bound" ] ;;
      '<=') [ "$n" -le "$bound" ] ;;
      '==') [ "$n" -eq "$bound" ] ;;
      *) false ;;
    esac || { why="stat: $key $op $bound, but it is $n"; return 1; }
  done <<< "$1"
}

# Run COMMAND under the variables in the array `setting` and put what it leaves into the folder OUT:
# attempt OUT [-e EXPECTED] COMMAND...: see attempt.c.  A limit that strikes ends the item.
attempt ()
{
  local status out=$1 expected=()
  shift
  [ "$1" != -e ] || { expected=(-e "$2"); shift 2; }
  repeat="$build_command && ${setting[*]} $*"
  "$PG_BUILD/attempt" "${PG_LIMIT:-60}" "$out" "${expected[@]}" "${setting[@]}" "$@"
  status=$?
  case $status in
    124) result ERROR "timeout: ${setting[*]}" ;;
    0 | 1) return $status ;;
    *) result ERROR "cannot be run: ${setting[*]}" ;;
  esac
}

# The run in the folder `got` is not as expected.
fail_differs ()
{
  diff -r expected got > difference
  result FAIL "it differs: ${setting[*]} $args" difference
}

# The settings that one command line of the test runs under, one a line.
settings ()
{
  local threads inject step line
  echo "PARAGON=off"
  for threads in ${run_threads//,/ }
  do
    while IFS= read -r inject
    do
      while IFS= read -r step
      do
        line="PARAGON_THREADS=$threads${run_plan:+ PARAGON_PLAN=$run_plan}"
        [ "$inject" = none ] || line+=" PARAGON_INJECT=$inject"
        [ "$step" = auto ] || line+=" PARAGON_STEP=$step"
        echo "$line"
      done < <(list_items "$run_steps")
    done < <(list_items "$run_injects")
  done
  for threads in ${stats_read:+${run_threads//,/ }}
  do
    echo "PARAGON_THREADS=$threads PARAGON_PLAN=$run_plan PARAGON_WATCH=off"
  done
  [ -z "$run_plan" ] || echo "PARAGON_THREADS=2"
}

# Run one command line under all settings and compare each with the oracle.
run_all_settings ()
{
  local line stats
  local -a arguments
  read -r -a arguments <<< "$args"
  setting=()
  if [ "$oracle" = plain ]
  then
    attempt expected ./plain "${arguments[@]}"
  else
    setting=(PARAGON_THREADS=1 PARAGON_PLAN=pool)
    attempt expected ./parallel "${arguments[@]}"
  fi
  while IFS= read -r line
  do
    # What PARAGON=off gives with -Ofast is the original loop's answer, not the oracle's.
    [ "$oracle" = plain ] || [ "$line" != PARAGON=off ] || continue
    read -r -a setting <<< "$line PARAGON_STATS=stats.json"
    : > stats.json
    attempt got -e expected ./parallel "${arguments[@]}" || fail_differs
    case $line in
      *PARAGON_THREADS=1\ * | *PARAGON_STEP=* | PARAGON=off | PARAGON_THREADS=2) continue ;;
      *PARAGON_INJECT=*) stats=$stats_inject ;;
      *PARAGON_WATCH=off*) stats=$stats_read ;;
      *) stats=$stats_clean ;;
    esac
    [ -n "$stats" ] || continue
    [ -s stats.json ] || result FAIL "no statistics: ${setting[*]} $args"
    stats_hold "$stats" || result FAIL "$why: ${setting[*]} $args" stats.json
  done < <(settings)
}

# Take from the test in $item_file, whose directives have been read, what it is built from: sets COMPILER, FLAGS, LINK
# and SOURCES.
read_build ()
{
  local name
  compiler=$(compiler_of "$item_file")
  read -r -a flags <<< "${said[flags]-}"
  read -r -a link <<< "${said[link]-}"
  sources=("$item_file")
  for name in ${said[sources]-}
  do
    sources+=("${item_file%/*}/$name")
  done
}

# Build ./plain and ./parallel from SOURCES with OPTIONS; both compilers must say the same.  MORE: another option of the
# plugin.
build_both ()
{
  local compiler=$1
  shift
  repeat="$compiler $*"
  if ! limited 120 "$compiler" "$@" -o plain 2> plain.messages
  then
    result ERROR "does not compile without the plugin" plain.messages
  fi
  build_command="$compiler -fplugin=$PG_BUILD/paragon.so ${threshold:+$threshold }${more:+$more }$* -o parallel"
  repeat=$build_command
  limited 120 "$compiler" "-fplugin=$PG_BUILD/paragon.so" ${threshold:+"$threshold"} ${more:+"$more"} \
    -fplugin-arg-paragon-report="$PWD/report" -fopt-info-loop-optimized-missed=remarks "$@" -o parallel 2> stderr
  case $? in
    0) ;;
    124 | 137) result ERROR "timeout of the compiler" stderr ;;
    *) result FAIL "does not compile with the plugin" stderr ;;
  esac
  diff plain.messages stderr > difference || result FAIL "the compiler says something else with the plugin" difference
}

run_e2e ()
{
  local compiler why='' scanned='' oracle=plain more=
  local threshold=-fplugin-arg-paragon-threshold=0
  # The plan pool also runs regions below the work limit, so that small programs really run in parallel.
  local run_plan=pool
  local run_threads run_injects run_steps stats_clean stats_inject stats_read build_command args
  local -a opts flags link sources setting=()
  read_directives "$item_file"
  directives_wrong opts flags link sources args run inject steps stat stat-inject stat-read no-stat scan scan-not \
    plain kernels device mapped xfail
  [ -z "$why" ] || result ERROR "$why"
  [ -n "${said[stat]-}${said[stat-read]-}${said[scan]-}" ] || result ERROR "neither stat nor scan"
  [ -f "$PG_BUILD/paragon.so" ] || result SKIP "no $PG_BUILD/paragon.so"
  read_build
  command -v "$compiler" > /dev/null || result SKIP "no $compiler"

  read -r -a opts <<< "$item_variant"
  run_threads=${said[run]-threads=1,2,4}
  run_threads=${run_threads#threads=}
  run_injects=${said[inject]-none, every:7}
  run_steps=${said[steps]-auto}
  stats_clean=${said[stat]-}
  stats_inject=${said[stat-inject]-}
  stats_read=${said[stat-read]-}
  case ", ${said[no-stat]-}, " in
    *", $item_variant, "*) stats_clean='' stats_inject='' stats_read='' ;;
  esac
  case " $item_variant ${flags[*]} " in
    *" -Ofast "* | *" -ffast-math "* | *" -fassociative-math "*) oracle=parallel ;;
  esac
  [ "${said[plain]-}" != no ] || oracle=parallel

  build_both "$compiler" "${opts[@]}" "${flags[@]}" "${sources[@]}" "${link[@]}"
  if [ "$item_variant" = -O2 ]
  then
    scans_hold || result FAIL "$why" "$scanned"
  fi
  while IFS= read -r args
  do
    run_all_settings
  done < <(list_items "${said[args]-}")
  result PASS
}
