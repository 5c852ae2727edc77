/* SPDX-License-Identifier: MIT
   KIR fuzzer: the memory that kernels run on, and runs.

       args  5 pointers, then numbers	 in, work  bytes, integers and floats	 out  zeros
	       |  |  |  |  +----------------------------------------------------------^
	       |  |  +--+---> work, work + odd
	       +--+---------> in, in + odd

   It lies at one address in all processes, because kernels may see pointers as numbers.  */
#include "fuzz-kir.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct fk_world *fk_world = (struct fk_world *) (uintptr_t) 0x310000000000;

bool
fk_world_begin (void)
{
  return mmap (fk_world, sizeof *fk_world, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
	       -1, 0)
	 == (void *) fk_world;
}

/* Fill LEN bytes with numbers of all kinds, at addresses that fit their size.  */
static void
fill (struct fk_random *random, char *bytes, size_t len)
{
  for (size_t at = 0; at + 8 <= len; at += 8)
    {
      uint64_t bits = fk_bits (random);
      double large = (double) (int64_t) (bits % 2000) / 16.0 - 60.0;
      float small[2] = { (float) large, 1.0f / (float) (bits % 77 + 1) };
      int32_t ints[2] = { (int32_t) (bits % 9) - 4, (int32_t) (bits % 100) };
      memcpy (bytes + at, &bits, 8);
      switch (fk_pick (random, 5))
	{
	case 0:
	  memcpy (bytes + at, &large, 8);
	  break;
	case 1:
	  memcpy (bytes + at, small, 8);
	  break;
	case 2:
	  memcpy (bytes + at, ints, 8);
	  break;
	case 3:
	  bits %= 5;
	  memcpy (bytes + at, &bits, 8);
	  break;
	default:
	  break;
	}
    }
}

/* Make the memory anew, as the seed of MADE says.  */
static void
fill_world (const struct fk_case *made)
{
  struct fk_random random = { made->seed ^ 0x5deece66d };
  memset (fk_world, 0, sizeof *fk_world);
  fill (&random, fk_world->args, FK_ARGS_LEN);
  fill (&random, fk_world->in, FK_LEN);
  fill (&random, fk_world->work, FK_LEN);
  const char *const pointers[FK_N_POINTERS]
    = { fk_world->in, fk_world->in + 1 + fk_pick (&random, FK_REACH), fk_world->work,
	fk_world->work + 1 + fk_pick (&random, FK_REACH), fk_world->out };
  memcpy (fk_world->args, pointers, sizeof pointers);
}

bool
fk_next_iteration (const struct fk_case *made, int64_t *iters)
{
  for (int d = PG_KIR_MOST_DIMS; d-- > 0;)
    {
      if (++iters[d] < made->n_iters[d])
	return true;
      iters[d] = 0;
    }
  return false;
}

bool
fk_begin (const struct fk_case *made, const struct pg_kir_kernel *kernel, struct pg_kir_machine *machine)
{
  static struct pg_kir_space spaces[3];
  spaces[0] = (struct pg_kir_space) { fk_world->in, sizeof fk_world->in, false };
  spaces[1] = (struct pg_kir_space) { fk_world->work, sizeof fk_world->work, true };
  spaces[2] = (struct pg_kir_space) { fk_world->out, sizeof fk_world->out, true };
  fill_world (made);
  if (!pg_kir_machine_begin (machine, kernel))
    return false;
  machine->args = fk_world->args;
  machine->spaces = spaces;
  machine->n_spaces = sizeof spaces / sizeof *spaces;
  machine->most_steps = 100000;
  machine->is_strict = true;
  return true;
}

void
fk_interpret (const struct fk_case *made, const struct pg_kir_kernel *kernel, struct fk_result *result)
{
  int64_t iters[PG_KIR_MOST_DIMS] = { 0 };
  struct pg_kir_machine machine;
  result->outcome = PG_KIR_NO_MEMORY;
  if (fk_begin (made, kernel, &machine))
    {
      do
	result->outcome = pg_kir_interpret (&machine, iters);
      while (result->outcome == PG_KIR_DONE && fk_next_iteration (made, iters));
      pg_kir_machine_end (&machine);
    }
  result->world = *fk_world;
}

void
fk_call (const struct fk_case *made, fk_loop *loop, struct fk_result *result)
{
  int64_t iters[PG_KIR_MOST_DIMS] = { 0 };
  fill_world (made);
  do
    loop (fk_world->args, iters);
  while (fk_next_iteration (made, iters));
  result->outcome = PG_KIR_DONE;
  result->world = *fk_world;
}

/* Compare LEN bytes that are called NAME.  */
static bool
are_same (const char *name, const char *a, const char *b, size_t len, char *why)
{
  size_t at = 0;
  while (at < len && a[at] == b[at])
    at++;
  if (at == len)
    return true;
  uint64_t bits_a = 0, bits_b = 0;
  size_t n = len - at < 8 ? len - at : 8;
  memcpy (&bits_a, a + at, n);
  memcpy (&bits_b, b + at, n);
  snprintf (why, FK_WHY_LEN, "%s + %zu: %#llx, expected %#llx", name, at, (unsigned long long) bits_b,
	    (unsigned long long) bits_a);
  return false;
}

bool
fk_same (const struct fk_result *a, const struct fk_result *b, char *why)
{
  if (a->outcome != b->outcome)
    {
      snprintf (why, FK_WHY_LEN, "outcome %d, expected %d", (int) b->outcome, (int) a->outcome);
      return false;
    }
  return are_same ("args", a->world.args, b->world.args, sizeof a->world.args, why)
	 && are_same ("in", a->world.in, b->world.in, sizeof a->world.in, why)
	 && are_same ("work", a->world.work, b->world.work, sizeof a->world.work, why)
	 && are_same ("out", a->world.out, b->world.out, sizeof a->world.out, why);
}
