/* SPDX-License-Identifier: MIT
   Step L1 of the check ladder: an entry in pieces.  See pieces.h.

   If no two iterations of a range conflict, none of a smaller range do.  So from where a piece begins, the longest one
   that is free is found by halving, for each pair of references that may meet at all; and as every piece is the longest
   possible, no other cut has fewer.  Halving only finds candidates: a piece is called free if its own numbers say so.

   A piece that is too short to be worth the pool runs in order.  Where many follow each other, each is twice as long as
   the one before: it is not worth while to look at every conflict.

   Cuts are made by the numbers of the whole entry.  If an iteration may write what numbers were loaded from, those
   behind it might not go by them, and there are no pieces; nor where a range begins with loads of the iterations before
   it, which may have written there.  */
#include "pieces.h"

enum
{
  MOST_DOUBTS = 64, /* pairs */
  PAIR_EFFORT = 4,  /* of a look at one, in inequalities */
  LEAST_SHARE = 64  /* of the iterations: shorter pieces are not worth a barrier */
};

/* A search for pieces, and the pairs of references that may meet.  */
struct search
{
  const struct pg_view *view;
  int64_t *effort;
  int n_doubts;
  struct
  {
    uint32_t a, b;
  } doubts[MOST_DOUBTS];
};

/* Find the pairs that may meet.  False: there are too many, or none, or one for which nothing can be said.  */
static bool
find_doubts (struct search *search)
{
  const struct pg_view *view = search->view;
  uint32_t n_refs = view->region->n_refs;
  for (uint32_t a = 0; a < n_refs; a++)
    for (uint32_t b = a; b < n_refs; b++)
      {
	if (!pg_pair_in_doubt (view, a, b))
	  continue;
	if (search->n_doubts == MOST_DOUBTS || !view->places[a].is_affine || !view->places[b].is_affine)
	  return false;
	search->doubts[search->n_doubts].a = a;
	search->doubts[search->n_doubts++].b = b;
      }
  return search->n_doubts > 0;
}

/* Is pair number DOUBT free of conflicts in [LO, HI)?  */
static bool
is_free (struct search *search, int doubt, int64_t lo, int64_t hi)
{
  *search->effort -= PAIR_EFFORT;
  return *search->effort >= 0
	 && pg_pair_is_free (search->view, search->doubts[doubt].a, search->doubts[doubt].b, lo, hi);
}

/* Where the longest piece from LO on ends that is free.  One iteration always is.  */
static int64_t
free_end (struct search *search, int64_t lo)
{
  int64_t end = search->view->n_iters;
  for (int doubt = 0; doubt < search->n_doubts && end > lo + 1; doubt++)
    if (!is_free (search, doubt, lo, end))
      {
	int64_t good = lo + 1;
	while (end - good > 1)
	  {
	    int64_t middle = good + (end - good) / 2;
	    if (is_free (search, doubt, lo, middle))
	      good = middle;
	    else
	      end = middle;
	  }
	end = good;
      }
  return end;
}

/* Is there no piece of LEAST iterations a quarter, a half and three quarters of the way?  Where conflicts are
   everywhere, that is known at once.  */
static bool
is_hopeless (struct search *search, int64_t least)
{
  for (int quarter = 1; quarter < 4; quarter++)
    {
      int64_t lo = search->view->n_iters / 4 * quarter, hi = lo + least;
      int doubt = 0;
      if (hi > search->view->n_iters)
	return true;
      while (doubt < search->n_doubts && is_free (search, doubt, lo, hi))
	doubt++;
      if (doubt == search->n_doubts)
	return false;
    }
  return true;
}

/* Add the iterations from LO, up to which PIECES go, to END.  */
static void
add (struct pg_pieces *pieces, int64_t lo, int64_t end, bool is_free)
{
  if (pieces->n == 0 || is_free || pieces->pieces[pieces->n - 1].is_free)
    pieces->pieces[pieces->n++] = (struct pg_piece) { .is_free = is_free };
  pieces->pieces[pieces->n - 1].end = end;
  pieces->n_free += is_free ? end - lo : 0;
}

/* Where a piece from LO on ends that is not free, N_SHORT of them being before it in a row: what would be free ends at
   END.  */
static int64_t
end_in_order (int64_t lo, int64_t end, int64_t n_iters, int64_t grid_len, int n_short)
{
  int64_t len = n_short < 2 ? grid_len : grid_len << (n_short - 1);
  if (len > n_iters - lo)
    return n_iters;
  return end - lo > len ? end : lo + len;
}

bool
pg_pieces_find (const struct pg_view *view, int64_t least, int64_t grid_len, int64_t *effort, struct pg_pieces *pieces)
{
  struct search search = { .view = view, .effort = effort };
  int64_t n_iters = view->n_iters, lo = 0;
  int n_short = 0;
  least = least < n_iters / LEAST_SHARE ? n_iters / LEAST_SHARE : least;
  pieces->n = 0;
  pieces->n_free = 0;
  if ((view->region->flags & PG_REGION_TRAILS) || *effort <= 0 || !find_doubts (&search) || pg_numbers_may_change (view)
      || is_hopeless (&search, least))
    return false;
  while (lo < n_iters)
    {
      int64_t end = free_end (&search, lo);
      end = end < n_iters ? end / grid_len * grid_len : end;
      bool is_long = end - lo >= least;
      if (*effort < 0 || (pieces->n == PG_MOST_PIECES - 1 && !(is_long && end == n_iters)))
	{
	  is_long = false;
	  end = n_iters;
	}
      else if (!is_long)
	end = end_in_order (lo, end, n_iters, grid_len, n_short);
      n_short = is_long ? 0 : n_short + 1;
      add (pieces, lo, end, is_long);
      lo = end;
    }
  return pieces->n_free >= n_iters - pieces->n_free;
}

const struct pg_piece *
pg_piece_at (const struct pg_pieces *pieces, int64_t iter)
{
  const struct pg_piece *piece = pieces->pieces;
  while (piece->end <= iter)
    piece++;
  return piece;
}
