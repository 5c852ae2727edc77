/* SPDX-License-Identifier: MIT
   Threads of the program and of the pool.  See thread.h.

   An entry is left without notice when a signal handler jumps out of it (siglongjmp).  Two things prove later that its
   frame is gone.  The stack grows downwards, so a new entry's frame that lies where the old one's was, or above, in the
   same stack and not on a signal stack.  Or the mark in the old frame was overwritten: a frame that lasts keeps its
   own.  On a stack of the program's own making (a coroutine's) nothing is proved, and the thread counts as inside:
   its loops run as they were written.  */
#include "thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

/* Initial-exec: a thread's first access must not allocate.  */
static _Thread_local struct pg_thread thread __attribute__ ((tls_model ("initial-exec")));

/* The end of the first thread's stack, from the dynamic linker.  */
extern void *__libc_stack_end __attribute__ ((weak));

/* OpenMP's omp_get_level, or NULL.  Written only while the library is loaded.  */
static int (*openmp_level) (void);

struct pg_thread *
pg_thread_self (void)
{
  return &thread;
}

void
pg_thread_become_worker (void)
{
  thread.is_worker = true;
}

/* Find SELF's stack.  For the first thread pthread_getattr_np would read a file and call malloc; for others it only
   copies what pthread_create wrote down.  */
static void
find_stack (struct pg_thread *self)
{
  struct rlimit limit;
  pthread_attr_t attr;
  void *low;
  size_t len;
  static const char unknown;
  self->stack_low = self->stack_end = &unknown;
  if (gettid () == getpid ())
    {
      if (&__libc_stack_end == NULL || getrlimit (RLIMIT_STACK, &limit) != 0)
	return;
      uintptr_t end = (uintptr_t) __libc_stack_end;
      uintptr_t start = limit.rlim_cur < end ? end - limit.rlim_cur : 1;
      self->stack_low = (const char *) start;
      self->stack_end = (const char *) end;
    }
  else if (pthread_getattr_np (pthread_self (), &attr) == 0)
    {
      if (pthread_attr_getstack (&attr, &low, &len) == 0)
	{
	  self->stack_low = low;
	  self->stack_end = self->stack_low + len;
	}
      pthread_attr_destroy (&attr);
    }
}

/* Whether ADDRESS lies in SELF's stack.  */
static bool
in_stack (struct pg_thread *self, const volatile void *address)
{
  if (self->stack_low == NULL)
    find_stack (self);
  return (uintptr_t) address >= (uintptr_t) self->stack_low && (uintptr_t) address < (uintptr_t) self->stack_end;
}

static bool
on_signal_stack (void)
{
  stack_t stack;
  return sigaltstack (NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) != 0;
}

/* Reads another frame's variable, which may be gone: not for a sanitizer to judge.  */
__attribute__ ((no_sanitize ("address", "thread"))) bool
pg_thread_inside (struct pg_thread *self, const volatile uint64_t *mark)
{
  if (self->mark == NULL)
    return false;
  if (!in_stack (self, self->mark))
    return true;
  if ((uintptr_t) mark >= (uintptr_t) self->mark)
    return !in_stack (self, mark) || on_signal_stack ();
  return *self->mark == self->mark_value;
}

void
pg_thread_enter (struct pg_thread *self, volatile uint64_t *mark)
{
  static const uint64_t odd = 0x9e3779b97f4a7c15;
  self->mark_value += odd;
  *mark = self->mark_value;
  atomic_signal_fence (memory_order_seq_cst);
  self->mark = mark;
}

void
pg_thread_leave (struct pg_thread *self)
{
  self->mark = NULL;
  atomic_signal_fence (memory_order_seq_cst);
}

size_t
pg_thread_stack_left (struct pg_thread *self, const volatile void *here)
{
  return in_stack (self, here) ? (uintptr_t) here - (uintptr_t) self->stack_low : 0;
}

void
pg_thread_block_signals (sigset_t *before)
{
  static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
  sigset_t block;
  sigfillset (&block);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset (&block, own[i]);
  pthread_sigmask (SIG_BLOCK, &block, before);
}

void
pg_thread_restore_signals (const sigset_t *before)
{
  pthread_sigmask (SIG_SETMASK, before, NULL);
}

void
pg_thread_find_openmp (void)
{
  *(void **) &openmp_level = dlsym (RTLD_DEFAULT, "omp_get_level");
}

bool
pg_thread_in_openmp (void)
{
  return openmp_level != NULL && openmp_level () > 0;
}
