/* SPDX-License-Identifier: GPL-3.0-or-later
   Making a loop independent of the function that it is in.  */
#ifndef PARAGON_LOCALISE_H
#define PARAGON_LOCALISE_H

#include "args.h"

/* Replace everywhere in LOOP what belongs to the function by what was loaded from ARGS in ENTRY_BB, its preheader.
   Changes: LOOP's statements, debug statements of the function that mention its values.  */
extern void pg_localise (class loop *loop, struct pg_args *args, basic_block entry_bb);

#endif
