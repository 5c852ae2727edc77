#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon report: the page's data are JSON and have each loop once, with the sums of all profiles and its source,
# whatever stands in names and sources; what cannot be read or written gets one line, and what was there is kept.

. "$PG_ROOT/testsuite/lib/script.sh"
command -v python3 > /dev/null || skip "no python3"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
sample
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o program || exit 1
run_with_stats ./program > /dev/null && cp stats.json one.json && run_with_stats ./program > /dev/null || exit 1

# Make a page, with this on stderr: reports PATTERN ARGUMENTS...  Its data are then in data.json.
reports ()
{
  local pattern=$1
  shift
  "$paragon" report "$@" > out 2> messages || fail "status $?: report $*: $(cat messages)"
  [ "$(wc -l < messages)" -le 1 ] && grep -qE -e "^$pattern\$" <(cat messages; [ -s messages ] || echo) ||
    fail "report $*: not $pattern: $(cat messages)"
}

data_of ()
{
  sed -n 's,^<script type="application/json" id="data">\(.*\)</script>$,\1,p' "$1" > data.json
  [ "$(grep -oE '<(/script|!--)' "$1" | wc -l)" = 3 ] || fail "$1: not two scripts and a comment"
  [ "$(tail -n 1 "$1")" = '</html>' ] || fail "$1 is cut short"
}

# Is PYTHON, of the page's data d and its loops by line, true?
holds ()
{
  python3 - "$1" << 'PYTHON' || fail "not $1: $(head -c 3000 data.json)"
import json, sys
d = json.load(open("data.json", encoding="utf-8"))
by_line = {loop["line"]: loop for loop in d["loops"]}
sys.exit(not eval(sys.argv[1]))
PYTHON
}

# It says this in one line, and writes nothing: refuses PATTERN ARGUMENTS...
refuses ()
{
  local pattern=$1 status
  shift
  echo before > page.html
  "$paragon" report "$@" > out 2> messages
  status=$?
  [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < messages)" = 1 ] ||
    fail "status $status: report $*: $(head -n 3 out messages)"
  grep -qE -e "^paragon: $pattern" messages || fail "report $*: not $pattern: $(cat messages)"
  [ "$(cat page.html)" = before ] && [ -z "$(compgen -G '*.html.*')" ] || fail "report $*: $(ls)"
}

# Two runs are summed; each loop is there once, whoever speaks of it; the order of the arguments is free.
line=$(grep -n 'for (i = 0; i < n; i++)' sample.c | cut -d : -f 1)
reports '' -s one.json program . --stats stats.json
[ "$(cat out)" = 'paragon-report.html: loops: 3, files: 1, runs: 2' ] || fail "it says: $(cat out)"
data_of paragon-report.html
loop="by_line[$line]"
holds "${loop}['function'] == 'mix' and ${loop}['class'] == 'possibly parallel' and ${loop}['reason'] == 'pointers'"
holds "${loop}['run']['entries'] == 4 and ${loop}['run']['iterations'] == 2 * 3000"
holds "${loop}['run']['rungs'] == {'L1': 2} and ${loop}['run']['refused'] == {'conflict': 2}"
holds "${loop}['run']['ns'] > 0 and 'line' not in ${loop}['run']"
holds "len(d['loops']) == len(by_line) == 3 and d['profiles'] == ['one.json', 'stats.json'] and d['refused'] == 0"
holds "d['sources']['sample.c']['text'] == open('sample.c').read() and 'stale' not in ${loop}"
holds "d['texts']['refused']['small'] == 'too little work' and 'lifted' in d['texts']['kernel']"
[ "$(stat -c %a paragon-report.html)" = "$(printf '%o' $((0666 & ~$(umask))))" ] || fail "$(ls -l paragon-report.html)"

# To stdout; without profiles; through a link, which stays one.
reports '' -o - program
data_of out
holds "d['profiles'] == [] and not any('run' in loop for loop in d['loops'])"
ln -s target.html link.html && echo old > target.html
reports '' -o link.html program
[ -L link.html ] && grep -q '^</html>' target.html || fail "a link is not followed: $(ls -l)"

# A loop of a profile that no source of verdicts knows.
sed 's/"function":"mix"/"function":"other"/' one.json > other.json
reports '' -s other.json -s stats.json -o page.html program
data_of page.html
holds "[loop['run']['entries'] for loop in d['loops'] if loop['line'] == $line] == [2, 2] and len(d['loops']) == 4"
holds "[loop['text'] for loop in d['loops'] if loop['function'] == 'other'] == [${loop}['text']]"

# Names and sources that are no harmless text.
name='</script><!-- "'\''&\.c'
mkdir -p "${name%/*}"
{ printf '// </script><script>alert (1)</script> "quoted" \\u0041 \xff\xfe caf\xe9 \xc3\xa9 \xed\xa0\x80 \x01\n'
  cat sample.c; } > "$name"
mkdir hostile && "$PG_CC" -O2 "-fplugin=$plugin" -c "$name" -o hostile/sample.o || exit 1
reports '' -o page.html hostile
data_of page.html
cat > look.py << 'PYTHON'
import json, sys
d = json.load(open("data.json", encoding="utf-8"))
name = "</script><!-- \"'&\\.c"
text = d["sources"][name]["text"]
assert text.startswith("// </script><script>alert (1)</script> \"quoted\" \\u0041 \xff\xfe caf\xe9 \xe9 "
                       "\xed\xa0\x80 \x01\n"), text[:100]
assert {loop["file"] for loop in d["loops"]} == {name}, d["loops"]
PYTHON
python3 look.py || fail "$(head -c 600 data.json)"
python3 - << 'PYTHON' || exit 1
import json
loop = {"line": 1, "class": "sequential", "reason": "call", "text": "", "remedy": "", "outlined": False, "depth": 1}
with open("names.json", "wb") as out:
    for name in (b"__proto__", b"\\u00ff.c", b"a\xe2\x80\xa8b.c"):
        line = json.dumps(dict(loop, file="FILE", function="</script>")).encode()
        out.write(line.replace(b"FILE", name) + b"\n")
PYTHON
reports 'paragon: .*No such file or directory: its source is not shown, nor that of 2 more' \
  -o page.html names.json
data_of page.html
holds "sorted(d['sources']) == ['__proto__', 'a\u2028b.c', '\xff.c'] and len(d['loops']) == 3"

# A source that is not there, or was changed since: said on the page and on stderr.
mv sample.c moved.c
reports 'paragon: sample.c: No such file or directory: its source is not shown' -o page.html program
data_of page.html
holds "d['sources'] == {'sample.c': {'why': 'No such file or directory'}}"
mkfifo sample.c
reports 'paragon: sample.c: not a file: its source is not shown' -o page.html program
rm sample.c && mv moved.c sample.c && touch -d '+1 minute' sample.c
reports 'paragon: sample.c: it was changed since it was compiled: its source is not shown' -o page.html program
data_of page.html
holds "'text' not in d['sources']['sample.c'] and all(loop['stale'] for loop in d['loops'])"
touch -r program sample.c

# Counts beyond all numbers.
sed 's/"entries":[0-9]*/"entries":9223372036854775807/' one.json > large.json
reports '' -s large.json -s large.json -o page.html program
data_of page.html
holds "${loop}['run']['entries'] == 2 ** 63 - 1"

# What is not there, is none of ours, or cannot be written.
head -c 100 one.json > cut.json
echo '{"regions":[{"file":"a.c"}]}' > half.json
echo '[1, 2]' > list.json
: > empty
refuses 'none.json: No such file' -s none.json -o page.html program
for file in cut.json half.json list.json empty sample.c program /dev/null .
do
  refuses "$file: not what a program writes with PARAGON_STATS" -s "$file" -o page.html program
done
refuses 'none.o: No such file' -o page.html none.o
refuses 'sample.c: neither an object' -o page.html sample.c
mkdir bare && refuses 'bare: no verdicts in it' -o page.html bare
refuses 'report: .*--nonsense: no such option' -o page.html --nonsense
refuses 'report: .*-s: no such option, or no value' -o page.html program -s
refuses 'none/page.html: No such file' -o none/page.html program
refuses 'program/page.html: Not a directory' -o program/page.html program
refuses 'bare: Is a directory' -o bare program
refuses '/dev/full: Operation not supported' -o /dev/full program
refuses '/proc/page.html: ' -o /proc/page.html program
echo before > page.html
(trap '' XFSZ; ulimit -f 4; exec "$paragon" report -o page.html program) > out 2> messages
[ $? = 2 ] && grep -qx 'paragon: page.html: File too large' messages && [ "$(cat page.html)" = before ] &&
  [ -z "$(compgen -G '*.html.*')" ] || fail "it writes what is too large: $(cat messages; ls)"
"$paragon" report -o - program > /dev/full 2> messages && fail "what cannot be written is not noticed"
grep -q '^paragon: stdout' messages || fail "it says: $(cat messages)"

# Many loops, of many files and runs.
python3 - << 'PYTHON' || exit 1
import json
rows = []
with open("many.json", "w") as out:
    for i in range(5000):
        place = {"file": "many/%d.c" % (i // 50), "line": 3 * (i % 50) + 1, "function": "f%d" % i}
        out.write(json.dumps(dict(place, depth=1, nest=[place["line"]], references=[], reason="pointers", text="t",
                                  remedy="", outlined=True, threshold=9, **{"class": "possibly parallel"})) + "\n")
        rows.append(dict(place, reason="pointers", entries=i + 1, ns=i * 1000, rungs={"L1": i + 1},
                         **{"class": "possibly"}))
json.dump({"pid": 1, "foreign": 1, "malformed": 2, "regions": rows}, open("runs.json", "w"))
PYTHON
reports 'paragon: many/0.c: .* nor that of 99 more' -s runs.json -s runs.json -s runs.json -o page.html \
  many.json
data_of page.html
holds "len(d['loops']) == 5000 and sum(loop['run']['entries'] for loop in d['loops']) == 3 * sum(range(5001))"
holds "all(loop['run']['rungs']['L1'] == loop['run']['entries'] for loop in d['loops']) and d['refused'] == 9"
