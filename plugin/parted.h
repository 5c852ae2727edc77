/* SPDX-License-Identifier: GPL-3.0-or-later
   Sums set apart from others, where a function is tried out.  */
#ifndef PARAGON_PARTED_H
#define PARAGON_PARTED_H

#include "gcc-includes.h"

/* Sets fused sums apart.  */
extern gimple_opt_pass *pg_make_pass_part (gcc::context *context);

/* Undoes that.  */
extern gimple_opt_pass *pg_make_pass_join (gcc::context *context);

#endif
