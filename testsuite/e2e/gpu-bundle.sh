#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What `make gpu-bundle` packs runs where nothing else of this folder is, without a GPU by emu, and says what it found;
# also what fails, hangs, or finds no time.

. "$PG_ROOT/testsuite/lib/script.sh"
[ -x "$PG_BUILD/unit/test-emu-grids" ] || skip "no $PG_BUILD/unit/test-emu-grids"

ONLY=device/vadd:-O2 "$PG_ROOT/testsuite/gpu/bundle.sh" "$TMPDIR/bundle.tar.gz" || fail "nothing is packed"
mkdir "a folder" results
tar xzf bundle.tar.gz -C "a folder"
bundle="$TMPDIR/a folder/paragon-gpu"
[ -e /dev/nvidia0 ] && skip "a GPU is here: nothing is asked of it"

# says PATTERN...: the results have lines that match.
says ()
{
  local pattern
  for pattern
  do
    grep -q -- "$pattern" "$result" || fail "not there: $pattern: $(cat out "$result" "${result%.json}.log")"
  done
}

# From any folder, to where results go, and with links to them.
result=$bundle/polybench/results/gpu.json
(cd / && "$bundle/run.sh" -s > "$TMPDIR/out" 2>&1) || fail "it fails: $(cat out "${result%.json}.log")"
says '"gpu": "no GPU seen"' '"device": "emu"' '"step": "gpu", "status": "left out"' \
  '"step": "unit", "status": "passed".*1 passed, 0 failed' '"step": "device", "status": "passed".*1 passed, 0 failed' \
  '"step": "memcheck", "status": "left out".*no GPU seen' '"step": "measure", "status": "passed"' \
  '"program": "vadd", "arguments": "5000 3"' '"pool": {"rounds": 1, "total": [0-9.]*, .*"same": true}' \
  '"device-selective": .*"same": true, "entries": {"ran": 3, "conflict": 0, "all": 3}, "copied": {"in": [1-9]' \
  '"device-selective": .*"check": {"times": 3, .*"kernel": {"times": 3, .*"over_unsafe": [0-9]' \
  '"device-unsafe": .*"same": true, "entries": {"ran": 0, "conflict": 0, "all": 3}.*"kernel": {"times": 3, ' \
  '"device-planned": .*"same": true'
python3 -m json.tool "$result" > parsed || fail "no JSON: $(cat "$result")"

# What another answer is, and what was printed, is said; other steps run all the same.
# A trace says what a device did.
cat > "$bundle/build/kept/vadd_-O2/parallel" << 'WRONG'
#!/bin/sh
echo another answer
[ -z "$PARAGON_TRACE" ] || cat > "$PARAGON_TRACE" << 'TRACE'
{"ph":"X","pid":1,"tid":2,"cat":"check","name":"check x.c:3","ts":1.000,"dur":9.000,"args":{"from":1,"to":2}},
{"ph":"X","pid":1,"tid":0,"cat":"copy in","name":"copy in x.c:3","ts":1.000,"dur":2.500,"args":{"line":3,"bytes":40}},
{"ph":"X","pid":1,"tid":0,"cat":"copy in","name":"copy in x.c:3","ts":4.000,"dur":1.000,"args":{"line":3,"bytes":4}},
{"ph":"X","pid":1,"tid":0,"cat":"kernel","name":"kernel x.c:3","ts":5.000,"dur":7.000,"args":{"line":3,"blocks":2}}
TRACE
WRONG
result=$TMPDIR/results/wrong.json
ln -s "$bundle/run.sh" link
./link -s results/wrong.json > out 2>&1 && fail "wrong answers pass: $(cat "$result")"
says '"step": "unit", "status": "passed"' '"step": "device", "status": "failed".*0 passed, 1 failed' \
  '"step": "measure", "status": "failed".*5 runs failed' '"device": .*"same": false' \
  '"device": {"copy in": {"times": 2, "seconds": 0.000003500, "bytes": 44}' \
  '"kernel": {"times": 1, "seconds": 0.000007' '"over_unsafe": 1.000'
grep -q 'it differs' results/wrong.log || fail "nothing is said: $(cat results/wrong.log)"

# A step that hangs takes its time only, and nothing stays behind.
printf '#!/bin/sh\necho $$ > "%s/pid"\nsleep 100\n' "$TMPDIR" > "$bundle/build/unit/test-emu-grids"
result=$TMPDIR/results/late.json
"$bundle/run.sh" -s -t 5 results/late.json > out 2>&1 && fail "what hangs passes: $(cat "$result")"
says '"command": ".*run.sh -s -t 5"' '"step": "unit", "status": "late"' \
  '"step": "measure", "status": "left out", .*no time left'

grep -q '^[^Z]' <(ps -o stat= -p "$(cat pid)") && fail "it still runs"

# What is seen but not used is a failure, and so is what a sanitizer finds.
export PG_ROOT=$bundle PG_BUILD=$bundle/build PG_KEPT=$bundle/build/kept PG_DEVICE=cuda WORK=$TMPDIR
step=$bundle/testsuite/gpu/step.sh
"$step" gpu > out 2>&1 && fail "there is a GPU: $(cat out)"
cat > "$bundle/build/kept/vadd_-O2/parallel" << 'CONFLICTS'
#!/bin/sh
echo '{"offloaded":{"conflict":3}}' > "$PARAGON_STATS"
CONFLICTS
"$step" gpu > out 2>&1 || fail "loops that ran there and conflicted are not seen: $(cat out)"
cat > compute-sanitizer << 'FAKE'
#!/bin/sh
[ "$1 $2 $3 $4" = "--tool memcheck --error-exitcode 9" ] && shift 6 && exec "$@"
FAKE
chmod +x compute-sanitizer
PATH=$TMPDIR:$PATH
"$step" memcheck > out 2>&1 && fail "another answer passes: $(cat out)"
grep -q '^0 passed, 1 failed$' out || fail "nothing is said: $(cat out)"
cp "$PG_KEPT/vadd_-O2/plain" "$PG_KEPT/vadd_-O2/parallel"
"$step" memcheck > out 2>&1 || fail "the sanitizer: $(cat out)"
grep -q '^1 passed, 0 failed$' out || fail "nothing is said: $(cat out)"
"$step" racecheck > out 2>&1 && fail "what a sanitizer finds passes: $(cat out)"
exit 0
