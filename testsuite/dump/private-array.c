/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"private-array".*"outlined":false
/* An array that lives across iterations: the order of its uses matters.  */

void
carried (int n, const int *a, int *b)
{
  int i, memory[4] = { 0, 0, 0, 0 };

  for (i = 0; i < n; i++)
    {
      memory[a[i] & 3] += i;
      b[i] = memory[i & 3];
    }
}
