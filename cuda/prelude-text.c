/* SPDX-License-Identifier: MIT
   prelude.cuh as a string.  The assembler reads it, from the folder that the compiler runs in.  */
#include "prelude-text.h"

__asm__(".pushsection .rodata\n"
	".globl pg_cuda_prelude\n"
	".hidden pg_cuda_prelude\n"
	".type pg_cuda_prelude, @object\n"
	"pg_cuda_prelude:\n"
	".incbin \"cuda/prelude.cuh\"\n"
	".byte 0\n"
	".size pg_cuda_prelude, . - pg_cuda_prelude\n"
	".popsection\n");
