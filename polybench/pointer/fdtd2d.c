/* SPDX-License-Identifier: MIT
   Finite differences in the time domain: the electric field follows the differences of the magnetic one, then the
   magnetic field those of the electric one.  Each field is updated in place, row by row.  */
#include "kernels.h"

void
fdtd_2d (int nx, int ny, double source, double *ex, double *ey, double *hz)
{
  int i, j;

  for (j = 0; j < ny; j++)
    ey[j] = source;

#pragma omp parallel for private (j)
  /* main loop */
  for (i = 1; i < nx; i++)
    for (j = 0; j < ny; j++)
      ey[i * ny + j] = ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);

#pragma omp parallel for private (j)
  /* main loop */
  for (i = 0; i < nx; i++)
    for (j = 1; j < ny; j++)
      ex[i * ny + j] = ex[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);

#pragma omp parallel for private (j)
  /* main loop */
  for (i = 0; i < nx - 1; i++)
    for (j = 0; j < ny - 1; j++)
      hz[i * ny + j] = hz[i * ny + j] - 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j]
					       + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
