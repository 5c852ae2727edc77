/* SPDX-License-Identifier: MIT */
//! stat: entries >= 1
/* C++ with exceptions that pass through functions which hold regions: destructors run once, catch blocks see the values
   of before the throw, a region runs inside a catch block and in a destructor.  */
#include <memory>
#include <stdexcept>
#include <string>
#include "print.h"

#define N 1000

static unsigned a[N], b[N];

KERNEL void
mix (unsigned n, const unsigned *x, unsigned *y)
{
  for (unsigned i = 0; i < n; i++)
    y[i] = y[i] * 7 + x[i];
}

struct guard
{
  ~guard ()
  {
    mix (N, a, b);
    print_bits ("guard", b, sizeof b);
  }
};

KERNEL unsigned
may_throw (unsigned n, const unsigned *x, unsigned *y)
{
  guard g;
  unsigned i;

  for (i = 0; i < n; i++)
    {
      if (x[i] > 4000000000u)
        throw std::runtime_error (std::to_string (i));
      y[i] += x[i] / 2;
    }
  mix (n, y, a);
  return i;
}

int
main ()
{
  for (unsigned i = 0; i < N; i++)
    a[i] = i * 4242;
  for (int round = 0; round < 3; round++)
    {
      try
        {
          auto n = std::make_unique<unsigned> (N);
          printf ("%u\n", may_throw (*n, a, b));
        }
      catch (const std::exception &e)
        {
          printf ("%s\n", e.what ());
          mix (N / 2, b, a);
        }
      print_bits ("a", a, sizeof a);
      a[500 + round] = 4100000000u;
    }
  return 0;
}
