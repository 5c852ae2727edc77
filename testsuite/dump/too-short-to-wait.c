/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fno-math-errno
//! scan: report 1 "function":"few",.*"depth":1,.*"reason":"too-small".*"outlined":false
//! scan: report 1 "function":"many",.*"depth":1,.*"outlined":true
//! scan: report 1 "function":"some",.*"depth":1,.*"outlined":true,"threshold":[0-9]{4}
//! scan: report 1 "function":"rows",.*"depth":1,.*"outlined":true,"threshold":[0-9]{1,2}[,}]
//! scan: report 1 "function":"lags",.*"depth":1,.*"outlined":true,"threshold":[0-9]{1,2}[,}]
//! scan: report 1 "function":"shrinks",.*"depth":1,.*"outlined":true,"threshold":[0-9]{1,2}[,}]
//! scan: report 1 "function":"wide",.*"depth":1,.*"outlined":true,"threshold":[0-9]{1,2}[,}]
//! scan: report 1 "function":"cheap",.*"depth":1,.*"reason":"too-small".*"outlined":false
//! scan: report 1 "function":"dear",.*"depth":1,.*"outlined":true
//! scan: report 1 "function":"apart",.*"depth":1,.*"outlined":true,"threshold":[0-9]{3}[,}]
/* Where each iteration needs what the one before writes, it must take long enough for the wait to pay; where its inner
   loop grows with it, that takes many iterations; where nobody knows, the runtime is asked.  Triangular loops
   that have no one to wait for need not be as long.  What shrinks, or is wide to begin with, is long.  */

#define MOST 20000

double a[MOST][MOST], x[MOST], y[MOST];

static inline __attribute__ ((always_inline)) void
solve (int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < i; j++)
	x[i] -= a[i][j] * x[j];
      x[i] /= a[i][i];
    }
}

void
few (void)
{
  solve (1500);
}

void
many (void)
{
  solve (MOST);
}

void
some (int n)
{
  solve (n);
}

void
rows (int n, int m)
{
  int i, j;

  for (i = 1; i < n; i++)
    for (j = 1; j < m; j++)
      a[i][j] = (a[i - 1][j] + a[i][j - 1]) / 2;
}

void
apart (int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      y[i] = 0;
      for (j = 0; j < i; j++)
	y[i] += a[i][j] * x[j];
    }
}

void
lags (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      y[i] = 0;
      for (j = i; j < m; j++)
	y[i] += x[j] * x[j - i];
    }
}

void
cheap (int n)
{
  int i, j;

  for (i = 1; i < n; i++)
    for (j = 1; j < 300; j++)
      a[i][j] = (a[i - 1][j] + a[i][j - 1]) / 2;
}

void
dear (int n)
{
  int i, j;

  for (i = 1; i < n; i++)
    for (j = 1; j < 300; j++)
      a[i][j] = __builtin_exp (a[i - 1][j] + a[i][j - 1]) / 2;
}

void
shrinks (int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      y[i] = 0;
      for (j = i; j < MOST; j++)
	y[i] += x[j] * x[j - i];
    }
}

void
wide (int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      y[i] = 0;
      for (j = 0; j < i + 9000; j++)
	y[i] += a[i][j] * x[j];
    }
}
