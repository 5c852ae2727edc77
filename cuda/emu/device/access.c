/* SPDX-License-Identifier: MIT
   Each access of a kernel, before it happens.  See run.h.

   Kernels are compiled with -fsanitize=thread, which calls a function of a fixed name with the address of each access
   to memory that others may see.  Right are live allocations, to the byte; shared memory; the thread's own stack; and
   the module's variables.  All else is a fault, whatever this process happens to have there: a host address never reads
   a byte.  A call is also where a thread may be preempted, so that races show between any two accesses.  */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Set once, before the first launch.  */
static uint64_t base, memory_len;
static const uint16_t *limits;

void
pg_emu_access_begin (uint64_t its_base, uint64_t len, const uint16_t *its_limits)
{
  base = its_base;
  memory_len = len;
  limits = its_limits;
}

/* Send the message and end the process; the first of several threads to come here.  */
static _Noreturn void
send_fault (const char *before, const char *format, va_list ap)
{
  static atomic_flag is_taken = ATOMIC_FLAG_INIT;
  struct pg_emu_reply reply = { .status = PG_EMU_FAULT };
  while (atomic_flag_test_and_set (&is_taken))
    pause ();
  int len = snprintf (reply.text, sizeof reply.text, "kernel %s: %s", pg_emu_running.request.kernel, before);
  vsnprintf (reply.text + len, sizeof reply.text - (size_t) len, format, ap);
  send (PG_EMU_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL);
  _exit (1);
}

_Noreturn void
pg_emu_fail (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  send_fault ("", format, ap);
}

_Noreturn void
pg_emu_fault (const char *format, ...)
{
  char before[128];
  va_list ap;
  const uint32_t *thread = pg_emu_here.thread_idx, *block = pg_emu_here.block_idx;
  va_start (ap, format);
  snprintf (before, sizeof before, "thread (%u, %u, %u) of block (%u, %u, %u): ", thread[0], thread[1], thread[2],
	    block[0], block[1], block[2]);
  send_fault (before, format, ap);
}

/* Do LEN bytes from OFFSET of the memory on belong to an allocation?  */
static bool
is_allocated (uint64_t offset, uint64_t len)
{
  while (offset < memory_len)
    {
      uint64_t in_page = offset % PG_EMU_PAGE_LEN, left = PG_EMU_PAGE_LEN - in_page;
      uint16_t limit = limits[offset / PG_EMU_PAGE_LEN];
      if (in_page + len <= limit)
	return true;
      if (limit < PG_EMU_PAGE_LEN)
	return false;
      offset += left;
      len -= left;
    }
  return false;
}

static bool
is_within (uint64_t address, uint64_t len, const char *start, uint64_t room)
{
  uint64_t offset = address - (uint64_t) (uintptr_t) start;
  return offset < room && len <= room - offset;
}

/* Is it memory that is not the device's, but the kernel's to use?  */
static bool
is_own (const struct pg_emu_worker *worker, uint64_t address, uint64_t len)
{
  const struct pg_emu_code *code = pg_emu_running.code;
  const struct pg_emu_thread *thread = pg_emu_thread_here ();
  if (worker->dynamic != NULL && is_within (address, 1, worker->dynamic, PG_EMU_MOST_SHARED_LEN))
    return is_within (address, len, worker->dynamic, pg_emu_running.request.shared_len);
  return is_within (address, len, thread->stack, PG_EMU_STACK_LEN)
	 || is_within (address, len, worker->shared, code->shared_len)
	 || (address >= code->start && address < code->end && len <= code->end - address);
}

void
pg_emu_set_preemption (struct pg_emu_worker *worker)
{
  uint32_t mean = pg_emu_hello.options.preempt;
  worker->until_preempted = mean == 0 ? INT64_MAX : (int64_t) (pg_emu_random (worker) % (2 * (uint64_t) mean)) + 1;
}

/* Check an access of LEN bytes, which must be aligned to as many if IS_ALIGNED; and preempt the thread when its turn is
   over.  */
static inline void
check (uint64_t address, uint64_t len, bool is_aligned, const char *what)
{
  struct pg_emu_worker *worker = pg_emu_worker;
  if (is_aligned && address % len != 0)
    pg_emu_fault ("%s %u bytes at 0x%llx: misaligned", what, (unsigned) len, (unsigned long long) address);
  if (!is_allocated (address - base, len) && !is_own (worker, address, len))
    pg_emu_fault ("%s %llu bytes at 0x%llx, which is in no allocation", what, (unsigned long long) len,
		  (unsigned long long) address);
  if (--worker->until_preempted == 0)
    {
      pg_emu_set_preemption (worker);
      pg_emu_yield (pg_emu_thread_here ());
    }
}

void pg_emu_atomic (const volatile void *address, unsigned len);
long long pg_emu_clock (void);

/* Before an atomic: others may come first, and the warp may fall back.  */
void
pg_emu_atomic (const volatile void *address, unsigned len)
{
  struct pg_emu_thread *thread = pg_emu_thread_here ();
  uint64_t r = pg_emu_random (thread->block->worker);
  check ((uint64_t) (uintptr_t) address, len, true, "updates");
  if (r % 32 == 0)
    pg_emu_delay (thread);
  if (pg_emu_hello.options.preempt != 0 && r / 32 % 4 == 0)
    pg_emu_yield (thread);
}

/* Time is what accesses and atomics make of it: the same in each run of one seed.  */
long long
pg_emu_clock (void)
{
  static _Thread_local long long n;
  return ++n * 16;
}

/* The names that g++ knows.  */
#define HOOK(name, len, what)                            \
  void __tsan_##name##len (uintptr_t address);           \
  void __tsan_##name##len (uintptr_t address)            \
  {                                                      \
    check (address, len, true, what);                    \
  }                                                      \
  void __tsan_unaligned_##name##len (uintptr_t address); \
  void __tsan_unaligned_##name##len (uintptr_t address)  \
  {                                                      \
    check (address, len, false, what);                   \
  }
#define HOOKS(name, what)                                     \
  HOOK (name, 1, what)                                        \
  HOOK (name, 2, what)                                        \
  HOOK (name, 4, what)                                        \
  HOOK (name, 8, what)                                        \
  HOOK (name, 16, what)                                       \
  void __tsan_##name##_range (uintptr_t address, size_t len); \
  void __tsan_##name##_range (uintptr_t address, size_t len)  \
  {                                                           \
    check (address, len, false, what);                        \
  }

HOOKS (read, "reads")
HOOKS (write, "writes")

/* Called when a module is loaded.  */
void __tsan_init (void);

void
__tsan_init (void)
{
}

/* What the checks did not see: calls of functions of the C library, calls through wrong addresses, stacks that are too
   small, division by 0.  */
static void
handle (int signal, siginfo_t *info, void *context)
{
  (void) context;
  struct pg_emu_worker *worker = pg_emu_worker;
  uint64_t address = (uint64_t) (uintptr_t) info->si_addr;
  if (worker == NULL || worker->running == NULL)
    pg_emu_fail ("%s outside of it", strsignal (signal));
  if (signal == SIGSEGV && pg_emu_is_guard (worker, address))
    pg_emu_fault ("needs more than %d bytes of stack", PG_EMU_STACK_LEN - PG_EMU_PAGE_LEN);
  pg_emu_fault ("%s at 0x%llx", strsignal (signal), (unsigned long long) address);
}

void
pg_emu_catch_signals (void)
{
  static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
  struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK };
  stack_t stack = { .ss_size = 1 << 16 };
  stack.ss_sp = malloc (stack.ss_size);
  if (stack.ss_sp == NULL || sigaltstack (&stack, NULL) != 0)
    return;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction (signals[i], &action, NULL);
}
