/* SPDX-License-Identifier: MIT */
//! opts: -O2 -mfma -fplugin-arg-paragon-kir
//! scan: report 1 "function":"fused".*"outlined":true.*"kernel":"contraction"
//! scan: report 1 "function":"apart".*"outlined":true.*"kernel":"lifted"
/* Kernels round each product and each sum; the compiler may not.  */
void
fused (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] += a[i] * b[i];
}

void
apart (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = a[i] * b[i];
}
