/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! flags: -fdump-tree-thread2
//! scan: thread2 1 "^;; Function around\.paragon"
//! scan-not: thread2 "^;; Function scale\.paragon"
/* What is divided depends on a branch in an inner loop, until the original is threaded behind its loop passes: then it
   leaves the loop.  F is not worse.  Where there are no branches, nothing would come of that, and it takes time.  */

void
around (int *restrict sums, const int *cells, int w, int h, int y)
{
  for (int x = 0; x < w; x++)
    {
      int sum = 0;
      for (int dy = -1; dy <= 1; dy++)
	for (int dx = -1; dx <= 1; dx++)
	  if (dx || dy)
	    sum += cells[(y + dy + h) % h * w + (x + dx + w) % w];
      sums[x] = sum;
    }
}

void
scale (int n, int m, double *restrict y, const double *a)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
	y[i] += a[i * m + j];
    }
}
