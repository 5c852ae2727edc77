/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! flags: -fdump-tree-optimized
//! scan: report 1 "class":"possibly parallel".*"outlined":true
//! scan: optimized 3 "&paragon_args[^]]*\] =\{v\} &line"
/* What `next' begins with, and ends as, is where `line' is; but only at first: the runtime sets it, run by run.  Where
   `line' is has a place of its own.  */

double line[8000], kept[4000];

double *
pack (int n, int last)
{
  double *next = line;

  for (int i = 0; i < n; i++)
    if (kept[i] > 0)
      *next++ = line[last - i];
  return next;
}
