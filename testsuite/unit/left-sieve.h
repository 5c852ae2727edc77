/* SPDX-License-Identifier: MIT
   The sieve that is left for whoever comes next, as tests want it.  */
#ifndef PARAGON_TEST_LEFT_SIEVE_H
#define PARAGON_TEST_LEFT_SIEVE_H

#include "sieve.h"

/* Have nothing left: the next sieve has to get memory of its own.  */
static inline void
forget_left_sieve (void)
{
  struct pg_sieve sieve = { .bits = NULL };
  pg_sieve_inherit (&sieve, SIZE_MAX);
  pg_sieve_free (&sieve);
}

#endif
