/* SPDX-License-Identifier: GPL-3.0-or-later
   The function that a loop became, and its clones.  */
#ifndef PARAGON_CHILD_H
#define PARAGON_CHILD_H

#include "plan.h"

/* F in the making.  Statements of the plan are in it after the move, and are still the same objects.  */
struct pg_child
{
  tree decl;
  struct function *fun;
  gphi *counter; /* the iteration number, in the header of the plan's loop */
};

/* Declare CHILD's function, a pg_loop_fn for PLAN's loop of the current function; its body is empty, in SSA form.  */
extern void pg_child_declare (struct pg_child *child, const struct pg_plan *plan);

/* Move the blocks from ENTRY_BB to EXIT_BB of the current function to CHILD's function, and make it known to the call
   graph, to be compiled later.  Its body is still to be refreshed.  */
extern void pg_child_move (struct pg_child *child, basic_block entry_bb, basic_block exit_bb);

/* Copy CHILD's function as NAME.SUFFIX, to be compiled later.  Return its declaration.  */
extern tree pg_child_clone (const struct pg_child *child, const char *suffix);

/* True if STMT of LOOP copies memory, or fills it: such stores may become calls of memcpy and memset.  */
extern bool pg_child_moves_memory_p (const gimple *stmt, const class loop *loop);

/* Compile DECL, the child or a clone, without what makes several loops of one.  Requires: the current function has its
   options.  */
extern void pg_child_keep_loops_single (tree decl);

/* Compile DECL, a clone, without loops of their own for what a condition may be.  Requires: the current function has
   its options.  */
extern void pg_child_keep_conditions (tree decl);

/* Compile the rest of FUN, the current function, without fusing products with sums.  */
extern void pg_child_fuse_nothing (function *fun);

/* Compile DECL, a clone, without what makes several loops of one, or longer ones, and without passes that take the
   compiler long for what they find.  Products are not fused with sums.  Requires: the current function has its
   options.  */
extern void pg_child_save_work (tree decl);

/* The same, and nothing is done for loops: for what runs seldom.  */
extern void pg_child_save_code (tree decl);

/* Remove from the current function, a clone, what is not ESSENTIAL, which is told DATA, and feeds nothing that is.  */
extern void pg_child_reduce (bool (*essential) (gimple *stmt, void *data), void *data);

/* Compute EXPRESSION at the end of BB, of the current function.  Return its value.  */
extern tree pg_child_compute (basic_block bb, tree expression);

/* Tell the call graph about the calls of the current function, rename its virtual operands.  */
extern void pg_child_refresh (void);

/* Have GCC look at what CHILD hands to functions that it calls.  Later, between functions, where it would, it has no
   bitmaps; what was looked at is not looked at again.  Clones were introduced when they were made.  */
extern void pg_child_introduce (const struct pg_child *child);

/* The operand of ACCESS's statement that is the access, as it is in the child; NULL_TREE: none is, it is a call's.  */
extern tree pg_child_operand (const struct pg_plan_access *access);

/* Bytes of stack that a call of FUN needs at most, but for what it calls, estimated.  */
extern HOST_WIDE_INT pg_child_frame_len (const struct function *fun);

#endif
