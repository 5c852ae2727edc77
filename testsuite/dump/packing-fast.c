/* SPDX-License-Identifier: MIT */
//! opts: -Ofast, -O2 -ffinite-math-only, -O2 -freciprocal-math
//! scan: report 1 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* What is computed once more, in other company, may have other bits: then another number of values would be kept.  */

double a[5000], b[5000];

int
pack (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] * 3 + b[i + 1] > b[i] / 7)
      a[j++] = b[i];
  return j;
}
