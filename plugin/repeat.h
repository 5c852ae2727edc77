/* SPDX-License-Identifier: GPL-3.0-or-later
   A loop is outlined in the middle of the passes over its function; then F goes through all passes, from the first.
   Those before the loop passes have done what they can for its statements already, in the function that they were in:

       ccp cunrolli fre vrp dom pre ... | pgloops ... vect ... vrp dom ... expand	the user's function
		    fre		    ... |	  ... vect ...	       ... expand	F  */
#ifndef PARAGON_REPEAT_H
#define PARAGON_REPEAT_H

#include "gcc-includes.h"

/* Callback of PLUGIN_OVERRIDE_GATE: GATE points to a bool, whether the current pass runs.  */
extern void pg_repeat_gate (void *gate, void *);

#endif
