/* SPDX-License-Identifier: MIT
   Loop program generator: what its files share.

   A program is a few buffers, a few kernels (functions with a loop nest) and a main that fills the buffers, calls
   the kernels and prints checksums.  Text is made bottom up as strings; a kernel's parameters come into being
   when its body first needs them.

   The rule that keeps every program defined: each index expression carries the range of its values, and each array
   of a kernel the extent that its indexes reach, so that main can bind it to any place with that much room.
   Integer data may have any value, arithmetic on it is unsigned; floating-point data stays within FZ_FP_TOP.  */
#ifndef FUZZ_GENERATE_H
#define FUZZ_GENERATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FZ_LEN 8192     /* elements of a buffer */
#define FZ_REACH 6144   /* no index goes beyond this */
#define FZ_RECORDS 2048 /* elements of an array of records: no index of theirs goes beyond this */
#define FZ_ROWS 72      /* of the two-dimensional arrays */
#define FZ_COLS 68
#define FZ_FP_TOP 1024.0 /* floating-point data is within -TOP .. TOP when a kernel starts */

enum fz_type
{
  FZ_I8,
  FZ_U8,
  FZ_I16,
  FZ_U16,
  FZ_I32,
  FZ_U32,
  FZ_I64,
  FZ_U64,
  FZ_F32,
  FZ_F64,
  FZ_N_TYPES
};

enum fz_role
{
  FZ_DATA,  /* read and written */
  FZ_CONST, /* floating-point data that no kernel writes */
  FZ_INDEX, /* values within 0 .. top */
  FZ_ROW    /* row starts: values ascend within 0 .. top */
};

/* Where an array of a kernel lives.  */
enum fz_home
{
  FZ_PARAM,  /* pointer parameter NAME, bound by main */
  FZ_GLOBAL, /* the file's buffer of its type */
  FZ_GRID,   /* two-dimensional file-scope array */
  FZ_RECORD, /* member of an array of structs, by pointer parameter */
  FZ_COLUMN, /* array member of a struct, by pointer parameter */
  FZ_HELD,   /* what a member of a struct points to, by pointer parameter */
  FZ_STACK   /* declared by the kernel */
};

struct fz_array
{
  const char *name;   /* the parameter or variable */
  const char *member; /* FZ_RECORD, FZ_COLUMN */
  enum fz_type type;
  enum fz_role role;
  enum fz_home home;
  int extent; /* indexes used are below this */
  int limit;  /* indexes must be below this */
  int top;    /* FZ_INDEX, FZ_ROW: the largest value */
};

/* A scalar parameter: main passes values within MIN .. MAX.  */
struct fz_scalar
{
  const char *name;
  const char *type;
  int min, max;
};

/* An induction variable in scope.  NAME is an expression with values within MIN .. MAX.  */
struct fz_iv
{
  const char *name;
  int min, max;
  const char *bound; /* values are below this scalar, which is at least 0 here; or NULL */
  int bound_max;
};

/* A scalar accumulated over the kernel's loops, reported after them.  */
struct fz_result
{
  const char *name;
  const char *type;
  const char *start;
  int op;
  bool is_float;
};

struct fz_index
{
  const char *text;
  int min, max;
};

enum
{
  FZ_MAX_ARRAYS = 9,
  FZ_MAX_SCALARS = 12,
  FZ_MAX_IVS = 6,
  FZ_MAX_RESULTS = 5,
  FZ_MAX_TEMPS = 8
};

struct fz_kernel
{
  int number;
  bool accumulates; /* has floating-point += : then written data is clamped where it is read */
  bool is_simple;   /* mostly affine indexes and plain stores */
  bool is_cold;
  int n_arrays, n_scalars, n_ivs, n_results, n_temps, n_fp_temps;
  int n_names;           /* for fresh names */
  const char *inner_sum; /* the innermost loop adds to this variable, or NULL */
  bool inner_sum_is_float;
  int n_odd; /* statements left that a judge should refuse */
  struct fz_array arrays[FZ_MAX_ARRAYS];
  struct fz_scalar scalars[FZ_MAX_SCALARS];
  struct fz_iv ivs[FZ_MAX_IVS];
  struct fz_result results[FZ_MAX_RESULTS];
  const char *temps[FZ_MAX_TEMPS];    /* unsigned long variables in scope */
  const char *fp_temps[FZ_MAX_TEMPS]; /* double variables in scope, within -TOP .. TOP */
  FILE *functions;                    /* that it calls */
  FILE *own;                          /* its arrays, declared and filled */
  FILE *before;                       /* declarations and statements before the loop */
  FILE *body;
  FILE *after;
  int indent;
};

/* What the whole program draws from.  */
struct fz_program
{
  bool puns; /* integer pointers of different types share a buffer */
  bool wants_simd, wants_openmp, wants_filling;
  bool is_crowded;         /* has a function with very many statements */
  enum fz_type palette[4]; /* types of this program's data */
  int n_palette;
  bool used[FZ_N_TYPES]; /* buffers that main must make */
  bool used_const[FZ_N_TYPES];
};

extern struct fz_program fz_program;

/* generate.c: chance and text.  */
unsigned fz_pick (unsigned n);
int fz_range (int lo, int hi);
bool fz_chance (unsigned percent);
const char *fz_text (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
extern const char *const fz_type_name[FZ_N_TYPES];
extern const char *const fz_type_tag[FZ_N_TYPES];
bool fz_is_float (enum fz_type type);

/* kernel.c: the parts of a kernel.  */
void fz_line (struct fz_kernel *k, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
const char *fz_fresh (struct fz_kernel *k, const char *stem);
const char *fz_scalar (struct fz_kernel *k, const char *stem, const char *type, int min, int max);
struct fz_array *fz_data_array (struct fz_kernel *k, bool is_float);
struct fz_array *fz_const_array (struct fz_kernel *k);
struct fz_array *fz_index_array (struct fz_kernel *k, enum fz_role role, int top);
struct fz_array *fz_typed_array (struct fz_kernel *k, enum fz_type type);
const char *fz_with_room (struct fz_array *array, int len);
struct fz_result *fz_result (struct fz_kernel *k, bool is_float);
void fz_make_kernel (struct fz_kernel *k, int number);
void fz_print_kernel (struct fz_kernel *k, FILE *out);

/* index.c: expressions with known ranges.  */
struct fz_index fz_index (struct fz_kernel *k, int limit, bool injective);
const char *fz_element (struct fz_kernel *k, struct fz_array *array, bool injective);
const char *fz_element_at (struct fz_array *array, struct fz_index index);

/* expression.c: values.  */
const char *fz_int (struct fz_kernel *k, int depth, bool is_long);
const char *fz_float (struct fz_kernel *k, int depth, double *bound);
const char *fz_float_within (struct fz_kernel *k, int depth, double top);
const char *fz_value (struct fz_kernel *k, enum fz_type type);
const char *fz_condition (struct fz_kernel *k);

/* statement.c: bodies and loops.  */
void fz_statement (struct fz_kernel *k);
void fz_statement_nest (struct fz_kernel *k, int depth, int max_depth);
void fz_store (struct fz_kernel *k);
void fz_accumulate (struct fz_kernel *k);

/* work.c: arrays that an iteration writes before it reads them.  */
void fz_work (struct fz_kernel *k);

/* called.c: functions that kernels call.  */
void fz_called (struct fz_kernel *k);

/* packing.c: scalars that statements add to and use.  */
void fz_packed (struct fz_kernel *k);
void fz_scanned (struct fz_kernel *k);
void fz_packing (struct fz_kernel *k);

/* loop.c: loop heads.  A loop's body is entered and left: what it declares ends with it.  */
struct fz_scope
{
  int n_ivs, n_temps, n_fp_temps;
};
struct fz_scope fz_enter (struct fz_kernel *k, struct fz_iv iv);
void fz_leave (struct fz_kernel *k, struct fz_scope outer);
void fz_loop (struct fz_kernel *k, int depth, int max_depth);

/* classic.c: kernels with the shape of real code.  odd.c: statements that are refused by name.  */
void fz_classic (struct fz_kernel *k);
void fz_odd_statement (struct fz_kernel *k);
void fz_odd_kernel (struct fz_kernel *k);

/* nest.c: dense nests.  column.c: some along rows, in which others go down columns.  */
void fz_nest (struct fz_kernel *k);
void fz_columns (struct fz_kernel *k);

/* bucket.c: arrays that a loop adds to.  */
void fz_buckets (struct fz_kernel *k);

/* table.c: arrays that an iteration fills, and goes to loaded places in.  */
void fz_tables (struct fz_kernel *k);

/* cursor.c: elements of an array that say where values go.  */
void fz_cursors (struct fz_kernel *k);

/* place.c: loops that keep sums, minima and maxima at places in memory.  */
void fz_places (struct fz_kernel *k);

/* fold.c: loops that touch the same in each iteration, in steps that grow.  */
void fz_folds (struct fz_kernel *k);

/* rows.c: nests that add up rows, and add to the same places in each.  */
void fz_rows (struct fz_kernel *k);

/* group.c: loops that store values side by side.  */
void fz_group (struct fz_kernel *k);

/* sequence.c: loops in turn, of a constant count.  */
void fz_sequence (struct fz_kernel *k);

/* crowd.c: a function with very many statements in nests, and its calls in main.  */
#define FZ_CROWD_EVERY 1000 /* programs */
void fz_print_crowd (FILE *out);
void fz_print_crowd_calls (FILE *out);

/* main.c: buffers and calls.  */
void fz_print_support (FILE *out, const struct fz_kernel *kernels, int n_kernels);
void fz_print_main (FILE *out, const struct fz_kernel *kernels, int n_kernels);

#endif
