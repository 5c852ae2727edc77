/* SPDX-License-Identifier: MIT
   Ranges for a profiler: NVTX, version 3.

   A profiler that wants them names a library of its own in NVTX_INJECTION64_PATH.  That library is handed a table of
   places for functions, and puts its own into those that it cares about.  The table is the interface; NVIDIA's headers
   do the same, so neither they nor a library of CUDA's are needed.  */
#ifndef PARAGON_NVTX_H
#define PARAGON_NVTX_H

#include <stdbool.h>

/* Let the profiler's library in.  False: there is none that wants ranges.  Called while this library is loaded: the
   dynamic linker is at work anyway.  */
bool pg_nvtx_open (void);

/* Begin a range of the calling thread that is called TEXT; end its last one; mark this moment.  */
void pg_nvtx_push (const char *text);
void pg_nvtx_pop (void);
void pg_nvtx_mark (const char *text);

#endif
