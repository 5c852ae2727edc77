/* SPDX-License-Identifier: MIT
   The page's files as strings.  The assembler reads them, from the folder that the compiler runs in.  */
#include "page-text.h"

#define TEXT(name, file)                            \
  __asm__(".pushsection .rodata\n"                  \
	  ".globl " #name "\n"                      \
	  ".hidden " #name "\n"                     \
	  ".type " #name ", @object\n" #name ":\n"  \
	  ".incbin \"runtime/cli/page/" file "\"\n" \
	  ".byte 0\n"                               \
	  ".size " #name ", . - " #name "\n"        \
	  ".popsection\n")

TEXT (pg_page_text, "report.html");
TEXT (pg_page_timeline, "timeline.js");
