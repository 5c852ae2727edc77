/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"asm".*"outlined":false
/* Inline assembly may do anything.  */

void
opaque (int n, int *x)
{
  int i;

  for (i = 0; i < n; i++)
    __asm__ ("" : "+r" (x[i]));
}
