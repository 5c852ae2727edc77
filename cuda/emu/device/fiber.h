/* SPDX-License-Identifier: MIT
   Fibers: several calls under way on one thread, each on a stack of its own, of which one runs.  */
#ifndef PG_EMU_FIBER_H
#define PG_EMU_FIBER_H

#include <stddef.h>

#if !defined __x86_64__ && !defined PG_EMU_UCONTEXT
#define PG_EMU_UCONTEXT
#endif

#ifdef PG_EMU_UCONTEXT
#include <ucontext.h>
#endif

struct pg_fiber
{
#ifdef PG_EMU_UCONTEXT
  ucontext_t context;
#else
  void *top; /* of its stack, where its registers are */
#endif
};

/* Make FIBER one that, when it is switched to, calls ENTRY, which does not return, on the LEN bytes at STACK, both
   multiples of 16.  */
void pg_fiber_begin (struct pg_fiber *fiber, char *stack, size_t len, void (*entry) (void));

/* Go on in TO; FROM is what runs, and returns from here when it is switched to.  */
void pg_fiber_switch (struct pg_fiber *from, struct pg_fiber *to);

#endif
