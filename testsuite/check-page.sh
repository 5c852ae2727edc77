#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The report page in a browser: search, filter, sort, source, keyboard, with 5,000 loops; and the timeline of 200,000
# events, in which it has a colour for each kind of event.
#
# Needs Chromium.  check-page*.js is what the browser does.  With PG_SHOTS=FOLDER, pictures of the page are left there.

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

# 980 entries of 0.1 ms, and before them a long one with all that there is to see.
awk '
function event (shape, tid, kind, at, len, loop, facts)
{
  printf "%s{\"ph\":\"%s\",\"pid\":1234,\"tid\":%d,\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%.3f,", n++ ? ",\n" : "",
         shape, tid, kind, kind, 5e9 + at
  if (shape == "X")
    printf "\"dur\":%.3f,", len
  printf "\"args\":{\"file\":\"many/%d.c\",\"line\":%d,\"function\":\"f%d\",%s}}", int (loop / 50), loop % 50 + 1,
         loop, facts
}
function track (tid, name, order)
{
  printf ",\n{\"ph\":\"M\",\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}", tid, name
  printf ",\n{\"ph\":\"M\",\"tid\":%d,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}", tid, order
}
BEGIN {
  printf "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
  event("i", 1, "conflict", 15000, 0, 7, "\"iteration\":3000,\"found by\":\"inspection\"")
  event("X", 1, "chunk", 2000, 10000, 7, "\"from\":0,\"to\":2048")
  event("X", 1, "join", 16000, 3000, 7, "\"jobs\":2")
  event("X", 1, "entry", 0, 20000, 7, "\"iterations\":4096,\"conflicts\":1,\"plan\":\"pool\",\"result\":\"pool\"")
  for (i = 0; i < 980; i++)
    {
      at = 20000 + 100 * i
      event("X", 1, "chunk", at + 5, 50, i, "\"from\":0,\"to\":10")
      event("X", 1, "entry", at, 90, i, "\"iterations\":10,\"conflicts\":0,\"plan\":\"pool\",\"result\":\"pool\"")
      for (c = 0; c < 202; c++)
        event("X", 2 + c % 2, "chunk", at + 10 + 0.25 * c, 0.4, i, "\"from\":" c ",\"to\":" c + 1)
      if (i % 10 == 0)
        {
          event("X", 1073741824, "copy in", at + 1, 3, i, "\"bytes\":4096")
          event("X", 1073741824, "kernel", at + 5, 40, i, "\"blocks\":8,\"threads\":256,\"name\":\"k\"")
        }
    }
  printf ",\n{\"ph\":\"M\",\"pid\":1234,\"name\":\"process_name\",\"args\":{\"name\":\"solve\"}}"
  track(1, "working thread", 0)
  track(2, "pool", 1)
  track(3, "pool", 1)
  track(1073741824, "device", 3)
  print "],\"otherData\":{\"dropped\":0}}"
}' > trace.json

# Make PAGE of these loops, and of what else ARGUMENTS say: make_page PAGE ARGUMENTS...
make_page ()
{
  "$PG_BUILD/bin/paragon" report -o "$1" -s runs.json "${@:2}" many.json sample.o > messages 2>&1 ||
    fail "$(cat messages)"
}

# Have the browser do what SCRIPT says on PAGE: check_page PAGE SCRIPT
check_page ()
{
  {
    sed '/^<\/body>$/,$d' "$1"
    printf '<script>\n'
    cat "$PG_ROOT/testsuite/check-page-common.js" "$PG_ROOT/testsuite/$2"
    printf '</script>\n</body>\n</html>\n'
  } > checked.html
  browse --dump-dom "file://$work/checked.html" > dom.html
  sed -n '/<pre id="checked">/,/<\/pre>/p' dom.html | sed 's/<[^>]*>//g' > checked
  [ -s checked ] || fail "the script of $1 stopped: $(grep -m 3 CONSOLE browser.log)"
  tee -a results < checked
}

make_page page.html
make_page timeline.html -t trace.json
check_page page.html check-page.js
check_page timeline.html check-page-timeline.js
while IFS= read -r kind
do
  grep -qF "\"$kind\": [" "$PG_ROOT/runtime/cli/page/timeline.js" ||
    echo "FAIL: events of kind $kind have no colour" | tee -a results
done < <(sed -n 's/^PG_TRACE_KIND ([A-Z_]*, "\([^"]*\)".*/\1/p' "$PG_ROOT/runtime/trace.def")

if [ -n "$shots" ]
then
  for page in page timeline
  do
    browse --screenshot="$shots/$page-light.png" "file://$work/$page.html" > /dev/null
    browse --blink-settings=preferredColorScheme=0 --screenshot="$shots/$page-dark.png" "file://$work/$page.html" \
      > /dev/null
  done
fi
failed=$(grep -c '^FAIL' results)
echo "$(grep -c '^PASS' results) passed, $failed failed"
[ "$failed" = 0 ]
