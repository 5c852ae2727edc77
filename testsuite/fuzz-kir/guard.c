/* SPDX-License-Identifier: MIT
   KIR fuzzer: work in processes of its own, so that a crash or an endless loop is one finding and not the end.  */
#include "fuzz-kir.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  PATIENCE = 30 /* times the limit of CPU time: others may want the CPU, too */
};

void *
fk_share (size_t len)
{
  void *memory = mmap (NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    {
      perror ("fuzz-kir: mmap");
      exit (2);
    }
  return memory;
}

bool
fk_guard (void (*work) (void *context), void *context, char *why)
{
  int status = 0;
  fflush (NULL);
  pid_t pid = fork ();
  if (pid < 0)
    {
      perror ("fuzz-kir: fork");
      exit (2);
    }
  if (pid == 0)
    {
      const struct rlimit no_core = { 0, 0 }, time = { fk_options.timeout, fk_options.timeout + 1 };
      setrlimit (RLIMIT_CORE, &no_core);
      setrlimit (RLIMIT_CPU, &time);
      alarm (PATIENCE * fk_options.timeout);
      work (context);
      _exit (0);
    }
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return true;
  if (WIFEXITED (status))
    snprintf (why, FK_WHY_LEN, "exit status %d", WEXITSTATUS (status));
  else if (WTERMSIG (status) == SIGXCPU || WTERMSIG (status) == SIGALRM)
    snprintf (why, FK_WHY_LEN, FK_HANG);
  else
    snprintf (why, FK_WHY_LEN, "crashes: %s", strsignal (WTERMSIG (status)));
  return false;
}
