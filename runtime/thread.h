/* SPDX-License-Identifier: MIT
   What the runtime knows about a thread of the program or of the pool: is it inside a region, how much stack is left,
   which signals it defers.  */
#ifndef PARAGON_THREAD_H
#define PARAGON_THREAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  PG_CACHE_LINE = 64 /* bytes; each time that one thread writes there, others fetch all of it again */
};

/* Thread-local.  Only the thread itself touches it; its address names the thread.  */
struct pg_thread
{
  const volatile uint64_t *mark; /* in the stack frame of the entry that the thread is inside, or NULL */
  uint64_t mark_value;
  const char *stack_low, *stack_end; /* bounds of its stack; both NULL: not yet asked; equal: not known */
  void *region_state;                /* the region that it is inside */
  int64_t entries_ns;                /* what its entries have taken that have ended */
  int cancel_state, cancel_type;     /* its own, while inside */
  sigset_t signals;                  /* its own mask, while it defers signals */
  bool defers_signals;
  bool expects_long; /* to defer for long, in this entry */
  int64_t looked;    /* the moment of pg_now at which it last looked for deferred signals */
  uint64_t joined;   /* the run whose floating-point environment it has (join.h) */
  bool is_worker;    /* of the pool: never enters a region */
  bool in_job;       /* runs a job of its own pool run */
  bool makes_state;  /* of a region (region.h) */
};

struct pg_thread *pg_thread_self (void);

/* Make the calling thread one that never enters a region.  It was created with STACK_LEN bytes of stack.  */
void pg_thread_become_worker (size_t stack_len);

/* Whether SELF is inside an entry.  One that was left by a jump (siglongjmp out of a signal handler) is told from one
   that lasts by MARK, in the stack frame of a new entry; when in doubt, it lasts.  Of an entry that was left,
   self->mark stays set.  */
bool pg_thread_inside (struct pg_thread *self, const volatile uint64_t *mark);

/* Say that SELF is inside the entry whose stack frame holds MARK, and write *MARK.  Signal handlers that run from
   now on find it inside, and nobody cancels it.  */
void pg_thread_enter (struct pg_thread *self, volatile uint64_t *mark);

/* Say that SELF is inside no entry.  Deferred signals are admitted before the return; if there is one: their handlers
   may jump, and the thread may have been cancelled.  */
void pg_thread_leave (struct pg_thread *self);

/* The same after the entry was left by a jump: the signal mask is the program's by now.  */
void pg_thread_leave_late (struct pg_thread *self);

/* The bytes of SELF's stack below HERE; 0 when its stack is not known.  */
size_t pg_thread_stack_left (struct pg_thread *self, const volatile void *here);

/* Defer SELF's signals from now on, all but those that its own instructions raise: while other threads work on what
   lies in SELF's frames, no handler may jump out of these; nor out of functions of the C library that take a lock, open
   a file or note in the frame what is to be undone.  Where nothing can handle signals, nothing is done: to ask the
   system costs more than many loops gain.  Return whether they were deferred before.  */
bool pg_thread_defer_signals (struct pg_thread *self);

/* The same in any case, and for signals that are to end the program, too: threads that SELF creates before it admits
   any take none.  */
bool pg_thread_block_signals (struct pg_thread *self);

/* Say that SELF, inside an entry, may defer signals for long from now on.  */
void pg_thread_expect_long (struct pg_thread *self);

/* If SELF defers signals, and may for long: stop deferring those that are to end the program, where it left them to
   the system and does not block them.  No handler runs then, so nothing is jumped out of.  Threads created before SELF
   defers signals anew would inherit that.  */
void pg_thread_admit_deadly (struct pg_thread *self);

/* Whether a signal that SELF defers has come.  Asks the system only if it has not for AFTER_NS.  */
bool pg_thread_signal_waits (struct pg_thread *self, int64_t after_ns);

/* Stop deferring.  What came in the meantime is delivered before the return, if there is one: handlers may jump.  */
void pg_thread_admit_signals (struct pg_thread *self);

/* The same, unless they were DEFERRED before they were deferred last.  */
void pg_thread_restore_signals (struct pg_thread *self, bool deferred);

/* Whether the program handles memory faults in a way that may repair them and go on.  Its handler works while one
   thread meets one fault after the other, and perhaps only then.  */
bool pg_thread_repairs_faults (void);

/* Whether the calling thread is inside an OpenMP parallel region, active or not.  */
bool pg_thread_in_openmp (void);

#endif
