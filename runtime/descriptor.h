/* SPDX-License-Identifier: MIT
   Descriptors: from a region to the bytes that an object has of it, and back.

   The plugin packs a region, the runtime unpacks it once.  Behind a number, of its bytes, is what is packed:

       region	  WHAT REASON LINE ARGS-LEN FRAME-LEN LENGTH... FUNCTION
		  NODE... DIM... CHECK... REF... REDUCTION... LIVE-IN... LIVE-OUT... WORK-ARRAY... KERNEL
       node	  KIND		VALUE of a constant, OFFSET of an argument, or two operands
       dim	  OUTER FORM	dimension 0 is the same everywhere, and left out
       check	  KIND FORM
       ref	  KIND PLACE	[RARE] [GROUP] [LEN] [FORM]
       reduction  KIND PLACE	END of one that is carried, LEADER of one that follows another
       field	  LEN-CODE	[LEN] OFFSET
       work array OFFSET GROUP
       form	  MEMBERS	a node for each

     WHAT	the class, << 1 the region's flags, << 8 a bit for each of the other tables, in their order:
		it is not empty, and has a LENGTH; << 16 one less than the number of dimensions
     FUNCTION	its name up to a zero
     KIND	of nodes: the operation, << 3 the logarithm of the size, << 5 whether there is a sign
		of checks: the dimension, << 5 the logarithm of the size in bytes, << 7 whether there is a sign
		of references: the flags but PG_REF_USUAL and PG_REF_OWN, 64 if there is RARE, 128 if there is FORM
		of reductions: the operation, << 4 the type
     OUTER	the dimension's parent, << 5 its flags
     PLACE	of references: a LEN-CODE, << 3 where the group is from: 0, it is that of the reference before; 1, it
		is one more than all before; 2, GROUP; << 5 the dimension
		of reductions: 1 if it is carried, << 1 the offset
     RARE	1 for PG_REF_USUAL, 2 for PG_REF_OWN, << 2 the level
     LEN-CODE	the logarithm of the length, or 7: LEN says it
     MEMBERS	1 for the base, 2 << d for the coefficient of dimension d
     KERNEL	all that is left

   KIND, OUTER and the LEN-CODE of fields are a byte each.  All else are numbers: seven bits a byte,
   the lower ones first, the eighth set if more bytes follow; VALUE and GROUP, which may be negative, as 2n, or as
   -2n - 1.

       12: f (n, a, c) { for (i = 0; i < n; i++) c[i] = a[i]; }, possibly parallel as they are pointers

	 what, reason, line, lengths of args, frame	91 0a  01  0c  18 20
	 lengths of nodes, refs; "f"					03 02  66 00
	 nodes: a, c at args + 0 and 8; 8		19 00  19 08  00 10
	 refs: read a + 8 i, write c + 8 i		85 0b 03 00 02	86 0b 03 01 02  */
#ifndef PARAGON_DESCRIPTOR_H
#define PARAGON_DESCRIPTOR_H

#include "paragon_region.h"

#include <stdbool.h>

enum
{
  PG_PACKED_FLAGS = 1, /* where parts of WHAT begin */
  PG_PACKED_TABLES = 8,
  PG_PACKED_DIMS = 16,
  PG_PACKED_DIM_BITS = 5, /* of the number of a dimension */
  PG_PACKED_RARE = 64,    /* of a reference's KIND */
  PG_PACKED_FORM = 128,
  PG_PACKED_LEN_MOST = 5,
  PG_PACKED_LEN = 7, /* the LEN-CODE */
  PG_PACKED_SAME_GROUP = 0,
  PG_PACKED_NEXT_GROUP = 1,
  PG_PACKED_GROUP = 2
};

/* What is OFFSET bytes behind DESCRIPTOR, or NULL.  */
static inline void *
pg_descriptor_at (const struct pg_descriptor *descriptor, int32_t offset)
{
  return offset == 0 ? NULL : (char *) descriptor + offset;
}

/* The bytes that DESCRIPTOR's region is packed into, *LEN of them; NULL if there are none.  */
const unsigned char *pg_descriptor_packed (const struct pg_descriptor *descriptor, uint32_t *len);

/* Put LEN before what is packed: into BYTES, where there is room for PG_PACKED_LEN_MOST.  Return how many it takes.  */
size_t pg_descriptor_pack_len (unsigned char *bytes, uint32_t len);

/* Pack REGION into BYTES, as much of it as fits in LEN; return how many bytes all of it takes.  Names of files and
   functions of the program are not packed.  */
size_t pg_descriptor_pack (const struct pg_region *region, unsigned char *bytes, size_t len);

/* Set REGION to what DESCRIPTOR says, without tables, of which there are only the lengths.  Keeps pointers into the
   object.  False: what is packed is not a region.  */
bool pg_descriptor_begin (struct pg_region *region, const struct pg_descriptor *descriptor);

/* The bytes of REGION's tables.  */
size_t pg_descriptor_tables_len (const struct pg_region *region);

/* Set REGION to what DESCRIPTOR says.  Its tables are put into ROOM, aligned to 8; keeps pointers to PACKED, what is
   packed or a copy of it.  False: what is packed is not a region.  Requires: pg_descriptor_begin was true.  */
bool pg_descriptor_unpack (struct pg_region *region, const struct pg_descriptor *descriptor,
			   const unsigned char *packed, void *room);

#endif
