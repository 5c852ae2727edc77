/* SPDX-License-Identifier: MIT
   The walk: an entry's iterations, macro-chunk by macro-chunk.  */
#ifndef PARAGON_WALK_H
#define PARAGON_WALK_H

#include "pieces.h"
#include "region.h"

/* How an entry's iterations are run.  */
enum pg_route
{
  PG_ROUTE_NONE,     /* no way to tell that they are free */
  PG_ROUTE_FREE,     /* all are free */
  PG_ROUTE_WINDOW,   /* so many in a row are free */
  PG_ROUTE_PIECES,   /* most pieces are free */
  PG_ROUTE_DOACROSS, /* they are not, and follow each other (doacross.h) */
  PG_ROUTE_INSPECT   /* look at each macro-chunk before it runs */
};

struct pg_way
{
  enum pg_route route;
  int64_t window;          /* PG_ROUTE_WINDOW: any so many consecutive iterations are free */
  int64_t gated;           /* PG_ROUTE_INSPECT: the end of a first macro-chunk for which there is a gate, or 0 */
  struct pg_pieces pieces; /* PG_ROUTE_PIECES */
};

/* Whether others have the CPUs at the moment, so that STATE's region had better wait.  */
bool pg_walk_is_busy (const struct pg_state *state);

/* Run the rest of STATE's entry on WAY; with PG_ROUTE_INSPECT, the region has an inspector.  PG_OK, or, with nothing
   changed, a refusal.  */
enum pg_status pg_walk (struct pg_state *state, const struct pg_way *way);

#endif
