/* SPDX-License-Identifier: MIT
   CUDA C text, compiled while the program runs, by the NVRTC of the machine, if there is one.

   Threads: one at a time, whatever the compiler that was opened.  */
#ifndef PG_CUDA_NVRTC_H
#define PG_CUDA_NVRTC_H

#include <stddef.h>

enum pg_nvrtc_status
{
  PG_NVRTC_OK,
  PG_NVRTC_NO_LIBRARY, /* none is found, or none that has what is used of it */
  PG_NVRTC_NO_MEMORY,
  PG_NVRTC_BAD_ARGUMENT, /* of the call; nothing was done */
  PG_NVRTC_NO_TARGET,    /* this NVRTC does not compile for it */
  PG_NVRTC_NOT_COMPILED, /* the text is wrong, or has no kernel of a name */
  PG_NVRTC_FAILED        /* NVRTC itself */
};

enum
{
  PG_NVRTC_TEXT_LEN = 512 /* of a message, with its 0 */
};

struct pg_nvrtc;

/* Open the NVRTC at PATH, or, if that is NULL, the first of libnvrtc.so, libnvrtc.so.13 ... that is found where the
   loader searches, in $CUDA_HOME/lib64 and in /usr/local/cuda/lib64.  If not PG_NVRTC_OK: *NVRTC is NULL, and TEXT of
   PG_NVRTC_TEXT_LEN bytes says why.  Takes some 0.1 s and 100 MB.  */
enum pg_nvrtc_status pg_nvrtc_open (const char *path, struct pg_nvrtc **nvrtc, char *text)
  __attribute__ ((warn_unused_result));

/* Close NVRTC; NULL is allowed.  */
void pg_nvrtc_close (struct pg_nvrtc *nvrtc);

/* Which one it is: MAJOR * 1000 + MINOR * 10, as CUDA counts.  */
int pg_nvrtc_version (const struct pg_nvrtc *nvrtc);

/* Compile TEXT, which has the KERNELS, N_KERNELS names, for TARGET: sm_90 gives a cubin, compute_75 gives PTX.  Floats
   are computed as they are written.  TEXT may include "prelude.cuh", and nothing else.  Ownership: *BYTES, *LEN of
   them, is the caller's, from malloc.  If not PG_NVRTC_OK, *BYTES is NULL, and the message has the first error.  */
enum pg_nvrtc_status pg_nvrtc_compile (struct pg_nvrtc *nvrtc, const char *text, const char *const *kernels,
				       size_t n_kernels, const char *target, char **bytes, size_t *len)
  __attribute__ ((warn_unused_result));

/* The options that texts are compiled with, up to NULL.  */
extern const char *const pg_nvrtc_options[];

/* One line on the last call that did not return PG_NVRTC_OK; valid until the next call.  */
const char *pg_nvrtc_message (const struct pg_nvrtc *nvrtc);

/* All that NVRTC said of the last text; valid until the next compilation.  */
const char *pg_nvrtc_log (const struct pg_nvrtc *nvrtc);

#endif
