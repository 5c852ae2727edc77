/* SPDX-License-Identifier: GPL-3.0-or-later
   Passes that an outlined loop need not go through once more.  See repeat.h.  */

#include "repeat.h"
#include "loops.h"

/* The last of the passes before those over loops.  */
static const char last_pass[] = "fix_loops";

/* What takes time and finds nothing that it did not find in the function that the loop comes from.  Others make use of
   what F starts with, clean up behind outlining, or may find more where references are said to be apart.  */
static const char *const repeated_passes[]
  = { "copyprop", "cunrolli", "forwprop", "fre", "pre", "reassoc", "waccess", "walloca" };

/* What takes time, before those passes and behind them, and finds next to nothing there.  Much of it reasons about
   branches, of which F has few beside its loops', whose bounds may be any numbers; or about aggregates and strings; or
   about what calls of F do, of which there are none.  */
static const char *const vain_passes[]
  = { "backprop", "ccp",    "cse_local", "dom",        "dse1",    "dse2", "isolate-paths", "modref",
      "sra",      "strlen", "thread",    "threadfull", "uncprop", "vrp",  "wrestrict" };

/* The function that is past the last pass.  Only compared with.  */
static const_tree past_decl;

template <size_t n>
static bool
listed_p (const char *const (&list)[n], const char *name)
{
  for (const char *listed : list)
    if (!strcmp (name, listed))
      return true;
  return false;
}

void
pg_repeat_gate (void *gate, void *)
{
  bool *is_on = (bool *) gate;
  const_tree decl = current_function_decl;
  if (!*is_on || !decl || !lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (decl)))
    return;
  const char *name = current_pass->name;
  if (!strcmp (name, last_pass))
    past_decl = decl;
  else if (listed_p (vain_passes, name) || (decl != past_decl && listed_p (repeated_passes, name)))
    *is_on = false;
}
