/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fsanitize=address, -O2 -fsanitize=thread, -O2 -fsanitize=undefined
//! scan: report 1 "class":"sequential","reason":"sanitizer".*"outlined":false
/* Instrumented code reports where it runs.  */

void
add (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += x[i];
}
