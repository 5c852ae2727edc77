/* SPDX-License-Identifier: MIT
   Fibers.  See fiber.h.

   On x86-64 a switch is a call, so that only the registers that a call must keep need be saved; the rounding modes stay
   what they are, as kernels do not change them.  Elsewhere it is the C library's, which asks the kernel each time.  */
#include "fiber.h"

#include <stdint.h>

#ifdef PG_EMU_UCONTEXT

void
pg_fiber_begin (struct pg_fiber *fiber, char *stack, size_t len, void (*entry) (void))
{
  getcontext (&fiber->context);
  fiber->context.uc_stack.ss_sp = stack;
  fiber->context.uc_stack.ss_size = len;
  fiber->context.uc_link = NULL;
  makecontext (&fiber->context, entry, 0);
}

void
pg_fiber_switch (struct pg_fiber *from, struct pg_fiber *to)
{
  swapcontext (&from->context, &to->context);
}

#else

enum
{
  N_SAVED = 6 /* registers */
};

void
pg_fiber_begin (struct pg_fiber *fiber, char *stack, size_t len, void (*entry) (void))
{
  uintptr_t *top = (uintptr_t *) (stack + len);
  *--top = 0; /* ENTRY's own return address: it is entered as if called */
  *--top = (uintptr_t) entry;
  for (int i = 0; i < N_SAVED; i++)
    *--top = 0;
  fiber->top = top;
}

__asm__(".pushsection .text\n"
	".globl pg_fiber_switch\n"
	".type pg_fiber_switch, @function\n"
	"pg_fiber_switch:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq (%rsi), %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size pg_fiber_switch, . - pg_fiber_switch\n"
	".popsection\n");

#endif
