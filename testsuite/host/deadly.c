/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! args: run, inspection, doacross, learned, blocked
//! run: threads=2,4
//! scan: report 1 "function":"stir".*"outlined":true
//! scan: report 1 "function":"scatter_far".*"outlined":true
//! scan: report 1 "function":"smooth".*"outlined":true
/* A signal that is to end the program ends it at once, while its loops run, or are inspected, or go one behind the
   other, however long that takes; but not if the program blocks it.  */
#include "host.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  N_LONG = 4096,
  PATIENCE = 20 /* seconds, after which a child is stuck */
};

static unsigned x[N_LONG], y[N_LONG];

/* Its monitor takes as long as it does.  */
static KERNEL void
scatter_far (int n, long rounds, unsigned *to)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    {
      unsigned at = (unsigned) i;
      for (k = 0; k < rounds; k++)
	at = (at ^ (unsigned) k) * 2654435761u;
      to[at % N_LONG] += at;
    }
}

/* Its iterations are free.  */
static KERNEL void
stir (int n, long rounds, const unsigned *from, unsigned *to)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    {
      unsigned value = to[i];
      for (k = 0; k < rounds; k++)
	value = (value ^ from[i]) * 2654435761u + (unsigned) k;
      to[i] = value;
    }
}

/* Each row needs the one before it.  */
static KERNEL void
smooth (int n, long rounds, unsigned *rows)
{
  int i, j;
  long k;

  for (i = 1; i < n; i++)
    for (j = 1; j < 63; j++)
      {
	unsigned value = rows[(i - 1) * 64 + j + 1] ^ rows[i * 64 + j - 1];
	for (k = 0; k < rounds; k++)
	  value = value * 2654435761u + (unsigned) k;
	rows[i * 64 + j] = value;
      }
}

static void
work_for_long (const char *how, long rounds)
{
  if (strcmp (how, "inspection") == 0)
    scatter_far (N_LONG, rounds, y);
  else if (strcmp (how, "doacross") == 0)
    smooth (N_LONG / 64, rounds, y);
  else
    stir (N_LONG, rounds, x, y);
}

/* Work for ever, having told the parent.  Who has learned expects milliseconds, the others nothing.  */
static void
be_child (const char *how, int to_parent)
{
  sigset_t term;
  int i;

  sigemptyset (&term);
  sigaddset (&term, SIGTERM);
  if (strcmp (how, "blocked") == 0)
    sigprocmask (SIG_BLOCK, &term, NULL);
  for (i = 0; i < 40; i++)
    work_for_long (how, strcmp (how, "learned") == 0 ? 1000 : 0);
  if (write (to_parent, "", 1) != 1)
    _exit (2);
  work_for_long (how, 1L << 40);
  _exit (1);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "run";
  int ends[2], status, i, is_blocked = strcmp (how, "blocked") == 0;
  char byte;

  if (pipe (ends) != 0)
    return 1;
  pid_t child = fork ();
  if (child == 0)
    be_child (how, ends[1]);
  if (read (ends[0], &byte, 1) != 1)
    return 1;
  usleep (200000);
  kill (child, SIGTERM);
  for (i = 0; i < (is_blocked ? 1 : PATIENCE) * 10 && waitpid (child, &status, WNOHANG) == 0; i++)
    usleep (100000);
  if (i == (is_blocked ? 1 : PATIENCE) * 10)
    {
      kill (child, SIGKILL);
      waitpid (child, &status, 0);
    }
  printf ("%s: %s\n", how, WIFSIGNALED (status) ? strsignal (WTERMSIG (status)) : "ended");
  return 0;
}
