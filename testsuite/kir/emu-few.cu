/* SPDX-License-Identifier: MIT
   Kernels for the tests of the device without a GPU (testsuite/unit/test-emu.c): those that several devices run.  */
#include "prelude.cuh"

struct ints
{
  const int *in;
  int *out;
  pg_i64 n;
};

/* The sum of each block's part of IN into OUT.  */
__device__ __forceinline__ int
sum_of_block (const struct ints &v)
{
  __shared__ int part[256];
  int sum = 0;
  for (pg_i64 i = blockIdx.x * blockDim.x + threadIdx.x; i < v.n; i += gridDim.x * blockDim.x)
    sum += v.in[i];
  part[threadIdx.x] = sum;
  __syncthreads ();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
	part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads ();
    }
  return part[0];
}

__global__ void
sum_blocks (struct ints v)
{
  int sum = sum_of_block (v);
  if (threadIdx.x == 0)
    v.out[blockIdx.x] = sum;
}

/* The order in which blocks and threads came.  */
__global__ void
order (int *out)
{
  int at = atomicAdd (&out[0], 1);
  out[1 + at] = blockIdx.x * blockDim.x + threadIdx.x;
}

/* An update that is not atomic, among threads of one block and of several.  */
__global__ void
lost_update (int *out)
{
  volatile int *sum = out;
  for (int i = 0; i < 400; i++)
    *sum = *sum + 1;
}

