/* SPDX-License-Identifier: MIT
   How much memory the runtime may take without hurting the program.  */
#ifndef PG_BUDGET_H
#define PG_BUDGET_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that the machine and the process's control groups still have to give, page cache that can be dropped included;
   0: unknown.  Reads files under /proc and /sys; calls no malloc; keeps errno.  */
uint64_t pg_budget_available (void);

/* The same by the files PROC/meminfo and PROC_CGROUP and by the control groups below MOUNT.  May change errno.  */
uint64_t pg_budget_of (const char *proc, const char *proc_cgroup, const char *mount);

/* LEN zeroed bytes of the runtime's own, or NULL: more than a share of what is available, or refused by the system.
   For tables that grow with the program's data.  Ownership: the caller's, until pg_budget_put with the same LEN.  */
void *pg_budget_get (size_t len);

/* BLOCK of *LEN bytes, or a larger one in its place, zeroed, with room for N bytes, mostly more; NULL, and *LEN is 0:
   no memory.  What is replaced is gone with its contents.  */
void *pg_budget_grow (void *block, size_t *len, size_t n);

/* Have the LEN bytes of BLOCK, a new one, in memory at once: that is much less work than to touch one page after the
   other.  */
void pg_budget_touch (void *block, size_t len);

/* Take back BLOCK of LEN bytes; NULL is allowed.  */
void pg_budget_put (void *block, size_t len);

#endif
