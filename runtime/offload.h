/* SPDX-License-Identifier: MIT
   An entry on a device and nowhere else: the caller waits.  If the device cannot run it, nothing was changed; if
   iterations conflict, the loop runs in order here.  */
#ifndef PARAGON_OFFLOAD_H
#define PARAGON_OFFLOAD_H

#include "speculate.h"

/* Run the rest of ENTRY on the device, if that takes MOST_NS at most, as far as is known.  *SPEC is the region's, NULL
   at first; it is kept for good, and ROW its row in the statistics; *BOUNDS is its inspector for bounds.  Other results
   than PG_OFFLOAD_RAN and PG_OFFLOAD_CONFLICT leave the entry as it was.  */
enum pg_offloaded pg_offload_run (struct pg_speculation **spec, struct pg_inspector **bounds, struct pg_row *row,
				  struct pg_entry *entry, int64_t most_ns);

/* Take note in ENTRY that the iterations up to POINT are those that SPEC's device ran.  */
void pg_offload_note (struct pg_entry *entry, const struct pg_speculation *spec, int64_t point);

#endif
