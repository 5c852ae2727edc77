/* SPDX-License-Identifier: MIT
   What tests of kernels share: the kernels of testsuite/kir as text, and the data that they work on.  */
#ifndef KIR_KERNELS_H
#define KIR_KERNELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  TEXT_LEN = 1 << 16,
  N = 50 /* iterations */
};

static inline const char *
root (void)
{
  return getenv ("PG_ROOT") == NULL ? "." : getenv ("PG_ROOT");
}

/* The text of testsuite/kir/NAME without its comments, ended by 0.  */
static inline char *
golden_file (const char *name)
{
  static char text[TEXT_LEN];
  char path[4096];
  snprintf (path, sizeof path, "%s/testsuite/kir/%s", root (), name);
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  size_t len = 0;
  while (fgets (text + len, (int) (sizeof text - len), file) != NULL)
    len += text[len] == ';' ? 0 : strlen (text + len);
  text[len] = '\0';
  fclose (file);
  return text;
}

/* The same of kernel NAME.  */
static inline char *
golden (const char *name)
{
  char file[256];
  snprintf (file, sizeof file, "%s.kir", name);
  return golden_file (file);
}

/* A vector, and a sparse matrix by rows, of which some are empty.  */
static double x[N], y[N], element[4 * N];
static int start[N + 1], column[4 * N];

/* What axpy.kir, spmv.kir and sum.kir are given.  */
static struct
{
  double *x, *y, a;
} axpy = { x, y, 2.5 };
static struct
{
  int *start, *column;
  double *value, *x, *y;
} spmv = { start, column, element, x, y };
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
