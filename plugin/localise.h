/* SPDX-License-Identifier: GPL-3.0-or-later
   Making a loop independent of the function that it is in.  */
#ifndef PARAGON_LOCALISE_H
#define PARAGON_LOCALISE_H

#include "args.h"

/* Replace everywhere in LOOP, and in LOADS in ENTRY_BB, its preheader, what belongs to the function by what was loaded
   from ARGS there.  Changes: LOOP's statements, debug statements of the function that mention its values.  */
extern void pg_localise (class loop *loop, struct pg_args *args, basic_block entry_bb, const vec<gimple *> &loads);

/* Replace everywhere in the current function, but for PHIs, the variables of ARGS by what is where their fields, which
   have no more than local values, say; ENTRY_BB is the first block, and empty.  Debug statements go.  */
extern void pg_localise_body (struct pg_args *args, basic_block entry_bb);

#endif
