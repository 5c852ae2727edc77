/* SPDX-License-Identifier: MIT */
//! opts: -O3 -fassociative-math -fno-signed-zeros -fno-trapping-math
//! scan: report 1 "function":"whole",.*"outlined":true
//! scan: report 1 "function":"real",.*"class":"sequential","reason":"too-small".*"outlined":false
/* Sums whose order is free are cut the same way each time, whatever that turns out to cost: it takes more work than it
   does for others.  */

#define N 20000

int x[N], y[N];
float u[N], v[N];

int
whole (void)
{
  int i, s = 0;

  for (i = 0; i < N; i++)
    s += x[i] * y[i];
  return s;
}

float
real (void)
{
  float s = 0;
  int i;

  for (i = 0; i < N; i++)
    s += u[i] * v[i];
  return s;
}
