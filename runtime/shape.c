/* SPDX-License-Identifier: MIT
   The shape of a loop on a device.  See shape.h.

   Where there are fewer iterations than threads run at once, the others lie idle, unless an iteration is the work of
   several.  A team has as many members as it takes to fill the device; members beyond the number of turns would lie
   idle, too, which collapsing the nest avoids.  To deal out what is the smaller part of an iteration is not worth it:
   all else is done by one member.  */
#include "shape.h"

/* The least power of two that is at least N, but MOST at most, which is one.  */
static uint32_t
power_above (int64_t n, uint32_t most)
{
  uint32_t power = 1;
  while (power < n && power < most)
    power *= 2;
  return power;
}

/* The largest power of two that is at most N, which is at least 1, and at most MOST, which is one.  */
static uint32_t
power_below (int64_t n, uint32_t most)
{
  uint32_t power = power_above (n, most);
  return power > n ? power / 2 : power;
}

static struct pg_shape
a_team (uint32_t n_members)
{
  return (struct pg_shape) { PG_MAPPED_TEAM, n_members };
}

static const struct pg_shape threads = { PG_MAPPED_THREAD, 1 }, collapsed = { PG_MAPPED_COLLAPSE, 1 };

static struct pg_shape
force (const struct pg_shape_facts *facts, enum pg_mapped forced)
{
  if (forced == PG_MAPPED_TEAM && facts->can_team && facts->together > 1)
    return a_team (facts->together);
  return forced == PG_MAPPED_COLLAPSE && facts->n_collapsed > 0 ? collapsed : threads;
}

struct pg_shape
pg_shape_choose (const struct pg_shape_facts *facts, enum pg_mapped forced)
{
  if (forced != PG_N_MAPPED)
    return force (facts, forced);
  int64_t n_each = facts->n_running / facts->n_iters;
  if (!pg_shape_is_idle (facts->n_iters, facts->n_running))
    return threads;
  uint32_t most = power_below (facts->n_threads, PG_KIR_MOST_THREADS);
  uint32_t wanted = power_above (n_each, most), n_members = wanted;
  bool can_team = facts->can_team && facts->are_most;
  if (facts->n_turns == 0 && n_members > facts->together)
    n_members = facts->together;
  if (facts->n_turns > 0 && n_members > facts->n_turns)
    n_members = power_below (facts->n_turns, most);
  bool is_idle = !can_team || n_members < wanted;
  if (is_idle && facts->n_collapsed > 1)
    return collapsed;
  return can_team && n_members > 1 ? a_team (n_members) : threads;
}

enum pg_kir_mapping
pg_shape_mapping (const struct pg_kir_kernel *loop, bool has_fixed_grid, bool is_short)
{
  enum pg_kir_mapping strided = is_short ? PG_KIR_STRIDED_I32 : PG_KIR_STRIDED;
  enum pg_kir_mapping mapping = has_fixed_grid ? PG_KIR_CHUNKED : strided;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      bool is_float = pg_kir_types[loop->carries[c].type].kind == PG_KIR_KIND_FLOAT;
      if (loop->carries[c].combine == PG_KIR_COMBINE_LAST)
	continue;
      if (is_float)
	return PG_KIR_CHUNKED;
      if (mapping == strided)
	mapping = PG_KIR_STRIDED_TREE;
    }
  return mapping;
}

static int64_t
divide_up (int64_t a, int64_t b)
{
  return a / b + (a % b != 0);
}

uint32_t
pg_shape_blocks (const struct pg_kir_size *size, uint32_t n_members, int64_t n, int64_t fixed_len)
{
  int64_t per_block = size->n_threads / n_members;
  int64_t n_blocks = divide_up (fixed_len > 0 ? divide_up (n, fixed_len) : n, per_block);
  return fixed_len == 0 && n_blocks > size->n_blocks ? size->n_blocks : (uint32_t) n_blocks;
}
