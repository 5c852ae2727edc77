#!/bin/bash
# SPDX-License-Identifier: MIT
#
# docs/guide.md, docs/how-it-works.md: their commands do what they say.  Lines of a block that begin with $ are run;
# what stands below is what they say, in which a line of three dots stands for any lines; where nothing does, they may
# say anything.

. "$PG_ROOT/testsuite/lib/script.sh"
[ -x "$PG_BUILD/bin/paragon" ] || skip "no $PG_BUILD/bin/paragon"

# paragon, and the compiler, which knows where this build's plugin is.
mkdir bin && ln -s "$PG_BUILD/bin/paragon" bin/ || exit 1
cat > bin/gcc << END
#!/bin/bash
exec "$(command -v "$PG_CC")" "\${@/#-fplugin=paragon/-fplugin=$plugin}"
END
chmod +x bin/gcc
export PATH=$PWD/bin:$PATH
unset CC CXX FC MAKEFLAGS MFLAGS MAKELEVEL
printf 'scale: scale.c\n\t$(CC) -O2 scale.c -o scale\n' > Makefile

# Compare what COMMAND said, in out, with what the guide says it does, in said.
compare ()
{
  [ -s said ] || return 0
  awk 'NR == FNR { out[NR] = $0; n = NR; next }
    $0 == "..." { gap = 1; next }
    { at++; while (gap && at <= n && out[at] != $0) at++ }
    out[at] != $0 { print "not there: " $0; failed = 1; exit 1 }
    { gap = 0 }
    END {
      if (!failed && !gap && at < n)
        print "not said: " out[at + 1]
      exit (failed || (!gap && at < n))
    }' out said || fail "$1: $(cat out)"
}

commands=0
run_command ()
{
  local command=$1
  [ -n "$command" ] || return 0
  commands=$((commands + 1))
  case $command in
    'cat '*)
      cp said "${command#cat }"
      return ;;
    'paragon build -- '*) rm -f scale ;;
  esac
  eval "$command" > out 2>&1 || fail "status $?: $command: $(cat out)"
  compare "$command"
}

command=
for document in guide how-it-works
do
  while IFS= read -r line
  do
    case $line in
      '    $ '*)
        run_command "$command"
        command=${line#'    $ '}
        : > said ;;
      '    '*) printf '%s\n' "${line#    }" >> said ;;
      '') [ -z "$command" ] || echo >> said ;;
      *)
        sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' said 2> /dev/null
        run_command "$command"
        command= ;;
    esac
  done < "$PG_ROOT/docs/$document.md"
  run_command "$command"
  command=
done
[ $commands -ge 16 ] || fail "only $commands commands"
[ -s paragon-report.html ] || fail "no page"
