/* SPDX-License-Identifier: MIT */
//! args: 1 2147483647, 1 3, 0 4, 1 -5
//! opts: -Os, -O1, -O2, -O3
//! stat: entries >= 1
//! scan: report 1 "function":"different_ways","depth":1,.*"class":"possibly parallel","reason":"nonlinear"
//! scan: report 1 "function":"read_where_ways_meet","depth":1,.*"form":"work-array".*"outlined":true
/* Values that two ways compute, and that are the same where they meet; but one way may not wrap around, and the other
   one may.  The command line has what is added up, which wraps only where that is allowed.  */
#include "print.h"

#define N 200

static double work[8], out[N];
static int marks[N];

/* No turn of the middle loop fills the array if the sum wraps around.  */
KERNEL void
turns (int n, int a, int b, const unsigned char *way)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      int end;
      if (way[i] & 1)
	{
	  marks[i] = 1;
	  end = a + b;
	}
      else
	{
	  marks[i] = 2;
	  end = (int) ((unsigned) a + (unsigned) b);
	}
      for (j = 0; j < end; j++)
	for (k = 0; k < 8; k++)
	  work[k] = i + j + k;
      for (k = 0; k < 8; k++)
	sum += work[k] * (k + 1);
      out[i] += sum;
    }
}

KERNEL void
read_where_ways_meet (int n, int at, const unsigned char *way)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      int from;
      if (way[i] & 2)
	{
	  marks[i] += 3;
	  from = at;
	}
      else
	from = at;
      for (j = 0; j < 8; j++)
	work[j] = i * j;
      out[i] -= work[from & 7] + work[7];
    }
}

/* They do not compute the same.  */
KERNEL void
different_ways (int n, const unsigned char *way)
{
  int i;

  for (i = 0; i < n; i++)
    {
      int at;
      if (way[i] & 1)
	{
	  marks[i] += 5;
	  at = n - 1 - i;
	}
      else
	at = i;
      out[at] = out[at] * 3 + i;
    }
}

int
main (int argc, char **argv)
{
  static unsigned char way[N];
  int a = argc > 2 ? atoi (argv[2]) : 3, b = argc > 1 ? atoi (argv[1]) : 1, i, t;

  for (i = 0; i < 8; i++)
    work[i] = i * 0.5;
  for (i = 0; i < N; i++)
    way[i] = (unsigned char) (a == 2147483647 ? i * 2 : i);
  for (t = 0; t < 2; t++)
    {
      turns (N, a, b, way);
      read_where_ways_meet (N, a & 7, way);
      different_ways (N, way);
      print_bits ("work", work, sizeof work);
      print_bits ("out", out, sizeof out);
      print_bits ("marks", marks, sizeof marks);
    }
  return 0;
}
