/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! stat: fault-handler >= 3
/* A SIGSEGV handler that forks, as those do that have a child report a fault.  The child ends at once; the parent's
   loop goes on.  */
#include "host.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  PAGE = 4096,
  PAGES = 8,
  CELLS = PAGES * PAGE / sizeof (unsigned)
};

static unsigned *guarded;

static void
on_segv (int signal, siginfo_t *info, void *context)
{
  char *address = (char *) info->si_addr;
  size_t offset = (size_t) (address - (char *) guarded);
  pid_t pid;

  (void) context;
  if (offset >= PAGES * PAGE)
    _exit (signal);
  pid = fork ();
  if (pid == 0)
    _exit (0);
  waitpid (pid, NULL, 0);
  mprotect ((char *) guarded + offset / PAGE * PAGE, PAGE, PROT_READ | PROT_WRITE);
}

int
main (void)
{
  static unsigned x[CELLS];
  struct sigaction action = { 0 };
  unsigned i;
  int round;

  guarded = (unsigned *) mmap (NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  action.sa_sigaction = on_segv;
  action.sa_flags = SA_SIGINFO;
  sigaction (SIGSEGV, &action, NULL);
  for (i = 0; i < CELLS; i++)
    x[i] = i;
  for (round = 0; round < 10; round++)
    {
      mprotect (guarded, PAGES * PAGE, PROT_READ);
      mix (CELLS, x, guarded);
      printf ("%x\n", total (CELLS, guarded));
    }
  return 0;
}
