/* SPDX-License-Identifier: MIT
   Devices: memory and kernels elsewhere.  Backends (cuda/device-*.c) implement one table of operations; nothing else in
   the runtime knows what a device is made of.

   A device has one user at a time: who takes it has it until it is left.  Taking is only tried.  It is opened when it
   is first taken, and closed when the process ends.

   A backend may allocate by malloc, start processes and wait, so a thread that was interrupted inside malloc must not
   get here; that is why nothing is run on a device unless it is asked for.  */
#ifndef PARAGON_DEVICE_H
#define PARAGON_DEVICE_H

#include "kir/kir.h"
#include "kir/size.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pg_device_status
{
  PG_DEVICE_OK,
  PG_DEVICE_LOST,         /* there is none, or no more */
  PG_DEVICE_NO_MEMORY,    /* of the device, or of the program */
  PG_DEVICE_NOT_COMPILED, /* there is no compiler, or it does not take the text */
  PG_DEVICE_FAULT,        /* a kernel did what no kernel may */
  PG_DEVICE_TIMEOUT
};

enum
{
  PG_DEVICE_TEXT_LEN = 512, /* of a message, with its 0 */
  PG_DEVICE_ARGS_LEN = 4096 /* of a kernel's arguments, at most; every device takes that */
};

/* What a backend makes of them begins with these.  */
struct pg_device
{
  const struct pg_device_ops *ops;
};
struct pg_module;

/* A kernel to be compiled: in SPMD form, verified, and a name of letters, digits and underlines.  */
struct pg_device_kernel
{
  const struct pg_kir_kernel *kernel;
  const char *name;
};

/* N_BLOCKS blocks of N_THREADS threads, and args_len bytes of the kernel's arguments.  */
struct pg_device_launch
{
  const char *name;
  uint32_t n_blocks, n_threads;
  const void *args;
  uint32_t args_len;
  uint32_t limit_ms;
};

/* Device addresses are numbers that only kernels and these functions understand.  */
struct pg_device_ops
{
  const char *name;

  /* Open a device.  WHY, PG_DEVICE_TEXT_LEN bytes, says why not, or what it takes no notice of; or it is
     empty.  */
  enum pg_device_status (*open) (struct pg_device **device, char *why);
  void (*close) (struct pg_device *device);

  /* What it has room for.  */
  void (*get_limits) (const struct pg_device *device, struct pg_kir_limits *limits);

  /* One line on the last call that did not return PG_DEVICE_OK, valid until the next call.  */
  const char *(*message) (const struct pg_device *device);

  /* Give memory, aligned to 256 bytes at least, with any contents; take it back; copy, and set to BYTE, what lies in
     one allocation.  */
  enum pg_device_status (*alloc) (struct pg_device *device, size_t len, uint64_t *address);
  void (*free) (struct pg_device *device, uint64_t address);
  enum pg_device_status (*copy_in) (struct pg_device *device, uint64_t to, const void *from, size_t len);
  enum pg_device_status (*copy_out) (struct pg_device *device, void *to, uint64_t from, size_t len);
  enum pg_device_status (*set) (struct pg_device *device, uint64_t to, int byte, size_t len);

  /* Copies will be from and to MEMORY, LEN bytes of the runtime's own: have it at hand, if that pays; let go of it,
     before it is given back.  A child of a fork may not have it.  NULL: it makes no difference.  */
  void (*pin) (struct pg_device *device, void *memory, size_t len);
  void (*unpin) (struct pg_device *device, void *memory);

  /* Compile KERNELS.  Ownership: *MODULE is DEVICE's, until it is closed.  */
  enum pg_device_status (*compile) (struct pg_device *device, const struct pg_device_kernel *kernels, size_t n_kernels,
				    struct pg_module **module);

  /* Start a kernel of MODULE after those that were started before; wait for all.  */
  enum pg_device_status (*launch) (struct pg_device *device, struct pg_module *module,
				   const struct pg_device_launch *launch);
  enum pg_device_status (*wait) (struct pg_device *device);

  /* Say in TEXT, PG_DEVICE_TEXT_LEN bytes, what device it is and what drives it; or make it empty.  NULL: it is not
     worth remembering.  */
  void (*identify) (struct pg_device *device, char *text);
};

/* The backends.  */
extern const struct pg_device_ops pg_device_emu __attribute__ ((visibility ("hidden")));
extern const struct pg_device_ops pg_device_cuda __attribute__ ((visibility ("hidden")));

/* Take the device that the user named: NULL: none was named, it could not be opened (the user was told why, once, and
   not by children), or somebody else has it.  */
struct pg_device *pg_device_take (void);

void pg_device_leave (struct pg_device *device);

/* At the end of the process, after the last entry.  */
void pg_device_close (void);

/* In the child of a fork: the device is the parent's.  */
void pg_device_forget (void);

#endif
