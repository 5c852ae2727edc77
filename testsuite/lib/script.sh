# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For tests that are scripts: `. "$PG_ROOT/testsuite/lib/script.sh"`.  They run in a directory of their own, which is
# $TMPDIR; what they print is shown if they fail.

set -u -o pipefail
plugin=$PG_BUILD/paragon.so
library=$PG_BUILD/libparagon.so.1
# shellcheck disable=SC2034
gcc_major=$("$PG_CC" -dumpversion | sed 's/\..*//')

fail ()
{
  echo "$*"
  exit 1
}

skip ()
{
  echo "$*"
  exit 77
}

# For tests of what the target fuses: leave them out where it cannot, or this machine.
need_fused_multiply_add ()
{
  if [[ $("$PG_CC" -dumpmachine) != x86_64-* ]] || ! grep -qw fma /proc/cpuinfo
  then
    skip "no fused multiply-add"
  fi
}

. "$PG_ROOT/testsuite/lib/stats.sh"
[ -f "$plugin" ] || skip "no $plugin"
cd "$TMPDIR" || exit 1

# For tests that run a program again and again on the device without a GPU: a kernel is compiled once.
keep_kernels ()
{
  mkdir modules
  export PG_MODULES=$PWD/modules PATH=$PG_BUILD/keeping:$PATH
}

# A program whose kernel is handed over, in sample.c.
sample ()
{
  cat > sample.c << 'SAMPLE'
#include <stdio.h>

static unsigned a[3000], b[3000];

__attribute__ ((noipa)) void
mix (int n, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = y[i] * 3 + x[i];
}

int
main (void)
{
  unsigned sum = 0;
  int i;

  for (i = 0; i < 3000; i++)
    a[i] = (unsigned) i;
  mix (3000, a, b);
  mix (2999, b, b + 1);
  for (i = 0; i < 3000; i++)
    sum = sum * 31 + b[i];
  printf ("%u\n", sum);
  return 0;
}
SAMPLE
}

# Run a program so that small regions go to the pool, with statistics in stats.json.
run_with_stats ()
{
  rm -f stats.json
  env PARAGON_THREADS=2 PARAGON_PLAN=pool PARAGON_STATS=stats.json "$@"
}
