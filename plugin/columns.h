/* SPDX-License-Identifier: GPL-3.0-or-later
   Columns: sums over rows become sums of rows.  See columns.cc.  */
#ifndef PARAGON_COLUMNS_H
#define PARAGON_COLUMNS_H

#include "gcc-includes.h"

/* The bytes of stack that the pass takes at most in the function DECL, which outlining made and nothing has been
   compiled of yet: 0 if it will leave it alone, or there is none.  */
extern HOST_WIDE_INT pg_columns_frame_len (const_tree decl);

/* Let the pass change DECL, an F that is only run for iterations of its loop that are free of conflicts.  */
extern void pg_columns_allow (tree decl);

/* What a reference gains if a loop in which it steps by INNER bytes is interchanged with the one around it, in which it
   steps by OUTER bytes: 1; what it loses: -1; 0: neither.  Where a step is unknown, it is as large as can be.  */
extern int pg_columns_gain (unsigned HOST_WIDE_INT inner, unsigned HOST_WIDE_INT outer);

extern gimple_opt_pass *pg_make_pass_columns (gcc::context *context);

#endif
