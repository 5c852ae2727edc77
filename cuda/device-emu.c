/* SPDX-License-Identifier: MIT
   The device without a GPU (emu/emu.h) as a backend.  Its program and the headers of its texts stand beside the runtime
   library, in a folder of their own:

       libparagon.so.1
       paragon/emu-device
       paragon/prelude.cuh, paragon/emu/shim.h  */
#include "device-text.h"
#include "emu/emu.h"
#include "print.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_KERNELS = 16 /* of a module */
};

#define MEMORY_LEN ((size_t) 4 << 30)

struct device
{
  struct pg_device base;
  struct pg_emu *emu;
};

static enum pg_device_status
status_of (enum pg_emu_status status)
{
  switch (status)
    {
    case PG_EMU_OK:
      return PG_DEVICE_OK;
    case PG_EMU_NO_MEMORY:
      return PG_DEVICE_NO_MEMORY;
    case PG_EMU_NOT_COMPILED:
      return PG_DEVICE_NOT_COMPILED;
    case PG_EMU_TIMEOUT:
      return PG_DEVICE_TIMEOUT;
    case PG_EMU_NO_DEVICE:
      return PG_DEVICE_LOST;
    default:
      return PG_DEVICE_FAULT;
    }
}

static struct pg_emu *
emu_of (const struct pg_device *device)
{
  return ((const struct device *) device)->emu;
}

/* The folder "paragon" beside the file that this code was loaded from; false: it cannot be said.  */
static bool
find_folder (char folder[PATH_MAX])
{
  Dl_info info;
  char path[PATH_MAX];
  if (dladdr (&pg_device_emu, &info) == 0 || realpath (info.dli_fname, path) == NULL)
    return false;
  char *slash = strrchr (path, '/');
  *slash = '\0';
  return snprintf (folder, PATH_MAX, "%s/paragon", path) < PATH_MAX;
}

static enum pg_device_status
open_device (struct pg_device **opened, char *why)
{
  char folder[PATH_MAX], program[PATH_MAX + 16], text[PG_EMU_TEXT_LEN] = "no memory, or no folder";
  struct pg_emu_setup setup = { .program = program, .compiler = "g++", .include = folder, .len = MEMORY_LEN };
  enum pg_emu_status status = PG_EMU_NO_DEVICE;
  if (pg_emu_parse (getenv ("PARAGON_EMU"), &setup.options, why, PG_DEVICE_TEXT_LEN))
    *why = '\0';
  struct device *device = calloc (1, sizeof *device);
  if (device != NULL && find_folder (folder))
    {
      snprintf (program, sizeof program, "%s/emu-device", folder);
      status = pg_emu_open (&setup, &device->emu, text);
    }
  if (status != PG_EMU_OK)
    {
      snprintf (why, PG_DEVICE_TEXT_LEN, "%s", text);
      free (device);
      return status_of (status);
    }
  device->base.ops = &pg_device_emu;
  *opened = &device->base;
  return PG_DEVICE_OK;
}

static void
close_device (struct pg_device *device)
{
  pg_emu_close (emu_of (device));
  free (device);
}

/* It has no limits but its own; those of a small GPU keep it from being given more threads than it runs in time.  */
static void
get_limits (const struct pg_device *device, struct pg_kir_limits *limits)
{
  (void) device;
  *limits = (struct pg_kir_limits) { .n_processors = 4,
				     .together = 32,
				     .n_threads = PG_EMU_MOST_BLOCK_THREADS,
				     .shared_len = PG_EMU_MOST_SHARED_LEN,
				     .all_blocks = 16,
				     .all_threads = 2048,
				     .all_registers = 65536,
				     .all_shared_len = 2 * PG_EMU_MOST_SHARED_LEN };
}

static const char *
message (const struct pg_device *device)
{
  return pg_emu_message (emu_of (device));
}

static enum pg_device_status
allocate (struct pg_device *device, size_t len, uint64_t *address)
{
  return status_of (pg_emu_alloc (emu_of (device), len, address));
}

static void
release (struct pg_device *device, uint64_t address)
{
  enum pg_emu_status status = pg_emu_free (emu_of (device), address);
  (void) status; /* refused is only what was not given */
}

static enum pg_device_status
copy_in (struct pg_device *device, uint64_t to, const void *from, size_t len)
{
  return status_of (pg_emu_copy_in (emu_of (device), to, from, len));
}

static enum pg_device_status
copy_out (struct pg_device *device, void *to, uint64_t from, size_t len)
{
  return status_of (pg_emu_copy_out (emu_of (device), to, from, len));
}

static enum pg_device_status
set (struct pg_device *device, uint64_t to, int byte, size_t len)
{
  return status_of (pg_emu_set (emu_of (device), to, byte, len));
}

static enum pg_device_status
compile (struct pg_device *device, const struct pg_device_kernel *kernels, size_t n_kernels, struct pg_module **module)
{
  const char *names[MOST_KERNELS];
  struct pg_emu_module *compiled;
  if (n_kernels > MOST_KERNELS)
    return PG_DEVICE_NOT_COMPILED;
  for (size_t k = 0; k < n_kernels; k++)
    names[k] = kernels[k].name;
  char *text = pg_cuda_text (kernels, n_kernels);
  if (text == NULL)
    return PG_DEVICE_NO_MEMORY;
  enum pg_emu_status status = pg_emu_compile (emu_of (device), text, names, n_kernels, &compiled);
  free (text);
  *module = (struct pg_module *) compiled;
  return status_of (status);
}

static enum pg_device_status
launch (struct pg_device *device, struct pg_module *module, const struct pg_device_launch *launched)
{
  char args[PG_EMU_MOST_ARGS_LEN];
  uint32_t len = pg_cuda_args_room (launched->args_len);
  if (len > sizeof args)
    return PG_DEVICE_NOT_COMPILED;
  memset (args + launched->args_len, 0, len - launched->args_len);
  memcpy (args, launched->args, launched->args_len);
  const struct pg_emu_launch asked = { .kernel = launched->name,
				       .grid = { launched->n_blocks, 1, 1 },
				       .block = { launched->n_threads, 1, 1 },
				       .args = args,
				       .args_len = len,
				       .limit_ms = launched->limit_ms };
  return status_of (pg_emu_launch (emu_of (device), (struct pg_emu_module *) module, &asked));
}

static enum pg_device_status
wait_for_all (struct pg_device *device)
{
  return status_of (pg_emu_wait (emu_of (device)));
}

static void
identify (struct pg_device *device, char *text)
{
  (void) device;
  strcpy (text, "emu");
}

const struct pg_device_ops pg_device_emu = { .name = "emu",
					     .open = open_device,
					     .close = close_device,
					     .get_limits = get_limits,
					     .message = message,
					     .alloc = allocate,
					     .free = release,
					     .copy_in = copy_in,
					     .copy_out = copy_out,
					     .set = set,
					     .compile = compile,
					     .launch = launch,
					     .wait = wait_for_all,
					     .identify = identify };
