/* SPDX-License-Identifier: MIT
   For tests of what becomes of blocks of memory that cannot be had, each in turn.  They link with
   -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_budget_get -Wl,--wrap=pg_budget_grow.  */
#ifndef PARAGON_TEST_NO_MEMORY_H
#define PARAGON_TEST_NO_MEMORY_H

#include "arena.h"
#include "budget.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Blocks asked for so far, the first that is refused, and whether all after it are; -1: none is.  */
static _Atomic int n_asked;
static int first_refused;
static bool refuses_on;

static bool
is_refused (void)
{
  int number = atomic_fetch_add (&n_asked, 1);
  return first_refused >= 0 && (number == first_refused || (refuses_on && number > first_refused));
}

__typeof__ (pg_arena_get) __real_pg_arena_get, __wrap_pg_arena_get;

void *
__wrap_pg_arena_get (size_t len)
{
  return is_refused () ? NULL : __real_pg_arena_get (len);
}

__typeof__ (pg_budget_get) __real_pg_budget_get, __wrap_pg_budget_get;

void *
__wrap_pg_budget_get (size_t len)
{
  return is_refused () ? NULL : __real_pg_budget_get (len);
}

__typeof__ (pg_budget_grow) __real_pg_budget_grow, __wrap_pg_budget_grow;

void *
__wrap_pg_budget_grow (void *block, size_t *len, size_t n)
{
  if (n > *len && is_refused ())
    {
      pg_budget_put (block, *len);
      *len = 0;
      return NULL;
    }
  return __real_pg_budget_grow (block, len, n);
}

/* Run TEST with no block refused, then with each of those that it asks for, alone and with all after it.  */
static void
refuse_each (void (*test) (void))
{
  int n_blocks;
  first_refused = -1;
  atomic_store (&n_asked, 0);
  test ();
  n_blocks = atomic_load (&n_asked);
  assert_true (n_blocks > 0);
  for (int on = 0; on < 2; on++)
    for (int block = 0; block < n_blocks; block++)
      {
	refuses_on = on;
	first_refused = block;
	atomic_store (&n_asked, 0);
	test ();
      }
  first_refused = -1;
}

#endif
