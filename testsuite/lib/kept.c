/* SPDX-License-Identifier: MIT
   The compiler of the device without a GPU, for tests that run a program again and again: what it made of the same text
   before is copied from the folder PG_MODULES.

       g++ ... -x c++ TEXT -o OUTPUT ...

   It is to be found as g++ before the compiler, which is the next of that name in PATH.  What is loaded before other
   libraries, as faults are (testsuite/fault), is for neither: this one has no libraries, and the compiler is not
   told.  */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void
die (const char *what)
{
  fprintf (stderr, "kept g++: %s: %s\n", what, strerror (errno));
  exit (2);
}

/* The word in ARGV after OPTION.  */
static const char *
word_after (char **argv, const char *option)
{
  for (; argv[0] != NULL && argv[1] != NULL; argv++)
    if (strcmp (argv[0], option) == 0)
      return argv[1];
  errno = EINVAL;
  die (option);
}

/* Where what is made of the file TEXT is kept: a name from its length and FNV-1a, of 64 bits, of its bytes.  */
static char *
place_of (const char *folder, const char *text)
{
  uint64_t sum = 0xcbf29ce484222325;
  size_t len = 0;
  char *place;
  FILE *file = fopen (text, "re");
  if (file == NULL)
    die (text);
  for (int byte; (byte = getc_unlocked (file)) != EOF; len++)
    sum = (sum ^ (uint64_t) byte) * 0x100000001b3;
  fclose (file);
  if (asprintf (&place, "%s/%zx-%016llx", folder, len, (unsigned long long) sum) < 0)
    die (folder);
  return place;
}

/* Copy the file FROM to TO; false: there is none.  */
static bool
copy (const char *from, const char *to)
{
  struct stat facts;
  int in = open (from, O_RDONLY | O_CLOEXEC);
  if (in < 0 && errno == ENOENT)
    return false;
  if (in < 0 || fstat (in, &facts) != 0)
    die (from);
  int out = open (to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0777);
  if (out < 0)
    die (to);
  for (off_t left = facts.st_size; left > 0;)
    {
      ssize_t n = sendfile (out, in, NULL, (size_t) left);
      if (n <= 0)
	die (to);
      left -= n;
    }
  if (close (out) != 0)
    die (to);
  close (in);
  return true;
}

/* Become the next g++ in PATH.  */
static _Noreturn void
become_compiler (char **argv)
{
  char own[4096];
  ssize_t len = readlink ("/proc/self/exe", own, sizeof own - 1);
  if (len < 0)
    die ("/proc/self/exe");
  own[len] = 0;
  *strrchr (own, '/') = 0;
  char *path = getenv ("PATH"), *behind = path == NULL ? NULL : strstr (path, own);
  if (behind != NULL && behind[strlen (own)] == ':')
    setenv ("PATH", behind + strlen (own) + 1, 1);
  unsetenv ("LD_PRELOAD");
  execvp ("g++", argv);
  die ("g++");
}

static int
compile (char **argv)
{
  int status;
  pid_t pid = fork ();
  if (pid < 0)
    die ("fork");
  if (pid == 0)
    become_compiler (argv);
  while (waitpid (pid, &status, 0) < 0)
    if (errno != EINTR)
      die ("waitpid");
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}

int
main (int argc, char **argv)
{
  const char *folder = getenv ("PG_MODULES");
  if (argc < 2 || folder == NULL)
    {
      fputs ("kept g++: for tests, which set PG_MODULES\n", stderr);
      return 2;
    }
  const char *output = word_after (argv, "-o");
  char *kept = place_of (folder, word_after (argv, "c++")), *fresh;
  if (copy (kept, output))
    return 0;
  int status = compile (argv);
  if (status != 0)
    return status;
  if (asprintf (&fresh, "%s.%d", kept, (int) getpid ()) < 0)
    die (kept);
  if (!copy (output, fresh) || rename (fresh, kept) != 0)
    die (fresh);
  return 0;
}
