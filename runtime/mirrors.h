/* SPDX-License-Identifier: MIT
   Mirrors: what a device has a copy of, from entry to entry, so that what nobody wrote need not be copied again.

   A mirror is of a span of memory that an entry used as an object; it serves all objects within that span, of the same
   entry, too: these have no byte in common.  The second time that a span is used, its pages are
   watched (watch.h); from the third on, only those are copied that were written meanwhile, by whomever.  What a commit
   has written, the device has, too; it is compared after the pages were protected again, as others may have written,
   too.  A span that is written again and again is not watched for long: each first write to a protected page costs the
   program something.

   Every commit is complete, so the program's memory is never out of date; a mirror may be, and is dropped at any time.

   Threads: who has taken the device.  */
#ifndef PARAGON_MIRRORS_H
#define PARAGON_MIRRORS_H

#include "device.h"
#include "watch.h"

/* Room for what a device leaves: bytes, and for 8 of them each, a bit for those that are others than before.  */
struct pg_mirror_room
{
  char *fresh;
  uint8_t *changed; /* or both NULL */
};

struct pg_mirror
{
  struct pg_mirror *next;
  uint64_t low, end; /* bytes of the program */
  uint64_t there;    /* where the device has them; as far from a multiple of 4096 as here */
  uint64_t block;    /* the device's memory that they lie in; 0: none */
  char *staged;      /* what the device has, as far as it is known here; or NULL, as BLOCK is 0 */
  struct pg_mirror_room room;
  bool is_room_taken;
  pg_tick *ticks; /* by part: since when both are equal, but for what is seen to be written; 0: they are not */
  uint64_t used;  /* the number of the last use */
  int n_uses, n_losses;
  int n_users;
};

/* Have *MIRROR of [LOW, END), and perhaps more, on DEVICE, until pg_mirror_leave.  PG_DEVICE_NO_MEMORY:
   here or there.  */
enum pg_device_status pg_mirror_use (struct pg_device *device, uint64_t low, uint64_t end, struct pg_mirror **mirror);

/* Have ROOM for [LOW, END) of MIRROR on DEVICE, nothing changed, until it is put; false: no memory.  The mirror keeps
   what serves all of it: to touch new memory takes longer than to copy to it.  */
bool pg_mirror_get_room (struct pg_mirror *mirror, struct pg_device *device, uint64_t low, uint64_t end,
			 struct pg_mirror_room *room);
void pg_mirror_put_room (struct pg_mirror *mirror, uint64_t low, uint64_t end, struct pg_mirror_room *room);

/* Find out what of [LOW, END) is not equal to the program's memory any more.  */
void pg_mirror_look (struct pg_mirror *mirror, uint64_t low, uint64_t end);

/* The bytes that a refresh would copy, after a look.  */
int64_t pg_mirror_missing (const struct pg_mirror *mirror, uint64_t low, uint64_t end);

/* Copy that to MIRROR and its STAGED; adds to *N_COPIED the bytes that DEVICE was given.  False: memory cannot be read,
   or *STATUS is not PG_DEVICE_OK.  */
bool pg_mirror_refresh (struct pg_mirror *mirror, uint64_t low, uint64_t end, struct pg_device *device,
			enum pg_device_status *status, int64_t *n_copied);

/* The device has written to [LOW, END), and what it has now is not known, or not the program's.  */
void pg_mirror_spoil (struct pg_mirror *mirror, uint64_t low, uint64_t end);

/* The bytes of [LOW, END) that CHANGED has a bit for are about to be written to the program's memory.  Their parts are
   not watched then, so that not each page costs a fault; it is for pg_mirror_settle to say that they are equal.  */
void pg_mirror_release (const struct pg_mirror *mirror, uint64_t low, uint64_t end, const uint8_t *changed);

/* The bytes of [LOW, END) that CHANGED has a bit for were written to the program's memory as STAGED has them, which is
   what the device has.  The program may go on.  */
void pg_mirror_settle (struct pg_mirror *mirror, uint64_t low, uint64_t end, const uint8_t *changed);

/* End the use.  Keeps memory for the next one, if there is anything in it or this was not the first use.  */
void pg_mirror_leave (struct pg_mirror *mirror, struct pg_device *device);

/* Drop all mirrors, of which none is in use.  */
void pg_mirrors_drop (struct pg_device *device);

/* In the child of a fork: mirrors are the parent's.  */
void pg_mirrors_forget (void);

/* Copy the LEN bytes at LOW of this process to TO.  False: not all of them can be read.  */
bool pg_mirror_read (char *to, uint64_t low, size_t len);

#endif
