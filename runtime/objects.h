/* SPDX-License-Identifier: MIT
   Objects: what of the program's memory a kernel may access, and its copy on a device.

   Each base of a kernel (kir/rebase.h) has a span of memory in which all accesses by it lie: where the entry's numbers
   say where an access is (footprint.h), so far; elsewhere the whole mapping that the pointer points into.  Spans that
   have bytes in common are one object, so that memory that is shared stays shared.

   A device's writes are told from others by what was there before: after each chunk of iterations, the bytes that
   differ from those of before the chunk are noted, and exactly those are written back in the end.  What the program's
   other threads write meanwhile, elsewhere in an object, stays.  It is not enough to look at the end: the host may have
   run the first iterations, and a later one may change a byte back.  */
#ifndef PARAGON_OBJECTS_H
#define PARAGON_OBJECTS_H

#include "device.h"
#include "footprint.h"

#include "kir/rebase.h"

/* Bytes [LOW, END) of the program.  */
struct pg_object
{
  uint64_t low, end;
  uint64_t there;           /* where the device has them; as far from a multiple of 4096 as here */
  uint64_t block;           /* the device's memory that they lie in; 0: none */
  bool is_read, is_written; /* perhaps */
  char *staged;             /* the bytes as they were, then as the last chunk left them */
  char *fresh;              /* room for what the next one leaves, if IS_WRITTEN */
  uint8_t *changed;         /* for 8 bytes each, a bit for those that a chunk changed, if IS_WRITTEN */
};

struct pg_objects
{
  uint32_t n;
  struct pg_object objects[PG_KIR_MOST_BASES];
  uint8_t of_base[PG_KIR_MOST_BASES]; /* the object of each base; PG_KIR_MOST_BASES: it is not accessed by */
};

enum pg_objects_status
{
  PG_OBJECTS_OK,
  PG_OBJECTS_UNKNOWN,   /* where a base's object begins and ends, or what is in it */
  PG_OBJECTS_NO_MEMORY, /* here or there */
  PG_OBJECTS_LOST       /* the device */
};

/* Find the objects of an entry with VIEW of a kernel with BASES and USES, N_REFS of them.  */
enum pg_objects_status pg_objects_find (struct pg_objects *objects, const struct pg_view *view,
					const struct pg_kir_bases *bases, const struct pg_kir_use *uses,
					uint32_t n_refs);

/* Copy OBJECTS to DEVICE.  */
enum pg_objects_status pg_objects_put (struct pg_objects *objects, struct pg_device *device);

/* After a chunk: copy what the device may have written back here, but not yet where it belongs.  */
enum pg_objects_status pg_objects_take (struct pg_objects *objects, struct pg_device *device);

/* Write what the chunks have written up to the last pg_objects_take that did not fail.  Cannot fail.  */
void pg_objects_commit (const struct pg_objects *objects);

/* Give back all memory of OBJECTS, here and on DEVICE.  They may be put again.  */
void pg_objects_drop (struct pg_objects *objects, struct pg_device *device);

#endif
