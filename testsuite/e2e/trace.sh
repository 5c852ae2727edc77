#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The trace of a program is JSON, with a track a thread, and tells what happened in the order in which it did: for a
# loop that is proven, for one whose first entry is inspected and whose second need not be, for conflicts, on a device.

. "$PG_ROOT/testsuite/lib/script.sh"
command -v python3 > /dev/null || skip "no python3"
cat > 'od"d\é.c' << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40000 };
static double x[N], y[N];
static int at[N];

__attribute__ ((noipa)) void
proven (int n)
{
  for (int i = 0; i < n; i++)
    x[i] = i * 0.5;
}

__attribute__ ((noipa)) void
scatter (int n, const int *place, double *to)
{
  for (int i = 0; i < n; i++)
    to[place[i]] += i;
}

int
main (int argc, char **argv)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    at[i] = (int) (i * 7ll % N);
  proven (N);
  scatter (N, at, y);
  if (argc == 1)
    scatter (N, at, y);
  if (argc == 2)
    {
      at[atoi (argv[1])] = at[atoi (argv[1]) - 5];
      scatter (N, at, y);
    }
  int child = argc == 3 ? fork () : -1;
  if (argc == 3)
    proven (child == 0 ? N / 2 : N);
  for (int i = 0; i < N; i++)
    sum = sum * 0.9 + y[i] + x[i];
  if (child > 0)
    wait (NULL);
  printf ("%.17g\n", sum);
  return 0;
}
END
"$PG_CC" -O2 'od"d\é.c' -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir 'od"d\é.c' -o parallel ||
  exit 1

# What all traces have to be, and words to look at one with.
cat > common.py << 'END'
import json, sys
trace = json.load (open (sys.argv[1], encoding="utf-8"))
assert trace["otherData"]["dropped"] == 0
everything = trace["traceEvents"]
pids = {e["pid"] for e in everything}
assert len (pids) == 1
names = {e["tid"]: e["args"]["name"] for e in everything if e["name"] == "thread_name"}
assert len (names) == sum (e["name"] == "thread_name" for e in everything)
events = sorted ((e for e in everything if e["ph"] != "M"), key=lambda e: (e["ts"], -e.get ("dur", 0)))
assert {e["ph"] for e in events} <= {"X", "i"}
assert {e["tid"] for e in events} == set (names)
assert all (e["args"]["file"] == 'od"d\\\u00e9.c' for e in events)
for e in events:
    e["end"] = e["ts"] + e.get ("dur", 0)

# On each track, an event that begins in another one ends in it.  Times have three digits.
for tid in names:
    stack = []
    for e in (e for e in events if e["tid"] == tid):
        while stack and stack[-1]["end"] <= e["ts"] + 0.0005:
            stack.pop ()
        assert not stack or e["end"] <= stack[-1]["end"] + 0.0005, (e, stack[-1])
        stack.append (e)

entries = [e for e in events if e["cat"] == "entry" and e["args"]["function"] in ("proven", "scatter")]

# The events of ENTRY, but for those of its kernels' compilation, and those called WHAT.
def inside (entry, what=None):
    return [e for e in events if entry["ts"] <= e["ts"] and e["end"] <= entry["end"] + 0.0005 and e is not entry
            and (what is None or e["cat"] == what)]

# What happened in ENTRY, on its thread, and chunks on any, one after the other.
def story (entry):
    words = []
    for e in inside (entry):
        word = e["cat"] + ("" if e["cat"] != "check" else " " + e["args"]["by"])
        is_own = e["tid"] == entry["tid"] and e["cat"] not in ("join", "monitor")
        if (is_own or e["cat"] == "chunk") and words[-1:] != [word]:
            words.append (word)
    return words

# Whether chunks of ENTRY are its iterations, each once.
def covers (entry):
    at = 0
    for lo, hi in sorted ((e["args"]["from"], e["args"]["to"]) for e in inside (entry, "chunk")):
        assert lo == at and hi > lo, (lo, at)
        at = hi
    return at == entry["args"]["iterations"]
END

# Run the program so that its loops go to the pool of two threads: trace ARGUMENTS...
trace ()
{
  local expected got
  expected=$(./plain "$@")
  got=$(env "${setting[@]}" PARAGON_THREADS=2 PARAGON_TRACE=trace.json ./parallel "$@" 2> messages) || fail "status $?"
  [ "$got" = "$expected" ] || fail "another answer: $got"
  [ ! -s messages ] || fail "$(cat messages)"
}

# Look at the trace.
look ()
{
  { cat common.py && cat; } > look.py
  python3 look.py trace.json || fail "$(python3 -m json.tool trace.json | tail -n +1 | head -c 100000 | head -n 40)"
}

setting=(PARAGON_PLAN=pool)
trace
look << 'END'
assert sorted (names.values ()) in (["working thread"], ["pool", "working thread"]), names
first, inspected, known = entries
for entry in entries:
    assert names[entry["tid"]] == "working thread"
    assert entry["args"]["plan"] == "pool" and entry["args"]["result"] == "pool"
    assert covers (entry) and inside (entry, "join")
assert story (first) == ["check numbers", "chunk"], story (first)
assert not [e for e in events if e["cat"] in ("conflict", "drop", "commit", "copy in", "kernel")]

# Each macro-chunk of the first entry: nothing is known of it, it is inspected, and runs.
words = story (inspected)
n = (len (words) - 1) // 3
assert n > 1 and words == ["check numbers"] + n * ["check verdict", "inspect", "chunk"], words
for e in inside (inspected, "inspect"):
    assert e["args"]["result"] == "clean"
    monitors = [m for m in inside (inspected, "monitor") if e["ts"] <= m["ts"] and m["end"] <= e["end"]]
    covered = {i for m in monitors for i in range (m["args"]["from"], m["args"]["to"])}
    assert covered == set (range (e["args"]["from"], e["args"]["to"]))
    before = [c for c in inside (inspected, "chunk") if c["ts"] < e["ts"]]
    assert all (c["end"] <= e["ts"] + 0.0005 and c["args"]["to"] <= e["args"]["from"] for c in before)

# The second time, all is known.
assert set (story (known)) == {"check numbers", "check verdict", "chunk"}
assert not inside (known, "monitor")
verdicts = {e["args"]["result"] for e in inside (known, "check") if e["args"]["by"] == "verdict"}
assert verdicts <= {"clean", "watched"}, verdicts
END

# Iterations 29995 and 30000 write the same: from there to the end of the macro-chunk, the working thread goes on alone.
# (Where index data are watched, it may be through before anybody knows.)
setting=(PARAGON_PLAN=pool PARAGON_WATCH=off)
trace 30000
look << 'END'
conflicting = entries[2]
mark, = inside (conflicting, "conflict")
assert mark["args"]["iteration"] == 30000 and mark["args"]["found by"] == "inspection"
assert conflicting["args"]["conflicts"] == 1 and covers (conflicting)
words = story (conflicting)
at = words.index ("conflict")
assert words[at - 2:at + 2] == ["inspect", "chunk", "conflict", "chunk"], words
alone = next (e for e in inside (conflicting, "chunk") if e["args"]["from"] == 30000)
assert alone["ts"] >= mark["ts"] and alone["tid"] == conflicting["tid"]
found = [e for e in inside (conflicting, "inspect") if e["args"]["result"] == "conflict"]
assert len (found) == 1 and found[0]["end"] <= mark["ts"] + 0.0005
END
setting=(PARAGON_PLAN=pool PARAGON_INJECT=at:100)
trace
look << 'END'
for entry in entries:
    mark, = inside (entry, "conflict")
    assert mark["args"]["iteration"] == 100 and mark["args"]["found by"] == "force"
    assert covers (entry)
END

# What is refused says why: a loop that is left out, before it is an entry.
setting=(PARAGON_LIMIT=0)
trace
look << 'END'
assert {(e["cat"], e["args"]["reason"]) for e in events} == {("refused", "filtered")}
assert list (names.values ()) == ["working thread"]
END

# A child has a trace of its own, with nothing of its parent's.
expected=$(./plain a b)
[ "$(PARAGON_PLAN=pool PARAGON_THREADS=2 PARAGON_TRACE=forked.%p.json ./parallel a b)" = "$expected" ] ||
  fail "another answer"
n=0
for file in forked.*.json
do
  mv "$file" trace.json
  echo "${file//[^0-9]/}" > number
  look << 'END'
number = int (open ("number").read ())
assert pids == {number}
iterations = [e["args"]["iterations"] for e in entries]
assert iterations in ([40000, 40000, 40000], [20000]), iterations
assert all (e["tid"] == number for e in entries)
END
  n=$((n + 1))
done
[ $n -eq 2 ] || fail "$n traces, not 2"

# A trace that cannot be written is missed in one line, and in nothing else.
got=$(PARAGON_PLAN=pool PARAGON_TRACE=/nonexistent/trace ./parallel 2> messages)
[ "$got" = "$(./plain)" ] || fail "another answer"
[ "$(cat messages)" = "paragon: trace: /nonexistent/trace: No such file or directory" ] || fail "$(cat messages)"

# On a device: copied, run, checked where need be, brought back, committed; or dropped.
command -v "$PG_CXX" > /dev/null || skip "no $PG_CXX"
setting=(PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_METHOD=full)
trace 30000
look << 'END'
def first (entry, what):
    return inside (entry, what)[0]
assert "device" in names.values ()
for entry in entries[:2]:
    assert entry["args"]["result"] == "device"
    commit, = inside (entry, "commit")
    kernel = first (entry, "kernel")
    copies = inside (entry, "copy in")
    assert copies and all (e["args"]["bytes"] > 0 for e in copies + inside (entry, "copy out"))
    assert copies[-1]["end"] <= kernel["ts"] + 0.0005 and kernel["end"] <= commit["ts"] + 0.0005
    assert inside (entry, "copy out")[-1]["end"] <= commit["ts"] + 0.0005
    assert {names[e["tid"]] for e in copies + [kernel]} == {"device"}
    assert not inside (entry, "drop") and not inside (entry, "conflict")
checks = [e for e in inside (entries[1], "check") if names[e["tid"]] == "device"]
assert checks and checks[0]["ts"] >= first (entries[1], "kernel")["end"] - 0.0005
dropped = entries[2]
assert not inside (dropped, "commit")
assert first (dropped, "drop")["args"]["reason"] == "conflict"
assert first (dropped, "conflict")["args"]["found by"] == "device"
END
exit 0
