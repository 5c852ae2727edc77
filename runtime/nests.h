/* SPDX-License-Identifier: MIT
   The nests of a region's kernel: which of its inner loops several threads may share, and what the kernel is with its
   nest collapsed.  */
#ifndef PARAGON_NESTS_H
#define PARAGON_NESTS_H

#include "shape.h"
#include "turns.h"

#include "kir/nest.h"

enum
{
  PG_MOST_NESTS = 4
};

struct pg_nest
{
  struct pg_kir_nest found;
  uint8_t *stands, *depths; /* behind each other; DEPTHS of loops that are spread only */
  bool is_refused[2];       /* teams were not to be had; by whether turns are free */
};

struct pg_nests
{
  uint32_t n_refs;
  uint32_t n;
  struct pg_nest nests[PG_MOST_NESTS];
  struct pg_nest spread; /* without STANDS: nothing can be */

  /* The kernel collapsed, without blocks if that cannot be, and the nest that became one loop.  */
  struct pg_kir_kernel collapsed;
  pg_kir_value n_turns;
  struct pg_nest perfect;
};

/* Find the nests of LOOP, verified, in loop form, of whose references the first N_REFS are the program's.  False: no
   memory, and NESTS is empty.  */
bool pg_nests_find (struct pg_nests *nests, const struct pg_kir_kernel *loop, uint32_t n_refs);

/* Give back what NESTS have.  */
void pg_nests_drop (struct pg_nests *nests);

/* Set in FACTS what depends on the inner loops, at an entry with VIEW and ARGS.  The nest that a team may share, NULL:
   there is none, and whether its turns ARE_FREE.  */
struct pg_nest *pg_nests_look (struct pg_nests *nests, const struct pg_view *view, const void *args,
			       struct pg_shape_facts *facts, bool *are_free);

#endif
