/* SPDX-License-Identifier: GPL-3.0-or-later
   The pass pgloops, seen from the pass table.  */
#ifndef PARAGON_LOOPS_H
#define PARAGON_LOOPS_H

#include "gcc-includes.h"

/* The attribute on functions that outlining made, which the pass leaves alone.  No user can write it.  */
#define PG_OUTLINED_ATTRIBUTE "paragon outlined"

extern gimple_opt_pass *pg_make_pass_loops (gcc::context *context);

#endif
