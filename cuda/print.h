/* SPDX-License-Identifier: MIT
   KIR as CUDA C.  */
#ifndef PG_CUDA_PRINT_H
#define PG_CUDA_PRINT_H

#include "../runtime/kir/kir.h"

/* Print KERNEL, which is verified, in loop form as a function of the loop's arguments, its carried values and the
   numbers of an iteration,

     static void NAME (const char *args, pg_f64 *carry0, ..., pg_i64 iter0, ...)

   or, in SPMD form, as a kernel that gets the arguments by value,

     PG_KERNEL (NAME, pg_cuda_args_len (KERNEL), THREADS)

   into TEXT of LEN bytes, ended by 0 as far as there is room.  It needs prelude.cuh before it.  Returns the length of
   all of it.  */
size_t pg_cuda_print (const struct pg_kir_kernel *kernel, const char *name, char *text, size_t len);

/* The bytes of arguments that a launch of a kernel in SPMD form passes: its own ARGS_LEN, and room up to the next
   multiple of 16, as the struct that they are in is aligned.  */
uint32_t pg_cuda_args_room (uint32_t args_len);

/* The same of KERNEL.  */
uint32_t pg_cuda_args_len (const struct pg_kir_kernel *kernel);

#endif
