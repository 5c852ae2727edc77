/* SPDX-License-Identifier: MIT
   What a device does, in the trace.  See trace-device.h.

   A kernel's event lasts from its launch until somebody has waited for it, or until the next one is launched.  */
#include "trace-device.h"
#include "kernels.h"
#include "trace.h"

#include <string.h>

static const struct pg_device_ops *backend;

/* The event of the kernel that was launched last, if it lasts.  The device's user's.  */
static struct
{
  bool lasts;
  enum pg_trace_kind kind;
  int64_t start;
  struct pg_trace_facts facts;
} launched;

static enum pg_device_status
copy_in (struct pg_device *device, uint64_t to, const void *from, size_t len)
{
  int64_t start = pg_trace_begin (PG_TRACE_COPY_IN, NULL);
  enum pg_device_status status = backend->copy_in (device, to, from, len);
  PG_TRACE (COPY_IN, start, NULL, .numbers = { (int64_t) len });
  return status;
}

static enum pg_device_status
copy_out (struct pg_device *device, void *to, uint64_t from, size_t len)
{
  int64_t start = pg_trace_begin (PG_TRACE_COPY_OUT, NULL);
  enum pg_device_status status = backend->copy_out (device, to, from, len);
  PG_TRACE (COPY_OUT, start, NULL, .numbers = { (int64_t) len });
  return status;
}

static enum pg_device_status
set (struct pg_device *device, uint64_t to, int byte, size_t len)
{
  int64_t start = pg_trace_begin (PG_TRACE_CLEAR, NULL);
  enum pg_device_status status = backend->set (device, to, byte, len);
  PG_TRACE (CLEAR, start, NULL, .numbers = { (int64_t) len });
  return status;
}

static enum pg_device_status
compile (struct pg_device *device, const struct pg_device_kernel *kernels, size_t n_kernels, struct pg_module **module)
{
  int64_t start = pg_trace_begin (PG_TRACE_COMPILE, NULL);
  enum pg_device_status status = backend->compile (device, kernels, n_kernels, module);
  PG_TRACE (COMPILE, start, NULL, .numbers = { (int64_t) n_kernels });
  return status;
}

static void
begin_kernel (const struct pg_device_launch *launch)
{
  bool is_check = strcmp (launch->name, pg_role_name (PG_ROLE_SECOND)) == 0;
  launched.kind = is_check ? PG_TRACE_CHECK_KERNEL : PG_TRACE_KERNEL;
  launched.facts
    = (struct pg_trace_facts) { .numbers = { launch->n_blocks, launch->n_threads }, .words = { launch->name } };
  launched.lasts = true;
  launched.start = pg_trace_begin (launched.kind, NULL);
}

static void
end_kernel (void)
{
  if (launched.lasts)
    pg_trace_add (launched.kind, launched.start, NULL, &launched.facts);
  launched.lasts = false;
}

static enum pg_device_status
launch (struct pg_device *device, struct pg_module *module, const struct pg_device_launch *launch)
{
  end_kernel ();
  begin_kernel (launch);
  enum pg_device_status status = backend->launch (device, module, launch);
  if (status != PG_DEVICE_OK)
    end_kernel ();
  return status;
}

static enum pg_device_status
wait_for_all (struct pg_device *device)
{
  enum pg_device_status status = backend->wait (device);
  end_kernel ();
  return status;
}

const struct pg_device_ops *
pg_trace_device (const struct pg_device_ops *ops)
{
  static struct pg_device_ops traced;
  if (!pg_trace_is_on)
    return ops;
  launched.lasts = false;
  backend = ops;
  traced = *ops;
  traced.copy_in = copy_in;
  traced.copy_out = copy_out;
  traced.set = set;
  traced.compile = compile;
  traced.launch = launch;
  traced.wait = wait_for_all;
  return &traced;
}
