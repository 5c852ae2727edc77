/* SPDX-License-Identifier: MIT
   Where the process has memory, as the kernel says.  */
#ifndef PARAGON_MAPPINGS_H
#define PARAGON_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Set [*LOW, *END) to the readable memory around ADDRESS: mappings of one protection without a gap between
   them.  False: it is in none.
   Reads /proc/self/maps; calls no malloc; keeps errno.  */
bool pg_mapping_find (uint64_t address, uint64_t *low, uint64_t *end);

/* The same by the file MAPS.  May change errno.  */
bool pg_mapping_find_in (const char *maps, uint64_t address, uint64_t *low, uint64_t *end);

#endif
