/* SPDX-License-Identifier: GPL-3.0-or-later
   The rest of a function's compilation, tried out in processes of their own, to see how it rounds.  */
#ifndef PARAGON_REHEARSE_H
#define PARAGON_REHEARSE_H

#include "forms.h"
#include "plan.h"

/* Begin with the current function: nothing is known of it.  */
extern void pg_rehearsal_begin (void);

/* True if how the current function rounds may depend on what surrounds its products.  */
extern bool pg_rehearsal_may_fuse_p (void);

/* Before the first loop, PLAN's, is handed over, try the current function out, as it stands and with its loops handed
   over, if how it rounds may depend on that; then pg_rehearsal_differs knows what must not be.  IS_ALONE: the loop is
   all that there is in the function.  False if this is the process where nothing is handed over.  Requires: nothing was
   changed.  */
extern bool pg_rehearse (const struct pg_plan *plan, bool is_alone);

/* True if the current function was not tried out, as what it is compiled to will show how it rounds as it stands.  */
extern bool pg_rehearsal_open_p (void);

/* Learn that from FUN, which is compiled; false if nothing was open of it.  */
extern bool pg_rehearsal_settle (function *fun);

/* True if what is made of the current function can be compared with it as it stands.  */
extern bool pg_rehearsed_p (void);

/* A statement of PLAN's loop for which it may not be handed over; null if it may be.  */
extern gimple *pg_rehearsal_differs (const struct pg_plan *plan);

/* False if that is only because it could not be tried out.  */
extern bool pg_rehearsal_tried_p (void);

/* True if no loop may be handed over that is inside one that is.  */
extern bool pg_rehearsal_single_p (void);

/* What there is beside marks in the current function, compiled as it stands.  */
extern struct pg_sight pg_rehearsal_plain (void);

/* True in a process that only tries the current function out.  */
extern bool pg_rehearsing_p (void);

/* True in one that sets its sums apart from each other.  */
extern bool pg_rehearsal_parted_p (void);

/* True if the current function, or the one that was settled last, is what the copies of its sums show, and what is made
   of it may be told that.  */
extern bool pg_rehearsal_tellable_p (void);

/* Tell the parent what became of FUN, and be gone.  */
extern void pg_rehearsal_end (function *fun) ATTRIBUTE_NORETURN;

#endif
