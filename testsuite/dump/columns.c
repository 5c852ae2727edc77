/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! scan: pgcolumns 3 "^loop [0-9]*: cut into 3 parts, 1 scalars carried"
//! scan: pgcolumns 1 "^loop [0-9]*: cut into 5 parts, 2 scalars carried"
//! scan: pgcolumns 4 ": cut into "
/* Loops that are cut, and interchanged with inner loops that go down columns, and some that are not.  */

#define N 500

void
sum (int n, double (*a)[N], double *y)
{
  for (int j = 0; j < n; j++)
    {
      double total = 0;
      for (int k = 0; k < N; k++)
	total += a[k][j];
      y[j] = total / N;
    }
}

void
twice (int n, double (*a)[N], double (*q)[N], double (*r)[N], int k)
{
  for (int j = k + 1; j < n; j++)
    {
      r[k][j] = 0;
      for (int i = 0; i < N; i++)
	r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < N; i++)
	a[i][j] = a[i][j] - q[i][k] * r[k][j];
    }
}

/* Nothing but this is gained where y and a are known to be apart.  */
void
any_rows (int n, int m, int len, double *a, double *y)
{
  for (int j = 0; j < n; j++)
    {
      double total = 0;
      for (int k = 0; k < m; k++)
	total += a[k * (long) len + j];
      y[j] = total / m;
    }
}

/* Of an array of the program, nothing has to be shown when it runs.  */
static double own[N][N], means[N];

__attribute__ ((noinline)) void
own_rows (void)
{
  for (int j = 0; j < N; j++)
    {
      double total = own[0][j] / 2;
      for (int k = 0; k < N - 1; k++)
	total += own[k][j];
      means[j] = total + own[N - 1][j];
    }
}

double
some_mean (int j, double value)
{
  own[j][j] = value;
  own_rows ();
  return means[j];
}

/* Along rows, it is fine as it is.  */
void
along_rows (int n, double (*a)[N], double *y)
{
  for (int j = 0; j < n; j++)
    {
      double total = 0;
      for (int k = 0; k < N; k++)
	total += a[j][k];
      y[j] = total / N;
    }
}

/* What one part gains, the other loses.  */
void
both_ways (int n, double (*a)[N], double (*b)[N], double *y)
{
  for (int j = 0; j < n; j++)
    {
      double total = 0;
      for (int k = 0; k < N; k++)
	total += a[k][j] * b[j][k];
      y[j] = total / N;
    }
}

/* The inner loop takes other turns in each iteration.  */
void
triangle (int n, double (*a)[N], double *y)
{
  for (int j = 0; j < n; j++)
    {
      double total = 0;
      for (int k = 0; k <= j; k++)
	total += a[k][j];
      y[j] = total / N;
    }
}

/* A loop along rows of so few elements stays as it is.  */
void
few (int n, double (*a)[N], double (*b)[N], double (*y)[8])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      {
	double total = 0;
	for (int k = 0; k < N; k++)
	  total += a[k][j] - b[k][i];
	y[i][j] = total / N;
      }
}

/* Each iteration has an array of its own.  */
void
own_array (int n, double (*a)[N], double *y)
{
  for (int j = 0; j < n; j++)
    {
      double own[8], total = 0;
      for (int k = 0; k < 8; k++)
	own[k] = a[k][j];
      for (int k = 0; k < N; k++)
	total += a[k][j] * own[k & 7];
      y[j] = total;
    }
}
