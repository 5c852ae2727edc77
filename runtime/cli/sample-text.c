/* SPDX-License-Identifier: MIT
   sample.c as a string.  The assembler reads it, from the folder that the compiler runs in.  */
#include "sample-text.h"

__asm__(".pushsection .rodata\n"
	".globl pg_sample_text\n"
	".hidden pg_sample_text\n"
	".type pg_sample_text, @object\n"
	"pg_sample_text:\n"
	".incbin \"runtime/cli/sample/sample.c\"\n"
	".byte 0\n"
	".size pg_sample_text, . - pg_sample_text\n"
	".popsection\n");
