/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"setjmp".*"outlined":false
/* A function that calls setjmp may be entered twice.  */

#include <setjmp.h>

extern jmp_buf out;

int
guarded (int n, int *x)
{
  int i;

  if (setjmp (out))
    return 1;
  for (i = 0; i < n; i++)
    x[i] *= 2;
  return 0;
}
