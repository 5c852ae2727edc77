/* SPDX-License-Identifier: MIT
   Random numbers for tests, the same in each run.  */
#ifndef PARAGON_TEST_PICK_H
#define PARAGON_TEST_PICK_H

#include <stdint.h>

/* A number of [FROM, TO].  */
static inline int64_t
pick (int64_t from, int64_t to)
{
  static uint64_t random = 88172645463325252;
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return from + (int64_t) (random % ((uint64_t) to - (uint64_t) from + 1));
}

#endif
