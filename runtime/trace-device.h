/* SPDX-License-Identifier: MIT
   What a device does, in the trace.  */
#ifndef PARAGON_TRACE_DEVICE_H
#define PARAGON_TRACE_DEVICE_H

#include "device.h"

/* The operations of OPS, traced; OPS itself if there is no trace.  Keeps a pointer to OPS, and to the names of kernels.
   Threads: the device's user; there is one device.  */
const struct pg_device_ops *pg_trace_device (const struct pg_device_ops *ops);

#endif
