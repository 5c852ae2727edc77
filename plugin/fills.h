/* SPDX-License-Identifier: GPL-3.0-or-later
   Functions that fill arrays behind their parameters.  */
#ifndef PARAGON_FILLS_H
#define PARAGON_FILLS_H

#include "gcc-includes.h"

extern gimple_opt_pass *pg_make_pass_fills (gcc::context *context);

#endif
