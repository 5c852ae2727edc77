/* SPDX-License-Identifier: MIT
   Threads of the program and of the pool.  See thread.h.

   An entry is left without notice when a signal handler jumps out of it (siglongjmp).  Two things prove later that its
   frame is gone.  The stack grows downwards, so a new entry's frame that lies where the old one's was, or above, in the
   same stack and not on a signal stack.  Or the mark in the old frame was overwritten: a frame that lasts keeps its
   own.  On a stack of the program's own making (a coroutine's) nothing is proved, and the thread counts as inside:
   its loops run as they were written.  */
#include "thread.h"
#include "futex.h"
#include "imports.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

enum
{
  DESCRIPTOR_LEN = 8192 /* generously */
};

/* Initial-exec: a thread's first access must not allocate.  */
static _Thread_local struct pg_thread thread __attribute__ ((tls_model ("initial-exec")));

/* The end of the first thread's stack, from the dynamic linker.  */
extern void *__libc_stack_end __attribute__ ((weak));

/* OpenMP's, if the program had it when this library was loaded.  */
extern int omp_get_level (void) __attribute__ ((weak));

struct pg_thread *
pg_thread_self (void)
{
  return &thread;
}

/* glibc's descriptor of a thread lies at the end of its stack.  To be told the bounds, as find_stack is, the thread
   would have to call malloc, which makes an arena for each thread.  A sanitizer's threads have longer stacks than they
   were asked to: these are told.  */
void
pg_thread_become_worker (size_t stack_len)
{
  thread.is_worker = true;
#ifdef __x86_64__
  const char *end = (const char *) __builtin_thread_pointer () + DESCRIPTOR_LEN;
  const char *here = __builtin_frame_address (0);
  if ((size_t) (end - here) >= stack_len)
    return;
  thread.stack_end = end;
  thread.stack_low = end - stack_len;
#else
  (void) stack_len;
#endif
}

/* Find SELF's stack.  For the first thread pthread_getattr_np would read a file; for others it copies what
   pthread_create wrote down, but calls malloc for the set of CPUs that it tells as well.  */
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
  else
    {
      bool deferred = pg_thread_defer_signals (self);
      if (pthread_getattr_np (pthread_self (), &attr) == 0)
	{
	  if (pthread_attr_getstack (&attr, &low, &len) == 0)
	    {
	      self->stack_low = low;
	      self->stack_end = self->stack_low + len;
	    }
	  pthread_attr_destroy (&attr);
	}
      pg_thread_restore_signals (self, deferred);
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
  atomic_signal_fence (memory_order_seq_cst);
  pthread_setcanceltype (PTHREAD_CANCEL_DEFERRED, &self->cancel_type);
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &self->cancel_state);
}

/* The mark goes last but for the type of cancellation: of an asynchronous type, that may end the thread here, and its
   cleanup handlers may enter regions.  */
void
pg_thread_leave (struct pg_thread *self)
{
  pg_thread_admit_signals (self);
  pg_thread_leave_late (self);
}

void
pg_thread_leave_late (struct pg_thread *self)
{
  int ignored;
  self->defers_signals = self->expects_long = false;
  pthread_setcancelstate (self->cancel_state, &ignored);
  atomic_signal_fence (memory_order_seq_cst);
  self->mark = NULL;
  atomic_signal_fence (memory_order_seq_cst);
  if (self->cancel_type != PTHREAD_CANCEL_DEFERRED)
    pthread_setcanceltype (self->cancel_type, &ignored);
}

size_t
pg_thread_stack_left (struct pg_thread *self, const volatile void *here)
{
  return in_stack (self, here) ? (uintptr_t) here - (uintptr_t) self->stack_low : 0;
}

bool
pg_thread_defer_signals (struct pg_thread *self)
{
  return self->defers_signals || (pg_imports_handlers () && pg_thread_block_signals (self));
}

bool
pg_thread_block_signals (struct pg_thread *self)
{
  static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
  sigset_t block;
  bool deferred = self->defers_signals;
  sigfillset (&block);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset (&block, own[i]);
  pthread_sigmask (SIG_BLOCK, &block, deferred ? NULL : &self->signals); /* deadly ones may have been admitted */
  self->defers_signals = true;
  if (!deferred)
    self->looked = pg_now ();
  return deferred;
}

void
pg_thread_expect_long (struct pg_thread *self)
{
  self->expects_long = true;
}

void
pg_thread_admit_deadly (struct pg_thread *self)
{
  static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU };
  struct sigaction action;
  sigset_t admitted;
  if (!self->defers_signals || !self->expects_long)
    return;
  sigemptyset (&admitted);
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    if (sigismember (&self->signals, deadly[i]) == 0 && sigaction (deadly[i], NULL, &action) == 0
	&& action.sa_handler == SIG_DFL)
      sigaddset (&admitted, deadly[i]);
  pthread_sigmask (SIG_UNBLOCK, &admitted, NULL);
}

bool
pg_thread_signal_waits (struct pg_thread *self, int64_t after_ns)
{
  sigset_t pending;
  int64_t now = pg_now ();
  if (!self->defers_signals || now - self->looked < after_ns)
    return false;
  self->looked = now;
  sigpending (&pending);
  for (int signal = 1; signal < NSIG; signal++)
    if (sigismember (&pending, signal) == 1 && sigismember (&self->signals, signal) == 0)
      return true;
  return false;
}

void
pg_thread_admit_signals (struct pg_thread *self)
{
  if (!self->defers_signals)
    return;
  self->defers_signals = false;
  atomic_signal_fence (memory_order_seq_cst);
  pthread_sigmask (SIG_SETMASK, &self->signals, NULL);
}

void
pg_thread_restore_signals (struct pg_thread *self, bool deferred)
{
  if (!deferred)
    pg_thread_admit_signals (self);
}

/* Whether ACTION learns the address of the fault, and so could do something about it.  */
static bool
repairs (const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

bool
pg_thread_repairs_faults (void)
{
  struct sigaction segv, bus;
  if (!pg_imports_handlers ())
    return false;
  sigaction (SIGSEGV, NULL, &segv);
  sigaction (SIGBUS, NULL, &bus);
  return repairs (&segv) || repairs (&bus);
}

bool
pg_thread_in_openmp (void)
{
  return omp_get_level != NULL && omp_get_level () > 0;
}
