/* SPDX-License-Identifier: GPL-3.0-or-later
   The steps of the judge, one file each.  A step fills its part of the plan and returns true, or refuses: it
   sets class, reason and place, and returns false.  None changes the function.  */
#ifndef PARAGON_JUDGE_H
#define PARAGON_JUDGE_H

#include "plan.h"

/* Refuse PLAN's loop for WHY because of STMT (NULL: the loop as a whole); returns false.  DETAIL is kept.  */
extern bool pg_refuse (struct pg_plan *plan, enum pg_reason why, gimple *stmt, char *detail = NULL);

/* True if HOLDS for some statement of LOOP.  */
extern bool pg_any_statement_p (const class loop *loop, bool (*holds) (gimple *stmt));

/* True if VALUE (a GIMPLE value or an expression of such) has the same value throughout PLAN's loop.  */
extern bool pg_invariant_p (const struct pg_plan *plan, tree value);

/* True if STMT calls a function that does nothing but compute a value, of its arguments alone.  */
extern bool pg_constant_call_p (gimple *stmt);

/* True if FIRST is SECOND, or runs before that does for the first time, wherever SECOND runs.  */
extern bool pg_precedes_p (gimple *first, gimple *second);

/* True if PLAN is that of a function's body (summary.h), which counts as a loop of one iteration.  */
extern bool pg_function_body_p (const struct pg_plan *plan);

struct pg_base;

/* Judge the current function's body as if it were that of a loop: its statements and its references.  */
extern bool pg_judge_body (struct pg_plan *plan, vec<struct pg_base> *bases);

/* Append the blocks of PLAN's loop to BODY, each behind what dominates it.  */
extern void pg_find_body (const struct pg_plan *plan, vec<basic_block> *body);

/* exit-test.cc */
struct pg_exit_test /* the loop goes on while VALUE CODE END, both of TYPE */
{
  affine_iv value;
  enum tree_code code;
  tree end; /* an expression that can be evaluated before the loop, unless it IS_LOADED: a value of the loop */
  tree type;
  bool is_loaded;
};
/* Find what LOOP tests at EXIT.  False: nothing that changes by the same step each time.  */
extern bool pg_find_exit_test (class loop *loop, edge exit, struct pg_exit_test *test);

/* counts.cc */
/* How often the body of PLAN's loop runs, whose exit is known; NULL_TREE: the entry cannot know.  */
extern tree pg_count_iterations (struct pg_plan *plan);

/* refuse.cc */
extern enum pg_reason pg_refuse_function (function *fun);
extern bool pg_judge_statements (struct pg_plan *plan);
/* True if a loop is refused for what BB does.  */
extern bool pg_refused_block_p (basic_block bb);

/* scalars.cc */
extern bool pg_judge_scalars (struct pg_plan *plan);
/* The scalar type of a reduction over TYPE.  False: there is none.  */
extern bool pg_scalar_type_of (const_tree type, enum pg_scalar_type *out);
/* Refuse PLAN's loop because it carries a scalar, and STMT, or NULL, is in the way of a tally; returns false.  */
extern bool pg_refuse_carried (struct pg_plan *plan, gimple *stmt);
/* True if PHI, in the header of PLAN's loop, is a function of the iteration's number.  */
extern bool pg_induction_p (const struct pg_plan *plan, gphi *phi);

/* linear.cc: entry expressions and linear forms over the iterations of the nest.  */

/* The variable that POINTER, an SSA name or an address, is computed as an address in; or NULL_TREE.  */
extern tree pg_address_root (tree pointer);
struct pg_polynomial;
enum pg_form
{
  PG_FORM_LINEAR,
  PG_FORM_INDIRECT,
  PG_FORM_NONLINEAR
};
struct pg_analysed
{
  enum pg_form form;
  struct pg_plan_linear value;
  tree pointer; /* the invariant pointer or &object that an address is based on, or NULL_TREE */
  int dim;      /* innermost dimension */
};
extern struct pg_plan_linear pg_linear_zero (void);
extern bool pg_linear_equal (const struct pg_plan_linear *a, const struct pg_plan_linear *b);
/* True if A is one number, *VALUE.  */
extern bool pg_linear_constant (const struct pg_plan *plan, const struct pg_plan_linear *a, HOST_WIDE_INT *value);
/* True if node INDEX is a constant, *VALUE.  */
extern bool pg_node_value (const struct pg_plan *plan, int index, HOST_WIDE_INT *value);
/* Split node INDEX into a sum: return the symbolic part, or -1; *CONSTANT is the other.  */
extern int pg_node_split (const struct pg_plan *plan, int index, HOST_WIDE_INT *constant);
extern int pg_node_constant (struct pg_plan *plan, HOST_WIDE_INT value);
/* The node of VALUE, an invariant that is no constant, as the entry finds it.  */
extern int pg_node_of_invariant (struct pg_plan *plan, tree value);
/* Have the runtime check at each entry that VALUE, of nodes alone, is 0 or more, and less than 2^32.  */
extern void pg_check_not_negative (struct pg_plan *plan, const struct pg_polynomial &value);
/* What A was N iterations of PLAN's loop before.  */
extern struct pg_plan_linear pg_linear_before (struct pg_plan *plan, const struct pg_plan_linear *a, unsigned n);
extern void pg_analyse_dims (struct pg_plan *plan);
/* Fill in OUT and *LEN for REF, an access in block AT.  */
extern void pg_analyse_address (struct pg_plan *plan, tree ref, basic_block at, struct pg_analysed *out,
				HOST_WIDE_INT *len);
/* Set OUT to VALUE, an integer in block AT.  False: it is not linear, or may have wrapped around.  */
extern bool pg_analyse_integer (struct pg_plan *plan, tree value, basic_block at, struct pg_plan_linear *out);
/* Add to SUM NUMBER times the product of N FACTORS.  False: that is not linear.  */
extern bool pg_linear_add_product (struct pg_plan *plan, struct pg_plan_linear *sum, HOST_WIDE_INT number,
				   const struct pg_plan_linear *factors, int n);
extern int pg_dim_of (const struct pg_plan *plan, const class loop *loop);
/* The dimension, in PARENT, of turns up to LAST that are no loop's of the function; -1: there is no room.  */
extern int pg_turns_dim (struct pg_plan *plan, int parent, const struct pg_plan_linear *last);

/* counters.cc */
struct pg_counted_value /* of a carried scalar that constants are added to */
{
  int reduction;
  HOST_WIDE_INT least; /* was added since the iteration began, at least */
  HOST_WIDE_INT left;  /* will be before it ends, at least */
  HOST_WIDE_INT most;  /* is added in an iteration at most; -1: that is not known */
  bool may_wrap;       /* additions are modulo a power of two */
};
/* The reduction of PLAN's loop that NAME is one of the names of, and that is carried; or -1.  */
extern int pg_carried_of (const struct pg_plan *plan, const_tree name);
/* What NAME is where block AT is reached.  False: none of a counter's.  */
extern bool pg_find_counted (const struct pg_plan *plan, tree name, basic_block at, struct pg_counted_value *out);
/* True if references A and B, addressed by a counter, never meet in different iterations.  */
extern bool pg_counted_apart_p (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b);

/* entry-loads.cc */
/* If NAME, of PLAN's loop, is what that loads from one place, and the guard can load: the name that this goes by among
   PLAN's entry loads.  Else NULL_TREE.  */
extern tree pg_loaded_on_entry (struct pg_plan *plan, tree name);
/* True if CODE makes a value of integers and pointers that traps nowhere; of operand B, unless it is NULL_TREE.  */
extern bool pg_harmless_p (enum tree_code code, tree b);
/* A CODE B, or CODE A if B is NULL_TREE, of TYPE, as an expression that may overflow, since the loop might not compute
   it.  */
extern tree pg_compute_on_entry (enum tree_code code, tree type, tree a, tree b);
/* VALUE as an expression of what is known before PLAN's loop: invariants and entry loads; NULL_TREE: it is none.  */
extern tree pg_known_on_entry (struct pg_plan *plan, tree value);
/* Let F rely on EXPRESSION, which is of what is known on entry.  False: it is not certain that the loop loads that.  */
extern bool pg_rely_on_loads (struct pg_plan *plan, tree expression);
/* Add PHI, in the header of PLAN's loop, to what is steady, if it is.  */
extern bool pg_match_steady (struct pg_plan *plan, gphi *phi);

/* scalars.cc: Refuse PLAN's loop for WHY, because of PHI, in its header.  False.  */
extern bool pg_refuse_phi (struct pg_plan *plan, enum pg_reason why, gphi *phi);

/* mirrors.cc: Add PHI, in the header of PLAN's loop, to its mirrors, if it is one.  Requires: the exit is known.  */
extern bool pg_match_mirror (struct pg_plan *plan, gphi *phi);

/* mirrors.cc: True if MIRROR is one of REFERENCE.  */
extern bool pg_mirror_of_p (const struct pg_plan_mirror *mirror, const_tree reference);

/* What is known of a place in memory, where BEFORE ends and BEHIND begins: the names of what it holds there, or
   error_mark_node; and all NAMES in the loop that are loaded from there, or join others.  */
struct pg_held
{
  tree before, behind;
  auto_vec<tree> names;
};

/* mirrors.cc: Fill in HELD, of REFERENCE in PLAN's loop, whose mirror PHI carries, or NULL: there is none.  False if
   nothing can be said.  */
extern bool pg_find_held (const struct pg_plan *plan, gphi *phi, tree reference, basic_block before, basic_block behind,
			  struct pg_held *held);

/* mirrors.cc: The mirror of PLAN's that NAME is when the loop ends, or NULL.  */
extern const struct pg_plan_mirror *pg_mirror_left (const struct pg_plan *plan, const_tree name);

/* mirrors.cc: Refuse PLAN's loop if there is a mirror of what is no array reduction.  */
extern bool pg_judge_mirrors (struct pg_plan *plan);
/* True if F relies on what PLAN's loop loads.  */
extern bool pg_relies_on_loads_p (const struct pg_plan *plan);
/* Refuse PLAN's loop if F does, and numbers could not show that it stays what it was.  Comes before the slice.  */
extern bool pg_judge_loads (struct pg_plan *plan);

/* references.cc */
struct pg_base /* what the judge knows of a reference beside its plan entry; same index as plan->refs */
{
  tree pointer; /* see struct pg_analysed */
  tree operand; /* one of its instances */
  enum pg_form form;
};
extern bool pg_judge_references (struct pg_plan *plan, vec<struct pg_base> *bases);
/* Note in PLAN's flags whether all references are affine.  */
extern void pg_note_affine (struct pg_plan *plan);
/* Add to PLAN the access OPERAND of STMT; it is at PLACE, LEN bytes long, if that is not NULL, and OPERAND only says in
   what object.  */
extern bool pg_add_access (struct pg_plan *plan, vec<struct pg_base> *bases, gimple *stmt, tree operand, bool is_store,
			   bool is_partial, const struct pg_analysed *place = NULL, HOST_WIDE_INT len = 0);
/* effects.cc: add what CALL, which has a summary, touches.  */
extern bool pg_judge_effects (struct pg_plan *plan, vec<struct pg_base> *bases, gcall *call);
/* Find the variables of PLAN's loop that belong to one iteration each.  */
extern void pg_find_privates (struct pg_plan *plan);
/* True if DECL is one of them.  */
extern bool pg_private_p (const struct pg_plan *plan, const_tree decl);
/* True if a statement outside PLAN's loop does more with variable DECL than to end its life, or a PHI has its address.
   */
extern bool pg_mentioned_outside_p (const struct pg_plan *plan, tree decl);
/* True if BB, directly in LOOP, which is PLAN's or within it, runs in every iteration of LOOP.  */
extern bool pg_in_each_iteration_p (const struct pg_plan *plan, const class loop *loop, basic_block bb);

/* Append to WAYS the edges in LOOP, which is PLAN's or within it, that lead past all of GOALS: different blocks that
   are directly in it.  */
extern void pg_find_ways_past (const struct pg_plan *plan, const class loop *loop, const vec<basic_block> &goals,
			       vec<edge> *ways);

/* ordered.cc */
/* Find memory that PLAN's iterations update in their order, while the rest is free.  Requires: work arrays are
   found.  */
extern void pg_find_ordered (struct pg_plan *plan);

/* work-arrays.cc */
extern void pg_find_work_arrays (struct pg_plan *plan, const vec<struct pg_base> &bases);
/* PLAN's work array, or array reduction, that is GROUP, or NULL.  */
extern const struct pg_plan_work_array *pg_work_array_of (const struct pg_plan *plan, int group);
/* True if the guard loads something from GROUP of PLAN.  */
extern bool pg_has_entry_load_p (const struct pg_plan *plan, int group);
/* True if all that PLAN's loop does with POINTER, or the variable whose address that is, is to access GROUP.  */
extern bool pg_base_is_at_hand_p (const struct pg_plan *plan, tree pointer, int group);

/* alike.cc */
/* See whether iterations of PLAN's loop touch the same, each some bytes further on, and which work arrays there are if
   one of them, at run time, shows what that is: PG_REGION_ALIKE.  False: they do not, or there would be none.  */
extern bool pg_find_alike (struct pg_plan *plan, const vec<struct pg_base> &bases);

/* confine.cc */
/* More bytes than this that only a declaration, or a range, tells of are nobody's own: most may not be touched.  */
static const HOST_WIDE_INT pg_most_confined = 1 << 24;
/* The pointer, or the address of the variable, that reference REF of PLAN is based on, or NULL_TREE.  */
extern tree pg_pointer_of (const struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned ref);
/* Have all references of PLAN based on POINTER in GROUP: those of unknown form have one each.  */
extern void pg_unite (struct pg_plan *plan, const vec<struct pg_base> &bases, tree pointer, int group);
/* Have each reference of GROUP of PLAN, based on POINTER, in the form of numbers; those of unknown form go through *N
   elements, BY_LOOP within an inner loop that they are in, else within an iteration.  False: it is not known how far
   they go, and some may have been given forms.  */
extern bool pg_confine (struct pg_plan *plan, const vec<struct pg_base> &bases, tree pointer, int group, bool by_loop,
			HOST_WIDE_INT *n);

/* array-reductions.cc.  Those join the work arrays: they are of no account where iterations meet.  */
extern void pg_find_array_reductions (struct pg_plan *plan, const vec<struct pg_base> &bases);

/* cursors.cc */
struct pg_cycle;
/* True if the element that C begins with, from LOAD, and STORE replaces, is a cursor.  */
extern bool pg_cursor_p (const struct pg_cycle *c, const gimple *load, const gimple *store);
/* Have the elements of PLAN's last work array be cursors, which STORE replaces, and NAMES be theirs, what is loaded
   the first.  References to where they point get forms that tell how far they go.  */
extern void pg_add_cursors (struct pg_plan *plan, const vec<struct pg_base> &bases, gimple *store,
			    const vec<tree> &names);
/* The cursor that NAME is, or NULL.  */
extern const struct pg_plan_cursor *pg_cursor_of (const struct pg_plan *plan, const_tree name);
/* In the current function, a clone, add up the steps that the statement of number STORE makes, of STEP, without their
   sign, and store that to ARGS + OFFSET.  The function is still to be refreshed.  */
extern void pg_cursors_count (unsigned store, HOST_WIDE_INT step, tree args, HOST_WIDE_INT offset);

/* written-first.cc */
/* True if ACCESS of PLAN is to bytes that were written before in the same iteration.  */
extern bool pg_written_before_p (const struct pg_plan *plan, const struct pg_plan_access *access);
struct pg_extent /* of an access in an iteration */
{
  HOST_WIDE_INT from, to; /* bytes that it touches at most in a turn of all DIMS, behind its address */
  auto_vec<int> dims;     /* those that it is in whose turns constants do not tell, the outer ones first */
  bool is_whole;          /* it is a store, and in each iteration to all of these bytes */
};
/* Find the EXTENT of ACCESS of PLAN.  False: it is not known.  */
extern bool pg_find_extent (struct pg_plan *plan, const struct pg_plan_access *access, struct pg_extent *extent);
/* True if the accesses of NEEDS' plan that are of GROUP are those of a work array, if NEEDS hold; IS_DEAD: of one that
   nobody looks at behind the loop.  */
extern bool pg_written_first_p (int group, bool is_dead, struct pg_needs *needs);

/* trails.cc */
/* Add PHI, in the header of PLAN's loop, to its trails if it is one.  *WHY changes if something else is in the way.  */
extern bool pg_match_trail (struct pg_plan *plan, gphi *phi, enum pg_reason *why);
extern bool pg_judge_trails (struct pg_plan *plan, vec<struct pg_base> *bases);
/* True if what makes PLAN's trails has references: no statement stands for them that a monitor could watch.  */
extern bool pg_trails_refer_p (const struct pg_plan *plan);

/* slice.cc */
extern bool pg_judge_slice (struct pg_plan *plan, const vec<struct pg_base> &bases);

/* tally.cc */
extern bool pg_has_tally_p (const struct pg_plan *plan);
extern bool pg_judge_tally (struct pg_plan *plan);

/* formal.cc.  Whether references A and B, of one group, are likely to meet in different iterations.  */
extern bool pg_likely_carried_p (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b);

/* certain.cc.  Whether they are certain to meet in iterations that follow each other.  */
extern bool pg_certainly_carried_p (const struct pg_plan *plan, const struct pg_plan_ref *a,
				    const struct pg_plan_ref *b);

/* independence.cc */
extern bool pg_judge_independence (struct pg_plan *plan, const vec<struct pg_base> &bases);
/* True if numbers that are known on entry tell of all references that may meet in different iterations.  */
extern bool pg_numbers_settle_p (const struct pg_plan *plan, const vec<struct pg_base> &bases);
extern bool pg_store_may_reach_load (tree store, tree load);
/* Refuse PLAN's loop because of the reference that is certain to meet what the iteration before did; returns false.  */
extern bool pg_refuse_met (struct pg_plan *plan, const vec<struct pg_base> &bases);

/* contract.cc */
extern bool pg_judge_contraction (struct pg_plan *plan);
/* Refuse PLAN's loop if the function, which was tried out, rounds otherwise with it handed over; false then.  */
extern bool pg_judge_tried (struct pg_plan *plan);
/* A statement of PLAN's loop that may be rounded otherwise in copies of iterations which are not seen once they are
   compiled; null if there is none.  */
extern gimple *pg_judge_copies (const struct pg_plan *plan);

/* versions.cc */
/* Note the sums of PLAN's loop of which another version may run in F.  */
extern void pg_judge_versions (struct pg_plan *plan);

/* narrowed.cc */
/* Refuse PLAN's loop if values are narrowed in it whose rounding the compiler may leave out.  */
extern bool pg_judge_narrowing (struct pg_plan *plan);

/* copies.cc */
/* True if iterations of LOOP may be copied, with their numbers: the last ones, or all, where arrays bound them.  */
extern bool pg_leaves_copies_p (class loop *loop);
/* A product in PLAN's loop, or a sum, that the compiler may make itself in a copy of an iteration, or make one with
   another; null if there is none.  */
extern gimple *pg_copies_differ (const struct pg_plan *plan);

/* twins.cc */
/* A product in PLAN's loop that is made apart, or is not, while one that it is some iterations later is not, or is;
   null if there is none.  */
extern gimple *pg_shifted_twin (const struct pg_plan *plan);

/* work.cc */
extern bool pg_judge_work (struct pg_plan *plan);
/* What an iteration of PLAN's loop takes, in instructions.  */
extern HOST_WIDE_INT pg_estimate_work (const struct pg_plan *plan);

#endif
