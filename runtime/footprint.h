/* SPDX-License-Identifier: MIT
   A region's tables with the numbers of one entry: values of entry expressions, footprints of affine references,
   and what they settle before anything runs (step L1 of the check ladder).  */
#ifndef PG_FOOTPRINT_H
#define PG_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "depend.h"
#include "paragon_region.h"

/* Bytes [START, START + LEN).  */
struct pg_span
{
  char *start;
  size_t len;
};

enum pg_l1
{
  PG_L1_UNSETTLED, /* numbers do not tell */
  PG_L1_CONFLICT,  /* two iterations surely conflict, e.g. a[i] = a[i-1], or very likely most */
  PG_L1_CLEAN,     /* no two iterations conflict */
  PG_L1_DISJOINT   /* clean, and the no-alias F may run */
};

/* The value of an entry expression; unknown if it overflowed.  */
struct pg_number
{
  int64_t value;
  bool known;
};

/* A pg_linear with its numbers.  */
struct pg_form
{
  int64_t base;
  int64_t coef[PG_MAX_DIMS]; /* as many as the region has */
  bool known;
};

/* A loop of the nest at this entry: LAST iteration as a form, or a bound of it, and where it stays over the entry.  */
struct pg_level
{
  struct pg_form last;
  bool is_loose;       /* LAST is a bound: some executions have fewer iterations */
  int64_t least, most; /* bounds of LAST; most < 0: the loop never runs */
  bool is_bounded;     /* the two hold */
};

/* A reference at this entry.  */
struct pg_place
{
  struct pg_form address;
  struct pg_window window; /* the bytes of each iteration */
  bool is_affine;          /* the above hold; else only the monitor knows */
  bool is_never;           /* its loops never run: touches nothing */
};

/* Bytes [LOW, END) that a reference touches, or together with others by the same pointers; none if END is 0.  */
struct pg_bound
{
  uint64_t low, end;
};

/* What pg_l1_check has said, and with which effort.  */
struct pg_asked
{
  bool was_asked;
  enum pg_l1 verdict;
  int64_t effort, left;
};

struct pg_view
{
  const struct pg_region *region;
  const void *args;
  int64_t n_iters;
  const struct pg_bound *bounds; /* of references that are not affine, n_refs (bounds.h); NULL: not known */
  bool is_checked;               /* pg_l1_check was called: the pairs in SETTLED need no inspection */
  int64_t effort;                /* what pg_l1_check may spend on pairs in nests whose trip counts vary, as in
				    inequalities.h */
  struct pg_asked asked;         /* of numbers that are still the same */
  struct pg_number *nodes;       /* n_nodes */
  struct pg_level *levels;       /* n_dims */
  struct pg_place *places;       /* n_refs */
  uint8_t *settled;              /* n_refs * n_refs bits */
};

/* Bytes of a view of REGION, the tables behind it included.  */
size_t pg_view_len (const struct pg_region *region);

/* Make VIEW, pg_view_len bytes aligned to 16, the view of an entry of REGION, without effort.  Keeps pointers to REGION
   and ARGS.  */
void pg_view_evaluate (struct pg_view *view, const struct pg_region *region, const void *args, int64_t n_iters);

/* The same for VIEW, which is one of REGION already, or zeroed: where all numbers are what they were, what was made of
   them stays, and pg_l1_check need not look at them again.  */
void pg_view_renew (struct pg_view *view, const struct pg_region *region, const void *args, int64_t n_iters);

/* Forget what VIEW is of: it may be half made.  */
void pg_view_forget (struct pg_view *view);

/* Whether a reference of VIEW's begins at ADDRESS, by its numbers.  */
bool pg_view_begins_at (const struct pg_view *view, const void *address);

/* The turns that the loops around some reference of VIEW take in all, those that take most: about, and 0 if no numbers
   tell.  Saturates.  */
int64_t pg_view_turns (const struct pg_view *view);

/* Settle what numbers can settle about the whole entry, and remember it in VIEW for the inspector.  A caller that
   wants everything inspected leaves this call out.  What was settled with as much effort, or with effort left, is not
   looked at again.  */
enum pg_l1 pg_l1_check (struct pg_view *view);

/* Whether pg_l1_check has settled each pair that matters: none meets in different iterations, nor in one where a value
   was read early.  */
bool pg_view_all_settled (const struct pg_view *view);

/* Whether it is known where the references are that keep to what their iteration has for its own: they do if no address
   wraps around.  */
bool pg_view_own_known (const struct pg_view *view);

/* The largest D >= 2 such that any D consecutive iterations are shown to be mutually free; 0: none.  */
int64_t pg_l1_window (const struct pg_view *view);

/* Fill in at most MAX disjoint ascending SPANS that hold every byte that the entry may write, all of them readable.
   False if that cannot be said: an opaque or conditional write, one that only a tally tells of, or more spans.  */
bool pg_view_write_spans (const struct pg_view *view, struct pg_span *spans, int max, int *n);

/* Call NOTE with DATA for bytes [LOW, LOW + LEN) again and again, so that each byte that the entry writes is among
   them, some more than once, and no other.  Requires: pg_view_write_spans.  */
void pg_view_each_write (const struct pg_view *view, void (*note) (void *data, int64_t low, int64_t len), void *data);

/* Can references A and B of VIEW's region make a conflict: does one of them write, and does it meet another
   iteration or a value that the monitor has read too early?  */
bool pg_pair_matters (const struct pg_view *view, uint32_t a, uint32_t b);

/* May A and B conflict, for all that pg_l1_check has found out about VIEW?  */
bool pg_pair_in_doubt (const struct pg_view *view, uint32_t a, uint32_t b);

/* Do A and B never meet in different iterations of [LO, HI)?  By numbers, trip counts taken for what they are at most;
   false: not shown.  */
bool pg_pair_is_free (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi);

/* May iterations of the entry overwrite what its numbers were loaded from?  Then those behind go by others.  */
bool pg_numbers_may_change (const struct pg_view *view);

/* Do iterations of the entry conflict, each with the next one, almost everywhere?  By numbers, and as far as
   PG_REF_USUAL goes; false: not shown.  Requires: the pairs that are settled are noted in VIEW.  */
bool pg_neighbours_conflict (const struct pg_view *view);

/* Does pair A, B need no inspection if only iterations [LO, HI) exist?  By numbers alone; false: not shown.  */
bool pg_pair_settled (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi);

/* Do affine references A and B never meet in different iterations of [LO, HI)?  By numbers alone, however trip counts
   vary; false: not shown.  What it takes goes off *EFFORT.  */
bool pg_pair_never_meets (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi, int64_t *effort);

/* Do references A and B touch no common byte in any one iteration of the region's loop?  By numbers alone; false: not
   shown.  */
bool pg_pair_apart_in_iteration (const struct pg_view *view, uint32_t a, uint32_t b);

/* Do they touch none in different turns of dimension DIM, in any one iteration?  DIM is around both, and the region's
   loop is its parent.  */
bool pg_pair_apart_in_turns (const struct pg_view *view, uint32_t a, uint32_t b, int dim);

/* Set [*LOW, *END) to bytes that hold all that affine reference REF touches in iterations [LO, HI).  */
void pg_place_extent (const struct pg_view *view, uint32_t ref, int64_t lo, int64_t hi, int64_t *low, int64_t *end);

/* BASE + ROW * iteration of the region's loop + TURN * number of one dimension in it.  */
struct pg_plane
{
  int64_t base, row, turn;
};

/* Set *LOW and *END to bounds of the bytes that affine reference REF touches in one iteration, and in one turn of
   dimension DIM around it, directly in the region's loop; or in the iteration, if DIM is 0.  False: not known.  */
bool pg_place_planes (const struct pg_view *view, uint32_t ref, int dim, struct pg_plane *low, struct pg_plane *end);

#endif
