/* SPDX-License-Identifier: GPL-3.0-or-later
   Reading the plugin's options.

   The compiler hands over `-fplugin-arg-paragon-threshold=100` as the pair (threshold, 100).  An argument that is not
   in include/options.def, or has a value where none is taken, none where one is, or a bad one, is an error:

       cc1: error: paragon: unknown option 'treshold'; valid are report=FILE, ..., threshold=N, off  */

#include "plugin-options.h"
#include "assemble.h"

struct pg_options pg_options = { false, false, NULL, NULL, -1, false, NULL, NULL, NULL };

enum option
{
#define PG_OPTION(id, name, value, text) OPTION_##id,
#include "../include/options.def"
#undef PG_OPTION
  N_OPTIONS
};

static const struct
{
  const char *name, *value;
} option_table[N_OPTIONS] = {
#define PG_OPTION(id, name, value, text) { name, value },
#include "../include/options.def"
#undef PG_OPTION
};

static enum option
find_option (const char *name)
{
  int i;
  for (i = 0; i < N_OPTIONS; i++)
    if (!strcmp (option_table[i].name, name))
      break;
  return (enum option) i;
}

/* Return the list of options, as "report=FILE, off", in memory that the caller frees.  */
static char *
list_options ()
{
  char *list = xstrdup ("");
  for (int i = 0; i < N_OPTIONS; i++)
    {
      const char *value = option_table[i].value;
      list = reconcat (list, list, i ? ", " : "", option_table[i].name, *value ? "=" : "", value, NULL);
    }
  return list;
}

/* Read the decimal number TEXT, zero or more, into *NUMBER.  */
static bool
read_number (const char *text, HOST_WIDE_INT *number)
{
  char *end;
  if (!ISDIGIT (*text))
    return false;
  errno = 0;
  *number = strtoll (text, &end, 10);
  return !*end && !errno;
}

static bool
read_option (const char *name, const char *value)
{
  enum option option = find_option (name);
  if (option == N_OPTIONS)
    {
      char *valid = list_options ();
      error_at (UNKNOWN_LOCATION, "paragon: unknown option %qs; valid are %s", name, valid);
      free (valid);
      return false;
    }

  const char *wanted = option_table[option].value;
  if (*wanted ? !value || !*value : value != NULL)
    {
      error_at (UNKNOWN_LOCATION, "paragon: option %qs takes %s", name, *wanted ? wanted : "no value");
      return false;
    }

  switch (option)
    {
    case OPTION_OFF:
      pg_options.off = true;
      return true;
    case OPTION_QUIET:
      pg_options.quiet = true;
      return true;
    case OPTION_REPORT:
      pg_options.report = value;
      return true;
    case OPTION_DUMP:
      pg_options.dump = value;
      return true;
    case OPTION_KIR:
      pg_options.kir = true;
      return true;
    case OPTION_CUDA:
      pg_options.cuda = value;
      return true;
    case OPTION_PTX:
      pg_options.ptx = value;
      if (pg_targets_valid (value))
	return true;
      error_at (UNKNOWN_LOCATION, "paragon: option %qs takes targets, as in %<sm_90,compute_75%>, not %qs", name,
		value);
      return false;
    case OPTION_FOLDER:
      pg_options.folder = value;
      return true;
    case OPTION_THRESHOLD:
      if (read_number (value, &pg_options.threshold))
	return true;
      error_at (UNKNOWN_LOCATION, "paragon: option %qs takes a number of iterations, not %qs", name, value);
      return false;
    case N_OPTIONS:
      break;
    }
  gcc_unreachable ();
}

bool
pg_options_read (const struct plugin_name_args *info)
{
  bool ok = true;
  for (int i = 0; i < info->argc; i++)
    ok &= read_option (info->argv[i].key, info->argv[i].value);
  if (pg_options.ptx && !pg_options.cuda)
    {
      error_at (UNKNOWN_LOCATION, "paragon: option %qs needs %qs, which says where to", "ptx", "cuda");
      return false;
    }
  return ok;
}
