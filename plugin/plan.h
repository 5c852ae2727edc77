/* SPDX-License-Identifier: GPL-3.0-or-later
   The plan of a loop: what the judge found out, and what outlining and the region descriptor are made from.

       judge (loop) -> struct pg_plan -> outline -> struct pg_outlined -> describe -> region descriptor in the object

   The judge changes nothing in the function.  Trees in a plan live from the judge to the end of the pass over the
   function; no garbage collection happens in between.  */
#ifndef PARAGON_PLAN_H
#define PARAGON_PLAN_H

#include "gcc-includes.h"
#include "../include/paragon_region.h"

struct pg_reason_text
{
  enum pg_class klass;
  const char *name, *text, *remedy;
};
extern const struct pg_reason_text pg_reasons[PG_N_REASONS];

/* base + sum of coef[d] * iteration of dimension d; members index pg_plan::nodes, -1 is zero.  */
struct pg_plan_linear
{
  int base;
  int coef[PG_MAX_DIMS];
};

/* An entry expression (see struct pg_node).  For PG_NODE_ARG, LEAF is a GIMPLE value or a side-effect-free
   expression of integral or pointer type, invariant in the loop, that can be evaluated in its preheader; or the name
   of an entry load; or of a carried scalar: that of its PHI stands for what it begins with, another for its end; or of
   cursors: two made for that.  */
struct pg_plan_node
{
  enum pg_node_op op;
  int a, b;
  HOST_WIDE_INT value;
  tree leaf;
};

struct pg_plan_dim
{
  class loop *loop;
  int parent;
  bool once; /* PG_DIM_ONCE */
  bool
    tests_first; /* each iteration begins with the test, and nothing else of note; LAST is the last one that goes on */
  bool ordered;  /* PG_DIM_ORDERED */
  struct pg_plan_linear last;
  bool has_least; /* there are fewer iterations where LEAST is negative: it is a number of 64 bits without a sign */
  struct pg_plan_linear least;
  int counter;          /* number of the reduction whose additions this is about, or behind all of these, of the work
			   array; there is no loop; or -1 */
  HOST_WIDE_INT beyond; /* additions of an iteration that are not among them */
};

struct pg_plan_check
{
  struct pg_plan_linear value;
  int dim;
  unsigned bits;
  bool is_signed;
};

struct pg_plan_ref
{
  struct pg_plan_linear address;
  int dim;          /* innermost dimension; for a loop that has none its ancestor */
  bool misses_last; /* of its turns: it is behind the test of a loop that does not begin with that */
  bool is_confined; /* its form says only how far it goes at most (confine.cc) */
  unsigned flags;   /* enum pg_ref_flags */
  unsigned level;
  int group;
  location_t where;
  HOST_WIDE_INT len; /* bytes */
};

/* Is REF not reached in the last turn of dimension DIM?  */
static inline bool
pg_misses_last_p (const struct pg_plan_ref *ref, int dim)
{
  return ref->misses_last && ref->dim == dim;
}

/* One load or store in the loop: OPERAND of STMT, an instance of reference REF.  What a call of a function of the unit
   touches is several of them, whose operands are made for the plan (summary.h).  */
struct pg_plan_access
{
  gimple *stmt;
  tree operand;
  bool is_store;
  bool is_partial; /* a store that may leave some of its bytes as they were */
  int ref;
};

/* What a reduction's PHI carries.  */
enum pg_carries
{
  PG_CARRIES_PART,   /* of a sum and the like: what the operation made of all iterations so far */
  PG_CARRIES_CHOICE, /* one of their values, see choices.cc */
  PG_CARRIES_FLAG    /* not itself, but that it was replaced: PHIs for that are built with F */
};

/* A scalar reduction carried by PHI, in the header of the plan's loop.  */
struct pg_plan_reduction
{
  gphi *phi;
  enum pg_reduction_op op;
  enum pg_scalar_type type;
  int leader; /* PG_REDUCE_WITH: the reduction that it follows, an earlier one; else -1 */
  enum pg_carries carries;
  bool is_carried; /* the loop uses it: there has to be a tally */
};

/* A scalar carried by PHI, in the header of the plan's loop, that has what memory has at REFERENCE, an invariant place;
   see mirrors.cc.  */
struct pg_plan_mirror
{
  gphi *phi;
  tree reference, left; /* LEFT: one of the SSA names that it has in the loop, when that ends */
  bool is_taken;        /* the place is an array reduction's */
};

/* One of the SSA names that a carried scalar has in the loop.  */
struct pg_plan_carried
{
  tree name;
  int reduction;
};

/* An inner loop that is known to take the turns that TEST counts, though its first turn may not be tested.  The test
   has it stay in the loop if it IS_TRUE, or if it is not.  */
struct pg_counted
{
  basic_block header;
  gcond *test;
  bool is_true;
};

/* A value NAME that the loop loads from one place, REFERENCE, and the guard loads WHEN, an expression that can be
   evaluated in the preheader, says that the first iteration does; it is 0 otherwise.  Both are of invariants and of
   what earlier entry loads are.  */
struct pg_plan_entry_load
{
  gimple *stmt; /* one that it comes from: of the loop, unless all are before it */
  tree name, reference, when;
  bool is_relied_on; /* loaded in any case: F takes it for one value throughout */
};

/* A scalar that is one iteration behind, carried by PHI in the header of the plan's loop: in each iteration but the
   first it is what the one before made of memory, of the iteration's number and of trails of a lower order, which is
   1 or more.  */
struct pg_plan_trail
{
  gphi *phi;
  unsigned order;
};

/* A statement of the loop that makes what trails are; ORDER is the lowest of theirs.  */
struct pg_plan_trail_step
{
  gimple *stmt;
  unsigned order;
};

/* Memory of GROUP, based on POINTER, of which what runs at the same time has copies of its own.  */
struct pg_plan_work_array
{
  tree pointer; /* a value from outside the loop, or the address of a variable */
  int group;
  bool is_checked;   /* it is one if checks hold */
  bool is_reduction; /* it is not, but a reduction of an array */
  enum pg_reduction_op op;
  enum pg_scalar_type type;                /* of elements */
  HOST_WIDE_INT n_untold;                  /* of elements that no loop goes through; 0 if loops tell which there are */
  gimple *store = NULL;                    /* of a cursor (cursors.cc), its elements are; or NULL */
  HOST_WIDE_INT step = 0;                  /* what that adds */
  tree low = NULL_TREE, total = NULL_TREE; /* what stands for the place where cursors begin, and how far they go */
};

/* One of the SSA names that an element of work array ARRAY, a cursor, has in the loop: MORE than was loaded.  */
struct pg_plan_cursor
{
  tree name;
  int array;
  HOST_WIDE_INT more;
};

struct pg_plan
{
  class loop *loop;
  location_t where;
  enum pg_class klass;
  enum pg_reason reason;
  location_t reason_where; /* the statement that decided, or UNKNOWN_LOCATION */
  char *detail;            /* expression or callee that decided; NULL: none.  xmalloc'ed, owned */
  bool outline;            /* hand the loop over: the rest is filled in */
  char *without;           /* what is left out, and only done where a test says so: see unswitch.h; NULL: nothing.
			      xmalloc'ed, owned */
  location_t switch_where; /* of the first such test */
  const_tree region;       /* once it is: the variable that describes it */
  const char *kernel;      /* name from lift-reasons.def: what became of the kernel; NULL: none was asked for */
  const char *kernel_then; /* the same if it rounds as the original, which is not known yet; NULL: nothing is open */

  edge exit;                   /* the only exit */
  bool exit_at_top;            /* it leaves from the header, before anything is done */
  tree n_iters;                /* iterations of the body once the preheader is reached: GIMPLE-able expression of
				   signed 64-bit type, valid in the preheader but for names of entry loads, zero or
				   more */
  HOST_WIDE_INT threshold;     /* iterations from which handing over may pay */
  bool is_for_library_at_once; /* PG_DESCRIPTOR_AT_ONCE */

  auto_vec<struct pg_plan_node> nodes;
  auto_vec<struct pg_plan_entry_load> entry_loads;
  unsigned n_asked; /* how often it was looked for one */
  auto_vec<struct pg_plan_dim> dims;
  auto_vec<struct pg_plan_check> checks;
  auto_vec<struct pg_plan_ref> refs;
  auto_vec<struct pg_plan_access> accesses;
  auto_vec<struct pg_plan_reduction> reductions;
  auto_vec<struct pg_plan_carried> carried;
  auto_vec<struct pg_plan_mirror> mirrors;
  auto_vec<gphi *> steady; /* in the header of LOOP: each is one value throughout, an entry load's */
  auto_vec<struct pg_plan_trail> trails;
  auto_vec<struct pg_plan_trail_step> trail_steps; /* each behind those that it needs */
  auto_vec<struct pg_plan_work_array> work_arrays;
  auto_vec<struct pg_plan_cursor> cursors;
  auto_vec<gimple *> wrap_chain; /* statements of integer reductions, to be computed unsigned in F */
  auto_vec<tree> privates;       /* automatic variables of the loop body: each F call has its own */
  auto_bitmap slice;             /* SSA versions that feed an address or a condition */
  auto_bitmap live_in_other;     /* SSA versions of live-ins that certainly feed neither */

  auto_vec<struct pg_counted> counted; /* inner loops: what a kernel may know */
  /* By group, the first one of its set: references of different sets, one of which writes, never meet, which F itself
     may assume.  Empty: nothing is known.  */
  auto_vec<int> sets;
  auto_vec<int> versioned; /* marks of sums of which another version may run in F: see versions.cc */

  auto_vec<int> ordered_groups; /* updated in the order of iterations, while the rest is free: see ordered.cc */
  auto_vec<gimple *> ordered;   /* statements that this takes */
  auto_vec<gimple *> handed_on; /* definitions that it needs of the rest, once an iteration */

  bool inner_candidates;          /* an inner loop may be handed over where this one is refused: set by the pass */
  bool work_is_sure;              /* its work arrays are ones, and meet nothing, whatever an entry finds */
  bool build_noalias;             /* a no-alias F may be built */
  bool keep_fused;                /* a no-alias F has to keep sums fused that the original has in memory */
  bool cut_columns;               /* where only iterations run that are free of conflicts, loops may be cut */
  bool fuses;                     /* there are products that may be fused: see rounding.h */
  bool vectors_change_bits;       /* products go into sums that are kept, or sums may be made in another order */
  bool build_monitor;             /* a monitor can be built */
  bool carries;                   /* references of one group, not in step, meet in different iterations, as is likely */
  int meets;                      /* a reference that is certain to meet what the iteration before did; -1: none is */
  bool build_doacross;            /* a doacross F can be built, and may be of use */
  unsigned region_flags;          /* enum pg_region_flags */
  bool calls;                     /* functions of the unit are called */
  HOST_WIDE_INT called_frame_len; /* bytes of stack that one of them needs at most, estimated */

  ~pg_plan ()
  {
    free (detail);
    free (without);
  }
};

/* A field of the args struct.  */
struct pg_outlined_field
{
  HOST_WIDE_INT offset, len;
};

/* What outlining made.  All decls are functions of this unit, static, `pg_loop_fn`.  */
struct pg_outlined
{
  tree region_decl; /* the variable that the guard passes; its initialiser comes from describe */
  tree body, body_noalias, monitor, tally, doacross; /* FUNCTION_DECLs; all but the first may be NULL_TREE */
  tree free_part, ordered_part;                      /* likewise, both or none */
  HOST_WIDE_INT args_len;
  HOST_WIDE_INT frame_len;
  auto_vec<struct pg_outlined_field> live_ins, live_outs; /* of live-ins those that feed, if there is a monitor */
  auto_vec<HOST_WIDE_INT> reduction_offsets;              /* one for each of pg_plan::reductions */
  auto_vec<HOST_WIDE_INT> reduction_ends;                 /* likewise; -1 unless it is carried */
  auto_vec<HOST_WIDE_INT> work_offsets;                   /* one for each of pg_plan::work_arrays */
  auto_vec<HOST_WIDE_INT> cursor_offsets;                 /* likewise: of LOW and TOTAL; -1 if there are none */
  auto_vec<HOST_WIDE_INT> node_offsets;                   /* one for each of pg_plan::nodes; -1 unless PG_NODE_ARG */
  auto_vec<HOST_WIDE_INT> node_lens;
  auto_vec<bool> node_signed;
  auto_vec<char> kernel; /* packed; empty: none, or none yet */
};

/* judge.cc: Decide how LOOP may run.  Fills in PLAN.  Requires: loop-closed SSA, scev.  Changes nothing.  */
extern void pg_judge_loop (class loop *loop, struct pg_plan *plan);

/* judge.cc: Reason for which no loop of FUN can be handed over, or PG_N_REASONS.  */
extern enum pg_reason pg_judge_function (function *fun);

/* entry-loads.cc: True if where PLAN's loop is not run by the runtime the original must be, not F.  */
extern bool pg_keeps_original_p (const struct pg_plan *plan);

/* trails.cc: The highest order of PLAN's trails, 0 if there is none.  */
extern unsigned pg_trails_order (const struct pg_plan *plan);

/* outline.cc: Outline PLAN's loop: F, and as PLAN asks no-alias F and monitor; the guard; the original loop stays
   as the fallback arm.  FALLBACK is set to that arm's copy of the loop, whose inner loops may be judged next.
   False, with nothing changed, if the shape is not supported.  REGION_DECL in OUT was set by the caller.  */
extern bool pg_outline_loop (struct pg_plan *plan, struct pg_outlined *out, class loop **fallback);

/* describe.cc: Make the region variable (no initialiser yet) / give it its initialiser and hand it to the varpool.  */
extern tree pg_region_declare (void);
extern void pg_region_describe (const struct pg_plan *plan, const struct pg_outlined *out);

/* describe.cc: Give the region of DECL, described without one, a KERNEL, packed.  Its data are not written yet.  */
extern void pg_region_add_kernel (tree decl, const vec<char> &kernel);

/* describe.cc: Have the region of DECL do without one of its functions, or never entered.  Its data are not written
   yet.  */
extern void pg_region_drop_noalias (tree decl);
extern void pg_region_drop_doacross (tree decl);
extern void pg_region_shut (tree decl);

/* stub.cc: The hidden pointer through which guards call the runtime: `int64_t (*) (void *region, void *args,
   int64_t n)`.  Defines it and the lazy stub at the end of the unit if it was asked for.  */
extern tree pg_stub_enter_pointer (void);

/* Have the library opened as soon as what the unit is linked into is loaded, rather than when loops have run for some
   time: who runs them matters.  */
extern void pg_stub_open_at_load (void);

#endif
