/* SPDX-License-Identifier: MIT
   KIR, the kernel IR: what a parallel loop does, without GCC and without CUDA.

   A kernel in loop form is one iteration of the loop: a control-flow graph in static single assignment.  Which
   iteration it is, it asks by "iter"; what the loop is given, it finds by "arg".

       for (i = 0; i < n; i++)		kernel "axpy.c:3 axpy" args 24 dims 1 refs 2
	 y[i] = a * x[i];		b0:
					  v1 = iter i64 0
					  v2 = const i64 3
					  v3 = shl i64 v1 v2
					  v4 = arg ptr 0
					  v5 = address ptr v4 v3
					  v6 = load f64 v5 ref 0
					  v7 = arg f64 16
					  v8 = fmul f64 v7 v6
					  v9 = arg ptr 8
					  v10 = address ptr v9 v3
					  store void v10 v8 ref 1
					  return void
					end

   What goes from one iteration to the next, as sums do, is a carried value: "carry" asks what it is, "next" says what
   it will be.  The first iteration finds it in the arguments, and there the last one leaves it.

       for (i = 0; i < n; i++)		kernel "sum.c:3 sum" args 24 dims 1 refs 1
	 s += x[i];			carry f64 add 16
					b0:
					  v1 = carry f64 0
					  ...
					  v7 = fadd f64 v1 v6
					  next void v7 carry 0
					  return void
					end

   A kernel in SPMD form is what each of many threads does, as on a GPU: a grid of blocks of threads, of up to three
   dimensions.  Which thread it is, it asks by "thread" and "block".  The threads of a block share memory, and wait for
   each other at barriers.

   Values are instructions, named by number.  Passes change a kernel in place.  Memory comes from one function, so that
   neither the compiler's nor the program's own malloc need be used; a kernel that did not get enough of it is broken,
   which the verifier says, and all calls on it do nothing.

   Threads: one at a time for each kernel.  */
#ifndef PG_KIR_H
#define PG_KIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pg_kir_type
{
#define PG_KIR_TYPE(id, name, len, kind) PG_KIR_##id,
#include "kir-types.def"
  PG_KIR_N_TYPES
};

enum pg_kir_op
{
#define PG_KIR_OP(id, name, shape, number) PG_KIR_OP_##id,
#include "kir-ops.def"
  PG_KIR_N_OPS
};

enum pg_kir_combine
{
#define PG_KIR_COMBINE(id, name, kinds) PG_KIR_COMBINE_##id,
#include "kir-combines.def"
  PG_KIR_N_COMBINES
};

enum pg_kir_shape
{
  PG_KIR_VALUE,
  PG_KIR_NEXT,
  PG_KIR_INDEX,
  PG_KIR_INT2,
  PG_KIR_FLOAT1,
  PG_KIR_FLOAT2,
  PG_KIR_FLOAT3,
  PG_KIR_CMP_INT,
  PG_KIR_CMP_FLOAT,
  PG_KIR_NARROW,
  PG_KIR_WIDEN,
  PG_KIR_INT_FLOAT,
  PG_KIR_FLOAT_INT,
  PG_KIR_FLOAT_FLOAT,
  PG_KIR_BITS,
  PG_KIR_SELECT,
  PG_KIR_ADDRESS,
  PG_KIR_LOAD,
  PG_KIR_STORE,
  PG_KIR_SHARED,
  PG_KIR_ATOMIC,
  PG_KIR_SWAP,
  PG_KIR_BARRIER,
  PG_KIR_FACT,
  PG_KIR_PHI,
  PG_KIR_JUMP, /* from here on, ends of blocks */
  PG_KIR_BRANCH,
  PG_KIR_SWITCH,
  PG_KIR_RETURN
};

enum pg_kir_number
{
  PG_KIR_NUMBER_NONE,
  PG_KIR_NUMBER_BITS,
  PG_KIR_NUMBER_OFFSET,
  PG_KIR_NUMBER_DIM,
  PG_KIR_NUMBER_REF,
  PG_KIR_NUMBER_CARRY,
  PG_KIR_NUMBER_GRID,
  PG_KIR_NUMBER_PLACE
};

enum pg_kir_kind
{
  PG_KIR_KIND_NONE,
  PG_KIR_KIND_INT,
  PG_KIR_KIND_FLOAT,
  PG_KIR_KIND_PTR,
  PG_KIR_KIND_ALL /* of no type: any of those above but NONE */
};

struct pg_kir_type_facts
{
  const char *name;
  unsigned len; /* bytes */
  enum pg_kir_kind kind;
};

struct pg_kir_op_facts
{
  const char *name;
  enum pg_kir_shape shape;
  enum pg_kir_number number;
};

struct pg_kir_combine_facts
{
  const char *name;
  enum pg_kir_kind kinds;
};

extern const struct pg_kir_type_facts pg_kir_types[PG_KIR_N_TYPES];
extern const struct pg_kir_op_facts pg_kir_ops[PG_KIR_N_OPS];
extern const struct pg_kir_combine_facts pg_kir_combines[PG_KIR_N_COMBINES];

/* May an instruction of OP change memory?  Does it access memory, its address being the first operand?  */
static inline bool
pg_kir_changes_memory (unsigned op)
{
  enum pg_kir_shape shape = pg_kir_ops[op].shape;
  return shape == PG_KIR_STORE || shape == PG_KIR_ATOMIC || shape == PG_KIR_SWAP;
}

static inline bool
pg_kir_accesses_memory (unsigned op)
{
  return pg_kir_ops[op].shape == PG_KIR_LOAD || pg_kir_changes_memory (op);
}

/* Limits, so that sizes of what is read never overflow.  */
enum
{
  PG_KIR_MOST_VALUES = 1 << 20,
  PG_KIR_MOST_BLOCKS = 1 << 16,
  PG_KIR_MOST_OPERANDS = 1 << 12, /* of one instruction */
  PG_KIR_MOST_DIMS = 8,
  PG_KIR_MOST_REFS = 1 << 12,
  PG_KIR_MOST_CARRIES = 1 << 8,
  PG_KIR_MOST_GRID_DIMS = 3,
  PG_KIR_MOST_THREADS = 1 << 10, /* of a block */
  PG_KIR_MOST_SHARED_LEN = 48 << 10,
  PG_KIR_MOST_ARGS_LEN = 1 << 16,
  PG_KIR_MOST_LINES = INT32_MAX,
  PG_KIR_NAME_LEN = 160
};

/* An instruction's number in its kernel, from 1 on; 0: none.  */
typedef uint32_t pg_kir_value;

/* A block's number, from 0 on; the first is where an iteration begins.  */
typedef uint32_t pg_kir_block_number;

struct pg_kir_instr
{
  uint8_t op;   /* enum pg_kir_op */
  uint8_t type; /* enum pg_kir_type, of the result */
  uint16_t n_operands, n_targets;
  uint32_t first; /* of the operands in the kernel's pool; the targets follow */
  uint32_t line;  /* in the source; 0: unknown */
  int64_t number; /* what op's facts say; of a constant, the bits, those above its type 0 */
};

/* A carried value.  */
struct pg_kir_carry
{
  uint8_t type;    /* enum pg_kir_type */
  uint8_t combine; /* enum pg_kir_combine */
  uint32_t offset; /* in the loop's arguments */
};

struct pg_kir_block
{
  pg_kir_value *code;
  uint32_t n, room;
};

struct pg_kir_kernel
{
  char name[PG_KIR_NAME_LEN]; /* file:line function, or empty */
  uint32_t args_len;          /* bytes of the loop's arguments */
  uint32_t n_dims, n_refs;    /* of the loop or the grid */
  uint32_t n_threads;         /* of a block at most, in SPMD form; 0: loop form */
  uint32_t shared_len;        /* bytes that a block shares */
  bool is_broken;             /* there was not enough memory, or a limit was passed */

  struct pg_kir_instr *instrs; /* INSTRS[0] is unused */
  uint32_t n_instrs, instrs_room;
  uint32_t *pool;
  uint32_t n_pool, pool_room;
  struct pg_kir_block *blocks;
  uint32_t n_blocks, blocks_room;
  struct pg_kir_carry *carries;
  uint32_t n_carries, carries_room;

  void *(*resize) (void *block, size_t old_len, size_t len);
};

/* Make KERNEL an empty one that gets its memory from RESIZE: like realloc, told the old length; LEN 0: give back.
   NULL: realloc and free.  */
void pg_kir_begin (struct pg_kir_kernel *kernel, void *(*resize) (void *block, size_t old_len, size_t len));

/* Give back KERNEL's memory.  It is empty then.  */
void pg_kir_end (struct pg_kir_kernel *kernel);

/* Name KERNEL after the loop in LINE of FILE, in FUNCTION.  */
void pg_kir_name (struct pg_kir_kernel *kernel, const char *file, uint32_t line, const char *function);

/* Append a block; its number.  */
pg_kir_block_number pg_kir_add_block (struct pg_kir_kernel *kernel);

/* Append a carried value; its number.  */
uint32_t pg_kir_add_carry (struct pg_kir_kernel *kernel, enum pg_kir_type type, enum pg_kir_combine combine,
			   uint32_t offset);

/* Append an instruction to BLOCK; its number, or 0: KERNEL is broken.  Copies OPERANDS and TARGETS.  */
pg_kir_value pg_kir_add (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_op op,
			 enum pg_kir_type type, int64_t number, const pg_kir_value *operands, unsigned n_operands,
			 const pg_kir_block_number *targets, unsigned n_targets);

/* The same with two operands at most; 0: not there.  */
pg_kir_value pg_kir_add_simple (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_op op,
				enum pg_kir_type type, int64_t number, pg_kir_value a, pg_kir_value b);

/* The operands and the targets of INSTR.  Valid until the next change of KERNEL.  */
static inline pg_kir_value *
pg_kir_operands (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  return kernel->pool + instr->first;
}

static inline pg_kir_block_number *
pg_kir_targets (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  return kernel->pool + instr->first + instr->n_operands;
}

/* The operation that computes what OP does, and says nothing of wrapping.  */
enum pg_kir_op pg_kir_wrapping (enum pg_kir_op op);

/* Does INSTR load from memory, or store to it?  Atomic operations do neither.  */
static inline bool
pg_kir_is_load (const struct pg_kir_instr *instr)
{
  return pg_kir_ops[instr->op].shape == PG_KIR_LOAD;
}

static inline bool
pg_kir_is_store (const struct pg_kir_instr *instr)
{
  return pg_kir_ops[instr->op].shape == PG_KIR_STORE;
}

/* How many operands and targets instructions of SHAPE have; -1 each: any number, of both the same.  */
void pg_kir_count (enum pg_kir_shape shape, int *n_operands, int *n_targets);

/* BITS without those that TYPE has no room for.  */
static inline uint64_t
pg_kir_cut (enum pg_kir_type type, uint64_t bits)
{
  unsigned len = pg_kir_types[type].len;
  return len >= 8 ? bits : bits & (((uint64_t) 1 << len * 8) - 1);
}

/* BITS of an integer of TYPE as a number with a sign.  */
static inline int64_t
pg_kir_signed (enum pg_kir_type type, uint64_t bits)
{
  unsigned unused = 64 - pg_kir_types[type].len * 8;
  return (int64_t) (bits << unused) >> unused;
}

/* What is wrong with a kernel, and where.  */
struct pg_kir_error
{
  char text[160];
  uint32_t at; /* a text's line or an instruction, from 1 on, 0: the kernel as a whole; a byte, from 0 on */
};

/* Say in *ERROR what is wrong with a kernel as a whole; false.  */
bool pg_kir_fail (struct pg_kir_error *error, const char *text);

/* Is KERNEL what a kernel must be?  Types and numbers of operands fit, blocks have one end and are reached, phis name
   the blocks before, and each value is computed before it is used, on all paths.  False: *ERROR says what is not.  */
bool pg_kir_verify (const struct pg_kir_kernel *kernel, struct pg_kir_error *error);

/* Write KERNEL as text into TEXT of LEN bytes, ended by 0 as far as there is room.  Returns the length of all of it.
   */
size_t pg_kir_write (const struct pg_kir_kernel *kernel, char *text, size_t len);

/* Read a kernel from TEXT of LEN bytes into KERNEL, which is empty, begun.  False: *ERROR says where and why, and
   KERNEL is empty.  What is read is not verified; values and blocks are numbered anew, in the text's order.  */
bool pg_kir_read (struct pg_kir_kernel *kernel, const char *text, size_t len, struct pg_kir_error *error);

/* Pack KERNEL, which is verified, into BYTES, LEN of them, as far as there is room.  Returns the length of all of it;
   0: no memory.  See pack.h for the form, which depends neither on the machine nor on what else changes in KIR.  */
size_t pg_kir_pack (const struct pg_kir_kernel *kernel, unsigned char *bytes, size_t len);

/* Unpack a kernel from BYTES, LEN of them and nothing else, into KERNEL, which is empty, begun.  False: *ERROR says
   at which byte and why, and KERNEL is empty.  What is unpacked is not verified; the memory that it takes is at most a
   constant for each byte.  */
bool pg_kir_unpack (struct pg_kir_kernel *kernel, const unsigned char *bytes, size_t len, struct pg_kir_error *error);

#endif
