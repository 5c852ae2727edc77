/* SPDX-License-Identifier: MIT
   How a monitor logs what it touches.  */
#ifndef MONITOR_LOG_H
#define MONITOR_LOG_H

#include "paragon_region.h"

/* Log that REF touches ADDRESS in MONITOR's iteration, if that is wanted.  */
static inline void
log_touch (struct pg_monitor *monitor, int64_t ref, const void *address)
{
  struct pg_log_entry **next = &monitor->next[ref];
  if (*next == NULL)
    return;
  *(*next)++ = (struct pg_log_entry) { address, monitor->iter };
  if ((uintptr_t) *next % PG_LOG_LEN == 0)
    monitor->drain (monitor, ref);
}

#endif
