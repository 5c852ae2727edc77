/* SPDX-License-Identifier: MIT
   What tests on the device without a GPU share: the device, and its memory.  */
#ifndef EMU_DEVICE_H
#define EMU_DEVICE_H

#include "cuda/emu/emu.h"
#include "kir-golden.h"

enum
{
  MEMORY_LEN = 64 << 20,
  LIMIT_MS = 60000
};

static struct pg_emu *emu;

static struct pg_emu_setup
setup_of (const char *options)
{
  static char paths[2][4096];
  char complaint[PG_EMU_TEXT_LEN];
  const char *build = getenv ("PG_BUILD") == NULL ? "build" : getenv ("PG_BUILD");
  snprintf (paths[0], sizeof paths[0], "%s/emu-device", build);
  snprintf (paths[1], sizeof paths[1], "%s/cuda", root ());
  struct pg_emu_setup setup = { .program = paths[0],
				.compiler = getenv ("PG_CXX") == NULL ? "g++" : getenv ("PG_CXX"),
				.include = paths[1],
				.len = MEMORY_LEN };
  assert_true (pg_emu_parse (options, &setup.options, complaint, sizeof complaint));
  return setup;
}

static struct pg_emu *
open_device (const struct pg_emu_setup *setup)
{
  struct pg_emu *opened;
  char why[PG_EMU_TEXT_LEN];
  if (pg_emu_open (setup, &opened, why) != PG_EMU_OK)
    fail_msg ("%s", why);
  return opened;
}

#define assert_ok(call)                        \
  do                                           \
    {                                          \
      if ((call) != PG_EMU_OK)                 \
	fail_msg ("%s", pg_emu_message (emu)); \
    }                                          \
  while (0)

/* Device memory with the LEN bytes at FROM, or zeros.  */
static uint64_t
give (const void *from, size_t len)
{
  uint64_t address;
  assert_ok (pg_emu_alloc (emu, len, &address));
  if (from == NULL)
    assert_ok (pg_emu_set (emu, address, 0, len));
  else
    assert_ok (pg_emu_copy_in (emu, address, from, len));
  return address;
}

/* Copy device memory out and free it.  */
static void
take (void *to, uint64_t address, size_t len)
{
  assert_ok (pg_emu_copy_out (emu, to, address, len));
  assert_ok (pg_emu_free (emu, address));
}

#endif
