/* SPDX-License-Identifier: GPL-3.0-or-later
   What callers know of a function whose loops are handed over.  See callers.h.  */

#include "callers.h"

/* DECL_UID of the last function that was given a guard.  */
static unsigned guarded_uid = -1;

void
pg_callers_keep ()
{
  guarded_uid = DECL_UID (current_function_decl);
}

void
pg_callers_gate (void *gate, void *)
{
  bool *is_on = (bool *) gate;
  const_tree decl = current_function_decl;
  if (*is_on && decl && DECL_UID (decl) == guarded_uid && !strcmp (current_pass->name, "modref"))
    *is_on = false;
}
