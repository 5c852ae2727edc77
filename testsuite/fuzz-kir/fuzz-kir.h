/* SPDX-License-Identifier: MIT
   KIR fuzzer: what its files share.  main.c tells the whole story.  */
#ifndef FUZZ_KIR_H
#define FUZZ_KIR_H

#include "runtime/kir/interpret.h"
#include "runtime/kir/kir.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- options (main.c) */

struct fk_options
{
  const char *cc, *cxx; /* commands */
  const char *root;     /* of the source */
  const char *keep;     /* failures go there */
  uint64_t first_seed;
  uint64_t n;
  uint64_t n_reduced; /* failures that one job makes smaller, at most */
  int n_jobs;
  unsigned timeout; /* seconds of CPU time for one kernel; on emu, of any time */
};

extern struct fk_options fk_options;

/* ---- random numbers: from a seed, the same everywhere */

struct fk_random
{
  uint64_t state;
};

static inline uint64_t
fk_bits (struct fk_random *random)
{
  uint64_t z = random->state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/* One of 0 to N - 1.  */
static inline unsigned
fk_pick (struct fk_random *random, unsigned n)
{
  return (unsigned) (fk_bits (random) >> 32) % n;
}

/* True once in N times.  */
static inline bool
fk_once_in (struct fk_random *random, unsigned n)
{
  return fk_pick (random, n) == 0;
}

/* ---- shapes of kernels, each of which a thousand seeds must reach */

#define FK_SHAPES(shape)                                                                                             \
  shape (IF, "if") shape (IF_ELSE, "if-else") shape (SAME_WAYS, "both-ways-the-same") shape (RETURN, "early-return") \
    shape (TOP_LOOP, "top-tested-loop") shape (BOTTOM_LOOP, "bottom-tested-loop") shape (NESTED_LOOP, "nested-loop") \
      shape (BREAK, "break") shape (CONTINUE, "continue") shape (EXCHANGED, "phis-exchanged")                        \
	shape (OWN_VALUE, "phi-of-itself") shape (SWITCH, "switch") shape (TWICE, "case-twice")                      \
	  shape (SHARED, "case-shared") shape (TWO_ENTRIES, "loop-of-two-entries") shape (DIMS, "dimensions")        \
	    shape (VIEWS, "views") shape (ODD, "odd-address") shape (WILD, "wild-pointer")                           \
	      shape (PLAIN_DIVISION, "plain-division") shape (NAN, "nan") shape (CARRIED, "carried")                 \
		shape (INDEPENDENT, "independent") shape (COMBINED, "combined") shape (REDUCED, "reduced")

enum fk_shape
{
#define FK_ENUM(id, name) FK_##id,
  FK_SHAPES (FK_ENUM)
#undef FK_ENUM
    FK_N_SHAPES
};

/* ---- cases: a kernel and what it runs on */

enum
{
  FK_N_POINTERS = 5, /* at the start of the arguments: twice IN, twice WORK, OUT */
  FK_CARRIES = 128,  /* where the carried values lie in the arguments */
  FK_ARGS_LEN = 192,
  FK_MOST_CARRIES = (FK_ARGS_LEN - FK_CARRIES) / 16,
  FK_LEN = 320,      /* of IN and WORK */
  FK_REACH = 15,     /* bytes from a buffer's start to a pointer of the arguments, at most */
  FK_OUT_LEN = 4104, /* 16 rows, each of FK_SLOTS values */
  FK_ROW_LEN = 256,
  FK_SLOTS = FK_ROW_LEN / 8,
  FK_MOST_MUTANTS = 4 /* of one kernel */
};

/* A kernel's memory, at the same address in each process and run.  */
struct fk_world
{
  char args[PG_KIR_MOST_ARGS_LEN + 8];
  char in[FK_LEN], work[FK_LEN], out[FK_OUT_LEN];
};

struct fk_case
{
  uint64_t seed;
  unsigned mutant; /* of the seed's kernel; 0: the kernel itself */
  struct pg_kir_kernel kernel;
  uint64_t shapes;     /* bits by enum fk_shape */
  bool is_independent; /* iterations share nothing but carried values, which they combine */
  int64_t n_iters[PG_KIR_MOST_DIMS];
};

/* A kernel's loop as a compiler made it.  */
typedef void fk_loop (char *args, const int64_t *iters);

/* What a run left.  */
struct fk_result
{
  enum pg_kir_outcome outcome;
  struct fk_world world;
};

/* generate.c: make the case of SEED and MUTANT; its kernel is to be given back.  */
void fk_make (struct fk_case *made, uint64_t seed, unsigned mutant);

/* mutate.c: change something in KERNEL, so that it may be anything.  */
void fk_mutate (struct pg_kir_kernel *kernel, struct fk_random *random);

/* world.c: get the memory that kernels run on; false: it is not to be had.  */
bool fk_world_begin (void);

/* Begin MACHINE for KERNEL on fresh memory; false: there is none.  The memory is *FK_WORLD.  */
bool fk_begin (const struct fk_case *made, const struct pg_kir_kernel *kernel, struct pg_kir_machine *machine);
extern struct fk_world *fk_world;

/* Go to the next iteration of MADE, the last dimension first; false: there is none.  */
bool fk_next_iteration (const struct fk_case *made, int64_t *iters);

/* Run KERNEL, verified, as MADE says, on fresh memory: by the interpreter, or as LOOP.  */
void fk_interpret (const struct fk_case *made, const struct pg_kir_kernel *kernel, struct fk_result *result);
void fk_call (const struct fk_case *made, fk_loop *loop, struct fk_result *result);

/* depend.c: do the iterations of MADE, which end well, share nothing but carried values, that they combine?  If so, set
   *IS_FREE, if none of them accesses a byte that it writes more than once.  */
bool fk_is_independent (const struct fk_case *made, bool *is_free);

/* Where A and B differ, as words in WHY; true: nowhere.  */
bool fk_same (const struct fk_result *a, const struct fk_result *b, char *why);

/* passes.c: does MADE's kernel, as a grid of one thread, leave what the loop leaves?  If not, WHY says where they
   differ.  */
bool fk_grids_same (const struct fk_case *made, char *why);

/* The same as a grid of several threads, of a case whose iterations are independent.  */
bool fk_threads_same (const struct fk_case *made, char *why);

/* The same by teams of several threads, if such are to be had, which is added to the count.  IS_FREE: no iteration
   accesses a byte that it writes more than once.  */
bool fk_teams_same (const struct fk_case *made, bool is_free, unsigned *n_teams, char *why);

/* Are grids that MADE's kernel became, and that were changed then, refused, or run, printed and read back?  How many,
   is added to the counts.  */
bool fk_grid_mutants_run (const struct fk_case *made, unsigned *n_refused, unsigned *n_accepted, char *why);

/* notes.c: does MADE's kernel, when it notes what it touches, leave the same, and notes that are right?  */
bool fk_notes_right (const struct fk_case *made, char *why);

/* methods.c: if a method finds MADE's loop clean, does it leave as a grid what it leaves in order?  How many find it
   so, is added to the count.  */
bool fk_clean_is_clean (const struct fk_case *made, unsigned *n_clean, char *why);

/* nan.c: is all that KERNEL computes defined, that is, are the bits of NaNs that it computed never seen?  */
bool fk_is_defined (const struct pg_kir_kernel *kernel);

/* ---- checks (check.c) */

enum
{
  FK_WHY_LEN = 256,
  FK_BATCH = 50 /* seeds that are compiled together */
};

/* What a process that checks tells the one that started it.  */
struct fk_report
{
  int check;            /* the one at hand, a row of the table */
  char why[FK_WHY_LEN]; /* it does not hold; "": all do */
  enum pg_kir_outcome outcome;
  bool is_comparable; /* the interpreter came to the end, and what it left is defined */
  unsigned n_refused, n_accepted, n_grids, n_teams, n_clean;
  unsigned mutant; /* the last one that is comparable, or 0 */
};

struct fk_check
{
  const char *name;

  /* Does it hold for MADE?  If not, REPORT says why.  LOOP is the kernel as COMPILER made it, if there is one.  Runs in
     a process of its own.  */
  bool (*holds) (struct fk_case *made, fk_loop *loop, struct fk_report *report);

  const char *compiler; /* the language, "c" or "c++", and flags; FK_ON_EMU; NULL: nothing is compiled */
  const char *program;  /* the compiler; NULL: that of the options */
  unsigned every;       /* done for one in so many batches, the first among them */
  bool is_reducible;    /* it looks at the kernel only, so that a smaller one can be tried */
};

extern const struct fk_check fk_checks[];
extern const int fk_n_checks;

/* Check MADE by all rows that compile nothing, or by row CHECK, with LOOP unless it compiles nothing.  False: one does
   not hold, and *REPORT, of shared memory, says which and why.  */
bool fk_check_alone (struct fk_case *made, struct fk_report *report);
bool fk_check_one (struct fk_case *made, int check, fk_loop *loop, struct fk_report *report);

/* ---- compiling (compile.c) */

struct fk_library
{
  void *handle;
  fk_loop *loops[2 * FK_BATCH];
};

/* Compile the kernels of the N CASES, for CHECK, in FOLDER, and load them.  False: that failed, and WHY is the
   compiler's message.  */
bool fk_compile (struct fk_library *library, const struct fk_check *check, struct fk_case *const *cases, int n,
		 const char *folder, char *why);
void fk_unload (struct fk_library *library);

/* Is the compiler that CHECK needs there?  */
bool fk_is_there (const struct fk_check *check);

/* Print KERNEL as the function or kernel NAME; to be freed.  */
char *fk_print_kernel (const struct pg_kir_kernel *kernel, const char *name);

/* ---- the device without a GPU (emu.c): one for each job */

#define FK_ON_EMU "emu" /* what is in the table as the compiler */

/* Is its program built?  */
bool fk_emu_is_there (void);

/* Run the N CASES there as grids, those of one dimension that end well.  WHYS say of each what does not hold, or "";
   how many ran, is added to *N_RUN.  False: not all were compiled, and WHY is the compiler's message.  */
bool fk_run_on_emu (struct fk_case *const *cases, int n, char (*whys)[FK_WHY_LEN], unsigned *n_run, char *why);
void fk_emu_end (void);

/* ---- processes (guard.c) */

/* Get LEN zeroed bytes that child processes share.  */
void *fk_share (size_t len);

/* Do WORK with CONTEXT in a process of its own.  False: it crashed or did not end in time, and WHY says which.  */
bool fk_guard (void (*work) (void *context), void *context, char *why);
#define FK_HANG "does not end"

/* ---- findings (reduce.c) */

/* Write KERNEL as text; to be freed.  */
char *fk_text (const struct pg_kir_kernel *kernel);

/* Make MADE's kernel smaller as long as row CHECK does not hold for it; if it ended before, it has to end, too.  REPORT
   is of shared memory.  */
void fk_reduce (struct fk_case *made, int check, bool is_hang, const char *folder, struct fk_report *report);

/* ---- counts (tally.c): one for all processes */

struct fk_tally
{
  uint64_t n_batches; /* begun */
  uint64_t n_kernels, n_differences, n_accepted, n_refused, n_trapped, n_compared, n_grids, n_teams, n_clean, n_on_emu;
  uint64_t ops[PG_KIR_N_OPS], types[PG_KIR_N_TYPES], shapes[FK_N_SHAPES];
};

/* Count what MADE's kernel has, and what REPORT says of it.  */
void fk_count (struct fk_tally *tally, const struct fk_case *made, const struct fk_report *report);

/* Print all counts, and the summary as the last line.  False: something was not reached.  */
bool fk_print (const struct fk_tally *tally);

#endif
