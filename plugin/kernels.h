/* SPDX-License-Identifier: GPL-3.0-or-later
   The kernels of a unit: made where a loop is outlined, kept in the object and written for a person to read, as the
   options -fplugin-arg-paragon-kir and -fplugin-arg-paragon-cuda ask.  */
#ifndef PARAGON_KERNELS_H
#define PARAGON_KERNELS_H

#include "lift.h"

/* True if kernels are asked for.  */
extern bool pg_kernels_wanted (void);

/* Make the kernel of SOURCE, if one is asked for.  Notes in PLAN what became of it, and in OUT what it is.  */
extern void pg_kernel_make (const struct pg_lift_source *source, struct pg_plan *plan, struct pg_outlined *out);

/* Where the kernel that was made last waits for how the original rounds, that is known now.  */
extern void pg_kernel_settle (void);

/* Write the unit's kernels to where the options say.  */
extern void pg_kernels_write (void);

#endif
