/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fplugin-arg-paragon-kir
//! scan: report 1 "reason":"proven".*"outlined":true.*"kernel":"carried"
/* No kernel begins with what the iterations before have added up.  */

double a[5000], b[5000];

int
pack (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0)
      a[j++] = b[i];
  return j;
}
