/* SPDX-License-Identifier: MIT
   Who can write the process's memory past its page tables.  */
#ifndef PG_BYPASS_H
#define PG_BYPASS_H

#include <stdbool.h>

/* May a device write the process's memory, now or later, through pages that were pinned before now?  True also where
   it cannot be found out.  Calls no malloc.  May change errno.  */
bool pg_bypass_possible (void);

/* The same by the files in PROC: "status", "fd".  */
bool pg_bypass_possible_in (const char *proc);

#endif
