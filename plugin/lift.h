/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: F, in GIMPLE, becomes a kernel in loop form (runtime/kir/kir.h).

       entry block	live-ins = *args; i = i0 + lo * step		first block: "arg", with "iter" for lo
       loop		one iteration of F				all others
       exit block	*args = reductions, live-outs			"next"

   A kernel is what F does for [ITER, ITER + 1): the loop around it is gone, induction variables are functions of the
   iteration, and what goes from iteration to iteration by way of args is carried.  */
#ifndef PARAGON_LIFT_H
#define PARAGON_LIFT_H

#include "args.h"
#include "child.h"
#include "rounding.h"

extern "C"
{
#include "../runtime/kir/kir.h"
#include "../runtime/kir/prune.h"
}

enum pg_lift_reason
{
#define PG_LIFT_REASON(id, name, text) PG_LIFT_##id,
#include "../include/lift-reasons.def"
#undef PG_LIFT_REASON
  PG_N_LIFT_REASONS
};

/* What a kernel is made from: F, which is the current function, and how it came to be.  */
struct pg_lift_source
{
  const struct pg_plan *plan;
  const struct pg_args *args;
  const struct pg_child *child;
  basic_block entry_bb, exit_bb; /* F's first and last block */
};

/* A sum of a kernel of which it is not known yet what it takes in: its value if it takes in nothing, and if it takes in
   one of what it adds, 0 where that is no product.  */
struct pg_open_sum
{
  struct pg_rounded rounded;
  pg_kir_value apart, fused[2];
};

/* Find PLAN's counted loops, as far as the function knows that encloses it.  Requires: scev, dominators.  */
extern void pg_find_counted (struct pg_plan *plan);

/* Lift SOURCE to KERNEL, which is begun and empty.  PG_LIFT_LIFTED: it is verified; else it says nothing.  Sums that
   are OPEN go as if they took in nothing, and pg_lift_settle is to follow.  Changes nothing in F.  */
extern enum pg_lift_reason pg_lift (const struct pg_lift_source *source, struct pg_kir_kernel *kernel,
				    vec<struct pg_open_sum> *open);

/* Have the OPEN sums of KERNEL take in what those of the original do, which is known by now, and take out what nobody
   needs.  */
extern enum pg_lift_reason pg_lift_settle (struct pg_kir_kernel *kernel, const vec<struct pg_open_sum> &open);

#endif
