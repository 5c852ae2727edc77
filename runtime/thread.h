/* SPDX-License-Identifier: MIT
   What the runtime knows about a thread of the program or of the pool: is it inside a region, how much stack is left,
   which signals it defers.  */
#ifndef PARAGON_THREAD_H
#define PARAGON_THREAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Thread-local.  Only the thread itself touches it; its address names the thread.  */
struct pg_thread
{
  const volatile uint64_t *mark; /* in the stack frame of the entry that the thread is inside, or NULL */
  uint64_t mark_value;
  const char *stack_low, *stack_end; /* bounds of its stack; both NULL: not yet asked; equal: not known */
  void *region_state;                /* the region that it is inside */
  int cancel_state;                  /* its own, while inside */
  bool is_worker;                    /* of the pool: never enters a region */
  bool in_job;                       /* runs a job of its own pool run */
};

struct pg_thread *pg_thread_self (void);

/* Make the calling thread one that never enters a region.  */
void pg_thread_become_worker (void);

/* Whether SELF is inside an entry.  One that was left by a jump (siglongjmp out of a signal handler) is told from one
   that lasts by MARK, in the stack frame of a new entry; when in doubt, it lasts.  Of an entry that was left,
   self->mark stays set.  */
bool pg_thread_inside (struct pg_thread *self, const volatile uint64_t *mark);

/* Say that SELF is inside the entry whose stack frame holds MARK, and write *MARK.  Signal handlers that run from
   now on find it inside.  */
void pg_thread_enter (struct pg_thread *self, volatile uint64_t *mark);

/* Say that SELF is inside no entry.  */
void pg_thread_leave (struct pg_thread *self);

/* The bytes of SELF's stack below HERE; 0 when its stack is not known.  */
size_t pg_thread_stack_left (struct pg_thread *self, const volatile void *here);

/* Defer all signals but those that a thread's own instructions raise; *BEFORE gets the mask to restore.  */
void pg_thread_block_signals (sigset_t *before);
void pg_thread_restore_signals (const sigset_t *before);

/* Whether the calling thread is inside an OpenMP parallel region, active or not.  */
bool pg_thread_in_openmp (void);

/* Look for OpenMP in the process.  Threads: while the library is loaded only.  */
void pg_thread_find_openmp (void);

#endif
