/* SPDX-License-Identifier: MIT
   Watching the program's memory for writes, so that what was read once need not be read again to know what it holds.

   Where the kernel cannot help (pages.h), where devices may write past the page table (bypass.h), or where the user
   says PARAGON_WATCH=off, nothing is ever found untouched.  */
#ifndef PG_WATCH_H
#define PG_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A moment on the watch's clock; 0: none.  */
typedef uint32_t pg_tick;

/* May this thread ask for anything now?  A program may have locked itself out of system calls since.  */
bool pg_watch_is_allowed (void);

/* Can the answer be yes, for any thread?  Asks nobody.  */
bool pg_watch_is_wanted (void);

/* Begin to watch the pages of LEN bytes at START, if they are not watched.  With IS_WIDE, those around them as well:
   cheaper where they are to be watched soon.  Returns a moment before now, or 0: cannot.  Threads: any.  */
pg_tick pg_watch_begin (const void *start, size_t len, bool is_wide);

/* Nanoseconds that this thread spent so far on what is not needed again: to begin to watch in a mapping.  */
int64_t pg_watch_once_ns (void);

/* Has none of the LEN bytes at START been written since TICK, a moment that pg_watch_begin returned for them?  False
   also if nobody knows.  Reads none of them.  Threads: any.  */
bool pg_watch_is_untouched (const void *start, size_t len, pg_tick tick);

/* The caller is about to write to all pages that lie within the LEN bytes at START: they count as written, so that it
   does not take a fault at each of them.  Threads: any.  */
void pg_watch_release (const void *start, size_t len);

/* The page of ADDRESS, and the length of one.  */
uintptr_t pg_watch_page (uintptr_t address);
uintptr_t pg_watch_page_len (void);

/* Is there no page between END, where something ends, and START, where something else begins?  */
bool pg_watch_is_next (const void *end, const void *start);

/* In the child of a fork: the parent's moments are before all that come.  */
void pg_watch_forget (void);

#endif
