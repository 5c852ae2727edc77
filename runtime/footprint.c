/* SPDX-License-Identifier: MIT
   Entry expressions and footprints.

   An affine reference's address is base + sum of coef[d] * number of iteration of dimension d, all coefficients known
   at entry.  Its *window* is two linear functions of the region's own iteration i: no access of iteration i lies
   outside [low (i), end (i)).

       for (i) for (j <= i) a[i*n + j]	    low (i) = a + 8*n*i, end (i) = a + 8*n*i + 8*i + 8

   They come from eliminating the inner dimensions, innermost first.  For a dimension d with numbers 0 .. last, and
   last >= 0, coef * number is at most max (coef, 0) * last; last is a linear function of outer numbers, so the product
   goes into base and outer coefficients, and what is left is again a linear function, of fewer dimensions.  Where last
   is below zero the loop does not run, nothing is accessed, and whatever the bound says there is true of no access;
   each further step takes the maximum over a set of outer numbers that contains all those with accesses.  So the result
   is at or above every access (below, with min, for the low end), though not tight around loops that do not run.
   A loop that runs once even then, as nothing is tested before its first iteration, has a last of max (last, 0), which
   is no linear function: where last may be below zero, the largest that it gets is taken in its place.

   These are true integers: no step may overflow, and results stay within PG_LINE_LIMIT.  The program computes
   addresses modulo 2^64; as its accesses lie in the address space and the two are congruent, they are equal.  The
   wrap checks show that the program's narrower index arithmetic was exact too.  A reference about which any of this
   is not known counts as opaque for this entry: only the monitor can say what it touches.  */
#include "footprint.h"

#include <string.h>

static size_t
align (size_t len)
{
  return (len + 15) & ~(size_t) 15;
}

size_t
pg_view_len (const struct pg_region *region)
{
  size_t n_pairs = (size_t) region->n_refs * region->n_refs;
  return align (sizeof (struct pg_view)) + align (region->n_nodes * sizeof (struct pg_number))
	 + align (region->n_dims * sizeof (struct pg_level)) + align (region->n_refs * sizeof (struct pg_place))
	 + align ((n_pairs + 7) / 8);
}

/* The SIZE-byte integer at ADDRESS, which need not be aligned.  */
static struct pg_number
read_arg (const char *address, int size, bool is_signed)
{
  struct pg_number number = { 0, true };
  int64_t v64 = 0;
  int32_t v32 = 0;
  int16_t v16 = 0;
  int8_t v8 = 0;
  switch (size)
    {
    case 1:
      memcpy (&v8, address, 1);
      number.value = is_signed ? v8 : (uint8_t) v8;
      break;
    case 2:
      memcpy (&v16, address, 2);
      number.value = is_signed ? v16 : (uint16_t) v16;
      break;
    case 4:
      memcpy (&v32, address, 4);
      number.value = is_signed ? v32 : (int64_t) (uint32_t) v32;
      break;
    case 8:
      memcpy (&v64, address, 8);
      number.value = v64;
      number.known = is_signed || v64 >= 0;
      break;
    default:
      number.known = false;
    }
  return number;
}

/* Node INDEX of those that VIEW has evaluated, N of them.  */
static struct pg_number
node (const struct pg_view *view, int index, uint32_t n)
{
  if (index == -1)
    return (struct pg_number) { 0, true };
  if (index < 0 || (uint32_t) index >= n)
    return (struct pg_number) { 0, false };
  return view->nodes[index];
}

/* Evaluate VIEW's nodes.  Whether one is not what it was, or, if nothing IS_KNOWN of that, all are new.  */
static bool
evaluate_nodes (struct pg_view *view, bool is_known)
{
  const struct pg_region *region = view->region;
  bool has_changed = !is_known;
  for (uint32_t i = 0; i < region->n_nodes; i++)
    {
      const struct pg_node *source = &region->nodes[i];
      struct pg_number a = node (view, source->a, i), b = node (view, source->b, i);
      struct pg_number number = { 0, a.known && b.known };
      bool overflow = false;
      switch (source->op)
	{
	case PG_NODE_CONST:
	  number = (struct pg_number) { source->value, true };
	  break;
	case PG_NODE_ARG:
	  number = read_arg ((const char *) view->args + source->value, source->size, source->is_signed);
	  break;
	case PG_NODE_ADD:
	  overflow = __builtin_add_overflow (a.value, b.value, &number.value);
	  break;
	case PG_NODE_SUB:
	  overflow = __builtin_sub_overflow (a.value, b.value, &number.value);
	  break;
	case PG_NODE_MUL:
	  overflow = __builtin_mul_overflow (a.value, b.value, &number.value);
	  break;
	default:
	  overflow = true;
	}
      if (overflow || !number.known)
	number = (struct pg_number) { 0, false };
      has_changed = has_changed || number.value != view->nodes[i].value || number.known != view->nodes[i].known;
      view->nodes[i] = number;
    }
  return has_changed;
}

static void
evaluate_linear (const struct pg_view *view, const struct pg_linear *linear, struct pg_form *form)
{
  struct pg_number number = node (view, linear->base, view->region->n_nodes);
  form->base = number.value;
  form->known = number.known;
  for (uint32_t d = 0; d < view->region->n_dims; d++)
    {
      number = node (view, linear->coef[d], view->region->n_nodes);
      form->coef[d] = number.value;
      form->known &= number.known;
    }
}

/* Can LINE be evaluated in every iteration of the entry?  */
static bool
line_in_limit (const struct pg_line *line, int64_t n_iters)
{
  int64_t at_end;
  return pg_in_line_limit (line->base) && !__builtin_mul_overflow (line->step, n_iters - 1, &at_end)
	 && !__builtin_add_overflow (at_end, line->base, &at_end) && pg_in_line_limit (at_end);
}

/* Make FORM, in dimension DIM, a function of dimension STOP around it and of those around that, which its value never
   passes: upwards if UPPER, else downwards.  False: not known.  */
static bool
eliminate (const struct pg_view *view, struct pg_form *form, int dim, int stop, bool upper)
{
  if (!form->known)
    return false;
  for (int d = dim; d > stop; d = view->region->dims[d].parent)
    {
      const struct pg_form *last = &view->levels[d].last;
      int64_t coef = form->coef[d];
      form->coef[d] = 0;
      if (upper ? coef <= 0 : coef >= 0)
	continue;
      if (!last->known)
	return false;
      int64_t part;
      if (__builtin_mul_overflow (coef, last->base, &part) || __builtin_add_overflow (form->base, part, &form->base))
	return false;
      for (int outer = 0; outer < d; outer++)
	if (__builtin_mul_overflow (coef, last->coef[outer], &part)
	    || __builtin_add_overflow (form->coef[outer], part, &form->coef[outer]))
	  return false;
    }
  for (int d = 1; d < (int) view->region->n_dims; d++)
    if (form->coef[d] != 0 && d != stop)
      return false;
  return true;
}

/* Set *LINE to a linear function of the region's iteration that FORM, in dimension DIM, never passes: upwards if
   UPPER, else downwards.  False: not known.  */
static bool
bound_form (const struct pg_view *view, struct pg_form form, int dim, bool upper, struct pg_line *line)
{
  if (!eliminate (view, &form, dim, 0, upper))
    return false;
  *line = (struct pg_line) { form.base, form.coef[0] };
  return line_in_limit (line, view->n_iters);
}

/* Set [*LEAST, *MOST] to bounds of FORM, in dimension DIM, over the entry.  */
static bool
bound_over_entry (const struct pg_view *view, const struct pg_form *form, int dim, int64_t *least, int64_t *most)
{
  struct pg_line low, high;
  if (!bound_form (view, *form, dim, false, &low) || !bound_form (view, *form, dim, true, &high))
    return false;
  int64_t last = view->n_iters - 1;
  *least = low.step < 0 ? pg_line_at (&low, last) : low.base;
  *most = high.step > 0 ? pg_line_at (&high, last) : high.base;
  return true;
}

/* Is DIM a dimension of REGION whose chain of parents ends in dimension 0?  */
static bool
dim_is_valid (const struct pg_region *region, int dim)
{
  int depth = 1;
  if (dim < 0 || (uint32_t) dim >= region->n_dims || region->n_dims > PG_MAX_DIMS)
    return false;
  for (; dim > 0; depth++)
    {
      int parent = region->dims[dim].parent;
      if (parent < 0 || parent >= dim)
	return false;
      dim = parent;
    }
  return depth <= PG_MAX_DEPTH;
}

/* Have LEVEL, which may get below zero, run once then.  */
static void
run_once (struct pg_level *level)
{
  level->least = 0;
  level->most = level->most < 0 ? 0 : level->most;
  level->last = (struct pg_form) { .base = level->most, .known = level->is_bounded };
  level->is_loose = level->most > 0;
}

static void
evaluate_levels (struct pg_view *view)
{
  for (uint32_t d = 0; d < view->region->n_dims; d++)
    {
      const struct pg_dim *dim = &view->region->dims[d];
      struct pg_level *level = &view->levels[d];
      memset (level, 0, sizeof *level);
      if (!dim_is_valid (view->region, (int) d))
	continue;
      if (d == 0)
	{
	  level->last.base = level->least = level->most = view->n_iters - 1;
	  level->last.known = level->is_bounded = true;
	  continue;
	}
      evaluate_linear (view, &dim->last, &level->last);
      level->is_bounded = bound_over_entry (view, &level->last, dim->parent, &level->least, &level->most);
      if (dim->flags & PG_DIM_ONCE && (!level->is_bounded || level->least < 0))
	run_once (level);
    }
}

/* Does a loop that encloses DIM, inclusive, surely never run?  */
static bool
never_runs (const struct pg_view *view, int dim)
{
  for (int d = dim; d > 0; d = view->region->dims[d].parent)
    if (view->levels[d].is_bounded && view->levels[d].most < 0)
      return true;
  return false;
}

/* Did no index leave its type?  */
static bool
nothing_wraps (const struct pg_view *view)
{
  for (uint32_t i = 0; i < view->region->n_checks; i++)
    {
      const struct pg_wrap_check *check = &view->region->checks[i];
      if (!dim_is_valid (view->region, check->dim) || check->bits < 8 || check->bits > 32)
	return false;
      if (never_runs (view, check->dim))
	continue;
      struct pg_form value;
      evaluate_linear (view, &check->value, &value);
      int64_t least, most;
      if (!bound_over_entry (view, &value, check->dim, &least, &most))
	return false;
      int64_t top = (int64_t) 1 << (check->bits - check->is_signed);
      if (least < (check->is_signed ? -top : 0) || most >= top)
	return false;
    }
  return true;
}

static void
evaluate_place (struct pg_view *view, uint32_t index, bool is_exact)
{
  const struct pg_ref *ref = &view->region->refs[index];
  struct pg_place *place = &view->places[index];
  memset (place, 0, sizeof *place);
  if (!is_exact || !(ref->flags & PG_REF_AFFINE) || !dim_is_valid (view->region, ref->dim) || ref->len < 0)
    return;
  evaluate_linear (view, &ref->address, &place->address);
  if (!bound_form (view, place->address, ref->dim, false, &place->window.low)
      || !bound_form (view, place->address, ref->dim, true, &place->window.end)
      || __builtin_add_overflow (place->window.end.base, ref->len, &place->window.end.base)
      || !line_in_limit (&place->window.end, view->n_iters))
    return;
  place->is_affine = true;
  place->is_never = never_runs (view, ref->dim);
}

void
pg_view_renew (struct pg_view *view, const struct pg_region *region, const void *args, int64_t n_iters)
{
  char *next = (char *) view + align (sizeof *view);
  bool is_known = view->region == region && view->n_iters == n_iters;
  view->region = region;
  view->args = args;
  view->n_iters = n_iters < 1 ? 1 : n_iters;
  view->bounds = NULL;
  view->is_checked = false;
  view->effort = 0;
  view->nodes = (struct pg_number *) next;
  next += align (region->n_nodes * sizeof (struct pg_number));
  view->levels = (struct pg_level *) next;
  next += align (region->n_dims * sizeof (struct pg_level));
  view->places = (struct pg_place *) next;
  next += align (region->n_refs * sizeof (struct pg_place));
  view->settled = (uint8_t *) next;
  if (!evaluate_nodes (view, is_known))
    return;

  view->asked.was_asked = false;
  memset (view->settled, 0, ((size_t) region->n_refs * region->n_refs + 7) / 8);
  evaluate_levels (view);
  bool is_exact = nothing_wraps (view);
  for (uint32_t i = 0; i < region->n_refs; i++)
    evaluate_place (view, i, is_exact);
}

void
pg_view_forget (struct pg_view *view)
{
  view->region = NULL;
}

void
pg_view_evaluate (struct pg_view *view, const struct pg_region *region, const void *args, int64_t n_iters)
{
  pg_view_forget (view);
  pg_view_renew (view, region, args, n_iters);
}

bool
pg_view_begins_at (const struct pg_view *view, const void *address)
{
  for (uint32_t i = 0; i < view->region->n_refs; i++)
    if (view->places[i].is_affine && view->places[i].address.base == (int64_t) (uintptr_t) address)
      return true;
  return false;
}

void
pg_place_extent (const struct pg_view *view, uint32_t ref, int64_t lo, int64_t hi, int64_t *low, int64_t *end)
{
  const struct pg_window *window = &view->places[ref].window;
  *low = pg_line_at (&window->low, window->low.step < 0 ? hi - 1 : lo);
  *end = pg_line_at (&window->end, window->end.step > 0 ? hi - 1 : lo);
}

/* The turns that the loops around affine reference REF take in all.  Where trip counts vary, half way between the least
   and the most is what they are on average, if they grow evenly.  */
static int64_t
turns_of (const struct pg_view *view, uint32_t ref)
{
  int64_t turns = view->n_iters;
  for (int d = view->region->refs[ref].dim; d > 0; d = view->region->dims[d].parent)
    {
      const struct pg_level *level = &view->levels[d];
      if (!level->is_bounded || level->is_loose || level->most < 0)
	return 0;
      int64_t least = level->least < -1 ? -1 : level->least;
      if (__builtin_mul_overflow (turns, least + (level->most - least) / 2 + 1, &turns))
	return INT64_MAX;
    }
  return turns;
}

int64_t
pg_view_turns (const struct pg_view *view)
{
  int64_t most = 0;
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    {
      bool is_usual
	= !(view->region->refs[r].flags & PG_REF_CONDITIONAL) || (view->region->refs[r].flags & PG_REF_USUAL);
      int64_t turns = is_usual && view->places[r].is_affine ? turns_of (view, r) : 0;
      most = turns > most ? turns : most;
    }
  return most;
}

/* Can PLANE be evaluated in every iteration of the entry, and in turns up to LAST?  */
static bool
plane_in_limit (const struct pg_plane *plane, int64_t n_iters, int64_t last)
{
  struct pg_line first = { plane->base, plane->row }, behind = { 0, plane->row };
  int64_t turns;
  if (__builtin_mul_overflow (plane->turn, last, &turns) || __builtin_add_overflow (plane->base, turns, &behind.base))
    return false;
  return line_in_limit (&first, n_iters) && line_in_limit (&behind, n_iters);
}

bool
pg_place_planes (const struct pg_view *view, uint32_t ref, int dim, struct pg_plane *low, struct pg_plane *end)
{
  const struct pg_place *place = &view->places[ref];
  const struct pg_level *level = &view->levels[dim];
  struct pg_form least = place->address, most = place->address;
  int inner = view->region->refs[ref].dim;
  if (!place->is_affine || !level->is_bounded || !eliminate (view, &least, inner, dim, false)
      || !eliminate (view, &most, inner, dim, true))
    return false;
  *low = (struct pg_plane) { least.base, least.coef[0], dim > 0 ? least.coef[dim] : 0 };
  *end = (struct pg_plane) { most.base, most.coef[0], dim > 0 ? most.coef[dim] : 0 };
  int64_t last = dim > 0 && level->most > 0 ? level->most : 0;
  return !__builtin_add_overflow (end->base, view->region->refs[ref].len, &end->base)
	 && plane_in_limit (low, view->n_iters, last) && plane_in_limit (end, view->n_iters, last);
}

/* Does reference REF touch both ends of its extent, so that all between is one object?  */
static bool
reaches_its_ends (const struct pg_view *view, const struct pg_ref *ref)
{
  if (ref->flags & PG_REF_CONDITIONAL)
    return false;
  for (int d = ref->dim; d > 0; d = view->region->dims[d].parent)
    if (!view->levels[d].is_bounded || view->levels[d].least < 0 || view->levels[d].is_loose)
      return false;
  return true;
}

/* Put [LOW, END) among the N disjoint ascending SPANS, of which there is room for MAX.  False: no room.  */
static bool
add_span (struct pg_span *spans, int max, int *n, int64_t low, int64_t end)
{
  int at = 0, behind;
  while (at < *n && (int64_t) (intptr_t) (spans[at].start + spans[at].len) < low)
    at++;
  for (behind = at; behind < *n && (int64_t) (intptr_t) spans[behind].start <= end; behind++)
    {
      int64_t start = (int64_t) (intptr_t) spans[behind].start;
      int64_t stop = start + (int64_t) spans[behind].len;
      low = start < low ? start : low;
      end = stop > end ? stop : end;
    }
  if (*n - (behind - at) + 1 > max)
    return false;
  memmove (&spans[at + 1], &spans[behind], (size_t) (*n - behind) * sizeof *spans);
  *n += 1 - (behind - at);
  spans[at] = (struct pg_span) { (char *) (intptr_t) low, (size_t) (end - low) };
  return true;
}

bool
pg_view_write_spans (const struct pg_view *view, struct pg_span *spans, int max, int *n)
{
  *n = 0;
  for (uint32_t i = 0; i < view->region->n_refs; i++)
    {
      const struct pg_ref *ref = &view->region->refs[i];
      const struct pg_place *place = &view->places[i];
      int64_t low, end;
      if (!(ref->flags & PG_REF_WRITE) || (place->is_never && !(ref->flags & PG_REF_OWN)))
	continue;
      if (!place->is_affine || !reaches_its_ends (view, ref))
	return false;
      pg_place_extent (view, i, 0, view->n_iters, &low, &end);
      if (low < end && !add_span (spans, max, n, low, end))
	return false;
    }
  return true;
}

/* The loops around a written reference, innermost first, and their iteration.  */
struct turns
{
  const struct pg_view *view;
  const struct pg_place *place;
  int64_t len; /* of each access */
  int n_dims, dims[PG_MAX_DEPTH];
  int64_t at[PG_MAX_DIMS]; /* by dimension */
  void (*note) (void *data, int64_t low, int64_t len);
  void *data;
};

/* The value of FORM in the iteration of TURNS.  */
static int64_t
form_at (const struct turns *turns, const struct pg_form *form)
{
  int64_t value = form->base;
  for (uint32_t d = 0; d < turns->view->region->n_dims; d++)
    value += form->coef[d] * turns->at[d];
  return value;
}

/* Note what the innermost loop of TURNS writes, which goes N turns, STEP bytes apart.  */
static void
note_row (const struct turns *turns, int64_t n, int64_t step)
{
  int64_t first = form_at (turns, &turns->place->address), past = (n - 1) * step;
  if (step <= turns->len && -step <= turns->len)
    turns->note (turns->data, step < 0 ? first + past : first, (step < 0 ? -past : past) + turns->len);
  else
    for (int64_t i = 0; i < n; i++)
      turns->note (turns->data, first + i * step, turns->len);
}

/* Note what the loop of number WHICH of TURNS writes, in this iteration of those around it.  */
static void
note_turns (struct turns *turns, int which)
{
  int d = turns->dims[which];
  int64_t n = form_at (turns, &turns->view->levels[d].last) + 1;
  if (which == 0)
    note_row (turns, n, turns->place->address.coef[d]);
  else
    for (turns->at[d] = 0; turns->at[d] < n; turns->at[d]++)
      note_turns (turns, which - 1);
  turns->at[d] = 0;
}

void
pg_view_each_write (const struct pg_view *view, void (*note) (void *data, int64_t low, int64_t len), void *data)
{
  for (uint32_t i = 0; i < view->region->n_refs; i++)
    {
      const struct pg_ref *ref = &view->region->refs[i];
      struct turns turns = { .view = view, .place = &view->places[i], .len = ref->len, .note = note, .data = data };
      if (!(ref->flags & PG_REF_WRITE) || turns.place->is_never)
	continue;
      turns.dims[turns.n_dims++] = ref->dim;
      for (int d = ref->dim; d > 0; d = view->region->dims[d].parent)
	turns.dims[turns.n_dims++] = view->region->dims[d].parent;
      note_turns (&turns, turns.n_dims - 1);
    }
}
