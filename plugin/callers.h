/* SPDX-License-Identifier: GPL-3.0-or-later
   What callers know of a function whose loops are handed over.

   The compiler tells them which memory a function may touch, from its statements: early, for all functions, and again
   when it is done with one.  Behind a guard is a call of which nothing is known, but what runs there touches what the
   loop would have touched, and nobody else's memory.  So it looks right before the loops (see the pass table), and not
   again once one is handed over.  Else a value that is known across the call would not be any more, and a product of it
   that the compiler made, and rounded, would be fused.  */
#ifndef PARAGON_CALLERS_H
#define PARAGON_CALLERS_H

#include "gcc-includes.h"

/* The current function has a guard now.  */
extern void pg_callers_keep (void);

/* Callback of PLUGIN_OVERRIDE_GATE: GATE points to a bool, whether the current pass runs.  */
extern void pg_callers_gate (void *gate, void *);

#endif
