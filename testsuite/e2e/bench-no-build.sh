#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program that does not build with the plugin is no success in the table of make bench.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > cc << END
#!/bin/bash
case "\$*" in
  *-fplugin=*) echo "no such plugin today" >&2; exit 1 ;;
esac
exec "$(command -v "$PG_CC")" "\$@"
END
chmod +x cc
PG_CC=$PWD/cc ONLY=vadd RUNS=1 SIZE=test RESULT=$PWD/result "$PG_ROOT/polybench/bench.sh" > out 2> err
[ $? -eq 1 ] || fail "status $?: $(cat out err)"
grep -q 'vadd: paragon does not build: no such plugin today' err || fail "$(cat err)"
grep -qE '^vadd .* failed$' out || fail "$(cat out)"
exit 0
