/* SPDX-License-Identifier: MIT
   What kernels that are written by hand share: their names, and the loop that a grid goes through.  Each stands for one
   loop of a benchmark program, FILE_FUNCTION_LINE, as a programmer would write it who does not change the loop.  */
#ifndef HAND_CUH
#define HAND_CUH

#define KERNEL(name) extern "C" __global__ void __launch_bounds__ (256) name
#define FOR_EACH(i, lo, hi) \
  for (int i = (lo) + blockIdx.x * blockDim.x + threadIdx.x; i < (hi); i += gridDim.x * blockDim.x)

#endif
