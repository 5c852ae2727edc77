/* SPDX-License-Identifier: MIT
   What becomes of the kernels of programs: the parts of the report's program.

       kernels-report print OUT.cu OUT.tsv FILE.kir...	 each kernel by each method as CUDA C, and its memory traffic
       kernels-report count FILE.cubin			 the machine instructions of each kernel  */
#ifndef KERNELS_REPORT_H
#define KERNELS_REPORT_H

#include "kir/kir.h"

/* Bytes that are read or written; an atomic does both.  */
struct traffic
{
  uint64_t per_iteration; /* outside of inner loops */
  uint64_t per_inner;     /* in one iteration of each of them */
};

/* What LOOP, in loop form, reads and writes where nothing is found; its logs are reference LOG, its verdict in the
   arguments at VERDICT.  */
struct traffic traffic_of (const struct pg_kir_kernel *loop, int64_t log, int64_t verdict);

/* Print to stdout the name of each kernel of the cubin PATH, its number of instructions, without what only fills up,
   and how many of them load or store.  False: it cannot be read.  */
bool count_instructions (const char *path);

#endif
