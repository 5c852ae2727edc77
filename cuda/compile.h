/* SPDX-License-Identifier: MIT
   CUDA C text, compiled once.  */
#ifndef PG_CUDA_COMPILE_H
#define PG_CUDA_COMPILE_H

#include "../runtime/cache.h"
#include "nvrtc.h"

/* As pg_nvrtc_compile, but what is in CACHE is taken from there, and what is not is kept there.  CACHE may be NULL.  */
enum pg_nvrtc_status pg_cuda_compile (struct pg_nvrtc *nvrtc, struct pg_cache *cache, const char *text,
				      const char *const *kernels, size_t n_kernels, const char *target, char **bytes,
				      size_t *len) __attribute__ ((warn_unused_result));

/* The key that CACHE keeps it under: of all that decides what becomes of TEXT.  */
struct pg_cache_key pg_cuda_key (const struct pg_nvrtc *nvrtc, const char *text, const char *const *kernels,
				 size_t n_kernels, const char *target);

#endif
