/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fplugin-arg-paragon-kir
//! scan: report 1 "function":"plain".*"outlined":true.*"kernel":"lifted"
//! scan: report 1 "function":"wave".*"outlined":true.*"kernel":"math"
//! scan: report 1 "function":"wide".*"outlined":true.*"kernel":"int128"
//! scan: report 1 "function":"large".*"outlined":true.*"kernel":"aggregate-copy"
//! scan: report 1 "function":"scratch".*"outlined":true.*"kernel":"private"
//! scan: report 1 "function":"handlers".*"outlined":true.*"kernel":"address"
//! scan: report 1 "function":"ranges".*"outlined":true.*"kernel":"switch"
//! scan: report 1 "function":"split".*"outlined":true.*"kernel":"bit-field"
//! scan: report 1 "function":"behind".*"outlined":true.*"kernel":"trail"
//! scan-not: report "class":"sequential".*"kernel"
//! scan-not: report "kernel":"(internal|operation)"
/* Why a loop that is handed over has no kernel; one that is not handed over is not asked.  */
#include <math.h>

void
plain (int n, const int *x, int *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i];
}

int
carried (int n, const int *x)
{
  int i, s = 0;

  for (i = 0; i < n; i++)
    s = s / 3 + x[i];
  return s;
}

void
wave (int n, double *x)
{
  int i;

  for (i = 0; i < n; i++)
    x[i] = sin (x[i]);
}

void
wide (int n, const unsigned long *x, unsigned long *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = (unsigned long) ((unsigned __int128) x[i] * 12345678901234567ul >> 64);
}

struct page
{
  char bytes[4096];
};

void
large (int n, const struct page *x, struct page *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i];
}

void
scratch (int n, const int *x, int *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      int seen[40];

      for (k = 0; k < 40; k++)
        seen[k] = x[i] * k;
      y[i] = seen[x[i] & 31] + seen[(x[i] >> 5) & 31];
    }
}

static void
handle (void)
{
}

void
handlers (int n, void (**x) (void), void (**y) (void))
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i] ? x[i] : handle;
}

void
ranges (int n, const int *x, int *y)
{
  int i;

  for (i = 0; i < n; i++)
    switch (x[i])
      {
      case 0 ... 99999:
        y[i] *= 3;
        break;
      case 100007 ... 200000:
        y[i] += i;
        break;
      case 200003:
      case 200005:
      case 200010:
        y[i] ^= 5;
        break;
      case -7:
        y[i] /= 3;
        break;
      default:
        y[i]--;
      }
}

struct __attribute__ ((packed)) odd
{
  unsigned long first : 5, second : 62, third : 61;
};

void
split (int n, const unsigned long *x, struct odd *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i].second = x[i];
}

void
behind (int n, const int *x, int *y)
{
  int i, before = 0;

  for (i = 0; i < n; i++)
    {
      y[i] = x[i] - before;
      before = x[i];
    }
}
