/* SPDX-License-Identifier: MIT
   CUDA's driver.  See driver.h.  */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* CUresults that say more than that the device is lost.  */
enum
{
  RESULT_NO_MEMORY = 2,
  RESULT_BAD_IMAGE = 200,
  RESULT_NO_IMAGE = 209,
  RESULT_BAD_PTX = 218,
  RESULT_NO_PTX_COMPILER = 221,
  RESULT_NEW_PTX = 222,
  RESULT_NO_PTX = 223,
  RESULT_NOT_FOUND = 500,
  RESULT_BAD_ADDRESS = 700,
  RESULT_NO_RESOURCES = 701, /* of a launch: registers */
  RESULT_TIMEOUT = 702,
  RESULT_TRAP = 710,
  RESULT_BAD_STACK = 714,
  RESULT_BAD_INSTRUCTION = 715,
  RESULT_MISALIGNED = 716,
  RESULT_BAD_SPACE = 717,
  RESULT_BAD_COUNTER = 718,
  RESULT_LAUNCH_FAILED = 719
};

/* Symbols, in the order of struct pg_driver.  */
static const char symbols[][36] = {
#define PG_DRIVER_FUNCTION(name, version, parameters) "cu" #name version,
#include "driver-functions.def"
};

enum
{
  N_SYMBOLS = sizeof symbols / sizeof *symbols
};

_Static_assert(sizeof (struct pg_driver) == N_SYMBOLS * sizeof (void *), "a driver is its functions");

bool
pg_driver_open (struct pg_driver *driver, char *why)
{
  void *functions[N_SYMBOLS], *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  int n = 0;
  if (library == NULL)
    {
      snprintf (why, PG_DEVICE_TEXT_LEN, "no driver: libcuda.so.1 is not found");
      return false;
    }
  while (n < N_SYMBOLS && (functions[n] = dlsym (library, symbols[n])) != NULL)
    n++;
  dlclose (library);
  if (n < N_SYMBOLS)
    {
      snprintf (why, PG_DEVICE_TEXT_LEN, "the driver is older than CUDA 11.2: it lacks %.64s", symbols[n]);
      return false;
    }
  memcpy (driver, functions, sizeof *driver);
  return true;
}

enum pg_device_status
pg_driver_status (int result)
{
  switch (result)
    {
    case PG_DRIVER_OK:
      return PG_DEVICE_OK;
    case RESULT_NO_MEMORY:
    case RESULT_NO_RESOURCES:
      return PG_DEVICE_NO_MEMORY;
    case RESULT_BAD_IMAGE:
    case RESULT_NO_IMAGE:
    case RESULT_BAD_PTX:
    case RESULT_NO_PTX_COMPILER:
    case RESULT_NEW_PTX:
    case RESULT_NO_PTX:
    case RESULT_NOT_FOUND:
      return PG_DEVICE_NOT_COMPILED;
    case RESULT_BAD_ADDRESS:
    case RESULT_TRAP:
    case RESULT_BAD_STACK:
    case RESULT_BAD_INSTRUCTION:
    case RESULT_MISALIGNED:
    case RESULT_BAD_SPACE:
    case RESULT_BAD_COUNTER:
    case RESULT_LAUNCH_FAILED:
      return PG_DEVICE_FAULT;
    case RESULT_TIMEOUT:
      return PG_DEVICE_TIMEOUT;
    default:
      return PG_DEVICE_LOST;
    }
}

void
pg_driver_describe (const struct pg_driver *driver, const char *name, int result, char *text)
{
  const char *error, *meaning;
  if (driver->GetErrorName (result, &error) != PG_DRIVER_OK)
    error = "an error that has no name";
  if (driver->GetErrorString (result, &meaning) != PG_DRIVER_OK)
    meaning = "unknown";
  snprintf (text, PG_DEVICE_TEXT_LEN, "%s: %s, %s", name, error, meaning);
}
