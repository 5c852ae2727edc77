/* SPDX-License-Identifier: MIT */
//! opts: -O2 -mfma
//! scan: report 1 "class":"parallel","reason":"proven".*"outlined":true
//! scan: report 1 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* A product that is stored and added to something is not fused with the sum; where it is only added, it is.  */

double a[5000], b[5000], c[5000];

int
pack (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 2)
      a[j++] = b[i] * 3;
  return j;
}

int
pack_sums (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      double product = b[i] * 3;
      c[i] = product;
      if (product + b[i + 1] > 2)
	a[j++] = product;
    }
  return j;
}
