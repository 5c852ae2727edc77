/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"parallel","reason":"proven".*"outlined":true
/* Two cells of a pair, wherever the pairs begin: their distance is a number, though each is written as a product of a
   sum.  */

void
swap_parts (long n, long first, double *pairs)
{
  for (long i = 0; i < n; i++)
    {
      double real = pairs[2 * (first + i)];
      pairs[2 * (first + i)] = pairs[2 * (first + i) + 1];
      pairs[2 * (first + i) + 1] = real;
    }
}
