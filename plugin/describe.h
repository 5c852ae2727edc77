/* SPDX-License-Identifier: GPL-3.0-or-later
   The region descriptor, seen from the pass table; plan.h has what the pass itself calls.  */
#ifndef PARAGON_DESCRIBE_H
#define PARAGON_DESCRIBE_H

/* Whether the target's data layout is one that descriptors can be written for.  */
extern bool pg_region_target_ok ();

#endif
