/* SPDX-License-Identifier: MIT
   CUDA C text, compiled once.  See compile.h.  */
#include "compile.h"
#include "prelude-text.h"

#include <stdio.h>

struct pg_cache_key
pg_cuda_key (const struct pg_nvrtc *nvrtc, const char *text, const char *const *kernels, size_t n_kernels,
	     const char *target)
{
  char version[16];
  const char *const parts[] = { text, pg_cuda_prelude, target, version };
  size_t n_options = 0;
  snprintf (version, sizeof version, "%d", pg_nvrtc_version (nvrtc));
  while (pg_nvrtc_options[n_options] != NULL)
    n_options++;
  struct pg_cache_key key = pg_cache_key ((struct pg_cache_key) { 0, 0 }, parts, sizeof parts / sizeof *parts);
  key = pg_cache_key (key, pg_nvrtc_options, n_options);
  return pg_cache_key (key, kernels, n_kernels);
}

enum pg_nvrtc_status
pg_cuda_compile (struct pg_nvrtc *nvrtc, struct pg_cache *cache, const char *text, const char *const *kernels,
		 size_t n_kernels, const char *target, char **bytes, size_t *len)
{
  struct pg_cache_key key = { 0, 0 };
  if (cache != NULL)
    {
      key = pg_cuda_key (nvrtc, text, kernels, n_kernels, target);
      if (pg_cache_find (cache, key, bytes, len))
	return PG_NVRTC_OK;
    }
  enum pg_nvrtc_status status = pg_nvrtc_compile (nvrtc, text, kernels, n_kernels, target, bytes, len);
  if (status == PG_NVRTC_OK && cache != NULL)
    pg_cache_keep (cache, key, *bytes, *len);
  return status;
}
