/* SPDX-License-Identifier: GPL-3.0-or-later
   What an address is based on, kept from being mistaken.  */
#ifndef PARAGON_BASES_H
#define PARAGON_BASES_H

#include "gcc-includes.h"

/* Have the bases of addresses in the function DECL looked after: it has a guard.  */
extern void pg_bases_keep (tree decl);

/* True if the function DECL has one.  */
extern bool pg_guarded_p (const_tree decl);

extern gimple_opt_pass *pg_make_pass_bases (gcc::context *context);

#endif
