/* SPDX-License-Identifier: MIT
   Waiting for a 32-bit word to change, and waking those who wait; within one process.  */
#ifndef PARAGON_FUTEX_H
#define PARAGON_FUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleep while *WORD is SEEN, for at most NS nanoseconds; may return early.  Whether the time is up.  */
static inline bool
pg_futex_wait (_Atomic uint32_t *word, uint32_t seen, int64_t ns)
{
  struct timespec limit = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
  return syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &limit, NULL, 0) != 0 && errno == ETIMEDOUT;
}

/* Wake at most N threads that sleep on WORD.  */
static inline void
pg_futex_wake (_Atomic uint32_t *word, int n)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

/* Tell the CPU that this is a spin loop.  */
static inline void
pg_pause (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#else
  __asm__ volatile("" ::: "memory");
#endif
}

/* Nanoseconds since some fixed moment.  */
static inline int64_t
pg_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
