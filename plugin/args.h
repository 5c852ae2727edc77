/* SPDX-License-Identifier: GPL-3.0-or-later
   What crosses the boundary of a loop that is outlined, and the args struct that carries it.

   The struct has no type of its own: it is an array of bytes, accessed at the offsets noted here.  */
#ifndef PARAGON_ARGS_H
#define PARAGON_ARGS_H

#include "plan.h"

/* A field of the args struct.  */
struct pg_arg
{
  tree value; /* what the guard stores: a value or expression of the parent; NULL_TREE: nothing */
  tree type;  /* of the field: VALUE is converted to it */
  HOST_WIDE_INT offset, len;
  bool is_live_in;   /* the child loads it */
  bool feeds;        /* an address or a condition of the monitor */
  bool is_set;       /* by who runs the loop: it stands for VALUE at first only */
  tree local;        /* the child's SSA name for it, of VALUE's type; it has another one after the move */
  gimple *local_def; /* what defines LOCAL */
};

/* An induction variable, or what is steady: it starts an entry as BASE and grows by STEP an iteration.  */
struct pg_iv
{
  gphi *phi;
  tree base, step;        /* of the parent; STEP of the PHI's type, of sizetype for a pointer */
  int base_arg, step_arg; /* fields, or -1 for a constant */
  bool fits;              /* no value of it, no iteration's number and no STEP times that leaves its type */
};

/* A value that the loop leaves for what follows.  */
struct pg_live_out
{
  tree name; /* the parent's SSA name, defined in the loop */
  int arg;
};

/* A variable in the parent's frame that the loop uses in memory.  */
struct pg_auto
{
  tree decl;
  int arg; /* the field with its address */
};

struct pg_args
{
  auto_vec<struct pg_arg> fields;
  HOST_WIDE_INT len = 0;
  hash_map<tree, int> field_of; /* SSA name of the parent -> field */
  auto_vec<struct pg_iv> ivs;
  auto_vec<struct pg_auto> autos;
  auto_vec<struct pg_live_out> live_outs;
  auto_vec<int> trail_args;      /* one for each of the plan's trails: what it starts an entry as; -1 for a constant */
  auto_vec<int> reduction_args;  /* one for each of the plan's reductions */
  auto_vec<int> end_args;        /* likewise: what it ends as; -1 unless it is carried */
  auto_vec<tree> reduction_outs; /* the parent's SSA name that the reduction ends as; none for a flag */
  auto_vec<tree> addresses;      /* names of the parent that the child computes as it does: addresses in work arrays */
  auto_vec<int> work_args;       /* one for each of the plan's work arrays: where it is */
  auto_vec<int> cursor_args;     /* likewise: where its cursors begin, how far they go is next; -1 if it has none */
  auto_vec<int> node_args;       /* one for each of the plan's nodes; -1 unless PG_NODE_ARG */
};

/* Find everything that crosses the boundary of PLAN's loop and lay out the struct in ARGS.  False if something cannot
   cross.  Requires: scev, dominators.  Changes nothing in the function.  */
extern bool pg_args_collect (struct pg_plan *plan, struct pg_args *args);

/* The field ARG as a memory reference; BASE points to the struct.  */
extern tree pg_arg_ref (const struct pg_arg *arg, tree base);

/* The value of NAME, a live-in of the parent, in the child.  */
extern tree pg_arg_local (struct pg_args *args, tree name);

/* The field that holds the address of the automatic variable DECL, or NULL.  */
extern struct pg_arg *pg_arg_of_auto (struct pg_args *args, const_tree decl);

#endif
