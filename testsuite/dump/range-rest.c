/* SPDX-License-Identifier: MIT */
//! opts: -O3
//! flags: -mavx2 -mtune=generic -fdump-tree-optimized
//! scan: report 2 "class":"parallel".*"outlined":true
//! scan: optimized 2 "MEM <vector\(32\) unsigned char> .* = "
//! scan: optimized 1 "MEM <vector\(16\) unsigned char> .* = "
//! scan: optimized 7 "^  \*_[0-9]+ = i_"
/* What vectors leave over is put into shorter ones, or copied one behind the other, in the original only: what runs
   ranges of iterations has long ones.  */

void
next (int n, unsigned char *restrict p, const unsigned char *restrict q)
{
  int i;

  for (i = 0; i < n; i++)
    p[i] = q[i] + 1;
}

void
number (int n, int *p)
{
  int i;

  for (i = 0; i < n; i++)
    p[i] = i;
}
