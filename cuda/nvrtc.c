/* SPDX-License-Identifier: MIT
   NVRTC, opened when it is needed.  See nvrtc.h.

       text, kernels, target  --->  nvrtcCreateProgram ("kernels.cu", "prelude.cuh")
					 AddNameExpression	a kernel that is not there is an error
					 CompileProgram		--gpu-architecture=TARGET, and pg_nvrtc_options
       bytes		      <---	 GetCUBIN or GetPTX

   What is used of it is declared here, so that building needs no toolkit.  */
#include "nvrtc.h"
#include "prelude-text.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An nvrtcResult.  */
enum
{
  RESULT_OK = 0,
  RESULT_NO_MEMORY = 1,
  RESULT_BAD_OPTION = 5,
  RESULT_NOT_COMPILED = 6
};

enum
{
  OPENING = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, /* it does not give back all that it took */
  PATH_LEN = 4096,
  TARGET_LEN = 32 /* at most, with its 0 */
};

struct pg_nvrtc
{
  void *library;
#define PG_NVRTC_FUNCTION(name, parameters) int (*name) parameters;
#include "nvrtc-functions.def"
  int version;
  char *log; /* of the last text, or NULL */
  char message[PG_NVRTC_TEXT_LEN];
};

/* None may change bits.  */
const char *const pg_nvrtc_options[] = { "--fmad=false", "--disable-warnings", NULL };

__attribute__ ((format (printf, 3, 4))) static enum pg_nvrtc_status
failed (struct pg_nvrtc *nvrtc, enum pg_nvrtc_status status, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (nvrtc->message, sizeof nvrtc->message, format, ap);
  va_end (ap);
  return status;
}

const char *
pg_nvrtc_message (const struct pg_nvrtc *nvrtc)
{
  return nvrtc->message;
}

const char *
pg_nvrtc_log (const struct pg_nvrtc *nvrtc)
{
  return nvrtc->log == NULL ? "" : nvrtc->log;
}

int
pg_nvrtc_version (const struct pg_nvrtc *nvrtc)
{
  return nvrtc->version;
}

/* The library NAME, in FOLDER, or where the loader searches if that is NULL; or NULL.  */
static void *
open_in (const char *folder, const char *name)
{
  char path[PATH_LEN];
  int len = folder == NULL ? snprintf (path, sizeof path, "%s", name)
			   : snprintf (path, sizeof path, "%s/lib64/%s", folder, name);
  return len < (int) sizeof path ? dlopen (path, OPENING) : NULL;
}

/* The NVRTC of this machine, or NULL.  */
static void *
find_library (void)
{
  static const char *const names[] = { "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2" };
  const char *home = secure_getenv ("CUDA_HOME");
  const char *const folders[] = { NULL, home != NULL && *home == '/' ? home : "/usr/local/cuda", "/usr/local/cuda" };
  void *library = NULL;
  for (size_t f = 0; library == NULL && f < sizeof folders / sizeof *folders; f++)
    for (size_t n = 0; library == NULL && n < sizeof names / sizeof *names; n++)
      library = open_in (folders[f], names[n]);
  return library;
}

/* Look up what is used of NVRTC's library.  The name of what it lacks, or NULL.  */
static const char *
look_up (struct pg_nvrtc *nvrtc)
{
#define PG_NVRTC_FUNCTION(name, parameters)                        \
  *(void **) &nvrtc->name = dlsym (nvrtc->library, "nvrtc" #name); \
  if (nvrtc->name == NULL)                                         \
    return "nvrtc" #name;
#include "nvrtc-functions.def"
  return NULL;
}

static enum pg_nvrtc_status
begin (struct pg_nvrtc *nvrtc, const char *path)
{
  int major, minor;
  nvrtc->library = path == NULL ? find_library () : dlopen (path, OPENING);
  if (nvrtc->library == NULL)
    return failed (nvrtc, PG_NVRTC_NO_LIBRARY, "no NVRTC: %s", path == NULL ? "libnvrtc.so is not found" : dlerror ());
  const char *lacks = look_up (nvrtc);
  if (lacks != NULL)
    return failed (nvrtc, PG_NVRTC_NO_LIBRARY, "no NVRTC: the library lacks %s", lacks);
  if (nvrtc->Version (&major, &minor) != RESULT_OK)
    return failed (nvrtc, PG_NVRTC_NO_LIBRARY, "no NVRTC: the library has no version");
  nvrtc->version = major * 1000 + minor * 10;
  return PG_NVRTC_OK;
}

enum pg_nvrtc_status
pg_nvrtc_open (const char *path, struct pg_nvrtc **opened, char *text)
{
  struct pg_nvrtc *nvrtc = calloc (1, sizeof *nvrtc);
  *opened = NULL;
  snprintf (text, PG_NVRTC_TEXT_LEN, "no memory");
  if (nvrtc == NULL)
    return PG_NVRTC_NO_MEMORY;
  enum pg_nvrtc_status status = begin (nvrtc, path);
  if (status != PG_NVRTC_OK)
    {
      memcpy (text, nvrtc->message, PG_NVRTC_TEXT_LEN);
      pg_nvrtc_close (nvrtc);
      return status;
    }
  *opened = nvrtc;
  return PG_NVRTC_OK;
}

void
pg_nvrtc_close (struct pg_nvrtc *nvrtc)
{
  if (nvrtc == NULL)
    return;
  if (nvrtc->library != NULL)
    dlclose (nvrtc->library);
  free (nvrtc->log);
  free (nvrtc);
}

/* Whether TEXT is START and a number, which a letter may follow: sm_90, sm_90a.  */
static bool
is_target (const char *text, const char *start)
{
  size_t start_len = strlen (start), n_digits = 0;
  if (strncmp (text, start, start_len) != 0)
    return false;
  n_digits = strspn (text + start_len, "0123456789");
  const char *end = text + start_len + n_digits;
  return n_digits > 0 && strlen (text) < TARGET_LEN && (*end == '\0' || (islower ((unsigned char) *end) && !end[1]));
}

static bool
is_name (const char *text)
{
  return *text != '\0' && !isdigit ((unsigned char) *text)
	 && text[strspn (text, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

static enum pg_nvrtc_status
check_arguments (struct pg_nvrtc *nvrtc, const char *const *kernels, size_t n_kernels, const char *target)
{
  if (!is_target (target, "sm_") && !is_target (target, "compute_"))
    return failed (nvrtc, PG_NVRTC_BAD_ARGUMENT, "\"%.40s\" is no target: sm_NUMBER, compute_NUMBER", target);
  for (size_t k = 0; k < n_kernels; k++)
    if (!is_name (kernels[k]))
      return failed (nvrtc, PG_NVRTC_BAD_ARGUMENT, "\"%.40s\" is no kernel's name", kernels[k]);
  return PG_NVRTC_OK;
}

/* Keep what NVRTC says of PROGRAM.  */
static void
keep_log (struct pg_nvrtc *nvrtc, void *program)
{
  size_t len;
  if (nvrtc->GetProgramLogSize (program, &len) != RESULT_OK || len == 0)
    return;
  nvrtc->log = calloc (1, len + 1);
  if (nvrtc->log != NULL && nvrtc->GetProgramLog (program, nvrtc->log) != RESULT_OK)
    *nvrtc->log = '\0';
}

/* Say that a compilation for TARGET ended with RESULT, and the first error of the log, or its first line.  */
static enum pg_nvrtc_status
compile_failed (struct pg_nvrtc *nvrtc, int result, const char *target)
{
  const char *line = pg_nvrtc_log (nvrtc), *error = strstr (line, "error");
  while (error != NULL && error > line && error[-1] != '\n')
    error--;
  if (error != NULL)
    line = error;
  int len = (int) strcspn (line, "\n");
  switch (result)
    {
    case RESULT_NO_MEMORY:
      return failed (nvrtc, PG_NVRTC_NO_MEMORY, "no memory");
    case RESULT_BAD_OPTION:
      return failed (nvrtc, PG_NVRTC_NO_TARGET, "%s: %.*s", target, len, line);
    case RESULT_NOT_COMPILED:
      return failed (nvrtc, PG_NVRTC_NOT_COMPILED, "%.*s", len, line);
    default:
      return failed (nvrtc, PG_NVRTC_FAILED, "NVRTC fails with %d for %s: %.*s", result, target, len, line);
    }
}

/* Compile PROGRAM for TARGET.  */
static enum pg_nvrtc_status
compile_program (struct pg_nvrtc *nvrtc, void *program, const char *const *kernels, size_t n_kernels,
		 const char *target)
{
  enum
  {
    N_OPTIONS = sizeof pg_nvrtc_options / sizeof *pg_nvrtc_options /* that of the target, and no end */
  };
  char for_target[TARGET_LEN + sizeof "--gpu-architecture="];
  const char *all[N_OPTIONS] = { for_target };
  int result = RESULT_OK;
  snprintf (for_target, sizeof for_target, "--gpu-architecture=%s", target);
  memcpy (all + 1, pg_nvrtc_options, (N_OPTIONS - 1) * sizeof *all);
  for (size_t k = 0; result == RESULT_OK && k < n_kernels; k++)
    result = nvrtc->AddNameExpression (program, kernels[k]);
  if (result == RESULT_OK)
    result = nvrtc->CompileProgram (program, N_OPTIONS, all);
  keep_log (nvrtc, program);
  return result == RESULT_OK ? PG_NVRTC_OK : compile_failed (nvrtc, result, target);
}

/* Take what became of PROGRAM, compiled.  */
static enum pg_nvrtc_status
take_bytes (struct pg_nvrtc *nvrtc, void *program, const char *target, char **bytes, size_t *len)
{
  bool is_ptx = *target == 'c';
  int result = is_ptx ? nvrtc->GetPTXSize (program, len) : nvrtc->GetCUBINSize (program, len);
  if (result != RESULT_OK || *len == 0)
    return failed (nvrtc, PG_NVRTC_FAILED, "NVRTC gives no bytes for %s, and %d", target, result);
  *bytes = malloc (*len);
  if (*bytes == NULL)
    return failed (nvrtc, PG_NVRTC_NO_MEMORY, "no memory");
  result = is_ptx ? nvrtc->GetPTX (program, *bytes) : nvrtc->GetCUBIN (program, *bytes);
  if (result == RESULT_OK)
    return PG_NVRTC_OK;
  free (*bytes);
  *bytes = NULL;
  return failed (nvrtc, PG_NVRTC_FAILED, "NVRTC gives no bytes for %s, but %d", target, result);
}

enum pg_nvrtc_status
pg_nvrtc_compile (struct pg_nvrtc *nvrtc, const char *text, const char *const *kernels, size_t n_kernels,
		  const char *target, char **bytes, size_t *len)
{
  static const char *const headers[] = { pg_cuda_prelude }, *const header_names[] = { "prelude.cuh" };
  void *program;
  *bytes = NULL;
  free (nvrtc->log);
  nvrtc->log = NULL;
  enum pg_nvrtc_status status = check_arguments (nvrtc, kernels, n_kernels, target);
  if (status != PG_NVRTC_OK)
    return status;
  int result = nvrtc->CreateProgram (&program, text, "kernels.cu", 1, headers, header_names);
  if (result != RESULT_OK)
    return compile_failed (nvrtc, result, target);
  status = compile_program (nvrtc, program, kernels, n_kernels, target);
  if (status == PG_NVRTC_OK)
    status = take_bytes (nvrtc, program, target, bytes, len);
  nvrtc->DestroyProgram (&program);
  return status;
}
