/* SPDX-License-Identifier: MIT
   More kernels for the tests of the device without a GPU, behind emu-few.cu: right ones, and behind them wrong ones,
   each wrong in one way.  */

struct vectors
{
  const double *x;
  double *y;
  double a;
  pg_i64 n;
};

extern "C" __global__ void __launch_bounds__ (256)
axpy (const __grid_constant__ struct vectors v)
{
  for (pg_i64 i = blockIdx.x * blockDim.x + threadIdx.x; i < v.n; i += gridDim.x * blockDim.x)
    v.y[i] = v.a * v.x[i] + v.y[i];
}

/* The sum of all: the last block to be done adds the others' up.  OUT[0] counts blocks.  */
__global__ void
sum_in_two_levels (struct ints v)
{
  __shared__ bool is_last;
  int sum = sum_of_block (v);
  if (threadIdx.x == 0)
    {
      v.out[2 + blockIdx.x] = sum;
      __threadfence ();
      is_last = atomicAdd (&v.out[0], 1) == (int) gridDim.x - 1;
    }
  __syncthreads ();
  if (is_last && threadIdx.x == 0)
    {
      volatile int *parts = v.out + 2;
      int all = 0;
      for (unsigned b = 0; b < gridDim.x; b++)
	all += parts[b];
      v.out[1] = all;
    }
}

__global__ void
histogram (struct ints v)
{
  pg_i64 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.n)
    atomicAdd (&v.out[v.in[i]], 1);
}

/* Each warp's sum, by shuffles of each kind, into OUT[warp].  */
__global__ void
sum_warps (struct ints v)
{
  int value = v.in[threadIdx.x], down = value, across = value, up = value;
  for (int d = 16; d > 0; d /= 2)
    {
      down += __shfl_down_sync (0xffffffffu, down, d);
      across += __shfl_xor_sync (0xffffffffu, across, d, 32);
    }
  for (int d = 1; d < 32; d *= 2)
    {
      int other = __shfl_up_sync (0xffffffffu, up, d);
      up += (threadIdx.x & 31) >= d ? other : 0;
    }
  down = __shfl_sync (0xffffffffu, down, 0);
  up = __shfl_sync (0xffffffffu, up, 31);
  if (down == across && up == across && (threadIdx.x & 31) == 5)
    v.out[threadIdx.x / 32] = down;
}

/* Shuffles of 8 lanes, of doubles: the first of each 8, the next one's in them.  */
__global__ void
shuffle_in_eights (double *out)
{
  double value = threadIdx.x + 0.5;
  double first = __shfl_sync (0xffffffffu, value, 8, 8), next = __shfl_down_sync (0xffffffffu, value, 1, 8);
  double before = __shfl_up_sync (0xffffffffu, value, 2, 8), flipped = __shfl_xor_sync (0xffffffffu, value, 12, 8);
  out[threadIdx.x * 4] = first;
  out[threadIdx.x * 4 + 1] = next;
  out[threadIdx.x * 4 + 2] = before;
  out[threadIdx.x * 4 + 3] = flipped;
}

__global__ void
vote (struct ints v)
{
  int is_odd = v.in[threadIdx.x] & 1;
  unsigned odd = __ballot_sync (0xffffffffu, is_odd);
  int any = __any_sync (0xffffffffu, v.in[threadIdx.x] == 7), all = __all_sync (0xffffffffu, v.in[threadIdx.x] >= 0);
  int *out = v.out + threadIdx.x * 4;
  out[0] = __popc (odd) * 10000 + __ffs (odd) * 100 + __clz (odd);
  out[1] = any * 10 + all;
  if (is_odd) /* only these lanes */
    out[2] = __popc (__ballot_sync (odd, threadIdx.x < 8));
  unsigned active = __activemask ();
  out[3] = (active >> (threadIdx.x & 31) & 1) && __shfl_sync (active, (int) active, threadIdx.x) == (int) active;
  __syncwarp ();
}

/* Barriers that count: of those whose number is below N.  */
__global__ void
count_by_barrier (int *out, int n)
{
  int t = threadIdx.x;
  int count = __syncthreads_count (t < n), some = __syncthreads_or (t < n), all = __syncthreads_and (t < n);
  out[t] = count * 100 + (some != 0) * 10 + (all != 0);
}

__global__ void
all_atomics (int *i, unsigned *u, pg_i64 *l, long long *s, float *f, double *d)
{
  int t = (int) threadIdx.x;
  atomicAdd (&i[0], t);
  atomicMin (&i[1], -t);
  atomicMax (&i[2], t);
  atomicSub (&i[3], t);
  atomicAnd (&u[0], ~(1u << (t & 31)));
  atomicOr (&u[1], 1u << (t & 31));
  atomicXor (&u[2], (unsigned) t);
  atomicMax (&u[3], 0x80000000u + t);
  atomicAdd (&l[0], 1ull << 32);
  atomicMin (&l[1], (pg_i64) t);
  atomicOr (&l[2], 1ull << (t & 63));
  atomicMin (&s[0], (long long) -t);
  atomicMax (&s[1], (long long) t);
  atomicAdd (f, 0.5f);
  atomicAdd (d, 0.25);
  for (pg_i64 seen = l[3], old;; seen = old)
    {
      old = atomicCAS (&l[3], seen, seen + 2);
      if (old == seen)
	break;
    }
  atomicAdd (&i[4], (int) atomicExch (&u[4], 1u + t));
}

/* The dynamic array under two names and types: turned round.  */
__global__ void
turn_round (struct ints v)
{
  extern __shared__ int turned[];
  turned[threadIdx.x] = v.in[threadIdx.x];
  __syncthreads ();
  v.out[threadIdx.x] = turned[blockDim.x - 1 - threadIdx.x];
}

__global__ void
bytes_of_turned (struct ints v)
{
  extern __shared__ unsigned char bytes[];
  int *words = (int *) bytes;
  words[threadIdx.x] = v.in[threadIdx.x];
  __syncthreads ();
  v.out[threadIdx.x] = bytes[4 * threadIdx.x] + 256 * bytes[4 * threadIdx.x + 1];
}

__constant__ int weights[3] = { 1, 100, 10000 };

/* Each thread of a grid of three dimensions says where it is, once.  */
__global__ void
places (int *out)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  atomicAdd (&out[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x],
	     x * weights[0] + y * weights[1] + z * weights[2] + 1);
}

/* The rest of what kernels may use.  */
__global__ void
others (const float *f, const unsigned char *bytes, pg_i64 *out)
{
  long long before = clock64 ();
  out[0] = __float_as_int (__ldg (f)) + (__int_as_float (0x40000000) == 2.0f);
  out[1] = __popcll (~0ull) * 10000 + __ffsll (1ll << 40) * 100 + __clzll (1);
  out[2] = __popc (7) * 10000 + __ffs (0) * 100 + __clz (0) + __clzll (0) + __ffsll (0);
  out[3] = bytes[1] | bytes[2] << 8 | bytes[3] << 16 | (unsigned) bytes[4] << 24; /* a word, but it is not aligned */
  __threadfence_block ();
  out[4] = clock64 () > before;
  out[5] = atomicExch ((float *) &out[6], 2.5f) == 0.0f;
  out[7] = (int) (__float_as_int (*f) | 0x7fffffff) + 1 > 0; /* wraps around, as printed kernels may */
}

__global__ void
two_types (int *p, float *q, int *out)
{
  *p = 1;
  *q = 2.0f;
  *out = *p;
}

__global__ void
unwritten_shared (pg_i64 *out)
{
  __shared__ volatile pg_i64 unwritten[4];
  out[blockIdx.x] = unwritten[threadIdx.x];
}

__global__ void
nothing (void)
{
}

/* How often a thread is switched to: each waits for all at each barrier.  */
__global__ void
switches (int n)
{
  for (int i = 0; i < n; i++)
    __syncthreads ();
}

/* From here on, wrong ones.  */

/* As turn_round, but nobody waits.  */
__global__ void
missing_barrier (struct ints v)
{
  __shared__ int tile[64];
  tile[threadIdx.x] = v.in[threadIdx.x];
  v.out[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

__global__ void
ended_before_barrier (int *out)
{
  if (threadIdx.x == 3)
    return;
  __syncthreads ();
  out[threadIdx.x] = 1;
}

__global__ void
two_barriers (int *out)
{
  if (threadIdx.x < 3)
    __syncthreads ();
  else
    {
      out[0] = 1;
      __syncthreads ();
    }
}

__global__ void
lane_never_comes (int *out)
{
  if (threadIdx.x != 9)
    out[threadIdx.x] = __ballot_sync (0xffffffffu, 1);
}

__global__ void
lane_is_at_barrier (int *out)
{
  if (threadIdx.x != 9)
    out[threadIdx.x] = __shfl_sync (0xffffffffu, 1, 0);
  __syncthreads ();
}

__global__ void
masks_differ (int *out)
{
  out[threadIdx.x] = __shfl_sync (threadIdx.x < 31 ? 0xffffffffu : 0xf0000000u, 1, 0);
}

__global__ void
not_in_mask (int *out)
{
  out[threadIdx.x] = __shfl_sync (0xffu, 1, 0);
}

__global__ void
read_byte (const char *from, char *to)
{
  *to = *from;
}

__global__ void
write_byte (char *to)
{
  *to = 1;
}

__global__ void
read_double (const double *from, double *to)
{
  *to = *from;
}

__global__ void
update_int (int *to)
{
  atomicAdd (to, 1);
}

__global__ void
beyond_dynamic (int *out, int at)
{
  extern __shared__ int turned[];
  turned[at] = 1;
  out[0] = turned[at];
}

__global__ void
endless (volatile int *flag)
{
  while (*flag == 0)
    ;
}

__global__ void
count_for_ever (int *counter)
{
  for (;;)
    atomicAdd (counter, 1);
}

/* No access, no barrier: nothing that the device could look at.  */
__global__ void
endless_in_registers (unsigned n)
{
  for (unsigned i = 1; i != 0; i = i * 2 | 1)
    __asm__ volatile ("");
}

__device__ __attribute__ ((noinline)) int
deep (volatile int n)
{
  volatile int at[4] = { n, 0, 0, 0 };
  return n == 0 ? 0 : deep (n - 1) + at[n & 3];
}

__global__ void
deep_stack (int *out, int n)
{
  out[0] = deep (n);
}

extern "C" void _exit (int);

__global__ void
quit (void)
{
  _exit (1);
}

__global__ void
divide (int *out, int by)
{
  out[0] = 7 / by;
}
