/* SPDX-License-Identifier: MIT
   What entries cost on a device, as real ones did: nothing is run to find out.

     an entry  =  copies in  +  kernels  +  copies out  +  the rest
		  bytes * ps	launch + iterations	bytes * ps	choosing, logs, memory

   What a byte and a launch cost is the device's, and the same for all loops; the others are a loop's.  A copy counts
   with what the host does about it: to read the program's memory, to compare, to commit.  A kernel counts with the
   kernels that check for it.  A first time is often a slow one, so a cheaper measurement stands at once, and a dearer
   one moves what is known by a quarter.  */
#ifndef PARAGON_DEVICE_COSTS_H
#define PARAGON_DEVICE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

/* A device's; 0: unknown.  */
struct pg_device_costs
{
  int64_t launch_ns;     /* the shortest that was ever seen, from a launch until its result was known */
  int64_t in_ps, out_ps; /* a byte */
};

/* A loop's there.  */
struct pg_loop_costs
{
  struct
  {
    int64_t n_iters, ns; /* the kernels of so many iterations; 0: not yet seen */
  } kernels[2];          /* that note nothing, and that note accesses, and check */
  int64_t was_checked;   /* which of them ran last */
  int64_t n_iters;       /* of the last entry, */
  int64_t all_len;       /* bytes of its objects, */
  int64_t in_len;        /* and of these, those that the device did not have; */
  int64_t out_len;       /* bytes that are copied back, by each chunk */
  int64_t other_ns;      /* the rest; 0: unknown */
};

/* One entry there.  */
struct pg_device_sample
{
  int64_t entry_iters;       /* of the entry, which the objects are of; */
  int64_t n_iters, n_chunks; /* that were run; 0: there is nothing to learn */
  bool is_checked, is_committed;
  int64_t all_len, in_len, out_len;
  int64_t in_ns, kernel_ns, out_ns;
  int64_t other_ns; /* 0: it is no usual one, as kernels were compiled */
};

/* Learn from SAMPLE.  */
void pg_device_costs_learn (struct pg_device_costs *device, struct pg_loop_costs *loop,
			    const struct pg_device_sample *sample);

/* Nanoseconds that N_ITERS iterations of LOOP take there, checked or not, if IN_LEN bytes have to be copied to it.
   -1: unknown, as none like them ran.  */
int64_t pg_device_costs_ns (const struct pg_device_costs *device, const struct pg_loop_costs *loop, int64_t n_iters,
			    int64_t in_len, bool is_checked);

/* LEN bytes of the last entry of LOOP, for N_ITERS iterations.  */
int64_t pg_device_costs_len (const struct pg_loop_costs *loop, int64_t len, int64_t n_iters);

/* Copy what is known of the process's device, and of the loop whose costs are KEPT.  False: another thread is at
   work on that; nothing was copied, and nobody waits.  Threads: any.  */
bool pg_device_costs_read (struct pg_device_costs *device, struct pg_loop_costs *loop,
			   const struct pg_loop_costs *kept);

/* Learn from SAMPLE of the loop whose costs are KEPT; nothing, if another thread is at work on that.  Threads: any.  */
void pg_device_costs_note (struct pg_loop_costs *kept, const struct pg_device_sample *sample);

/* What N_ITERS iterations of the loop whose costs are KEPT take, as pg_device_costs_ns says; that IN_LEN bytes have to
   be copied is noted.  -1: unknown, or another thread is at work on that.  Threads: any.  */
int64_t pg_device_costs_look (struct pg_loop_costs *kept, int64_t n_iters, int64_t in_len, bool is_checked);

/* Let the process's device cost what HINTS, of any values, say, as far as that is not known.  Threads: any.  */
void pg_device_costs_hint (const struct pg_device_costs *hints);

/* Make any values costs that can be computed with.  */
void pg_loop_costs_bound (struct pg_loop_costs *costs);

/* In the child of a fork: who was there is not here.  */
void pg_device_costs_forget (void);

#endif
