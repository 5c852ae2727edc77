/* SPDX-License-Identifier: MIT
   What every generated loop program includes: its types, the small functions that its loops call, and the functions
   of support.c that fill its buffers and print their checksums.  */
#ifndef FUZZ_SUPPORT_H
#define FUZZ_SUPPORT_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* With -fopenmp-simd, one of the C library's functions has the vector variant that its library has.  */
#pragma omp declare simd notinbranch
double cosh (double);

/* No padding in any of these: they are hashed by their bytes.  */
struct record
{
  double e;
  int a;
  unsigned f : 5, g : 11, h : 16;
  unsigned char b;
  signed char c;
  short d;
  float x;
};

struct columns
{
  double e[2048];
  int a[2048];
  unsigned short u[2048];
  unsigned char b[2048];
  float x[2048];
  unsigned long l[2048];
};

struct link
{
  struct link *next;
  unsigned value;
};

struct big
{
  unsigned words[6];
};

typedef unsigned lanes __attribute__ ((vector_size (16)));

/* How a buffer is filled and tamed: integers, floating-point that kernels write or that none does.  */
enum kind
{
  INTS,
  FLOATS,
  DOUBLES,
  CONST_FLOATS,
  CONST_DOUBLES
};

/* Results of the kernels.  */
extern unsigned long int_out;
extern double fp_out;

void buffer (void *data, unsigned long len, enum kind kind);
void buffer_records (struct record *records, unsigned long n);
void buffer_columns (struct columns *columns);
void mix (const void *data, unsigned long len);
void report (const char *name);
void fill_index (void *data, int size, unsigned long n, unsigned long top, int pattern, unsigned long distance);
void fill_rows (void *data, int size, unsigned long n, unsigned long top, int pattern);

static volatile unsigned odd_volatile __attribute__ ((unused));
static unsigned odd_atomic __attribute__ ((unused)), odd_counter, odd_left[500], odd_right[500];
static __thread unsigned odd_thread_local __attribute__ ((unused));
static __thread unsigned odd_thread_table[16] __attribute__ ((unused)) = { 3, 1, 4, 1, 5, 9, 2, 6 };
static struct big odd_copy[32] __attribute__ ((unused));
static jmp_buf odd_jump __attribute__ ((unused));

#ifdef OWN_MALLOC
/* The program has a part of malloc: what it gave stays taken.  */
void
free (void *block)
{
  (void) block;
}
#endif

static unsigned __attribute__ ((unused)) h_int (unsigned x)
{
  return (x >> 3) * 5u + 1u;
}

static inline double
h_float (double x)
{
  return x * 0.5 + (x > 1.0 ? 0.25 : -0.5);
}

static inline __attribute__ ((always_inline)) double
clamp_f64 (double x)
{
  return x > 64.0 ? 64.0 : x < -64.0 ? -64.0 : x;
}

static inline __attribute__ ((always_inline)) float
clamp_f32 (float x)
{
  return x > 64.0f ? 64.0f : x < -64.0f ? -64.0f : x;
}

static __attribute__ ((noinline, unused)) unsigned
odd_count (unsigned x)
{
  odd_counter += x & 3;
  return odd_counter;
}

static __attribute__ ((noinline, unused)) unsigned
odd_table_sum (unsigned x)
{
  return odd_left[x & 255] + odd_right[x & 127];
}

static __attribute__ ((noinline, unused)) unsigned
odd_square (unsigned x)
{
  return x * x;
}

/* What an interrupt handler may call.  */
#ifdef __x86_64__
__attribute__ ((no_caller_saved_registers, target ("general-regs-only")))
#endif
static __attribute__ ((noinline, unused)) void
odd_handler (unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    odd_left[i] ^= odd_right[i] + i;
}

static unsigned (*odd_function[2]) (unsigned) __attribute__ ((unused)) = { odd_count, odd_square };

#endif
