/* SPDX-License-Identifier: MIT
   An NVRTC for unit tests, which makes of any text the same bytes.  */
#ifndef PARAGON_TEST_FAKE_NVRTC_H
#define PARAGON_TEST_FAKE_NVRTC_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct
{
  bool is_missing;
  int n_compiled;
  int fails_as;        /* an nvrtcResult */
  const char *too_new; /* a target that it does not know */
  char target[32];     /* of the last text */
  char names[256];     /* of its kernels */
} nvrtc;

#define PG_NVRTC_FUNCTION(name, parameters) static int nvrtc_##name parameters;
#include "cuda/nvrtc-functions.def"

static const char nvrtc_bytes[] = "bytes";

static int
nvrtc_Version (int *major, int *minor)
{
  *major = 12;
  *minor = 4;
  return 0;
}

static int
nvrtc_CreateProgram (void **program, const char *text, const char *name, int n_headers, const char *const *headers,
		     const char *const *header_names)
{
  (void) name, (void) headers;
  assert_non_null (strstr (text, "#include \"prelude.cuh\""));
  assert_int_equal (n_headers, 1);
  assert_string_equal (header_names[0], "prelude.cuh");
  nvrtc.names[0] = '\0';
  *program = &nvrtc;
  return 0;
}

static int
nvrtc_DestroyProgram (void **program)
{
  *program = NULL;
  return 0;
}

static int
nvrtc_AddNameExpression (void *program, const char *name)
{
  (void) program;
  strcat (strcat (nvrtc.names, name), " ");
  return 0;
}

static int
nvrtc_CompileProgram (void *program, int n_options, const char *const *options)
{
  (void) program;
  assert_true (n_options > 0);
  assert_int_equal (sscanf (options[0], "--gpu-architecture=%31s", nvrtc.target), 1);
  nvrtc.n_compiled++;
  return nvrtc.too_new != NULL && strcmp (nvrtc.target, nvrtc.too_new) == 0 ? 5 : nvrtc.fails_as;
}

static int
nvrtc_GetProgramLogSize (void *program, size_t *len)
{
  (void) program;
  *len = sizeof "error: told to\n";
  return 0;
}

static int
nvrtc_GetProgramLog (void *program, char *log)
{
  (void) program;
  strcpy (log, "error: told to\n");
  return 0;
}

static int
nvrtc_GetCUBINSize (void *program, size_t *len)
{
  (void) program;
  *len = sizeof nvrtc_bytes;
  return 0;
}

static int
nvrtc_GetCUBIN (void *program, char *bytes)
{
  (void) program;
  memcpy (bytes, nvrtc_bytes, sizeof nvrtc_bytes);
  return 0;
}

static int
nvrtc_GetPTXSize (void *program, size_t *len)
{
  return nvrtc_GetCUBINSize (program, len);
}

static int
nvrtc_GetPTX (void *program, char *bytes)
{
  return nvrtc_GetCUBIN (program, bytes);
}

/* The function that SYMBOL names, or NULL.  */
static void *
nvrtc_symbol (const char *symbol)
{
#define PG_NVRTC_FUNCTION(name, parameters) \
  if (strcmp (symbol, "nvrtc" #name) == 0)  \
    return (void *) nvrtc_##name;
#include "cuda/nvrtc-functions.def"
  return NULL;
}

#endif
