/* SPDX-License-Identifier: MIT */
//! opts: -O3 -march=skylake-avx512
//! scan: report 1 "function":"one_product".*"outlined":true
//! scan: report 1 "function":"two_products".*"reason":"fp-contract".*"outlined":false
/* In vectors with masks, sums have no marks.  What they are fused with is known where there is only one product.  */

void
one_product (int n, double *restrict a, const double *restrict b, const double *restrict c)
{
  int i;

  for (i = 0; i < n; i++)
    if (i & 1)
      a[i] = b[i] * c[i] + a[i];
}

void
two_products (int n, double *restrict a, const double *restrict b, const double *restrict c)
{
  int i;

  for (i = 0; i < n; i++)
    if (i & 1)
      a[i] = b[i] * c[i] - b[i + 1] * c[i + 1];
}
