/* SPDX-License-Identifier: MIT
   What another thread, or a handler, does in the middle of a call: before each of its instructions in turn, which the
   processor stops at.  */
#ifndef PARAGON_TEST_STEPS_H
#define PARAGON_TEST_STEPS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#if defined __x86_64__ && !defined __SANITIZE_THREAD__ /* which would step through itself */
#include <x86intrin.h>

enum
{
  TRAP_FLAG = 1 << 8
};

static void (*between) (void);
static int n_steps, between_at;

static void
note_step (int signal)
{
  (void) signal;
  if (n_steps++ == between_at)
    between ();
}

/* Call WORK, and OTHER before instruction AT on the way there and back.  False: there are fewer, or none is known.  */
static inline bool
call_with (void (*work) (void), void (*other) (void), int at)
{
  struct sigaction action = { .sa_handler = note_step }, before;
  between = other;
  between_at = at;
  n_steps = 0;
  sigaction (SIGTRAP, &action, &before);
  __writeeflags (__readeflags () | TRAP_FLAG);
  work ();
  __writeeflags (__readeflags () & ~(unsigned long long) TRAP_FLAG);
  sigaction (SIGTRAP, &before, NULL);
  return n_steps > at;
}

#else

static inline bool
call_with (void (*work) (void), void (*other) (void), int at)
{
  (void) other;
  (void) at;
  work ();
  return false;
}

#endif
#endif
