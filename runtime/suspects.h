/* SPDX-License-Identifier: MIT
   Suspects: the references of an entry that may conflict with each other, as far as its numbers tell, and what a
   speculative kernel is to note of them.  */
#ifndef PARAGON_SUSPECTS_H
#define PARAGON_SUSPECTS_H

#include "kernels.h"
#include "objects.h"

/* An array of the kernel's logs.  */
struct pg_suspect_array
{
  uint8_t object;
  bool is_noted; /* else only bounds are looked at */
  uint64_t len;  /* bytes, from a multiple of 64 on */
  uint64_t n_granules;
};

struct pg_suspects
{
  bool has_any;
  bool has_reads; /* a reference that only reads may conflict with one that writes */
  bool is_stable; /* what addresses and conditions come from is not among them */
  bool is_told;   /* by the entry's bounds, beyond its numbers, that some are none */
  uint32_t n_arrays;
  struct pg_suspect_array arrays[PG_KIR_MOST_BASES];
};

/* Find the suspects of an entry with VIEW of KERNELS; IS_OPEN, n_refs, says which references they are.  If VIEW has
   bounds, OBJECTS tell references apart: in its objects is all that one touches, and those that speak for it.
   IS_FORCED: take no notice of what numbers and objects settle.  */
void pg_suspects_find (struct pg_suspects *suspects, uint8_t *is_open, const struct pg_view *view,
		       const struct pg_kernels *kernels, const struct pg_objects *objects, bool is_forced);

/* Set WISH's method, FORCED if that may be, and arrays, those of SUSPECTS too.  False: memory that a reference goes to
   may be one or another object.  */
bool pg_suspects_note (struct pg_suspects *suspects, struct pg_wish *wish, enum pg_method forced,
		       const uint8_t *is_open, const struct pg_view *view, const struct pg_kernels *kernels,
		       const struct pg_objects *objects);

#endif
