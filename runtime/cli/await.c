/* SPDX-License-Identifier: MIT
   Waiting for a command.  See await.h.  */
#include "await.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>

/* The last signal that asked this process to end, or 0.  */
static volatile sig_atomic_t asked_to_end;

static void
note_signal (int signal)
{
  asked_to_end = signal;
}

void
pg_await_prepare (void)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
  const struct sigaction noting = { .sa_handler = note_signal };
  struct sigaction before;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (sigaction (signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction (signals[i], &noting, NULL);
}

double
pg_await_clock (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

int
pg_await_signal (void)
{
  return asked_to_end;
}

int
pg_await (pid_t pid)
{
  int status = 0, passed_on = 0;
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    if (asked_to_end != passed_on)
      {
	passed_on = asked_to_end;
	kill (pid, passed_on);
      }
  return status;
}
