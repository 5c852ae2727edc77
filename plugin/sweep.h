/* SPDX-License-Identifier: GPL-3.0-or-later
   Sweeps: what an inner loop of a monitor touches piece after piece becomes one touch.  */
#ifndef PARAGON_SWEEP_H
#define PARAGON_SWEEP_H

#include "gcc-includes.h"

/* In the monitor, the current function, replace calls of touch that in each execution of an inner loop together sweep
   over a run of bytes, or over a row of pieces, by one call before that loop.  Leaves the inner loop where it is.  */
extern void pg_sweep_touches (void);

#endif
