/* SPDX-License-Identifier: MIT */
//! scan: report 3 "depth":1,.*"outlined":true
//! scan: report 1 "depth":2,.*"outlined":true
//! scan: report 2 "depth":2,.*"reason":"budget".*"outlined":false
//! scan: report 3 "depth":3,.*"reason":"budget".*"outlined":false
//! scan: report 3 "depth":4,.*"reason":"budget".*"outlined":false
/* Each level of a nest has its own copies of all that is in it: where that is much, there are fewer of what comes
   last.  */

extern double a[80][16][16][16][16];
extern int at[16][16];

#define STEP(n) a[n][i][j][at[k][l]][l] = a[n + 20][i][j][k][l] + a[n + 40][j][i][k][l] * a[n + 60][l][k][j][i];
#define FIVE(n) STEP (n) STEP (n + 1) STEP (n + 2) STEP (n + 3) STEP (n + 4)

#define NEST                    \
  for (i = 0; i < n; i++)       \
    for (j = 0; j < n; j++)     \
      for (k = 0; k < n; k++)   \
	for (l = 0; l < n; l++) \
	  {                     \
	    FIVE (1) FIVE (6)   \
	    FIVE (11) FIVE (16) \
	  }

void
deep (int n)
{
  int i, j, k, l;

  NEST
  NEST
  NEST
}
