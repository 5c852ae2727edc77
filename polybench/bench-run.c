/* SPDX-License-Identifier: MIT
   Run command lines in turn and print what each run took, for bench.sh and its relatives.

     bench-run [-r ROUNDS] [-f FIRST] [-l SECONDS] [-b SECONDS] [-c COPIES] [-p CPU] NAME=COMMAND...

   In each round every command runs once, in the order given and in every second round in reverse (A B C C B A ...), so
   that whatever else the machine does, and what a command leaves to the next, falls on all of them alike.  Rounds are
   numbered from FIRST on, for those that are added to others.  A run is COPIES processes started together.  A run
   longer than the limit -l is ended.  With -b, no round is begun once so many seconds have passed.  With -p, a process
   of our own spins on that CPU throughout.  Each COMMAND goes through sh, with the round's number in ROUND.  One line a
   run, separated by tabs:

     NAME ROUND STATUS WALL CPU TOTAL FIRST LATER HASH

   STATUS: ok, exit-N, signal-N or late.  WALL: seconds until the last copy ended.  CPU: user and system seconds of all
   copies.  TOTAL, FIRST, LATER: from the line that programs print with -t, or "-".  HASH: of standard output; the
   first copy's, as are the times.  */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  MAX_COPIES = 64
};

struct options
{
  long n_rounds, first, limit, budget, n_copies;
  long busy_cpu;			/* -1: no busy process */
};

/* One run of one command.  */
struct run
{
  pid_t pids[MAX_COPIES];		/* 0: ended */
  long n_left;
  int status;				/* of the first copy that failed, else 0 */
  int is_late;
  double cpu;
  int out, err;				/* what the first copy wrote */
};

static void
die (const char *what)
{
  perror (what);
  exit (2);
}

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static long
number (const char *text, long least)
{
  char *end;
  long value = strtol (text, &end, 10);

  if (end == text || *end || value < least)
    {
      fprintf (stderr, "bench-run: '%s' is not a number of at least %ld\n", text, least);
      exit (2);
    }
  return value;
}

static int
memory_file (const char *name)
{
  int fd = memfd_create (name, MFD_CLOEXEC);

  if (fd < 0)
    die ("memfd_create");
  return fd;
}

static void
become_command (const char *command, const sigset_t *mask, int out, int err)
{
  int in = open ("/dev/null", O_RDONLY);

  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask (SIG_SETMASK, mask, NULL);
  if (in < 0 || dup2 (in, 0) < 0 || dup2 (out, 1) < 0 || dup2 (err, 2) < 0)
    _exit (127);
  execl ("/bin/sh", "sh", "-c", command, (char *) NULL);
  _exit (127);
}

/* Take note of every copy that has ended.  */
static void
collect (struct run *run)
{
  struct rusage usage;
  int status, i;
  pid_t pid;

  while (run->n_left > 0 && (pid = wait4 (-1, &status, WNOHANG, &usage)) > 0)
    for (i = 0; i < MAX_COPIES; i++)
      if (run->pids[i] == pid)
	{
	  run->pids[i] = 0;
	  run->n_left--;
	  run->cpu += (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
		      + 1e-6 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	  if (!run->status)
	    run->status = status;
	}
}

static void
end_all (struct run *run)
{
  int i;

  for (i = 0; i < MAX_COPIES; i++)
    if (run->pids[i])
      kill (-run->pids[i], SIGKILL);
}

/* Start the copies of COMMAND and wait for all of them.  SIGCHLD is blocked; MASK is the one from before.  */
static double
run_command (const char *command, const struct options *o, const sigset_t *mask, struct run *run)
{
  double start = now (), end = start + (double) o->limit, left;
  sigset_t child;
  long i;

  memset (run, 0, sizeof *run);
  run->out = memory_file ("out");
  run->err = memory_file ("err");
  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  for (i = 0; i < o->n_copies; i++)
    {
      int out = i ? memory_file ("out") : run->out, err = i ? memory_file ("err") : run->err;
      pid_t pid = fork ();

      if (pid == 0)
	become_command (command, mask, out, err);
      if (pid < 0)
	die ("fork");
      setpgid (pid, pid);
      run->pids[i] = pid;
      run->n_left++;
      if (i)
	{
	  close (out);
	  close (err);
	}
    }
  for (collect (run); run->n_left > 0; collect (run))
    {
      struct timespec wait = { 0, 0 };

      left = end - now ();
      if (left <= 0.0 && !run->is_late)
	{
	  run->is_late = 1;
	  end_all (run);
	}
      wait.tv_sec = left > 0.0 ? (time_t) left : 1;
      wait.tv_nsec = left > 0.0 ? (long) (1e9 * (left - (double) (time_t) left)) : 0;
      sigtimedwait (&child, NULL, &wait);
    }
  return now () - start;
}

static uint64_t
hash_file (int fd)
{
  unsigned char buffer[4096];
  uint64_t hash = 0xcbf29ce484222325u;
  ssize_t n, i;

  lseek (fd, 0, SEEK_SET);
  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    for (i = 0; i < n; i++)
      hash = (hash ^ buffer[i]) * 0x100000001b3u;
  return hash;
}

/* Tell commands the number of the ROUND.  */
static void
set_round (long round)
{
  char text[32];

  snprintf (text, sizeof text, "%ld", round);
  if (setenv ("ROUND", text, 1))
    die ("setenv");
}

/* Print the three times from the line on FD that holds them.  */
static void
print_times (int fd)
{
  char text[4096], total[32], first[32], later[32];
  ssize_t n = pread (fd, text, sizeof text - 1, 0);
  const char *line;

  text[n > 0 ? n : 0] = '\0';
  line = strstr (text, "total ");
  if (line && sscanf (line, "total %31s first %31s later %31s", total, first, later) == 3)
    printf ("\t%s\t%s\t%s", total, first, later);
  else
    printf ("\t-\t-\t-");
}

static void
print_run (const char *name, int name_len, long round, double wall, const struct run *run)
{
  printf ("%.*s\t%ld\t", name_len, name, round);
  if (run->is_late)
    printf ("late");
  else if (WIFSIGNALED (run->status))
    printf ("signal-%d", WTERMSIG (run->status));
  else if (WEXITSTATUS (run->status))
    printf ("exit-%d", WEXITSTATUS (run->status));
  else
    printf ("ok");
  printf ("\t%.6f\t%.6f", wall, run->cpu);
  print_times (run->err);
  printf ("\t%016llx\n", (unsigned long long) hash_file (run->out));
  fflush (stdout);
}

/* Start a process that spins on CPU until we end.  */
static pid_t
start_busy (int cpu)
{
  pid_t pid = fork ();
  cpu_set_t set;

  if (pid < 0)
    die ("fork");
  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  sched_setaffinity (0, sizeof set, &set);
  for (volatile unsigned spin = 0;; spin++)
    continue;
}

static struct options
read_options (int argc, char **argv)
{
  struct options o = { 5, 0, 120, 1000000, 1, -1 };
  int c;

  while ((c = getopt (argc, argv, "+r:f:l:b:c:p:")) != -1)
    switch (c)
      {
      case 'r': o.n_rounds = number (optarg, 1); break;
      case 'f': o.first = number (optarg, 0); break;
      case 'l': o.limit = number (optarg, 1); break;
      case 'b': o.budget = number (optarg, 0); break;
      case 'c': o.n_copies = number (optarg, 1); break;
      case 'p': o.busy_cpu = number (optarg, 0); break;
      default: exit (2);
      }
  if (o.n_copies > MAX_COPIES || optind == argc)
    {
      fprintf (stderr, "usage: bench-run [-r ROUNDS] [-f FIRST] [-l SECONDS] [-b SECONDS] [-c COPIES] [-p CPU] "
	       "NAME=COMMAND...\n");
      exit (2);
    }
  return o;
}

int
main (int argc, char **argv)
{
  struct options o = read_options (argc, argv);
  double start = now ();
  sigset_t child, mask;
  pid_t busy = 0;
  long round, end;
  int k;

  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  sigprocmask (SIG_BLOCK, &child, &mask);
  if (o.busy_cpu >= 0)
    busy = start_busy ((int) o.busy_cpu);
  end = o.first + o.n_rounds;
  for (round = o.first; round < end && (round == o.first || now () - start < (double) o.budget); round++)
    for (k = 0; k < argc - optind; k++)
      {
	int i = round % 2 ? argc - 1 - k : optind + k;
	int name_len = (int) strcspn (argv[i], "=");
	struct run run;
	double wall;

	if (argv[i][name_len] == '\0')
	  {
	    fprintf (stderr, "bench-run: '%s' is not NAME=COMMAND\n", argv[i]);
	    return 2;
	  }
	set_round (round);
	wall = run_command (argv[i] + name_len + 1, &o, &mask, &run);
	print_run (argv[i], name_len, round, wall, &run);
	close (run.out);
	close (run.err);
      }
  if (busy)
    kill (busy, SIGKILL);
  return 0;
}
