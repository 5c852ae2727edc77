/* SPDX-License-Identifier: MIT */
//! scan: report 2 "function":"known".*"depth":1,.*"outlined":true
//! scan: report 2 "function":"known".*"depth":2,.*"outlined":true
//! scan: report 2 "function":"known".*"depth":3,.*"reason":"levels".*"outlined":false
//! scan: report 1 "function":"swept".*"depth":3,.*"outlined":true
//! scan: report 1 "function":"swept".*"depth":4,.*"reason":"levels".*"outlined":false
/* Loops inside two that are known to be free, or inside three that may be, are not handed over by themselves.  */

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
swept (int n, int m, int far, double (*p)[50][60][70])
{
  int i, j, k, l;

  for (i = 1; i < n; i++)
    for (j = 1; j < 50; j++)
      for (k = 0; k < m; k++)
	for (l = 0; l < m; l++)
	  p[i][j][k][l] = p[i - far][j - far][k][l] + 1;
}
