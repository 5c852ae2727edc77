// SPDX-License-Identifier: MIT
//! scan: report 1 "function":"[^"]*by_reference[^"]*",.*"outlined":true
//! scan: report 1 "function":"[^"]*replaceable[^"]*",.*"reason":"call","[^}]*"detail":"[^":]*in_each_file[^":]*"
//! scan: report 1 "function":"[^"]*of_another[^"]*",.*"reason":"call"
// A reference is a pointer that is never null.  Of an inline function, the linker may choose another unit's copy, which
// may do less before it does the same; and what throws is no call.

#define OUT_OF_LINE __attribute__ ((noinline))

struct point
{
  double x, y;
};

static OUT_OF_LINE void
turn (const point &from, point &to)
{
  to.x = -from.y;
  to.y = from.x;
}

inline OUT_OF_LINE int
in_each_file (int x) noexcept
{
  return x * x - 1;
}

static OUT_OF_LINE int
thrower (int x)
{
  if (x < 0)
    throw 1;
  return x;
}

void
by_reference (int n, const point *a, point *b)
{
  for (int i = 0; i < n; i++)
    turn (a[i], b[i]);
}

void
replaceable (int n, int *a)
{
  for (int i = 0; i < n; i++)
    a[i] = in_each_file (i);
}

void
of_another (int n, int *a)
{
  for (int i = 0; i < n; i++)
    a[i] = thrower (a[i]);
}
