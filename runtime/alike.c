/* SPDX-License-Identifier: MIT
   What one iteration tells of all.  See alike.h.  */
#include "alike.h"
#include "budget.h"
#include "log.h"
#include "sort.h"
#include "work-arrays.h"

#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

enum
{
  PAGE_BITS = 12,
  PAGE = 1 << PAGE_BITS,
  WORD = 64,        /* bytes of a page that one of its words is about */
  BLOCK_PAGES = 32, /* that are got at a time */
  MOST_BLOCKS = 2048,
  MOST_PIECES = 1 << 16, /* to sort more takes too long */
  FIRST_SEATS = 256
};

/* A page of memory, as one set of references touched it: a bit for each byte.  */
struct page
{
  uintptr_t number;
  uint32_t set;
  uint64_t touched[PAGE / WORD], written[PAGE / WORD];
};

/* What is known of a reference while the monitor runs.  Those of one group with the same step are a set.  */
struct seen
{
  int64_t step;
  uint32_t set;      /* the first one of it */
  bool is_work;      /* its array is a work array */
  bool writes;       /* what it touches */
  struct page *page; /* that it touched last, or NULL */
};

/* Bytes [LOW, END) that iteration 0 touched through references with STEP.  */
struct piece
{
  uintptr_t low, end;
  int64_t step;
  bool is_written;
};

/* A piece as iterations see it that are STEP bytes apart: bytes [LOW, END) of the step of number TURN.  */
struct slot
{
  int64_t turn;
  uint64_t low, end;
  bool is_written;
};

/* What makes the monitor stop.  */
enum stop
{
  STOP_NOT,
  STOP_MANY,   /* touches, or pages */
  STOP_MEMORY, /* there is none */
  STOP_READ    /* of a byte of a work array that is not written */
};

/* Followed by the keys, SEEN and BOUNDS.  */
struct pg_alike
{
  struct pg_monitor monitor; /* first: what the monitor sees */
  const struct pg_region *region;
  size_t len; /* of this, and what follows */
  int64_t left, n_touches;
  struct page *blocks[MOST_BLOCKS]; /* NULL: not needed yet */
  uint32_t n_pages;
  uint32_t *seats; /* of pages, by a hash: its number and 1, or 0 */
  size_t n_seats;  /* a power of two, or 0 */
  struct piece *pieces;
  size_t n_pieces, most_pieces;
  bool is_known; /* VERDICT and BOUNDS are about an entry with KEY, */
  bool is_final; /* whatever may be spent */
  enum pg_l1 verdict;
  size_t key_len;
  char *key, *next_key; /* of this entry */
  struct seen *seen;    /* by reference */
  struct pg_bound *bounds;
  jmp_buf out;
};

static void *
carve (char **next, size_t len)
{
  void *at = *next;
  *next += (len + 15) & ~(size_t) 15;
  return at;
}

static size_t
key_room (const struct pg_region *region)
{
  size_t room = sizeof (int64_t) + region->n_nodes * sizeof (struct pg_number);
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    room += region->live_ins[i].len;
  return room;
}

/* Make the state of REGION.  NULL: no memory.  */
static struct pg_alike *
make (const struct pg_region *region)
{
  size_t room = key_room (region), n_refs = region->n_refs;
  size_t len
    = sizeof (struct pg_alike) + 2 * room + n_refs * (sizeof (struct seen) + sizeof (struct pg_bound)) + 4 * 16;
  struct pg_alike *alike = pg_budget_get (len);
  if (alike == NULL)
    return NULL;
  char *next = (char *) (alike + 1);
  alike->region = region;
  alike->len = len;
  alike->key = carve (&next, room);
  alike->next_key = carve (&next, room);
  alike->seen = carve (&next, n_refs * sizeof (struct seen));
  alike->bounds = carve (&next, n_refs * sizeof (struct pg_bound));
  return alike;
}

/* Make the next key that of VIEW.  Whether it is the key.  */
static bool
is_the_same (struct pg_alike *alike, const struct pg_view *view)
{
  const struct pg_region *region = alike->region;
  char *next = alike->next_key;
  memcpy (next, &view->n_iters, sizeof view->n_iters);
  next += sizeof view->n_iters;
  for (uint32_t i = 0; i < region->n_nodes; i++)
    {
      struct pg_number number;
      memset (&number, 0, sizeof number);
      number.value = view->nodes[i].value;
      number.known = view->nodes[i].known;
      memcpy (next, &number, sizeof number);
      next += sizeof number;
    }
  for (uint32_t i = 0; i < region->n_live_ins; i++)
    {
      memcpy (next, (const char *) view->args + region->live_ins[i].offset, region->live_ins[i].len);
      next += region->live_ins[i].len;
    }
  alike->key_len = (size_t) (next - alike->next_key);
  return alike->is_known && memcmp (alike->key, alike->next_key, alike->key_len) == 0;
}

/* Leave the monitor of ALIKE.  */
static _Noreturn void
stop (struct pg_alike *alike, enum stop why)
{
  longjmp (alike->out, why);
}

/* Have the N elements of LEN bytes at BLOCK, a larger block, in place of *N_OLD ones at *OLD.  A signal's handler may
   jump out of this at any point: then a block is lost, at worst.  */
static void
replace (void **old, size_t *n_old, size_t len, void *block, size_t n)
{
  void *gone = *old;
  size_t n_gone = *n_old;
  *old = block;
  atomic_signal_fence (memory_order_seq_cst);
  *n_old = n;
  atomic_signal_fence (memory_order_seq_cst);
  pg_budget_put (gone, n_gone * len);
}

/* A new page of ALIKE's.  */
static struct page *
new_page (struct pg_alike *alike)
{
  uint32_t block = alike->n_pages / BLOCK_PAGES;
  if (block == MOST_BLOCKS)
    stop (alike, STOP_MANY);
  if (alike->blocks[block] == NULL)
    alike->blocks[block] = pg_budget_get (BLOCK_PAGES * sizeof (struct page));
  if (alike->blocks[block] == NULL)
    stop (alike, STOP_MEMORY);
  return &alike->blocks[block][alike->n_pages++ % BLOCK_PAGES];
}

static struct page *
page_at (const struct pg_alike *alike, uint32_t index)
{
  return &alike->blocks[index / BLOCK_PAGES][index % BLOCK_PAGES];
}

/* The seat of the page of NUMBER and SET, or that where it should be.  */
static uint32_t *
find_seat (const struct pg_alike *alike, uintptr_t number, uint32_t set)
{
  uint64_t hash = ((uint64_t) number * 31 + set) * 0x9e3779b97f4a7c15u;
  for (size_t at = hash >> 32;; at++)
    {
      uint32_t *seat = &alike->seats[at & (alike->n_seats - 1)];
      if (*seat == 0)
	return seat;
      const struct page *page = page_at (alike, *seat - 1);
      if (page->number == number && page->set == set)
	return seat;
    }
}

/* Have twice as many seats as there are pages.  */
static void
have_seats (struct pg_alike *alike)
{
  if (2 * (size_t) alike->n_pages < alike->n_seats)
    return;
  size_t n = alike->n_seats == 0 ? FIRST_SEATS : 4 * alike->n_seats;
  uint32_t *seats = pg_budget_get (n * sizeof *seats);
  if (seats == NULL)
    stop (alike, STOP_MEMORY);
  replace ((void **) &alike->seats, &alike->n_seats, sizeof *seats, seats, n);
  for (uint32_t i = 0; i < alike->n_pages; i++)
    {
      const struct page *page = page_at (alike, i);
      *find_seat (alike, page->number, page->set) = i + 1;
    }
}

/* Page NUMBER of SEEN's set.  */
static struct page *
find_page (struct pg_alike *alike, struct seen *seen, uintptr_t number)
{
  if (seen->page != NULL && seen->page->number == number)
    return seen->page;
  have_seats (alike);
  uint32_t *seat = find_seat (alike, number, seen->set);
  if (*seat == 0)
    {
      struct page *page = new_page (alike);
      memset (page, 0, sizeof *page);
      page->number = number;
      page->set = seen->set;
      *seat = alike->n_pages;
    }
  return seen->page = page_at (alike, *seat - 1);
}

/* The bits of a word for bytes [LOW, END), which it is about.  */
static uint64_t
bits_of (uintptr_t low, uintptr_t end)
{
  return UINT64_MAX >> (WORD - (end - low)) << (low & (WORD - 1));
}

/* Bytes [LOW, END) of one page of SEEN's set are read if they ARE_READ, and then, if they ARE_WRITTEN, written.  */
static void
touch_page (struct pg_alike *alike, struct seen *seen, uintptr_t low, uintptr_t end, bool are_read, bool are_written)
{
  struct page *page = find_page (alike, seen, low >> PAGE_BITS);
  for (uintptr_t at = low; at < end;)
    {
      size_t word = (at & (PAGE - 1)) / WORD;
      uintptr_t behind = (at | (WORD - 1)) + 1, next = behind < end ? behind : end;
      uint64_t bits = bits_of (at, next);
      if (are_read && seen->is_work && (page->written[word] & bits) != bits)
	stop (alike, STOP_READ);
      page->touched[word] |= bits;
      if (are_written)
	page->written[word] |= bits;
      at = next;
    }
}

/* Whether SEEN has touched bytes [LOW, END) before, as it mostly has: those of a word of the same page.  */
static bool
is_old (const struct seen *seen, uintptr_t low, uintptr_t end)
{
  const struct page *page = seen->page;
  if (page == NULL || page->number != low >> PAGE_BITS || low / WORD != (end - 1) / WORD)
    return false;
  size_t word = (low & (PAGE - 1)) / WORD;
  uint64_t bits = bits_of (low, end), old = seen->writes ? page->written[word] : page->touched[word];
  return (old & bits) == bits;
}

/* Bytes [LOW, END) are touched through REF.  Apart from `touch', which is called for each touch and mostly returns.  */
static __attribute__ ((noinline)) void
touch_new (struct pg_alike *alike, int64_t ref, uintptr_t low, uintptr_t end)
{
  struct seen *seen = &alike->seen[ref];
  uint8_t flags = alike->region->refs[ref].flags;
  for (uintptr_t at = low; at < end;)
    {
      uintptr_t behind = (at | (PAGE - 1)) + 1, next = behind < end ? behind : end;
      touch_page (alike, seen, at, next, flags & PG_REF_READ, flags & PG_REF_WRITE);
      at = next;
    }
}

static void
touch (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  struct pg_alike *alike = (struct pg_alike *) monitor;
  uintptr_t low = (uintptr_t) address, end = low + (uintptr_t) len;
  if (len <= 0)
    return;
  if (alike->left-- <= 0 || end < low)
    stop (alike, STOP_MANY);
  if (!is_old (&alike->seen[ref], low, end))
    touch_new (alike, ref, low, end);
}

/* Make ALIKE ready for VIEW's entry and MOST touches.  False: a step is not known.  */
static bool
equip (struct pg_alike *alike, const struct pg_view *view, int64_t most)
{
  const struct pg_region *region = alike->region;
  alike->monitor = (struct pg_monitor) { .touch = touch };
  alike->left = most;
  alike->n_pages = 0;
  if (alike->n_seats > 0)
    memset (alike->seats, 0, alike->n_seats * sizeof *alike->seats);
  for (uint32_t r = 0; r < region->n_refs; r++)
    {
      const struct pg_ref *ref = &region->refs[r];
      struct seen *seen = &alike->seen[r];
      int step = ref->address.coef[0];
      if (step >= (int) region->n_nodes || (step >= 0 && !view->nodes[step].known))
	return false;
      *seen = (struct seen) { .step = step < 0 ? 0 : view->nodes[step].value, .set = r };
      seen->is_work = pg_is_work_group (region, ref->group);
      seen->writes = (ref->flags & PG_REF_WRITE) != 0;
      if (seen->is_work && seen->step != 0)
	return false;
      for (uint32_t first = 0; first < seen->set; first++)
	if (region->refs[first].group == ref->group && alike->seen[first].step == seen->step)
	  seen->set = first;
    }
  return true;
}

/* Run the monitor of ALIKE over iteration 0 with ARGS, as far as it is of use.  */
static __attribute__ ((noinline)) enum stop
run (struct pg_alike *alike, const void *args)
{
  int why = setjmp (alike->out);
  if (why != STOP_NOT)
    return (enum stop) why;
  alike->monitor.iter = 0;
  alike->region->monitor ((void *) (uintptr_t) args, 0, 1, alike);
  return STOP_NOT;
}

/* Note that bytes [LOW, END) were touched through SET, behind what was noted of it.  False: no memory, or too many.  */
static bool
add_piece (struct pg_alike *alike, uint32_t set, uintptr_t low, uintptr_t end, bool is_written)
{
  const struct seen *seen = &alike->seen[set];
  struct piece *last = alike->n_pieces > 0 ? &alike->pieces[alike->n_pieces - 1] : NULL;
  if (last != NULL && last->end == low && last->step == seen->step && last->is_written == is_written)
    {
      last->end = end;
      return true;
    }
  if (alike->n_pieces == MOST_PIECES)
    return false;
  if (alike->n_pieces == alike->most_pieces)
    {
      size_t n = alike->most_pieces == 0 ? FIRST_SEATS : 2 * alike->most_pieces;
      struct piece *pieces = pg_budget_get (n * sizeof *pieces);
      if (pieces == NULL)
	return false;
      if (alike->n_pieces > 0)
	memcpy (pieces, alike->pieces, alike->n_pieces * sizeof *pieces);
      replace ((void **) &alike->pieces, &alike->most_pieces, sizeof *pieces, pieces, n);
    }
  alike->pieces[alike->n_pieces++] = (struct piece) { low, end, seen->step, is_written };
  return true;
}

/* Whether the bit for byte AT of a page is set in its WORDS.  */
static bool
has_bit (const uint64_t *words, unsigned at)
{
  return words[at / WORD] >> at % WORD & 1;
}

/* Note what was touched of PAGE.  */
static bool
add_page (struct pg_alike *alike, const struct page *page)
{
  uintptr_t base = page->number << PAGE_BITS;
  for (unsigned from = 0, to; from < PAGE; from = to)
    {
      bool is_touched = has_bit (page->touched, from), is_written = has_bit (page->written, from);
      uint64_t touched = is_touched ? UINT64_MAX : 0, written = is_written ? UINT64_MAX : 0;
      for (to = from + 1; to < PAGE; to++)
	if (to % WORD == 0 && page->touched[to / WORD] == touched && page->written[to / WORD] == written)
	  to += WORD - 1;
	else if (has_bit (page->touched, to) != is_touched || has_bit (page->written, to) != is_written)
	  break;
      if (is_touched && !add_piece (alike, page->set, base + from, base + to, is_written))
	return false;
    }
  return true;
}

static bool
page_comes_before (const void *one, const void *other, const void *data)
{
  const struct pg_alike *alike = data;
  const struct page *a = page_at (alike, *(const uint32_t *) one - 1);
  const struct page *b = page_at (alike, *(const uint32_t *) other - 1);
  return a->set != b->set ? a->set < b->set : a->number < b->number;
}

/* Have all of ALIKE's pieces, but for work arrays', of which bounds tell.  The seats are pages in order then.  False:
   no memory, or too many.  */
static bool
find_pieces (struct pg_alike *alike)
{
  alike->n_pieces = 0;
  for (uint32_t i = 0; i < alike->n_pages; i++)
    alike->seats[i] = i + 1;
  pg_sort (alike->seats, alike->n_pages, sizeof *alike->seats, page_comes_before, alike);
  for (uint32_t i = 0; i < alike->n_pages; i++)
    {
      const struct page *page = page_at (alike, alike->seats[i] - 1);
      if (!alike->seen[page->set].is_work && !add_page (alike, page))
	return false;
    }
  return true;
}

static bool
piece_comes_before (const void *one, const void *other, const void *data)
{
  const struct piece *a = one, *b = other;
  (void) data;
  return a->step != b->step ? a->step < b->step : a->low < b->low;
}

static bool
slot_comes_before (const void *one, const void *other, const void *data)
{
  (void) data;
  return ((const struct slot *) one)->low < ((const struct slot *) other)->low;
}

static bool
turn_comes_before (const void *one, const void *other, const void *data)
{
  (void) data;
  return ((const struct slot *) one)->turn < ((const struct slot *) other)->turn;
}

/* Whether none of N SLOTS that are written is that of another within N_ITERS steps, wherever they are in a step.
   Sorts them.  */
static bool
are_turns_apart (struct slot *slots, size_t n, int64_t n_iters)
{
  bool was_any = false, was_written = false;
  int64_t last = 0, last_written = 0;
  pg_sort (slots, n, sizeof *slots, turn_comes_before, NULL);
  for (size_t i = 0, behind; i < n; i = behind)
    {
      bool is_written = false;
      int64_t turn = slots[i].turn;
      for (behind = i; behind < n && slots[behind].turn == turn; behind++)
	is_written |= slots[behind].is_written;
      if ((is_written && was_any && turn - last < n_iters) || (was_written && turn - last_written < n_iters))
	return false;
      was_any = true;
      last = turn;
      if (is_written)
	{
	  was_written = true;
	  last_written = turn;
	}
    }
  return true;
}

/* Put PIECE among SLOTS, which begin at BASE, WIDTH bytes a step, if there are no more than MOST; returns how many it
   takes, or 0.  */
static size_t
cut (const struct piece *piece, uintptr_t base, uint64_t width, struct slot *slots, size_t most)
{
  size_t n = 0;
  for (uint64_t at = piece->low - base, end = piece->end - base; at < end; n++)
    {
      uint64_t turn = at / width, behind = (turn + 1) * width;
      if (n == most)
	return 0;
      slots[n]
	= (struct slot) { (int64_t) turn, at % width, end < behind ? end - turn * width : width, piece->is_written };
      at = behind;
    }
  return n;
}

/* Whether no two of N_ITERS iterations meet in N PIECES of one step that is not 0, sorted, some written; ROOM is for
   MOST slots.  */
static bool
are_moves_apart (const struct piece *pieces, size_t n, int64_t n_iters, struct slot *room, size_t most)
{
  uint64_t width = pieces->step < 0 ? -(uint64_t) pieces->step : (uint64_t) pieces->step;
  uintptr_t end = 0;
  size_t n_slots = 0;
  for (size_t i = 0; i < n; i++)
    end = pieces[i].end > end ? pieces[i].end : end;
  if (end - pieces->low <= width)
    return true;
  for (size_t i = 0; i < n; i++)
    {
      size_t n_more = cut (&pieces[i], pieces->low, width, room + n_slots, most - n_slots);
      if (n_more == 0)
	return false;
      n_slots += n_more;
    }
  pg_sort (room, n_slots, sizeof *room, slot_comes_before, NULL);
  for (size_t i = 0, behind; i < n_slots; i = behind)
    {
      bool is_written = false;
      uint64_t shared = room[i].end;
      for (behind = i; behind < n_slots && room[behind].low < shared; behind++)
	{
	  shared = room[behind].end > shared ? room[behind].end : shared;
	  is_written |= room[behind].is_written;
	}
      if (is_written && !are_turns_apart (room + i, behind - i, n_iters))
	return false;
    }
  return true;
}

/* The same for all of ALIKE's pieces, which are sorted.  What has no step is looked at elsewhere.  */
static bool
are_all_apart (const struct pg_alike *alike, int64_t n_iters)
{
  size_t most = 2 * alike->n_pieces + FIRST_SEATS;
  struct slot *room = pg_budget_get (most * sizeof *room);
  bool are_apart = room != NULL;
  for (size_t i = 0, behind; are_apart && i < alike->n_pieces; i = behind)
    {
      bool is_written = false;
      int64_t step = alike->pieces[i].step;
      for (behind = i; behind < alike->n_pieces && alike->pieces[behind].step == step; behind++)
	is_written |= alike->pieces[behind].is_written;
      if (is_written && step != 0)
	are_apart = are_moves_apart (&alike->pieces[i], behind - i, n_iters, room, most);
    }
  pg_budget_put (room, most * sizeof *room);
  return are_apart;
}

/* Widen BOUND by [LOW, END), moved on by STEP up to N_ITERS times.  False: that leaves the address space.  */
static bool
widen (struct pg_bound *bound, uintptr_t low, uintptr_t end, int64_t step, int64_t n_iters)
{
  int64_t way, first = (int64_t) low, behind = (int64_t) end;
  if (first < 0 || behind < 0 || __builtin_mul_overflow (step, n_iters - 1, &way)
      || __builtin_add_overflow (way < 0 ? first : behind, way, way < 0 ? &first : &behind) || first < 0)
    return false;
  bound->low = bound->end == 0 || (uint64_t) first < bound->low ? (uint64_t) first : bound->low;
  bound->end = (uint64_t) behind > bound->end ? (uint64_t) behind : bound->end;
  return true;
}

/* Fill in ALIKE's bounds, by reference, of N_ITERS iterations: all those of a set have the same.  */
static bool
find_bounds (struct pg_alike *alike, int64_t n_iters)
{
  uint32_t n_refs = alike->region->n_refs;
  memset (alike->bounds, 0, n_refs * sizeof *alike->bounds);
  for (uint32_t i = 0; i < alike->n_pages; i++)
    {
      const struct page *page = page_at (alike, i);
      uintptr_t low = page->number << PAGE_BITS, end = low + PAGE;
      while (!has_bit (page->touched, low & (PAGE - 1)))
	low++;
      while (!has_bit (page->touched, (end - 1) & (PAGE - 1)))
	end--;
      if (!widen (&alike->bounds[page->set], low, end, alike->seen[page->set].step, n_iters))
	return false;
    }
  for (uint32_t r = 0; r < n_refs; r++)
    alike->bounds[r] = alike->bounds[alike->seen[r].set];
  return true;
}

/* What ALIKE's bounds say: whether all is apart that moves by different steps, or is a work array's; and if so, whether
   all groups are.  */
static enum pg_l1
judge_bounds (const struct pg_alike *alike)
{
  const struct pg_region *region = alike->region;
  enum pg_l1 verdict = PG_L1_DISJOINT;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = 0; b < region->n_refs; b++)
      {
	const struct seen *one = &alike->seen[a], *other = &alike->seen[b];
	bool is_one_group = region->refs[a].group == region->refs[b].group;
	bool are_apart = alike->bounds[a].end <= alike->bounds[b].low || alike->bounds[b].end <= alike->bounds[a].low;
	if (!(region->refs[a].flags & PG_REF_WRITE) || are_apart)
	  continue;
	if (one->set != other->set && (one->step != other->step || one->is_work || other->is_work))
	  return PG_L1_UNSETTLED;
	if (!is_one_group)
	  verdict = PG_L1_CLEAN;
      }
  return verdict;
}

/* Whether ALIKE's iterations write one place again and again, which is no work array's.  */
static bool
writes_again (const struct pg_alike *alike)
{
  for (size_t i = 0; i < alike->n_pieces; i++)
    if (alike->pieces[i].is_written && alike->pieces[i].step == 0)
      return true;
  return false;
}

/* What ALIKE's monitor, stopped WHY or not at all, has told of N_ITERS iterations.  */
static enum pg_l1
judge (struct pg_alike *alike, enum stop why, int64_t n_iters)
{
  if (why == STOP_READ)
    return PG_L1_CONFLICT;
  if (why != STOP_NOT)
    return PG_L1_UNSETTLED;
  if (!find_pieces (alike))
    return PG_L1_UNSETTLED;
  if (n_iters > 1 && writes_again (alike))
    return PG_L1_CONFLICT;
  pg_sort (alike->pieces, alike->n_pieces, sizeof *alike->pieces, piece_comes_before, NULL);
  if (!find_bounds (alike, n_iters) || !are_all_apart (alike, n_iters))
    return PG_L1_UNSETTLED;
  return judge_bounds (alike);
}

/* What is said of VERDICT, found by a monitor that was stopped WHY, or not at all.  */
static const char *
text_of (enum stop why, enum pg_l1 verdict)
{
  static const char *const stops[]
    = { [STOP_MANY] = "too many", [STOP_MEMORY] = "no memory", [STOP_READ] = "an array is read before it is written" };
  static const char *const verdicts[] = { [PG_L1_UNSETTLED] = "nothing shown",
					  [PG_L1_CONFLICT] = "one place is written by all",
					  [PG_L1_CLEAN] = "no two iterations conflict",
					  [PG_L1_DISJOINT] = "no two iterations conflict" };
  return why != STOP_NOT ? stops[why] : verdicts[verdict];
}

enum pg_l1
pg_alike_check (struct pg_alike **kept, struct pg_view *view, int64_t most)
{
  fenv_t env;
  int saved_errno = errno;
  struct pg_alike *alike = *kept != NULL ? *kept : make (view->region);
  *kept = alike;
  if (alike == NULL)
    return PG_L1_UNSETTLED;
  alike->n_touches = 0;
  if (!is_the_same (alike, view) || (!alike->is_final && most / 2 >= alike->left))
    {
      alike->is_known = false;
      memcpy (alike->key, alike->next_key, alike->key_len);
      fegetenv (&env);
      enum stop why = equip (alike, view, most) ? run (alike, view->args) : STOP_MANY;
      fesetenv (&env);
      errno = saved_errno;
      alike->n_touches = most - (alike->left < 0 ? 0 : alike->left);
      alike->verdict = judge (alike, why, view->n_iters);
      alike->is_final = why != STOP_MANY;
      alike->left = most;
      atomic_signal_fence (memory_order_seq_cst);
      alike->is_known = true;
      PG_LOG (CHECK, "region %s:%u: %lld touches of iteration 0: %s", view->region->file, (unsigned) view->region->line,
	      (long long) alike->n_touches, text_of (why, alike->verdict));
    }
  if (alike->verdict == PG_L1_CLEAN || alike->verdict == PG_L1_DISJOINT)
    view->bounds = alike->bounds;
  return alike->verdict;
}

int64_t
pg_alike_touches (const struct pg_alike *alike)
{
  return alike == NULL ? 0 : alike->n_touches;
}

bool
pg_alike_wants_more (const struct pg_alike *alike)
{
  return alike != NULL && !alike->is_final;
}

void
pg_alike_forget (struct pg_alike *alike)
{
  if (alike != NULL)
    alike->is_known = false;
}

void
pg_alike_free (struct pg_alike *alike)
{
  if (alike == NULL)
    return;
  for (size_t i = 0; i < MOST_BLOCKS && alike->blocks[i] != NULL; i++)
    pg_budget_put (alike->blocks[i], BLOCK_PAGES * sizeof (struct page));
  pg_budget_put (alike->seats, alike->n_seats * sizeof *alike->seats);
  pg_budget_put (alike->pieces, alike->most_pieces * sizeof *alike->pieces);
  pg_budget_put (alike, alike->len);
}
