/* SPDX-License-Identifier: MIT
   Add two vectors that are known by pointers only: C may overlap A or B for all that the compiler can tell.  */
#include "kernels.h"

void
vadd (int n, float *c, float *a, float *b)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    *(c + i) = *(a + i) + *(b + i);
}
