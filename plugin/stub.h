/* SPDX-License-Identifier: GPL-3.0-or-later
   The lazy stub, seen from the plugin's start and the end of the unit; plan.h has what guards use.  */
#ifndef PARAGON_STUB_H
#define PARAGON_STUB_H

/* At the end of the unit, while the assembler file is open: write the pointer and the stub, if a guard used them, and
   if MAY_MARK, whether the library is to be opened early, for other units' guards, too.  */
extern void pg_stub_write (bool may_mark);

/* True if the unit defines malloc or what goes with it.  */
extern bool pg_stub_defines_malloc_p (void);

/* The trees that the stub keeps from the first guard to the end of the unit.  */
extern const struct ggc_root_tab pg_stub_roots[];

/* stub-text.cc: The stub as assembler text.  */
extern "C" const char pg_stub_text[] __attribute__ ((visibility ("hidden")));

#endif
