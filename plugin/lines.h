/* SPDX-License-Identifier: GPL-3.0-or-later
   Loops that begin a cache line.  */
#ifndef PARAGON_LINES_H
#define PARAGON_LINES_H

#include "gcc-includes.h"

extern rtl_opt_pass *pg_make_pass_lines (gcc::context *context);

#endif
