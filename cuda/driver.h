/* SPDX-License-Identifier: MIT
   CUDA's driver, opened when it is needed.  What is used of it is declared here, so that building needs no toolkit.  */
#ifndef PG_CUDA_DRIVER_H
#define PG_CUDA_DRIVER_H

#include "../runtime/device.h"

/* A CUresult.  */
enum
{
  PG_DRIVER_OK = 0,
  PG_DRIVER_NOT_READY = 600
};

struct pg_driver
{
#define PG_DRIVER_FUNCTION(name, version, parameters) int (*name) parameters;
#include "driver-functions.def"
};

/* Look up libcuda.so.1, which stays loaded.  False: there is none, or it is too old, and WHY of PG_DEVICE_TEXT_LEN
   bytes says so.  */
bool pg_driver_open (struct pg_driver *driver, char *why) __attribute__ ((warn_unused_result));

/* What RESULT means for the device.  */
enum pg_device_status pg_driver_status (int result);

/* Write what DRIVER says of RESULT of the call NAME into TEXT of PG_DEVICE_TEXT_LEN bytes.  */
void pg_driver_describe (const struct pg_driver *driver, const char *name, int result, char *text);

#endif
