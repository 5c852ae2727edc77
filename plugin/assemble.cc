/* SPDX-License-Identifier: GPL-3.0-or-later
   Kernels assembled ahead of time, by nvcc, in a process of its own.  See assemble.h.

       DIR/NAME.cu  ---  nvcc -arch=sm_90 -cubin -fmad=false  -->  DIR/NAME.sm_90.cubin
		    ---  nvcc -arch=compute_75 -ptx ...       -->  DIR/NAME.compute_75.ptx

   nvcc calls a compiler, which must not take itself for a part of this one: what GCC's driver says to its parts by
   environment variables is kept from it.  */

#include <spawn.h>
#include <sys/wait.h>

#include "assemble.h"
#include "gcc-includes.h"

enum
{
  TARGET_LEN = 32 /* at most, with its 0 */
};

/* The length of the target that LIST begins with; 0: that is none.  */
static size_t
target_len (const char *list)
{
  size_t len = !strncmp (list, "sm_", 3) ? 3 : !strncmp (list, "compute_", 8) ? 8 : 0;
  if (!len || !ISDIGIT (list[len]))
    return 0;
  while (ISDIGIT (list[len]))
    len++;
  len += ISLOWER (list[len]) != 0;
  return len < TARGET_LEN && (!list[len] || list[len] == ',') ? len : 0;
}

bool
pg_targets_valid (const char *targets)
{
  size_t len = target_len (targets);
  return len && (!targets[len] || pg_targets_valid (targets + len + 1));
}

/* The environment without what the driver says.  Its end is NULL; the caller frees it.  */
static char **
other_environment ()
{
  static const char *const own[] = { "COLLECT_", "COMPILER_PATH=", "GCC_EXEC_PREFIX=", "LIBRARY_PATH=" };
  size_t n = 0, n_kept = 0;
  while (environ[n])
    n++;
  char **kept = XNEWVEC (char *, n + 1);
  for (size_t i = 0; i < n; i++)
    {
      bool is_own = false;
      for (const char *name : own)
	is_own |= !strncmp (environ[i], name, strlen (name));
      if (!is_own)
	kept[n_kept++] = environ[i];
    }
  kept[n_kept] = NULL;
  return kept;
}

/* Start nvcc with ARGUMENTS, wherever it is, and wait for it.  Its exit status, or -1: there is none.  */
static int
run_nvcc (char **arguments)
{
  const char *home = getenv ("CUDA_HOME");
  char *at_home = concat (home && *home == '/' ? home : "/usr/local/cuda", "/bin/nvcc", NULL);
  const char *const programs[] = { at_home, "nvcc", "/usr/local/cuda/bin/nvcc" };
  char **environment = other_environment ();
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  int status = -1;
  if (posix_spawn_file_actions_init (&actions) == 0)
    {
      bool is_ready = true;
      for (int fd = 0; fd <= 2; fd++)
	is_ready &= !posix_spawn_file_actions_addopen (&actions, fd, "/dev/null", O_RDWR, 0);
      for (const char *program : programs)
	if (is_ready && pid < 0 && posix_spawnp (&pid, program, &actions, NULL, arguments, environment) != 0)
	  pid = -1;
      posix_spawn_file_actions_destroy (&actions);
    }
  while (pid > 0 && waitpid (pid, &status, 0) < 0)
    if (errno != EINTR)
      status = pid = -1;
  free (environment);
  free (at_home);
  return status;
}

/* Assemble the text FROM for TARGET to TO.  False: a note says why not.  */
static bool
assemble_for (const char *from, const char *target, const char *to)
{
  bool is_ptx = *target == 'c';
  char *arch = concat ("-arch=", target, NULL);
  const char *arguments[] = { "nvcc", arch, is_ptx ? "-ptx" : "-cubin", "-fmad=false", "-w", from, "-o", to, NULL };
  int status = run_nvcc (const_cast<char **> (arguments));
  free (arch);
  if (status == 0)
    return true;
  if (status < 0)
    inform (UNKNOWN_LOCATION, "paragon: no %s code of %qs: nvcc is not found", target, from);
  else
    inform (UNKNOWN_LOCATION, "paragon: no %s code: %<nvcc -arch=%s %s -fmad=false %s%> fails", target, target,
	    arguments[2], from);
  remove (to);
  return false;
}

void
pg_assemble (const char *folder, const char *name, const char *targets)
{
  bool is_good = true;
  char *from = concat (folder, "/", name, ".cu", NULL);
  for (const char *next = targets; is_good && *next;)
    {
      size_t len = target_len (next);
      char *target = xstrndup (next, len);
      char *to = concat (folder, "/", name, ".", target, *target == 'c' ? ".ptx" : ".cubin", NULL);
      is_good = assemble_for (from, target, to);
      next += len + (next[len] == ',');
      free (to);
      free (target);
    }
  free (from);
}
