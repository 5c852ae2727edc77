/* SPDX-License-Identifier: MIT
   What entries cost on a device, from one run of a program to the next (PARAGON_CACHE).

   All costs on a device of that name, with that driver, on this machine, are one entry of the cache (cache.h): the
   device's, and a row for each loop, of whichever program.  It is read when the device is opened, so a program's first
   long loop is still a race, and the second one is planned by what it cost in earlier runs.  It is written when the
   program ends.  A wrong value costs what a wrong measurement costs (device-costs.h).  */
#ifndef PARAGON_DEVICE_HINTS_H
#define PARAGON_DEVICE_HINTS_H

#include "costs.h"
#include "device-costs.h"
#include "device.h"

/* Read what was kept about DEVICE, just opened, if the user asked for a cache.  Threads: the device's user.  */
void pg_device_hints_read (struct pg_device *device);

/* Give COSTS, of which nothing is known, what was kept for KEY's loop.  Threads: the device's user.  */
void pg_device_hints_give (struct pg_costs_key key, struct pg_loop_costs *costs);

/* Write what is known.  Called when the program ends, and the device was closed.  */
void pg_device_hints_write (void);

#endif
