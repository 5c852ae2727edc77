/* SPDX-License-Identifier: MIT
   Objects: what of the program's memory a kernel may access, and its copy on a device.

   Each base of a kernel (kir/rebase.h) has a span of memory in which all accesses by it lie: where the entry's numbers
   say where an access is (footprint.h), or the monitor does (bounds.h), so far; elsewhere the whole mapping that the
   pointer points into, which may be all of the heap.  Spans that have bytes in common are one object, so that memory
   that is shared stays shared.

   A device's writes are told from others by what was there before: after each chunk of iterations, the bytes that
   differ from those of before the chunk are noted, and exactly those are written back in the end.  What the program's
   other threads write meanwhile, elsewhere in an object, stays.  It is not enough to look at the end: the host may have
   run the first iterations, and a later one may change a byte back.  */
#ifndef PARAGON_OBJECTS_H
#define PARAGON_OBJECTS_H

#include "device.h"
#include "footprint.h"
#include "mirrors.h"

#include "kir/rebase.h"

/* Bytes [LOW, END) of the program.  */
struct pg_object
{
  uint64_t low, end;
  bool is_read, is_written; /* perhaps */
  uint8_t grain;            /* 4, 8: if one of so many bytes, from LOW on, is changed, all were written; else 1 or 0 */
  struct pg_mirror *mirror; /* on the device, and what it has there, as of the last pg_objects_take; NULL: not put */
  struct pg_mirror_room room; /* for what the next chunk leaves, and what chunks changed, if IS_WRITTEN */
  bool is_spoilt;             /* the device has other bytes than MIRROR says */
};

/* Where the device has OBJECT, which is put.  */
static inline uint64_t
pg_object_there (const struct pg_object *object)
{
  return object->mirror->there + (object->low - object->mirror->low);
}

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

/* May accesses with uses A and B of a kernel with BASES have a byte in common?  */
bool pg_objects_meet (const struct pg_objects *objects, const struct pg_kir_bases *bases, const struct pg_kir_use *a,
		      const struct pg_kir_use *b);

/* Have room for OBJECTS, here and on DEVICE, and find out what of them it has.  */
enum pg_objects_status pg_objects_look (struct pg_objects *objects, struct pg_device *device);

/* Copy OBJECTS to DEVICE, as far as it does not have them; adds to *N_COPIED the bytes that were.  */
enum pg_objects_status pg_objects_put (struct pg_objects *objects, struct pg_device *device, int64_t *n_copied);

/* A chunk begins: until the next pg_objects_take, nobody knows what the device has.  */
void pg_objects_let_run (struct pg_objects *objects);

/* After a chunk: copy what the device may have written back here, but not yet where it belongs; adds to
   *N_COPIED the bytes that were.  */
enum pg_objects_status pg_objects_take (struct pg_objects *objects, struct pg_device *device, int64_t *n_copied);

/* Write what the chunks have written up to the last pg_objects_take that did not fail.  Cannot fail.  */
void pg_objects_commit (const struct pg_objects *objects);

/* Give back the memory of OBJECTS, but for mirrors that may be of use again.  IS_COMMITTED: what the chunks have
   written is in the program's memory.  They may be put again.  */
void pg_objects_drop (struct pg_objects *objects, struct pg_device *device, bool is_committed);

#endif
