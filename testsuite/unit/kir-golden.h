/* SPDX-License-Identifier: MIT
   What tests of kernels share: the kernels of testsuite/kir as text.  */
#ifndef KIR_GOLDEN_H
#define KIR_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  TEXT_LEN = 1 << 16
};

static inline const char *
root (void)
{
  return getenv ("PG_ROOT") == NULL ? "." : getenv ("PG_ROOT");
}

/* The text of testsuite/kir/NAME without its comments, ended by 0.  */
static inline char *
golden_file (const char *name)
{
  static char text[TEXT_LEN];
  char path[4096];
  snprintf (path, sizeof path, "%s/testsuite/kir/%s", root (), name);
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  size_t len = 0;
  while (fgets (text + len, (int) (sizeof text - len), file) != NULL)
    len += text[len] == ';' ? 0 : strlen (text + len);
  text[len] = '\0';
  fclose (file);
  return text;
}

/* The same of kernel NAME.  */
static inline char *
golden (const char *name)
{
  char file[256];
  snprintf (file, sizeof file, "%s.kir", name);
  return golden_file (file);
}

#endif
