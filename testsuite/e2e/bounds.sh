#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A sparse product whose arrays are all of one heap, which is one mapping: the device is given what the loop touches, to
# the byte, though only the index arrays say what that is; and it is known that a product changes none of its inputs.
# Between two products, indices change, an array moves, or nothing happens: the answer is the plain build's each time.
# So it is where arrays are global, and the product is proven parallel.

. "$PG_ROOT/testsuite/lib/script.sh"
command -v python3 > /dev/null || skip "no python3"
cat > product.c << 'END'
void
set (int n, const int *ptr, const int *col, const double *a, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = ptr[i]; j < ptr[i + 1]; j++)
	sum += a[j] * x[col[j]];
      y[i] = sum;
    }
}

void
update (int n, const int *ptr, const int *col, const double *a, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    {
      double sum = y[i];
      for (int j = ptr[i]; j < ptr[i + 1]; j++)
	sum += a[j] * x[col[j]];
      y[i] = sum;
    }
}

int global_ptr[4001], global_col[20000];
double global_a[20000], global_x[8000], global_y[4000];

void
set_global (int n)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = global_ptr[i]; j < global_ptr[i + 1]; j++)
	sum += global_a[j] * global_x[global_col[j]];
      global_y[i] = sum;
    }
}
END
cat > main.c << 'END'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4000, EACH = 5, N = ROWS * EACH, ROUNDS = 5 };

void set (int, const int *, const int *, const double *, const double *, double *);
void update (int, const int *, const int *, const double *, const double *, double *);
void set_global (int);
extern int global_ptr[], global_col[];
extern double global_a[], global_x[], global_y[];

int
main (int argc, char **argv)
{
  const char *what = argv[1];
  mallopt (M_MMAP_THRESHOLD, 1 << 24);
  int *ptr = malloc ((ROWS + 1) * sizeof *ptr), *col = malloc (N * sizeof *col);
  double *a = malloc (N * sizeof *a), *x = malloc (2 * ROWS * sizeof *x), *y = calloc (ROWS, sizeof *y), sum = 0;
  char *others = malloc (4 << 20);
  (void) argc;
  memset (others, 1, 4 << 20);
  if (strcmp (what, "global") == 0)
    {
      ptr = global_ptr;
      col = global_col;
      a = global_a;
      x = global_x;
      y = global_y;
    }
  for (int i = 0; i <= ROWS; i++)
    ptr[i] = i * EACH;
  for (int j = 0; j < N; j++)
    {
      col[j] = (int) (j * 7919L % ROWS);
      a[j] = j % 17;
    }
  for (int i = 0; i < 2 * ROWS; i++)
    x[i] = i % 31;
  if (strcmp (what, "negative") == 0)
    for (int j = 0; j < N; j++)
      col[j] -= ROWS / 2;
  for (int round = 0; round < ROUNDS; round++)
    {
      if (strcmp (what, "update") == 0)
	update (ROWS, ptr, col, a, x, y);
      else if (strcmp (what, "global") == 0)
	set_global (ROWS);
      else
	set (ROWS, ptr, col, a, strcmp (what, "negative") == 0 ? x + ROWS / 2 : x, y);
      for (int i = 0; i < ROWS; i++)
	sum = sum / 3 + y[i];
      if (strcmp (what, "outside") == 0)
	col[77] = ROWS + 100 * round;
      else if (strcmp (what, "inside") == 0)
	for (int j = 0; j < N; j++)
	  col[j] = (int) (j * 7919L % (ROWS - 100 * (round + 1)));
      else if (strcmp (what, "moved") == 0)
	{
	  double *moved = malloc (2 * ROWS * sizeof *x);
	  for (int i = 0; i < 2 * ROWS; i++)
	    moved[i] = x[i] + round;
	  memset (x, 255, 2 * ROWS * sizeof *x);
	  x = moved;
	}
    }
  printf ("%.17g\n", sum);
  return 0;
}
END
"$PG_CC" -O2 -c main.c || exit 1
"$PG_CC" -O2 product.c main.o -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir -c product.c || exit 1
"$PG_CC" product.o main.o -o parallel || exit 1

counted ()
{
  grep -o "\"$1\":[0-9]*" stats.json | awk -F : '{ n += $2 } END { print n }'
}

# Check that WHAT has the plain build's answer, that in all rounds the elements of x, X, and all of the other arrays are
# copied, that INPUTS are kept or changed, and that step RUNG was enough.
check ()
{
  local what=$1 x=$2 inputs=$3 rung=$4 race n_in
  ./plain "$what" > expected
  env PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_MIRRORS=off PARAGON_STATS=stats.json ./parallel "$what" > out ||
    fail "$what: status $?"
  cmp -s expected out || fail "$what: another answer"
  n_in=$((5 * (4 * 4001 + 4 * 20000 + 8 * 20000 + 8 * 4000) + 8 * x))
  [ "$(counted copied_in)" -eq $n_in ] || fail "$what: $(counted copied_in) bytes were copied in, not $n_in"
  [ "$(counted copied_out)" -eq $((5 * 8 * 4000)) ] || fail "$what: $(counted copied_out) bytes were copied out"
  [ "$(counted "$rung")" -eq 5 ] || fail "$what: not by $rung"
  for race in device host random:$RANDOM
  do
    env PARAGON_DEVICE=emu PARAGON_PLAN=cooperate "PARAGON_RACE=$race" PARAGON_TRACE=trace.json ./parallel "$what" \
      > out || fail "$what $race: status $?"
    cmp -s expected out || fail "$what $race: another answer"
    python3 - "$inputs" << 'END' || fail "$what $race: not $inputs"
import json, sys
chosen = [e for e in json.load (open ("trace.json"))["traceEvents"] if e.get ("cat") == "choose"]
assert len (chosen) == 5 and all (e["args"]["inputs"] == sys.argv[1] for e in chosen), chosen
END
  done
}

check nothing $((5 * 4000)) kept L3
check update $((5 * 4000)) changed L3
check outside $((4000 + 4001 + 4101 + 4201 + 4301)) kept L3
check inside $((4000 + 3900 + 3800 + 3700 + 3600)) kept L3
check moved $((5 * 4000)) kept L3
check negative $((5 * 4000)) kept L3
check global $((5 * 4000)) kept L0
exit 0
