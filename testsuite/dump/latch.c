/* SPDX-License-Identifier: MIT */
//! flags: -O3
//! scan: report 1 "function":"peaks","depth":1,.*"form":"work-array".*"outlined":true
/* At -O3 GCC loads Y[K + 1] at the end of a turn, but for the last one: the array is not read behind its end.  */
#include <math.h>

#define N 600

double corner[N][8], out[N][5][5], factor[5], limit, left, low;

void
peaks (int n)
{
  double x[5], y[5];
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 5; j++)
	x[j] = factor[j] * (corner[i][1] - corner[i][0]) + corner[i][0];
      for (j = 0; j < 5; j++)
	y[j] = factor[j] * (corner[i][3] - corner[i][2]) + corner[i][2];
      for (k = 0; k < 5; k++)
	for (j = 0; j < 5; j++)
	  {
	    double r = pow (x[j] - left, 2.0) + pow (y[k] - low, 2.0);
	    out[i][k][j] = r <= limit ? cos (sqrt (r)) : 0;
	  }
      for (k = 0; k < 5; k++)
	for (j = 0; j < 5; j++)
	  {
	    double r = pow (x[j] - low, 2.0) + pow (y[k] - low, 2.0);
	    out[i][k][j] += r <= limit ? cos (sqrt (r)) : 0;
	  }
    }
}
