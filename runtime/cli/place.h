/* SPDX-License-Identifier: MIT
   FILE:LINE, as a user gives it, and what it is close to.  */
#ifndef PARAGON_CLI_PLACE_H
#define PARAGON_CLI_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct pg_place
{
  const char *file;
  size_t file_len;
  int64_t line; /* 0: all */
};

/* What TEXT is: FILE, FILE:LINE or FILE:LINE:COLUMN, with or without a colon at the end.  Keeps a pointer to it.  */
struct pg_place pg_place_of (const char *text);

/* How well PLACE's file goes with FILE, as the compiler was given it: the more the better.  0: not at all.  */
size_t pg_place_rank (const struct pg_place *place, const char *file);

#endif
