/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"many-exits".*"outlined":false
/* The loop may end early, in the middle of what would be a chunk.  */

int
find (int n, const int *x, int key)
{
  int i;

  for (i = 0; i < n; i++)
    if (x[i] == key)
      return i;
  return -1;
}
