#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A debugger stops in the loop as it runs on the pool, at the line of its body, in a function named after the user's,
# and knows who called it.

. "$PG_ROOT/testsuite/lib/script.sh"
command -v gdb > /dev/null || skip "no gdb"
sample
"$PG_CC" -O2 -g "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o sample || exit 1
line=$(grep -n 'y\[i\] = y\[i\] \* 3' sample.c | cut -d : -f 1)
PARAGON_THREADS=2 PARAGON_PLAN=pool gdb -q -nx -batch -ex "break sample.c:$line" -ex run -ex next -ex bt ./sample \
  > out 2>&1 < /dev/null
grep -qi 'ptrace: operation not permitted' out && skip "gdb may not trace here"
grep -qE "hit Breakpoint 1.*, mix\.paragon\.[0-9]+ \(.*\) at sample\.c:$line" out || fail "it does not stop: $(cat out)"
grep -qE '^#[0-9]+ .*(run_job|run_chunk|pg_entry|mix|start_thread|clone)' out || fail "no callers: $(cat out)"
exit 0
