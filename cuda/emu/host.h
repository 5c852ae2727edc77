/* SPDX-License-Identifier: MIT
   What the program's side of the device shares among its files.  */
#ifndef PG_EMU_HOST_H
#define PG_EMU_HOST_H

#include "wire.h"

#include <sys/types.h>

/* Memory that was given, in pages of the device.  */
struct pg_emu_piece
{
  uint64_t page, n_pages;
  size_t len; /* bytes */
};

struct pg_emu
{
  struct pg_emu_hello hello;
  char program[PATH_MAX];
  pid_t owner;   /* the process that opened it */
  int memory;    /* the file */
  void *reserve; /* where the device's addresses are, here: nothing */
  size_t reserve_len;

  struct pg_emu_piece *pieces; /* by address */
  size_t n_pieces, pieces_room;
  uint64_t next_page; /* where the next search begins, so that what was freed stays unused for long */

  int socket;        /* -1: there is no process */
  uint64_t n_starts; /* of the process */
  uint64_t n_launches;
  bool is_running; /* a kernel, whose reply is due at DUE_NS */
  int64_t due_ns;  /* on the monotonic clock */
  uint32_t limit_ms;
  char kernel[PG_EMU_NAME_LEN]; /* which */

  struct pg_emu_module **modules;
  uint32_t n_modules;
  char *log;
  char message[PG_EMU_TEXT_LEN];
};

/* Note STATUS and its message, and return it.  */
enum pg_emu_status pg_emu_failed (struct pg_emu *emu, enum pg_emu_status status, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Make the memory's file and reserve its addresses.  */
enum pg_emu_status pg_emu_memory_begin (struct pg_emu *emu, size_t len) __attribute__ ((warn_unused_result));

void pg_emu_memory_end (struct pg_emu *emu);

/* Start the process, if there is none.  */
enum pg_emu_status pg_emu_process_start (struct pg_emu *emu) __attribute__ ((warn_unused_result));

/* End the process, if there is one.  */
void pg_emu_process_end (struct pg_emu *emu);

/* Send REQUEST to the process, which there is.  */
enum pg_emu_status pg_emu_process_ask (struct pg_emu *emu, const struct pg_emu_request *request)
  __attribute__ ((warn_unused_result));

/* Receive the reply, due at DUE_NS on the monotonic clock; what it says is the status and the message.  The process
   is ended after PG_EMU_NO_DEVICE, PG_EMU_TIMEOUT and PG_EMU_FAULT.  */
enum pg_emu_status pg_emu_process_hear (struct pg_emu *emu, int64_t due_ns) __attribute__ ((warn_unused_result));

/* Nanoseconds on the monotonic clock.  */
int64_t pg_emu_now (void);

#endif
