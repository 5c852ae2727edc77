/* SPDX-License-Identifier: MIT
   The control groups of the process, versions 1 and 2, and the small files of /proc and /sys.  */
#ifndef PARAGON_CGROUP_H
#define PARAGON_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

/* Told of one control group of VERSION: its DIRECTORY.  */
typedef void pg_cgroup_fn (void *arg, const char *directory, int version);

/* Call VISIT with ARG for each control group that limits the process in CONTROLLER ("cpu"): its own, as the file
   PROC_CGROUP names it, and those around it up to the mount point.  Version 2 is mounted at MOUNT, the controller of
   version 1 at MOUNT/CONTROLLER.  DIRECTORY may not exist.  Calls no malloc.  May change errno.  */
void pg_cgroup_visit (const char *proc_cgroup, const char *mount, const char *controller, pg_cgroup_fn *visit,
		      void *arg);

/* Read the beginning of the file NAME in DIRECTORY into TEXT of LEN bytes as a string; false: it is empty, or cannot be
   read.  Calls no malloc.  May change errno.  */
bool pg_cgroup_read (const char *directory, const char *name, char *text, size_t len);

#endif
