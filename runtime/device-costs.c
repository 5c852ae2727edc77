/* SPDX-License-Identifier: MIT
   What entries cost on a device.  See device-costs.h.

   The launch is told from the iterations by the shortest kernel of all loops: what a longer one takes beyond that is
   for its iterations.  */
#include "device-costs.h"
#include "plan.h"

#include <stdatomic.h>
#include <stddef.h>

enum
{
  PS_A_NS = 1000,
  LEAST_COPY_LEN = 64 << 10 /* a shorter one tells nothing about bytes */
};

/* Some years.  */
#define LONGEST_NS (INT64_MAX / 64)

static struct
{
  atomic_flag is_taken; /* guards COSTS, and those of all loops */
  struct pg_device_costs costs;
} known = { .is_taken = ATOMIC_FLAG_INIT };

/* A * B / C nanoseconds, which can be added up.  */
static int64_t
share (int64_t a, int64_t b, int64_t c)
{
  int64_t ns = pg_plan_share (a, b, c);
  return ns < LONGEST_NS ? ns : LONGEST_NS;
}

/* Let *COST be what NOW tells.  */
static void
settle (int64_t *cost, int64_t now)
{
  now = now < 1 ? 1 : now;
  *cost = *cost == 0 || now < *cost ? now : *cost + (now - *cost) / 4;
}

/* Learn from a copy of LEN bytes what one takes.  */
static void
learn_copy (int64_t *ps, int64_t len, int64_t ns)
{
  if (len >= LEAST_COPY_LEN)
    settle (ps, share (ns, PS_A_NS, len));
}

/* Iterations are not of one price at all lengths: what is kept is the last one's.  */
static void
learn_kernels (int64_t *n_iters, int64_t *ns, const struct pg_device_sample *sample)
{
  if (*n_iters > 0)
    *ns = share (*ns, sample->n_iters, *n_iters);
  settle (ns, sample->kernel_ns);
  *n_iters = sample->n_iters;
}

void
pg_device_costs_learn (struct pg_device_costs *device, struct pg_loop_costs *loop,
		       const struct pg_device_sample *sample)
{
  if (device->launch_ns == 0 || sample->kernel_ns < device->launch_ns)
    device->launch_ns = sample->kernel_ns < 1 ? 1 : sample->kernel_ns;
  learn_copy (&device->in_ps, sample->in_len, sample->in_ns);
  if (sample->is_committed)
    learn_copy (&device->out_ps, sample->out_len, sample->out_ns);
  learn_kernels (&loop->kernels[sample->is_checked].n_iters, &loop->kernels[sample->is_checked].ns, sample);
  loop->was_checked = sample->is_checked;
  loop->n_iters = sample->entry_iters;
  loop->all_len = sample->all_len;
  loop->in_len = sample->in_len;
  loop->out_len = sample->out_len / sample->n_chunks;
  int64_t short_ns
    = (sample->in_len < LEAST_COPY_LEN ? sample->in_ns : 0) + (sample->out_len < LEAST_COPY_LEN ? sample->out_ns : 0);
  if (sample->other_ns > 0)
    settle (&loop->other_ns, sample->other_ns + short_ns);
}

int64_t
pg_device_costs_len (const struct pg_loop_costs *loop, int64_t len, int64_t n_iters)
{
  return loop->n_iters == 0 ? 0 : pg_plan_share (len, n_iters, loop->n_iters);
}

/* Where copies were too short to tell what bytes take, they are in the rest.  */
int64_t
pg_device_costs_ns (const struct pg_device_costs *device, const struct pg_loop_costs *loop, int64_t n_iters,
		    int64_t in_len, bool is_checked)
{
  int64_t seen = loop->kernels[is_checked].n_iters, ns = loop->kernels[is_checked].ns;
  if (seen == 0)
    return -1;
  int64_t iters_ns = ns > device->launch_ns ? share (ns - device->launch_ns, n_iters, seen) : 0;
  int64_t out_len = pg_device_costs_len (loop, loop->out_len, n_iters);
  return device->launch_ns + iters_ns + loop->other_ns + share (in_len, device->in_ps, PS_A_NS)
	 + share (out_len, device->out_ps, PS_A_NS);
}

static bool
take (void)
{
  return !atomic_flag_test_and_set_explicit (&known.is_taken, memory_order_acquire);
}

static void
leave (void)
{
  atomic_flag_clear_explicit (&known.is_taken, memory_order_release);
}

bool
pg_device_costs_read (struct pg_device_costs *device, struct pg_loop_costs *loop, const struct pg_loop_costs *kept)
{
  if (!take ())
    return false;
  *device = known.costs;
  *loop = *kept;
  leave ();
  return true;
}

void
pg_device_costs_note (struct pg_loop_costs *kept, const struct pg_device_sample *sample)
{
  if (!take ())
    return;
  pg_device_costs_learn (&known.costs, kept, sample);
  leave ();
}

int64_t
pg_device_costs_look (struct pg_loop_costs *kept, int64_t n_iters, int64_t in_len, bool is_checked)
{
  if (!take ())
    return -1;
  int64_t ns = pg_device_costs_ns (&known.costs, kept, n_iters, in_len, is_checked);
  if (n_iters > 0)
    kept->in_len = pg_plan_share (in_len, kept->n_iters, n_iters);
  leave ();
  return ns;
}

/* The nearest number to N that is a cost.  */
static int64_t
bound (int64_t n)
{
  return n < 0 ? 0 : n < LONGEST_NS ? n : LONGEST_NS;
}

void
pg_device_costs_hint (const struct pg_device_costs *hints)
{
  if (!take ())
    return;
  if (known.costs.launch_ns == 0)
    known.costs.launch_ns = bound (hints->launch_ns);
  if (known.costs.in_ps == 0)
    known.costs.in_ps = bound (hints->in_ps);
  if (known.costs.out_ps == 0)
    known.costs.out_ps = bound (hints->out_ps);
  leave ();
}

void
pg_loop_costs_bound (struct pg_loop_costs *costs)
{
  int64_t *const numbers[] = { &costs->n_iters, &costs->all_len, &costs->in_len, &costs->out_len, &costs->other_ns };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = bound (*numbers[i]);
  for (int k = 0; k < 2; k++)
    {
      costs->kernels[k].n_iters = bound (costs->kernels[k].n_iters);
      costs->kernels[k].ns = bound (costs->kernels[k].ns);
    }
  costs->was_checked = costs->was_checked != 0;
}

void
pg_device_costs_forget (void)
{
  leave ();
}
