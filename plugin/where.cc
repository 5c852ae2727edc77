/* SPDX-License-Identifier: GPL-3.0-or-later
   Names of places in the user's source.

   A make that goes from folder to folder calls the compiler in each of them, and has an a.c here and there.  The option
   `folder' says what the current one is called, seen from where the build was started:

       folder=lib/io	a.c -> lib/io/a.c	../a.c -> lib/a.c	/usr/include/a.h as it is  */

#include "where.h"
#include "plugin-options.h"

/* The length of the first LEN characters of FOLDER without its last part; LEN: none that ../ could take away.  */
static size_t
parent_len (const char *folder, size_t len)
{
  size_t at = len;
  while (at > 0 && folder[at - 1] != '/')
    at--;
  bool is_dots = folder[at] == '.' && (len - at == 1 || (len - at == 2 && folder[at + 1] == '.'));
  return is_dots ? len : at > 0 ? at - 1 : 0;
}

/* What FILE, seen from the current folder, is called if that is called FOLDER.  */
static const char *
join (const char *folder, const char *file)
{
  size_t len = strlen (folder), shorter;
  for (;;)
    if (startswith (file, "./"))
      file += 2;
    else if (startswith (file, "../") && (shorter = parent_len (folder, len)) != len)
      {
	len = shorter;
	file += 3;
      }
    else
      break;
  if (len == 0)
    return file;
  char *name = xasprintf ("%.*s/%s", (int) len, folder, file);
  tree kept = get_identifier (name);
  free (name);
  return IDENTIFIER_POINTER (kept);
}

/* The file of WHERE as the compiler was given it.  Generated code may say #line 7 "".  */
static const char *
given_name (location_t where)
{
  const char *file = LOCATION_FILE (where);
  return !file ? main_input_filename : *file ? file : "<no name>";
}

bool
pg_same_file_p (location_t a, location_t b)
{
  return !strcmp (given_name (a), given_name (b));
}

const char *
pg_file_name (location_t where)
{
  const char *file = given_name (where);
  const char *mapped = remap_debug_filename (file);
  bool is_as_given = mapped == file && !IS_ABSOLUTE_PATH (file) && *file != '<';
  return pg_options.folder && is_as_given ? join (pg_options.folder, file) : mapped;
}

unsigned
pg_line (location_t where)
{
  return LOCATION_LINE (where);
}

const char *
pg_function_name (tree function)
{
  /* At link time the language is gone; its names are still in the symbols of C++.  */
  if (in_lto_p)
    {
      char *name = cplus_demangle_v3 (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function)), 0);
      if (name)
	{
	  tree kept = get_identifier (name);
	  free (name);
	  return IDENTIFIER_POINTER (kept);
	}
    }
  return lang_hooks.decl_printable_name (function, 1);
}
