/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! steps: auto, L2, L3
//! stat: pool >= 4
/* Arrays between pages that may not be touched, arrays that may only be read, and loops that touch only a part of what
   the shape of their addresses spans: whatever looks at memory beside the loop keeps to what the loop touches.  */
#include "host.h"
#include <string.h>
#include <sys/mman.h>

enum
{
  PAGE = 4096,
  CELLS = 8 * PAGE / sizeof (unsigned)
};

/* CELLS unsigned that fill the pages between two guard pages.  */
static unsigned *
guarded (void)
{
  char *p = (char *) mmap (NULL, 10 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  mprotect (p + PAGE, 8 * PAGE, PROT_READ | PROT_WRITE);
  return (unsigned *) (p + PAGE);
}

/* Y and INDEX exist only where WANTED says so.  */
static KERNEL void
scatter_wanted (int n, const unsigned char *wanted, const int *index, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    if (wanted[i])
      y[index[i]] += (unsigned) i;
}

static KERNEL void
mix_wanted (int n, const unsigned char *wanted, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    if (wanted[i])
      y[i] = y[i] * 3 + x[i];
}

int
main (void)
{
  static unsigned char wanted[2 * CELLS];
  unsigned *x = guarded (), *y = guarded ();
  int *index_of = (int *) guarded ();
  int i, round;

  fill_permutation (index_of, CELLS, 3);
  for (i = 0; i < CELLS; i++)
    {
      x[i] = (unsigned) i * 7;
      wanted[i] = i % 3 != 0;
    }
  mprotect (x, CELLS * sizeof *x, PROT_READ);
  mprotect (index_of, CELLS * sizeof *index_of, PROT_READ);
  for (round = 0; round < 4; round++)
    {
      mix (CELLS, x, y);
      scatter (CELLS, index_of, y);
      mix (CELLS - round - 1, x + 1 + round, y);
      scatter (CELLS - 3, index_of + 3, y);
      scatter_wanted (2 * CELLS, wanted, index_of, y);
      mix_wanted (2 * CELLS, wanted, x, y);
      /* Nothing is to be written, and so nothing may be.  */
      memset (wanted, 0, sizeof wanted);
      mprotect (y, CELLS * sizeof *y, PROT_NONE);
      scatter_wanted (2 * CELLS, wanted, index_of, y);
      mix_wanted (2 * CELLS, wanted, x, y);
      mprotect (y, CELLS * sizeof *y, PROT_READ | PROT_WRITE);
      memset (wanted, 1, CELLS);
      printf ("%x\n", total (CELLS, y));
    }
  return 0;
}
