/* SPDX-License-Identifier: GPL-3.0-or-later
   The pass pgloops, seen from the pass table.  */
#ifndef PARAGON_LOOPS_H
#define PARAGON_LOOPS_H

#include "gcc-includes.h"

/* The attribute on functions that outlining made, which the pass leaves alone.  No user can write it.  */
#define PG_OUTLINED_ATTRIBUTE "paragon outlined"

/* The attribute on functions with guards.  No user can write it.  */
#define PG_GUARDED_ATTRIBUTE "paragon guarded"

/* True if the function DECL has a guard, or if outlining made it.  */
inline bool
pg_handed_over_p (tree decl)
{
  tree attributes = DECL_ATTRIBUTES (decl);
  return lookup_attribute (PG_GUARDED_ATTRIBUTE, attributes) || lookup_attribute (PG_OUTLINED_ATTRIBUTE, attributes);
}

extern gimple_opt_pass *pg_make_pass_loops (gcc::context *context);

#endif
