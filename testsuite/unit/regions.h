/* SPDX-License-Identifier: MIT
   Regions written by hand, as the plugin would write them, for tests of the runtime.

   scale    c[i] = 2 * a[i] + b[i]		three pointers: L1 settles
   sum      s += a[i], m = max (m, a[i])	reductions and a live-out, proven parallel
   scatter  y[idx[i]] = f (y[idx[i]], i)		indirect: only the monitor knows
   shift    a[i + d] = f (a[i])			a conflict at distance d
   fsum     s += a[i]				floating-point, on the fixed grid  */
#ifndef PARAGON_TEST_REGIONS_H
#define PARAGON_TEST_REGIONS_H

#include "describe.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

int __paragon_enter_v1 (struct pg_descriptor *region, void *args, int64_t n_iters);
int64_t __paragon_enter_v2 (struct pg_descriptor *region, void *args, int64_t n_iters);

#define ARG(member_struct, member)                                                                   \
  {                                                                                                  \
    .op = PG_NODE_ARG, .size = 8, .value = offsetof (struct member_struct, member), .a = -1, .b = -1 \
  }
#define CONSTANT(number)                                   \
  {                                                        \
    .op = PG_NODE_CONST, .value = number, .a = -1, .b = -1 \
  }
#define LINEAR(base_node, coef_node)        \
  {                                         \
    base_node,                              \
    {                                       \
      coef_node, -1, -1, -1, -1, -1, -1, -1 \
    }                                       \
  }
#define N_ELEMENTS(table) ((uint32_t) (sizeof table / sizeof *table))

static const struct pg_dim one_loop[] = { { .parent = -1, .last = LINEAR (-1, -1) } };

/* What every region of this file has in common.  */
#define REGION_COMMON(name) .file = "src/loops.c", .function = name, .frame_len = 256, .n_dims = 1, .dims = one_loop
#define TABLE(member, table) .member = table, .n_##member = N_ELEMENTS (table)

/* A new descriptor of REGION.  */
static struct pg_descriptor *
a_new_region (struct pg_region region)
{
  static struct pg_descriptor descriptors[1000];
  static unsigned char packed[1000][1000];
  static _Atomic int n;
  int number = atomic_fetch_add (&n, 1);
  describe (&descriptors[number], &region, packed[number], sizeof packed[number]);
  return &descriptors[number];
}

struct scale_args
{
  int64_t *a, *b, *c;
};

static _Atomic int64_t n_noalias_calls;

static int64_t
scale_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scale_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->c[i] = 2 * p->a[i] + p->b[i];
  return 0;
}

static int64_t
scale_noalias (void *args, int64_t lo, int64_t hi, void *ctx)
{
  atomic_fetch_add (&n_noalias_calls, 1);
  return scale_body (args, lo, hi, ctx);
}

static const struct pg_node scale_nodes[]
  = { ARG (scale_args, a), ARG (scale_args, b), ARG (scale_args, c), CONSTANT (8) };
static const struct pg_ref scale_refs[] = {
  { .address = LINEAR (0, 3), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (1, 3), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 1, .len = 8 },
  { .address = LINEAR (2, 3), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 2, .len = 8 },
};

static const struct pg_region scale_region = { REGION_COMMON ("scale"),       .line = 10,
					       .klass = PG_CLASS_POSSIBLY,    .reason = PG_WHY_POINTERS,
					       .flags = PG_REGION_ALL_AFFINE, .body = scale_body,
					       .body_noalias = scale_noalias, .args_len = sizeof (struct scale_args),
					       TABLE (nodes, scale_nodes),    TABLE (refs, scale_refs) };

static inline struct pg_descriptor *
a_scale_region (void)
{
  return a_new_region (scale_region);
}

struct sum_args
{
  int64_t *a;
  uint64_t sum;
  int64_t largest;
  int64_t last;
};

static int64_t
sum_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct sum_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      p->sum += (uint64_t) p->a[i];
      p->largest = p->a[i] > p->largest ? p->a[i] : p->largest;
      p->last = 3 * i;
    }
  return 0;
}

static const struct pg_node sum_nodes[] = { ARG (sum_args, a), CONSTANT (8) };
static const struct pg_ref sum_refs[]
  = { { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 } };
static const struct pg_reduction sum_reductions[]
  = { { .op = PG_REDUCE_ADD, .type = PG_U64, .offset = offsetof (struct sum_args, sum) },
      { .op = PG_REDUCE_MAX, .type = PG_I64, .offset = offsetof (struct sum_args, largest) } };
static const struct pg_field sum_live_outs[] = { { .offset = offsetof (struct sum_args, last), .len = 8 } };

static const struct pg_region sum_region = { REGION_COMMON ("sum"),
					     .line = 20,
					     .klass = PG_CLASS_PARALLEL,
					     .reason = PG_WHY_PROVEN,
					     .flags = PG_REGION_ALL_AFFINE,
					     .body = sum_body,
					     .args_len = sizeof (struct sum_args),
					     TABLE (nodes, sum_nodes),
					     TABLE (refs, sum_refs),
					     TABLE (reductions, sum_reductions),
					     TABLE (live_outs, sum_live_outs) };

static inline struct pg_descriptor *
a_sum_region (void)
{
  return a_new_region (sum_region);
}

struct scatter_args
{
  int64_t *y, *idx;
};

static int64_t
scatter_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scatter_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->y[p->idx[i]] = (3 * p->y[p->idx[i]] + i) % 10007;
  return 0;
}

static int64_t
scatter_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scatter_args *p = args;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &p->idx[i], 8);
      monitor->touch (monitor, 1, &p->y[p->idx[i]], 8);
    }
  return 0;
}

static const struct pg_node scatter_nodes[] = { ARG (scatter_args, idx), CONSTANT (8) };
static const struct pg_ref scatter_refs[] = {
  { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS, .group = 0, .len = 8 },
  { .address = LINEAR (-1, -1), .flags = PG_REF_READ | PG_REF_WRITE, .level = 1, .group = 1, .len = 8 },
};
static const struct pg_field scatter_live_ins[] = { { .offset = offsetof (struct scatter_args, y), .len = 8 },
						    { .offset = offsetof (struct scatter_args, idx), .len = 8 } };

static const struct pg_region scatter_region = { REGION_COMMON ("scatter"),
						 .line = 30,
						 .klass = PG_CLASS_POSSIBLY,
						 .reason = PG_WHY_INDIRECT,
						 .body = scatter_body,
						 .monitor = scatter_monitor,
						 .args_len = sizeof (struct scatter_args),
						 TABLE (nodes, scatter_nodes),
						 TABLE (refs, scatter_refs),
						 TABLE (live_ins, scatter_live_ins) };

static inline struct pg_descriptor *
a_scatter_region (void)
{
  return a_new_region (scatter_region);
}

struct shift_args
{
  int64_t *a;
  int64_t distance;
};

static int64_t
shift_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct shift_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->a[i + p->distance] = (3 * p->a[i] + 1) % 10007;
  return 0;
}

static const struct pg_node shift_nodes[] = { ARG (shift_args, a),
					      CONSTANT (8),
					      ARG (shift_args, distance),
					      { .op = PG_NODE_MUL, .a = 1, .b = 2 },
					      { .op = PG_NODE_ADD, .a = 0, .b = 3 } };
static const struct pg_ref shift_refs[] = {
  { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (4, 1), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 0, .len = 8 },
};

static const struct pg_region shift_region = { REGION_COMMON ("shift"),
					       .line = 40,
					       .klass = PG_CLASS_POSSIBLY,
					       .reason = PG_WHY_DISTANCE,
					       .flags = PG_REGION_ALL_AFFINE,
					       .body = shift_body,
					       .args_len = sizeof (struct shift_args),
					       TABLE (nodes, shift_nodes),
					       TABLE (refs, shift_refs) };

static inline struct pg_descriptor *
a_shift_region (void)
{
  return a_new_region (shift_region);
}

struct fsum_args
{
  double *a;
  double sum;
};

static int64_t
fsum_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct fsum_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->sum += p->a[i];
  return 0;
}

static const struct pg_node fsum_nodes[] = { ARG (fsum_args, a), CONSTANT (8) };
static const struct pg_ref fsum_refs[]
  = { { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 } };
static const struct pg_reduction fsum_reductions[]
  = { { .op = PG_REDUCE_ADD, .type = PG_F64, .offset = offsetof (struct fsum_args, sum) } };

static const struct pg_region fsum_region = { REGION_COMMON ("fsum"),
					      .line = 50,
					      .klass = PG_CLASS_PARALLEL,
					      .reason = PG_WHY_PROVEN,
					      .flags = PG_REGION_ALL_AFFINE | PG_REGION_FIXED_GRID,
					      .body = fsum_body,
					      .args_len = sizeof (struct fsum_args),
					      TABLE (nodes, fsum_nodes),
					      TABLE (refs, fsum_refs),
					      TABLE (reductions, fsum_reductions) };

static inline struct pg_descriptor *
an_fsum_region (void)
{
  return a_new_region (fsum_region);
}

#endif
