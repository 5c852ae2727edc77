#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Between two loops on a device, the program does something to the array that they share, or nothing.  The answer is the
# plain build's each time, and no more bytes are copied than the pages that were written: none for nothing.

. "$PG_ROOT/testsuite/lib/script.sh"
keep_kernels
cat > between.c << 'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 1 << 18, BYTES = N * sizeof (unsigned), ROUNDS = 6 };

extern void iscal_ (const int *n, const unsigned *by, unsigned *to, const int *step);

static unsigned *x, *y;

__attribute__ ((noipa)) void
first (int n, unsigned *restrict to, unsigned by)
{
  for (int i = 0; i < n; i++)
    to[i] = to[i] * 3 + by;
}

__attribute__ ((noipa)) void
second (int n, unsigned *restrict to, const unsigned *restrict from)
{
  for (int i = 0; i < n; i++)
    to[i] = to[i] + from[i];
}

static void *
write_one (void *at)
{
  *(unsigned *) at += 5;
  return NULL;
}

static unsigned *
array (void)
{
  unsigned *made = mmap (NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED)
    exit (1);
  return made;
}

int
main (int argc, char **argv)
{
  const char *what = argv[1];
  unsigned sum = 0;
  pthread_t thread;
  FILE *file = fopen ("data", "rb");
  int is_heap = strcmp (what, "free") == 0 || strcmp (what, "realloc") == 0;
  x = is_heap ? calloc (N, sizeof *x) : array ();
  y = array ();
  (void) argc;
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      first (N, x, round);
      if (strcmp (what, "read") == 0)
	sum += x[round * 1000];
      else if (strcmp (what, "fread") == 0)
	sum += (unsigned) fread (x + 100, 4, 500, file);
      else if (strcmp (what, "library") == 0)
	memmove (x + 5000, x + 1000, 400);
      else if (strcmp (what, "blas") == 0)
	iscal_ (&(int) { 300 }, &(unsigned) { 7 + round }, x + 150000, &(int) { 5 });
      else if (strcmp (what, "thread") == 0)
	{
	  pthread_create (&thread, NULL, write_one, x + 70000);
	  pthread_join (thread, NULL);
	}
      else if (strcmp (what, "free") == 0)
	{
	  free (x);
	  x = malloc (BYTES);
	  memset (x, (int) round, BYTES);
	}
      else if (strcmp (what, "realloc") == 0)
	{
	  x = realloc (x, BYTES + round * 4096 * 64);
	  x[3] += round;
	}
      else if (strcmp (what, "munmap") == 0)
	{
	  munmap (x, BYTES);
	  x = mmap (x, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	  x[9] = round;
	}
      else if (strcmp (what, "mremap") == 0)
	{
	  unsigned *other = array ();
	  x[17] = round;
	  x = mremap (x, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, other);
	}
      second (N, y, x);
    }
  for (int i = 0; i < N; i++)
    sum = sum * 31 + y[i] + x[i];
  printf ("%u\n", sum);
  return 0;
}
END
# A routine of a numerical library, which the plugin has not seen: as BLAS has them, but for integers, exactly.
cat > iscal.f90 << 'END'
subroutine iscal (n, by, to, step)
  integer, intent (in) :: n, by, step
  integer, intent (inout) :: to(*)
  integer :: i
  do i = 1, 1 + (n - 1) * step, step
    to(i) = to(i) * by
  end do
end subroutine
END
head -c 100000 /dev/urandom > data
"$PG_FC" -O2 -fwrapv -fPIC -shared iscal.f90 -o libiscal.so || exit 1
link=(-pthread "$PWD/libiscal.so")
"$PG_CC" -O2 between.c "${link[@]}" -o plain || exit 1
"$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir between.c "${link[@]}" \
  -o parallel || exit 1

array=$((1 << 20))
part=65536
keeps=unknown

# Check that WHAT between the loops has the plain build's answer, and that each of the last four of six rounds copies
# LEAST to MOST bytes, where mirrors can be kept.
check ()
{
  local what=$1 least=$2 most=$3 race n_in begun
  ./plain "$what" > expected
  for race in '' device host random:$RANDOM
  do
    if [ -z "$race" ]
    then
      env PARAGON_DEVICE=emu PARAGON_PLAN=device PARAGON_STATS=stats.json ./parallel "$what" > out
    else
      env PARAGON_DEVICE=emu PARAGON_PLAN=cooperate "PARAGON_RACE=$race" ./parallel "$what" > out
    fi || fail "$what $race: status $?"
    cmp -s expected out || fail "$what $race: another answer"
  done
  n_in=$(grep -o '"copied_in":[0-9]*' stats.json | awk -F : '{ n += $2 } END { print n }')
  if [ $keeps = unknown ]
  then
    keeps=yes
    [ "$n_in" -lt $((6 * array)) ] || keeps=no
  fi
  [ $keeps = no ] && return
  # x and y are copied until they are watched, twice at most each.
  begun=$((4 * array))
  [ "$n_in" -ge $((least * 4)) ] && [ "$n_in" -le $((begun + most * 6)) ] || fail "$what: $n_in bytes were copied in"
  echo "$what: $n_in"
}

check nothing 0 0
check read 0 0
check fread $part $((2 * part))
check library $part $((2 * part))
check blas $part $((2 * part))
check thread $part $((2 * part))
check free $array $((array + 2 * part))
check munmap 0 $((array + 2 * part))
# What moves is a new span, twice a round as far as anybody knows; realloc moves it where there is no room to grow.
check realloc 0 $((2 * array + 2 * part))
check mremap 0 $((2 * array + 2 * part))
exit 0
