/* SPDX-License-Identifier: MIT
   Text that is written piece by piece, as far as there is room, and its length.  */
#ifndef PG_KIR_TEXT_H
#define PG_KIR_TEXT_H

#include "kir.h"

struct pg_kir_text
{
  char *start;
  size_t len, at; /* AT may be behind LEN: what all of it needs, but for the 0 at its end */
};

/* Append to TEXT as printf does.  */
void pg_kir_put (struct pg_kir_text *text, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

#endif
