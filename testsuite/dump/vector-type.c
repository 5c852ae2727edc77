/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"vector-type".*"outlined":false
/* The user's own vectors.  */

typedef double pair __attribute__ ((vector_size (16)));

void
add (int n, const pair *x, pair *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}
