/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 2
//! opts: -O1, -O2, -Os
//! stat: pool >= 3
//! scan: report 3 "function":"(gather|faces|both)","depth":1,.*"work-array".*"reason":"indirect".*"outlined":true
//! scan: report 1 "function":"dead","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"fed","depth":1,.*"class":"sequential","reason":"stale-address"
//! scan: report 2 "function":"(seen|pointed)","depth":1,.*"class":"sequential"
/* Elements that are gathered to arrays of the function, computed with, and scattered to where indices say: what the
   arrays hold is no iteration's business but its own, and only the scattered elements have to be watched.  The command
   line lets some be the same: of neighbours, or far apart.  */
#include "print.h"

#define N 240

static int nodes[N][8], kind[N];
static double x[8 * N], y[8 * N];

KERNEL void
gather (int n)
{
  double from[8], to[8];
  int i, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < 8; k++)
	from[k] = x[nodes[i][k]];
      for (k = 0; k < 8; k++)
	to[k] = from[k] * from[7 - k] + from[(k * 3) & 7];
      for (k = 0; k < 8; k++)
	y[nodes[i][k]] = to[k];
    }
}

/* The array is filled where a number says so, and nobody looks at it elsewhere.  */
KERNEL void
faces (int n)
{
  double part[2][8];
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      y[nodes[i][0]] = x[i];
      if (kind[i] == 3)
	{
	  for (j = 0; j < 2; j++)
	    for (k = 0; k < 8; k++)
	      part[j][k] = 0;
	  for (j = 0; j < 2; j++)
	    for (k = 0; k < 8; k++)
	      part[j][k] += x[nodes[i][k]] * (j + 1);
	  for (k = 1; k < 8; k++)
	    y[nodes[i][k]] = part[0][k] + part[1][7 - k];
	}
      else
	for (k = 1; k < 8; k++)
	  y[nodes[i][k]] = x[nodes[i][0]] - k;
    }
}

/* Places in the array are loaded, too.  */
KERNEL void
both (int n)
{
  double slots[32];
  int i, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < 32; k++)
	slots[k] = k;
      for (k = 0; k < 8; k++)
	slots[nodes[i][k] & 31] += x[nodes[i][k]];
      for (k = 0; k < 8; k++)
	y[nodes[i][k]] += slots[(nodes[i][k] >> 2) & 31];
    }
}

/* The same without indices.  */
KERNEL void
dead (int n)
{
  double part[8];
  int i, k;

  for (i = 0; i < n; i++)
    if (kind[i] & 1)
      {
	double sum = 0;
	for (k = 0; k < 8; k++)
	  part[k] = x[8 * i + k];
	for (k = 0; k < 8; k++)
	  sum += part[7 - k] * k;
	y[i] += sum;
      }
}

/* Where to scatter is read from the array, which the monitor does not fill.  */
KERNEL void
fed (int n)
{
  int place[8], i, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < 8; k++)
	place[k] = nodes[i][7 - k];
      for (k = 0; k < 8; k++)
	y[place[(k * 3) & 7]] += k;
    }
}

/* What the last iteration that filled the array left there is seen.  */
KERNEL double
seen (int n)
{
  double part[8] = { 0 };
  int i, k;

  for (i = 0; i < n; i++)
    if (kind[i] & 1)
      {
	double sum = 0;
	for (k = 0; k < 8; k++)
	  part[k] = x[8 * i + k];
	for (k = 0; k < 8; k++)
	  sum += part[7 - k] * k;
	y[i] += sum;
      }
  return part[3] + part[5];
}

/* What is scattered may be the array.  */
KERNEL void
pointed (int n, double *part, double *to)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < 8; k++)
	part[k] = x[8 * i + k];
      for (k = 0; k < 8; k++)
	to[nodes[i][k]] = part[7 - k] + part[k];
    }
}

int
main (int argc, char **argv)
{
  int way = argc > 1 ? atoi (argv[1]) : 0, i, k;

  for (i = 0; i < N; i++)
    {
      kind[i] = i % 5;
      for (k = 0; k < 8; k++)
	{
	  nodes[i][k] = ((i * 8 + k) * 7 + 3) % (N * 8);
	  x[i * 8 + k] = (i * 7 + k * 3) % 23 * 0.5;
	}
    }
  if (way == 1)
    nodes[17][3] = nodes[18][2];
  if (way == 2)
    nodes[30][1] = nodes[N - 40][6];
  for (i = 0; i < 3; i++)
    {
      gather (N);
      faces (N);
      both (N);
      dead (N);
      x[5] += 1;
      print_bits ("y", y, sizeof y);
    }
  fed (N);
  printf ("seen %.17g\n", seen (N));
  pointed (N, y + 40, way == 0 ? x : y);
  print_bits ("x", x, sizeof x);
  print_bits ("y", y, sizeof y);
  return 0;
}
