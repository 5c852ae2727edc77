/* SPDX-License-Identifier: GPL-3.0-or-later
   How Paragon names places in the user's source: in the report, the remarks and the region descriptor alike.  */
#ifndef PARAGON_WHERE_H
#define PARAGON_WHERE_H

#include "gcc-includes.h"

/* The file of WHERE as the compiler was given it, -ffile-prefix-map applied, or else the option `folder'; the unit's
   main file if unknown.  Borrowed: good until the next call.  */
extern const char *pg_file_name (location_t where);

/* True if A and B are in one file.  */
extern bool pg_same_file_p (location_t a, location_t b);

/* The line of WHERE, 0 if unknown.  */
extern unsigned pg_line (location_t where);

/* The name of FUNCTION as its language writes it.  Borrowed: good until the next call.  */
extern const char *pg_function_name (tree function);

#endif
