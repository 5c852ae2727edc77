/* SPDX-License-Identifier: GPL-3.0-or-later
   The lazy stub (runtime/lazy) as a string.  The assembler reads it, from the folder that the compiler runs in.  */
#include "stub.h"

__asm__(".pushsection .rodata\n"
	".globl pg_stub_text\n"
	".hidden pg_stub_text\n"
	".type pg_stub_text, @object\n"
	"pg_stub_text:\n"
	".incbin \"" PG_STUB_FILE "\"\n"
	".byte 0\n"
	".size pg_stub_text, . - pg_stub_text\n"
	".popsection\n");
