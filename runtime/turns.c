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
   loop that is around all that its turns access.  */
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

/* The references of a kernel that are not the region's are not known.  */
static bool
are_free (const struct pg_view *view, const uint8_t *stands, uint32_t n_refs, int dim)
{
  const struct pg_region *region = view->region;
  for (uint32_t r = region->n_refs; r < n_refs; r++)
    if (stands[r] != 0)
      return false;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      if ((writes (view, a) || writes (view, b)) && !is_free (view, stands, a, b, dim))
	return false;
  return true;
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

void
pg_turns_find (struct pg_turns *turns, const struct pg_view *view, const uint8_t *stands, uint32_t n_refs)
{
  int dim;
  bool is_known = find_dim (view, stands, &dim);
  const struct pg_level *level = is_known && dim > 0 ? &view->levels[dim] : NULL;
  *turns = (struct pg_turns) { .are_free = is_known && are_free (view, stands, n_refs, dim),
			       .most = level != NULL && level->is_bounded && level->most >= 0 ? level->most + 1 : 0,
			       .are_most = !is_known || are_most (view, stands) };
}
