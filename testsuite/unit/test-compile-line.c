/* SPDX-License-Identifier: MIT
   What a compiler's command line asks for: sources are told from what follows an option, outputs have their names, and
   what compiles nothing gets no plugin.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/compile-line.h"

#include <stdlib.h>
#include <string.h>

enum
{
  N_WORDS = 16
};

/* Read TEXT, words with a blank between, which becomes LINE's memory.  */
static void
read_line (struct pg_compile_line *line, char *text)
{
  char *words[N_WORDS], *rest = NULL;
  size_t n = 0;
  for (char *word = strtok_r (text, " ", &rest); word != NULL; word = strtok_r (NULL, " ", &rest))
    words[n++] = word;
  words[n] = NULL;
  assert_true (pg_compile_line_read (line, words));
}

static void
the_plugin_is_for_what_is_compiled_or_linked (void **state)
{
  static const struct
  {
    const char *text;
    bool is_for_plugin;
    size_t n_sources;
  } cases[] = {
    { "-O2 -c a.c", true, 1 },
    { "a.c dir/b.cc c.F90 -o prog -lm", true, 3 },
    { "a.o -o prog", true, 0 },
    { "@objects -o prog", true, 0 },
    { "-x c -", true, 1 },
    { "-xc++ text", true, 1 },
    { "-x c text -x none other.o", true, 1 },
    { "-include config.h -I a.c -D b.c -MF c.c -o d.c e.c", true, 1 },
    { "--param a.c", false, 0 },
    { "-S a.c", true, 1 },
    { "-E a.c", false, 1 },
    { "-E a.c -c", false, 1 },
    { "-M a.c", false, 1 },
    { "-c -MMD -MF a.d a.c", true, 1 },
    { "-fsyntax-only a.c", false, 1 },
    { "-c a.s", false, 0 },
    { "-c a.S -o a.o", false, 0 },
    { "-x assembler -c a.c", false, 0 },
    { "all.h", false, 0 },
    { "-x c-header all.c", false, 0 },
    { "-c a.o", false, 0 },
    { "--version", false, 0 },
    { "-v", false, 0 },
    { "-print-file-name=plugin", false, 0 },
    { "-dumpmachine -O2", false, 0 },
    { "-o", false, 0 },
    { "folder.c/file", true, 0 },
  };
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      struct pg_compile_line line;
      char *text = strdup (cases[c].text);
      read_line (&line, text);
      if (pg_compile_line_is_for_plugin (&line) != cases[c].is_for_plugin || line.n_sources != cases[c].n_sources)
	fail_msg ("%s: for the plugin: %d, sources: %zu", cases[c].text, pg_compile_line_is_for_plugin (&line),
		  line.n_sources);
      pg_compile_line_free (&line);
      free (text);
    }
}

static void
outputs_are_named_as_the_compiler_names_them (void **state)
{
  static const struct
  {
    const char *text, *output;
  } cases[] = {
    { "-c dir/a.b.c", "a.b.o" },      { "-S a.c", "a.s" },       { "-c -S a.c", "a.s" },         { "a.c", "a.out" },
    { "-c a.c -o x/y.lo", "x/y.lo" }, { "-c a.c -ox.o", "x.o" }, { "-o one -o two a.o", "two" },
  };
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      struct pg_compile_line line;
      char *text = strdup (cases[c].text);
      read_line (&line, text);
      char *output = pg_compile_line_output (&line, 0);
      assert_string_equal (output, cases[c].output);
      pg_compile_line_free (&line);
      free (output);
      free (text);
    }
}

static void
the_last_optimisation_counts (void **state)
{
  static const struct
  {
    const char *text;
    bool is_optimised;
  } cases[] = {
    { "a.c", false },     { "-O a.c", true },  { "-O2 -O0 a.c", false }, { "-O0 a.c -O3", true },
    { "-Og a.c", false }, { "-Os a.c", true }, { "-Ofast a.c", true },
  };
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      struct pg_compile_line line;
      char *text = strdup (cases[c].text);
      read_line (&line, text);
      assert_int_equal (line.is_optimised, cases[c].is_optimised);
      pg_compile_line_free (&line);
      free (text);
    }
}

/* The compiler refuses one of two paths.  */
static void
a_plugin_that_is_there_is_seen (void **state)
{
  static const struct
  {
    const char *text;
    bool has_plugin;
  } cases[] = {
    { "-fplugin=paragon a.c", true },          { "-fplugin=/usr/lib/paragon.so a.c", true },
    { "-fplugin=other a.c", false },           { "-fplugin=/paragon/other.so a.c", false },
    { "-fplugin-arg-paragon-kir a.c", false },
  };
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      struct pg_compile_line line;
      char *text = strdup (cases[c].text);
      read_line (&line, text);
      assert_int_equal (line.has_plugin, cases[c].has_plugin);
      pg_compile_line_free (&line);
      free (text);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_plugin_is_for_what_is_compiled_or_linked),
    cmocka_unit_test (outputs_are_named_as_the_compiler_names_them),
    cmocka_unit_test (the_last_optimisation_counts),
    cmocka_unit_test (a_plugin_that_is_there_is_seen),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
