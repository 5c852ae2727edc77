/* SPDX-License-Identifier: MIT */
//! opts: -O1, -O2, -O3, -Os
//! kernels: -O2, -Os
//! link: -lm
//! stat: pool >= 1
/* What statements can say, each in a loop of its own: comparisons with NaNs, all widths, bit-fields, complex numbers,
   switches, pointers as values, exact math.  */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "print.h"

#define N 600

static double x[N], y[N], z[N];
static float f[N];
static int32_t a[N], b[N], c[N];
static int64_t wide[N];
static unsigned bits[N];

KERNEL void
compare (int n, const double *p, const double *q, unsigned *out)
{
  int i;

  for (i = 0; i < n; i++)
    out[i] = (unsigned) (p[i] == q[i]) | (unsigned) (p[i] != q[i]) << 1 | (unsigned) isless (p[i], q[i]) << 2
             | (unsigned) islessequal (p[i], q[i]) << 3 | (unsigned) isgreater (p[i], q[i]) << 4
             | (unsigned) isgreaterequal (p[i], q[i]) << 5 | (unsigned) isunordered (p[i], q[i]) << 6
             | (unsigned) !isless (p[i], q[i]) << 7 | (unsigned) !islessequal (p[i], q[i]) << 8
             | (unsigned) !isgreater (p[i], q[i]) << 9 | (unsigned) !isgreaterequal (p[i], q[i]) << 10
             | (unsigned) islessgreater (p[i], q[i]) << 11 | (unsigned) !islessgreater (p[i], q[i]) << 12
             | (unsigned) !isunordered (p[i], q[i]) << 13;
}

KERNEL void
branch (int n, const double *p, const double *q, unsigned *out)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (p[i] < q[i])
        out[i] = 1;
      else if (!(p[i] >= q[i]))
        out[i] = 2;
      else if (p[i] > 3 * q[i])
        out[i] = 3;
    }
}

KERNEL void
integers (int n, const int32_t *p, const int32_t *q, int32_t *out)
{
  int i;

  for (i = 0; i < n; i++)
    {
      unsigned u = (unsigned) p[i], k = (unsigned) q[i] & 31;
      int d = q[i] == 0 ? 7 : q[i];

      out[i] = (int32_t) ((u << k | u >> (-k & 31)) ^ (unsigned) (p[i] >> k) ^ u >> k) + p[i] / d - p[i] % d
               + (int32_t) (u / (unsigned) d * 3 + u % (unsigned) d) + (p[i] < 0 ? -p[i] : p[i]) + ~q[i]
               + (p[i] < q[i] ? p[i] : q[i]) - (u > (unsigned) q[i] ? p[i] : q[i]);
    }
}

#define NARROW(type) \
  static type t_##type[N]; \
  KERNEL void \
  narrow_##type (int n, const int64_t *from, type *to) \
  { \
    int i; \
\
    for (i = 0; i < n; i++) \
      { \
        type v = (type) from[i], w = (type) (from[i] >> 7); \
        to[i] = (type) (v * w + (v >> 3) - (w << 2) + v / (type) (w | 1) + (v > w)); \
      } \
  }
NARROW (int8_t)
NARROW (uint8_t)
NARROW (int16_t)
NARROW (uint16_t)
NARROW (uint64_t)
NARROW (int64_t)

KERNEL void
floats (int n, const int32_t *p, const int64_t *q, float *to, double *wider)
{
  int i;

  for (i = 0; i < n; i++)
    {
      to[i] = (float) p[i] + (float) q[i] * (float) (uint64_t) q[i] - (float) (uint8_t) p[i];
      wider[i] = (double) to[i] - (double) (unsigned) p[i] + (double) (int16_t) p[i];
    }
}

KERNEL void
whole (int n, const double *p, int32_t *to, int64_t *wider)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double v = p[i] == p[i] && fabs (p[i]) < 1e6 ? p[i] : 17.25;

      to[i] = (int32_t) v + (int8_t) (v * 1e-5) + (int32_t) (uint16_t) fabs (v * 1e-3);
      wider[i] = (int64_t) (v * 1e9) + (int64_t) (unsigned) fabs (v) + lrint (v) * 3 + lround (v * 0.5) * 5;
    }
}

KERNEL void
exact (int n, const double *p, const double *q, const float *r, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = floor (p[i]) + 2 * ceil (q[i]) - 3 * trunc (p[i]) + 5 * rint (q[i]) + 7 * nearbyint (p[i])
            + 11 * round (q[i]) + copysign (p[i], q[i]) + fabs (q[i]) + floorf (r[i]) * copysignf (2, r[i])
            + roundf (r[i]);
}

KERNEL void
least (int n, const double *p, const double *q, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = fmin (p[i], q[i]) * 3 - fmax (p[i], q[i]) + fminf ((float) p[i], 2) - fmaxf ((float) q[i], -2);
}

KERNEL void
count (int n, const unsigned *p, const int64_t *q, int32_t *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = __builtin_popcount (p[i]) + 64 * __builtin_popcountll ((uint64_t) q[i]) + __builtin_ctz (p[i] | 256)
            + 3 * __builtin_clz (p[i] | 256) + 5 * __builtin_clzll ((uint64_t) q[i] | 1)
            + 7 * __builtin_ffs ((int) p[i]) + 11 * __builtin_parity (p[i]) + (int32_t) __builtin_bswap32 (p[i])
            + __builtin_bswap16 ((uint16_t) p[i]) + (int32_t) (__builtin_bswap64 ((uint64_t) q[i]) >> 5);
}

static struct
{
  unsigned low : 3, middle : 17;
  int sign : 5;
  bool flag : 1;
  int64_t large : 41;
  uint64_t rest : 23;
} fields[N];

KERNEL void
pack (int n, const int64_t *from)
{
  int i;

  for (i = 0; i < n; i++)
    {
      fields[i].low = (unsigned) from[i];
      fields[i].middle += (unsigned) (from[i] >> 3);
      fields[i].sign = fields[i].sign - (int) from[i] % 16 / 2;
      fields[i].flag = from[i] % 3 == 0;
      fields[i].large ^= from[i] * 12345;
      fields[i].rest = (uint64_t) fields[i].large >> 3;
    }
}

KERNEL void
unpack (int n, int64_t *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = fields[i].low + fields[i].middle * 3 + fields[i].sign * 5 + (fields[i].flag ? 1000 : 0) + fields[i].large
            + (int64_t) fields[i].rest * (fields[i].sign < 0);
}

static double complex cx[N], cy[N];
static float complex cf[N];

KERNEL void
complexes (int n, double complex k, const double complex *p, double complex *to, float complex *narrow)
{
  int i;

  for (i = 0; i < n; i++)
    {
      to[i] = p[i] + conj (to[i]) - k;
      if (creal (p[i]) > 2)
        to[i] = CMPLX (cimag (p[i]), -creal (k));
      narrow[i] = (float complex) p[i];
    }
}

KERNEL void
copy_complex (int n, const int32_t *p, const double complex *from, double complex *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = from[p[i] & 511];
}

KERNEL double complex
last_complex (int n, const double complex *p, double *to)
{
  double complex last = 0;
  int i;

  for (i = 0; i < n; i++)
    {
      last = p[i];
      to[i] = creal (last) - cimag (last);
    }
  return last;
}

KERNEL void
choose (int n, const int32_t *p, int32_t *to)
{
  int i;

  for (i = 0; i < n; i++)
    switch (p[i] % 40)
      {
      case -3 ... 4:
        to[i] += i;
        break;
      case 7:
        to[i] = to[i] * 3;
        /* fall through */
      case 9:
        to[i]--;
        break;
      case 21 ... 30:
        to[i] = p[i] ^ i;
        break;
      case 12:
        break;
      default:
        to[i] = "abcdefgh"[p[i] & 7];
      }
}

static int32_t *chosen[N];
static char text[N];

KERNEL void
point (int n, int32_t *base, const int32_t *p)
{
  int i;

  for (i = 0; i < n; i++)
    {
      int32_t *at = base + (p[i] & 255);

      chosen[i] = p[i] < 0 ? NULL : at > base + 99 ? at - 50 : at;
    }
}

KERNEL void
follow (int n, int32_t *const *at, const int32_t *base, int64_t *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = at[i] ? at[i] - base + (int64_t) ((uintptr_t) at[i] & 3) : -1;
}

KERNEL void
pun (int n, const double *p, int64_t *to, float *narrow)
{
  int i;

  for (i = 0; i < n; i++)
    {
      union
      {
        double d;
        int64_t i;
      } u;
      uint32_t word;
      float v = (float) p[i];

      u.d = p[i] == p[i] ? p[i] : 0;
      to[i] = u.i ^ u.i >> 52;
      memcpy (&word, &v, sizeof word);
      narrow[i] = (float) (word >> 23 & 255);
    }
}

KERNEL void
letters (int n, const int32_t *p, char *to)
{
  static const char names[4][3] = { "ab", "cd", "ef", "gh" };
  int i, k;

  for (i = 0; i < n; i++)
    {
      int v = p[i] & 0xff;

      for (k = 0; v > 10 && k < 20; k++)
        v = v % 2 ? v / 3 : v - 5;
      to[i] = names[v & 3][k & 1];
    }
}

struct record
{
  int64_t key;
  char name[11];
  short tail;
};

static struct record records[N], copies[N];
static struct
{
  char letters[7];
} words[N], others[N];

KERNEL void
copy (int n, const int32_t *p)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (p[i] & 1)
        copies[i] = records[p[i] & 255];
      else
        copies[i] = (struct record) { 0 };
      others[i] = words[p[i] & 511];
    }
}

KERNEL int
extremes (int n, const int32_t *p, unsigned *most, int64_t *all)
{
  int32_t low = INT32_MAX, found = -1;
  unsigned high = 0;
  int64_t mixed = -1;
  int i;

  for (i = 0; i < n; i++)
    {
      low = p[i] < low ? p[i] : low;
      high = (unsigned) p[i] > high ? (unsigned) p[i] : high;
      mixed ^= (int64_t) p[i] << (i & 31);
      found = p[i] % 5 + i;
    }
  *most = high;
  *all = mixed;
  return low + found;
}

int
main (void)
{
  unsigned seed = 5, most;
  int64_t all;
  int i, k, lowest;

  for (i = 0; i < N; i++)
    {
      x[i] = (int) (next_random (&seed) % 2000 - 1000) / 8.0;
      y[i] = (int) (next_random (&seed) % 2000 - 1000) / 8.0;
      a[i] = (int32_t) (next_random (&seed) * 2654435769u) >> i % 20;
      b[i] = (int32_t) (next_random (&seed) * 2246822519u) >> i % 29;
      bits[i] = next_random (&seed) * 3266489917u;
      wide[i] = (int64_t) a[i] * b[i] + i;
      cx[i] = CMPLX (x[i], y[i]);
      cy[i] = CMPLX (y[i], i);
      if (i % 11 == 0)
        y[i] = x[i];
      if (i % 13 == 0)
        x[i] = i % 2 ? (double) NAN : -0.0;
      if (i % 17 == 0)
        y[i] = i % 3 ? (double) NAN : 0.0;
    }
  for (i = 0; i < 4; i++)
    a[i] = i - 2;

  integers (N, a, b, c);
  print_bits ("integers", c, sizeof c);
#define USE(type) \
  narrow_##type (N, wide, t_##type); \
  print_bits (#type, t_##type, sizeof t_##type);
  USE (int8_t)
  USE (uint8_t)
  USE (int16_t)
  USE (uint16_t)
  USE (uint64_t)
  USE (int64_t)
  floats (N, a, wide, f, z);
  print_bits ("floats", f, sizeof f);
  print_bits ("wider", z, sizeof z);
  count (N, bits, wide, c);
  print_bits ("count", c, sizeof c);
  pack (N, wide);
  unpack (N, wide);
  print_bits ("fields", wide, sizeof wide);
  compare (N, x, y, bits);
  print_bits ("compare", bits, sizeof bits);
  branch (N, x, y, bits);
  print_bits ("branch", bits, sizeof bits);
  whole (N, x, c, wide);
  print_bits ("whole", c, sizeof c);
  print_bits ("whole wider", wide, sizeof wide);
  choose (N, a, c);
  print_bits ("choose", c, sizeof c);
  point (N - 300, a, b);
  follow (N - 300, chosen, a, wide);
  print_bits ("follow", wide, sizeof wide);
  pun (N, x, wide, f);
  print_bits ("pun", wide, sizeof wide);
  print_bits ("pun narrow", f, sizeof f);
  letters (N, a, text);
  print_bits ("letters", text, sizeof text);
  for (i = 0; i < N; i++)
    {
      memset (&copies[i], -1, sizeof copies[i]);
      for (k = 0; k < (int) sizeof records[i]; k++)
        ((char *) &records[i])[k] = (char) (i * 5 + k);
      for (k = 0; k < (int) sizeof words[i]; k++)
        ((char *) &words[i])[k] = (char) (i * 3 + k);
    }
  copy (N, b);
  print_bits ("copies", copies, sizeof copies);
  print_bits ("others", others, sizeof others);
  lowest = extremes (N, a, &most, &all);
  printf ("%d %u %lld\n", lowest, most, (long long) all);
  for (i = 0; i < N; i++)
    x[i] = x[i] == x[i] ? x[i] : i % 2 ? -2.5 : 0.0, y[i] = y[i] == y[i] ? y[i] : -0.5;
  exact (N, x, y, f, z);
  print_bits ("exact", z, sizeof z);
  x[5] = y[6] = NAN;
  least (N, x, y, z);
  print_bits ("least", z, sizeof z);
  complexes (N, CMPLX (0.5, -3), cx, cy, cf);
  print_bits ("complex", cy, sizeof cy);
  print_bits ("complex narrow", cf, sizeof cf);
  copy_complex (N / 2, b, cy, cx);
  print_bits ("complex copies", cx, sizeof cx);
  cx[0] = last_complex (N, cy, z);
  print_bits ("last", cx, sizeof *cx);
  print_bits ("last values", z, sizeof z);
  return 0;
}
