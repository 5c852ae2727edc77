#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The report page in a browser: search, filter, sort, source, keyboard, with 5,000 loops.
#
# Needs Chromium.  check-page.js is what the browser does.  With PG_SHOTS=FOLDER, pictures of the page are left there.

set -u
: "${PG_ROOT:=$(cd "$(dirname "$0")/.." && pwd)}" "${PG_BUILD:=$PG_ROOT/build}" "${PG_CC:=gcc}"
shots=${PG_SHOTS:+$(cd "$PG_SHOTS" && pwd)} || exit 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail ()
{
  echo "check-page: $*" >&2
  exit 1
}

browser=
for name in chromium chromium-browser google-chrome
do
  [ -n "$browser" ] || browser=$(command -v "$name")
done
[ -n "$browser" ] || fail "no Chromium: apt-get install chromium"

browse ()
{
  HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --window-size=1400,900 "$@" 2> browser.log ||
    fail "$browser: $(tail -n 3 browser.log)"
}

cat > inlined.h << 'EOF'
static inline void
copy (const int *x, int *y, int i)
{
  y[i] = x[i];
}
EOF
cat > sample.c << 'EOF'
#include "inlined.h"
void work (int);

/* <b>bold</b> */
void
gather (int n, const int *idx, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[idx[i]];
}

void
copies (int n, const int *x, int *y)
{
  for (int i = 0; i < n; i++)
    copy (x, y, i);
}

void
works (int n)
{
  for (int i = 0; i < n; i++)
    work (i);
}
EOF
"$PG_CC" -O2 -fplugin="$PG_BUILD/paragon.so" -c sample.c || exit 1
awk 'BEGIN {
  for (i = 0; i < 5000; i++)
    printf "{\"file\":\"many/%d.c\",\"line\":%d,\"function\":\"f%d\",\"depth\":1,\"nest\":[1],\"references\":[]," \
	   "\"class\":\"possibly parallel\",\"reason\":\"pointers\",\"text\":\"t\",\"remedy\":\"\"," \
	   "\"outlined\":true,\"threshold\":9}\n", i / 50, i % 50 + 1, i > "many.json"
  printf "{\"pid\":1,\"foreign\":0,\"malformed\":0,\"regions\":[" > "runs.json"
  for (i = 0; i < 5000; i++)
    printf "%s{\"file\":\"many/%d.c\",\"line\":%d,\"function\":\"f%d\",\"class\":\"possibly\"," \
	   "\"reason\":\"pointers\",\"entries\":%d,\"ns\":%d}", \
	   i ? "," : "", i / 50, i % 50 + 1, i, i + 1, (i + 1) * 1000 > "runs.json"
  print "]}" > "runs.json"
}'
"$PG_BUILD/bin/paragon" report -o page.html -s runs.json many.json sample.o > messages 2>&1 || fail "$(cat messages)"

{
  sed '/^<\/body>$/,$d' page.html
  printf '<script>\n'
  cat "$PG_ROOT/testsuite/check-page.js"
  printf '</script>\n</body>\n</html>\n'
} > checked.html
browse --dump-dom "file://$work/checked.html" > dom.html
sed -n '/<pre id="checked">/,/<\/pre>/p' dom.html | sed 's/<[^>]*>//g' > results
[ -s results ] || fail "the page's script stopped: $(grep -m 3 CONSOLE browser.log)"
cat results

if [ -n "$shots" ]
then
  browse --screenshot="$shots/light.png" "file://$work/page.html" > /dev/null
  browse --blink-settings=preferredColorScheme=0 --screenshot="$shots/dark.png" "file://$work/page.html" > /dev/null
fi
failed=$(grep -c '^FAIL' results)
echo "$(grep -c '^PASS' results) passed, $failed failed"
[ "$failed" = 0 ]
