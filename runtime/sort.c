/* SPDX-License-Identifier: MIT
   A heap, the last element on top; from which it goes to the end, again and again.  */
#include "sort.h"

#include <string.h>

/* What is sorted, and how.  */
struct sorting
{
  char *elements;
  size_t len;
  bool (*comes_before) (const void *, const void *, const void *data);
  const void *data;
};

static char *
element (const struct sorting *s, size_t at)
{
  return s->elements + at * s->len;
}

/* Move the element at AT down the heap of N to where none below it comes behind it.  */
static void
sift (const struct sorting *s, size_t at, size_t n)
{
  char moved[PG_SORT_MOST_LEN];
  memcpy (moved, element (s, at), s->len);
  for (size_t below = 2 * at + 1; below < n; below = 2 * at + 1)
    {
      below += below + 1 < n && s->comes_before (element (s, below), element (s, below + 1), s->data);
      if (!s->comes_before (moved, element (s, below), s->data))
	break;
      memcpy (element (s, at), element (s, below), s->len);
      at = below;
    }
  memcpy (element (s, at), moved, s->len);
}

void
pg_sort (void *elements, size_t n, size_t len, bool (*comes_before) (const void *, const void *, const void *data),
	 const void *data)
{
  const struct sorting s = { elements, len, comes_before, data };
  char last[PG_SORT_MOST_LEN];
  for (size_t i = n / 2; i-- > 0;)
    sift (&s, i, n);
  for (size_t i = n; i-- > 1;)
    {
      memcpy (last, element (&s, 0), len);
      memcpy (element (&s, 0), element (&s, i), len);
      memcpy (element (&s, i), last, len);
      sift (&s, 0, i);
    }
}
