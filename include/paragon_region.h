/* SPDX-License-Identifier: MIT
   The contract between generated code and the runtime: what the plugin writes into an object about one region
   (a loop that it outlined), and what the runtime reads of it.

   For each region the object holds one `struct pg_descriptor` in writable data and, in read-only data, packed, all that
   the runtime needs to know (runtime/descriptor.h).  Before the original loop stands a guard:

       if (n_iters >= descriptor.threshold)
	 { args = { live-ins, entry values };
	   if (enter (&descriptor, &args, n_iters)) { live-outs = args; goto after the loop; } }
       original loop

   At a region's first entry the runtime makes a `struct pg_region` of it, which is what the plugin packed.

   Iterations of the region's loop are numbered 0 .. n_iters-1, those of an inner loop ("dimension") 0 .. last.
   All integers in tables are int64_t unless a smaller width is shown; -1 as a node index means the constant 0.  */
#ifndef PARAGON_REGION_H
#define PARAGON_REGION_H

#include <stddef.h>
#include <stdint.h>

/* One more with each change of what is below, of how it is packed, or of the reasons' numbers: an object of another
   version runs its original loops.  */
#define PG_ABI_VERSION 16

/* Dimensions of a nest, the region's own loop (dimension 0) included, and how many of them there are at most around
   anything, that one included.  Other loops are opaque.  */
#define PG_MAX_DIMS 32
#define PG_MAX_DEPTH 8

enum pg_class
{
  PG_CLASS_PARALLEL,		/* proven do-all */
  PG_CLASS_POSSIBLY,		/* do-all under a condition that only the run time can check */
  PG_CLASS_SEQUENTIAL		/* never outlined; appears in reports only */
};

/* The loop as a function: run iterations [LO, HI), LO < HI.  F and the no-alias F ignore CTX; the monitor takes a
   `struct pg_monitor *`.  F may be called on any sequence of ranges that covers [0, n) in order, on real memory; but
   with PG_REGION_TRAILS, if iterations conflict, on [0, n) only.  ARGS is read for live-ins and reductions' initial
   values, and written for reductions and live-outs.  */
typedef int64_t pg_loop_fn (void *args, int64_t lo, int64_t hi, void *ctx);

/* Scalars that the loop carries and uses, as the place where the next value goes:

       if (b[i] > 0) out[n++] = b[i];

   A range of iterations needs them as they are when it begins.  So a region that has such scalars has a second
   function, the tally: F without its stores, but for what F makes of these scalars, which does not depend on what they
   are:

       if (b[i] > 0) n++;

   Run on ranges, each starting from the operation's identity, it tells what each adds; combined in the order of
   iterations, that says what each begins with, and where the scalars end.  */

/* What the monitor says about a reference that does not feed it: one access, at an address that is known when it is
   made.  Its length is the reference's.  */
struct pg_log_entry
{
  const void *address;
  int64_t iter;
};

/* Where the bytes end that a reference touched last.  Touches that go on from there, as do the rows of a matrix one
   after the other, need no call.  */
struct pg_tail
{
  const void *end;		/* matches no address: touches of the reference are all to be told */
  uintptr_t bits;		/* all ends that the monitor wrote, or-ed */
};

/* Entries of a reference's log; a power of two, and so are its bytes.  */
#define PG_LOG_ENTRIES 64
#define PG_LOG_LEN (PG_LOG_ENTRIES * sizeof (struct pg_log_entry))

/* How the integers of a gather make addresses: times SCALE, above 0, and more than one byte each.  */
#define PG_GATHER_FORM(scale, is_signed, log_size) ((scale) * 16 + ((is_signed) != 0) * 8 + (log_size))
#define PG_GATHER_SCALE(form) ((form) / 16)
#define PG_GATHER_IS_SIGNED(form) (((form) & 8) != 0)
#define PG_GATHER_SIZE(form) ((int64_t) 1 << ((form) & 7)) /* 4 or 8 bytes */

/* What the monitor tells of each access of a reference that is wanted, in one of four ways.  REF indexes region->refs.

     touch	 LEN bytes at ADDRESS; nothing if LEN is not positive.  Where CTX->tails[REF].end is ADDRESS, the
		 monitor may move that end up by LEN and or it into the tail's bits, and not call
     touch_row	 COUNT times LEN bytes, STRIDE bytes apart, the first at ADDRESS; nothing if COUNT is not positive.
		 They may overlap, and STRIDE may be negative
     gather	 one access for each of the integers in LEN bytes at INDEX, at BASE and so many bytes as FORM
		 says; nothing if LEN is 0.  Where CTX->gathers[REF].end is INDEX, the monitor may move that end up
		 by LEN, and not call.  BASE and FORM are always the same for one reference, which does not write
     drain	 all entries in REF's log, next to each other, the last of which stands before CTX->next[REF]; sets
		 that back to the first

   When the first three are called, the iteration is in CTX->iter.  Gathered are only references without PG_REF_FEEDS,
   by integers that are told, too, and do not change while the monitor runs.  Only references without PG_REF_FEEDS are
   logged; the monitor drains a log when it is full, and leaves to its caller what is in logs at its end.  The functions
   may not return (they leave the monitor by longjmp when the inspection is cancelled).  */
struct pg_monitor
{
  int64_t iter;			/* stored by the monitor at the start of each iteration of the region's loop */
  void (*touch) (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len);
  struct pg_log_entry **next;	/* by reference: where the next entry of its log goes; NULL: nothing need be told of it,
				   all the time.  A log has PG_LOG_ENTRIES, and is aligned to all of their bytes */
  void (*touch_row) (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len, int64_t count,
		     int64_t stride);
  void (*drain) (struct pg_monitor *monitor, int64_t ref);
  struct pg_tail *tails;	/* by reference; set by touch */
  void (*gather) (struct pg_monitor *monitor, int64_t ref, const void *index, int64_t len, const void *base,
		  int64_t form);
  struct pg_tail *gathers;	/* by reference; set by gather */
};

/* What the doacross F is given as CTX.  It calls PASS before turn TURN of dimension DIM, whose parent is dimension 0:
   all before that is done.  The result is a later turn, before which it calls again.  At the end of DIM's loop, TURN
   is INT64_MAX.  */
struct pg_doacross
{
  int64_t (*pass) (struct pg_doacross *doacross, int64_t dim, int64_t turn);
};

/* Where iterations update memory one after the other, but do more that is free of all others,

       for (i...)  { for (j...) t[i] += a[i][j] * x[j];  for (j...) y[j] += a[i][j] * t[i]; }

   the region has two more functions: the free part, F without what touches such memory, and the ordered part, which is
   the rest.  The free part may run on any ranges at the same time, the ordered part on ranges in order, each after the
   free part of the same range, with the same CTX: PG_ORDERED_LEN bytes for each iteration of the range, aligned to as
   many, in which the one leaves what the other needs.  All references to such memory have PG_REF_OWN.  */
#define PG_ORDERED_LEN 32

/* An entry expression: evaluated once an entry by the runtime, in order of the table, with overflow checks.  A
   node that overflows int64_t poisons those that use it.  */
enum pg_node_op
{
  PG_NODE_CONST,		/* value */
  PG_NODE_ARG,			/* the SIZE-byte integer at ARGS + value, sign- or zero-extended */
  PG_NODE_ADD,			/* a + b */
  PG_NODE_SUB,			/* a - b */
  PG_NODE_MUL			/* a * b */
};

struct pg_node
{
  uint8_t op;			/* enum pg_node_op */
  uint8_t size;			/* PG_NODE_ARG: 1, 2, 4 or 8 bytes */
  uint8_t is_signed;		/* PG_NODE_ARG */
  uint8_t reserved;
  int16_t a, b;			/* operands: indexes of earlier nodes */
  int64_t value;
};

/* base + sum over dimensions d of coef[d] * iteration number of d.  Members are node indexes; -1 is zero.  */
struct pg_linear
{
  int16_t base;
  int16_t coef[PG_MAX_DIMS];
};

enum pg_dim_flags
{
  PG_DIM_ONCE = 1,		/* the loop's first iteration is run whenever it is reached */
  PG_DIM_ORDERED = 2		/* iterations hand on a scalar that has to be computed in their order */
};

/* A loop of the nest.  Entry 0 is the region's own loop: its parent is -1, its last is unused (n_iters - 1).
   LAST is the number of the last iteration of one execution of the loop, a function of outer iteration numbers;
   below zero the loop does not run, or with PG_DIM_ONCE, runs once.  A dimension may also be no loop, but stand for
   what is added to a carried scalar, as far as a reference is concerned: LAST is right once there is a tally.  */
struct pg_dim
{
  int16_t parent;		/* the enclosing dimension */
  uint16_t flags;		/* enum pg_dim_flags */
  struct pg_linear last;
};

/* The integer VALUE, over all iterations of the dimensions that enclose DIM (inclusive), must lie in a type of
   BITS bits, else no reference of the region counts as affine at this entry.  Bits is 8, 16 or 32.  */
struct pg_wrap_check
{
  struct pg_linear value;
  int16_t dim;
  uint8_t bits;
  uint8_t is_signed;
};

enum pg_ref_flags
{
  PG_REF_READ = 1,
  PG_REF_WRITE = 2,		/* READ | WRITE: an update at one address in one iteration */
  PG_REF_AFFINE = 4,		/* ADDRESS holds; else opaque: only the monitor knows */
  PG_REF_FEEDS = 8,		/* the value read feeds an address or a condition of the monitor */
  PG_REF_CONDITIONAL = 16,	/* not executed in every iteration of its dimensions */
  PG_REF_FEEDS_LOAD = 32,	/* FEEDS, and it feeds the address of another FEEDS load or an inner loop's bound */
  PG_REF_USUAL = 64,		/* CONDITIONAL, but likely executed in most: loops' counters decide.  A hint */
  PG_REF_OWN = 128		/* of those of its group that have this, no two meet in different iterations: each keeps
				   to what a carried scalar passes in the iteration; or where there is an ordered part,
				   they do so there only */
};

/* A memory reference: LEN bytes at the byte address ADDRESS, in innermost dimension DIM.  References that are
   equal (same address, length, dimension) are merged by the plugin.  GROUP numbers distinct base pointers or
   objects: the no-alias F may assume that different groups, one of which is written, share no byte.
   LEVEL: number of FEEDS loads, one after the other, that this reference's address depends on (0: affine).  */
struct pg_ref
{
  struct pg_linear address;
  int16_t dim;
  uint8_t flags;
  uint8_t level;
  int16_t group;
  int64_t len;
};

/* How chunks' partial values become one.  Order of combination: chunk order, from the initial value.  */
enum pg_reduction_op
{
  PG_REDUCE_ADD,		/* identity 0 */
  PG_REDUCE_MUL,		/* identity 1 */
  PG_REDUCE_AND,		/* identity all ones */
  PG_REDUCE_OR,			/* identity 0 */
  PG_REDUCE_XOR,		/* identity 0 */
  PG_REDUCE_MIN,		/* x < m ? x : m; identity: the largest value (+inf) */
  PG_REDUCE_MAX,		/* x > m ? x : m; identity: the smallest value (-inf) */
  PG_REDUCE_SET,		/* x, unless it is the identity, bit by bit: the smallest value with a sign, the
				   largest without, of floating-point values a NaN */
  PG_REDUCE_WITH		/* x where the leader's combination took its x, too: the largest or smallest one, or one
				   that is not 0; what a chunk begins with is of no account */
};

enum pg_scalar_type
{
  PG_I8, PG_I16, PG_I32, PG_I64, PG_U8, PG_U16, PG_U32, PG_U64, PG_F32, PG_F64
};

/* A scalar that F reads at ARGS + OFFSET on entry and stores there on exit.  Integers wrap.  */
struct pg_reduction
{
  uint8_t op;			/* enum pg_reduction_op */
  uint8_t type;			/* enum pg_scalar_type */
  uint16_t leader;		/* PG_REDUCE_WITH: an earlier reduction, of MIN, MAX or OR */
  uint32_t offset;
  uint32_t is_carried;		/* F reads and stores the scalar itself, the tally what a range makes of it */
  uint32_t end;			/* carried: where in ARGS the runtime puts what it ends as, for entry expressions;
				   before that is known, it is what it is at first */
};

/* A field of ARGS: a live-in that feeds an address or a condition of the monitor, or a live-out, which the job that ran
   iteration n-1 has right.  */
struct pg_field
{
  uint32_t offset;
  uint32_t len;
};

/* References of GROUP are to a work array: each iteration writes it before it reads it, at the same places, so that
   iterations that meet there hand nothing on.  The array's address is the pointer at ARGS + OFFSET, from which F has it
   and nothing else.  Ranges that run at the same time get an ARGS each with another one, of memory that need not hold
   anything, but for the last of them: that works on the program's.  */
struct pg_work_array
{
  uint32_t offset;
  int16_t group;
};

/* References of GROUP are to elements of TYPE, which the loop does nothing with but `element = element OP value': an
   array reduction.  Its address is at ARGS + OFFSET as a work array's.  A range may have another one, of memory that
   holds the identities of OP, and is combined with the program's array, element by element, in the order of ranges.  It
   is never more than what references of GROUP can reach by their numbers, and the program need not have all of that:
   elements that are still identities are left alone.

   Its elements may be carried as scalars are, integers that the tally adds constants to: cursors.  Then each range gets
   memory that holds what they are when it begins.  The runtime puts a struct pg_cursors at ARGS + CURSORS, for entry
   expressions, where the guard leaves zeros; and iterations meet if there is an integer that two cursors pass.  */
struct pg_array_reduction
{
  uint32_t offset;
  int16_t group;
  uint8_t op;			/* enum pg_reduction_op: one of the first, up to MAX */
  uint8_t type;			/* enum pg_scalar_type */
  uint16_t is_carried;		/* by F, and by the tally, which makes of them what a range does */
  uint16_t decides;		/* iterations meet by what cursors pass, if at all */
  uint32_t cursors;
};

/* All that an array's cursors pass is in [LOW, LOW + TOTAL): each of those from where it is up to where it goes, but
   for the larger one of the two.  */
struct pg_cursors
{
  int64_t low, total;
};

enum pg_region_flags
{
  PG_REGION_FIXED_GRID = 1,	/* the user's flags let F's result depend on its ranges: run the fixed grid always */
  PG_REGION_SLICE_STABLE = 2,	/* no store of the loop can change what the monitor reads (flow), whatever aliases */
  PG_REGION_MAY_SET_ERRNO = 4,
  PG_REGION_ALL_AFFINE = 8,	/* every access of F belongs to an affine reference: footprints are complete */
  PG_REGION_TRAILS = 16,	/* a range begins with loads of the iterations before it */
  PG_REGION_ALIKE = 64,		/* each iteration touches what the one before touched, by each reference so many bytes
				   further on as its ADDRESS has for dimension 0, whatever else is known of it; in the
				   same order.  The monitor calls touch only, in that order, for all references, work
				   arrays' too: these are ones if it tells so */
  PG_REGION_RELIES_ON_LOADS = 32 /* the number of iterations, what each begins with, or what the monitor dereferences is
				   what the loop loads each time, references with FEEDS: if a store changes that,
				   F is wrong or the monitor may fail */
};

/* Why a loop has its class.  */
enum pg_reason
{
#define PG_REASON(id, klass, name, text, remedy) PG_WHY_##id,
#include "reasons.def"
#undef PG_REASON
  PG_N_REASONS
};

/* A region.  */
struct pg_region
{
  const char *file;		/* as the compiler was given it */
  const char *function;
  uint32_t line;
  uint8_t klass;		/* enum pg_class: PARALLEL or POSSIBLY */
  uint8_t reason;		/* enum pg_reason */
  uint8_t flags;		/* enum pg_region_flags */

  pg_loop_fn *body;		/* F */
  pg_loop_fn *body_noalias;	/* F for disjoint groups, or NULL */
  pg_loop_fn *monitor;		/* M, or NULL: only L1 can settle the region */
  pg_loop_fn *doacross;		/* F that asks on its way, or NULL */
  pg_loop_fn *free_part;	/* F taken apart, and then there is neither doacross F, M, tally nor kernel, ... */
  pg_loop_fn *ordered_part;	/* ... or NULL, both */
  pg_loop_fn *tally;		/* NULL: there are no carried scalars.  With it, there is neither no-alias F nor M, nor
				   a fixed grid, nor a kernel */
  uint32_t args_len;
  uint32_t frame_len;		/* bytes of stack that F needs at most, estimated */
  int64_t first_threshold;	/* the descriptor's, before the runtime changed it */

  uint32_t n_nodes, n_dims, n_checks, n_refs, n_reductions, n_live_ins, n_live_outs, n_work_arrays, n_array_reductions;
  const struct pg_node *nodes;
  const struct pg_dim *dims;
  const struct pg_wrap_check *checks;
  const struct pg_ref *refs;
  const struct pg_reduction *reductions;
  const struct pg_field *live_ins;
  const struct pg_field *live_outs;
  const struct pg_work_array *work_arrays;
  const struct pg_array_reduction *array_reductions;
  const void *kir;		/* the loop as a kernel, packed (runtime/kir/pack.h); NULL: there is none */
  uint64_t kir_len;
};

enum pg_descriptor_flags
{
  PG_DESCRIPTOR_F_IF_REFUSED = 1, /* an entry that is refused is run by F, the guard has no other way */
  PG_DESCRIPTOR_TALLY = 2,	/* OTHERS has the tally */
  PG_DESCRIPTOR_AT_ONCE = 4,	/* the library is to be opened by the first entry that may, however short: the result
				   may depend on who runs the loop, or the user gave the threshold, or an iteration
				   alone may be long */
  PG_DESCRIPTOR_NOALIAS = 8,	/* OTHERS has these */
  PG_DESCRIPTOR_MONITOR = 16,
  PG_DESCRIPTOR_DOACROSS = 32,
  PG_DESCRIPTOR_FREE_PART = 64,
  PG_DESCRIPTOR_ORDERED_PART = 128,
  PG_DESCRIPTOR_OTHERS = PG_DESCRIPTOR_TALLY | PG_DESCRIPTOR_NOALIAS | PG_DESCRIPTOR_MONITOR | PG_DESCRIPTOR_DOACROSS
			 | PG_DESCRIPTOR_FREE_PART | PG_DESCRIPTOR_ORDERED_PART
};

#define PG_DESCRIPTOR_MOST_OTHERS 3

/* What an object has of a region.  Members that are called offsets say how many bytes behind the descriptor something
   is: the dynamic linker has nothing to do with them.  0: there is none.  */
struct pg_descriptor
{
  uint16_t abi;			/* PG_ABI_VERSION */
  uint16_t flags;		/* enum pg_descriptor_flags; these and BODY are where they are in any version */
  int32_t packed;		/* offset of the region without what is here: a number of bytes, and the bytes */
  int64_t threshold;		/* iterations below which the guard takes the original loop.  The runtime may
				   change it at any time (relaxed atomic); INT64_MAX shuts the region.  */
  void *state;			/* the runtime's own, NULL at first (atomic) */
  pg_loop_fn *body;		/* F */
  int32_t file;			/* offset of its name: a unit's regions share it */
  int32_t others[PG_DESCRIPTOR_MOST_OTHERS]; /* offsets of those that FLAGS says, in the order of their bits; an
						object has no more than that */
};

#endif
