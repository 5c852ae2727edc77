/* SPDX-License-Identifier: MIT
   Teams whose members run all of an iteration alike, but for the turns of the loops that are spread: each takes those
   that are its own, the same in all of these loops.  Nobody waits for anybody.  Paragon paper, s4.2.  */
#include "deal.h"
#include "prune.h"
#include "spread.h"

#include <string.h>

struct spreading
{
  struct pg_mapper mapper; /* first, as map.c hands it out */
  uint32_t n_members;
  struct pg_kir_spread spread;
};

/* Let the members take their own turns of loop S.  IS_TURN has room for all blocks of the mapped kernel.  */
static void
spread_loop (struct spreading *spreading, unsigned s, uint32_t *is_turn)
{
  struct pg_mapper *mapper = &spreading->mapper;
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_inner *inner = &spreading->spread.inners[s];
  uint32_t n_blocks = spmd->n_blocks;
  struct pg_deal deal = { .mapper = mapper, .inner = inner, .n_members = spreading->n_members };
  memset (is_turn, 0, n_blocks * sizeof *is_turn);
  for (uint32_t b = 0; b < mapper->loop->n_blocks; b++)
    is_turn[pg_map_first_of (mapper, b)] = is_turn[pg_map_last_of (mapper, b)] = inner->is_in[b];
  deal.before = pg_kir_add_block (spmd);
  deal.left = deal.behind = pg_kir_add_block (spmd);
  pg_kir_deal (&deal);
  for (unsigned r = 0; r < inner->n_rounds && !spmd->is_broken; r++)
    {
      pg_kir_value all = pg_kir_dealt_result (&deal, deal.left, &inner->rounds[r]);
      pg_kir_value result = pg_map_value_of (mapper, pg_kir_inner_result (inner, r));
      if (!spmd->is_broken)
	pg_kir_replace_behind (spmd, result, all, n_blocks, is_turn);
    }
  pg_kir_add_jump (spmd, deal.left, pg_map_first_of (mapper, inner->to));
}

static const char *
finish (struct pg_mapper *mapper)
{
  struct spreading *spreading = (struct spreading *) mapper;
  const struct pg_kir_kernel *loop = mapper->loop;
  size_t len = (mapper->spmd->n_blocks + 2 * PG_KIR_MOST_SPREAD) * sizeof (uint32_t);
  uint32_t *is_turn = loop->resize (NULL, 0, len);
  if (is_turn == NULL)
    return "no memory";
  for (unsigned s = 0; s < spreading->spread.n && !mapper->spmd->is_broken; s++)
    spread_loop (spreading, s, is_turn);
  loop->resize (is_turn, len, 0);
  return mapper->spmd->is_broken || pg_kir_prune (mapper->spmd) ? NULL : "no memory";
}

bool
pg_map_spread (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, const struct pg_kir_team *team,
	       uint32_t n_threads, struct pg_kir_error *error)
{
  struct spreading spreading
    = { .mapper = { .spmd = spmd, .loop = loop, .mapping = PG_KIR_STRIDED, .n_members = team->n_members },
	.n_members = team->n_members };
  if (!team->is_free)
    return pg_kir_fail (error, "turns may meet");
  if (!pg_kir_spread_begin (&spreading.spread, loop, error))
    return false;
  bool is_good = pg_map_loop (&spreading.mapper, n_threads, finish, error);
  pg_kir_spread_end (&spreading.spread, loop);
  return is_good;
}
