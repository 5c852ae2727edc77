#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A profiler's library, named as NVTX wants it, is told of each entry as a range, and every range ends.  Here it is one
# of our own, which counts; with NVIDIA's headers, where there are any, so that both mean the same by a number.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
cat > injection.c << 'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef HAS_NVTX
#include <nvtx3/nvToolsExt.h>
enum
{
  MODULES = NVTX_ETID_CALLBACKS,
  CORE = NVTX_CB_MODULE_CORE,
  MARK = NVTX_CBID_CORE_MarkA,
  PUSH = NVTX_CBID_CORE_RangePushA,
  POP = NVTX_CBID_CORE_RangePop,
  N_CORE = NVTX_CBID_CORE_SIZE
};
typedef NvtxFunctionPointer function;
typedef NvtxExportTableCallbacks modules;
typedef NvtxCallbackModule module;
_Static_assert (sizeof (NvtxExportTableVersionInfo) == 24, "as it is given");
#define get_table GetModuleFunctionTable
#else
enum
{
  MODULES = 1,
  CORE = 1,
  MARK = 2,
  PUSH = 9,
  POP = 11,
  N_CORE = 16
};
typedef void (*function) (void);
typedef int module;
typedef struct
{
  size_t struct_size;
  int (*get_table) (module, function ***, unsigned *);
} modules;
#endif

static _Atomic int n_pushed, n_popped, n_marked, n_entries;

static int
push (const char *name)
{
  n_entries += strncmp (name, "entry sample.c:", 15) == 0;
  return n_pushed++;
}

static int
pop (void)
{
  return n_popped++;
}

static void
mark (const char *name)
{
  n_marked += strncmp (name, "conflict sample.c:", 18) == 0;
}

static __attribute__ ((destructor)) void
tell (void)
{
  FILE *out = fopen ("told", "w");
  fprintf (out, "%d %d %d %d\n", n_pushed, n_popped, n_entries, n_marked);
  fclose (out);
}

int
InitializeInjectionNvtx2 (const void *(*get) (uint32_t))
{
  const modules *exported = get (MODULES);
  function **table;
  unsigned len;
  if (exported == NULL || exported->struct_size < sizeof *exported
      || !exported->get_table ((module) CORE, &table, &len) || len < N_CORE * sizeof *table)
    return 0;
  *table[PUSH] = (function) push;
  *table[POP] = (function) pop;
  *table[MARK] = (function) mark;
  return 1;
}
END
headers=()
if cuda=$(command -v nvcc) && [ -f "$(dirname "$(readlink -f "$cuda")")/../include/nvtx3/nvToolsExt.h" ]
then
  headers=(-DHAS_NVTX -isystem "$(dirname "$(readlink -f "$cuda")")/../include")
fi
"$PG_CC" -shared -fPIC "${headers[@]}" injection.c -o injection.so || exit 1
"$PG_CC" -O2 sample.c -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 sample.c -o parallel || exit 1
expected=$(./plain)

# The program enters two loops of main, and mix twice.
got=$(NVTX_INJECTION64_PATH=$PWD/injection.so run_with_stats ./parallel) || fail "status $?"
[ "$got" = "$expected" ] || fail "another answer: $got"
read -r pushed popped entries marked < told || fail "the library was not told"
[ "$entries" -ge 3 ] && [ "$entries" = "$(stat_sum entries stats.json)" ] || fail "$entries entries: $(cat stats.json)"
[ "$pushed" = "$popped" ] && [ "$pushed" -gt "$entries" ] || fail "$pushed ranges began, $popped ended"
[ "$marked" = 0 ] || fail "$marked conflicts"
got=$(NVTX_INJECTION64_PATH=$PWD/injection.so PARAGON_INJECT=at:7 run_with_stats ./parallel) || fail "status $?"
[ "$got" = "$expected" ] || fail "another answer: $got"
read -r pushed popped entries marked < told
[ "$marked" -ge 2 ] && [ "$marked" = "$(stat_sum conflicts stats.json)" ] || fail "$marked conflicts: $(cat stats.json)"
[ "$pushed" = "$popped" ] || fail "$pushed ranges began, $popped ended"

# Together with a trace, and where the library is not there, or not one.
got=$(NVTX_INJECTION64_PATH=$PWD/injection.so PARAGON_TRACE=trace.json run_with_stats ./parallel) || fail "status $?"
[ "$got" = "$expected" ] && [ -s trace.json ] || fail "no trace beside ranges"
for library in /nonexistent/injection.so /dev/null "$plugin"
do
  got=$(NVTX_INJECTION64_PATH=$library run_with_stats ./parallel 2>&1) || fail "$library: status $?"
  [ "$got" = "$expected" ] || fail "$library: another answer: $got"
done
