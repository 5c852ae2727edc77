/* SPDX-License-Identifier: MIT
   The size of grids.  See size.h.  Sizes of blocks are tried by doubling them.  */
#include "size.h"
#include "kir.h"

/* How many times PART fits into WHOLE; MOST, if it takes nothing of it.  */
static uint32_t
times (uint32_t whole, uint64_t part, uint32_t most)
{
  uint64_t n = part == 0 ? most : whole / part;
  return n < most ? (uint32_t) n : most;
}

/* How many blocks of N_THREADS one processor runs at once.  */
static uint32_t
blocks_at_once (const struct pg_kir_limits *limits, const struct pg_kir_need *need, uint32_t n_threads)
{
  uint64_t shared_len = (uint64_t) need->shared_len * n_threads;
  uint32_t n = limits->all_blocks;
  if (n_threads > limits->n_threads || shared_len > limits->shared_len)
    return 0;
  n = times (limits->all_threads, n_threads, n);
  n = times (limits->all_registers, (uint64_t) need->registers * n_threads, n);
  return times (limits->all_shared_len, shared_len, n);
}

static int64_t
divide_up (int64_t a, int64_t b)
{
  return a / b + (a % b != 0);
}

bool
pg_kir_choose_size (struct pg_kir_size *size, const struct pg_kir_limits *limits, const struct pg_kir_need *need)
{
  uint32_t least = need->n_members > limits->together ? need->n_members : limits->together;
  int64_t most_running = 0, least_full = 0;
  for (uint32_t n_threads = least; n_threads <= PG_KIR_MOST_THREADS; n_threads *= 2)
    {
      int64_t n_at_once = (int64_t) limits->n_processors * blocks_at_once (limits, need, n_threads);
      int64_t n_needed = divide_up (need->n_iters, n_threads / need->n_members);
      int64_t n_blocks = n_needed < n_at_once ? n_needed : n_at_once;
      int64_t running = n_needed < n_at_once ? need->n_iters * need->n_members : n_at_once * n_threads;
      int64_t full = divide_up (n_blocks, limits->n_processors) * n_threads;
      if (running > most_running || (running == most_running && running > 0 && full < least_full))
	{
	  *size = (struct pg_kir_size) { .n_threads = n_threads, .n_blocks = n_blocks };
	  most_running = running;
	  least_full = full;
	}
    }
  return most_running > 0;
}
