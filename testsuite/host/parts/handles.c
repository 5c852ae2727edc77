/* SPDX-License-Identifier: MIT
   A program that can handle signals in the way that HOW names, if it is given, and runs a region.  */
#define _GNU_SOURCE
#include "../host.h"
#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BY_SIGACTION 1
#define BY_SIGNAL 2
#define BY_NAME 3
#define BY_SYSCALL 4
#define BY_INSTRUCTION 5
#define BY_PRCTL 6
#define BY_NAMESPACE 7
#define BY_LOADING 8

static struct data d;

/* A way to handle signals, or to do without some system calls: it is there, that is enough.  */
__attribute__ ((used, noipa)) void
handle (void)
{
#if HOW == BY_SIGACTION
  sigaction (SIGUSR1, NULL, NULL);
#elif HOW == BY_SIGNAL
  signal (SIGUSR1, SIG_IGN);
#elif HOW == BY_NAME
  dlsym (RTLD_DEFAULT, "sigaction");
#elif HOW == BY_SYSCALL
  syscall (SYS_getpid);
#elif HOW == BY_INSTRUCTION && defined __x86_64__
  long result = SYS_getpid;
  __asm__ volatile ("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#elif HOW == BY_PRCTL
  prctl (PR_GET_SECCOMP);
#elif HOW == BY_NAMESPACE
  dlmopen (LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
#elif HOW == BY_LOADING
  dlopen ("libm.so.6", RTLD_NOW);
#endif
}

int
main (void)
{
  prepare (&d, 1);
  printf ("%x\n", work (&d));
  return 0;
}
