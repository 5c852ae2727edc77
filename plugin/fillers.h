/* SPDX-License-Identifier: GPL-3.0-or-later
   Functions that fill arrays which they name.  */
#ifndef PARAGON_FILLERS_H
#define PARAGON_FILLERS_H

#include "gcc-includes.h"

/* Passes, each to be registered once: one marks functions that only fill memory, one has those inlined that name what
   they fill and are called in loops.  */
extern gimple_opt_pass *pg_make_pass_fills (gcc::context *context);
extern ipa_opt_pass_d *pg_make_pass_fillers (gcc::context *context);

#endif
