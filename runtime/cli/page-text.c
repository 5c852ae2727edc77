/* SPDX-License-Identifier: MIT
   report.html as a string.  The assembler reads it, from the folder that the compiler runs in.  */
#include "page-text.h"

__asm__(".pushsection .rodata\n"
	".globl pg_page_text\n"
	".hidden pg_page_text\n"
	".type pg_page_text, @object\n"
	"pg_page_text:\n"
	".incbin \"runtime/cli/page/report.html\"\n"
	".byte 0\n"
	".size pg_page_text, . - pg_page_text\n"
	".popsection\n");
