/* SPDX-License-Identifier: MIT */
//! scan: report 0 "outlined":true
//! scan: report 1 "class":"sequential"
/* A computed goto may go anywhere.  */

void
interpret (int n, const unsigned char *op, int *x)
{
  static const void *const target[] = { &&add, &&subtract };
  int i;

  for (i = 0; i < n; i++)
    {
      goto *target[op[i] & 1];
    add:
      x[i]++;
      continue;
    subtract:
      x[i]--;
    }
}
