/* SPDX-License-Identifier: MIT
   The inspector, step L3 of the check ladder.

   The monitor M is the region's loop without its stores: it computes addresses, and tells where the loop would access
   memory.  Jobs on the pool run M over parts of the macro-chunk [LO, HI), mostly once, in one pass or more:

     trace	the range of bytes of each reference.  Pairs of references whose ranges are apart are settled.
     mark	the writes of the pairs left open, in a table of cells of memory.
     check	the reads of these pairs against the marks.

   The table is the sieve first.  It has marks for reads too, and can only say "clean": nothing is written twice, and
   what is written is not read.  If it does not, or is too large for the iterations there are, the shadow has the
   smallest iteration that writes each cell.  Two writers of a cell conflict at the later one; a reader r of a cell with
   smallest writer m conflicts, if r != m, at the later one.

   The sieve does not look at reads of what their own iteration is sure to write, through an affine reference that
   writes other bytes in each iteration.  If such a read r of a cell conflicts with an iteration w, then w writes the
   cell through another reference, so it is marked twice, by r and by w.

   The result is the smallest conflict found, and that is the first real one.  Nothing that is not real is found.  Let
   e be the first iteration that conflicts with an earlier one, d, in cell x.
     Both write x: with x's writers w1 < w2 < ..., w2 <= e.  Each writer other than w1 either finds a smaller stamp or
     is replaced by one later on, and the larger of the two is reported; so w2 is, and nothing smaller for x.
     One reads x, the other writes it: let r be the reader, m the smallest writer.  If r != m, the check reports
     max (r, m) <= e.  If r == m, the other one is a later writer, e, and the marks report w2 <= e as before.
   An update (read and write at one address) is as good as its write.  A job whose iterations all lie behind a conflict
   that is known could only report later ones, and is left out.

   M runs ahead of the loop's stores.  If the judge could not exclude that the loop writes what M reads, a read that
   feeds M is a conflict also if its own iteration writes the cell: its value may have been stale, and with it every
   later address.  Let r be the first iteration with a stale value.  What M reports of iterations before r, and of r up
   to that read, is right, so the writer, at or before r, was marked, and the check reports r.  Later touches may be
   wrong, but a wrong mark never replaces a smaller one, and whatever is reported because of it is at or after r.
   Ranges may be too large, which settles less.  Such a region is inspected only if wrong values cannot make M itself
   read a wrong address, so M does not crash.

   To mark while tracing takes a layout of the table that is guessed, from numbers and from how ranges went on in the
   last inspection.  Marking is repeated only if the traces then show that the guess was wrong: a write outside the
   table, a touch not aligned to its cells, a pair in no area.  */
#include "inspect.h"
#include "arena.h"
#include "budget.h"
#include "futex.h"
#include "inspector.h"
#include "layout.h"
#include "log.h"
#include "scout.h"
#include "thread.h"

enum
{
  MAX_MISFITS = 2,
  MAX_DOUBTS = 6,   /* the sieve rests for 2 inspections after a failure, 4 after the next, up to 2^MAX_DOUBTS */
  SIEVE_WORDS = 16, /* the sieve may clear and unite so many words an iteration, as long as its cost is not known */
  PS_A_WORD = 1000, /* about what a word of the sieve costs */
  FIRST_TOUCH_PS = 1000000, /* the same of a page of a new table */
  PAGE_LEN = 4096,
  WORK_SHARE = 2, /* of the loop's own work, so much is little */
  LIST_SHARE = 8  /* of the sieve's words, so many are better gone through by a list */
};

/* The maps that the sieve of PASS consists of.  */
static int64_t
n_maps (const struct pg_pass *pass)
{
  return pass->n_seats << pg_layout_has_checks (pass->inspector);
}

/* The words that the sieve of PASS is to have lists for: 0 if more will be marked than that pays for.  */
static size_t
list_len (const struct pg_pass *pass)
{
  const struct pg_inspector *inspector = pass->inspector;
  size_t most = inspector->n_cells / 64 / LIST_SHARE;
  unsigned __int128 expected = (unsigned __int128) (pass->hi - pass->lo);
  if (inspector->listed_iters > 0)
    expected = expected * inspector->n_listed / (size_t) inspector->listed_iters;
  return expected <= most ? most : 0;
}

static size_t
shadow_len (const struct pg_pass *pass)
{
  return pass->inspector->n_cells * sizeof *pass->inspector->shadow.cells;
}

/* The words' worth of work that a shadow would take before it is of use: it is new, and each page that is touched is
   touched for the first time.  */
static size_t
words_for_shadow (const struct pg_pass *pass)
{
  size_t len = shadow_len (pass), n_pages = len / PAGE_LEN;
  unsigned __int128 n_touches = (unsigned __int128) (pass->hi - pass->lo) * pass->inspector->region->n_refs;
  if (len <= pass->inspector->shadow.len)
    return 0;
  return (n_touches < n_pages ? (size_t) n_touches : n_pages) * (FIRST_TOUCH_PS / PS_A_WORD);
}

/* Is it little work to clear and unite the sieve, against running the monitor, the loop itself, or making a shadow?  */
static bool
is_sieve_small (const struct pg_pass *pass)
{
  const struct pg_inspector *inspector = pass->inspector;
  if (list_len (pass) > 0)
    return true;
  int64_t words_an_iter = inspector->iter_ps > 0 ? inspector->iter_ps / PS_A_WORD + 1 : SIEVE_WORDS;
  unsigned __int128 words = (unsigned __int128) (inspector->n_cells / 64) * (size_t) n_maps (pass);
  return words < (unsigned __int128) (pass->hi - pass->lo) * (size_t) words_an_iter
	 || words < (unsigned __int128) (inspector->work_ns / WORK_SHARE) * 1000 / PS_A_WORD
	 || words < words_for_shadow (pass);
}

/* Make the shadow for the layout ready.  False: no memory, or more of it than is allowed.  */
static bool
begin_shadow (struct pg_pass *pass)
{
  struct pg_inspector *inspector = pass->inspector;
  size_t len = shadow_len (pass);
  return (len <= inspector->shadow.len || len <= inspector->most_new_len)
	 && pg_shadow_begin (&inspector->shadow, inspector->n_cells, pass->hi - pass->lo);
}

/* Learn from the sieve's lists how many words iterations mark; where one was too short, more than there may be.  */
static void
learn_words (const struct pg_pass *pass)
{
  struct pg_inspector *inspector = pass->inspector;
  bool is_lost;
  if (!inspector->sieve.has_lists)
    return;
  inspector->n_listed = pg_sieve_listed (&inspector->sieve, &is_lost);
  inspector->listed_iters = pass->hi - pass->lo;
  if (is_lost)
    inspector->n_listed = inspector->n_cells / 64 / LIST_SHARE * 2;
}

/* The same for the sieve.  */
static bool
begin_sieve (struct pg_pass *pass)
{
  struct pg_inspector *inspector = pass->inspector;
  size_t len = inspector->n_cells / 8 * (size_t) n_maps (pass);
  pg_sieve_inherit (&inspector->sieve, len);
  size_t old_len = inspector->sieve.len;
  if (len > old_len && len > inspector->most_new_len)
    return false;
  int64_t start = pg_now ();
  bool has_begun = pg_sieve_begin (&inspector->sieve, inspector->n_cells, pass->n_seats,
				   pg_layout_has_checks (inspector), list_len (pass));
  if (inspector->sieve.len > old_len)
    inspector->once_ns += pg_now () - start;
  return has_begun;
}

/* Make the table for the layout ready, preferably the sieve.  PG_MARK_NOT: no memory, or no layout.  */
static enum pg_marking
begin_marks (struct pg_pass *pass)
{
  const struct pg_inspector *inspector = pass->inspector;
  if (inspector->n_cells == 0)
    return PG_MARK_NOT;
  if (inspector->sieve_rest == 0 && is_sieve_small (pass) && begin_sieve (pass))
    return PG_MARK_SIEVE;
  return begin_shadow (pass) ? PG_MARK_SHADOW : PG_MARK_NOT;
}

/* Trace, and find out whether a pair is open then.  *MARKING says whether all writes of open pairs are marked too.  */
static bool
trace_and_settle (struct pg_pass *pass, enum pg_marking *marking)
{
  struct pg_inspector *inspector = pass->inspector;
  pg_layout_guess (inspector, pass->view, pass->lo, pass->hi);
  *marking = inspector->n_misfits < MAX_MISFITS ? begin_marks (pass) : PG_MARK_NOT;
  pg_pass_trace (pass, *marking);
  if (!pg_layout_close (inspector, pass->view))
    return false;
  bool fits = inspector->n_cells > 0 && pg_layout_adopt (inspector);
  inspector->n_misfits = fits ? 0 : inspector->n_misfits + 1;
  if (!fits)
    *marking = PG_MARK_NOT;
  return true;
}

/* Do the sieve's marks show that PASS is clean?  */
static bool
sieve_is_clean (struct pg_pass *pass)
{
  struct pg_inspector *inspector = pass->inspector;
  bool is_clean
    = !atomic_load_explicit (&pass->is_doubtful, memory_order_relaxed) && pg_sieve_unite (&inspector->sieve);
  learn_words (pass);
  if (is_clean)
    inspector->n_doubts = 0;
  else
    {
      inspector->n_doubts += inspector->n_doubts < MAX_DOUBTS;
      inspector->sieve_rest = 1 << inspector->n_doubts;
    }
  return is_clean;
}

/* The first conflict of PASS, whose pairs are open, or its end; or its beginning: cannot tell.  */
static int64_t
find_conflict (struct pg_pass *pass, enum pg_marking marking)
{
  struct pg_inspector *inspector = pass->inspector;
  if (marking == PG_MARK_NOT)
    {
      pg_layout_make (inspector, pass->view);
      marking = begin_marks (pass);
      if (marking == PG_MARK_NOT)
	{
	  inspector->n_cells = 0;
	  return pass->lo;
	}
      pg_pass_mark (pass, marking);
    }
  if (marking == PG_MARK_SIEVE)
    {
      if (sieve_is_clean (pass))
	return pass->hi;
      if (!begin_shadow (pass))
	return pass->lo;
      pg_pass_mark (pass, PG_MARK_SHADOW);
    }
  if (pg_layout_has_checks (inspector))
    pg_pass_check (pass);
  uint32_t conflict = atomic_load_explicit (&pass->conflict, memory_order_relaxed);
  return conflict == PG_NO_STAMP ? pass->hi : pass->lo + (int64_t) (conflict - inspector->shadow.floor - 1);
}

/* INSPECTOR's sieve is not needed any more.  */
static void
end_sieve (struct pg_inspector *inspector)
{
  pg_sieve_clear (&inspector->sieve);
  pg_sieve_leave (&inspector->sieve);
}

int64_t
pg_inspect (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi)
{
  struct pg_pass pass = { .inspector = inspector };
  enum pg_marking marking;

  inspector->n_traced = 0;
  inspector->has_bounds = false;
  inspector->once_ns = 0;
  inspector->sieve_rest -= inspector->sieve_rest > 0;
  if (hi - lo <= 1)
    return hi;
  if (!pg_layout_open (inspector, view, lo, hi))
    return hi;
  if (hi - lo >= INT32_MAX || !pg_pass_begin (&pass, inspector, view, lo, hi))
    return lo;
  if (!trace_and_settle (&pass, &marking))
    {
      end_sieve (inspector);
      inspector->n_cells = 0; /* ranges may well be enough next time */
      PG_LOG (CHECK, "region %s:%u: iterations %lld to %lld are clean by their ranges", view->region->file,
	      view->region->line, (long long) lo, (long long) hi);
      return hi;
    }
  int64_t end = find_conflict (&pass, marking);
  end_sieve (inspector);
  PG_LOG (CHECK, "region %s:%u: iterations %lld to %lld are clean%s, %zu cells, %d passes", view->region->file,
	  view->region->line, (long long) lo, (long long) end, end < hi ? " up to a conflict" : "", inspector->n_cells,
	  pass.n_runs);
  return end;
}

bool
pg_inspect_bounds (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi)
{
  struct pg_pass pass = { .inspector = inspector };
  inspector->n_traced = 0;
  if (hi - lo >= INT32_MAX)
    return false;
  pg_layout_open_all (inspector, view, lo, hi);
  if (!pg_pass_begin (&pass, inspector, view, lo, hi))
    return false;
  pg_pass_trace (&pass, PG_MARK_NOT);
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    inspector->bounds[r] = (struct pg_bound) { inspector->totals[r].low, inspector->totals[r].end };
  inspector->has_bounds = true;
  return true;
}

const struct pg_bound *
pg_inspector_bounds (const struct pg_inspector *inspector)
{
  return inspector->bounds;
}

bool
pg_inspect_possible (const struct pg_view *view)
{
  const struct pg_region *region = view->region;
  if (region->monitor == NULL || (region->flags & PG_REGION_ALIKE))
    return false;
  if (region->flags & PG_REGION_SLICE_STABLE)
    return true;
  for (uint32_t r = 0; r < region->n_refs; r++)
    {
      uint8_t flags = region->refs[r].flags;
      bool is_safe = !(flags & PG_REF_FEEDS_LOAD) || (region->flags & PG_REGION_RELIES_ON_LOADS);
      if (!is_safe || ((flags & PG_REF_FEEDS) && (flags & PG_REF_WRITE)))
	return false;
    }
  return true;
}

void
pg_inspector_allow (struct pg_inspector *inspector, size_t len, int64_t work_ns)
{
  inspector->most_new_len = len;
  inspector->work_ns = work_ns;
}

int64_t
pg_inspector_once_ns (const struct pg_inspector *inspector)
{
  return inspector->once_ns;
}

/* Reserve LEN bytes, aligned, of a block of *TOTAL bytes; returns their offset.  */
static size_t
take (size_t *total, size_t len)
{
  size_t at = *total;
  *total += (len + PG_CACHE_LINE - 1) / PG_CACHE_LINE * PG_CACHE_LINE;
  return at;
}

struct pg_inspector *
pg_inspector_new (const struct pg_region *region)
{
  size_t n_refs = region->n_refs, len = 0;
  take (&len, sizeof (struct pg_inspector));
  size_t roles = take (&len, n_refs * sizeof (struct pg_ref_role));
  size_t totals = take (&len, n_refs * sizeof (struct pg_range));
  size_t drifts = take (&len, n_refs * sizeof (struct pg_drift));
  size_t guess = take (&len, n_refs * sizeof (struct pg_range));
  size_t bounds = take (&len, n_refs * sizeof (struct pg_bound));
  size_t areas = take (&len, n_refs * sizeof (uint32_t));
  size_t open = take (&len, (n_refs * n_refs + 7) / 8);
  size_t likely = take (&len, (n_refs * n_refs + 7) / 8);
  char *block = pg_arena_get (len);
  if (block == NULL)
    return NULL;

  struct pg_inspector *inspector = (struct pg_inspector *) block;
  inspector->region = region;
  inspector->len = len;
  inspector->most_new_len = SIZE_MAX;
  inspector->roles = (struct pg_ref_role *) (block + roles);
  inspector->totals = (struct pg_range *) (block + totals);
  inspector->drifts = (struct pg_drift *) (block + drifts);
  inspector->guess = (struct pg_range *) (block + guess);
  inspector->bounds = (struct pg_bound *) (block + bounds);
  inspector->areas = (uint32_t *) (block + areas);
  inspector->open = (uint8_t *) (block + open);
  inspector->likely = (uint8_t *) (block + likely);
  inspector->runs_an_iter = 4;
  return inspector;
}

void
pg_inspector_free (struct pg_inspector *inspector)
{
  if (inspector == NULL)
    return;
  pg_verdicts_free (inspector);
  pg_shadow_free (&inspector->shadow);
  pg_sieve_free (&inspector->sieve);
  pg_budget_put (inspector->seats, inspector->seats_len);
  pg_budget_put (inspector->jobs, inspector->jobs_len);
  pg_budget_put (inspector->runs, inspector->runs_len);
  pg_arena_put (inspector, inspector->len);
}
