/* SPDX-License-Identifier: GPL-3.0-or-later
   Passes that an outlined loop need not go through once more.  See repeat.h.  */

#include "repeat.h"
#include "loops.h"

/* The last of those passes: from here on, all are new to the loop.  */
static const char last_pass[] = "fix_loops";

/* What takes time and finds nothing that it did not find in the function that the loop comes from.  Others make use of
   what F starts with, clean up behind outlining, or may find more where references are said to be apart.  */
static const char *const repeated_passes[] = { "cunrolli", "dom", "reassoc", "waccess", "walloca" };

/* The function that is past the last pass.  Only compared with.  */
static const_tree past_decl;

static bool
repeated_p (const char *name)
{
  for (const char *repeated : repeated_passes)
    if (!strcmp (name, repeated))
      return true;
  return false;
}

void
pg_repeat_gate (void *gate, void *)
{
  bool *is_on = (bool *) gate;
  const_tree decl = current_function_decl;
  if (!*is_on || !decl || decl == past_decl || !lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (decl)))
    return;
  if (!strcmp (current_pass->name, last_pass))
    past_decl = decl;
  else if (repeated_p (current_pass->name))
    *is_on = false;
}
