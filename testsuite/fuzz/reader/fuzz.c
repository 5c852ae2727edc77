/* SPDX-License-Identifier: MIT
   What libFuzzer calls: a reader of KIR is given any bytes.  CHECK says which one: check_text or check_packed.  */
#include "check.h"

#include <stdio.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t len)
{
  const char *what = CHECK (bytes, len);
  if (what == NULL)
    return 0;
  fprintf (stderr, "%s\n", what);
  abort ();
}
