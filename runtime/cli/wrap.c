/* SPDX-License-Identifier: MIT
   paragon-gcc, paragon-g++, paragon-gfortran: a compiler, called with the plugin.

       paragon-gcc -O2 -c a.c	 ->  gcc -fplugin=... -O2 -c a.c	$PARAGON_CC, else gcc
       cc -O2 -c a.c		 ->  cc -fplugin=... -O2 -c a.c		as a link of that name: the next cc in PATH

   It becomes the compiler: what that reads, writes and returns is not touched.  Where nothing is compiled, or the
   compiler is not of the plugin's version, it gets what was written.  */
#include "capture.h"
#include "command.h"
#include "compile-line.h"
#include "notes.h"
#include "toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wrapper
{
  char program[PG_TOOLCHAIN_PATH_LEN]; /* of the compiler */
  char *words[PG_TOOLCHAIN_WORDS];     /* how it is called */
  size_t n_words;
  struct pg_compile_line line;
  const char *store; /* where notes go, or NULL */
};

/* What the environment says about NAME; NULL: nothing.  */
static const char *
ask (const char *name)
{
  const char *value = getenv (name);
  return value != NULL && *value != '\0' ? value : NULL;
}

/* The compiler that the wrapper NAME stands for, and its first arguments, in one text.  */
static const char *
compiler_of (const char *name)
{
  for (size_t c = 0; c < PG_N_COMPILERS; c++)
    if (strcmp (pg_compilers[c].wrapper, name) == 0)
      return ask (pg_compilers[c].own) != NULL ? ask (pg_compilers[c].own) : pg_compilers[c].otherwise;
  return name;
}

/* Find the compiler of WRAPPER, which was called NAME.  What that calls is not to come by here again.  0, or the exit
   status, and it was said why.  */
static int
find (struct wrapper *wrapper, const char *name)
{
  char folders[PG_TOOLCHAIN_PATH_LEN], *path = strdup (getenv ("PATH") != NULL ? getenv ("PATH") : "/usr/bin:/bin");
  char *text = strdup (compiler_of (name));
  if (path == NULL || text == NULL)
    {
      pg_say ("no memory");
      return PG_EXIT_WRONG;
    }
  pg_toolchain_folders (&folders);
  pg_toolchain_leave_path (path, folders);
  wrapper->n_words = pg_toolchain_words (text, wrapper->words);
  setenv ("PATH", path, 1);
  if (wrapper->n_words > 0 && pg_toolchain_find (wrapper->words[0], path, &wrapper->program))
    return 0;
  pg_say ("%s: the compiler that it calls is not there", compiler_of (name));
  return PG_EXIT_NOT_FOUND;
}

/* Is WRAPPER's compiler one that loads the plugin?  If not, WHY says what it is.  */
static bool
is_fit (struct wrapper *wrapper, char (*why)[PG_CAPTURE_LEN])
{
  static char ask_version[] = "-dumpfullversion";
  char *argv[PG_TOOLCHAIN_WORDS + 1], version[PG_CAPTURE_LEN];
  memcpy (argv, wrapper->words, wrapper->n_words * sizeof *argv);
  argv[0] = wrapper->program;
  argv[wrapper->n_words] = ask_version;
  argv[wrapper->n_words + 1] = NULL;
  bool is_gcc = pg_capture (argv, &version) == 0;
  if (is_gcc && atoi (version) == PG_GCC_MAJOR)
    return true;
  snprintf (*why, sizeof *why, "%.200s is %s%.100s, and the plugin is for GCC %d", wrapper->words[0],
	    is_gcc ? "GCC " : "not GCC", is_gcc ? version : "", PG_GCC_MAJOR);
  return false;
}

/* Note what WRAPPER's compiler makes of its source number SOURCE, if it has one.  */
static void
note (const struct wrapper *wrapper, size_t source, enum pg_note_kind kind, const char *text)
{
  char *folder = getcwd (NULL, 0), *output = pg_compile_line_output (&wrapper->line, source);
  const struct pg_note note
    = { kind, text, folder, output, kind == PG_NOTE_LINKED ? "" : wrapper->line.sources[source] };
  if (folder == NULL || output == NULL || !pg_note_write (&note, wrapper->store))
    pg_say ("%s: %s", wrapper->store, strerror (errno));
  free (folder);
  free (output);
}

/* Note what WRAPPER's compiler is about to do, with the plugin, if WHY is empty, or without it.  */
static void
note_all (const struct wrapper *wrapper, const char *why)
{
  enum pg_note_kind kind = *why != '\0'                   ? PG_NOTE_OTHER
			   : wrapper->line.n_sources == 0 ? PG_NOTE_LINKED
			   : wrapper->line.is_optimised   ? PG_NOTE_COMPILED
							  : PG_NOTE_PLAIN;
  for (size_t source = 0; source < wrapper->line.n_sources; source++)
    note (wrapper, source, kind, why);
  if (wrapper->line.n_sources == 0 && *why == '\0')
    note (wrapper, 0, kind, why);
}

/* Become WRAPPER's compiler, with the arguments ARGV.  Returns the exit status if that cannot be.  */
static int
become (struct wrapper *wrapper, char **argv, bool with_plugin)
{
  size_t n_given = 0, n = wrapper->n_words;
  while (argv[n_given] != NULL)
    n_given++;
  char **all = calloc (n + PG_TOOLCHAIN_OPTIONS + n_given + 1, sizeof *all);
  if (all == NULL)
    {
      pg_say ("no memory");
      return PG_EXIT_WRONG;
    }
  memcpy (all, wrapper->words, n * sizeof *all);
  if (with_plugin)
    n = pg_toolchain_add_plugin (all, n);
  memcpy (all + n, argv, n_given * sizeof *all);
  execv (wrapper->program, all);
  int e = errno;
  pg_say ("%s: %s", wrapper->program, strerror (e));
  free (all);
  return e == ENOENT ? PG_EXIT_NOT_FOUND : PG_EXIT_CANNOT_RUN;
}

int
main (int argc, char **argv)
{
  struct wrapper wrapper = { .store = ask ("PARAGON_STORE") };
  char why[PG_CAPTURE_LEN] = "";
  const char *slash = strrchr (argc > 0 ? argv[0] : "", '/');
  int status = find (&wrapper, slash != NULL ? slash + 1 : argv[0]);
  if (status != 0)
    return status;
  if (!pg_compile_line_read (&wrapper.line, argv + 1))
    {
      pg_say ("no memory");
      return PG_EXIT_WRONG;
    }
  bool is_for_plugin = pg_compile_line_is_for_plugin (&wrapper.line);
  bool with_plugin = is_for_plugin && !wrapper.line.has_plugin && is_fit (&wrapper, &why);
  if (is_for_plugin && wrapper.store != NULL)
    note_all (&wrapper, why);
  else if (*why != '\0' && !with_plugin)
    pg_say ("%s: it is called without it", why);
  return become (&wrapper, argv + 1, with_plugin);
}
