#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The runner itself: a tree of tests of which each is known to pass, fail or err, and a compiler that plays the plugin's
# part by defining WITH_PLUGIN.  A runner that passes everything would pass everything else, too.

. "$PG_ROOT/testsuite/lib/script.sh"
mkdir -p tree/build/unit tree/testsuite/unit tree/testsuite/dump tree/testsuite/e2e
cat > cc << 'COMPILER'
#!/bin/bash
options=()
for option
do
  case $option in
    -fplugin=*) options+=(-DWITH_PLUGIN) ;;
    -fplugin-arg-paragon-report=*) echo '{"line":3,"outlined":true}' > "${option#*report=}" ;;
    -fplugin-arg-* | -fopt-info*) ;;
    *) options+=("$option") ;;
  esac
done
exec gcc "${options[@]}"
COMPILER
chmod +x cc
touch tree/build/paragon.so
ln -s "$PG_BUILD/attempt" tree/build

# A program whose output is right or, where the macro WRONG is true, wrong; with statistics as the runtime writes them.
cat > tree/testsuite/part.h << 'PART'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifndef WITH_PLUGIN
#define IS(variable, value) 0
#else
#include <string.h>
#define IS(variable, value) (getenv (variable) && !strcmp (getenv (variable), value))
#endif
static void
write_stats (int pool)
{
  FILE *f = getenv ("PARAGON_STATS") ? fopen (getenv ("PARAGON_STATS"), "w") : NULL;
  if (f)
    fprintf (f, "{\"regions\":[{\"pool\": %d},{\"pool\": 1}]}\n", pool), fclose (f);
}
PART

# e2e NAME "directives" "body of main"
e2e ()
{
  printf '%s\n#include "../part.h"\nint main (int argc, char **argv)\n{\n  (void) argc; (void) argv;\n%s\n}\n' \
    "$2" "$3" > "tree/testsuite/e2e/$1.c"
}

ok='puts ("same"); write_stats (3); return 0;'
e2e pass '//! stat: pool == 4' "$ok"
e2e stat '//! stat: pool >= 5' "$ok"
e2e no-stat $'//! opts: -O2\n//! stat: pool >= 5\n//! no-stat: -Os, -O2' "$ok"
e2e scan $'//! opts: -O2\n//! scan: report 1 "outlined":true' "$ok"
e2e scan-count $'//! opts: -O2\n//! scan: report 2 "outlined":true' "$ok"
e2e out '//! stat: pool >= 1' 'puts (IS ("PARAGON_THREADS", "4") ? "wrong" : "same"); write_stats (3); return 0;'
e2e injected '//! stat: pool >= 1' 'puts (IS ("PARAGON_INJECT", "every:7") ? "x" : "y"); write_stats (3); return 0;'
e2e exit-status '//! stat: pool >= 1' 'write_stats (3); return IS ("PARAGON", "off");'
e2e stderr '//! stat: pool >= 1' 'if (IS ("PARAGON_THREADS", "2")) fputs ("!", stderr); write_stats (3); return 0;'
e2e argument $'//! args: 1, 2\n//! stat: pool >= 1' \
  'puts (argv[1][0] == 0x32 && IS ("PARAGON_THREADS", "1") ? "wrong" : "same"); write_stats (3); return 0;'
e2e hang $'//! opts: -O2\n//! stat: pool >= 1' 'if (IS ("PARAGON_THREADS", "2")) pause (); write_stats (3); return 0;'
e2e crash $'//! opts: -O2\n//! stat: pool >= 1' 'if (IS ("PARAGON_THREADS", "2")) abort (); write_stats (3); return 0;'
e2e no-statistics $'//! opts: -O2\n//! stat: pool >= 0' 'return 0;'
e2e unknown $'//! opts: -O2\n//! stats: pool >= 1' "$ok"
e2e none '' "$ok"
e2e no-claim '//! opts: -O2' "$ok"
e2e warning $'//! opts: -O2\n//! stat: pool >= 1' "#ifdef WITH_PLUGIN
#warning said with the plugin only
#endif
$ok"
e2e expected $'//! opts: -O2\n//! xfail: 7 not yet\n//! stat: pool >= 5' "$ok"
e2e unexpected $'//! opts: -O2\n//! xfail: 7 not yet\n//! stat: pool >= 1' "$ok"
printf '#!/bin/sh\necho no such machine\nexit 77\n' > tree/testsuite/e2e/skip.sh
printf '#!/bin/sh\nexit 3\n' > tree/testsuite/e2e/script.sh
chmod +x tree/testsuite/e2e/*.sh
printf '//! scan: report 1 "line":3\n//! scan-not: remarks "."\nint x;\n' > tree/testsuite/dump/pass.c
printf '//! scan-not: report "line":3\nint x;\n' > tree/testsuite/dump/found.c
printf '//! scan: pgnone 0 "x"\nint x;\n' > tree/testsuite/dump/no-dump.c
printf '//! opts: -O1, -O2\nint x;\n' > tree/testsuite/dump/no-scan.c
touch tree/testsuite/unit/test-good.c tree/testsuite/unit/test-bad.c tree/testsuite/unit/test-absent.c
printf '#!/bin/sh\nexit 0\n' > tree/build/unit/test-good
printf '#!/bin/sh\nexit 1\n' > tree/build/unit/test-bad
chmod +x tree/build/unit/*

run ()
{
  env PG_LIMIT=2 PG_ROOT="$PWD/tree" PG_BUILD="$PWD/tree/build" PG_CC="$PWD/cc" \
    "$PG_ROOT/testsuite/lib/run.sh" "$@" > out 2>&1
}

run -v unit dump e2e && fail "the run as a whole passes"
sed -n 's/^\([A-Z]*: [^ :]*\).*/\1/p' out | sort | uniq -c | sed 's/^ *//' > got
sort > wanted << 'WANTED'
1 PASS: unit/test-good.c
1 FAIL: unit/test-bad.c
1 ERROR: unit/test-absent.c
1 PASS: dump/pass.c
1 FAIL: dump/found.c
1 FAIL: dump/no-dump.c
2 ERROR: dump/no-scan.c
6 PASS: e2e/pass.c
6 FAIL: e2e/stat.c
1 PASS: e2e/no-stat.c
1 PASS: e2e/scan.c
1 FAIL: e2e/scan-count.c
6 FAIL: e2e/out.c
6 FAIL: e2e/injected.c
5 FAIL: e2e/exit-status.c
1 PASS: e2e/exit-status.c
6 FAIL: e2e/stderr.c
6 FAIL: e2e/argument.c
1 ERROR: e2e/hang.c
1 FAIL: e2e/crash.c
1 FAIL: e2e/no-statistics.c
1 ERROR: e2e/unknown.c
6 ERROR: e2e/none.c
1 ERROR: e2e/no-claim.c
1 FAIL: e2e/warning.c
1 XFAIL: e2e/expected.c
1 XPASS: e2e/unexpected.c
1 SKIP: e2e/skip.sh
1 FAIL: e2e/script.sh
WANTED
sort -o got got
diff wanted got || fail "results (<: wanted)"
last=$(tail -n 1 out)
[ "$last" = "11 passed, 56 failed, 1 skipped, 1 expected to fail" ] || fail "the last line is: $last"
run e2e/pass.c:-O2 || fail "one test in one variant: $(cat out)"
[ "$(cat out)" = "1 passed, 0 failed" ] || fail "one test in one variant: $(cat out)"
run e2e/absent.c && fail "a test that does not exist passes"
run e2e/pass.c:-O9 && fail "a variant that does not exist passes"
exit 0
