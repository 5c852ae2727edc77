/* SPDX-License-Identifier: MIT */
//! opts: full
//! stat: pool >= 1
/* C++: std::vector through references and iterators, lambdas, templates, classes with members, std::transform, range
   for, exceptions around and inside loops.  */
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>
#include "print.h"

KERNEL void
add (const std::vector<double> &a, const std::vector<double> &b, std::vector<double> &c)
{
  for (size_t i = 0; i < c.size (); i++)
    c[i] = a[i] * 2 + b[i];
}

template <typename T, typename F>
KERNEL void
for_all (std::vector<T> &v, F f)
{
  for (T &element : v)
    element = f (element);
}

class matrix
{
public:
  matrix (int rows, int columns) : rows_ (rows), columns_ (columns), data_ (size_t (rows) * columns) {}

  double &
  at (int i, int j)
  {
    return data_[size_t (i) * columns_ + j];
  }

  KERNEL void
  outer_product (const std::vector<double> &u, const std::vector<double> &v)
  {
    for (int i = 0; i < rows_; i++)
      for (int j = 0; j < columns_; j++)
        at (i, j) += u[i] * v[j];
  }

  const std::vector<double> &
  data () const
  {
    return data_;
  }

private:
  int rows_, columns_;
  std::vector<double> data_;
};

KERNEL int
checked (const std::vector<int> &index, std::vector<double> &v)
{
  int done = 0;
  try
    {
      for (int i : index)
        {
          v.at (size_t (i)) += 1;
          done++;
        }
    }
  catch (const std::out_of_range &)
    {
      return -done;
    }
  return done;
}

template <typename T>
static void
print_vector (const char *name, const std::vector<T> &v)
{
  print_bits (name, v.data (), v.size () * sizeof (T));
}

int
main ()
{
  const int n = 1100;
  std::vector<double> a (n), b (n), c (n);
  std::vector<int> index (n);

  std::iota (a.begin (), a.end (), 0.5);
  std::transform (a.begin (), a.end (), b.begin (), [] (double x) { return 1 / (x + 1); });
  add (a, b, c);
  print_vector ("add", c);
  add (c, c, c);
  print_vector ("in place", c);
  double scale = 0.75;
  for_all (a, [&] (double x) { return x * scale - 1; });
  for_all (index, [] (int x) { return x * 3 + 1; });
  print_vector ("for all", a);
  print_vector ("index", index);
  matrix m (40, 30);
  m.outer_product (a, b);
  print_vector ("matrix", m.data ());
  for (int i = 0; i < n; i++)
    index[i] = (i * 7) % n;
  std::printf ("%d\n", checked (index, a));
  index[600] = n;
  std::printf ("%d\n", checked (index, a));
  print_vector ("checked", a);
  return 0;
}
