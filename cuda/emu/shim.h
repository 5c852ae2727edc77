/* SPDX-License-Identifier: MIT
   What g++ sees before CUDA C text, so that it compiles for the emulated device: the words of CUDA that generated
   kernels use.  It defines __CUDACC__: what runs here is what a GPU would be given.  Nothing of the system's is
   included, as NVRTC has no header files.

       __global__ void				      threadIdx.x       -> pg_emu_here.thread_idx.x
       k (const __grid_constant__ struct args a)      __shared__	-> thread_local: a thread of the host
       {						 runs one block at a time, and exchanges
	 __shared__ float tile[256];			 what is shared with the block
	 __syncthreads ();			      __syncthreads ()  -> pg_emu_barrier (...)
	 ...					      *p		-> a check of P, by -fsanitize=thread

   Each thread of a block goes its own way between barriers, those of one warp too.  Stricter than a GPU: a mask names
   only lanes that come, not lanes that have ended or that the block does not have; the value of a lane that the mask
   does not name is random; and barriers in different places do not meet.  Atomics and accesses must be aligned.  */
#ifndef PG_EMU_SHIM_H
#define PG_EMU_SHIM_H

#define __CUDACC__ 1
#define __CUDA_ARCH__ 900

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __shared__ thread_local
#define __forceinline__ inline __attribute__ ((always_inline))
#define __launch_bounds__(...)
#define __align__(len) __attribute__ ((aligned (len)))
#define warpSize 32

struct uint3
{
  unsigned x, y, z;
};
typedef uint3 dim3;

/* Where the thread that runs is, as in run.h.  A constant is not checked.  */
struct pg_emu_place
{
  uint3 thread_idx, block_idx;
  dim3 block_dim, grid_dim;
};

#define threadIdx (pg_emu_here.thread_idx)
#define blockIdx (pg_emu_here.block_idx)
#define blockDim (pg_emu_here.block_dim)
#define gridDim (pg_emu_here.grid_dim)

#include "kinds.h"

extern "C"
{
  extern __thread const pg_emu_place pg_emu_here __attribute__ ((tls_model ("initial-exec")));
  int pg_emu_barrier (pg_emu_barrier_kind kind, int predicate, unsigned site, unsigned line);
  unsigned long long pg_emu_warp (pg_emu_warp_kind kind, unsigned mask, unsigned long long value, unsigned source,
				  unsigned site, unsigned line);
  unsigned pg_emu_lane (void);
  void pg_emu_atomic (const volatile void *address, unsigned len);
  long long pg_emu_clock (void);
}

/* Barriers.  A call's place in the text is part of it.  */
#define __syncthreads() ((void) pg_emu_barrier (PG_EMU_BARRIER, 0, __COUNTER__, __LINE__))
#define __syncthreads_or(predicate) pg_emu_barrier (PG_EMU_BARRIER_OR, !!(predicate), __COUNTER__, __LINE__)
#define __syncthreads_and(predicate) pg_emu_barrier (PG_EMU_BARRIER_AND, !!(predicate), __COUNTER__, __LINE__)
#define __syncthreads_count(predicate) pg_emu_barrier (PG_EMU_BARRIER_COUNT, !!(predicate), __COUNTER__, __LINE__)

/* What a warp does together.  */
#define PG_EMU_MASK(...) PG_EMU_MASK_ (__VA_ARGS__ __VA_OPT__ (, ) 0xffffffffu, 0)
#define PG_EMU_MASK_(mask, ...) (mask)
#define __syncwarp(...) ((void) pg_emu_warp (PG_EMU_WARP_SYNC, PG_EMU_MASK (__VA_ARGS__), 0, 0, __COUNTER__, __LINE__))
#define __activemask() ((unsigned) pg_emu_warp (PG_EMU_WARP_ACTIVE, 0, 0, 0, __COUNTER__, __LINE__))
#define __ballot_sync(mask, predicate) \
  ((unsigned) pg_emu_warp (PG_EMU_WARP_BALLOT, mask, !!(predicate), 0, __COUNTER__, __LINE__))
#define __any_sync(mask, predicate) (__ballot_sync (mask, predicate) != 0)
#define __all_sync(mask, predicate) pg_emu_all (mask, __ballot_sync (mask, predicate))

static inline int
pg_emu_all (unsigned mask, unsigned ballot)
{
  return ballot == mask;
}

/* The value that lane SOURCE of the warp gives.  */
template <typename T>
static inline T
pg_emu_shuffle (unsigned mask, T value, unsigned source, unsigned site, unsigned line)
{
  static_assert (sizeof (T) == 4 || sizeof (T) == 8, "shuffles are of 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy (&bits, &value, sizeof value);
  bits = pg_emu_warp (PG_EMU_WARP_SHUFFLE, mask, bits, source, site, line);
  __builtin_memcpy (&value, &bits, sizeof value);
  return value;
}

/* The lanes that shuffles of WIDTH lanes take from: each its own where the other is not in the same WIDTH.  */
static inline unsigned
pg_emu_from (int lane, int width)
{
  return (pg_emu_lane () & ~(unsigned) (width - 1)) | ((unsigned) lane & (unsigned) (width - 1));
}

static inline unsigned
pg_emu_from_above (unsigned delta, int width)
{
  unsigned lane = pg_emu_lane ();
  return (lane & (unsigned) (width - 1)) < delta ? lane : lane - delta;
}

static inline unsigned
pg_emu_from_below (unsigned delta, int width)
{
  unsigned lane = pg_emu_lane ();
  return (lane & (unsigned) (width - 1)) + delta >= (unsigned) width ? lane : lane + delta;
}

static inline unsigned
pg_emu_from_across (int bits, int width)
{
  unsigned lane = pg_emu_lane (), other = lane ^ (unsigned) bits;
  return other > (lane | (unsigned) (width - 1)) ? lane : other;
}

#define PG_EMU_WIDTH(from, other, ...) PG_EMU_WIDTH_ (from, other __VA_OPT__ (, ) __VA_ARGS__, 32, 0)
#define PG_EMU_WIDTH_(from, other, width, ...) from (other, width)
#define __shfl_sync(mask, value, lane, ...) \
  pg_emu_shuffle (mask, value, PG_EMU_WIDTH (pg_emu_from, lane __VA_OPT__ (, ) __VA_ARGS__), __COUNTER__, __LINE__)
#define __shfl_up_sync(mask, value, delta, ...)                                                                  \
  pg_emu_shuffle (mask, value, PG_EMU_WIDTH (pg_emu_from_above, delta __VA_OPT__ (, ) __VA_ARGS__), __COUNTER__, \
		  __LINE__)
#define __shfl_down_sync(mask, value, delta, ...)                                                                \
  pg_emu_shuffle (mask, value, PG_EMU_WIDTH (pg_emu_from_below, delta __VA_OPT__ (, ) __VA_ARGS__), __COUNTER__, \
		  __LINE__)
#define __shfl_xor_sync(mask, value, bits, ...)                                                                  \
  pg_emu_shuffle (mask, value, PG_EMU_WIDTH (pg_emu_from_across, bits __VA_OPT__ (, ) __VA_ARGS__), __COUNTER__, \
		  __LINE__)

/* Bits, and floats as bits.  */
#define PG_EMU_INLINE static inline __attribute__ ((always_inline))

PG_EMU_INLINE int
__popc (unsigned bits)
{
  return __builtin_popcount (bits);
}

PG_EMU_INLINE int
__popcll (unsigned long long bits)
{
  return __builtin_popcountll (bits);
}

PG_EMU_INLINE int
__ffs (int bits)
{
  return __builtin_ffs (bits);
}

PG_EMU_INLINE int
__ffsll (long long bits)
{
  return __builtin_ffsll (bits);
}

PG_EMU_INLINE int
__clz (int bits)
{
  return bits == 0 ? 32 : __builtin_clz ((unsigned) bits);
}

PG_EMU_INLINE int
__clzll (long long bits)
{
  return bits == 0 ? 64 : __builtin_clzll ((unsigned long long) bits);
}

template <typename T, typename F>
PG_EMU_INLINE T
pg_emu_bits (F from)
{
  static_assert (sizeof (T) == sizeof (F), "of one size");
  T to;
  __builtin_memcpy (&to, &from, sizeof to);
  return to;
}

#define PG_EMU_BITS(name, to, from)      \
  PG_EMU_INLINE to name (from bits)      \
  {                                      \
    return pg_emu_bits<to, from> (bits); \
  }
PG_EMU_BITS (__uint_as_float, float, unsigned)
PG_EMU_BITS (__int_as_float, float, int)
PG_EMU_BITS (__float_as_uint, unsigned, float)
PG_EMU_BITS (__float_as_int, int, float)
PG_EMU_BITS (__longlong_as_double, double, long long)
PG_EMU_BITS (__double_as_longlong, long long, double)

PG_EMU_INLINE float
__fsqrt_rn (float value)
{
  return __builtin_sqrtf (value);
}

PG_EMU_INLINE double
__dsqrt_rn (double value)
{
  return __builtin_sqrt (value);
}

PG_EMU_INLINE float
__fmaf_rn (float a, float b, float c)
{
  return __builtin_fmaf (a, b, c);
}

PG_EMU_INLINE double
__fma_rn (double a, double b, double c)
{
  return __builtin_fma (a, b, c);
}

/* To a whole number: g++ calls the C library's, which the device's program has.  */
#define PG_EMU_WHOLE(name)                  \
  PG_EMU_INLINE double name (double value)  \
  {                                         \
    return __builtin_##name (value);        \
  }                                         \
  PG_EMU_INLINE float name##f (float value) \
  {                                         \
    return __builtin_##name##f (value);     \
  }
PG_EMU_WHOLE (floor)
PG_EMU_WHOLE (ceil)
PG_EMU_WHOLE (trunc)
PG_EMU_WHOLE (rint)
PG_EMU_WHOLE (round)

/* Memory.  */
#define clock64() pg_emu_clock ()

template <typename T>
PG_EMU_INLINE T
__ldg (const T *address)
{
  return *address;
}

/* What is compiled without checks, and therefore not inlined into what is checked.  */
#define PG_EMU_UNCHECKED __attribute__ ((no_sanitize ("thread")))

PG_EMU_UNCHECKED static void
__threadfence (void)
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
}
#define __threadfence_block() __threadfence ()

/* Atomics, which check their address themselves: NAME (address, value), of TYPE, by g++'s BUILTIN or, where a
   loop is needed, by the NEXT value after the OLD one.  */
#define PG_EMU_ATOMIC(name, type, builtin)                      \
  PG_EMU_UNCHECKED static type name (type *address, type value) \
  {                                                             \
    pg_emu_atomic (address, sizeof *address);                   \
    return builtin (address, value, __ATOMIC_SEQ_CST);          \
  }

#define PG_EMU_ATOMIC_LOOP(name, type, bits_type, next)                                                             \
  PG_EMU_UNCHECKED static type name (type *address, type value)                                                     \
  {                                                                                                                 \
    pg_emu_atomic (address, sizeof *address);                                                                       \
    bits_type *bits = (bits_type *) address;                                                                        \
    bits_type seen = __atomic_load_n (bits, __ATOMIC_SEQ_CST);                                                      \
    for (;;)                                                                                                        \
      {                                                                                                             \
	type old = pg_emu_bits<type, bits_type> (seen);                                                             \
	if (__atomic_compare_exchange_n (bits, &seen, pg_emu_bits<bits_type, type> (next), false, __ATOMIC_SEQ_CST, \
					 __ATOMIC_SEQ_CST))                                                         \
	  return old;                                                                                               \
      }                                                                                                             \
  }

#define PG_EMU_ATOMIC_CAS(type)                                                                        \
  PG_EMU_UNCHECKED static type atomicCAS (type *address, type compare, type value)                     \
  {                                                                                                    \
    pg_emu_atomic (address, sizeof *address);                                                          \
    __atomic_compare_exchange_n (address, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return compare;                                                                                    \
  }

#define PG_EMU_ATOMIC_INT(type)                                         \
  PG_EMU_ATOMIC (atomicAnd, type, __atomic_fetch_and)                   \
  PG_EMU_ATOMIC (atomicOr, type, __atomic_fetch_or)                     \
  PG_EMU_ATOMIC (atomicXor, type, __atomic_fetch_xor)                   \
  PG_EMU_ATOMIC_LOOP (atomicMin, type, type, value < old ? value : old) \
  PG_EMU_ATOMIC_LOOP (atomicMax, type, type, value > old ? value : old)

PG_EMU_ATOMIC_INT (int)
PG_EMU_ATOMIC_INT (unsigned)
PG_EMU_ATOMIC_INT (long long)
PG_EMU_ATOMIC_INT (unsigned long long)
PG_EMU_ATOMIC (atomicAdd, int, __atomic_fetch_add)
PG_EMU_ATOMIC (atomicAdd, unsigned, __atomic_fetch_add)
PG_EMU_ATOMIC (atomicAdd, unsigned long long, __atomic_fetch_add)
PG_EMU_ATOMIC_LOOP (atomicAdd, float, unsigned, old + value)
PG_EMU_ATOMIC_LOOP (atomicAdd, double, unsigned long long, old + value)
PG_EMU_ATOMIC (atomicSub, int, __atomic_fetch_sub)
PG_EMU_ATOMIC (atomicSub, unsigned, __atomic_fetch_sub)
PG_EMU_ATOMIC (atomicExch, int, __atomic_exchange_n)
PG_EMU_ATOMIC (atomicExch, unsigned, __atomic_exchange_n)
PG_EMU_ATOMIC (atomicExch, unsigned long long, __atomic_exchange_n)
PG_EMU_ATOMIC_LOOP (atomicExch, float, unsigned, value)
PG_EMU_ATOMIC_CAS (int)
PG_EMU_ATOMIC_CAS (unsigned)
PG_EMU_ATOMIC_CAS (unsigned long long)

/* What follows the text: an entry for each kernel, which unpacks the arguments, and the place of the dynamic arrays,
   whose names are labels, each as often as it is declared.
   The arguments are not device memory, and not checked.  */
template <typename T>
PG_EMU_UNCHECKED static inline T
pg_emu_take (const char *args, unsigned &at)
{
  T value;
  at = (at + alignof (T) - 1) / alignof (T) * alignof (T);
  __builtin_memcpy (&value, args + at, sizeof value);
  at += sizeof value;
  return value;
}

/* A constructor's arguments in braces are taken from left to right.  */
struct pg_emu_call
{
  template <typename... P> PG_EMU_UNCHECKED pg_emu_call (void (*kernel) (P...), P... values)
  {
    kernel (values...);
  }
};

template <typename... P>
PG_EMU_UNCHECKED static inline void
pg_emu_enter (void (*kernel) (P...), const char *args)
{
  unsigned at = 0;
  pg_emu_call { kernel, pg_emu_take<P> (args, at)... };
}

template <typename... P>
static constexpr unsigned
pg_emu_args_len (void (*) (P...))
{
  unsigned at = 0;
  ((at = (at + alignof (P) - 1) / alignof (P) * alignof (P) + sizeof (P)), ...);
  return at;
}

#define PG_EMU_VISIBLE extern "C" __attribute__ ((visibility ("default")))

/* A thread of the host gets its shared memory when it first uses some.  */
static thread_local volatile char pg_emu_first;
PG_EMU_VISIBLE PG_EMU_UNCHECKED void
pg_emu_touch (void)
{
  pg_emu_first = 0;
}

#define PG_EMU_KERNEL(name)                                                      \
  PG_EMU_VISIBLE const unsigned pg_emu_args_len_##name = pg_emu_args_len (name); \
  PG_EMU_VISIBLE PG_EMU_UNCHECKED void pg_emu_enter_##name (const char *args)    \
  {                                                                              \
    pg_emu_enter (name, args);                                                   \
  }

#define PG_EMU_DYNAMIC_BEGIN                       \
  extern "C" thread_local char pg_emu_dynamic[];   \
  PG_EMU_VISIBLE char *pg_emu_dynamic_start (void) \
  {                                                \
    return pg_emu_dynamic;                         \
  }                                                \
  __asm__(".pushsection .tbss.pg_emu_dynamic, \"awT\", @nobits\n.balign 256");
#define PG_EMU_DYNAMIC_LABEL(name) __asm__(".globl " name "\n.type " name ", @tls_object\n" name ":");
#define PG_EMU_DYNAMIC_END PG_EMU_DYNAMIC_LABEL ("pg_emu_dynamic") __asm__(".zero 49152\n.popsection");

#endif
