/* SPDX-License-Identifier: MIT
   Sorting: any order, any length of elements, equal ones, none at all.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sort.h"

enum
{
  MOST = 300
};

struct element
{
  int key, place;
  char more[PG_SORT_MOST_LEN - 2 * sizeof (int)];
};

/* Whether ONE comes before OTHER, by keys times the number at DATA.  */
static bool
comes_before (const void *one, const void *other, const void *data)
{
  int way = *(const int *) data;
  return ((const struct element *) one)->key * way < ((const struct element *) other)->key * way;
}

static void
elements_are_in_order_and_none_is_lost (void **state)
{
  static struct element elements[MOST];
  (void) state;
  for (int way = -1; way <= 1; way += 2)
    for (int n = 0; n <= MOST; n += n < 10 ? 1 : 29)
      {
	bool was_seen[MOST] = { false };
	for (int i = 0; i < n; i++)
	  elements[i] = (struct element) { rand () % (n + 1) / 2, i, { 0 } };
	pg_sort (elements, (size_t) n, sizeof *elements, comes_before, &way);
	for (int i = 0; i < n; i++)
	  {
	    assert_true (i == 0 || !comes_before (&elements[i], &elements[i - 1], &way));
	    assert_false (was_seen[elements[i].place]);
	    was_seen[elements[i].place] = true;
	  }
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (elements_are_in_order_and_none_is_lost) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
