#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Another thread of the program writes, all the time, and reads back: elements that a loop leaves out by a condition,
# and the fields of the same structs that it does not write, some of which share a machine word with those that it does.
# Nothing of either is lost, whoever runs the loop.

. "$PG_ROOT/testsuite/lib/script.sh"
cat > others.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N = 6000, ROUNDS = 24 };

struct record
{
  int value;
  char mark, near_mark;
  short count, near_count;
  unsigned char tail[2];
};

static struct record records[N];
static int numbers[N], wanted[N], from[N], at[N];
static signed char letters[N];
static atomic_int n_laps, is_over;

/* Each loop leaves some elements out, by WANTED; their fields beside those that it writes are the other thread's.  */

__attribute__ ((noipa)) void
set_numbers (int n, const int *c, int *y, const int *x)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      y[i] = x[i] + i;
}

__attribute__ ((noipa)) void
add_letters (int n, const int *c, signed char *y, const int *x)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      y[i] += (signed char) x[i];
}

__attribute__ ((noipa)) void
add_marks (int n, const int *c, struct record *y, const int *x)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      y[i].mark += (char) x[i];
}

__attribute__ ((noipa)) void
set_counts (int n, const int *c, struct record *y, const int *to, const int *x)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      y[to[i]].count = (short) (x[i] - i);
}

/* ---- the other thread */

/* Write NEXT to CELL, and count one more of *N_LOST if it does not have LAST.  */
#define STEP(cell, last, next) (*n_lost += (cell) != (last), (cell) = (next))

/* Write what is this thread's, number LAP.  */
static void
write_all (int lap, int *n_lost)
{
  int last = (lap - 1) & 63, next = lap & 63;
  for (int i = 0; i < N; i++)
    {
      volatile struct record *r = &records[i];
      STEP (r->value, last * 65537, next * 65537);
      STEP (r->near_mark, last, (char) next);
      STEP (r->near_count, -last, (short) -next);
      STEP (r->tail[1], last, (unsigned char) next);
      if (wanted[i])
	continue;
      STEP (r->mark, last, (char) next);
      STEP (((volatile struct record *) records)[at[i]].count, last, (short) next);
      STEP (((volatile int *) numbers)[i], last, next);
      STEP (((volatile signed char *) letters)[i], -last, (signed char) -next);
    }
}

/* The number of laps is a multiple of 64, so that the last values are always the same.  */
static void *
write_on (void *n_lost)
{
  for (int lap = 1; lap % 64 != 1 || !atomic_load (&is_over); lap++)
    {
      write_all (lap, n_lost);
      atomic_fetch_add (&n_laps, 1);
    }
  return NULL;
}

/* ---- the program */

int
main (void)
{
  pthread_t thread;
  int n_lost = 0;
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    {
      wanted[i] = i * 7 % 5 < 3;
      at[i] = (int) (i * 3701L % N);
      from[i] = i * 31 % 1009;
    }
  if (pthread_create (&thread, NULL, write_on, &n_lost) != 0)
    return 1;
  for (int round = 0; round < ROUNDS; round++)
    {
      int seen = atomic_load (&n_laps);
      set_numbers (N, wanted, numbers, from);
      add_letters (N, wanted, letters, from);
      add_marks (N, wanted, records, from);
      set_counts (N, wanted, records, at, from);
      while (atomic_load (&n_laps) == seen)
	continue;
      from[round] += round;
    }
  atomic_store (&is_over, 1);
  pthread_join (thread, NULL);
  for (int i = 0; i < N; i++)
    {
      const struct record *r = &records[i];
      sum = sum * 31 + (unsigned) (numbers[i] + letters[i] + r->value + r->mark + r->near_mark);
      sum = sum * 31 + (unsigned) (r->count + r->near_count + r->tail[0] + r->tail[1]);
    }
  printf ("%u, %d lost\n", sum, n_lost);
  return 0;
}
END
"$PG_CC" -O2 -pthread others.c -o plain || exit 1
"$PG_CC" -O2 -pthread "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir others.c \
  -o parallel || exit 1
./plain > expected

# Check that WHERE each loop ran, as statistics say it, of 24 entries at least one under SETTINGS.
check ()
{
  local where=$1 loop
  shift
  rm -f stats.json
  env "$@" PARAGON_STATS=stats.json ./parallel > out || fail "$*: status $?"
  cmp -s expected out || fail "$*: another answer: $(cat out)"
  for loop in set_numbers add_letters add_marks set_counts
  do
    grep -qE "\"($where)\":[1-9]" <(grep "\"function\":\"$loop\"" stats.json) || fail "$*: $loop: $(cat stats.json)"
  done
}

check pool PARAGON_PLAN=pool PARAGON_THREADS=2
check pool PARAGON_PLAN=pool PARAGON_THREADS=2 PARAGON_INJECT=every:7
export PARAGON_DEVICE=emu
check ran PARAGON_PLAN=device
check ran PARAGON_PLAN=device PARAGON_MIRRORS=off
check conflict PARAGON_PLAN=device PARAGON_INJECT=every:7
check ran PARAGON_PLAN=cooperate PARAGON_RACE=device
check conflict PARAGON_PLAN=cooperate PARAGON_RACE=device PARAGON_INJECT=at:4000
check late PARAGON_PLAN=cooperate PARAGON_RACE=host
check 'ran|late' PARAGON_PLAN=cooperate PARAGON_RACE=random:$RANDOM
exit 0
