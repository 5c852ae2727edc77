/* SPDX-License-Identifier: MIT
   Kernels on a GPU.

       kernels --- device-text.h ---> text --- NVRTC, or the cache (compile.h) ---> bytes for this GPU --- driver --->
       functions

   A GPU that is newer than NVRTC gets PTX for an old one, which the driver compiles.  Compilers want a large stack,
   which the program's thread may not have: they run on a thread of their own.  */
#include "device-cuda.h"
#include "device-text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_KERNELS = 16, /* of a module */
  NAME_LEN = 64,     /* of a kernel, with its 0 */
  LOG_LEN = 2048
};

#define STACK_LEN ((size_t) 16 << 20)

/* Of the driver: options.  */
enum
{
  ERROR_LOG_BUFFER = 5,
  ERROR_LOG_BUFFER_LEN = 6
};

struct pg_module
{
  struct pg_module *next; /* of the device's */
  void *handle;
  size_t n;
  char names[MOST_KERNELS][NAME_LEN];
  void *functions[MOST_KERNELS];
};

/* Open NVRTC and the cache, once.  */
static void
begin_compiling (struct pg_cuda *cuda)
{
  char folder[PG_CACHE_PATH_LEN], no_cache[PG_CACHE_TEXT_LEN];
  struct pg_cache_setup setup;
  if (cuda->has_begun_compiling)
    return;
  cuda->has_begun_compiling = true;
  if (pg_nvrtc_open (NULL, &cuda->nvrtc, cuda->no_nvrtc) == PG_NVRTC_OK && pg_cache_defaults (&setup, folder))
    cuda->cache = pg_cache_open (&setup, no_cache);
}

/* Compile TEXT for CUDA's GPU.  Ownership: *BYTES is the caller's, from malloc.  */
static enum pg_device_status
compile_text (struct pg_cuda *cuda, const char *text, const char *const *names, size_t n, char **bytes)
{
  char target[32];
  size_t len;
  snprintf (target, sizeof target, "sm_%u", cuda->capability);
  enum pg_nvrtc_status status = pg_cuda_compile (cuda->nvrtc, cuda->cache, text, names, n, target, bytes, &len);
  if (status == PG_NVRTC_NO_TARGET)
    status = pg_cuda_compile (cuda->nvrtc, cuda->cache, text, names, n, "compute_75", bytes, &len);
  if (status == PG_NVRTC_OK)
    return PG_DEVICE_OK;
  return pg_cuda_failed (cuda, status == PG_NVRTC_NO_MEMORY ? PG_DEVICE_NO_MEMORY : PG_DEVICE_NOT_COMPILED, "%s",
			 pg_nvrtc_message (cuda->nvrtc));
}

/* Make MODULE of BYTES.  Entered.  */
static enum pg_device_status
load (struct pg_cuda *cuda, const char *bytes, struct pg_module *module)
{
  char log[LOG_LEN] = "";
  int options[] = { ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_LEN };
  void *values[] = { log, (void *) (uintptr_t) sizeof log };
  enum pg_device_status status = PG_CUDA_CALL (cuda, ModuleLoadDataEx, &module->handle, bytes, 2, options, values);
  size_t said = strlen (cuda->message);
  log[LOG_LEN - 1] = '\0';
  if (status != PG_DEVICE_OK && *log != '\0')
    snprintf (cuda->message + said, sizeof cuda->message - said, ": %.*s", (int) strcspn (log, "\n"), log);
  for (size_t k = 0; k < module->n && status == PG_DEVICE_OK; k++)
    status = PG_CUDA_CALL (cuda, ModuleGetFunction, &module->functions[k], module->handle, module->names[k]);
  return status;
}

/* Give MODULE back; it may have no handle yet.  */
static void
end_module (struct pg_cuda *cuda, struct pg_module *module, bool is_entered)
{
  if (module->handle != NULL && is_entered)
    cuda->driver.ModuleUnload (module->handle);
  free (module);
}

/* Load BYTES, which have kernels NAMES, as *LOADED.  */
static enum pg_device_status
load_module (struct pg_cuda *cuda, const char *bytes, const char *const *names, size_t n, struct pg_module **loaded)
{
  struct pg_module *module = calloc (1, sizeof *module);
  if (module == NULL)
    return pg_cuda_failed (cuda, PG_DEVICE_NO_MEMORY, "no memory");
  module->n = n;
  for (size_t k = 0; k < n; k++)
    snprintf (module->names[k], NAME_LEN, "%s", names[k]);
  enum pg_device_status status = pg_cuda_enter (cuda);
  bool is_entered = status == PG_DEVICE_OK;
  if (is_entered)
    status = load (cuda, bytes, module);
  if (status == PG_DEVICE_OK)
    {
      module->next = cuda->modules;
      *loaded = cuda->modules = module;
    }
  else
    end_module (cuda, module, is_entered);
  return is_entered ? pg_cuda_leave (cuda, status) : status;
}

/* Write the names of KERNELS to NAMES.  False: there is no room for them in a module.  */
static bool
take_names (const struct pg_device_kernel *kernels, size_t n_kernels, const char **names)
{
  if (n_kernels > MOST_KERNELS)
    return false;
  for (size_t k = 0; k < n_kernels; k++)
    {
      names[k] = kernels[k].name;
      if (strlen (names[k]) >= NAME_LEN)
	return false;
    }
  return true;
}

/* What the thread is to do.  */
struct job
{
  struct pg_cuda *cuda;
  const struct pg_device_kernel *kernels;
  size_t n_kernels;
  struct pg_module **module;
  enum pg_device_status status;
};

/* Compile and load the kernels of JOB.  */
static enum pg_device_status
compile_module (const struct job *job)
{
  struct pg_cuda *cuda = job->cuda;
  const char *names[MOST_KERNELS];
  char *bytes;
  if (!take_names (job->kernels, job->n_kernels, names))
    return pg_cuda_failed (cuda, PG_DEVICE_NOT_COMPILED, "too many kernels, or too long names");
  begin_compiling (cuda);
  if (cuda->nvrtc == NULL)
    return pg_cuda_failed (cuda, PG_DEVICE_NOT_COMPILED, "%s", cuda->no_nvrtc);
  char *text = pg_cuda_text (job->kernels, job->n_kernels);
  if (text == NULL)
    return pg_cuda_failed (cuda, PG_DEVICE_NO_MEMORY, "no memory");
  enum pg_device_status status = compile_text (cuda, text, names, job->n_kernels, &bytes);
  free (text);
  if (status != PG_DEVICE_OK)
    return status;
  status = load_module (cuda, bytes, names, job->n_kernels, job->module);
  free (bytes);
  return status;
}

static void *
run_job (void *data)
{
  struct job *job = data;
  fesetenv (FE_DFL_ENV); /* not that of the thread that began this one */
  job->status = compile_module (job);
  return NULL;
}

enum pg_device_status
pg_cuda_compile_module (struct pg_device *device, const struct pg_device_kernel *kernels, size_t n_kernels,
			struct pg_module **module)
{
  struct job job = { .cuda = (struct pg_cuda *) device, .kernels = kernels, .n_kernels = n_kernels, .module = module };
  pthread_attr_t attributes;
  pthread_t thread;
  if (job.cuda->is_lost)
    return PG_DEVICE_LOST;
  if (pthread_attr_init (&attributes) != 0)
    return pg_cuda_failed (job.cuda, PG_DEVICE_NO_MEMORY, "no memory");
  bool has_thread = pthread_attr_setstacksize (&attributes, STACK_LEN) == 0
		    && pthread_create (&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy (&attributes);
  if (!has_thread)
    return pg_cuda_failed (job.cuda, PG_DEVICE_NO_MEMORY, "no thread to compile kernels on");
  pthread_join (thread, NULL);
  return job.status;
}

void *
pg_cuda_function (const struct pg_module *module, const char *name)
{
  for (size_t k = 0; k < module->n; k++)
    if (strcmp (module->names[k], name) == 0)
      return module->functions[k];
  return NULL;
}

void
pg_cuda_end_modules (struct pg_cuda *cuda, bool is_entered)
{
  while (cuda->modules != NULL)
    {
      struct pg_module *module = cuda->modules;
      cuda->modules = module->next;
      end_module (cuda, module, is_entered);
    }
}
