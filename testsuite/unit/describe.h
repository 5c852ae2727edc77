/* SPDX-License-Identifier: MIT
   Descriptors of regions that are written by hand.  */
#ifndef PARAGON_TEST_DESCRIBE_H
#define PARAGON_TEST_DESCRIBE_H

#include "descriptor.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes ADDRESS, which is in the same object, is behind DESCRIPTOR; 0 for a null pointer.  */
static int32_t
offset_of (const struct pg_descriptor *descriptor, uintptr_t address)
{
  return address == 0 ? 0 : (int32_t) (address - (uintptr_t) descriptor);
}

/* Have DESCRIPTOR's region be in the LEN bytes from PACKED on.  Their number is put before them.  */
static void
set_packed (struct pg_descriptor *descriptor, unsigned char *packed, uint32_t len)
{
  unsigned char number[PG_PACKED_LEN_MOST];
  size_t n = pg_descriptor_pack_len (number, len);
  memcpy (packed - n, number, n);
  descriptor->packed = offset_of (descriptor, (uintptr_t) packed - n);
}

/* Say that DESCRIPTOR has the other function OTHER, which FLAG stands for, unless it is null.  */
static void
add_other (struct pg_descriptor *descriptor, enum pg_descriptor_flags flag, pg_loop_fn *other, int *n)
{
  if (other == NULL)
    return;
  descriptor->flags |= (uint16_t) flag;
  descriptor->others[(*n)++] = offset_of (descriptor, (uintptr_t) other);
}

/* Make DESCRIPTOR that of REGION, which is packed into ROOM of LEN bytes: PG_PACKED_LEN_MOST more than it takes at
   least.  All is in one object.  */
static void
describe (struct pg_descriptor *descriptor, const struct pg_region *region, unsigned char *room, size_t len)
{
  *descriptor = (struct pg_descriptor) { .abi = PG_ABI_VERSION, .body = region->body };
  unsigned char *packed = room + PG_PACKED_LEN_MOST;
  size_t packed_len = pg_descriptor_pack (region, packed, len - PG_PACKED_LEN_MOST);
  int n_others = 0;
  if (packed_len > len - PG_PACKED_LEN_MOST)
    abort ();
  set_packed (descriptor, packed, (uint32_t) packed_len);
  descriptor->file = offset_of (descriptor, (uintptr_t) region->file);
  add_other (descriptor, PG_DESCRIPTOR_TALLY, region->tally, &n_others);
  add_other (descriptor, PG_DESCRIPTOR_NOALIAS, region->body_noalias, &n_others);
  add_other (descriptor, PG_DESCRIPTOR_MONITOR, region->monitor, &n_others);
  add_other (descriptor, PG_DESCRIPTOR_DOACROSS, region->doacross, &n_others);
  add_other (descriptor, PG_DESCRIPTOR_FREE_PART, region->free_part, &n_others);
  add_other (descriptor, PG_DESCRIPTOR_ORDERED_PART, region->ordered_part, &n_others);
}

#endif
