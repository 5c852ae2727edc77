/* SPDX-License-Identifier: GPL-3.0-or-later
   Products in copies of iterations that the compiler knows by number.  */
#ifndef PARAGON_COPIES_H
#define PARAGON_COPIES_H

#include "judge.h"

/* A product of the function that may be rounded otherwise, by itself or as part of a sum, once PLAN's loop is behind a
   guard or runs as F, because of copies of iterations; null if there is none.  */
extern gimple *pg_copies_differ (const struct pg_plan *plan);

#endif
