/* SPDX-License-Identifier: MIT
   paragon build: a command that compiles, with the plugin in each compiler that it calls.

       PATH	folders of wrappers first, of those names whose compiler takes the plugin
       CC...	where they name another compiler: a wrapper, and that compiler for the wrapper
       then	what wrappers have noted, and the objects have to say: tally.h

   COMMAND gets no other environment than that: what a configure step finds, and keeps, is what it would find again.  */
#include "await.h"
#include "capture.h"
#include "command.h"
#include "notes.h"
#include "own-file.h"
#include "tally.h"
#include "toolchain.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  BY_SIGNAL = 128,
  ARGS_LEN = 4096
};

static const struct
{
  enum pg_compiler compiler;
  const char *name;
} names[] = {
#define PG_COMPILER_NAME(id, name) { PG_COMPILER_##id, name },
#include "compilers.def"
};

enum
{
  N_NAMES = sizeof names / sizeof *names
};

/* What is known of a program.  */
struct tried
{
  char program[PATH_MAX]; /* its real name */
  enum pg_compiler compiler;
  bool is_fit;
};

struct build
{
  const char *report;  /* file for the verdicts, or NULL */
  char args[ARGS_LEN]; /* for the plugin */
  char folders[PG_TOOLCHAIN_PATH_LEN];
  struct pg_own_folder folder;
  char store[PG_OWN_PATH_LEN];
  char *path; /* PATH as it was */
  struct tried tried[N_NAMES + PG_N_COMPILERS];
  size_t n_tried, n_caught;
};

/* Does WORDS, N of them, a compiler of COMPILER's language, take the plugin?  If not, WHY says what it says.  */
static bool
takes_plugin (char *const *words, size_t n, enum pg_compiler compiler, char (*why)[PG_CAPTURE_LEN])
{
  static char compile[] = "-fsyntax-only", language[] = "-x", nothing[] = "/dev/null";
  char *argv[PG_TOOLCHAIN_WORDS + PG_TOOLCHAIN_OPTIONS + 4];
  memcpy (argv, words, n * sizeof *argv);
  n = pg_toolchain_add_plugin (argv, n);
  argv[n++] = compile;
  argv[n++] = language;
  argv[n++] = (char *) (uintptr_t) pg_compilers[compiler].language;
  argv[n++] = nothing;
  argv[n] = NULL;
  return pg_capture (argv, why) == 0;
}

/* Is the compiler TEXT, of COMPILER's language, there, and does it take B's plugin?  One that does not is told of as
   NAME, once.  */
static bool
is_fit (struct build *b, const char *name, const char *text, enum pg_compiler compiler)
{
  char *copy = strdup (text), *words[PG_TOOLCHAIN_WORDS], program[PG_TOOLCHAIN_PATH_LEN], why[PG_CAPTURE_LEN];
  struct tried *tried = &b->tried[b->n_tried];
  size_t n = copy != NULL ? pg_toolchain_words (copy, words) : 0;
  *tried = (struct tried) { .compiler = compiler };
  if (n > 0 && pg_toolchain_find (words[0], b->path, &program) && realpath (program, tried->program) != NULL)
    {
      bool is_known = false;
      for (size_t t = 0; t < b->n_tried && n == 1 && !is_known; t++)
	if (b->tried[t].compiler == compiler && strcmp (b->tried[t].program, tried->program) == 0)
	  {
	    is_known = true;
	    tried->is_fit = b->tried[t].is_fit;
	  }
      if (!is_known)
	{
	  tried->is_fit = takes_plugin (words, n, compiler, &why);
	  if (!tried->is_fit)
	    pg_say ("%s is left alone: %s", name, *why != '\0' ? why : "it does not take the plugin");
	}
      b->n_tried += n == 1 && !is_known;
    }
  free (copy);
  return tried->is_fit;
}

/* Does NAME, the first word of TEXT, stand for a folder?  */
static bool
is_name (const char *text)
{
  size_t len = strcspn (text, " \t\n");
  for (size_t i = 0; i < N_NAMES; i++)
    if (strlen (names[i].name) == len && strncmp (names[i].name, text, len) == 0)
      return true;
  return false;
}

/* Have CC, CXX and FC, where the user set them to what no folder stands for, name a wrapper.  */
static void
set_variables (struct build *b)
{
  for (int c = 0; c < PG_N_COMPILERS; c++)
    {
      const struct pg_compiler_text *text = &pg_compilers[c];
      const char *value = getenv (text->variable);
      char name[PG_CAPTURE_LEN];
      if (value == NULL || *value == '\0' || is_name (value))
	continue;
      snprintf (name, sizeof name, "%s=%.400s", text->variable, value);
      if (!is_fit (b, name, value, (enum pg_compiler) c))
	continue;
      setenv (text->own, value, 1);
      setenv (text->variable, text->wrapper, 1);
    }
}

/* Put the folders of those names first in PATH whose compiler takes the plugin.  False: no memory.  */
static bool
set_path (struct build *b)
{
  size_t room = strlen (b->path) + 1 + N_NAMES * (strlen (b->folders) + 32), len = 0;
  char *path = malloc (room);
  if (path == NULL)
    return false;
  *path = '\0';
  for (size_t i = 0; i < N_NAMES; i++)
    {
      const struct pg_compiler_text *text = &pg_compilers[names[i].compiler];
      const char *own = getenv (text->own), *stands_for = names[i].name;
      if (strcmp (names[i].name, text->wrapper) == 0)
	stands_for = own != NULL && *own != '\0' ? own : text->otherwise;
      if (!is_fit (b, names[i].name, stands_for, names[i].compiler))
	continue;
      len += (size_t) snprintf (path + len, room - len, "%s/%s:", b->folders, names[i].name);
      b->n_caught++;
    }
  snprintf (path + len, room - len, "%s", b->path);
  setenv ("PATH", path, 1);
  free (path);
  return true;
}

/* Set the environment of B's command.  False: that is of no use, which was said.  */
static bool
prepare (struct build *b)
{
  const char *path = getenv ("PATH");
  pg_toolchain_folders (&b->folders);
  b->path = strdup (path != NULL ? path : "/usr/bin:/bin");
  if (*b->folders == '\0' || b->path == NULL)
    {
      pg_say ("%s", b->path == NULL ? "no memory" : "the wrappers of the compilers are not there: run make install");
      return false;
    }
  pg_toolchain_leave_path (b->path, b->folders);
  setenv ("PATH", b->path, 1);
  set_variables (b);
  if (!set_path (b))
    {
      pg_say ("no memory");
      return false;
    }
  if (b->n_caught == 0)
    pg_say ("no compiler that takes the plugin: see paragon doctor");
  return b->n_caught > 0;
}

/* Have wrappers name sources as they are called seen from here.  */
static void
set_folder (void)
{
  char *here = getcwd (NULL, 0);
  if (here != NULL)
    setenv ("PARAGON_FOLDER", here, 1);
  else
    unsetenv ("PARAGON_FOLDER");
  free (here);
}

/* Run ARGV.  Its status, as a shell has it.  */
static int
run (char **argv)
{
  pid_t pid;
  pg_await_prepare ();
  int e = posix_spawnp (&pid, argv[0], NULL, NULL, argv, environ);
  if (e != 0)
    {
      pg_say ("%s: %s", argv[0], strerror (e));
      return e == ENOENT ? PG_EXIT_NOT_FOUND : PG_EXIT_CANNOT_RUN;
    }
  int status = pg_await (pid);
  return WIFEXITED (status) ? WEXITSTATUS (status) : BY_SIGNAL + WTERMSIG (status);
}

/* Tell what B's command made, and keep it if that was asked for; STATUS is the command's.  The exit status.  */
static int
tell (const struct build *b, int status)
{
  struct pg_notes notes;
  struct pg_tally tally;
  if (!pg_notes_read (&notes, b->store) || !pg_tally_make (&tally, &notes))
    {
      pg_say ("no memory");
      return status == 0 ? PG_EXIT_WRONG : status;
    }
  pg_tally_show (&tally);
  if (b->report != NULL && !pg_tally_write (&tally, b->report) && status == 0)
    status = PG_EXIT_WRONG;
  pg_tally_free (&tally);
  pg_notes_free (&notes);
  return status;
}

/* Add the option ARG of the plugin to B.  False: there is no room.  */
static bool
add_arg (struct build *b, const char *arg)
{
  size_t len = strlen (b->args);
  return strpbrk (arg, " \t\n") == NULL
	 && snprintf (b->args + len, sizeof b->args - len, "%s%s", len > 0 ? " " : "", arg)
	      < (int) (sizeof b->args - len);
}

int
pg_command_build (int argc, char **argv)
{
  static struct build b;
  const char *args = getenv ("PARAGON_ARGS");
  enum pg_command_option option;
  if (args != NULL)
    snprintf (b.args, sizeof b.args, "%s", args);
  while ((option = pg_command_next_option (PG_COMMAND_BUILD, argc, argv)) != PG_OPTIONS_END)
    if (option == PG_OPTION_BUILD_OUTPUT)
      b.report = optarg;
    else if (!add_arg (&b, optarg))
      return pg_command_wrong (PG_COMMAND_BUILD, "--arg takes an option of the plugin, without blanks");
  if (optind == argc)
    return pg_command_wrong (PG_COMMAND_BUILD, "no COMMAND");
  if (*b.args != '\0')
    setenv ("PARAGON_ARGS", b.args, 1);
  if (!prepare (&b) || !pg_own_folder_make (&b.folder))
    return PG_EXIT_WRONG;
  pg_own_file (&b.folder, "compiled", &b.store);
  setenv ("PARAGON_STORE", b.store, 1);
  set_folder ();
  int status = run (argv + optind);
  if (status != PG_EXIT_NOT_FOUND && status != PG_EXIT_CANNOT_RUN)
    status = tell (&b, status);
  pg_own_folder_remove (&b.folder);
  free (b.path);
  return status;
}
