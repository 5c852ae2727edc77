/* SPDX-License-Identifier: MIT
   prelude.cuh as a string, for who hands printed kernels on.  */
#ifndef PG_CUDA_PRELUDE_TEXT_H
#define PG_CUDA_PRELUDE_TEXT_H

extern const char pg_cuda_prelude[] __attribute__ ((visibility ("hidden")));

#endif
