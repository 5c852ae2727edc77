/* SPDX-License-Identifier: MIT
   Turns of inner loops.  See turns.h.

       for (i)
	 {
	   a[i] = x[i];			before: only x may be read and written
	   for (j)
	     b[i][j] = b[i][j] + a[i];	turn: a, written before, is read: not free
	   c[i] = c[i] + 1;		behind: any, but nothing of the turns
	 }

   Members of a team do alike what stands before the inner loop, but that only the first one stores; they share its
   turns; what stands behind is the first member's.  The inner loop is the dimension directly inside of the region's
   loop that is around all that its turns access.

   Where loops are spread, all members do alike what is not in one of them.  A turn has the same number in each, and is
   the same member's:

       for (i)
	 for (k)
	   for (j)
	     c[i][j] += a[i][k] * b[k][j];	each turn has its own part of c: 8 bytes from 8 j on, whatever k  */
#include "turns.h"

#include "kir/nest.h"

enum
{
  NO_DIM = -1 /* nothing is accessed in turns */
};

/* The dimension directly inside of the region's loop that is around DIM, one of an affine reference; 0: there is none.
 */
static int
outermost (const struct pg_region *region, int dim)
{
  while (dim > 0 && region->dims[dim].parent != 0)
    dim = region->dims[dim].parent;
  return dim;
}

/* Set *DIM to the dimension of the turns.  False: they are in several, or in none that has numbers.  */
static bool
find_dim (const struct pg_view *view, const uint8_t *stands, int *dim)
{
  const struct pg_region *region = view->region;
  *dim = NO_DIM;
  for (uint32_t r = 0; r < region->n_refs; r++)
    if (stands[r] & PG_KIR_IN_TURN)
      {
	int own = view->places[r].is_affine ? outermost (region, region->refs[r].dim) : 0;
	if (own == 0 || (*dim != NO_DIM && *dim != own))
	  return false;
	*dim = own;
      }
  return true;
}

static bool
writes (const struct pg_view *view, uint32_t ref)
{
  return view->region->refs[ref].flags & PG_REF_WRITE;
}

/* May A and B, at least one of which writes, stand where STANDS says in an iteration whose turns, of DIM, are free?  */
static bool
is_free (const struct pg_view *view, const uint8_t *stands, uint32_t a, uint32_t b, int dim)
{
  unsigned both = stands[a] | stands[b];
  bool is_read = both & PG_KIR_READ_BEFORE, is_written = both & PG_KIR_WRITTEN_BEFORE;
  bool in_turn = both & PG_KIR_IN_TURN, is_behind = both & PG_KIR_BEHIND;
  if (stands[a] == 0 || stands[b] == 0)
    return true;
  if ((is_read && is_written) || (is_read || is_written) + in_turn + is_behind > 1)
    return pg_pair_apart_in_iteration (view, a, b);
  return !in_turn || pg_pair_apart_in_turns (view, a, b, dim);
}

/* How often an iteration gets to REF, at most; loops that have no numbers are thought to run once.  */
static double
n_times (const struct pg_view *view, uint32_t ref)
{
  const struct pg_place *place = &view->places[ref];
  double n = place->is_never ? 0 : 1;
  for (int d = view->region->refs[ref].dim; d > 0 && place->is_affine && n > 0; d = view->region->dims[d].parent)
    if (view->levels[d].is_bounded)
      n *= (double) view->levels[d].most + 1;
  return n;
}

/* Are at least half of an iteration's accesses in turns?  */
static bool
are_most (const struct pg_view *view, const uint8_t *stands)
{
  double inside = 0, outside = 0;
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      double n = n_times (view, r);
      if (stands[r] & PG_KIR_IN_TURN)
	inside += n;
      else if (stands[r] != 0)
	outside += n;
    }
  return inside >= outside;
}

/* ---- loops that are spread */

static int
depth_of (const struct pg_region *region, int dim)
{
  int depth = 0;
  for (; dim > 0; dim = region->dims[dim].parent)
    depth++;
  return depth;
}

/* Does REF, which is in turns of loops of DEPTH, move on with each turn, and stand still while loops around these go
   on?  Its dimension is that of its loop, and not one around it, whose turns have no numbers, if it is as deep.  */
static bool
is_turns_own (const struct pg_view *view, uint32_t ref, unsigned depth)
{
  const struct pg_region *region = view->region;
  const struct pg_place *place = &view->places[ref];
  int dim = region->refs[ref].dim;
  if (!place->is_affine || dim == 0 || depth_of (region, dim) != (int) depth)
    return false;
  for (int d = 1; d < (int) region->n_dims; d++)
    if (d != dim && place->address.coef[d] != 0)
      return false;
  return true;
}

/* Do A and B, which move on with each turn, have the same part of memory for each, and no other turn's?  */
static bool
have_parts (const struct pg_view *view, uint32_t a, uint32_t b)
{
  const struct pg_region *region = view->region;
  const struct pg_form *form_a = &view->places[a].address, *form_b = &view->places[b].address;
  int64_t step = form_a->coef[region->refs[a].dim], end_a, end_b, len;
  if (form_b->coef[region->refs[b].dim] != step || form_a->coef[0] != form_b->coef[0] || step == INT64_MIN
      || __builtin_add_overflow (form_a->base, region->refs[a].len, &end_a)
      || __builtin_add_overflow (form_b->base, region->refs[b].len, &end_b))
    return false;
  int64_t low = form_a->base < form_b->base ? form_a->base : form_b->base, end = end_a > end_b ? end_a : end_b;
  return !__builtin_sub_overflow (end, low, &len) && len <= (step < 0 ? -step : step);
}

/* May A and B, at least one of which writes, stand where STANDS and DEPTHS say?  */
static bool
is_spread_free (const struct pg_view *view, const uint8_t *stands, const uint8_t *depths, uint32_t a, uint32_t b)
{
  if (stands[a] == 0 || stands[b] == 0 || pg_pair_apart_in_iteration (view, a, b))
    return true;
  return stands[a] == PG_KIR_IN_TURN && stands[b] == PG_KIR_IN_TURN && is_turns_own (view, a, depths[a])
	 && is_turns_own (view, b, depths[b]) && have_parts (view, a, b);
}

/* The most turns that a loop has which is spread; 0: not known.  */
static int64_t
most_spread (const struct pg_view *view, const uint8_t *stands)
{
  int64_t most = 0;
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      const struct pg_level *level = &view->levels[view->region->refs[r].dim];
      if (!(stands[r] & PG_KIR_IN_TURN))
	continue;
      if (view->region->refs[r].dim == 0 || !level->is_bounded)
	return 0;
      most = level->most + 1 > most ? level->most + 1 : most;
    }
  return most;
}

/* ---- both */

/* Are all pairs of references free: by DIM, or by DEPTHS, if it is not NULL?  Those of a kernel that are not the
   region's are not known.  */
static bool
are_free (const struct pg_view *view, const uint8_t *stands, const uint8_t *depths, uint32_t n_refs, int dim)
{
  const struct pg_region *region = view->region;
  for (uint32_t r = region->n_refs; r < n_refs; r++)
    if (stands[r] != 0)
      return false;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      if ((writes (view, a) || writes (view, b))
	  && !(depths == NULL ? is_free (view, stands, a, b, dim) : is_spread_free (view, stands, depths, a, b)))
	return false;
  return true;
}

void
pg_turns_find (struct pg_turns *turns, const struct pg_view *view, const uint8_t *stands, uint32_t n_refs)
{
  int dim;
  bool is_known = find_dim (view, stands, &dim);
  const struct pg_level *level = is_known && dim > 0 ? &view->levels[dim] : NULL;
  *turns = (struct pg_turns) { .are_free = is_known && are_free (view, stands, NULL, n_refs, dim),
			       .most = level != NULL && level->is_bounded && level->most >= 0 ? level->most + 1 : 0,
			       .are_most = !is_known || are_most (view, stands) };
}

void
pg_turns_find_spread (struct pg_turns *turns, const struct pg_view *view, const uint8_t *stands, const uint8_t *depths,
		      uint32_t n_refs)
{
  *turns = (struct pg_turns) { .are_free = are_free (view, stands, depths, n_refs, NO_DIM),
			       .most = most_spread (view, stands),
			       .are_most = are_most (view, stands) };
}
