#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A make that goes from folder to folder, with sources of one name in several of them: objects, programs, runs, reports
# and pages call each as it is called seen from where paragon build was started; the same tree elsewhere gives the same
# bytes.

. "$PG_ROOT/testsuite/lib/script.sh"
command -v python3 > /dev/null || skip "no python3"
paragon=$PG_BUILD/bin/paragon
[ -x "$paragon" ] || skip "no $paragon"
unset CC CXX FC PARAGON_CC PARAGON_CXX PARAGON_FC PARAGON_ARGS MAKEFLAGS MFLAGS MAKELEVEL
export CC=gcc
mkdir bin && ln -s "$(command -v "$PG_CC")" bin/gcc || exit 1
PATH=$TMPDIR/bin:$PATH

# One library and one program, each of two main.c, one of them two folders down; a header with a loop.
mkdir -p tree/lib/deep tree/tools tree/include && cd tree || exit 1
cat > include/fill.h << 'FILL'
static inline void
fill (int n, unsigned *x)
{
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 5 + 1;
}
FILL
cat > lib/deep/main.c << 'DEEP'
#include "../../include/fill.h"

void
deep (int n, unsigned *x, const unsigned *y)
{
  fill (n, x);
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 3 + y[i];
}
DEEP
cat > tools/main.c << 'TOOL'
#include <stdio.h>

static unsigned x[3000], y[3000];
void deep (int n, unsigned *x, const unsigned *y);

__attribute__ ((noipa)) void
mix (int n, unsigned *x, const unsigned *y)
{
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 7 + y[i];
}

int
main (void)
{
  deep (3000, x, y);
  mix (3000, y, x);
  printf ("%u %u\n", x[2999], y[2999]);
  return 0;
}
TOOL
cat > Makefile << 'MAKE'
export DEEP = libdeep.a
all: lib tools
lib tools:
	$(MAKE) -C $@
tools: lib
.PHONY: all lib tools
MAKE
printf 'all:\n\t$(MAKE) -C deep $(DEEP)\n' > lib/Makefile
printf 'libdeep.a: main.o\n\tar rcD $@ $<\nmain.o: main.c\n\t$(CC) -O2 $(CFLAGS) -c $<\n' > lib/deep/Makefile
printf 'tool: main.c\n\t$(CC) -O2 $(CFLAGS) ./main.c ../lib/deep/$(DEEP) -o $@\n' > tools/Makefile
cd .. && cp -r tree plain && cp -r tree linked && mkdir -p far/away && cp -r tree far/away/ || exit 1
make -s -C plain > make.out 2>&1 && plain/tools/tool > plain.out || fail "plain: $(cat make.out)"

builds ()
{
  (cd "$1" && "$paragon" build -a threshold=0 -o loops.json -- make -s -j2 "${@:2}") > make.out 2>&1 ||
    fail "$*: $(cat make.out)"
}
builds tree
cd tree || exit 1
wanted=$(printf 'include/fill.h:4\nlib/deep/main.c:7\ntools/main.c:9')

# What each file says of its loops.
for where in loops.json . 'lib/deep/main.o tools/tool' 'lib/deep/libdeep.a tools/tool'
do
  for place in $wanted
  do
    # shellcheck disable=SC2086
    "$paragon" explain "$place" $where > out 2> messages || fail "$place in $where: $(cat messages)"
    grep -q "^$place: .* handed over from 1 iterations" out || fail "$place in $where: $(cat out)"
    grep -qE '^            for \(int i = 0; i < n; i\+\+\)$' out || fail "no source of $place in $where: $(cat out)"
  done
done
"$paragon" explain main.c 2> messages && fail "one of two is chosen"
grep -qE 'may be (lib/deep|tools)/main.c or (lib/deep|tools)/main.c' messages || fail "it says: $(cat messages)"

# What a run says, and what it is told.
run_with_stats tools/tool > out && cmp -s out ../plain.out || fail "another answer: $(cat out)"
export PARAGON_THREADS=2 PARAGON_PLAN=pool
PARAGON_ONLY=lib/deep/main.c:7 PARAGON_STATS=only.json tools/tool | cmp -s - ../plain.out || fail "another answer"
"$paragon" report -s stats.json > out 2> messages || fail "$(cat messages)"
[ ! -s messages ] || fail "on stderr: $(cat messages)"
sed -n 's,^<script type="application/json" id="data">\(.*\)</script>$,\1,p' paragon-report.html > data.json
cat > look.py << 'PYTHON'
import json, sys
d = json.load(open("data.json"))
only = {r["file"]: r["pool"] for r in json.load(open("only.json"))["regions"]}
handed = {"%s:%d" % (l["file"], l["line"]): l for l in d["loops"] if l["outlined"]}
assert sorted(handed) == sys.argv[1].split(), sorted(handed)
assert all(l["run"]["entries"] == l["run"]["pool"] == 1 for l in handed.values()), handed
for name, source in d["sources"].items():
    assert source["text"] == open(name).read(), name
assert only == {"include/fill.h": 0, "lib/deep/main.c": 1, "tools/main.c": 0}, only
PYTHON
python3 look.py "$wanted" > messages 2>&1 || fail "$(cat messages)"

# A whole path, which is kept, and for which the table of a run has room.
"$paragon" build -a threshold=0 -- gcc -O2 "$PWD/tools/main.c" lib/deep/libdeep.a -o whole > out 2>&1 ||
  fail "$(cat out)"
"$paragon" run ./whole > out 2> table || fail "$(cat table)"
cmp -s out ../plain.out && grep -qF "paragon: $PWD/tools/main.c:9 mix" table || fail "a whole path: $(cat table)"
awk '/^paragon: loop / { at = index ($0, " class") }
  / (parallel|possibly) / { n++; failed = failed || match ($0, / (parallel|possibly) +[0-9]+ /) != at }
  END { exit failed || n != 3 }' table || fail "not in columns: $(cat table)"
cd ..

# The same elsewhere; nothing of where that is; links with -flto.
builds far/away/tree
for made in lib/deep/main.o lib/deep/libdeep.a tools/tool
do
  cmp "tree/$made" "far/away/tree/$made" || fail "$made depends on where it was made"
  ! grep -qF "$TMPDIR" "tree/$made" || fail "$made says where it was made"
done
builds linked CFLAGS=-flto DEEP=main.o
for place in lib/deep/main.c:7 tools/main.c:9
do
  (cd linked && "$paragon" explain $place tools/tool) > out 2>&1 || fail "$place with -flto: $(cat out)"
done

# From beside the tree, and without a build: seen from there, and as the compiler was given it.
mkdir beside && cd beside || exit 1
"$paragon" build -- make -s -C ../tree/tools -B DEEP=libdeep.a > out 2>&1 || fail "$(cat out)"
"$paragon" explain ../tree/tools/main.c:9 ../tree/tools/tool > out 2>&1 && grep -q '^\.\./tree/tools/main.c:9: ' out ||
  fail "from beside it: $(cat out)"
make -s -C ../tree/tools -B DEEP=libdeep.a "CC='$PG_BUILD/bin/paragon-gcc'" > out 2>&1 || fail "$(cat out)"
"$paragon" explain ./main.c:9 ../tree/tools/tool > out 2>&1 && grep -q '^\./main.c:9: ' out ||
  fail "a wrapper alone: $(cat out)"
