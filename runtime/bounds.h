/* SPDX-License-Identifier: MIT
   Bounds: the bytes that an entry touches where its numbers do not tell, so that a device is given these and no more.

       for (i) for (j = ptr[i]; j < ptr[i + 1]; j++) y[i] += a[j] * x[col[j]]

   Numbers tell about y and ptr.  The monitor, run over all iterations before the first of them, tells about a, col and
   x.  What it said is kept for as long as what it has read stays the same (verdict.h): a loop that is entered again and
   again with the same index arrays pays once.

   If the loop may write what the monitor reads, bounds are right only if they show by themselves that it does not.  */
#ifndef PARAGON_BOUNDS_H
#define PARAGON_BOUNDS_H

#include "inspect.h"

/* Set VIEW's bounds, of an entry that has not begun, if there is need for them, and a way to find them.  *INSPECTOR is
   the region's own for bounds, NULL at first, which keeps them until the next call.  Threads: the region's working one;
   runs jobs on the pool.  A signal's handler may leave it by a jump: then *INSPECTOR is not to be used again.  */
void pg_bounds_find (struct pg_inspector **inspector, struct pg_view *view);

#endif
