/* SPDX-License-Identifier: MIT
   What the program and the device's process say to each other: packets on one socket.  First a hello, then requests,
   one after the other; each is answered by one reply.  Where the socket ends, the process does: told before that
   another one may follow, or else, the program being gone, with the folder.

   Memory is a file that both have: the device's bytes, then for each of its pages, how many bytes from its start on
   belong to an allocation, as 16 bits.  The program reads and writes the file; the process maps it.  */
#ifndef PG_EMU_WIRE_H
#define PG_EMU_WIRE_H

#include "emu.h"

#include <limits.h>

enum
{
  PG_EMU_SOCKET = 3, /* the process's descriptors */
  PG_EMU_MEMORY = 4,
  PG_EMU_PAGE_LEN = 4096
};

struct pg_emu_hello
{
  uint64_t base, n_pages; /* of the memory's addresses */
  struct pg_emu_options options;
  char compiler[PATH_MAX], include[PATH_MAX];
  char folder[PATH_MAX]; /* with N.cu, the text of module N; N.so and N.log are made there */
};

enum pg_emu_ask
{
  PG_EMU_COMPILE, /* and load */
  PG_EMU_LOAD,    /* what was compiled before */
  PG_EMU_LAUNCH,
  PG_EMU_END /* no reply; ASK and MODULE only, as a kernel may run */
};

struct pg_emu_request
{
  uint32_t ask, module;
  uint64_t number; /* of the launch, since the device was opened */
  uint32_t grid[3], block[3];
  uint32_t shared_len, args_len;
  char kernel[PG_EMU_NAME_LEN];
  char args[PG_EMU_MOST_ARGS_LEN] __attribute__ ((aligned (16)));
};

struct pg_emu_reply
{
  uint32_t status; /* enum pg_emu_status */
  char text[PG_EMU_TEXT_LEN];
};

#endif
