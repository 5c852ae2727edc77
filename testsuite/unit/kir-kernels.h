/* SPDX-License-Identifier: MIT
   What tests of running kernels share: the data that the kernels of testsuite/kir work on.  */
#ifndef KIR_KERNELS_H
#define KIR_KERNELS_H

#include "kir-golden.h"

enum
{
  N = 50 /* iterations */
};

/* A vector, and a sparse matrix by rows, of which some are empty.  */
static double x[N], y[N], element[4 * N];
static int start[N + 1], column[4 * N];

/* What axpy.kir, spmv.kir, loose.kir and sum.kir are given.  */
static struct
{
  double *x, *y, a;
} axpy __attribute__ ((unused)) = { x, y, 2.5 };
static struct
{
  int *start, *column;
  double *value, *x, *y;
} spmv = { start, column, element, x, y };
struct __attribute__ ((packed)) loose_args
{
  char *structs, unused[9];
  double more;
};
struct sum_args
{
  double *x, sum;
  int64_t last;
  int count;
};

static inline void
fill_data (void)
{
  for (int i = 0; i < N; i++)
    {
      x[i] = i * 0.37;
      start[i + 1] = start[i] + i % 4;
    }
  for (int k = 0; k < 4 * N; k++)
    {
      element[k] = k / 3.0;
      column[k] = k * 7 % N;
    }
}

#endif
