/* SPDX-License-Identifier: MIT
   What the programs of this folder share: data, and three regions that work on it, each of which is let through for
   another reason.  */
#ifndef HOST_H
#define HOST_H

#include "../e2e/print.h"

enum
{
  N = 4000
};

struct data
{
  int index[N];
  unsigned x[N], y[N];
};

/* Fill D.  Each iteration needs the one before it, so this is no region: a test chooses where its first one is.  */
static inline void
prepare (struct data *d, unsigned seed)
{
  int i;

  for (i = 0; i < N; i++)
    {
      int j = (int) (next_random (&seed) % (unsigned) (i + 1));
      d->index[i] = d->index[j];
      d->index[j] = i;
      d->x[i] = next_random (&seed);
      d->y[i] = seed ^ (unsigned) i;
    }
}

/* The numbers of an entry tell whether x and y overlap.  */
static KERNEL void
mix (int n, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = y[i] * 3 + x[i];
}

/* The index array tells.  */
static KERNEL void
scatter (int n, const int *index, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[index[i]] = y[index[i]] * 5 + (unsigned) i;
}

/* A reduction, free of conflicts whatever the numbers are.  */
static KERNEL unsigned
total (int n, const unsigned *x)
{
  unsigned sum = 0;
  int i;

  for (i = 0; i < n; i++)
    sum += x[i] ^ (unsigned) i * 7;
  return sum;
}

/* Pass D through all three.  */
static inline unsigned
work (struct data *d)
{
  mix (N, d->x, d->y);
  scatter (N, d->index, d->y);
  return total (N, d->y);
}

#endif
