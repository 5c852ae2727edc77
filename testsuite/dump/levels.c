/* SPDX-License-Identifier: MIT */
//! scan: report 2 "function":"known".*"depth":1,.*"outlined":true
//! scan: report 1 "function":"known".*"depth":2,.*"outlined":true
//! scan: report 1 "function":"known".*"depth":2,.*"reason":"levels".*"outlined":false
//! scan: report 2 "function":"known".*"depth":3,.*"reason":"levels".*"outlined":false
//! scan: report 1 "function":"swept".*"depth":3,.*"outlined":true
//! scan: report 1 "function":"swept".*"depth":4,.*"reason":"levels".*"outlined":false
//! scan: report 4 "function":"both".*"depth":3,.*"outlined":true
//! scan: report 1 "function":"apart".*"depth":2,.*"outlined":true
//! scan: report 1 "function":"apart".*"depth":3,.*"reason":"levels".*"outlined":false
/* Loops inside two that are known to be free or are likely to be, or inside three that may be, are not handed over by
   themselves; nor all inside one that is free where a function has several, while all inside two that may be are.  */

extern double a[40][50][600][700], b[50][600][700];

void
known (void)
{
  int i, j, k, l;

  for (i = 0; i < 40; i++)
    for (j = 0; j < 50; j++)
      for (k = 0; k < 600; k++)
	{
	  for (l = 0; l < 700; l++)
	    a[i][j][k][l] = b[j][k][l];
	}
  for (i = 0; i < 40; i++)
    for (j = 0; j < 50; j++)
      for (k = 0; k < 600; k++)
	for (l = 0; l < 700; l++)
	  a[i][j][k][l] *= 2;
}

void
swept (int n, int m, int far, double *p)
{
  int i, j, k, l;

  for (i = 1; i < n; i++)
    for (j = 1; j < 50; j++)
      for (k = 0; k < m; k++)
	for (l = 0; l < m; l++)
	  p[((i * 50 + j) * 60 + k) * 70 + l] = p[(((i - far) * 50 + j - far) * 60 + k) * 70 + l] + 1;
}

#define SWEEP(at)                            \
  for (i = 1; i < n; i++)                    \
    for (j = 1; j < 50; j++)                 \
      for (k = 0; k < m; k++)                \
	p[((i * 50 + j) * 60 + k) * 70 + at] \
	  = p[(((i - far) * 50 + j - far) * 60 + k) * 70 + at] / 3 + p[((i * 50 + j) * 60 + k) * 70 + at];

void
both (int n, int m, int far, double *p)
{
  int i, j, k;

  SWEEP (1) SWEEP (2) SWEEP (3) SWEEP (4)
}

void
apart (int n, int m, const double (*q)[50][60], double (*p)[50][60])
{
  int i, j, k;

  for (i = 1; i < n; i++)
    for (j = 1; j < 50; j++)
      for (k = 0; k < m; k++)
	p[i][j][k] = q[i][j][k] + 1;
}
