/* SPDX-License-Identifier: MIT
   A program that can handle signals in the way that HOW names, if it is given, and runs a region: before and, if it was
   given the name of a library, after loading that.  */
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
#endif
}

int
main (int argc, char **argv)
{
  int i;

  prepare (&d, 1);
  printf ("%x\n", work (&d));
  for (i = 1; i < argc; i++)
    {
      if (dlopen (argv[i], RTLD_NOW) == NULL)
	return 1;
      printf ("%x\n", work (&d));
    }
  return 0;
}
