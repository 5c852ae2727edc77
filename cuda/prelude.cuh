/* SPDX-License-Identifier: MIT
   What printed kernels are written in: the types of KIR and the operations that C has no operator for, for nvcc, NVRTC
   and any C or C++ compiler for the host.  Nothing is included, as NVRTC has no header files.

   Floats must be computed as they are written: nvcc -fmad=false, gcc -ffp-contract=off.  Memory is accessed as any
   type: gcc -fno-strict-aliasing.  Numbers with a sign may overflow where nobody needs the result, which is nothing but
   wrong there: so nvcc takes it; gcc -fwrapv.  */
#ifndef PG_PRELUDE_CUH
#define PG_PRELUDE_CUH

#ifdef __CUDACC__
#define PG_DEVICE static __device__ __forceinline__
#else
#define PG_DEVICE static inline
#endif

typedef unsigned char pg_i8;
typedef unsigned short pg_i16;
typedef unsigned int pg_i32;
typedef unsigned long long pg_i64;
typedef signed char pg_s8;
typedef short pg_s16;
typedef int pg_s32;
typedef long long pg_s64;
typedef float pg_f32;
typedef double pg_f64;
typedef char *pg_ptr;

/* A kernel NAME with LEN bytes of arguments, by value, for blocks of THREADS at most; and LEN bytes that a block's
   threads share.  */
#ifdef __cplusplus
template <int LEN> struct alignas (16) pg_blob
{
  char bytes[LEN];
};
#define PG_KERNEL(name, len, threads) \
  extern "C" __global__ void __launch_bounds__ (threads) name (const __grid_constant__ pg_blob<len> blob)
#define PG_SHARED(name, len) alignas (16) __shared__ char name[len]
#endif

/* What compilers may rely on.  */
#if defined __NVCC__ || defined __CUDACC_RTC__
#define PG_KNOWN(condition) __builtin_assume (condition)
#else
#define PG_KNOWN(condition) ((condition) ? (void) 0 : __builtin_unreachable ())
#endif

#ifdef __CUDACC__
#define PG_F32_OF(bits) __uint_as_float (bits)
#define PG_F64_OF(bits) __longlong_as_double ((pg_s64) (bits))
#define PG_BITS_OF_F32(value) __float_as_uint (value)
#define PG_BITS_OF_F64(value) ((pg_i64) __double_as_longlong (value))
#define PG_SQRT_F32(value) __fsqrt_rn (value)
#define PG_SQRT_F64(value) __dsqrt_rn (value)
#define PG_FMA_F32(a, b, c) __fmaf_rn (a, b, c)
#define PG_FMA_F64(a, b, c) __fma_rn (a, b, c)
#define PG_MATH(name) name
#else
PG_DEVICE pg_f32
PG_F32_OF (pg_i32 bits)
{
  pg_f32 value;
  __builtin_memcpy (&value, &bits, sizeof value);
  return value;
}

PG_DEVICE pg_f64
PG_F64_OF (pg_i64 bits)
{
  pg_f64 value;
  __builtin_memcpy (&value, &bits, sizeof value);
  return value;
}

PG_DEVICE pg_i32
PG_BITS_OF_F32 (pg_f32 value)
{
  pg_i32 bits;
  __builtin_memcpy (&bits, &value, sizeof bits);
  return bits;
}

PG_DEVICE pg_i64
PG_BITS_OF_F64 (pg_f64 value)
{
  pg_i64 bits;
  __builtin_memcpy (&bits, &value, sizeof bits);
  return bits;
}

#define PG_SQRT_F32(value) __builtin_sqrtf (value)
#define PG_SQRT_F64(value) __builtin_sqrt (value)
#define PG_FMA_F32(a, b, c) __builtin_fmaf (a, b, c)
#define PG_FMA_F64(a, b, c) __builtin_fma (a, b, c)
#define PG_MATH(name) __builtin_##name
#endif

/* Values of LEN bytes at addresses that need not fit their type.  */
PG_DEVICE pg_i64
pg_get_bytes (const char *from, int len)
{
  pg_i64 bits = 0;
  for (int i = 0; i < len; i++)
    bits |= (pg_i64) (pg_i8) from[i] << 8 * i;
  return bits;
}

PG_DEVICE void
pg_put_bytes (char *to, pg_i64 bits, int len)
{
  for (int i = 0; i < len; i++)
    to[i] = (char) (bits >> 8 * i);
}

/* To a whole number; exact, so all compute the same.  */
#define PG_FLOOR_F32(value) PG_MATH (floorf) (value)
#define PG_FLOOR_F64(value) PG_MATH (floor) (value)
#define PG_CEIL_F32(value) PG_MATH (ceilf) (value)
#define PG_CEIL_F64(value) PG_MATH (ceil) (value)
#define PG_TRUNC_F32(value) PG_MATH (truncf) (value)
#define PG_TRUNC_F64(value) PG_MATH (trunc) (value)
#define PG_RINT_F32(value) PG_MATH (rintf) (value)
#define PG_RINT_F64(value) PG_MATH (rint) (value)
#define PG_ROUND_F32(value) PG_MATH (roundf) (value)
#define PG_ROUND_F64(value) PG_MATH (round) (value)

/* Negation and absolute value, of the sign bit only.  */
#define PG_NEG_F32(value) PG_F32_OF (PG_BITS_OF_F32 (value) ^ 0x80000000u)
#define PG_NEG_F64(value) PG_F64_OF (PG_BITS_OF_F64 (value) ^ 0x8000000000000000ull)
#define PG_ABS_F32(value) PG_F32_OF (PG_BITS_OF_F32 (value) & 0x7fffffffu)
#define PG_ABS_F64(value) PG_F64_OF (PG_BITS_OF_F64 (value) & 0x7fffffffffffffffull)

/* Division and remainder of WIDTH bits with a sign, also of the least number by -1.  A GPU can do that, but C cannot
   say it: so it is told the instruction, of TYPE.  */
#if defined __NVCC__ || defined __CUDACC_RTC__
#define PG_TOLD(width, name, instruction, type, letter)                                                                \
  PG_DEVICE pg_i##width name (pg_i##width a, pg_i##width b)                                                            \
  {                                                                                                                    \
    pg_##type result;                                                                                                  \
    asm (instruction "." #type " %0, %1, %2;"                                                                          \
	 : "=" letter (result)                                                                                         \
	 : letter ((pg_##type) (pg_s##width) a), letter ((pg_##type) (pg_s##width) b));                                \
    return (pg_i##width) result;                                                                                       \
  }
#define PG_DIVISION(width, type, letter)                                                                               \
  PG_TOLD (width, pg_sdiv_##width, "div", type, letter)                                                                \
  PG_TOLD (width, pg_srem_##width, "rem", type, letter)
#else
#define PG_DIVISION(width, type, letter)                                                                               \
  PG_DEVICE pg_i##width pg_sdiv_##width (pg_i##width a, pg_i##width b)                                                 \
  {                                                                                                                    \
    return (pg_s##width) b == -1 ? (pg_i##width) (0 - a) : (pg_i##width) ((pg_s##width) a / (pg_s##width) b);          \
  }                                                                                                                    \
  PG_DEVICE pg_i##width pg_srem_##width (pg_i##width a, pg_i##width b)                                                 \
  {                                                                                                                    \
    return (pg_s##width) b == -1 ? (pg_i##width) 0 : (pg_i##width) ((pg_s##width) a % (pg_s##width) b);                \
  }
#endif

PG_DIVISION (8, s32, "r")
PG_DIVISION (16, s32, "r")
PG_DIVISION (32, s32, "r")
PG_DIVISION (64, s64, "l")

/* Floats as integers of WIDTH bits: what does not fit is the least number.  */
#define PG_FLOAT_INT(width, least)                                                                                     \
  PG_DEVICE pg_i##width pg_ftos_##width (pg_f64 value)                                                                 \
  {                                                                                                                    \
    pg_i##width out = (pg_i##width) (1ull << (width - 1));                                                             \
    return value > -least && value < least ? (pg_i##width) (pg_s64) value : out;                                       \
  }                                                                                                                    \
  PG_DEVICE pg_i##width pg_ftou_##width (pg_f64 value)                                                                 \
  {                                                                                                                    \
    return value > -1.0 && value < 2.0 * least ? (pg_i##width) (pg_i64) value : (pg_i##width) 0;                       \
  }

PG_FLOAT_INT (8, 128.0)
PG_FLOAT_INT (16, 32768.0)
PG_FLOAT_INT (32, 2147483648.0)
PG_FLOAT_INT (64, 9223372036854775808.0)

#endif
