/* SPDX-License-Identifier: MIT
   A device without a GPU: CUDA C text, compiled by g++ and run by host threads, in memory of its own.

   The device is a process, started when it is opened.  The program's memory is not in it, so that a host address that
   a kernel was given by mistake cannot be read there; and a kernel that crashes, spins or waits for ever ends that
   process, never the program.  Then the next call starts another: device memory and modules stay.

       program				    the device's process (cuda/emu/device)
	 pg_emu_alloc, copy, set	      runs blocks on threads, the threads of a block as fibers
	   |				      checks each access
	   +---- memory, a file ---------------+
	 pg_emu_compile, launch, wait	       |
	   +---- socket (wire.h) --------------+

   Device addresses are numbers that are valid in kernels only: the program has nothing mapped there.

   What a device leaves to chance is drawn anew in each launch, from a seed: the order of blocks, which thread goes on,
   how long a warp lags behind, what memory holds before it is written.  One thread of the host (threads:1) and the same
   seed: the same order, always.

   Threads: one at a time for each device.  A process that was forked off may not use its parent's.  Opening makes the
   program see one SIGCHLD.  */
#ifndef PG_EMU_H
#define PG_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pg_emu_status
{
  PG_EMU_OK,
  PG_EMU_NO_DEVICE,    /* its process cannot be started or was lost, or is another process's */
  PG_EMU_NO_MEMORY,    /* of the device, or of the program */
  PG_EMU_BAD_ARGUMENT, /* of the call; nothing was done */
  PG_EMU_NOT_COMPILED, /* the text is wrong, or there is no compiler */
  PG_EMU_FAULT,        /* the kernel did what no kernel may */
  PG_EMU_TIMEOUT       /* the kernel, or what else the process was asked for, was not done in time */
};

enum
{
  PG_EMU_TEXT_LEN = 512,          /* of a message, with its 0 */
  PG_EMU_NAME_LEN = 128,          /* of a kernel's name, with its 0 */
  PG_EMU_MOST_ARGS_LEN = 4096,    /* bytes */
  PG_EMU_MOST_SHARED_LEN = 49152, /* bytes that a launch may ask for */
  PG_EMU_MOST_BLOCK_THREADS = 1024
};

/* How the device runs, from PARAGON_EMU.  */
struct pg_emu_options
{
  uint64_t seed;
  uint32_t n_threads; /* of the host; 0: as many as there are CPUs */
  uint32_t preempt;   /* memory accesses between two preemptions of a thread, on average; 0: none */
};

/* Make OPTIONS what they are when the variable is not set.  */
void pg_emu_defaults (struct pg_emu_options *options);

/* Read OPTIONS from the variable's value TEXT, "seed:N,threads:N,preempt:N", each at most once; NULL or empty: the
   defaults.  False: TEXT is not known, OPTIONS are the defaults, and COMPLAINT of LEN bytes is one line for the user.
   */
bool pg_emu_parse (const char *text, struct pg_emu_options *options, char *complaint, size_t len);

struct pg_emu_setup
{
  const char *program;  /* path of the device's program, build/emu-device */
  const char *compiler; /* name or path of a g++ */
  const char *include;  /* the folder of prelude.cuh and emu/shim.h */
  size_t len;           /* bytes of device memory, at most 32 GiB */
  struct pg_emu_options options;
};

struct pg_emu;
struct pg_emu_module;

/* Open a device.  Copies SETUP.  If not PG_EMU_OK: *EMU is NULL, and TEXT of PG_EMU_TEXT_LEN bytes says why.  */
enum pg_emu_status pg_emu_open (const struct pg_emu_setup *setup, struct pg_emu **emu, char *text)
  __attribute__ ((warn_unused_result));

/* Close EMU; NULL is allowed.  What runs is ended; its modules are gone.  */
void pg_emu_close (struct pg_emu *emu);

/* One line on the last call that did not return PG_EMU_OK; valid until the next call.  */
const char *pg_emu_message (const struct pg_emu *emu);

/* Give LEN bytes of device memory, aligned to 4096, with random contents; a page before and one behind is nobody's.  */
enum pg_emu_status pg_emu_alloc (struct pg_emu *emu, size_t len, uint64_t *address)
  __attribute__ ((warn_unused_result));

/* Take back what pg_emu_alloc gave.  */
enum pg_emu_status pg_emu_free (struct pg_emu *emu, uint64_t address) __attribute__ ((warn_unused_result));

/* Copy LEN bytes to or from the device, or set them to BYTE.  They must lie in one allocation.  No call waits for the
   kernel that runs.  */
enum pg_emu_status pg_emu_copy_in (struct pg_emu *emu, uint64_t to, const void *from, size_t len)
  __attribute__ ((warn_unused_result));
enum pg_emu_status pg_emu_copy_out (struct pg_emu *emu, void *to, uint64_t from, size_t len)
  __attribute__ ((warn_unused_result));
enum pg_emu_status pg_emu_set (struct pg_emu *emu, uint64_t to, int byte, size_t len)
  __attribute__ ((warn_unused_result));

/* Compile TEXT, whose kernels that will be launched are KERNELS, N_KERNELS names.  Copies all.  Ownership: *MODULE is
   EMU's, until it is closed.  PG_EMU_NOT_COMPILED: *MODULE is NULL, the message is the compiler's first error, and
   pg_emu_log is all that it said.  Waits for the kernel that runs.  */
enum pg_emu_status pg_emu_compile (struct pg_emu *emu, const char *text, const char *const *kernels, size_t n_kernels,
				   struct pg_emu_module **module) __attribute__ ((warn_unused_result));

/* What the compiler said, all of it up to 64 KiB; valid until the next compilation.  */
const char *pg_emu_log (const struct pg_emu *emu);

/* A launch.  The arguments are the kernel's parameters one after the other, each at its alignment; mostly one struct.
   */
struct pg_emu_launch
{
  const char *kernel;
  uint32_t grid[3];    /* blocks: x, y, z */
  uint32_t block[3];   /* threads of a block: x, y, z */
  uint32_t shared_len; /* bytes of the dynamic __shared__ array */
  uint32_t args_len;   /* bytes */
  const void *args;
  uint32_t limit_ms; /* how long it may run */
};

/* Start LAUNCH of a kernel of MODULE; copies it.  Waits for the kernel that runs; if that failed, LAUNCH is not started
   and the status is that one's.  */
enum pg_emu_status pg_emu_launch (struct pg_emu *emu, struct pg_emu_module *module, const struct pg_emu_launch *launch)
  __attribute__ ((warn_unused_result));

/* Wait for the kernel that runs, if any.  PG_EMU_FAULT, PG_EMU_TIMEOUT: the message names the kernel and what it did;
   it may have written before.  */
enum pg_emu_status pg_emu_wait (struct pg_emu *emu) __attribute__ ((warn_unused_result));

#endif
