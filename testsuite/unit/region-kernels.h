/* SPDX-License-Identifier: MIT
   The kernels of the regions in regions.h, and two more regions, like scatter:

   put	y[idx[i]] = i
   move	y[idx[i]] = y[i]  */
#ifndef PARAGON_TEST_REGION_KERNELS_H
#define PARAGON_TEST_REGION_KERNELS_H

#include "regions.h"

#define ELEMENT "v1 = iter i64 0\nv2 = const i64 3\nv3 = shl i64 v1 v2\n"

static const char scale_kernel[] __attribute__ ((unused))
= "kernel \"scale\" args 24 dims 1 refs 4\nb0:\n" ELEMENT
  "v4 = arg ptr 0\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = add i64 v6 v6\n"
  "v8 = arg ptr 8\nv9 = address ptr v8 v3\nv10 = load i64 v9 ref 1\nv11 = add i64 v7 v10\n"
  "v12 = arg ptr 16\nv13 = address ptr v12 v3\nstore void v13 v11 ref 2\nreturn void\nend\n";
static const char sum_kernel[] __attribute__ ((unused))
= "kernel \"sum\" args 32 dims 1 refs 2\ncarry i64 add 8\ncarry i64 max 16\ncarry i64 last 24\nb0:\n" ELEMENT
  "v4 = carry i64 0\nv5 = carry i64 1\n"
  "v6 = arg ptr 0\nv7 = address ptr v6 v3\nv8 = load i64 v7 ref 0\nv9 = add i64 v4 v8\nnext void v9 carry 0\n"
  "v11 = smax i64 v5 v8\nnext void v11 carry 1\nv13 = mul i64 v1 v2\nnext void v13 carry 2\nreturn void\nend\n";
static const char scatter_kernel[] __attribute__ ((unused))
= "kernel \"scatter\" args 16 dims 1 refs 3\nb0:\n" ELEMENT
  "v4 = arg ptr 8\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = shl i64 v6 v2\n"
  "v8 = arg ptr 0\nv9 = address ptr v8 v7\nv10 = load i64 v9 ref 1\nv11 = mul i64 v10 v2\nv12 = add i64 v11 v1\n"
  "v13 = const i64 10007\nv14 = srem i64 v12 v13\nstore void v9 v14 ref 1\nreturn void\nend\n";
static const char put_kernel[] __attribute__ ((unused))
= "kernel \"put\" args 16 dims 1 refs 3\nb0:\n" ELEMENT
  "v4 = arg ptr 8\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = shl i64 v6 v2\n"
  "v8 = arg ptr 0\nv9 = address ptr v8 v7\nstore void v9 v1 ref 1\nreturn void\nend\n";
static const char move_kernel[] __attribute__ ((unused))
= "kernel \"move\" args 16 dims 1 refs 4\nb0:\n" ELEMENT
  "v4 = arg ptr 8\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = shl i64 v6 v2\n"
  "v8 = arg ptr 0\nv9 = address ptr v8 v7\nv10 = address ptr v8 v3\nv11 = load i64 v10 ref 2\n"
  "store void v9 v11 ref 1\nreturn void\nend\n";
static const char shift_kernel[] __attribute__ ((unused))
= "kernel \"shift\" args 16 dims 1 refs 3\nb0:\n" ELEMENT
  "v4 = arg ptr 0\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = mul i64 v6 v2\nv8 = const i64 1\n"
  "v9 = add i64 v7 v8\nv10 = const i64 10007\nv11 = srem i64 v9 v10\nv12 = arg i64 8\nv13 = add i64 v1 v12\n"
  "v14 = shl i64 v13 v2\nv15 = address ptr v4 v14\nstore void v15 v11 ref 1\nreturn void\nend\n";
static const char fsum_kernel[] __attribute__ ((unused))
= "kernel \"fsum\" args 16 dims 1 refs 2\ncarry f64 add 8\nb0:\n" ELEMENT
  "v4 = carry f64 0\nv5 = arg ptr 0\nv6 = address ptr v5 v3\nv7 = load f64 v6 ref 0\nv8 = fadd f64 v4 v7\n"
  "next void v8 carry 0\nreturn void\nend\n";

static inline int64_t
put_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scatter_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->y[p->idx[i]] = i;
  return 0;
}

static inline int64_t
move_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scatter_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->y[p->idx[i]] = p->y[i];
  return 0;
}

static const struct pg_node move_nodes[] = { ARG (scatter_args, idx), CONSTANT (8), ARG (scatter_args, y) };
static const struct pg_ref move_refs[] = {
  { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS, .group = 0, .len = 8 },
  { .address = LINEAR (-1, -1), .flags = PG_REF_WRITE, .level = 1, .group = 1, .len = 8 },
  { .address = LINEAR (2, 1), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 1, .len = 8 },
};

/* The scatter region with another BODY and, of those above, N_REFS references.  */
static inline struct pg_descriptor *
a_like_region (pg_loop_fn *body, uint32_t n_refs)
{
  struct pg_region region = scatter_region;
  region.body = body;
  region.nodes = move_nodes;
  region.n_nodes = N_ELEMENTS (move_nodes);
  region.refs = move_refs;
  region.n_refs = n_refs;
  region.flags |= PG_REGION_SLICE_STABLE;
  return a_new_region (region);
}

#endif
