/* SPDX-License-Identifier: GPL-3.0-or-later
   The doacross F.  */
#ifndef PARAGON_DOACROSS_H
#define PARAGON_DOACROSS_H

#include "child.h"

/* Build the doacross F of PLAN's loop, which is CHILD, the current function, as a clone of it.  Return its
   declaration.  */
extern tree pg_doacross_build (const struct pg_plan *plan, const struct pg_child *child);

#endif
