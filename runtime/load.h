/* SPDX-License-Identifier: MIT
   What else runs on this machine.  */
#ifndef PARAGON_LOAD_H
#define PARAGON_LOAD_H

/* The CPUs of the machine that are left for threads of this process, of which N_OWN, the caller's included, are known
   to run now: all but those that other threads take, at least 1.  INT_MAX: unknown.  Threads that run for some
   milliseconds only do not count, and an answer holds for one.  Threads: any.  Calls no malloc; keeps errno.  */
int pg_load_cpus (int n_own);

/* The threads on the whole machine that run or wait for a CPU at this moment, the caller's included, as the file
   loadavg in directory PROC has it; 0: unknown.  May change errno.  */
int pg_load_running (const char *proc);

#endif
