/* SPDX-License-Identifier: GPL-3.0-or-later
   A loop that is cut into one for each of its parts, and interchanged with inner loops.  See columns.cc, which finds
   them, and cut.cc.  */
#ifndef PARAGON_CUT_H
#define PARAGON_CUT_H

#include "gcc-includes.h"

/* Iterations of a strip, at most.  */
static const int pg_cut_strip = 256;

/* A scalar NAME, defined in part FROM of a loop and used in part TO, later.  */
struct pg_cut_carried
{
  tree name, array; /* the array is made with the cut */
  int from, to;
};

/* A PHI of a header that counts, from BASE by STEP.  */
struct pg_cut_counter
{
  gphi *phi;
  tree base, step;
};

/* What an inner loop adds up, or carries otherwise, from turn to turn.  */
struct pg_cut_sum
{
  gphi *phi; /* in its header */
  tree next, array;
  int part;
};

/* A loop to be cut.  Blocks of its own, one behind the other, and inner loops make up parts, by number in order.  */
struct pg_cut
{
  class loop *loop;
  edge exit;
  tree n_iters;                                   /* of sizetype, an expression */
  bool is_free;                                   /* its iterations are independent */
  auto_vec<basic_block> chain;                    /* its own blocks, in order */
  auto_vec<class loop *> inner;                   /* in it, in order */
  auto_vec<struct pg_cut_counter> counters;       /* PHIs of its header, all of them */
  auto_vec<struct pg_cut_counter> inner_counters; /* of inner loops that are to be alone */
  auto_vec<gimple *> statements;                  /* by uid, PHIs too */
  auto_vec<int> parts;                            /* of each; -1: of any that needs it */
  auto_vec<bool> is_columns;                      /* by part: an inner loop that is to be alone */
  auto_vec<tree> n_turns;                         /* by part: of that, of sizetype, an expression, then a value */
  tree n_strip_turns;                             /* of the strip at hand */
  auto_vec<struct pg_cut_sum> sums;
  gphi *turn; /* the number of the iteration in its strip */
  auto_vec<struct pg_cut_carried> carried;
};

/* Find the blocks of CUT's loop that are not of an inner one, and the inner ones.  False if there is more than one way
   through it.  */
extern bool pg_cut_find_chain (struct pg_cut *cut);

/* Find what CUT's loop carries from iteration to iteration, and how many there are.  False if that is more than
   counters, or not known.  */
extern bool pg_cut_find_counters (struct pg_cut *cut);

/* True if STMT, of a loop, may be run again or in another order: it computes, loads or stores, is a PHI or a test.  */
extern bool pg_cut_statement_ok_p (gimple *stmt);

/* Have STMT use WITH for NAME.  */
extern void pg_cut_replace_use (gimple *stmt, tree name, tree with);

/* An expression: BASE and so many TIMES STEP, which wraps.  */
extern tree pg_cut_count_on (tree base, tree step, tree times);

/* A copy of CUT's loop, before it; to be refreshed.  What its inner loops begin with is what the copy has.  */
extern class loop *pg_cut_copy_loop (const struct pg_cut *cut);

/* Let LOOP, which ends at its bottom, run N_TURNS times, a value.  */
extern void pg_cut_run_turns (class loop *loop, tree n_turns);

/* Note STMT as one of PART of CUT.  */
extern void pg_cut_add (struct pg_cut *cut, gimple *stmt, int part);

/* The part of STMT in CUT, -1 if it is in any that needs it, -2 if it is not of the loop.  */
extern int pg_cut_part (const struct pg_cut *cut, const gimple *stmt);

/* The part of CUT in which STMT uses what it does: what a sum begins with is needed before its loop.  */
extern int pg_cut_part_of_use (const struct pg_cut *cut, const gimple *stmt);

/* The sum of CUT, number FIRST or later, that ends with NAME; or NULL.  */
extern const struct pg_cut_sum *pg_cut_sum_of (const struct pg_cut *cut, unsigned first, const_tree name);

/* True if STMT is where the sum that ends with NAME begins its next turn.  */
extern bool pg_cut_goes_around_p (const struct pg_cut *cut, const_tree name, const gimple *stmt);

/* Put EXPRESSION, computed, at the end of BB; the value.  */
extern tree pg_cut_compute (basic_block bb, tree expression);

/* Make the loops of CUT.  */
extern void pg_cut_make (struct pg_cut *cut);

/* Remove what nobody uses in BB; true if there was something.  */
extern bool pg_cut_remove_unused_in (basic_block bb);

/* The same in LOOP.  */
extern void pg_cut_remove_unused (class loop *loop);

/* Bring what GCC knows of the loops of the current function up to date.  */
extern void pg_cut_refresh (void);

#endif
