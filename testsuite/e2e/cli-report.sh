#!/bin/bash
# SPDX-License-Identifier: MIT
#
# paragon report: the page's data are JSON and have each loop once, with the sums of all profiles and its source, and
# the events of traces, whatever stands in names and sources; what cannot be read or written gets one line, and what was
# there is kept.

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
  [ "$(grep -oE '<(/script|!--)' "$1" | wc -l)" = 4 ] || fail "$1: not three scripts and a comment"
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

# The trace of a run: each event is there, on its thread, with all that it tells.
PARAGON_THREADS=2 PARAGON_PLAN=pool PARAGON_TRACE=trace.json ./program > /dev/null || exit 1
cat > look.py << 'PYTHON'
import json, sys
t = json.load(open("data.json", encoding="utf-8"))["timelines"]
trace = json.load(open(sys.argv[1], encoding="utf-8"))
run = t["runs"][int(sys.argv[2])]
first = min(round(e["ts"] * 1000) for e in trace["traceEvents"] if e["ph"] in "Xi")

def told(fields):
    kind = t["kinds"][fields[2]]
    args = dict(zip(kind["numbers"], fields[4:]))
    args.update(zip(kind["words"], (t["words"][w] for w in fields[4 + len(kind["numbers"]):])))
    args.update(t["places"][fields[3]] if fields[3] >= 0 else {})
    return kind["name"], fields[0], fields[1], json.dumps(args, sort_keys=True)

def wanted(event):
    args = {n: v for n, v in event["args"].items() if isinstance(v, (int, str))}
    return (event["cat"], round(event["ts"] * 1000) - first, round(event.get("dur", 0) * 1000),
            json.dumps(args, sort_keys=True))

names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e.get("name") == "thread_name"}
order = {e["tid"]: e["args"]["sort_index"] for e in trace["traceEvents"] if e.get("name") == "thread_sort_index"}
tids = sorted({e["tid"] for e in trace["traceEvents"] if e["ph"] in "Xi"}, key=lambda tid: (order.get(tid, 0), tid))
assert len(run["tracks"]) == len(tids), run
for tid, track in zip(tids, run["tracks"]):
    assert track["name"].rstrip(" 0123456789") == names.get(tid, "thread"), track["name"]
    for which, shape, count in (("spans", "X", "n_spans"), ("marks", "i", "n_marks")):
        all = sorted(wanted(e) for e in trace["traceEvents"] if e.get("tid") == tid and e["ph"] == shape)
        shown = [told(fields) for fields in track[which]]
        assert track[count] == len(all), (track[count], len(all))
        assert shown == sorted(shown, key=lambda e: (e[1], -e[2])), which
        if shape == "X" and run["left_out"] > 0:
            all = [e for e in all if e[2] > run["left_out"]]
        if shape == "i" and run["marks_left_out"] > 0:
            all = [e for e in all if e[1] < 4000 * 1000]
        assert sorted(shown) == all, (track["name"], which, len(shown), len(all))
exec(sys.argv[3])
PYTHON

# What there is of TRACE, the Nth of the page, is right, and PYTHON holds of its run: traced TRACE N PYTHON
traced ()
{
  python3 look.py "$@" > wrong 2>&1 || fail "$1: $3: $(tail -n 3 wrong)"
}

cat > small.json << 'JSON'
{ "unknown" : { "traceEvents" : [ 1 ] } , "otherData" : { "dropped" : 12, "more" : [] },
  "traceEvents" : [ {"ph":"X","tid":3,"cat":"join","ts":20,"dur":30,"args":{}}, {"ph":"C"}, {"ph":"M"},
    {"ph":"X","tid":3,"cat":"wait","ts":30.0,"dur":10,"args":{"for":"</script><b>","part":0.5}},
    {"ph":"X","tid":3,"cat":"entry","ts":0,"dur":100,"args":{"iterations":9007199254740993}},
    {"ph":"i","tid":3,"cat":"drop","ts":7,"args":{}} ] }
JSON
reports '' -t trace.json --trace small.json -o page.html program
[ "$(cat out)" = 'page.html: loops: 3, files: 1, runs: 0, traces: 2' ] || fail "it says: $(cat out)"
data_of page.html
traced trace.json 0 'assert run["file"] == "trace.json" and run["name"].startswith("program ")'
traced trace.json 0 'assert {"file": "sample.c", "line": '"$line"', "function": "mix"} in t["places"]'
traced trace.json 0 'assert run["left_out"] == run["marks_left_out"] == run["dropped"] == 0'
traced small.json 1 'assert run["tracks"][0]["busy"] == 70000 and run["tracks"][0]["waits"] == 30000'
traced small.json 1 'assert run["ns"] == 100000 and run["dropped"] == 12'
holds "{kind['name'] for kind in d['timelines']['kinds'] if kind['waits']} == {'join', 'wait'}"

# Of many events, the longest spans and the first marks.
python3 - << 'PYTHON' || exit 1
import json
events = [{"ph": "X", "tid": 5 + i % 2, "cat": "chunk", "ts": 50 * i, "dur": (i + 1) / 1000, "args": {"from": i}}
          for i in range(30000)]
events += [{"ph": "i", "tid": 5, "cat": "conflict", "ts": 4999 - i, "args": {}} for i in range(5000)]
events += [{"ph": "M", "tid": 5, "name": "thread_sort_index", "args": {"sort_index": 1}}]
json.dump({"traceEvents": events}, open("long.json", "w"), indent=2)
PYTHON
reports '' -t long.json -o page.html program
data_of page.html
traced long.json 0 'assert run["left_out"] == 10000 and run["marks_left_out"] == 1000'
traced long.json 0 'assert sum(len(track["spans"]) for track in run["tracks"]) == 20000'
traced long.json 0 'assert [track["busy"] for track in run["tracks"]] == [sum(range(i, 30001, 2)) for i in (2, 1)]'

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
refuses 'none.json: No such file' -t none.json -o page.html program
head -c 300 trace.json > cut.json
for event in '{"ph":"X","tid":1,"cat":"a","ts":1}' '{"ph":"i","tid":1,"cat":"a","ts":-1}' \
  '{"ph":"i","cat":"a","ts":"1"}' '{"ph":"i","tid":1,"ts":1}' \
  '{"ph":"X","tid":1,"cat":"a","ts":1,"dur":1e16}' '{}' '1' 'null'
do
  n=$((${n-0} + 1))
  echo "{\"traceEvents\":[$event]}" > "event-$n.json"
done
echo '{"traceEvents":[]} more' > more.json
for file in cut.json event-?.json more.json one.json list.json empty sample.c program /dev/null .
do
  refuses "$file: not what a program writes with PARAGON_TRACE" -t "$file" -o page.html program
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
