/* SPDX-License-Identifier: MIT
   The process's device.  See device.h.  */
#include "device.h"
#include "device-costs.h"
#include "device-hints.h"
#include "environment.h"
#include "log.h"
#include "mirrors.h"
#include "trace-device.h"

#include <stdatomic.h>
#include <unistd.h>

/* In the order of PARAGON_DEVICE's values, the first being none.  */
static const struct pg_device_ops *const backends[] = { NULL, &pg_device_emu, &pg_device_cuda };

static struct
{
  atomic_flag is_taken;
  struct pg_device *opened;
  bool has_failed; /* it is not tried again */
  pid_t first;     /* the process that began, 0: none; its children do not say again what it has said */
} device = { .is_taken = ATOMIC_FLAG_INIT };

/* Open the device, if it is not open.  */
static void
open_once (const struct pg_device_ops *ops)
{
  char why[PG_DEVICE_TEXT_LEN] = "";
  if (device.opened != NULL || device.has_failed)
    return;
  device.has_failed = ops->open (&device.opened, why) != PG_DEVICE_OK;
  if (device.has_failed)
    device.opened = NULL;
  else
    {
      device.opened->ops = pg_trace_device (ops);
      pg_device_hints_read (device.opened);
    }
  if (device.first == 0)
    device.first = getpid ();
  if (*why == '\0')
    return;
  if (device.first == getpid ())
    pg_log_say ("device %s: %s", ops->name, why);
  else
    PG_LOG (CHECK, "device %s: %s", ops->name, why);
}

struct pg_device *
pg_device_take (void)
{
  const struct pg_device_ops *ops = backends[pg_environment.device];
  if (ops == NULL || atomic_flag_test_and_set_explicit (&device.is_taken, memory_order_acquire))
    return NULL;
  open_once (ops);
  if (device.opened == NULL)
    atomic_flag_clear_explicit (&device.is_taken, memory_order_release);
  return device.opened;
}

void
pg_device_leave (struct pg_device *taken)
{
  (void) taken;
  atomic_flag_clear_explicit (&device.is_taken, memory_order_release);
}

void
pg_device_close (void)
{
  if (device.opened != NULL && !atomic_flag_test_and_set_explicit (&device.is_taken, memory_order_acquire))
    {
      pg_mirrors_drop (device.opened);
      device.opened->ops->close (device.opened);
    }
}

void
pg_device_forget (void)
{
  pg_mirrors_forget ();
  pg_device_costs_forget ();
  device.opened = NULL;
  device.has_failed = false;
  atomic_flag_clear_explicit (&device.is_taken, memory_order_release);
}
