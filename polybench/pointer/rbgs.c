/* SPDX-License-Identifier: MIT
   Half a red-black Gauss-Seidel sweep, in place: points of one color change, and read points of the other.  Rows
   overlap as ranges of bytes, yet no two iterations meet at a point.  */
#include "kernels.h"

void
relax_color (int n, int color, double *u, double *f)
{
  int i, j;

#pragma omp parallel for private (j)
  /* main loop */
  for (i = 1; i < n - 1; i++)
    for (j = 1 + (i + color) % 2; j < n - 1; j += 2)
      u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]
			     - f[i * n + j]);
}
