/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! flags: -fdump-tree-optimized
//! scan: report 1 "form":"cursors".*"class":"possibly parallel","reason":"cursors".*"outlined":true
//! scan: optimized 1 "steps[0-9._]* = steps[0-9._]* \+ 3;"
/* The tally adds up by how much cursors go on, in 64 bits: that of an element may be more than its type can tell.  */

static int next[64];
static unsigned char key[9000];
int to[90000];

void
begin (int at, int value)
{
  next[at & 63] = value;
  key[at] = (unsigned char) (value & 63);
}

void
sort (int n)
{
  for (int i = 0; i < n; i++)
    if (key[i] != 7)
      {
	to[next[key[i]]] = i;
	next[key[i]] -= 3;
      }
}
