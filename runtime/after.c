/* SPDX-License-Identifier: MIT
   What entries cost after they have ended.  See after.h.

   The times that are compared are of about the same moment, in a pause and just before and after it: what the machine's
   other guests do changes both.  */
#include "after.h"

enum
{
  MOST_TIMES = 2, /* what one thread takes: longer times say nothing */
  MOST_POOL = 2,  /* times the average: so much at most is taken seriously */
  POOL_PART = 4,  /* one part in so many of the average is new, */
  BACK_PART = 2,  /* or in so many, right after a pause */
  NEAR = 4        /* entries on the pool are still of the pause's moment */
};

void
pg_after_pause (struct pg_after *after)
{
  after->n_pauses += after->n_alone > 0;
  after->earlier_ps = after->charge_ps;
  after->alone_ps = after->n_alone = after->n_pool = 0;
}

/* Compute what is charged, half of it by this pause.  */
static void
charge (struct pg_after *after)
{
  if (after->n_alone == 0)
    return;
  int64_t now_ps = after->pool_ps - after->alone_ps / after->n_alone;
  now_ps = now_ps > 0 ? now_ps : 0;
  after->charge_ps = after->n_pauses > 0 ? (after->earlier_ps + now_ps) / 2 : now_ps;
}

void
pg_after_pool (struct pg_after *after, int64_t ps, int64_t entry_ps)
{
  if (ps / MOST_TIMES > entry_ps)
    return;
  if (after->pool_ps == 0)
    after->pool_ps = ps;
  int64_t most_ps = after->pool_ps * MOST_POOL, seen_ps = ps < most_ps ? ps : most_ps;
  after->pool_ps += (seen_ps - after->pool_ps) / (after->n_alone > 0 && after->n_pool == 0 ? BACK_PART : POOL_PART);
  if (after->n_pool == NEAR)
    return;
  after->n_pool++;
  charge (after);
}

void
pg_after_alone (struct pg_after *after, int64_t ps, int64_t entry_ps)
{
  if (after->pool_ps == 0 || ps / MOST_TIMES > entry_ps)
    return;
  after->alone_ps += ps < after->pool_ps ? ps : after->pool_ps;
  after->n_alone++;
  charge (after);
}
