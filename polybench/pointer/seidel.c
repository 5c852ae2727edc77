/* SPDX-License-Identifier: MIT
   Gauss-Seidel sweep in place, point after point: each inner point of U becomes the average of itself and its eight
   neighbours, of which those before it are new, so this loop is not parallel: a row follows the one above it.  */
#include "kernels.h"

void
seidel (int n, double *u)
{
  int i, j;

  /* main loop */
  for (i = 1; i < n - 1; i++)
    for (j = 1; j < n - 1; j++)
      u[i * n + j] = (u[(i - 1) * n + j - 1] + u[(i - 1) * n + j] + u[(i - 1) * n + j + 1]
		      + u[i * n + j - 1] + u[i * n + j] + u[i * n + j + 1]
		      + u[(i + 1) * n + j - 1] + u[(i + 1) * n + j] + u[(i + 1) * n + j + 1]) / 9.0;
}
