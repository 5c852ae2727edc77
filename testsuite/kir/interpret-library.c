/* SPDX-License-Identifier: MIT
   A runtime for tests only: each entry of a region that has a kernel is interpreted, iteration after iteration, on the
   program's own memory; all others run their original loop.  Of long entries the middle is left to F, which goes on
   from what the kernel left and leaves what the kernel goes on from; of regions that were interpreted for long, all is.
   So a program says whether its kernels compute what its loops do:

       PARAGON_LIBRARY=build/libparagon-interpret.so.1 ./program

   At exit a line on stderr tells how much of it was interpreted.  */
#include "descriptor.h"
#include "kir/interpret.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PG_ABI_FUNCTION(type, name, arguments) __attribute__ ((visibility ("default"))) type name arguments;
#include "paragon_abi.def"
#undef PG_ABI_FUNCTION

enum
{
  MOST_ACCESSES = 500000, /* of a region */
  N_FIRST = 300,	  /* iterations that are interpreted, at an entry's start and at its end */
  N_LAST = 20
};

/* What a region's state is.  */
struct interpreted
{
  struct pg_region region;
  struct pg_kir_kernel kernel;
  long n_accesses;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Entries that were interpreted and that were not, and iterations.  */
static long n_entries, n_others, n_iterations;

static _Noreturn void
fail (const struct pg_region *region, const char *what, unsigned at)
{
  fprintf (stderr, "kernel of %s:%u: %s (%u)\n", region->file, (unsigned) region->line, what, at);
  _exit (99);
}

/* Make the state of DESCRIPTOR's region.  */
static struct interpreted *
make_state (const struct pg_descriptor *descriptor)
{
  struct pg_kir_error error;
  struct interpreted *state = calloc (1, sizeof *state);
  struct pg_region *region = &state->region;
  uint32_t packed_len;
  const unsigned char *packed = pg_descriptor_packed (descriptor, &packed_len);
  if (!pg_descriptor_begin (region, descriptor)
      || !pg_descriptor_unpack (region, descriptor, packed, malloc (pg_descriptor_tables_len (region))))
    fail (region, "malformed descriptor", 0);
  pg_kir_begin (&state->kernel, NULL);
  if (region->kir == NULL)
    return state;
  if (!pg_kir_unpack (&state->kernel, region->kir, region->kir_len, &error) || !pg_kir_verify (&state->kernel, &error))
    fail (region, error.text, error.at);
  if (state->kernel.args_len != region->args_len)
    fail (region, "other arguments", state->kernel.args_len);
  return state;
}

/* The state of DESCRIPTOR's region, which is read once.  */
static struct interpreted *
state_of (struct pg_descriptor *descriptor)
{
  pthread_mutex_lock (&lock);
  if (descriptor->state == NULL)
    descriptor->state = make_state (descriptor);
  struct interpreted *state = descriptor->state;
  pthread_mutex_unlock (&lock);
  return state;
}

static void
count_access (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write)
{
  struct interpreted *state = context;
  (void) ref, (void) address, (void) len, (void) is_write;
  __atomic_fetch_add (&state->n_accesses, 1, __ATOMIC_RELAXED);
}

/* Interpret iterations [LO, HI) of REGION by MACHINE, as far as the budget goes; return the first that was not.  */
static int64_t
interpret (const struct pg_region *region, struct pg_kir_machine *machine, int64_t lo, int64_t hi)
{
  const struct interpreted *state = machine->context;
  for (; lo < hi && state->n_accesses < MOST_ACCESSES; lo++)
    {
      if (pg_kir_interpret (machine, &lo) != PG_KIR_DONE)
	fail (region, "stops at an instruction", machine->at);
      __atomic_fetch_add (&n_iterations, 1, __ATOMIC_RELAXED);
    }
  return lo;
}

int64_t
__paragon_enter_v2 (struct pg_descriptor *descriptor, void *args, int64_t n_iters)
{
  static const struct pg_kir_space everything = { NULL, SIZE_MAX, true };
  struct pg_kir_machine machine;
  struct interpreted *state = descriptor->abi == PG_ABI_VERSION ? state_of (descriptor) : NULL;
  if (state == NULL || state->region.kir == NULL || n_iters <= 0
      || (state->region.flags & PG_REGION_RELIES_ON_LOADS)) /* nobody asks whether that is right here */
    {
      __atomic_fetch_add (&n_others, 1, __ATOMIC_RELAXED);
      if (descriptor->flags & PG_DESCRIPTOR_F_IF_REFUSED)
	descriptor->body (args, 0, n_iters, NULL);
      return 0;
    }
  const struct pg_region *region = &state->region;
  if (!pg_kir_machine_begin (&machine, &state->kernel))
    fail (region, "no memory", 0);
  machine.args = args;
  machine.spaces = &everything;
  machine.n_spaces = 1;
  machine.most_steps = UINT64_MAX;
  machine.is_strict = true;
  machine.touch = count_access;
  machine.context = state;

  int64_t middle = interpret (region, &machine, 0, n_iters < N_FIRST ? n_iters : N_FIRST);
  int64_t last = n_iters - N_LAST > middle ? n_iters - N_LAST : middle;
  if (middle < last)
    region->body (args, middle, last, NULL);
  last = interpret (region, &machine, last, n_iters);
  if (last < n_iters)
    region->body (args, last, n_iters, NULL);
  pg_kir_machine_end (&machine);
  __atomic_fetch_add (&n_entries, 1, __ATOMIC_RELAXED);
  return 1;
}

__attribute__ ((destructor)) static void
tell (void)
{
  fprintf (stderr, "interpreted: %ld entries, %ld iterations, %ld entries not\n", n_entries, n_iterations, n_others);
}
