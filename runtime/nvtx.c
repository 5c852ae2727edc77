/* SPDX-License-Identifier: MIT
   Ranges for a profiler.  See nvtx.h.

   The library's InitializeInjectionNvtx2 is called with a function that gives export tables by number: one with the
   version, one with a function that gives the table of a module.  A module's table has pointers to where its functions
   are, by number, from 1 on.  All modules are there, because a profiler may take one that is missing for a sign that
   something is wrong; only what is used here is ever called.  */
#include "nvtx.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum
{
  VERSION = 3,
  EXPORT_MODULES = 1,
  EXPORT_VERSION = 3,
  MODULE_CORE = 1,
  N_MODULES = 7,
  CORE_MARK = 2,
  CORE_PUSH = 9,
  CORE_POP = 11,
  MOST_FUNCTIONS = 16
};

typedef void function (void);

/* By module: core, CUDA, OpenCL, CUDA's run time, domains, synchronisation.  */
static const int n_functions[N_MODULES] = { 0, 16, 9, 15, 7, 16, 7 };
static function *functions[N_MODULES][MOST_FUNCTIONS];
static function **tables[N_MODULES][MOST_FUNCTIONS + 1];

static int
get_table (int module, function ****table, unsigned *len)
{
  if (module <= 0 || module >= N_MODULES)
    return 0;
  for (int f = 1; f < n_functions[module]; f++)
    tables[module][f] = &functions[module][f];
  if (table != NULL)
    *table = tables[module];
  if (len != NULL)
    *len = (unsigned) (((size_t) n_functions[module] + 1) * sizeof *tables[module]);
  return 1;
}

/* The profiler may tell its own version.  */
static void
set_version (uint32_t version)
{
  (void) version;
}

static const void *
get_export (uint32_t number)
{
  static const struct
  {
    size_t len;
    int (*get_table) (int module, function ****table, unsigned *len);
  } modules = { sizeof modules, get_table };
  static const struct
  {
    size_t len;
    uint32_t version, unused;
    void (*set_version) (uint32_t version);
  } version = { sizeof version, VERSION, 0, set_version };
  return number == EXPORT_MODULES ? (const void *) &modules : number == EXPORT_VERSION ? (const void *) &version : NULL;
}

bool
pg_nvtx_open (void)
{
  typedef int start (const void *(*get) (uint32_t number));
  const char *path = getenv ("NVTX_INJECTION64_PATH");
  void *library = path == NULL || *path == '\0' ? NULL : dlopen (path, RTLD_LAZY);
  if (library == NULL)
    return false;
  start *initialize = (start *) dlsym (library, "InitializeInjectionNvtx2");
  if (initialize != NULL && initialize (get_export) != 0)
    return functions[MODULE_CORE][CORE_PUSH] != NULL && functions[MODULE_CORE][CORE_POP] != NULL;
  dlclose (library);
  return false;
}

void
pg_nvtx_push (const char *text)
{
  ((int (*) (const char *)) functions[MODULE_CORE][CORE_PUSH]) (text);
}

void
pg_nvtx_pop (void)
{
  ((int (*) (void)) functions[MODULE_CORE][CORE_POP]) ();
}

void
pg_nvtx_mark (const char *text)
{
  if (functions[MODULE_CORE][CORE_MARK] != NULL)
    ((void (*) (const char *)) functions[MODULE_CORE][CORE_MARK]) (text);
}
