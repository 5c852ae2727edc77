/* SPDX-License-Identifier: MIT
   What backends compile.  */
#ifndef PG_CUDA_DEVICE_TEXT_H
#define PG_CUDA_DEVICE_TEXT_H

#include "../runtime/device.h"

/* KERNELS as one text of CUDA C.  Ownership: the caller's, from malloc; NULL: no memory.  */
char *pg_cuda_text (const struct pg_device_kernel *kernels, size_t n_kernels);

#endif
