/* SPDX-License-Identifier: GPL-3.0-or-later
   Short loops beside guards, kept in one cache line.  */
#ifndef PARAGON_LINES_H
#define PARAGON_LINES_H

#include "gcc-includes.h"

extern rtl_opt_pass *pg_make_pass_lines (gcc::context *context);

#endif
