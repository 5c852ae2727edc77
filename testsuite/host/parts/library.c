/* SPDX-License-Identifier: MIT
   A library with regions, run from its constructor, from a function and from its destructor.  */
#include "../host.h"

static struct data d;
static unsigned early;

__attribute__ ((constructor)) static void
begin (void)
{
  prepare (&d, 1);
  early = work (&d);
}

__attribute__ ((destructor)) static void
end (void)
{
  printf ("destructor: %x\n", work (&d));
}

unsigned
library_work (void)
{
  return early ^ work (&d);
}
