/* SPDX-License-Identifier: MIT */
//! scan: report 500 "class":"sequential","reason":"too-large".*"outlined":false
//! scan-not: report "outlined":true
/* Five hundred loops in one function exceed the budget: it is left alone as a whole, whatever its loops are.  */

#define LOOP              \
  for (i = 0; i < n; i++) \
    y[i] = y[i] * 3 + x[i];
#define FIVE(something) something something something something something

void
generated (int n, const unsigned *x, unsigned *y)
{
  int i;

  FIVE (FIVE (FIVE (LOOP LOOP LOOP LOOP)))
}
