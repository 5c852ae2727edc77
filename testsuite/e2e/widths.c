/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Elements of every width and sign, and conversions between them.  */
#include <stdint.h>
#include "print.h"

#define N 1000

#define FOR_EACH_TYPE(X) \
  X (int8_t) X (uint8_t) X (int16_t) X (uint16_t) X (int32_t) X (uint32_t) X (int64_t) X (uint64_t) X (float) X (double)

#define DEFINE(type) \
  static type array_##type[N]; \
  KERNEL void \
  to_##type (int n, const int64_t *from, type *to) \
  { \
    int i; \
\
    for (i = 0; i < n; i++) \
      to[i] = (type) (from[i] % 100 + 100); \
  } \
  KERNEL void \
  from_##type (int n, const type *from, int64_t *to) \
  { \
    int i; \
\
    for (i = 0; i < n; i++) \
      to[i] += (int64_t) from[i] * i; \
  }

FOR_EACH_TYPE (DEFINE)

int
main (void)
{
  static int64_t data[N];
  int i;

  for (i = 0; i < N; i++)
    data[i] = i * 31 - 400;
#define USE(type) \
  to_##type (N, data, array_##type); \
  print_bits (#type, array_##type, sizeof array_##type); \
  from_##type (N, array_##type, data); \
  print_bits ("from " #type, data, sizeof data);
  FOR_EACH_TYPE (USE)
  return 0;
}
