/* SPDX-License-Identifier: MIT
   Starting a user's command.  */
#ifndef PARAGON_CLI_SPAWN_H
#define PARAGON_CLI_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* Start ARGV, which reads nothing, in this process's environment.  What it writes goes to the file OUT, or with NULL to
   stderr; what it writes to stderr is dropped, unless IS_VERBOSE.  0 and *PID, or an errno.  */
int pg_spawn (char *const *argv, const char *out, bool is_verbose, pid_t *pid);

#endif
