/* SPDX-License-Identifier: MIT
   How much memory the runtime may take without hurting the program.  */
#ifndef PG_BUDGET_H
#define PG_BUDGET_H

#include <stdint.h>

/* Bytes that the machine and the process's control groups still have to give, page cache that can be dropped included;
   0: unknown.  Reads files under /proc and /sys; calls no malloc; keeps errno.  */
uint64_t pg_budget_available (void);

#endif
