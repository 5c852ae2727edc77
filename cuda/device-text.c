/* SPDX-License-Identifier: MIT
   Kernels as one text.  See device-text.h.  */
#include "device-text.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

char *
pg_cuda_text (const struct pg_device_kernel *kernels, size_t n_kernels)
{
  static const char head[] = "#include \"prelude.cuh\"\n";
  size_t len = sizeof head, at = sizeof head - 1;
  for (size_t k = 0; k < n_kernels; k++)
    len += pg_cuda_print (kernels[k].kernel, kernels[k].name, NULL, 0);
  char *text = malloc (len);
  if (text == NULL)
    return NULL;
  memcpy (text, head, sizeof head);
  for (size_t k = 0; k < n_kernels; k++)
    at += pg_cuda_print (kernels[k].kernel, kernels[k].name, text + at, len - at);
  return text;
}
