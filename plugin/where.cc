/* SPDX-License-Identifier: GPL-3.0-or-later
   Names of places in the user's source.  */

#include "where.h"

const char *
pg_file_name (location_t where)
{
  const char *file = LOCATION_FILE (where);
  return remap_debug_filename (file ? file : main_input_filename);
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
