/* SPDX-License-Identifier: MIT
   A device for unit tests, which is made of malloc and the interpreter, and fails when it is told to; and regions that
   are entered on it.  */
#ifndef PARAGON_TEST_FAKE_DEVICE_H
#define PARAGON_TEST_FAKE_DEVICE_H

#include "device.h"
#include "environment.h"
#include "kir/interpret.h"
#include "manager.h"
#include "region.h"
#include "regions.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_BLOCKS = 64,
  MOST_KERNELS = 256,
  MOST_REGIONS = 128,
  PACKED_LEN = 4096
};

struct compiled
{
  const void *module;
  char name[64];
  struct pg_kir_kernel kernel;
};

static struct
{
  struct pg_device base;
  struct pg_kir_space blocks[MOST_BLOCKS]; /* an empty one has no length */
  struct compiled kernels[MOST_KERNELS];
  int n_kernels, n_modules;
  enum pg_device_status failed; /* what a launch came to */

  struct pg_kir_limits limits;
  int n_calls, fails_at; /* the number of the call that fails, and how; -1: none */
  enum pg_device_status fails_as;
  void (*on_launch) (void);
  const char *identity; /* NULL: it has none */
  int n_pinned;
} device;

/* Make the device a small one that does not fail.  */
static inline void
reset_device (void)
{
  device.limits = (struct pg_kir_limits) { 2, 4, 8, 4096, 4, 16, 4096, 8192 };
  device.fails_at = -1;
  device.on_launch = NULL;
}

/* Have PLAN for entries, which such a device may run, and which it knows nothing of from earlier ones.  */
static inline void
plan_for_device (enum pg_plan_forced plan)
{
  pg_environment_defaults (&pg_environment);
  pg_environment.plan = plan;
  pg_environment.device = 1;
  pg_environment.is_mirrors_off = true;
  reset_device ();
}

/* Wait until the manager has nothing to do.  */
static inline void
await_manager (void)
{
  while (!pg_manager_claim ())
    sched_yield ();
  pg_manager_release ();
}

/* Count a call; does it fail?  */
static bool
fails (void)
{
  return device.n_calls++ == device.fails_at;
}

static enum pg_device_status
open_device (struct pg_device **opened, char *why)
{
  device.base.ops = &pg_device_emu;
  *opened = &device.base;
  *why = '\0';
  return PG_DEVICE_OK;
}

static void
close_device (struct pg_device *closed)
{
  (void) closed;
}

static void
get_limits (const struct pg_device *asked, struct pg_kir_limits *limits)
{
  (void) asked;
  *limits = device.limits;
}

static const char *
message (const struct pg_device *asked)
{
  (void) asked;
  return "it was told to";
}

static enum pg_device_status
allocate (struct pg_device *asked, size_t len, uint64_t *address)
{
  int b = 0;
  (void) asked;
  if (fails ())
    return device.fails_as;
  while (device.blocks[b].len > 0)
    b++;
  assert_true (b < MOST_BLOCKS && len > 0);
  char *block = aligned_alloc (4096, (len + 4095) / 4096 * 4096);
  assert_non_null (block);
  memset (block, 0xa5, len);
  device.blocks[b] = (struct pg_kir_space) { block, len, true };
  *address = (uint64_t) (uintptr_t) block;
  return PG_DEVICE_OK;
}

static void
release (struct pg_device *asked, uint64_t address)
{
  (void) asked;
  for (int b = 0; b < MOST_BLOCKS; b++)
    if (device.blocks[b].len > 0 && (uint64_t) (uintptr_t) device.blocks[b].low == address)
      {
	free (device.blocks[b].low);
	device.blocks[b].len = 0;
	return;
      }
  fail_msg ("not an address that was given");
}

static void *
there (uint64_t address, size_t len)
{
  for (int b = 0; b < MOST_BLOCKS; b++)
    {
      uint64_t offset = address - (uint64_t) (uintptr_t) device.blocks[b].low;
      if (offset < device.blocks[b].len && len <= device.blocks[b].len - offset)
	return (void *) (uintptr_t) address;
    }
  fail_msg ("not in one block");
  return NULL;
}

static enum pg_device_status
copy_in (struct pg_device *asked, uint64_t to, const void *from, size_t len)
{
  (void) asked;
  if (fails ())
    return device.fails_as;
  memcpy (there (to, len), from, len);
  return PG_DEVICE_OK;
}

static enum pg_device_status
copy_out (struct pg_device *asked, void *to, uint64_t from, size_t len)
{
  (void) asked;
  if (fails ())
    return device.fails_as;
  memcpy (to, there (from, len), len);
  return PG_DEVICE_OK;
}

static enum pg_device_status
set (struct pg_device *asked, uint64_t to, int byte, size_t len)
{
  (void) asked;
  if (fails ())
    return device.fails_as;
  memset (there (to, len), byte, len);
  return PG_DEVICE_OK;
}

static void
pin (struct pg_device *asked, void *memory, size_t len)
{
  (void) asked;
  assert_true (memory != NULL && len > 0);
  device.n_pinned++;
}

static void
unpin (struct pg_device *asked, void *memory)
{
  (void) asked;
  assert_non_null (memory);
  device.n_pinned--;
}

static enum pg_device_status
compile (struct pg_device *asked, const struct pg_device_kernel *kernels, size_t n_kernels, struct pg_module **module)
{
  static unsigned char packed[1 << 16];
  struct pg_kir_error error;
  (void) asked;
  if (fails ())
    return device.fails_as;
  for (size_t k = 0; k < n_kernels; k++)
    {
      struct compiled *compiled = &device.kernels[device.n_kernels++];
      assert_true (device.n_kernels < MOST_KERNELS);
      assert_true (pg_kir_verify (kernels[k].kernel, &error));
      size_t len = pg_kir_pack (kernels[k].kernel, packed, sizeof packed);
      assert_in_range (len, 1, sizeof packed);
      pg_kir_begin (&compiled->kernel, NULL);
      assert_true (pg_kir_unpack (&compiled->kernel, packed, len, &error) && pg_kir_verify (&compiled->kernel, &error));
      compiled->module = &device.kernels[device.n_modules];
      snprintf (compiled->name, sizeof compiled->name, "%s", kernels[k].name);
    }
  *module = (struct pg_module *) &device.kernels[device.n_modules++];
  return PG_DEVICE_OK;
}

static enum pg_device_status
launch (struct pg_device *asked, struct pg_module *module, const struct pg_device_launch *launched)
{
  const struct pg_kir_grid grid
    = { .n_blocks = { launched->n_blocks, 1, 1 }, .n_threads = { launched->n_threads, 1, 1 }, .seed = 7 };
  struct pg_kir_machine machine
    = { .most_steps = 10000000, .spaces = device.blocks, .n_spaces = MOST_BLOCKS, .is_strict = true };
  char args[4096];
  (void) asked;
  if (fails ())
    return device.fails_as;
  for (int k = 0; k < device.n_kernels; k++)
    if (device.kernels[k].module == module && strcmp (device.kernels[k].name, launched->name) == 0)
      machine.kernel = &device.kernels[k].kernel;
  assert_non_null (machine.kernel);
  assert_int_equal (launched->args_len, machine.kernel->args_len);
  memcpy (args, launched->args, launched->args_len);
  machine.args = args;
  if (device.on_launch != NULL)
    device.on_launch ();
  if (pg_kir_interpret_grid (&machine, &grid) != PG_KIR_DONE)
    device.failed = PG_DEVICE_FAULT;
  return PG_DEVICE_OK;
}

static enum pg_device_status
wait_for_all (struct pg_device *asked)
{
  enum pg_device_status failed = device.failed;
  (void) asked;
  device.failed = PG_DEVICE_OK;
  return fails () ? device.fails_as : failed;
}

static void
identify (struct pg_device *asked, char *text)
{
  (void) asked;
  snprintf (text, PG_DEVICE_TEXT_LEN, "%s", device.identity == NULL ? "" : device.identity);
}

const struct pg_device_ops pg_device_emu = { .name = "fake",
					     .open = open_device,
					     .close = close_device,
					     .get_limits = get_limits,
					     .message = message,
					     .alloc = allocate,
					     .free = release,
					     .pin = pin,
					     .unpin = unpin,
					     .copy_in = copy_in,
					     .copy_out = copy_out,
					     .set = set,
					     .compile = compile,
					     .launch = launch,
					     .wait = wait_for_all,
					     .identify = identify };

static inline int
n_blocks (void)
{
  int n = 0;
  for (int b = 0; b < MOST_BLOCKS; b++)
    n += device.blocks[b].len > 0;
  return n;
}

/* ---- regions */

/* REGION with the kernel TEXT.  */
static inline struct pg_descriptor *
with_kernel (struct pg_descriptor *region, const char *text)
{
  static unsigned char room[MOST_REGIONS][PACKED_LEN];
  static int n;
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_read (&kernel, text, strlen (text), &error) || !pg_kir_verify (&kernel, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  assert_true (n < MOST_REGIONS);
  uint32_t len;
  const unsigned char *without = pg_descriptor_packed (region, &len);
  unsigned char *packed = room[n++] + PG_PACKED_LEN_MOST;
  memcpy (packed, without, len);
  len += (uint32_t) pg_kir_pack (&kernel, packed + len, PACKED_LEN / 2);
  assert_true (len < PACKED_LEN / 2);
  set_packed (region, packed, len);
  pg_kir_end (&kernel);
  return region;
}

static inline const struct pg_row *
row_of (const struct pg_descriptor *region)
{
  return &((const struct pg_state *) region->state)->row;
}

static inline int64_t
n_offloaded (const struct pg_descriptor *region, enum pg_offloaded offloaded)
{
  return row_of (region)->n_offloaded[offloaded];
}

/* Enter REGION with ARGS; it runs.  */
static inline void
enter (struct pg_descriptor *region, void *args, int64_t n)
{
  if (!__paragon_enter_v1 (region, args, n))
    region->body (args, 0, n, NULL);
  assert_int_equal (n_blocks (), 0);
}

#endif
