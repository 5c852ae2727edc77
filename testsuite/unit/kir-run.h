/* SPDX-License-Identifier: MIT
   What tests of kernels share: kernels of text, which are right, as grids, and how both are interpreted.  */
#ifndef KIR_RUN_H
#define KIR_RUN_H

#include "kir-golden.h"
#include "kir/interpret.h"
#include "kir/map.h"

enum
{
  MOST_STEPS = 1000000 /* of an iteration, or of a thread */
};

static inline void
verify_kernel (const struct pg_kir_kernel *kernel)
{
  static char text[TEXT_LEN];
  struct pg_kir_error error;
  if (pg_kir_verify (kernel, &error))
    return;
  pg_kir_write (kernel, text, sizeof text);
  fail_msg ("%s%u: %s", text, (unsigned) error.at, error.text);
}

static inline struct pg_kir_kernel
read_kernel (const char *text)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_read (&kernel, text, strlen (text), &error))
    fail_msg ("%s\n%u: %s", text, (unsigned) error.at, error.text);
  verify_kernel (&kernel);
  return kernel;
}

/* LOOP as a grid of blocks of N_THREADS at most.  */
static inline struct pg_kir_kernel
map_kernel (const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping, uint32_t n_threads)
{
  struct pg_kir_kernel spmd;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&spmd, NULL);
  if (!pg_kir_map (&spmd, loop, mapping, n_threads, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  verify_kernel (&spmd);
  return spmd;
}

/* Run [LO, HI) of LOOP, with ARGS, one after the other, where it may access SPACES only.  */
static inline void
run_in_order (const struct pg_kir_kernel *loop, void *args, const struct pg_kir_space *spaces, size_t n_spaces,
	      int64_t lo, int64_t hi)
{
  struct pg_kir_machine machine;
  assert_true (pg_kir_machine_begin (&machine, loop));
  machine.args = args;
  machine.spaces = spaces;
  machine.n_spaces = n_spaces;
  machine.most_steps = MOST_STEPS;
  machine.is_strict = true;
  for (int64_t i = lo; i < hi; i++)
    assert_int_equal (pg_kir_interpret (&machine, &i), PG_KIR_DONE);
  pg_kir_machine_end (&machine);
}

/* Run SPMD on N_BLOCKS blocks of N_THREADS, shuffled by SEED.  */
static inline enum pg_kir_outcome
run_grid (const struct pg_kir_kernel *spmd, void *args, const struct pg_kir_space *spaces, size_t n_spaces,
	  int64_t n_blocks, int64_t n_threads, uint64_t seed)
{
  const struct pg_kir_grid grid = { .n_blocks = { n_blocks, 1, 1 }, .n_threads = { n_threads, 1, 1 }, .seed = seed };
  struct pg_kir_machine machine = {
    .kernel = spmd, .args = args, .spaces = spaces, .n_spaces = n_spaces, .most_steps = MOST_STEPS, .is_strict = true
  };
  return pg_kir_interpret_grid (&machine, &grid);
}

/* Run [LO, HI) of LOOP, which carries nothing, as such a grid; ARGS have room for where it is.  */
static inline void
run_strided (const struct pg_kir_kernel *loop, void *args, const struct pg_kir_space *spaces, size_t n_spaces,
	     int64_t lo, int64_t hi, int64_t n_blocks, int64_t n_threads, uint64_t seed)
{
  struct pg_kir_kernel spmd = map_kernel (loop, PG_KIR_STRIDED, (uint32_t) n_threads);
  const struct pg_kir_launch launch = { .lo = lo, .hi = hi, .stride = n_blocks * n_threads };
  memcpy ((char *) args + pg_kir_launch_offset (loop), &launch, sizeof launch);
  assert_int_equal (run_grid (&spmd, args, spaces, n_spaces, n_blocks, n_threads, seed), PG_KIR_DONE);
  pg_kir_end (&spmd);
}

#endif
