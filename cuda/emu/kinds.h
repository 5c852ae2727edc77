/* SPDX-License-Identifier: MIT
   What compiled text (shim.h, C++) asks of the device that runs it (device/run.h, C).  */
#ifndef PG_EMU_KINDS_H
#define PG_EMU_KINDS_H

enum pg_emu_barrier_kind
{
  PG_EMU_BARRIER,
  PG_EMU_BARRIER_OR,
  PG_EMU_BARRIER_AND,
  PG_EMU_BARRIER_COUNT
};

enum pg_emu_warp_kind
{
  PG_EMU_WARP_SYNC,
  PG_EMU_WARP_BALLOT,
  PG_EMU_WARP_SHUFFLE,
  PG_EMU_WARP_ACTIVE
};

#endif
