/* SPDX-License-Identifier: MIT
   A command is asked something, and what it says first is the answer.  */
#ifndef PARAGON_CLI_CAPTURE_H
#define PARAGON_CLI_CAPTURE_H

enum
{
  PG_CAPTURE_LEN = 512
};

/* Run ARGV and put the first line that it writes, to stdout or stderr, or why it cannot be run, into TEXT.  Its status;
   -1: none.  */
int pg_capture (char *const *argv, char (*text)[PG_CAPTURE_LEN]);

#endif
