/* SPDX-License-Identifier: MIT
   Small random loops that exist three times: as region tables for the code under test, as a monitor, and as a plain
   interpreter that says byte by byte which iterations conflict.  For unit tests of the check ladder.

   A model is a tree of loops (dimensions) with references in them, visited in order of the table.  A reference is
   affine, or indirect: then its address is chosen by the value that another one, its feed, read just before.  All live
   in one piece of memory, index values too, so the loop may overwrite its own indexes.  */
#ifndef PG_LOOP_MODEL_H
#define PG_LOOP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "monitor-log.h"
#include "paragon_region.h"

enum
{
  MODEL_REFS = 12,
  MODEL_NODES = 1024,
  MODEL_MEMORY = 8192,
  MODEL_ORIGIN = 4096 /* where offsets count from */
};

struct model_ref
{
  int dim;
  int64_t base, coef[PG_MAX_DIMS], len;
  uint8_t flags;          /* enum pg_ref_flags */
  int feed;               /* index of the feed; -1: affine */
  int64_t scale, modulus; /* indirect: base + scale * (value % modulus) */
  bool is_row;            /* the monitor tells of it once an inner loop, if it can */
  bool is_downwards;      /* and from the last iteration down */
  bool is_logged;         /* the monitor logs it */
  bool is_guarded;        /* executed if a hash of iteration numbers says so, or if the value fed is odd */
};

struct model
{
  struct pg_region region;
  struct pg_node nodes[MODEL_NODES];
  struct pg_dim dims[PG_MAX_DIMS];
  struct pg_ref ref_table[MODEL_REFS];
  struct pg_field live_in;
  struct
  {
    struct model *self;
    int64_t values[MODEL_NODES];
  } args;

  int64_t n_iters;
  int64_t last_base[PG_MAX_DIMS], last_coef[PG_MAX_DIMS][PG_MAX_DIMS];
  struct model_ref refs[MODEL_REFS];
  uint64_t random;
  _Alignas(64) unsigned char memory[MODEL_MEMORY];
};

/* What the interpreter does with each access.  */
typedef void model_visit (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len);

static inline uint64_t
model_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x9e3779b97f4a7c15u >> 11;
}

/* A number in [FROM, TO].  */
static inline int64_t
model_pick (struct model *model, int64_t from, int64_t to)
{
  return from + (int64_t) (model_random (&model->random) % (uint64_t) (to - from + 1));
}

/* A node of value VALUE: a constant, an argument, or a sum of the two.  */
static inline int16_t
model_node (struct model *model, int64_t value)
{
  if (value == 0 && model_pick (model, 0, 3) > 0)
    return -1;
  uint32_t n = model->region.n_nodes;
  int kind = (int) model_pick (model, 0, 2);
  bool is_near_end = value < INT64_MIN + 5 || value > INT64_MAX - 5;
  int64_t part = kind == 0 ? value : kind == 1 || is_near_end ? 0 : model_pick (model, -5, 5);
  model->nodes[n] = (struct pg_node) { .op = PG_NODE_CONST, .value = part };
  model->args.values[n + 1] = value - part;
  model->nodes[n + 1] = (struct pg_node) {
    .op = PG_NODE_ARG,
    .size = 8,
    .is_signed = 1,
    .value = (int64_t) ((char *) &model->args.values[n + 1] - (char *) &model->args),
  };
  model->nodes[n + 2] = (struct pg_node) { .op = PG_NODE_ADD, .a = (int16_t) n, .b = (int16_t) (n + 1) };
  model->region.n_nodes = n + 3;
  return (int16_t) (kind == 0 ? n : kind == 1 ? n + 1 : n + 2);
}

static inline struct pg_linear
model_linear (struct model *model, int64_t base, const int64_t *coef)
{
  struct pg_linear linear = { .base = model_node (model, base) };
  for (int d = 0; d < PG_MAX_DIMS; d++)
    linear.coef[d] = coef[d] != 0 || d < PG_MAX_DEPTH ? model_node (model, coef[d]) : -1;
  return linear;
}

static inline uint64_t
model_hash (int ref, const int64_t *numbers)
{
  uint64_t hash = (uint64_t) ref + 1;
  for (int d = 0; d < PG_MAX_DEPTH; d++)
    hash = (hash ^ (uint64_t) numbers[d]) * 0x9e3779b97f4a7c15u;
  return hash >> 33;
}

static inline int64_t
model_sum (int64_t base, const int64_t *coef, const int64_t *numbers)
{
  for (int d = 0; d < PG_MAX_DIMS; d++)
    base += coef[d] * numbers[d];
  return base;
}

/* What a monitor is given.  */
struct model_telling
{
  struct pg_monitor *monitor;
  const struct model *model;
};

static inline void model_touch (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len);

/* Does the monitor tell of all that REF does in an execution of its loop at once?  */
static inline bool
model_is_row (const struct model_ref *ref)
{
  return ref->is_row && ref->feed < 0 && ref->dim > 0 && !ref->is_guarded;
}

/* Tell TELLING of the rows of dimension DIM, which runs LAST + 1 times.  */
static inline void
model_tell_rows (const struct model_telling *telling, int dim, const int64_t *numbers, int64_t last)
{
  struct model *model = (struct model *) telling->model;
  telling->monitor->iter = numbers[0];
  for (int r = 0; r < (int) model->region.n_refs; r++)
    {
      const struct model_ref *ref = &model->refs[r];
      if (ref->dim != dim || !model_is_row (ref))
	continue;
      unsigned char *start = model->memory + MODEL_ORIGIN + model_sum (ref->base, ref->coef, numbers);
      int64_t step = ref->coef[dim];
      if (ref->is_downwards && last >= 0)
	telling->monitor->touch_row (telling->monitor, r, start + step * last, ref->len, last + 1, -step);
      else
	telling->monitor->touch_row (telling->monitor, r, start, ref->len, last + 1, step);
    }
}

/* Visit what is inside dimension DIM, whose and whose parents' iterations are in NUMBERS.  With STORES, write.  */
static inline void
model_body (struct model *model, int dim, int64_t *numbers, bool stores, model_visit *visit, void *ctx)
{
  uint8_t values[MODEL_REFS] = { 0 };
  for (int r = 0; r < (int) model->region.n_refs; r++)
    {
      const struct model_ref *ref = &model->refs[r];
      if (ref->dim != dim)
	continue;
      if (ref->is_guarded && (ref->feed < 0 ? model_hash (r, numbers) % 2 == 0 : values[ref->feed] % 2 == 0))
	continue;
      int64_t at = ref->feed < 0 ? model_sum (ref->base, ref->coef, numbers)
				 : ref->base + ref->scale * (values[ref->feed] % ref->modulus);
      unsigned char *address = model->memory + MODEL_ORIGIN + at;
      if (visit != model_touch || !model_is_row (ref))
	visit (ctx, numbers[0], r, address, ref->len);
      if (ref->flags & PG_REF_FEEDS)
	values[r] = *address;
      if (stores && (ref->flags & PG_REF_WRITE))
	memset (address, (int) (model_hash (r, numbers) & 0xff), (size_t) ref->len);
    }
  for (int d = dim + 1; d < (int) model->region.n_dims; d++)
    if (model->dims[d].parent == dim)
      {
	int64_t last = model_sum (model->last_base[d], model->last_coef[d], numbers);
	if (last < 0 && model->dims[d].flags & PG_DIM_ONCE)
	  last = 0;
	numbers[d] = 0;
	if (visit == model_touch)
	  model_tell_rows (ctx, d, numbers, last);
	for (numbers[d] = 0; numbers[d] <= last; numbers[d]++)
	  model_body (model, d, numbers, stores, visit, ctx);
	numbers[d] = 0;
      }
}

static inline void
model_run (struct model *model, int64_t lo, int64_t hi, bool stores, model_visit *visit, void *ctx)
{
  int64_t numbers[PG_MAX_DIMS] = { 0 };
  for (numbers[0] = lo; numbers[0] < hi; numbers[0]++)
    model_body (model, 0, numbers, stores, visit, ctx);
}

/* Tell MONITOR that REF touches LEN bytes at ADDRESS: by its tail, as real monitors do, or a call.  */
static inline void
model_tell (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  struct pg_tail *tail = &monitor->tails[ref];
  uintptr_t behind = (uintptr_t) address + (uintptr_t) len;
  if (tail->end != address || behind < (uintptr_t) address)
    {
      monitor->touch (monitor, ref, address, len);
      return;
    }
  tail->end = (const void *) behind;
  tail->bits |= behind;
}

static inline void
model_touch (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len)
{
  struct model_telling *telling = ctx;
  struct pg_monitor *monitor = telling->monitor;
  monitor->iter = iter;
  if (telling->model->refs[ref].is_logged)
    log_touch (monitor, ref, address);
  else
    model_tell (monitor, ref, address, len);
}

static inline int64_t
model_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct model *model = *(struct model **) args;
  struct model_telling telling = { .monitor = ctx, .model = model };
  model_run (model, lo, hi, false, model_touch, &telling);
  return 0;
}

/* Make MODEL's tables from its lasts, parents and references.  */
static inline void
model_describe (struct model *model, uint32_t n_dims, uint32_t n_refs)
{
  struct pg_region *region = &model->region;
  region->file = "model.c";
  region->klass = PG_CLASS_POSSIBLY;
  region->monitor = model_monitor;
  region->args_len = sizeof model->args;
  region->nodes = model->nodes;
  region->dims = model->dims;
  region->refs = model->ref_table;
  region->n_dims = n_dims;
  region->n_refs = n_refs;
  region->live_ins = &model->live_in;
  region->n_live_ins = 1;
  model->live_in = (struct pg_field) { 0, sizeof model->args.self };
  model->args.self = model;
  bool all_affine = true;
  for (uint32_t d = 1; d < n_dims; d++)
    model->dims[d].last = model_linear (model, model->last_base[d], model->last_coef[d]);
  for (uint32_t r = 0; r < n_refs; r++)
    {
      const struct model_ref *ref = &model->refs[r];
      struct pg_ref *entry = &model->ref_table[r];
      *entry = (struct pg_ref) {
	.dim = (int16_t) ref->dim, .flags = ref->flags, .group = (int16_t) (r % 3), .len = ref->len
      };
      entry->level = ref->feed >= 0;
      if (ref->is_guarded)
	entry->flags |= PG_REF_CONDITIONAL;
      if (ref->feed >= 0)
	{
	  all_affine = false;
	  continue;
	}
      entry->flags |= PG_REF_AFFINE;
      entry->address = model_linear (model, (int64_t) (intptr_t) (model->memory + MODEL_ORIGIN) + ref->base, ref->coef);
    }
  region->flags |= all_affine ? PG_REGION_ALL_AFFINE : 0;
}

/* A loop, perhaps with one inside, of affine references, index reads, and references at addresses from these.  */
static inline void
model_random_indirect (struct model *m)
{
  uint64_t random = m->random;
  memset (m, 0, offsetof (struct model, memory));
  m->random = random;
  uint32_t n_dims = (uint32_t) model_pick (m, 1, 2), n_refs = (uint32_t) model_pick (m, 1, 6);
  bool stable = model_pick (m, 0, 1);
  int64_t element = (int64_t) 1 << model_pick (m, 0, 3);
  int64_t spread = model_pick (m, 0, 1) ? 250 : model_pick (m, 2, 60);
  m->n_iters = model_pick (m, 2, 60);
  m->dims[0].parent = -1;
  m->last_base[1] = model_pick (m, 0, 3);
  for (uint32_t r = 0; r < n_refs; r++)
    {
      struct model_ref *ref = &m->refs[r];
      int kind = (int) model_pick (m, 0, 3);
      ref->feed = -1;
      ref->dim = (int) model_pick (m, 0, n_dims - 1);
      ref->len = element;
      ref->flags = (uint8_t) model_pick (m, 1, 3);
      ref->coef[0] = model_pick (m, 0, 5) * element;
      ref->coef[1] = ref->dim == 1 ? model_pick (m, 0, 2) * element : 0;
      ref->base = model_pick (m, 0, 99) * element + (model_pick (m, 0, 9) == 0);
      ref->is_guarded = model_pick (m, 0, 4) == 0;
      if (kind > 0 && r + 1 < n_refs)
	{
	  /* Indexes are bytes, far away if the loop must not change them.  */
	  ref->flags = PG_REF_READ | PG_REF_FEEDS;
	  ref->len = 1;
	  ref->coef[0] = model_pick (m, 1, 2);
	  ref->base = stable ? 200 * (int64_t) r - 1000 : model_pick (m, -50, 200);
	  struct model_ref *indirect = &m->refs[++r];
	  *indirect = (struct model_ref) { .feed = (int) r - 1, .dim = ref->dim, .len = element, .scale = element };
	  indirect->flags = (uint8_t) model_pick (m, 1, 3);
	  indirect->base = model_pick (m, 0, 99) * element;
	  indirect->modulus = spread;
	  indirect->is_guarded = model_pick (m, 0, 4) == 0;
	}
    }
  for (uint32_t r = 0; r < n_refs; r++)
    {
      m->refs[r].is_row = m->random >> r & 1;
      m->refs[r].is_downwards = m->random >> (10 + r) & 1;
      m->refs[r].is_logged = !(m->refs[r].flags & PG_REF_FEEDS) && (m->random >> (20 + r) & 1);
    }
  m->region.flags = stable ? PG_REGION_SLICE_STABLE : 0;
  model_describe (m, n_dims, n_refs);
}

/* Give MODEL's memory, its indexes among it, new contents: bytes that repeat late, or early.  */
static inline void
model_fill_memory (struct model *m)
{
  bool is_permutation = model_pick (m, 0, 1);
  int64_t step = 2 * model_pick (m, 0, 60) + 1;
  for (int i = 0; i < MODEL_MEMORY; i++)
    m->memory[i] = (unsigned char) (is_permutation ? i * step : model_pick (m, 0, 255));
}

/* What the interpreter knows about each byte, iterations ascending, and what follows: CONFLICT, the first iteration
   that conflicts with an earlier one (or with the monitor's reading early, if EARLY); DISTANCE, the smallest between
   two iterations that conflict.  INT64_MAX: none.  */
struct oracle
{
  const struct model *model;
  bool early;
  int64_t conflict, distance;
  struct
  {
    int32_t touch[2], write[2]; /* latest iteration + 1, and the latest other than that */
    int32_t feed;               /* latest iteration + 1 in which the monitor read it */
  } bytes[MODEL_MEMORY];
};

static inline void
oracle_meet (struct oracle *oracle, int64_t iter, const int32_t *others)
{
  int32_t other = others[0] == iter + 1 ? others[1] : others[0];
  if (other == 0)
    return;
  if (iter + 1 - other < oracle->distance)
    oracle->distance = iter + 1 - other;
  if (iter < oracle->conflict)
    oracle->conflict = iter;
}

static inline void
oracle_note (int32_t *latest, int64_t iter)
{
  if (latest[0] == iter + 1)
    return;
  latest[1] = latest[0];
  latest[0] = (int32_t) iter + 1;
}

static inline void
oracle_visit (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len)
{
  struct oracle *oracle = ctx;
  uint8_t flags = oracle->model->refs[ref].flags;
  for (int64_t i = 0; i < len; i++)
    {
      size_t at = (size_t) (address + i - oracle->model->memory);
      if (at >= MODEL_MEMORY)
	abort ();
      if (flags & PG_REF_WRITE)
	oracle_meet (oracle, iter, oracle->bytes[at].touch);
      oracle_meet (oracle, iter, oracle->bytes[at].write);
      oracle_note (oracle->bytes[at].touch, iter);
      if (flags & PG_REF_WRITE)
	oracle_note (oracle->bytes[at].write, iter);
      if (flags & PG_REF_FEEDS)
	oracle->bytes[at].feed = (int32_t) iter + 1;
      bool is_early = oracle->bytes[at].feed == iter + 1 && oracle->bytes[at].write[0] == iter + 1;
      if (oracle->early && is_early && iter < oracle->conflict)
	oracle->conflict = iter;
    }
}

/* Run [LO, HI) of MODEL, with STORES, and see.  */
static inline void
oracle_run (struct oracle *oracle, struct model *model, int64_t lo, int64_t hi, bool stores)
{
  memset (oracle->bytes, 0, sizeof oracle->bytes);
  oracle->model = model;
  oracle->early = !(model->region.flags & PG_REGION_SLICE_STABLE);
  oracle->conflict = oracle->distance = INT64_MAX;
  model_run (model, lo, hi, stores, oracle_visit, oracle);
}

/* Make MODEL a loop of two opaque references, a read and a write, that MONITOR tells of.  */
static inline void
model_two_references (struct model *m, int64_t len, pg_loop_fn *monitor)
{
  memset (m, 0, offsetof (struct model, memory));
  m->n_iters = 20;
  m->dims[0].parent = -1;
  m->refs[0] = (struct model_ref) { .len = len, .flags = PG_REF_READ, .feed = 0 };
  m->refs[1] = (struct model_ref) { .len = len, .flags = PG_REF_WRITE, .feed = 0 };
  model_describe (m, 1, 2);
  m->region.flags |= PG_REGION_SLICE_STABLE;
  m->region.monitor = monitor;
}

#endif
