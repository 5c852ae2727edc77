/* SPDX-License-Identifier: MIT
   Spreading: the inner loops whose turns a team may deal out where these stand in other inner loops, and all members
   run all else alike.

       for (i)
	 {
	   for (j)				dealt out
	     c[i][j] = beta * c[i][j];
	   for (k)				run by all members
	     for (j)				dealt out
	       c[i][j] += a[i][k] * b[k][j];
	 }

   They hold no other loop, and nothing but memory comes from one turn to another; all that changes memory is in
   them.  */
#ifndef PG_KIR_SPREAD_H
#define PG_KIR_SPREAD_H

#include "inner.h"

enum
{
  PG_KIR_MOST_SPREAD = 8 /* inner loops */
};

struct pg_kir_spread
{
  unsigned n;
  struct pg_kir_inner inners[PG_KIR_MOST_SPREAD];
  unsigned depths[PG_KIR_MOST_SPREAD]; /* how many inner loops each is in, itself among them */
};

/* Find in LOOP, verified, in loop form, what may be spread.  False: nothing, as *ERROR says.  */
bool pg_kir_spread_begin (struct pg_kir_spread *spread, const struct pg_kir_kernel *loop, struct pg_kir_error *error);
void pg_kir_spread_end (struct pg_kir_spread *spread, const struct pg_kir_kernel *loop);

/* The loop of SPREAD that block B is in; SPREAD->n: none.  */
unsigned pg_kir_spread_of (const struct pg_kir_spread *spread, pg_kir_block_number b);

#endif
