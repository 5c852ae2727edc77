/* SPDX-License-Identifier: MIT
   Nests of a region's kernel.  See nests.h.  */
#include "nests.h"

#include "kir/collapse.h"

#include <stdlib.h>
#include <string.h>

/* Have room for where the accesses of NEST stand.  */
static bool
have_room (struct pg_nest *nest, uint32_t n_refs)
{
  nest->stands = malloc (2 * n_refs + 1);
  return nest->stands != NULL;
}

/* Find the nests that teams may share.  */
static bool
find_shared (struct pg_nests *nests, const struct pg_kir_kernel *loop)
{
  pg_kir_block_number from = 0;
  while (nests->n < PG_MOST_NESTS)
    {
      struct pg_nest *nest = &nests->nests[nests->n];
      if (!have_room (nest, loop->n_refs))
	return false;
      if (!pg_kir_find_nest (&nest->found, nest->stands, loop, from, false))
	{
	  free (nest->stands);
	  return true;
	}
      from = nest->found.header + 1;
      nests->n++;
    }
  return true;
}

/* Find the loops that may be spread.  */
static bool
find_spread (struct pg_nests *nests, const struct pg_kir_kernel *loop)
{
  struct pg_nest *spread = &nests->spread;
  if (!have_room (spread, loop->n_refs))
    return false;
  spread->depths = spread->stands + loop->n_refs;
  if (!pg_kir_find_spread (&spread->found, spread->stands, spread->depths, loop))
    {
      free (spread->stands);
      spread->stands = NULL;
    }
  return true;
}

/* Find the nest that may become one loop: the first.  */
static bool
find_perfect (struct pg_nests *nests, const struct pg_kir_kernel *loop)
{
  struct pg_kir_error error;
  if (!pg_kir_collapse (&nests->collapsed, loop, &nests->n_turns, &error))
    return true;
  if (!have_room (&nests->perfect, loop->n_refs))
    return false;
  if (!pg_kir_find_nest (&nests->perfect.found, nests->perfect.stands, loop, 0, true))
    pg_kir_end (&nests->collapsed);
  return true;
}

bool
pg_nests_find (struct pg_nests *nests, const struct pg_kir_kernel *loop, uint32_t n_refs)
{
  *nests = (struct pg_nests) { .n_refs = n_refs };
  pg_kir_begin (&nests->collapsed, NULL);
  if (find_shared (nests, loop) && find_spread (nests, loop) && find_perfect (nests, loop))
    return true;
  pg_nests_drop (nests);
  return false;
}

void
pg_nests_drop (struct pg_nests *nests)
{
  while (nests->n > 0)
    free (nests->nests[--nests->n].stands);
  free (nests->spread.stands);
  free (nests->perfect.stands);
  nests->spread.stands = nests->perfect.stands = NULL;
  pg_kir_end (&nests->collapsed);
}

/* May a team share NEST, whose turns are TURNS?  */
static bool
can_team (const struct pg_nest *nest, const struct pg_turns *turns)
{
  bool reduces = nest->found.n_reduced > 0, stores = nest->found.has_stores;
  return !nest->is_refused[turns->are_free] && (turns->are_free ? reduces || stores : reduces && !stores);
}

/* The exact number of turns that become iterations; 0: there are none, or the nest may not be collapsed.  */
static int64_t
n_collapsed (const struct pg_nests *nests, const struct pg_view *view, const void *args)
{
  struct pg_turns turns;
  uint64_t bits;
  int64_t n_all;
  if (nests->collapsed.n_blocks == 0)
    return 0;
  pg_turns_find (&turns, view, nests->perfect.stands, nests->n_refs);
  if (!turns.are_free || !pg_kir_value_of_args (&nests->collapsed, nests->n_turns, args, &bits) || bits > INT64_MAX
      || __builtin_mul_overflow ((int64_t) bits, view->n_iters, &n_all) || n_all > INT64_MAX / 2)
    return 0;
  return (int64_t) bits;
}

/* As pg_nests_look, if no other nest than BEST, which is less than most of an iteration, may be shared.  */
static struct pg_nest *
look_at_spread (struct pg_nests *nests, const struct pg_view *view, struct pg_shape_facts *facts, bool *are_free,
		struct pg_nest *best)
{
  struct pg_nest *spread = &nests->spread;
  struct pg_turns turns;
  if (spread->stands == NULL)
    return best;
  pg_turns_find_spread (&turns, view, spread->stands, spread->depths, nests->n_refs);
  if (!turns.are_free || !turns.are_most || spread->is_refused[true])
    return best;
  facts->can_team = facts->are_most = *are_free = true;
  facts->n_turns = turns.most;
  return spread;
}

struct pg_nest *
pg_nests_look (struct pg_nests *nests, const struct pg_view *view, const void *args, struct pg_shape_facts *facts,
	       bool *are_free)
{
  struct pg_nest *best = NULL;
  facts->can_team = facts->are_most = false;
  facts->n_turns = 0;
  facts->n_collapsed = n_collapsed (nests, view, args);
  *are_free = false;
  for (uint32_t n = 0; n < nests->n && !facts->are_most; n++)
    {
      struct pg_turns turns;
      pg_turns_find (&turns, view, nests->nests[n].stands, nests->n_refs);
      if (!can_team (&nests->nests[n], &turns) || (best != NULL && !turns.are_most))
	continue;
      best = &nests->nests[n];
      facts->can_team = true;
      facts->are_most = turns.are_most;
      facts->n_turns = turns.most;
      *are_free = turns.are_free;
    }
  return facts->are_most ? best : look_at_spread (nests, view, facts, are_free, best);
}
