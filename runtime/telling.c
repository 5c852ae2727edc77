/* SPDX-License-Identifier: MIT
   What a scout does with what the monitor tells it of.  See telling.h.

   The monitor tells of every access that the loop would make, so the functions here are all that counts in the time of
   an inspection.  There are four for each kind of pass, made from the same inline functions:

     touch	a run of bytes, such as a row that an inner loop goes through without gaps; where only the range counts,
		the monitor itself makes a tail of it that grows with the next row
     touch_row	pieces a stride apart, such as a column, or a field of each structure in an array
     gather	what a row of integers makes an inner loop read: x[col[k]].  Where iterations are no matter, the rows
		of many are one, and where only the range counts, so do only the least and the largest
     drain	the log of a reference that goes anywhere: what it needs of its role is fetched once for many  */
#include "telling.h"

#include <string.h>

#define NO_END ((const void *) UINTPTR_MAX) /* of a tail: nothing begins there */

enum
{
  MANY_VAIN = 32, /* times that all streams were asked in vain, and nobody else */
  GAIN = 8,       /* of these, so many are made up for by one that was not */
  SELDOM = 16,
  N_INTS = 4 /* in a vector */
};

/* What a pass does with a touch, next to tracing it.  */
enum act
{
  ACT_NOT,
  ACT_SIEVE,       /* mark writes and reads in the sieve */
  ACT_SHADOW,      /* mark writes in the shadow */
  ACT_SHADOW_CHECK /* compare reads with it */
};

/* The roles with a part in a pass.  */
#define ROLES(IS_TRACING, ACT)                                   \
  (((IS_TRACING) ? PG_ROLE_TRACE : 0)                            \
   | ((ACT) == ACT_SIEVE          ? PG_ROLE_MARK | PG_ROLE_CHECK \
      : (ACT) == ACT_SHADOW       ? PG_ROLE_MARK                 \
      : (ACT) == ACT_SHADOW_CHECK ? PG_ROLE_CHECK                \
				  : 0))

_Static_assert(PG_LOG_ENTRIES <= PG_SIEVE_LEAST_ROOM, "a log is marked without a question in between");

static inline void
report (struct pg_scout *scout, uint32_t stamp)
{
  if (stamp < scout->conflict)
    scout->conflict = stamp;
}

/* Note the run of REF in STREAM, if any.  */
static void
end_run (struct pg_scout *scout, const struct pg_trace *t, int64_t ref, int stream)
{
  uintptr_t low = t->streams[stream].low, len = t->streams[stream].end - low;
  if (t->streams[stream].end == 0)
    return;
  if (scout->n_runs < scout->max_runs)
    scout->runs[scout->n_runs] = (struct pg_run) { low, (uint32_t) len, (uint32_t) ref };
  scout->n_runs++;
  scout->has_long_run |= len > UINT32_MAX;
}

/* Note LEN bytes at ADDRESS in the runs of REF.  Streams mostly take turns: the one that is due is asked first, and
   makes room where nobody goes on; then the latest.  To ask the others is much work, and to have two runs for what
   could be one is little: where it is mostly in vain, they are seldom asked.  */
static void
add_to_run (struct pg_scout *scout, struct pg_trace *t, int64_t ref, uintptr_t address, uintptr_t len)
{
  int due = (t->stream + 1) % PG_STREAMS;
  if (address == t->streams[due].end)
    {
      t->streams[due].end = address + len;
      t->stream = (uint8_t) due;
      return;
    }
  bool asks_all = t->n_vain < MANY_VAIN || ++t->n_unasked % SELDOM == 0;
  for (int tries = 0; tries < (asks_all ? PG_STREAMS : 2); tries++)
    {
      int stream = (due + PG_STREAMS - tries) % PG_STREAMS;
      if (address + len < t->streams[stream].low || address > t->streams[stream].end)
	continue;
      if (address < t->streams[stream].low)
	t->streams[stream].low = address;
      if (address + len > t->streams[stream].end)
	t->streams[stream].end = address + len;
      t->stream = (uint8_t) stream;
      if (tries > 1)
	t->n_vain -= t->n_vain < GAIN ? t->n_vain : GAIN;
      return;
    }
  t->n_vain += asks_all && t->n_vain < 2 * MANY_VAIN;
  t->stream = (uint8_t) due;
  end_run (scout, t, ref, t->stream);
  t->streams[t->stream].low = address;
  t->streams[t->stream].end = address + len;
}

/* Note the step to LEN bytes at ADDRESS in T.  */
static inline void
note_step (struct pg_trace *t, uintptr_t address, uintptr_t len)
{
  intptr_t gap_above = (intptr_t) (address - t->last) - (intptr_t) t->last_len;
  intptr_t gap_below = (intptr_t) (t->last - address) - (intptr_t) len;
  if ((gap_above > PG_DENSE_STEP || gap_below > PG_DENSE_STEP) && t->end != 0)
    t->is_sparse = true;
  t->last = address;
  t->last_len = len;
}

/* Note how REF, which feeds the monitor, goes through memory.  */
static __attribute__ ((noinline)) void
trace_steps (struct pg_scout *scout, int64_t ref, struct pg_strided row)
{
  struct pg_trace *t = &scout->traces[ref];
  if (scout->roles[ref].what & PG_ROLE_RUNS)
    {
      for (; row.count > 0; row.count--, row.low += row.stride)
	add_to_run (scout, t, ref, row.low, row.len);
      return;
    }
  note_step (t, row.low, (row.count - 1) * row.stride + row.len);
  t->is_sparse |= row.count > 1 && row.stride - row.len > PG_DENSE_STEP;
}

/* Widen the trace of REF to [LOW, END).  */
static inline void
widen (struct pg_scout *scout, struct pg_trace *t, uintptr_t low, uintptr_t end)
{
  if (low < t->low)
    {
      if (t->end == 0)
	t->order = scout->n_touched++;
      t->low = low;
    }
  if (end > t->end)
    t->end = end;
}

/* Trace the tail of REF, if it has one.  */
static inline void
end_tail (struct pg_scout *scout, int64_t ref)
{
  struct pg_trace *t = &scout->traces[ref];
  struct pg_tail *tail = &scout->monitor.tails[ref];
  uintptr_t end = (uintptr_t) tail->end;
  if (tail->end == NO_END)
    return;
  t->end = end > t->end ? end : t->end;
  t->bits |= tail->bits;
  t->last_len = end - t->last;
  tail->end = NO_END;
}

static inline void
trace (struct pg_scout *scout, int64_t ref, struct pg_strided row)
{
  struct pg_trace *t = &scout->traces[ref];
  end_tail (scout, ref);
  if (scout->roles[ref].what & (PG_ROLE_FEED | PG_ROLE_RUNS))
    trace_steps (scout, ref, row);
  widen (scout, t, row.low, row.low + (row.count - 1) * row.stride + row.len);
  t->bits |= row.low | row.len | (row.count > 1 ? row.stride : 0);
}

static inline bool
is_same_row (struct pg_strided a, struct pg_strided b)
{
  return a.low == b.low && a.len == b.len && a.count == b.count && (a.count == 1 || a.stride == b.stride);
}

/* Set the bits of ROW, inside ROLE's area, in MARKS.  Returns whether one was set.  */
static inline bool
set_bits (const struct pg_ref_role *role, struct pg_marks *marks, struct pg_strided row)
{
  size_t cell = role->first + ((row.low - role->low) >> role->shift);
  size_t n_cells = (role->first + ((row.low + row.len - 1 - role->low) >> role->shift)) - cell + 1;
  if (row.count == 1)
    return n_cells == 1 ? pg_sieve_mark (marks, cell) : pg_sieve_mark_all (marks, cell, n_cells);
  if (n_cells == 1 && row.stride % ((uintptr_t) 1 << role->shift) == 0)
    return pg_sieve_mark_row (marks, cell, row.count, row.stride >> role->shift);
  bool was_set = false;
  for (; row.count > 0; row.count--, row.low += row.stride)
    was_set |= set_bits (role, marks, (struct pg_strided) { .low = row.low, .len = row.len, .count = 1 });
  return was_set;
}

/* Mark ROW, all of it in the area of REF and aligned to its cells, as written in iteration ITER.  A bit of the sieve
   that was set by the touch before, of the same bytes in the same iteration, as in a sum kept in memory, says nothing
   new.  */
static inline void
mark (struct pg_scout *scout, int64_t ref, struct pg_strided row, int64_t iter, enum act act)
{
  const struct pg_ref_role *role = &scout->roles[ref];
  struct pg_trace *t = &scout->traces[ref];
  if (act == ACT_SIEVE)
    {
      if (set_bits (role, &scout->writes, row) && !(iter == t->marked_iter && is_same_row (row, t->marked)))
	scout->is_doubtful = true;
      t->marked = row;
      t->marked_iter = iter;
      return;
    }
  for (; row.count > 0; row.count--, row.low += row.stride)
    {
      size_t cell = role->first + ((row.low - role->low) >> role->shift), end = cell + (row.len >> role->shift);
      for (; cell < end; cell++)
	report (scout, pg_shadow_mark (&scout->cells[cell], scout->floor, (uint32_t) (iter + scout->bias)));
    }
}

/* Are LEN bytes at ADDRESS among those that the area's own reference writes in iteration ITER?  */
static inline bool
is_own (const struct pg_ref_role *role, uintptr_t address, uintptr_t len, int64_t iter)
{
  uintptr_t offset = address - (role->own_base + (uintptr_t) iter * role->own_step);
  return offset < role->own_len && len <= role->own_len - offset;
}

/* Compare LEN bytes at ADDRESS, read in iteration ITER, with the marks, or mark them as read.  */
static inline void
check_piece (struct pg_scout *scout, const struct pg_ref_role *role, uintptr_t address, uintptr_t len, int64_t iter,
	     enum act act)
{
  uintptr_t from = address > role->low ? address : role->low;
  uintptr_t end = address + len < role->end ? address + len : role->end;
  if (from >= end)
    return;
  if (act == ACT_SIEVE)
    {
      if (!is_own (role, address, len, iter))
	set_bits (role, &scout->reads, (struct pg_strided) { .low = from, .len = end - from, .count = 1 });
      return;
    }
  uint32_t stamp = (uint32_t) (iter + scout->bias);
  size_t cell = role->first + ((from - role->low) >> role->shift);
  size_t behind = role->first + ((end - role->low - 1) >> role->shift) + 1;
  for (; cell < behind; cell++)
    {
      uint32_t writer = pg_shadow_writer (&scout->cells[cell], scout->floor);
      if (writer != PG_NO_STAMP && (writer != stamp || (role->what & PG_ROLE_EARLY)))
	report (scout, writer > stamp ? writer : stamp);
    }
}

/* Is all of ROW in the area of ROLE?  */
static inline bool
is_inside (const struct pg_ref_role *role, struct pg_strided row)
{
  uintptr_t len = (row.count - 1) * row.stride + row.len;
  return row.low >= role->low && row.low < role->end && len <= role->end - row.low;
}

/* The same as check_piece for ROW.  Of one that is not all in the area, the pieces in it are found by number.  */
static inline void
check (struct pg_scout *scout, const struct pg_ref_role *role, struct pg_strided row, int64_t iter, enum act act)
{
  if (row.count > 1 && !is_inside (role, row))
    {
      if (row.low >= role->end)
	return;
      uintptr_t n_below = row.low + row.len > role->low ? 0 : (role->low - row.low - row.len) / row.stride + 1;
      uintptr_t n_not_above = (role->end - 1 - row.low) / row.stride + 1;
      row.count = (n_not_above < row.count ? n_not_above : row.count);
      row.count -= n_below < row.count ? n_below : row.count;
      row.low += n_below * row.stride;
    }
  if (act == ACT_SIEVE && row.count > 1 && is_inside (role, row))
    set_bits (role, &scout->reads, row);
  else
    for (; row.count > 0; row.count--, row.low += row.stride)
      check_piece (scout, role, row.low, row.len, iter, act);
}

/* Does ROW fit the cells of ROLE, so that it can be marked?  */
static inline bool
is_aligned (const struct pg_ref_role *role, struct pg_strided row)
{
  uintptr_t bits = row.low | row.len | (row.count > 1 ? row.stride : 0);
  return (bits & (((uintptr_t) 1 << role->shift) - 1)) == 0;
}

/* What a pass does with ROW of REF.  While tracing, the layout is a guess: what does not fit is not marked.  */
static inline __attribute__ ((always_inline)) void
take_row (struct pg_scout *scout, int64_t ref, struct pg_strided row, int64_t iter, bool is_tracing, enum act act)
{
  const struct pg_ref_role *role = &scout->roles[ref];
  if (is_tracing && (role->what & PG_ROLE_TRACE))
    trace (scout, ref, row);
  uint8_t what = role->what & ROLES (false, act);
  if ((what & PG_ROLE_MARK) && is_inside (role, row) && (!is_tracing || is_aligned (role, row)))
    mark (scout, ref, row, iter, act);
  if (what & PG_ROLE_CHECK)
    check (scout, role, row, iter, act);
}

/* COUNT times PIECE, STRIDE apart, either way, from PIECE on.  One that cannot be all in memory is all of memory.  */
static inline struct pg_strided
normal_row (struct pg_strided piece, uintptr_t count, int64_t stride)
{
  uintptr_t apart = stride < 0 ? -(uintptr_t) stride : (uintptr_t) stride, span, end;
  struct pg_strided row = { .low = piece.low, .len = piece.len, .count = count, .stride = apart };
  if (__builtin_mul_overflow (count - 1, apart, &span) || (stride < 0 && span > piece.low))
    return (struct pg_strided) { .low = 0, .len = UINTPTR_MAX, .count = 1 };
  row.low -= stride < 0 ? span : 0;
  if (__builtin_add_overflow (row.low, span, &end) || __builtin_add_overflow (end, piece.len, &end))
    return (struct pg_strided) { .low = 0, .len = UINTPTR_MAX, .count = 1 };
  if (apart > piece.len)
    return row;
  return (struct pg_strided) { .low = row.low, .len = span + piece.len, .count = 1 };
}

static inline __attribute__ ((always_inline)) void
touch_any (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t len, int64_t count, int64_t stride,
	   bool is_tracing, enum act act)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  if (!(scout->roles[ref].what & ROLES (is_tracing, act)) || len <= 0 || count <= 0)
    return;
  struct pg_strided row = { .low = (uintptr_t) start, .len = (uintptr_t) len, .count = 1 };
  if (count > 1)
    row = normal_row (row, (uintptr_t) count, stride);
  take_row (scout, ref, row, monitor->iter, is_tracing, act);
}

/* Trace LEN bytes at START if that is all there is to do about them, as it mostly is.  Then what goes on from there
   need not be told, because its iterations are no matter.  */
static inline __attribute__ ((always_inline)) bool
touch_to_trace (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t len, enum act act)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  uint8_t what = scout->roles[ref].what;
  if ((what & (ROLES (true, act) | PG_ROLE_RUNS)) != PG_ROLE_TRACE || len <= 0)
    return false;
  struct pg_trace *t = &scout->traces[ref];
  uintptr_t low = (uintptr_t) start;
  end_tail (scout, ref);
  if (what & PG_ROLE_FEED)
    note_step (t, low, (uintptr_t) len);
  widen (scout, t, low, low + (uintptr_t) len);
  t->bits |= low | (uintptr_t) len;
  monitor->tails[ref].end = (const void *) (low + (uintptr_t) len);
  return true;
}

/* The addresses of a log: the lowest, the highest, and all or-ed.  */
struct extent
{
  uintptr_t low, high, bits;
};

static inline struct extent
with (struct extent extent, uintptr_t address)
{
  extent.low = address < extent.low ? address : extent.low;
  extent.high = address > extent.high ? address : extent.high;
  extent.bits |= address;
  return extent;
}

/* The extent of LOG up to END.  Two chains of comparisons are faster than one.  */
static inline struct extent
log_extent (const struct pg_log_entry *log, const struct pg_log_entry *end)
{
  struct extent first = { .low = UINTPTR_MAX }, second = first;
  const struct pg_log_entry *e = log;
  for (; end - e >= 2; e += 2)
    {
      first = with (first, (uintptr_t) e[0].address);
      second = with (second, (uintptr_t) e[1].address);
    }
  if (e < end)
    first = with (first, (uintptr_t) e->address);
  first.low = second.low < first.low ? second.low : first.low;
  first.high = second.high > first.high ? second.high : first.high;
  first.bits |= second.bits;
  return first;
}

/* Trace what REF's log, of EXTENT, tells.  */
static inline void
trace_log (struct pg_scout *scout, int64_t ref, struct extent extent)
{
  uintptr_t len = (uintptr_t) scout->refs[ref].len;
  widen (scout, &scout->traces[ref], extent.low, extent.high + len);
  scout->traces[ref].bits |= extent.bits | len;
}

/* Mark in the sieve what REF's log, up to END, tells, as far as it is inside the area; one piece is one cell.  Returns
   the log's extent.  */
static inline __attribute__ ((always_inline)) struct extent
mark_log (struct pg_scout *scout, int64_t ref, const struct pg_log_entry *log, const struct pg_log_entry *end,
	  bool is_listed)
{
  const struct pg_ref_role *role = &scout->roles[ref];
  struct pg_trace *t = &scout->traces[ref];
  uintptr_t low = role->low, len = (uintptr_t) scout->refs[ref].len, last = role->end - low - len;
  size_t first = role->first;
  uint8_t shift = role->shift;
  struct pg_marks marks = scout->writes;
  struct extent extent = { .low = UINTPTR_MAX };
  for (const struct pg_log_entry *e = log; e < end; e++)
    {
      uintptr_t offset = (uintptr_t) e->address - low;
      extent = with (extent, (uintptr_t) e->address);
      if (offset > last)
	continue;
      size_t cell = first + (offset >> shift);
      uint64_t bit = (uint64_t) 1 << cell % 64;
      if (!(is_listed ? pg_sieve_set (&marks, cell / 64, bit) : pg_sieve_set_bits (marks.map, cell / 64, bit)))
	continue;
      bool is_again = e > log ? e[-1].address == e->address && e[-1].iter == e->iter
			      : t->marked.count == 1 && t->marked.low == (uintptr_t) e->address && t->marked.len == len
				  && t->marked_iter == e->iter;
      if (!is_again)
	scout->is_doubtful = true;
    }
  scout->writes.n_listed = marks.n_listed;
  t->marked = (struct pg_strided) { .low = (uintptr_t) end[-1].address, .len = len, .count = 1 };
  t->marked_iter = end[-1].iter;
  return extent;
}

/* Mark in the sieve what REF's log, up to END, tells of reads, but for their own iteration's writes if it HAS_OWN; one
   piece is one cell.  Returns the log's extent.  */
static inline __attribute__ ((always_inline)) struct extent
check_log (struct pg_scout *scout, int64_t ref, const struct pg_log_entry *log, const struct pg_log_entry *end,
	   bool is_listed, bool has_own)
{
  const struct pg_ref_role *role = &scout->roles[ref];
  uintptr_t low = role->low, len = (uintptr_t) scout->refs[ref].len, last = role->end - low - len;
  size_t first = role->first;
  uint8_t shift = role->shift;
  struct pg_marks marks = scout->reads;
  struct extent extent = { .low = UINTPTR_MAX };
  for (const struct pg_log_entry *e = log; e < end; e++)
    {
      uintptr_t offset = (uintptr_t) e->address - low;
      extent = with (extent, (uintptr_t) e->address);
      if (offset > last || (has_own && is_own (role, (uintptr_t) e->address, len, e->iter)))
	continue;
      size_t cell = first + (offset >> shift);
      uint64_t bit = (uint64_t) 1 << cell % 64;
      if (is_listed)
	pg_sieve_set (&marks, cell / 64, bit);
      else
	pg_sieve_set_bits (marks.map, cell / 64, bit);
    }
  scout->reads.n_listed = marks.n_listed;
  return extent;
}

/* Mark in the sieve what REF's log, up to END, tells: writes, or else reads.  Returns the log's extent.  */
static inline struct extent
sieve_log (struct pg_scout *scout, int64_t ref, const struct pg_log_entry *log, const struct pg_log_entry *end,
	   bool is_write)
{
  struct pg_marks *marks = is_write ? &scout->writes : &scout->reads;
  bool has_own = scout->roles[ref].own_len > 0;
  pg_sieve_reserve (marks, (size_t) (end - log));
  if (is_write && marks->is_lost)
    return mark_log (scout, ref, log, end, false);
  if (is_write)
    return mark_log (scout, ref, log, end, true);
  if (marks->is_lost && !has_own)
    return check_log (scout, ref, log, end, false, false);
  if (marks->is_lost)
    return check_log (scout, ref, log, end, false, true);
  return check_log (scout, ref, log, end, true, has_own);
}

/* Can what REF, a mere writer or a mere reader, logs go to the sieve as one cell each?  If not aligned, a piece would
   be two; then the trace shows it, and what is in the sieve does not count.  An area has room for a piece.  */
static inline bool
is_simple (const struct pg_scout *scout, int64_t ref)
{
  const struct pg_ref_role *role = &scout->roles[ref];
  uint8_t part = role->what & (PG_ROLE_MARK | PG_ROLE_CHECK);
  return scout->refs[ref].len == (int64_t) 1 << role->shift && (part == PG_ROLE_MARK || part == PG_ROLE_CHECK)
	 && role->end - role->low >= (uintptr_t) 1 << role->shift;
}

/* Can marks and checks of iteration ITER and later ones tell nothing new, but at most of a later conflict than the one
   that SCOUT knows?  */
static inline bool
knows_better (const struct pg_scout *scout, int64_t iter, enum act act)
{
  return act == ACT_SIEVE ? scout->is_doubtful : scout->conflict < iter + scout->bias;
}

/* What a pass does with entries from LOG to END, not more than a log has, of REF.  */
static inline __attribute__ ((always_inline)) void
take_log (struct pg_scout *scout, int64_t ref, const struct pg_log_entry *log, const struct pg_log_entry *end,
	  bool is_tracing, enum act act)
{
  uint8_t what = scout->roles[ref].what & ROLES (is_tracing, act);
  if (what == 0)
    return;
  bool has_parts = (what & ~PG_ROLE_TRACE) && !knows_better (scout, log->iter, act);
  bool is_sieved = act == ACT_SIEVE && has_parts && is_simple (scout, ref);
  struct extent extent = is_sieved                ? sieve_log (scout, ref, log, end, what & PG_ROLE_MARK)
			 : (what & PG_ROLE_TRACE) ? log_extent (log, end)
						  : (struct extent) { 0 };
  if (what & PG_ROLE_TRACE)
    trace_log (scout, ref, extent);
  if (is_sieved || !has_parts)
    return;
  for (const struct pg_log_entry *e = log; e < end; e++)
    {
      struct pg_strided row = { .low = (uintptr_t) e->address, .len = (uintptr_t) scout->refs[ref].len, .count = 1 };
      if ((what & PG_ROLE_MARK) && is_inside (&scout->roles[ref], row)
	  && (!is_tracing || is_aligned (&scout->roles[ref], row)))
	mark (scout, ref, row, e->iter, act);
      if (what & PG_ROLE_CHECK)
	check_piece (scout, &scout->roles[ref], row.low, row.len, e->iter, act);
    }
}

static inline __attribute__ ((always_inline)) void
drain_any (struct pg_monitor *monitor, int64_t ref, bool is_tracing, enum act act)
{
  struct pg_log_entry *end = monitor->next[ref], *log = pg_log_first (end);
  monitor->next[ref] = log;
  take_log ((struct pg_scout *) monitor, ref, log, end, is_tracing, act);
}

/* Take what is in the log of REF, which is not full.  */
static inline __attribute__ ((always_inline)) void
drain_rest (struct pg_scout *scout, int64_t ref, bool is_tracing, enum act act)
{
  if (!pg_log_at_end (scout->monitor.next[ref]))
    drain_any (&scout->monitor, ref, is_tracing, act);
}

typedef int32_t integer __attribute__ ((aligned (1), may_alias));
typedef uint64_t long_integer __attribute__ ((aligned (1), may_alias));
typedef int32_t integers __attribute__ ((vector_size (N_INTS * sizeof (int32_t)), aligned (1), may_alias));

/* The least and the largest of N integers from P on, N > 0, with FLIP as their sign bit.  */
static void
find_extremes (const integer *p, size_t n, int32_t flip, int32_t *least, int32_t *largest)
{
  int32_t low = *p ^ flip, high = low;
  if (n >= 2 * N_INTS)
    {
      integers lows[2], highs[2];
      for (int i = 0; i < 2; i++)
	lows[i] = highs[i] = *(const integers *) (p + i * N_INTS) ^ flip;
      for (; n >= 2 * N_INTS; n -= 2 * N_INTS, p += 2 * N_INTS)
	for (int i = 0; i < 2; i++)
	  {
	    integers all = *(const integers *) (p + i * N_INTS) ^ flip;
	    integers is_low = all < lows[i];
	    integers is_high = all > highs[i];
	    lows[i] = (all & is_low) | (lows[i] & ~is_low);
	    highs[i] = (all & is_high) | (highs[i] & ~is_high);
	  }
      for (int i = 0; i < 2 * N_INTS; i++)
	{
	  low = lows[i / N_INTS][i % N_INTS] < low ? lows[i / N_INTS][i % N_INTS] : low;
	  high = highs[i / N_INTS][i % N_INTS] > high ? highs[i / N_INTS][i % N_INTS] : high;
	}
    }
  for (; n > 0; n--, p++)
    {
      low = (*p ^ flip) < low ? *p ^ flip : low;
      high = (*p ^ flip) > high ? *p ^ flip : high;
    }
  *least = low ^ flip;
  *largest = high ^ flip;
}

/* Trace what REF reads by the integers of GATHER, of four bytes, up to END.  Addresses that wrap around may be any.  */
static void
trace_gather (struct pg_scout *scout, int64_t ref, const struct pg_gather *gather, uintptr_t end)
{
  bool is_signed = PG_GATHER_IS_SIGNED (gather->form);
  int32_t least, largest;
  find_extremes ((const integer *) gather->index, (end - gather->index) / sizeof least, is_signed ? 0 : INT32_MIN,
		 &least, &largest);
  int64_t scale = PG_GATHER_SCALE (gather->form);
  struct extent extent = {
    .low = gather->base + (uintptr_t) scale * (uintptr_t) (is_signed ? least : (int64_t) (uint32_t) least),
    .high = gather->base + (uintptr_t) scale * (uintptr_t) (is_signed ? largest : (int64_t) (uint32_t) largest),
    .bits = gather->base | (uintptr_t) scale,
  };
  if (extent.low > extent.high)
    extent = (struct extent) { .low = 0, .high = UINTPTR_MAX - (uintptr_t) scout->refs[ref].len, .bits = 1 };
  trace_log (scout, ref, extent);
}

/* The address that the integer at P, of four bytes, makes in GATHER.  */
static inline uintptr_t
gathered_address (const struct pg_gather *gather, const integer *p)
{
  int64_t value = PG_GATHER_IS_SIGNED (gather->form) ? *p : (int64_t) (uint32_t) *p;
  return gather->base + (uintptr_t) PG_GATHER_SCALE (gather->form) * (uintptr_t) value;
}

/* Mark in the sieve what GATHER of REF, of integers of four bytes, up to END, reads; one piece is one cell.  */
static inline __attribute__ ((always_inline)) void
check_gather (struct pg_scout *scout, int64_t ref, const struct pg_gather *gather, const integer *end, bool is_listed)
{
  const struct pg_ref_role role = scout->roles[ref];
  const struct pg_gather from = *gather;
  uintptr_t last = role.end - role.low - (uintptr_t) scout->refs[ref].len;
  struct pg_marks marks = scout->reads;
  for (const integer *p = (const integer *) from.index; p < end; p++)
    {
      uintptr_t offset = gathered_address (&from, p) - role.low;
      if (offset > last)
	continue;
      size_t cell = role.first + (offset >> role.shift);
      if (is_listed)
	{
	  pg_sieve_reserve (&marks, 1);
	  pg_sieve_set (&marks, cell / 64, (uint64_t) 1 << cell % 64);
	}
      else
	pg_sieve_set_bits (marks.map, cell / 64, (uint64_t) 1 << cell % 64);
    }
  scout->reads = marks;
}

/* Append what GATHER of REF, up to END, reads in iteration ITER to REF's log, which the monitor does not use.  */
static inline __attribute__ ((always_inline)) void
log_gather (struct pg_scout *scout, int64_t ref, const struct pg_gather *gather, uintptr_t end, int64_t iter,
	    bool is_tracing, enum act act)
{
  bool is_small = PG_GATHER_SIZE (gather->form) == sizeof (integer);
  for (uintptr_t p = gather->index; p < end; p += (uintptr_t) PG_GATHER_SIZE (gather->form))
    {
      uintptr_t address = is_small
			    ? gathered_address (gather, (const integer *) p)
			    : gather->base + (uintptr_t) PG_GATHER_SCALE (gather->form) * *(const long_integer *) p;
      *scout->monitor.next[ref]++ = (struct pg_log_entry) { (const void *) address, iter };
      if (pg_log_at_end (scout->monitor.next[ref]))
	drain_any (&scout->monitor, ref, is_tracing, act);
    }
}

/* What a pass does with the gather of REF that might have gone on, if there is one: iterations are no matter.  */
static inline __attribute__ ((always_inline)) void
end_gather (struct pg_scout *scout, int64_t ref, bool is_tracing, enum act act)
{
  struct pg_tail *tail = &scout->monitor.gathers[ref];
  const struct pg_gather *gather = &scout->traces[ref].gather;
  uintptr_t end = (uintptr_t) tail->end;
  uint8_t what = scout->roles[ref].what;
  if (tail->end == NO_END)
    return;
  tail->end = NO_END;
  bool is_small = PG_GATHER_SIZE (gather->form) == sizeof (integer);
  bool has_parts = (what & ROLES (false, act)) && !knows_better (scout, scout->monitor.iter, act);
  if (is_small && is_tracing && (what & PG_ROLE_TRACE))
    trace_gather (scout, ref, gather, end);
  if (is_small && !has_parts)
    return;
  if (is_small && act == ACT_SIEVE && is_simple (scout, ref))
    {
      if (scout->reads.is_lost)
	check_gather (scout, ref, gather, (const integer *) end, false);
      else
	check_gather (scout, ref, gather, (const integer *) end, true);
      return;
    }
  log_gather (scout, ref, gather, end, scout->monitor.iter, is_tracing && !is_small, act);
  drain_rest (scout, ref, is_tracing && !is_small, act);
}

/* A gather may go on in later iterations if these are no matter: reads are compared neither with stamps nor with what
   their own iteration writes.  */
static inline __attribute__ ((always_inline)) void
gather_any (struct pg_monitor *monitor, int64_t ref, const void *index, int64_t len, const void *base, int64_t form,
	    bool is_tracing, enum act act)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  const struct pg_ref_role *role = &scout->roles[ref];
  struct pg_gather gather = { .index = (uintptr_t) index, .base = (uintptr_t) base, .form = form };
  if (!(role->what & ROLES (is_tracing, act)) || len <= 0)
    return;
  if (act == ACT_SHADOW_CHECK || (act == ACT_SIEVE && role->own_len > 0))
    {
      log_gather (scout, ref, &gather, gather.index + (uintptr_t) len, monitor->iter, is_tracing, act);
      return;
    }
  end_gather (scout, ref, is_tracing, act);
  scout->traces[ref].gather = gather;
  monitor->gathers[ref].end = (const char *) index + len;
}

/* End what might have gone on.  */
static inline __attribute__ ((always_inline)) void
end_any (struct pg_scout *scout, uint32_t n_refs, bool is_tracing, enum act act)
{
  for (uint32_t r = 0; r < n_refs; r++)
    {
      end_gather (scout, r, is_tracing, act);
      drain_rest (scout, r, is_tracing, act);
      if (is_tracing)
	end_tail (scout, r);
    }
  for (uint32_t r = 0; r < n_refs && is_tracing; r++)
    for (int stream = 0; stream < PG_STREAMS && (scout->roles[r].what & PG_ROLE_RUNS); stream++)
      end_run (scout, &scout->traces[r], r, stream);
}

void
pg_telling_begin (struct pg_scout *scout, uint32_t n_refs)
{
  for (uint32_t r = 0; r < n_refs; r++)
    {
      scout->monitor.tails[r] = scout->monitor.gathers[r] = (struct pg_tail) { .end = NO_END };
      scout->traces[r].marked.count = 0;
    }
}


#define TELLING(NAME, IS_TRACING, ACT)                                                                            \
  static __attribute__ ((noinline)) void take_##NAME (struct pg_monitor *monitor, int64_t ref, const void *start, \
						      int64_t len)                                                \
  {                                                                                                               \
    touch_any (monitor, ref, start, len, 1, 0, IS_TRACING, ACT);                                                  \
  }                                                                                                               \
  static void touch_##NAME (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t len)              \
  {                                                                                                               \
    if (!(IS_TRACING && touch_to_trace (monitor, ref, start, len, ACT)))                                          \
      take_##NAME (monitor, ref, start, len);                                                                     \
  }                                                                                                               \
  static void touch_row_##NAME (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t len,          \
				int64_t count, int64_t stride)                                                    \
  {                                                                                                               \
    touch_any (monitor, ref, start, len, count, stride, IS_TRACING, ACT);                                         \
  }                                                                                                               \
  static void drain_##NAME (struct pg_monitor *monitor, int64_t ref)                                              \
  {                                                                                                               \
    drain_any (monitor, ref, IS_TRACING, ACT);                                                                    \
  }                                                                                                               \
  static void gather_##NAME (struct pg_monitor *monitor, int64_t ref, const void *index, int64_t len,             \
			     const void *base, int64_t form)                                                      \
  {                                                                                                               \
    gather_any (monitor, ref, index, len, base, form, IS_TRACING, ACT);                                           \
  }                                                                                                               \
  static void end_##NAME (struct pg_scout *scout, uint32_t n_refs)                                                \
  {                                                                                                               \
    end_any (scout, n_refs, IS_TRACING, ACT);                                                                     \
  }                                                                                                               \
  const struct pg_telling pg_tell_##NAME                                                                          \
    = { touch_##NAME, touch_row_##NAME, drain_##NAME, gather_##NAME, end_##NAME, ROLES (IS_TRACING, ACT) };

TELLING (trace, true, ACT_NOT)
TELLING (trace_sieve, true, ACT_SIEVE)
TELLING (trace_shadow, true, ACT_SHADOW)
TELLING (sieve, false, ACT_SIEVE)
TELLING (shadow, false, ACT_SHADOW)
TELLING (check, false, ACT_SHADOW_CHECK)
