/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* A value goes from iteration to iteration, and no known operator combines its parts.  */

unsigned
hash (int n, const unsigned *x)
{
  unsigned h = 1;
  int i;

  for (i = 0; i < n; i++)
    h = (h ^ x[i]) * 16777619u;
  return h;
}
