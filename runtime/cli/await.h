/* SPDX-License-Identifier: MIT
   Waiting for a command.  What asks this process to end is passed on to it.  */
#ifndef PARAGON_CLI_AWAIT_H
#define PARAGON_CLI_AWAIT_H

#include <sys/types.h>

/* From now on, note what asks this process to end.  */
void pg_await_prepare (void);

/* Wait for PID.  Its status, as waitpid has it.  */
int pg_await (pid_t pid);

/* Seconds on a clock that only goes on.  */
double pg_await_clock (void);

/* The last signal that asked this process to end, or 0.  */
int pg_await_signal (void);

#endif
