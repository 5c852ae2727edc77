#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Cooperative execution in the paper's scenarios (Paragon paper, s5.3): the loop in the middle is possibly parallel; the
# loops before and after it run on the host or on the device.  With and without conflicts, re-entrant and not: the
# answer is the plain build's, and the trace says that things happened in the order in which they may.

. "$PG_ROOT/testsuite/lib/script.sh"
keep_kernels
command -v python3 > /dev/null || skip "no python3"
cat > loops.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 20000, ROUNDS = 6 };

/* Arrays with gaps between them, so that each is an object.  */
static void *
array (size_t len)
{
  size_t whole = (len + 65535) / 65536 * 65536;
  char *pages = mmap (NULL, whole + 2 * 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect (pages + 65536, whole, PROT_READ | PROT_WRITE) != 0)
    exit (1);
  return pages + 65536;
}

__attribute__ ((noipa)) void
before_in_order (int n, unsigned *x, unsigned seed)
{
  x[0] = seed;
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * 69069 + 1;
}

__attribute__ ((noipa)) void
before_at_once (int n, unsigned *x, unsigned seed)
{
  for (int i = 0; i < n; i++)
    x[i] = seed + i;
}

__attribute__ ((noipa)) void
set (int n, unsigned *y, const int *at, const unsigned *x)
{
  for (int i = 0; i < n; i++)
    y[at[i]] = x[i] * 3 + i;
}

__attribute__ ((noipa)) void
update (int n, unsigned *y, const int *at, const unsigned *x)
{
  for (int i = 0; i < n; i++)
    y[at[i]] = y[at[i]] * 5 + x[i];
}

__attribute__ ((noipa)) void
after_in_order (int n, unsigned *z, const unsigned *y)
{
  z[0] += y[0];
  for (int i = 1; i < n; i++)
    z[i] = z[i - 1] * 3 + y[i];
}

__attribute__ ((noipa)) void
after_at_once (int n, unsigned *z, const unsigned *y)
{
  for (int i = 0; i < n; i++)
    z[i] += y[i];
}

int
main (int argc, char **argv)
{
  const char *scenario = argv[1];
  int is_reentrant = argv[2][0] == 'r', conflict = argc > 3 ? atoi (argv[3]) : 0;
  unsigned *x = array (N * sizeof *x), *y = array (N * sizeof *y), *z = array (N * sizeof *z), sum = 0;
  int *at = array (N * sizeof *at);
  for (int i = 0; i < N; i++)
    at[i] = (int) (i * 7919L % N);
  if (conflict)
    at[conflict] = at[conflict - 1];
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      (strchr ("bd", *scenario) ? before_at_once : before_in_order) (N, x, round);
      (is_reentrant ? set : update) (N, y, at, x);
      (strchr ("bc", *scenario) ? after_at_once : after_in_order) (N, z, y);
    }
  for (int i = 0; i < N; i++)
    sum = sum * 31 + z[i] + y[i];
  printf ("%u\n", sum);
  return 0;
}
END
"$PG_CC" -O2 loops.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir loops.c -o parallel || exit 1
cat > look.py << 'END'
import json, sys
scenario, is_reentrant = sys.argv[1], sys.argv[2] == "r"
conflicts, keeps = len (sys.argv[3]) > 0, sys.argv[4] == "keeps"
events = [e for e in json.load (open ("trace.json"))["traceEvents"] if e["ph"] != "M"]
for e in events:
    e["end"] = e["ts"] + e.get ("dur", 0)
ARRAY = 80000

def of (function, kind):
    found = (e for e in events if e["args"]["function"] == function and e["cat"] == kind)
    return sorted (found, key=lambda e: e["ts"])

def copied (entry):
    return sum (e["args"]["bytes"] for e in events if e["cat"] == "copy in" and entry["ts"] <= e["ts"] <= entry["end"])

middle = "set" if is_reentrant else "update"
entries = of (middle, "entry")
assert len (entries) == 6, entries
for entry in entries:
    inside = [e for e in events if entry["ts"] <= e["ts"] <= entry["end"] and e["args"]["function"] == middle]
    rounds = [e for e in inside if e["cat"] == "round"]
    assert rounds, inside
    assert (entry["args"]["conflicts"] > 0) == conflicts, entry
    for r in rounds:
        own = [e for e in inside if r["ts"] <= e["ts"] and e["end"] <= r["end"]]
        copy, = (e for e in own if e["cat"] == "copy")
        kernels = [e for e in own if e["cat"] == "kernel"]
        # The kernel waits for the copy.  Unless the loop is re-entrant, the worker does, too.
        assert kernels and all (k["ts"] >= copy["ts"] for k in kernels)
        chunks = [e for e in inside if e["cat"] == "chunk" and r["ts"] <= e["ts"] and e["end"] <= r["end"]]
        if not is_reentrant:
            assert all (c["ts"] >= copy["end"] or c["end"] <= copy["ts"] for c in chunks)
        # The worker goes on while the device runs; who claims commits while the worker is parked.
        claims = [e for e in own if e["cat"] == "claim"]
        if r["args"]["to"] > r["args"]["from"]:
            claim, = claims
            commit, = (e for e in own if e["cat"] == "commit")
            parked, = (e for e in inside if e["cat"] == "parked" and e["args"]["to"] == claim["args"]["to"])
            assert claim["ts"] >= kernels[-1]["end"] and commit["ts"] >= claim["ts"]
            assert parked["ts"] <= commit["end"] <= parked["end"] + 0.001
            assert not any (parked["ts"] < c["ts"] < parked["end"] for c in chunks)
    assert any (r["args"]["to"] == 20000 for r in rounds) or conflicts
    # Before a conflict is reached, the caller has done a part, and the device the rest.
    taken = sum (e["args"]["to"] - e["args"]["from"] for e in inside if e["cat"] in ("chunk", "parked"))
    assert taken == 20000, (taken, inside)

# What the loop before left on the device is not copied again, nor what this one leaves for the next.
if keeps and not conflicts:
    last, want = entries[-1], 0 if scenario in "bd" else ARRAY
    assert want <= copied (last) <= want + 65536, (scenario, copied (last))
    after = of ("after_at_once" if scenario in "bc" else "after_in_order", "entry")
    if scenario in "bc":
        assert copied (after[-1]) == 0, copied (after[-1])
END

# Whether mirrors can be kept here at all.
keeps=not
PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_STATS=stats.json ./parallel b u > out || fail "no device"
[ "$(grep -o '"copied_in":[0-9]*' stats.json | awk -F : '{ n += $2 } END { print n }')" -gt 4000000 ] || keeps=keeps

for scenario in a b c d
do
  for kind in r u
  do
    for conflict in '' 13000
    do
      # shellcheck disable=SC2086
      ./plain $scenario $kind $conflict > expected
      for race in device host random:$RANDOM
      do
        # shellcheck disable=SC2086
        env PARAGON_DEVICE=emu PARAGON_PLAN=cooperate "PARAGON_RACE=$race" PARAGON_TRACE=trace.json \
          ./parallel $scenario $kind $conflict > out || fail "$scenario $kind $conflict $race: status $?"
        cmp -s expected out || fail "$scenario $kind $conflict $race: another answer"
        [ "$race" != device ] || python3 look.py "$scenario" "$kind" "$conflict" "$keeps" ||
          fail "$scenario $kind $conflict: another order"
      done
    done
  done
done
exit 0
