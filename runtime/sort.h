/* SPDX-License-Identifier: MIT
   Sorting in place.  The C library's qsort may call malloc, which is the program's.  */
#ifndef PG_SORT_H
#define PG_SORT_H

#include <stdbool.h>
#include <stddef.h>

enum
{
  PG_SORT_MOST_LEN = 64 /* bytes of an element */
};

/* Sort N ELEMENTS of LEN bytes by COMES_BEFORE, which is given two of them and DATA.  Of those that are equal, any may
   come first.  Takes N log N steps, whatever their order.  */
void pg_sort (void *elements, size_t n, size_t len, bool (*comes_before) (const void *, const void *, const void *data),
	      const void *data);

#endif
