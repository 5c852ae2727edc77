/* SPDX-License-Identifier: MIT
   Where what is.  See toolchain.h.

       in a build tree		     installed
       bin/paragon		     bin/paragon		     this program, or a wrapper, beside it
       paragon.so		     lib/paragon/paragon.so	     the plugin, or a link to it
       paragon/path/gcc/gcc	     lib/paragon/path/gcc/gcc	     a link to a wrapper  */
#include "toolchain.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char own_name[] = "/proc/self/exe";

const struct pg_compiler_text pg_compilers[PG_N_COMPILERS] = {
#define PG_COMPILER(id, wrapper, language, variable, own, otherwise) \
  [PG_COMPILER_##id] = { wrapper, language, variable, own, otherwise PG_GCC_SUFFIX },
#include "compilers.def"
};

/* Put what is at NAME, seen from the folder above that of this program, into PATH, as its real name.  False: it is not
   there.  */
static bool
find_part (const char *name, char (*path)[PG_TOOLCHAIN_PATH_LEN])
{
  char program[4096], part[sizeof program + 32];
  ssize_t len = readlink (own_name, program, sizeof program - 1);
  char *slash = len > 0 ? memrchr (program, '/', (size_t) len) : NULL;
  if (slash == NULL)
    return false;
  *slash = '\0';
  snprintf (part, sizeof part, "%s/../%s", program, name);
  char *real = realpath (part, NULL);
  bool is_there = real != NULL && snprintf (*path, sizeof *path, "%s", real) < (int) sizeof *path;
  free (real);
  return is_there;
}

void
pg_toolchain_plugin (char (*path)[PG_TOOLCHAIN_PATH_LEN])
{
  if (!find_part ("paragon.so", path) && !find_part ("lib/paragon/paragon.so", path))
    strcpy (*path, "paragon");
}

void
pg_toolchain_folders (char (*path)[PG_TOOLCHAIN_PATH_LEN])
{
  if (!find_part ("paragon/path", path) && !find_part ("lib/paragon/path", path))
    **path = '\0';
}

void
pg_toolchain_leave_path (char *text, const char *folders)
{
  size_t folders_len = strlen (folders);
  char *to = text;
  bool is_first = true;
  for (const char *entry = text, *next; entry != NULL; entry = next)
    {
      size_t len = strcspn (entry, ":");
      next = entry[len] == ':' ? entry + len + 1 : NULL;
      if (folders_len == 0 || strncmp (entry, folders, folders_len) != 0 || entry[folders_len] != '/')
	{
	  if (!is_first)
	    *to++ = ':';
	  memmove (to, entry, len);
	  to += len;
	  is_first = false;
	}
    }
  *to = '\0';
}

/* Is PATH a program, and not this one?  */
static bool
is_other_program (const char *path)
{
  struct stat other, own;
  return access (path, X_OK) == 0 && stat (path, &other) == 0 && S_ISREG (other.st_mode)
	 && (stat (own_name, &own) != 0 || own.st_dev != other.st_dev || own.st_ino != other.st_ino);
}

bool
pg_toolchain_find (const char *name, const char *path_list, char (*path)[PG_TOOLCHAIN_PATH_LEN])
{
  if (strchr (name, '/') != NULL)
    return snprintf (*path, sizeof *path, "%s", name) < (int) sizeof *path && is_other_program (*path);
  for (const char *entry = path_list, *next; entry != NULL; entry = next)
    {
      int len = (int) strcspn (entry, ":");
      next = entry[len] == ':' ? entry + len + 1 : NULL;
      if (snprintf (*path, sizeof *path, "%.*s%s%s", len, entry, len > 0 ? "/" : "./", name) < (int) sizeof *path
	  && is_other_program (*path))
	return true;
    }
  return false;
}

size_t
pg_toolchain_words (char *text, char **words)
{
  size_t n = 0;
  for (char *rest = NULL, *word = strtok_r (text, " \t\n", &rest); word != NULL; word = strtok_r (NULL, " \t\n", &rest))
    {
      if (n == PG_TOOLCHAIN_WORDS - 1)
	return 0;
      words[n++] = word;
    }
  words[n] = NULL;
  return n;
}

void
pg_toolchain_relative (const char *from, const char *to, char (*name)[PG_TOOLCHAIN_PATH_LEN])
{
  size_t i = 0, common = 0, len = 0;
  for (; from[i] == to[i] && from[i] != '\0'; i++)
    common = from[i] == '/' ? i : common;
  if ((from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/'))
    common = i;
  **name = '\0';
  if (common == 0)
    return;
  const char *rest = to + common + (to[common] == '/');
  for (const char *up = from + common; (up = strchr (up, '/')) != NULL && len + 3 < sizeof *name; up++)
    len += (size_t) sprintf (*name + len, "%s..", len > 0 ? "/" : "");
  if (snprintf (*name + len, sizeof *name - len, "%s%s", len > 0 && *rest != '\0' ? "/" : "", rest)
      >= (int) (sizeof *name - len))
    **name = '\0';
}

/* Put what the current folder is called, seen from PARAGON_FOLDER, into NAME; "": nothing better than that.  */
static void
name_folder (char (*name)[PG_TOOLCHAIN_PATH_LEN])
{
  const char *from = getenv ("PARAGON_FOLDER");
  char *here = getcwd (NULL, 0);
  **name = '\0';
  if (from != NULL && here != NULL)
    pg_toolchain_relative (from, here, name);
  free (here);
}

size_t
pg_toolchain_add_plugin (char **argv, size_t n)
{
  static const char plugin[] = "-fplugin=", prefix[] = "-fplugin-arg-paragon-";
  static char options[PG_TOOLCHAIN_OPTIONS][PG_TOOLCHAIN_PATH_LEN + sizeof prefix + sizeof "folder="];
  static char text[PG_TOOLCHAIN_PATH_LEN];
  const char *asked = getenv ("PARAGON_ARGS");
  char path[PG_TOOLCHAIN_PATH_LEN], folder[PG_TOOLCHAIN_PATH_LEN], *words[PG_TOOLCHAIN_WORDS];
  size_t n_options = 0, n_words;
  pg_toolchain_plugin (&path);
  name_folder (&folder);
  snprintf (options[n_options++], sizeof *options, "%s%s", plugin, path);
  snprintf (options[n_options++], sizeof *options, "%squiet", prefix);
  if (*folder != '\0')
    snprintf (options[n_options++], sizeof *options, "%sfolder=%s", prefix, folder);
  bool is_whole = snprintf (text, sizeof text, "%s", asked != NULL ? asked : "") < (int) sizeof text;
  n_words = pg_toolchain_words (text, words);
  if (!is_whole || (n_words == 0 && asked != NULL && *asked != '\0'))
    pg_say ("PARAGON_ARGS: not words, or too many");
  for (size_t w = 0; w < n_words; w++)
    snprintf (options[n_options++], sizeof *options, "%s%s", prefix, words[w]);
  for (size_t o = 0; o < n_options; o++)
    argv[n++] = options[o];
  return n;
}
