/* SPDX-License-Identifier: MIT
   Descriptors of regions that are written by hand.  */
#ifndef PARAGON_TEST_DESCRIBE_H
#define PARAGON_TEST_DESCRIBE_H

#include "descriptor.h"

#include <stdlib.h>

/* How many bytes ADDRESS, which is in the same object, is behind DESCRIPTOR; 0 for a null pointer.  */
static int32_t
offset_of (const struct pg_descriptor *descriptor, uintptr_t address)
{
  return address == 0 ? 0 : (int32_t) (address - (uintptr_t) descriptor);
}

/* Make DESCRIPTOR that of REGION, which is packed into ROOM of LEN bytes.  All is in one object.  */
static void
describe (struct pg_descriptor *descriptor, const struct pg_region *region, unsigned char *room, size_t len)
{
  *descriptor = (struct pg_descriptor) { .abi = PG_ABI_VERSION, .body = region->body };
  descriptor->packed_len = (uint32_t) pg_descriptor_pack (region, room, len);
  if (descriptor->packed_len > len)
    abort ();
  descriptor->packed = offset_of (descriptor, (uintptr_t) room);
  descriptor->file = offset_of (descriptor, (uintptr_t) region->file);
  descriptor->body_noalias = offset_of (descriptor, (uintptr_t) region->body_noalias);
  descriptor->monitor = offset_of (descriptor, (uintptr_t) (region->tally ? region->tally : region->monitor));
  descriptor->flags = region->tally ? PG_DESCRIPTOR_TALLY : 0;
  descriptor->doacross = offset_of (descriptor, (uintptr_t) region->doacross);
}

#endif
