/* SPDX-License-Identifier: GPL-3.0-or-later
   The plugin's options, read once from -fplugin-arg-paragon-NAME[=VALUE].  The list is include/options.def.  */
#ifndef PARAGON_PLUGIN_OPTIONS_H
#define PARAGON_PLUGIN_OPTIONS_H

#include "gcc-includes.h"

struct pg_options
{
  bool off;                /* load, and do nothing */
  bool quiet;              /* no note where nothing can be handed over */
  const char *report;      /* file that report lines are appended to, or NULL */
  const char *dump;        /* what to pass on to GCC's -fdump-, or NULL */
  HOST_WIDE_INT threshold; /* iterations from which loops are handed over; -1: from the estimated work */
  bool kir;                /* keep kernels in the object */
  const char *cuda;        /* folder that kernels are written to, or NULL */
  const char *ptx;         /* targets that they are assembled for, or NULL */
  const char *folder;      /* what the current folder is called in names of sources, or NULL */
};
extern struct pg_options pg_options;

/* Read INFO's arguments into pg_options.  False after an error was given that names the argument and says what is
   valid; the compilation then fails, with nothing handed over.  */
extern bool pg_options_read (const struct plugin_name_args *info);

#endif
