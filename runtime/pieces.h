/* SPDX-License-Identifier: MIT
   Step L1 of the check ladder, where only a few iterations meet others: an entry in pieces.

       for (i < n) a[i] = a[k] + b[i]	    [0, k) are free of conflicts, [k, k + 1) is, [k + 1, n) are

   Pieces run one after the other, each complete before the next begins.  */
#ifndef PARAGON_PIECES_H
#define PARAGON_PIECES_H

#include "footprint.h"

enum
{
  PG_MOST_PIECES = 16
};

/* The iterations from the end of the piece before up to END.  */
struct pg_piece
{
  int64_t end;
  bool is_free; /* of conflicts; else they are to run in order */
};

struct pg_pieces
{
  int n;
  int64_t n_free; /* iterations in pieces that are free */
  struct pg_piece pieces[PG_MOST_PIECES];
};

/* Cut VIEW's entry into PIECES, at multiples of GRID_LEN, so that those with LEAST iterations or more are free of
   conflicts.  False: it takes too many, or more than half of the iterations would be left to run in order, or *EFFORT
   is too little.  What it takes goes off that, in inequalities (inequalities.h) that would take as long.
   Requires: pg_l1_check.  */
bool pg_pieces_find (const struct pg_view *view, int64_t least, int64_t grid_len, int64_t *effort,
		     struct pg_pieces *pieces);

/* The piece of PIECES, which are those of a whole entry, that iteration ITER is in.  */
const struct pg_piece *pg_piece_at (const struct pg_pieces *pieces, int64_t iter);

#endif
