/* SPDX-License-Identifier: MIT
   The kernel's record of the pages that were written since they were last protected (Linux 6.7 and later).  */
#ifndef PG_PAGES_H
#define PG_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Open files of the process's own memory.  All zero: not open.  */
struct pg_pages
{
  int fault_file, map_file;
  ino_t map_inode; /* tells whether MAP_FILE is still ours: a program may close what it did not open */
};

struct pg_page_range
{
  uintptr_t low, end;
};

/* Open PAGES.  False, with the reason in *WHY: the kernel has no such record, or does not let us.  */
bool pg_pages_open (struct pg_pages *pages, const char **why);

/* Have the program's hands been off PAGES?  */
bool pg_pages_are_ours (const struct pg_pages *pages);

/* Let the kernel keep a record of [LOW, END), whole mappings of private memory that no file is behind.  The program
   notices nothing: where it writes to a protected page, the kernel notes that, unprotects the page, and goes on.  */
bool pg_pages_record (const struct pg_pages *pages, uintptr_t low, uintptr_t end);

/* Begin the record of [LOW, END), whole pages, anew: as not written.  */
bool pg_pages_protect (const struct pg_pages *pages, uintptr_t low, uintptr_t end);

/* End the record of [LOW, END), whole pages: they count as written, and writing to them costs nothing more.  */
bool pg_pages_release (const struct pg_pages *pages, uintptr_t low, uintptr_t end);

/* Find the first pages of [LOW, END) that are not known to hold what they held when they were last protected: at most
   N ranges of them, in order, in RANGES.  Returns their number, or -1: there is no record of them.  Pages that were
   never protected or that are not there are among them, unmapped ones are not.  With N_PAGES not 0, it may stop after
   so many pages.  */
int pg_pages_find_written (const struct pg_pages *pages, uintptr_t low, uintptr_t end, struct pg_page_range *ranges,
			   int n, uint64_t n_pages);

/* Is all of [LOW, END) in huge pages?  To protect a part of one splits it, which costs 5 us now and, worse, makes all
   later accesses slower.  */
bool pg_pages_are_huge (const struct pg_pages *pages, uintptr_t low, uintptr_t end);

/* The mapping around the page at ADDRESS, as far as it may be recorded: private, writable, no file behind it, not a
   stack that grows.  False: there is none.  */
bool pg_pages_mapping (uintptr_t address, struct pg_page_range *mapping);

#endif
