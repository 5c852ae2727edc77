/* SPDX-License-Identifier: GPL-3.0-or-later
   Functions that are told where arrays are.  */
#ifndef PARAGON_TOLD_H
#define PARAGON_TOLD_H

#include "gcc-includes.h"

/* A copy of a function: its parameters are the function's, and behind them the addresses of ARRAYS, which the function
   names.  It is compiled if something calls it.  */
struct pg_told
{
  tree decl;
  auto_vec<tree> arrays;
  bool is_called;
};

/* Make a copy of FUN, the current function, that is told where ARRAYS are, with all of which FUN does nothing but to
   access them.  NULL: FUN does more than to move values and to compute integers, or it must not be copied.  Changes
   nothing in FUN.  The caller keeps the decl from being collected.  */
extern struct pg_told *pg_told_make (function *fun, const vec<tree> &arrays);

/* True if CALL, of TOLD's function, has the arguments that this has parameters for.  */
extern bool pg_told_fits_p (const struct pg_told *told, const gcall *call);

/* CALL as one of TOLD, whose arrays are where ADDRESSES say.  */
extern gcall *pg_told_call (struct pg_told *told, const gcall *call, const vec<tree> &addresses);

#endif
