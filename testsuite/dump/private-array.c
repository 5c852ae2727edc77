/* SPDX-License-Identifier: MIT */
//! scan: report 1 "depth":1,.*"class":"sequential","reason":"private-array".*"outlined":false
/* Each iteration writes the same array, but for an element that may be read, and that lives across them: two iterations
   cannot run side by side.  The remedy, declaring it in the body, is named.  */

void
smooth (int n, const int *a, int *b)
{
  int scratch[40], i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 31; j++)
        scratch[j] = a[i + j] * j;
      b[i] = scratch[a[i] & 31];
    }
}
