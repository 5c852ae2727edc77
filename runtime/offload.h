/* SPDX-License-Identifier: MIT
   An entry on a device: speculation, step L4 of the check ladder.  Paragon paper, s3, s4.3.

     find	the kernel's objects (objects.h), and which references may conflict	view, by numbers
     choose	the method, what threads are for (shape.h), and the kernels (kernels.h)
     put	objects and logs on the device
     run	the method's kernels
     judge	read the verdict
     commit	write back what the loop has written; or drop it, and the loop runs in order here  */
#ifndef PARAGON_OFFLOAD_H
#define PARAGON_OFFLOAD_H

#include "entry.h"

struct pg_offload;

/* Run the rest of ENTRY on the device.  *OFFLOAD is the region's, NULL at first; it is kept for good.  Other results
   than PG_OFFLOAD_RAN and PG_OFFLOAD_CONFLICT leave the entry as it was.  */
enum pg_offloaded pg_offload_run (struct pg_offload **offload, struct pg_entry *entry);

#endif
