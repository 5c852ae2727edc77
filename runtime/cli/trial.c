/* SPDX-License-Identifier: MIT
   A command is run.  See trial.h.  What asked this process to end was passed on to the command, and then nothing is
   told of it.  */
#include "trial.h"
#include "await.h"
#include "command.h"
#include "spawn.h"

#include <string.h>
#include <sys/wait.h>

enum
{
  STATUS_SKIP = 125 /* as for git bisect */
};

/* Say what became of the command, STATUS, after WHAT.  */
static enum pg_outcome
tell (const struct pg_trial *trial, const char *what, int status, double seconds)
{
  if (pg_await_signal () != 0)
    {
      pg_say ("run %d, %s: stopped by signal %d", trial->n, what, pg_await_signal ());
      return PG_CANNOT_TELL;
    }
  if (WIFEXITED (status) && WEXITSTATUS (status) == STATUS_SKIP)
    {
      pg_say ("run %d, %s: status %d: it cannot be tested", trial->n, what, STATUS_SKIP);
      return PG_CANNOT_TELL;
    }
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    {
      pg_say ("run %d, %s: passes (%.1f s)", trial->n, what, seconds);
      return PG_PASSES;
    }
  bool is_signal = WIFSIGNALED (status);
  pg_say ("run %d, %s: fails: %s %d (%.1f s)", trial->n, what, is_signal ? "signal" : "status",
	  is_signal ? WTERMSIG (status) : WEXITSTATUS (status), seconds);
  return PG_FAILS;
}

enum pg_outcome
pg_trial_run (struct pg_trial *trial, const char *what)
{
  double begin = pg_await_clock ();
  int status = 0;
  trial->n++;
  for (int64_t k = 0; k < trial->n_repeat && status == 0 && pg_await_signal () == 0; k++)
    {
      pid_t pid;
      int e = pg_spawn (trial->argv, trial->is_verbose ? NULL : "/dev/null", trial->is_verbose, &pid);
      if (e != 0)
	{
	  pg_say ("%s: %s", trial->argv[0], strerror (e));
	  return PG_CANNOT_TELL;
	}
      status = pg_await (pid);
    }
  return tell (trial, what, status, pg_await_clock () - begin);
}
