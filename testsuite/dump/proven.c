/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"parallel","reason":"proven".*"outlined":true
//! scan: remarks 1 "proven\.c:[0-9]+:[0-9]+: optimized: paragon: loop is parallel \(proven\)"
/* Distinct global arrays and equal subscripts: nothing is left to check at run time, and the remark says so.  */

double x[10000], y[10000];

void
scale (int n, double a)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = a * x[i];
}
