/* SPDX-License-Identifier: MIT
   Command lines of a compiler.  See compile-line.h.

       -O2 -I inc -c a.c b.c	  two sources, optimised; makes a.o, b.o
       -o prog a.o -lm		  no source; may still be compiled, if a.o was made with -flto
       -E a.c; --version	  nothing for the plugin

   Files in @FILE are not looked at: they count as one input that is no source.  */
#include "compile-line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options whose value may be the next argument.  */
static const char *const with_value[] = {
  "-o",
  "-x",
  "-I",
  "-D",
  "-U",
  "-L",
  "-l",
  "-B",
  "-A",
  "-G",
  "-J",
  "-T",
  "-e",
  "-h",
  "-u",
  "-z",
  "-include",
  "-imacros",
  "-isystem",
  "-iquote",
  "-idirafter",
  "-iprefix",
  "-isysroot",
  "-imultilib",
  "-iwithprefix",
  "-iwithprefixbefore",
  "-iplugindir",
  "-MF",
  "-MT",
  "-MQ",
  "-Xlinker",
  "-Xassembler",
  "-Xpreprocessor",
  "-aux-info",
  "-dumpbase",
  "-dumpdir",
  "-dumpbase-ext",
  "--param",
  "-wrapper",
  "-specs",
  "--sysroot",
};

static const char *const stops_earlier[] = { "-E", "-M", "-MM", "-fsyntax-only", "-###" };

/* Suffixes of what is compiled, and of inputs of which nothing is: assembly, headers.  */
static const char *const source_suffixes[]
  = { "c", "i",   "ii",  "cc",  "cp",  "cxx", "cpp", "CPP", "c++", "C",   "f",   "for", "ftn",
      "F", "FOR", "fpp", "FPP", "FTN", "f90", "f95", "f03", "f08", "F90", "F95", "F03", "F08" };
static const char *const idle_suffixes[] = { "s", "S", "sx", "h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc" };

/* Languages, as after -x, of which the same is said.  */
static const char *const source_languages[]
  = { "c", "cpp-output", "c++", "c++-cpp-output", "f77", "f77-cpp-input", "f95", "f95-cpp-input" };

#define N_OF(table) (sizeof (table) / sizeof *(table))

static bool
is_one_of (const char *word, const char *const *words, size_t n)
{
  for (size_t w = 0; w < n; w++)
    if (strcmp (word, words[w]) == 0)
      return true;
  return false;
}

/* Note the input NAME, of LANGUAGE, if that is not NULL.  */
static void
note_input (struct pg_compile_line *line, char *name, const char *language)
{
  const char *slash = strrchr (name, '/'), *dot = strrchr (slash != NULL ? slash : name, '.');
  const char *suffix = dot != NULL ? dot + 1 : "";
  bool is_source = language != NULL ? is_one_of (language, source_languages, N_OF (source_languages))
				    : is_one_of (suffix, source_suffixes, N_OF (source_suffixes));
  bool is_idle = language != NULL ? !is_source : is_one_of (suffix, idle_suffixes, N_OF (idle_suffixes));
  if (is_source)
    line->sources[line->n_sources++] = name;
  else if (!is_idle)
    line->n_others++;
}

/* Note the option WORD, whose value is none of its concern.  */
static void
note_option (struct pg_compile_line *line, const char *word)
{
  static const char plugin[] = "-fplugin=";
  if (is_one_of (word, stops_earlier, N_OF (stops_earlier)))
    line->stop = PG_STOP_EARLIER;
  else if (strcmp (word, "-c") == 0 && line->stop == PG_STOP_PROGRAM)
    line->stop = PG_STOP_OBJECT;
  else if (strcmp (word, "-S") == 0 && line->stop != PG_STOP_EARLIER)
    line->stop = PG_STOP_TEXT;
  else if (strncmp (word, "-O", 2) == 0)
    line->is_optimised = strcmp (word, "-O0") != 0 && strcmp (word, "-Og") != 0;
  else if (strncmp (word, plugin, strlen (plugin)) == 0)
    {
      const char *slash = strrchr (word, '/'), *name = slash != NULL ? slash + 1 : word + strlen (plugin);
      line->has_plugin |= strcmp (name, "paragon") == 0 || strcmp (name, "paragon.so") == 0;
    }
}

bool
pg_compile_line_read (struct pg_compile_line *line, char *const *argv)
{
  const char *language = NULL;
  size_t n = 0;
  while (argv[n] != NULL)
    n++;
  *line = (struct pg_compile_line) { .sources = calloc (n + 1, sizeof *line->sources) };
  if (line->sources == NULL)
    return false;
  for (char *const *at = argv; *at != NULL; at++)
    {
      char *word = *at, *value = NULL;
      if (*word != '-' || word[1] == '\0')
	{
	  note_input (line, word, language);
	  continue;
	}
      if (is_one_of (word, with_value, N_OF (with_value)) && at[1] != NULL)
	value = *++at;
      else if (word[1] == 'o' || word[1] == 'x')
	value = word + 2;
      if (value != NULL && word[1] == 'o')
	line->output = value;
      else if (value != NULL && word[1] == 'x')
	language = strcmp (value, "none") == 0 ? NULL : value;
      else
	note_option (line, word);
    }
  return true;
}

bool
pg_compile_line_is_for_plugin (const struct pg_compile_line *line)
{
  return line->stop != PG_STOP_EARLIER
	 && (line->n_sources > 0 || (line->n_others > 0 && line->stop == PG_STOP_PROGRAM));
}

char *
pg_compile_line_output (const struct pg_compile_line *line, size_t source)
{
  char *name = NULL;
  if (line->output != NULL || line->stop == PG_STOP_PROGRAM)
    return strdup (line->output != NULL ? line->output : "a.out");
  const char *path = line->sources[source], *slash = strrchr (path, '/'), *base = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr (base, '.');
  int len = (int) (dot != NULL ? (size_t) (dot - base) : strlen (base));
  return asprintf (&name, "%.*s.%s", len, base, line->stop == PG_STOP_OBJECT ? "o" : "s") < 0 ? NULL : name;
}

void
pg_compile_line_free (struct pg_compile_line *line)
{
  free (line->sources);
}
